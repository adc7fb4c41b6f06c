"""Projections: the current state of tables, rounds, payouts and alerts, folded from the entries.

The store writes what `project` returns in the same transaction as the entry; `verify` folds the
same entries again and compares. So there is one account of what an entry means.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from audit.alerts import Alert, AlertState, Breach
from audit.auth.folding import ACCESS_KINDS, access_rows
from audit.chain import Entry, EntryKind, JsonObject, utc_moment
from audit.desk_folds import DESK_KINDS, desk_rows, outbox_rows
from audit.evidence.folding import FOOTAGE_KINDS, fold_flagged_hand, fold_footage
from audit.facts import facts_of
from audit.issued import issued_of
from audit.payout_folds import confirmed, judged_round, reported, round_payouts
from audit.rounds import RecordedRound
from audit.rows import Known, Row, needed
from audit.tables import Gap, StepMark, TableState, WatchRun
from rules.findings import Severity

UNWATCHED = "the watcher ended without saying so"

_OF_TABLES = frozenset(
    {
        EntryKind.TABLE_STARTED,
        EntryKind.TABLE_STOPPED,
        EntryKind.TABLE_BEHIND,
        EntryKind.TABLE_CAUGHT_UP,
    }
)

PROJECTED = frozenset(
    {
        EntryKind.FEED_LOST,
        EntryKind.FEED_BACK,
        EntryKind.WAGER_PLACED,
        EntryKind.PAYOUT_MADE,
        EntryKind.FINDING_RAISED,
        EntryKind.FINDING_REPEATED,
        EntryKind.ROUND_READ,
        EntryKind.ROUND_CORRECTED,
        *_OF_TABLES,
        EntryKind.PAYOUT_CONFIRMED,
        *DESK_KINDS,
        *FOOTAGE_KINDS,
        *ACCESS_KINDS,
        EntryKind.REPORT_ISSUED,
    }
)
"""The kinds that projections follow from; bodies of other kinds need no parsing."""


def project(entry: Entry, known: Known) -> tuple[Row, ...]:
    """Return the rows that an entry makes or changes, each whole.

    Raises:
        KeyError, TypeError, ValueError, LookupError: The entry's body does not have the form of its
            kind, which no entry of this program has.
    """
    rows: tuple[Row, ...] = ()
    match entry.kind:
        case kind if kind in _OF_TABLES:
            rows = _table(entry, known)
        case EntryKind.FEED_LOST | EntryKind.FEED_BACK:
            rows = _gap(entry, known)
        case EntryKind.ROUND_READ | EntryKind.ROUND_CORRECTED:
            told = _round(entry)
            facts = facts_of(judged_round(entry), told.outcome)
            rows = (told, facts, *round_payouts(entry, known))
        case EntryKind.WAGER_PLACED | EntryKind.PAYOUT_MADE:
            rows = reported(entry, known)
        case EntryKind.FINDING_RAISED | EntryKind.FINDING_REPEATED:
            rows = (*_finding(entry, known), *fold_flagged_hand(entry, known))
        case EntryKind.PAYOUT_CONFIRMED:
            rows = confirmed(entry, known)
        case EntryKind.REPORT_ISSUED:
            rows = (issued_of(entry.id, entry.at, entry.body),)
        case _:
            rows = (
                *desk_rows(entry, known),
                *fold_footage(entry, known),
                *access_rows(entry, known),
            )
    return (*rows, *outbox_rows(entry, rows), *_run(entry))


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


def _table(entry: Entry, known: Known) -> tuple[Row, ...]:
    body = entry.body
    if entry.kind in (EntryKind.TABLE_BEHIND, EntryKind.TABLE_CAUGHT_UP):
        return _pace(entry, known)
    if entry.kind is EntryKind.TABLE_STOPPED:
        state = needed(TableState, (entry.chain,), known)
        stopped = replace(state, watching=False, stopped=entry.at, entry=entry.id)
        return (replace(stopped, late_s=0, left_out=0),)
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
        late_s=0,
        left_out=0,
        started=entry.at,
        stopped=None,
        entry=entry.id,
    )
    rows: tuple[Row, ...] = (state,)
    if body["unwatched_from"] is not None:
        since = utc_moment(body["unwatched_from"])
        rows = (*rows, Gap(entry.id, entry.chain, since, entry.at, UNWATCHED))
    return (*rows, *_end_of_gap(entry, known))


def _pace(entry: Entry, known: Known) -> tuple[Row, ...]:
    state = needed(TableState, (entry.chain,), known)
    late_s, left_out = entry.body.get("late_s", 0), entry.body.get("left_out", 0)
    return (replace(state, late_s=int(late_s), left_out=int(left_out), entry=entry.id),)


def _end_of_gap(entry: Entry, known: Known) -> tuple[Row, ...]:
    since = entry.body["since"]
    if since is None:
        return ()
    return (replace(needed(Gap, (since,), known), ended=entry.at),)


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


def _finding(entry: Entry, known: Known) -> tuple[Row, ...]:
    body = entry.body
    number = body["alert"]
    if number is None:
        return ()
    if entry.kind is EntryKind.FINDING_REPEATED:
        alert = needed(Alert, (number,), known)
        last = max(alert.last_seen, entry.at)
        return (replace(alert, last_seen=last, sightings=alert.sightings + 1),)
    breach = Breach.of(entry.chain, body["round"], body["finding"])
    # Records of older versions have no policy: their alerts are as grave as the rules say.
    handling = body.get("handling") or {}
    seconds = handling.get("escalate_after_s")
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
            severity=Severity(handling.get("severity", breach.severity)),
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
            tone=handling.get("tone", breach.severity.value if not handling else None),
            policy=handling.get("policy"),
            escalate_at=None if seconds is None else entry.at + timedelta(seconds=seconds),
            escalate_to=handling.get("escalate_to"),
        ),
    )
