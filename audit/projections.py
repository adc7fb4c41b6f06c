"""Projections: the current state of tables, rounds, payouts and alerts, folded from the entries.

The store writes what `project` returns in the same transaction as the entry; `verify` folds the
same entries again and compares. So there is one account of what an entry means.
"""

from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Protocol, TypeVar

from audit.alerts import Alert, AlertAct, AlertState, Breach
from audit.chain import Entry, EntryKind, JsonObject, utc_moment
from audit.facts import RoundFacts, facts_of
from audit.issued import IssuedReport, issued_of
from audit.payouts import (
    FeedAct,
    FeedLine,
    FeedSource,
    PayoutLine,
    RoundEntry,
    payout_lines,
    withdrawn,
)
from audit.rounds import RecordedRound
from audit.tables import Gap, StepMark, TableState, WatchRun

Row = (
    TableState
    | WatchRun
    | Gap
    | RecordedRound
    | RoundFacts
    | PayoutLine
    | FeedLine
    | Alert
    | AlertAct
    | IssuedReport
)

Key = tuple[str | int, ...]

UNWATCHED = "the watcher ended without saying so"

R = TypeVar("R", bound=Row)

KEY_FIELDS: dict[type[object], tuple[str, ...]] = {
    TableState: ("table",),
    WatchRun: ("run",),
    Gap: ("entry",),
    RecordedRound: ("round",),
    RoundFacts: ("round",),
    PayoutLine: ("round", "seat", "wager"),
    FeedLine: ("entry",),
    Alert: ("number",),
    AlertAct: ("entry",),
    IssuedReport: ("entry",),
}
"""The fields that name a row of each projection."""

ROW_KINDS: tuple[type[Row], ...] = (
    TableState,
    WatchRun,
    Gap,
    RecordedRound,
    RoundFacts,
    PayoutLine,
    FeedLine,
    Alert,
    AlertAct,
    IssuedReport,
)
"""All projections, in the order in which verification compares them."""


class Known(Protocol):
    """The projections as they stand before an entry."""

    def find(self, kind: type[R], key: Key) -> R | None:
        """Return a row, or None when there is none."""
        ...


def key_of(row: Row) -> Key:
    """Return the values that name a row among those of its kind."""
    return tuple(getattr(row, name) for name in KEY_FIELDS[type(row)])


def values_of(row: Row) -> dict[str, Any]:
    """Return a row's fields by name."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


def project(entry: Entry, known: Known) -> tuple[Row, ...]:
    """Return the rows that an entry makes or changes, each whole.

    Raises:
        KeyError, TypeError, ValueError, LookupError: The entry's body does not have the form of its
            kind, which no entry of this program has.
    """
    rows: tuple[Row, ...] = ()
    match entry.kind:
        case EntryKind.TABLE_STARTED | EntryKind.TABLE_STOPPED:
            rows = _table(entry, known)
        case EntryKind.FEED_LOST | EntryKind.FEED_BACK:
            rows = _gap(entry, known)
        case EntryKind.ROUND_READ | EntryKind.ROUND_CORRECTED:
            told = _round(entry)
            rows = (told, facts_of(_judged(entry), told.outcome), *_payouts(entry, known))
        case EntryKind.WAGER_PLACED | EntryKind.PAYOUT_MADE:
            rows = (_feed_line(entry),)
        case EntryKind.FINDING_RAISED | EntryKind.FINDING_REPEATED:
            rows = _finding(entry, known)
        case EntryKind.ALERT_MOVED | EntryKind.ALERT_ASSIGNED | EntryKind.ALERT_COMMENTED:
            rows = _alert_act(entry, known)
        case EntryKind.REPORT_ISSUED:
            rows = (issued_of(entry.id, entry.at, entry.body),)
        case _:
            pass
    return (*rows, *_run(entry))


def with_mark(body: JsonObject, mark: StepMark) -> JsonObject:
    """Return the body of an act's first entry, which names the act."""
    return {**body, "step": {"run": mark.run, "number": mark.number}}


MARKED = '"step":{"number":'
"""What the canonical form of such a body holds: how verification finds those to be parsed."""


def _run(entry: Entry) -> tuple[Row, ...]:
    step = entry.body.get("step")
    if step is None:
        return ()
    return (WatchRun(str(step["run"]), entry.chain, int(step["number"]), entry.id),)


def _needed(kind: type[R], key: Key, known: Known) -> R:
    row = known.find(kind, key)
    if row is None:
        raise LookupError(f"no {kind.__name__} {key}")
    return row


def _table(entry: Entry, known: Known) -> tuple[Row, ...]:
    body = entry.body
    if entry.kind is EntryKind.TABLE_STOPPED:
        state = _needed(TableState, (entry.chain,), known)
        return (replace(state, watching=False, stopped=entry.at, entry=entry.id),)
    state = TableState(
        table=entry.chain,
        game=body["game"],
        source=body["source"],
        layout=body["layout"],
        house=body["house"],
        model=body["model"],
        software=body["software"],
        watching=True,
        seen=True,
        started=entry.at,
        stopped=None,
        entry=entry.id,
    )
    rows: tuple[Row, ...] = (state,)
    if body["unwatched_from"] is not None:
        since = utc_moment(body["unwatched_from"])
        rows = (*rows, Gap(entry.id, entry.chain, since, entry.at, UNWATCHED))
    return (*rows, *_end_of_gap(entry, known))


def _end_of_gap(entry: Entry, known: Known) -> tuple[Row, ...]:
    since = entry.body["since"]
    if since is None:
        return ()
    return (replace(_needed(Gap, (since,), known), ended=entry.at),)


def _gap(entry: Entry, known: Known) -> tuple[Row, ...]:
    lost = entry.kind is EntryKind.FEED_LOST
    state = known.find(TableState, (entry.chain,))
    rows: tuple[Row, ...] = ()
    if state is not None:
        rows = (replace(state, seen=not lost, entry=entry.id),)
    if not lost:
        return (*rows, *_end_of_gap(entry, known))
    if entry.body["since"] is not None:  # lost already: the gap goes on
        return rows
    return (*rows, Gap(entry.id, entry.chain, entry.at, None, entry.body["reason"]))


def _round(entry: Entry) -> RecordedRound:
    record, result = entry.body["record"], entry.body["result"]
    return RecordedRound(
        round=record["round"],
        table=entry.chain,
        game=record["game"],
        outcome=result.get("outcome", "incomplete"),
        findings=len(result.get("findings") or ()),
        started=_moment_of(record.get("started")),
        recorded=entry.at,
        corrected=entry.kind is EntryKind.ROUND_CORRECTED,
        entry=entry.id,
        record=record,
        result=result,
    )


def _moment_of(text: object) -> datetime | None:
    try:
        moment = utc_moment(str(text))
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def _judged(entry: Entry) -> RoundEntry:
    return RoundEntry(entry.chain, entry.at, entry.id, entry.body["record"], entry.body["result"])


def _payouts(entry: Entry, known: Known) -> tuple[Row, ...]:
    record, judged = entry.body["record"], _judged(entry)
    lines = {key_of(line): line for line in payout_lines(judged)}
    before = known.find(RecordedRound, (record["round"],))
    if before is not None:  # a correction may know nothing more of a wager
        earlier = RoundEntry(
            before.table, before.recorded, before.entry, before.record, before.result
        )
        for line in payout_lines(earlier):
            lines.setdefault(key_of(line), withdrawn(line, judged))
    return tuple(lines.values())


def _feed_line(entry: Entry) -> FeedLine:
    body = entry.body
    act = FeedAct.WAGER if entry.kind is EntryKind.WAGER_PLACED else FeedAct.PAYOUT
    return FeedLine(
        entry=entry.id,
        table=entry.chain,
        at=entry.at,
        act=act,
        seat=body["seat"],
        wager=body["wager"],
        amount=body["amount"],
        source=FeedSource(body["source"]),
        client_id=body["client_id"],
        round=body["round"],
        user=body["user"],
        corrects=body["corrects"],
    )


def _finding(entry: Entry, known: Known) -> tuple[Row, ...]:
    body = entry.body
    number = body["alert"]
    if number is None:
        return ()
    if entry.kind is EntryKind.FINDING_REPEATED:
        alert = _needed(Alert, (number,), known)
        last = max(alert.last_seen, entry.at)
        return (replace(alert, last_seen=last, sightings=alert.sightings + 1),)
    breach = Breach.of(entry.chain, body["round"], body["finding"])
    return (
        Alert(
            number=number,
            key=breach.key,
            table=breach.table,
            round=breach.round,
            code=breach.code,
            seat=breach.seat,
            trick=breach.trick,
            subject=breach.subject,
            rule=breach.rule,
            severity=breach.severity,
            text=breach.text,
            proved_by=breach.proved_by,
            state=AlertState.NEW,
            opened=entry.at,
            last_seen=entry.at,
            sightings=1,
            media_at=body["media_at"],
            frame=body["frame"],
            entry=entry.id,
            acknowledged_by=None,
            acknowledged=None,
            changed_by=None,
            changed=None,
            assignee=None,
            comments=0,
        ),
    )


def _alert_act(entry: Entry, known: Known) -> tuple[Row, ...]:
    body = entry.body
    alert = _needed(Alert, (body["alert"],), known)
    act, detail = entry.kind.value.rsplit(".", 1)[1], ""
    match entry.kind:
        case EntryKind.ALERT_MOVED:
            detail = body["to"]
            alert = _moved(alert, AlertState(detail), entry)
        case EntryKind.ALERT_ASSIGNED:
            detail = body["assignee"] or ""
            alert = replace(alert, assignee=body["assignee"])
        case _:
            alert = replace(alert, comments=alert.comments + 1)
    return (
        alert,
        AlertAct(entry.id, alert.number, entry.at, body["user"], act, detail, body["note"]),
    )


def _moved(alert: Alert, to: AlertState, entry: Entry) -> Alert:
    user = entry.body["user"]
    moved = replace(alert, state=to, changed_by=user, changed=entry.at)
    if alert.acknowledged_by is not None:
        return moved
    return replace(moved, acknowledged_by=user, acknowledged=entry.at)
