"""The same as JSON, under `/api/v1`: tables, rounds, alerts, entries, and the event stream."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi import Path as PathParameter
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool

from audit.alerts import Alert, AlertState
from audit.auth.permissions import Action, permits
from audit.chain import Entry, Head
from audit.faults import Verification
from audit.rounds import RecordedRound
from audit.store import AlertQuery
from audit.tables import TableState
from audit.web.context import ActorDep, DeskDep, WhoDep, desk
from audit.web.feed import TOLD_KINDS
from audit.web.openapi import PROBLEM_BODY
from audit.web.security import require_act_header
from audit.web.stream import follow, resume_point, while_signed_in

router = APIRouter(prefix="/api/v1", tags=["record"])

After = Annotated[int, Query(ge=0, le=2**62, description="Only what comes after this entry.")]
Limit = Annotated[int, Query(ge=1, le=1000, description="At most so many.")]
Table = Annotated[str | None, Query(max_length=64, description="Only of this table.")]
Before = Annotated[int | None, Query(ge=1, le=2**62, description="Only older than this entry.")]
AlertNumber = Annotated[int, PathParameter(ge=1, le=2**31)]

RETRY_MS = 2000
"""How long a browser waits before it asks for the stream again."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Every table that was ever watched."""

    tables: list[TableState]


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries of the record, ascending."""

    entries: list[Entry]
    head: int
    """The id of the record's newest entry."""


@dataclass(frozen=True, slots=True)
class Alerts:
    """Alerts, the newest first."""

    alerts: list[Alert]


@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds, the newest first."""

    rounds: list[RecordedRound]


@dataclass(frozen=True, slots=True)
class Heads:
    """The end of every chain."""

    heads: list[Head]


@router.get("/tables")
@permits(Action.WALL_VIEW)
def tables(desk: DeskDep) -> Tables:
    """Return the tables and their state."""
    return Tables(desk.store.tables())


@router.get("/rounds")
@permits(Action.ROUND_VIEW)
def rounds(desk: DeskDep, table: Table = None, before: Before = None, limit: Limit = 50) -> Rounds:
    """Return rounds with their record and result, the newest first."""
    return Rounds(desk.store.rounds(table, before=before, limit=limit))


@router.get("/rounds/{round_id:path}")
@permits(Action.ROUND_VIEW)
def one_round(
    desk: DeskDep, round_id: Annotated[str, PathParameter(max_length=200)]
) -> RecordedRound:
    """Return one round in its newest version."""
    return desk.store.round(round_id)


@router.get("/alerts")
@permits(Action.ALERT_VIEW)
def alerts(
    desk: DeskDep,
    table: Table = None,
    state: Annotated[list[AlertState] | None, Query(description="Only in these states.")] = None,
    limit: Limit = 200,
) -> Alerts:
    """Return alerts, the newest first."""
    states = frozenset(state) if state else None
    return Alerts(desk.store.alerts(AlertQuery(table=table, states=states, limit=limit)))


@router.get("/alerts/{number}")
@permits(Action.ALERT_VIEW)
def one_alert(desk: DeskDep, number: AlertNumber) -> Alert:
    """Return one alert."""
    return desk.store.alert(number)


@router.post("/alerts/{number}/acknowledge", dependencies=[Depends(require_act_header)])
@permits(Action.ALERT_ACT)
def acknowledge(desk: DeskDep, number: AlertNumber, user: ActorDep) -> Alert:
    """Acknowledge an alert; one that somebody took up already stays as it is."""
    return desk.store.acknowledge(number, user=user)


@router.get("/entries")
@permits(Action.LIVE_FOLLOW, quiet=True, shares=True)
def entries(
    desk: DeskDep, who: WhoDep, after: After = 0, table: Table = None, limit: Limit = 200
) -> Entries:
    """Return entries after a number: page by passing the last one's `id` as `after`.

    Entries of the access log are only for those who may read the record as a whole.
    """
    kinds = None if who.may(Action.RECORD_VIEW) else TOLD_KINDS
    chain = who.table or table
    found = desk.store.entries_after(after, table=chain, kinds=kinds, limit=limit)
    return Entries(found, desk.store.last_id())


@router.get("/heads")
@permits(Action.RECORD_VIEW)
def heads(desk: DeskDep) -> Heads:
    """Return the end of every chain: its last number and hash."""
    return Heads(desk.store.chain_heads())


@router.post("/verification", dependencies=[Depends(require_act_header)])
@permits(Action.RECORD_VERIFY)
def verification(desk: DeskDep, user: ActorDep) -> Verification:
    """Verify the whole record: every entry, chain, checkpoint and projection."""
    return desk.verify(user)


async def counted(request: Request, who: WhoDep) -> AsyncIterator[None]:
    """Count a stream of this session or key while it lasts; refuse one too many."""
    with request.app.state.streams.one_more(who):
        yield


@router.get(
    "/stream",
    response_class=EventSourceResponse,
    dependencies=[Depends(counted)],
    responses={429: {"description": "Too many streams are open.", "content": PROBLEM_BODY}},
)
@permits(Action.LIVE_FOLLOW, quiet=True, shares=True)
async def stream(
    request: Request,
    who: WhoDep,
    after: Annotated[
        int | None, Query(ge=0, le=2**62, description="Begin after this entry.")
    ] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> AsyncIterator[ServerSentEvent]:
    """Send every entry as a server-sent event, its `id` the entry's; but none of the access log.

    Begins after `Last-Event-ID`, else after `after`, else with what comes next. Ends after some
    minutes; a browser asks again by itself and misses nothing.
    """
    found = desk(request)
    head = await run_in_threadpool(found.store.last_id)
    start = resume_point(last_event_id, after, head)
    yield ServerSentEvent(comment="pitwatch", retry=RETRY_MS)
    state = request.app.state
    read = while_signed_in(found.read_after, who, state.door)
    async for entry in follow(read, start, state.pace, state.closing):
        if entry.kind in TOLD_KINDS and who.table in (None, entry.chain):
            yield ServerSentEvent(data=entry_json(entry), id=str(entry.id))


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return an entry as the stream sends it: as `/entries` does, without the hashes."""
    return {
        "id": entry.id,
        "chain": entry.chain,
        "number": entry.number,
        "at": entry.at,
        "kind": entry.kind,
        "body": entry.body,
    }
