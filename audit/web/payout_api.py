"""Payouts as JSON: lines, running balances, corrections, confirmations, imports, and who deals."""

from dataclasses import asdict
from datetime import UTC, datetime
from enum import StrEnum, unique
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi import Path as PathParameter
from fastapi.responses import JSONResponse
from pydantic import Field, StrictInt
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from audit.auth.permissions import Action, permits
from audit.imports import ImportFile, ImportFormat, ImportRefused, read_import
from audit.payouts import FeedLine, FeedSource, PayoutLine
from audit.reports.spans import Clock
from audit.shifts import shifts_between
from audit.stints import Stint
from audit.store import DealerNote, WagerAt
from audit.store.asking_desk import NamedBalance, RunningLine, Span
from audit.store.import_acts import Imported
from audit.web.bodies import Body, Name, Noted, Past
from audit.web.context import ActorDep, DeskDep, SettingsDep, WhoDep
from audit.web.security import refuse_foreign_pages, require_act_header
from rules.events import MAX_CENTS

router = APIRouter(prefix="/api/v1", tags=["payouts"])
acts = APIRouter(prefix="/api/v1", tags=["payouts"], dependencies=[Depends(require_act_header)])
feeds = APIRouter(prefix="/api/v1", tags=["payouts"], dependencies=[Depends(refuse_foreign_pages)])

IMPORT_PATH = "/api/v1/payouts/import"

RoundName = Annotated[str, PathParameter(max_length=200)]
TableName = Annotated[str, PathParameter(max_length=64)]
Since = Annotated[datetime, Query(description="From this moment on, with a zone.")]
Until = Annotated[datetime, Query(description="Up to this moment, with a zone.")]
MaybeTable = Annotated[str | None, Query(max_length=64, description="Only of this table.")]

_FORMATS = {
    "text/csv": ImportFormat.CSV,
    "application/jsonl": ImportFormat.JSON_LINES,
    "application/x-ndjson": ImportFormat.JSON_LINES,
}


@unique
class By(StrEnum):
    """What a balance is drawn for."""

    TABLE = "table"
    SHIFT = "shift"
    DEALER = "dealer"


class Correction(Body):
    """The right amount of a report."""

    amount: Annotated[StrictInt, Field(ge=-MAX_CENTS, le=MAX_CENTS, description="Minor units.")]
    client_id: Name | None = None


class Confirmation(Noted):
    """Which payout somebody confirms."""

    round: Name
    seat: Annotated[StrictInt, Field(ge=1, le=6)]
    wager: Name


class DealerBody(Body):
    """A dealer who comes or goes."""

    dealer: Name
    at: Past | None = Field(None, description="Now when left out.")
    source: FeedSource = FeedSource.DEALER_SCREEN
    client_id: Name | None = None


def _span(since: datetime, until: datetime, table: str | None) -> Span:
    for name, moment in (("since", since), ("until", until)):
        if moment.tzinfo is None or not 2000 <= moment.year < 2100:
            raise HTTPException(422, f"{name}: expected a moment of 2000 to 2099 with a zone")
    return Span(since.astimezone(UTC), until.astimezone(UTC), table)


@router.get("/payouts/running")
@permits(Action.ROUND_VIEW)
def running(
    desk: DeskDep, since: Since, until: Until, table: MaybeTable = None
) -> list[RunningLine]:
    """Return payout lines with their running balance, in order of time; at most 1000."""
    return desk.store.running(_span(since, until, table))


@router.get("/payouts/balances")
@permits(Action.ROUND_VIEW)
def balances(
    desk: DeskDep,
    settings: SettingsDep,
    by: By,
    since: Since,
    until: Until,
    table: MaybeTable = None,
) -> list[NamedBalance]:
    """Return a balance a table, shift or dealer; a shift that has a part in the time is whole."""
    span = _span(since, until, table)
    match by:
        case By.TABLE:
            return desk.store.balances_by_table(span)
        case By.DEALER:
            return desk.store.balances_by_dealer(span)
        case By.SHIFT:
            if (span.until - span.since).days > 366:
                raise HTTPException(422, "since, until: expected at most a year of shifts")
            shifts = shifts_between(Clock.of(settings), span.since, span.until)
            return desk.store.balances_by_shift(shifts, table)


@router.get("/payouts/reports/{round_id}")
@permits(Action.ROUND_VIEW)
def reports(desk: DeskDep, round_id: RoundName) -> list[FeedLine]:
    """Return the reports behind a round's payouts, with all that were put right, in order."""
    return desk.store.reports_of(round_id)


@acts.post("/payouts/reports/{entry}/correction", status_code=201)
@permits(Action.PAYOUT_REPORT)
def correct(
    desk: DeskDep,
    user: ActorDep,
    entry: Annotated[int, PathParameter(ge=1, le=2**62)],
    body: Correction,
) -> FeedLine:
    """Put a report's amount right; the earlier one stays, and both point at each other."""
    return desk.store.correct_report(
        entry, body.amount, user=user, client_id=body.client_id, at=datetime.now(UTC)
    )


@acts.post("/payouts/confirmation")
@permits(Action.PAYOUT_REPORT)
def confirm(desk: DeskDep, who: WhoDep, body: Confirmation) -> PayoutLine:
    """Confirm what was paid on a wager; a person does, never the machine that reports it."""
    if who.session is None:
        raise HTTPException(403, "a person confirms what was paid")
    place = WagerAt(body.round, body.seat, body.wager)
    return desk.store.confirm_payout(place, user=who.name, note=body.note)


@router.get("/tables/{table}/dealers")
@permits(Action.ROUND_VIEW)
def dealers(desk: DeskDep, table: TableName) -> list[Stint]:
    """Return who dealt at a table, the newest first."""
    return desk.store.stints(desk.store.table(table).table)


@feeds.post("/tables/{table}/dealer-on", status_code=201)
@permits(Action.PAYOUT_REPORT)
def dealer_on(desk: DeskDep, user: ActorDep, table: TableName, body: DealerBody) -> Stint | None:
    """Say that a dealer began at a table; whoever dealt there before ended."""
    known, note, at = _dealer(desk, user, table, body)
    desk.store.dealer_on(known, note, at=at)
    return desk.store.dealer_now(known)


@feeds.post("/tables/{table}/dealer-off", status_code=201)
@permits(Action.PAYOUT_REPORT)
def dealer_off(desk: DeskDep, user: ActorDep, table: TableName, body: DealerBody) -> Stint | None:
    """Say that a dealer ended at a table; the answer is who deals there now."""
    known, note, at = _dealer(desk, user, table, body)
    desk.store.dealer_off(known, note, at=at)
    return desk.store.dealer_now(known)


def _dealer(
    desk: DeskDep, user: str, table: str, body: DealerBody
) -> tuple[str, DealerNote, datetime]:
    known = desk.store.table(table).table
    note = DealerNote(body.dealer, body.source, user, body.client_id)
    return known, note, body.at.astimezone(UTC) if body.at else datetime.now(UTC)


@feeds.post("/payouts/import", status_code=200)
@permits(Action.PAYOUT_IMPORT)
async def import_file(
    request: Request,
    desk: DeskDep,
    user: ActorDep,
    dry_run: bool = False,  # a query parameter
    table: MaybeTable = None,
) -> Response:
    """Import wagers and payouts from a body of CSV or JSON lines, all or nothing.

    422 names every line that cannot be used. The same file again adds nothing.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _FORMATS:
        raise HTTPException(415, f"content-type: expected one of {', '.join(_FORMATS)}")
    data = await request.body()

    def work() -> Imported:
        file: ImportFile = read_import(data, "the file", _FORMATS[kind], table=table)
        return desk.store.import_reports(file, user=user, dry_run=dry_run)

    try:
        done = await run_in_threadpool(work)
    except ImportRefused as refused:
        problems: list[dict[str, Any]] = [asdict(problem) for problem in refused.problems]
        return JSONResponse({"detail": str(refused), "problems": problems}, 422)
    return JSONResponse(asdict(done))
