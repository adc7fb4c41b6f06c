"""What people do at their desks, folded from the entries: a part of `audit.projections`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from audit.alerts import Alert, AlertAct, AlertState
from audit.approvals import Approval, ApprovalState, SensitiveAct
from audit.cases import (
    CaseAct,
    CaseFile,
    CaseKind,
    CaseLink,
    CaseOutcome,
    CaseState,
    CaseTopic,
    LinkKind,
)
from audit.chain import Entry, EntryKind, utc_moment
from audit.logbook import LogLine
from audit.outbox import EVENT_TYPES, OutboxEvent, event_id
from audit.payouts import FeedSource
from audit.rows import Known, Row, needed
from audit.stints import Stint
from rules.findings import Severity


def desk_rows(entry: Entry, known: Known) -> tuple[Row, ...]:
    """Return the rows that an entry of people's acts makes or changes, each whole."""
    fold = _FOLDS.get(entry.kind)
    return () if fold is None else fold(entry, known)


def outbox_rows(entry: Entry, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return what others are to be told of an entry, given the rows that follow from it."""
    kind = EVENT_TYPES.get(entry.kind)
    if kind is None:
        return ()
    alert = next((row for row in rows if isinstance(row, Alert)), None)
    case = next((row for row in rows if isinstance(row, CaseFile)), None)
    table: str | None = None
    severity: Severity | None = None
    if alert is not None:
        subject, table, severity = f"alert {alert.number}", alert.table, alert.severity
    elif case is not None:
        subject, table = f"case {case.number}", case.table
    elif entry.kind is EntryKind.FINDING_RAISED:
        return ()  # information only: kept, and nobody is told
    else:
        subject = f"approval {entry.body['approval']}"
    event = OutboxEvent(entry.id, event_id(entry), kind, entry.at, table, severity, subject)
    return (event,)


def _moment_of(text: str | None) -> datetime | None:
    return None if text is None else utc_moment(text)


def _alert_act(entry: Entry, known: Known) -> tuple[Row, ...]:
    body = entry.body
    alert = needed(Alert, (body["alert"],), known)
    act, detail, note = entry.kind.value.rsplit(".", 1)[1], "", body["note"]
    match entry.kind:
        case EntryKind.ALERT_MOVED:
            detail = body["to"]
            alert = _moved(alert, AlertState(detail), entry)
        case EntryKind.ALERT_ASSIGNED:
            detail = body["assignee"] or ""
            alert = replace(alert, assignee=body["assignee"])
        case EntryKind.ALERT_ESCALATED:
            detail = body["to"]
            alert = replace(alert, escalated=entry.at, escalated_to=detail, escalate_at=None)
        case EntryKind.ALERT_MUTED:
            detail = body["until"] or ""
            until = _moment_of(body["until"])
            alert = replace(alert, muted_until=until, muted_by=body["user"] if until else None)
        case EntryKind.ALERT_ANSWERED:
            detail = body["cause"]
        case EntryKind.ALERT_VOIDED:
            detail = str(body["approval"])
            alert = _moved(alert, AlertState.CLOSED, entry)
            alert = replace(alert, voided=entry.at, voided_by=body["user"])
        case _:
            alert = replace(alert, comments=alert.comments + 1)
    return (alert, AlertAct(entry.id, alert.number, entry.at, body["user"], act, detail, note))


def _moved(alert: Alert, to: AlertState, entry: Entry) -> Alert:
    user = entry.body["user"]
    # Somebody looks after it now, so it no longer calls for anybody else.
    moved = replace(alert, state=to, changed_by=user, changed=entry.at, escalate_at=None)
    if alert.acknowledged_by is not None:
        return moved
    return replace(moved, acknowledged_by=user, acknowledged=entry.at)


def _case_opened(entry: Entry, _known: Known) -> tuple[Row, ...]:
    body = entry.body
    folder = CaseFile(
        number=body["case"],
        kind=CaseKind(body["kind"]),
        topic=CaseTopic(body["topic"]),
        title=body["title"],
        state=CaseState.OPEN,
        table=body["table"],
        occurred=_moment_of(body["occurred"]),
        patron=body["patron"],
        opened=entry.at,
        opened_by=body["user"],
        assignee=None,
        outcome=None,
        closed=None,
        closed_by=None,
        changed=entry.at,
        notes=1 if body["note"] else 0,
        links=0,
        entry=entry.id,
    )
    return (folder, _case_row(entry, ""))


def _case_act(entry: Entry, known: Known) -> tuple[Row, ...]:
    body, user = entry.body, entry.body["user"]
    case = needed(CaseFile, (body["case"],), known)
    case = replace(case, changed=entry.at, notes=case.notes + (1 if body["note"] else 0))
    detail = ""
    rows: tuple[Row, ...] = ()
    match entry.kind:
        case EntryKind.CASE_LINKED:
            kind, ref = LinkKind(body["link"]), body["ref"]
            detail = f"{kind} {ref}"
            case = replace(case, links=case.links + 1)
            rows = (CaseLink(case.number, kind, ref, entry.id, entry.at, user),)
        case EntryKind.CASE_ASSIGNED:
            detail = body["assignee"] or ""
            case = replace(case, assignee=body["assignee"])
        case EntryKind.CASE_CLOSED:
            detail = body["outcome"]
            case = replace(
                case,
                state=CaseState.CLOSED,
                outcome=CaseOutcome(detail),
                closed=entry.at,
                closed_by=user,
            )
        case EntryKind.CASE_REOPENED:
            case = replace(case, state=CaseState.OPEN, outcome=None, closed=None, closed_by=None)
        case _:
            pass
    return (case, _case_row(entry, detail), *rows)


def _case_row(entry: Entry, detail: str) -> CaseAct:
    body, act = entry.body, entry.kind.value.rsplit(".", 1)[1]
    return CaseAct(entry.id, body["case"], entry.at, body["user"], act, detail, body["note"])


def _log_line(entry: Entry, known: Known) -> tuple[Row, ...]:
    body = entry.body
    line = LogLine(
        number=body["line"],
        at=entry.at,
        user=body["user"],
        occurred=utc_moment(body["occurred"]),
        employee=body["employee"],
        summary=body["summary"],
        location=body["location"],
        recording=body["recording"],
        disposition=body["disposition"],
        alert=body["alert"],
        case=body["case"],
        corrects=body["corrects"],
        corrected_by=None,
        entry=entry.id,
    )
    if line.corrects is None:
        return (line,)
    corrected = needed(LogLine, (line.corrects,), known)
    return (line, replace(corrected, corrected_by=line.number))


def _approval(entry: Entry, known: Known) -> tuple[Row, ...]:
    body = entry.body
    if entry.kind is EntryKind.APPROVAL_DECIDED:
        asked = needed(Approval, (body["approval"],), known)
        state = ApprovalState(body["to"])
        user, note = body["user"], body["note"]
        return (replace(asked, state=state, decided=entry.at, decided_by=user, note=note),)
    return (
        Approval(
            number=body["approval"],
            act=SensitiveAct(body["act"]),
            subject=body["subject"],
            reason=body["reason"],
            detail=body["detail"],
            state=ApprovalState.WAITING,
            asked=entry.at,
            asked_by=body["user"],
            decided=None,
            decided_by=None,
            note="",
            entry=entry.id,
        ),
    )


def _stint(entry: Entry, known: Known) -> tuple[Row, ...]:
    body = entry.body
    rows: tuple[Row, ...] = ()
    if body["since"] is not None:
        before = needed(Stint, (body["since"],), known)
        # Told late, a change of dealers may lie before what was told first.
        rows = (replace(before, ended=max(before.started, entry.at)),)
    if entry.kind is EntryKind.DEALER_OFF:
        return rows
    stint = Stint(
        entry=entry.id,
        table=entry.chain,
        dealer=body["dealer"],
        started=entry.at,
        ended=None,
        source=FeedSource(body["source"]),
        user=body["user"],
        client_id=body["client_id"],
    )
    return (stint, *rows)


Fold = Callable[[Entry, Known], tuple[Row, ...]]

_FOLDS: Mapping[EntryKind, Fold] = {
    EntryKind.ALERT_MOVED: _alert_act,
    EntryKind.ALERT_ASSIGNED: _alert_act,
    EntryKind.ALERT_COMMENTED: _alert_act,
    EntryKind.ALERT_ANSWERED: _alert_act,
    EntryKind.ALERT_ESCALATED: _alert_act,
    EntryKind.ALERT_MUTED: _alert_act,
    EntryKind.ALERT_VOIDED: _alert_act,
    EntryKind.CASE_OPENED: _case_opened,
    EntryKind.CASE_NOTED: _case_act,
    EntryKind.CASE_LINKED: _case_act,
    EntryKind.CASE_ASSIGNED: _case_act,
    EntryKind.CASE_CLOSED: _case_act,
    EntryKind.CASE_REOPENED: _case_act,
    EntryKind.LOG_WRITTEN: _log_line,
    EntryKind.APPROVAL_ASKED: _approval,
    EntryKind.APPROVAL_DECIDED: _approval,
    EntryKind.DEALER_ON: _stint,
    EntryKind.DEALER_OFF: _stint,
}

DESK_KINDS = frozenset(_FOLDS)
"""The kinds of entries that this part folds."""
