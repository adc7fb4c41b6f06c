"""Takes in wagers and payouts from the dealer's screen, a tray or a table-management system."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Header, HTTPException
from fastapi import Path as PathParameter
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from audit.auth.permissions import Action, permits
from audit.auth.sessions import Who
from audit.payouts import FeedLine, FeedNote, FeedSource
from audit.tables import TableState
from audit.web.bodies import Past, Text
from audit.web.context import DeskDep, WhoDep
from audit.web.security import refuse_foreign_pages
from rules.errors import RecordFormatError
from rules.events import MAX_CENTS
from rules.fits import check_event_fits
from rules.games import GAMES
from rules.wire import parse_feed_event

router = APIRouter(
    prefix="/api/v1/tables/{table}", tags=["feed"], dependencies=[Depends(refuse_foreign_pages)]
)

TableName = Annotated[
    str, PathParameter(max_length=64, description="The table's name, as it is watched.")
]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="Your own name for this report, where the body has no client_id.",
    ),
]
_Placed = Literal["ante", "play", "raise", "bonus", "rnb", "pair-plus"]
_Paid = Literal["ante", "play", "raise", "bonus", "rnb", "pair-plus", "ante-bonus"]


class _Report(BaseModel):
    model_config = ConfigDict(extra="forbid")

    at: Past | None = Field(
        None,
        description="When it happened, with a time zone; now when left out. Not in the future, "
        "five minutes of clocks apart forgiven.",
    )
    seat: Annotated[StrictInt, Field(ge=1, le=6)]
    source: Literal[FeedSource.FEED, FeedSource.DEALER_SCREEN] = FeedSource.FEED
    client_id: Text | None = Field(
        None,
        min_length=1,
        max_length=200,
        description="Your own name for this report. Sent twice, it is kept once.",
    )
    round: Text | None = Field(None, max_length=200)
    corrects: Annotated[StrictInt, Field(ge=1, le=2**62)] | None = Field(
        None, description="The entry of the report that this one puts right."
    )


class WagerReport(_Report):
    """A wager, as a feed reports it: the whole amount on the spot, not an increase."""

    kind: Literal["wager"] = "wager"
    wager: _Placed
    amount: Annotated[StrictInt, Field(ge=0, le=MAX_CENTS, description="Minor units.")]


class PayoutReport(_Report):
    """A payout, as a feed reports it: what the player gained, net."""

    kind: Literal["payout"] = "payout"
    wager: _Paid
    amount: Annotated[
        StrictInt, Field(ge=-MAX_CENTS, le=MAX_CENTS, description="Minor units, net.")
    ]


@router.post("/wagers", status_code=201)
@permits(Action.WAGER_REPORT)
def wagers(
    desk: DeskDep, who: WhoDep, table: TableName, report: WagerReport, key: Key = None
) -> FeedLine:
    """Record a wager of a table that is watched."""
    known = _fitting(desk.store.table(table), report).table
    return desk.store.record_wager(known, _note(report, who, key), at=_moment(report))


@router.post("/payouts", status_code=201)
@permits(Action.PAYOUT_REPORT)
def payouts(
    desk: DeskDep, who: WhoDep, table: TableName, report: PayoutReport, key: Key = None
) -> FeedLine:
    """Record a payout of a table that is watched."""
    known = _fitting(desk.store.table(table), report).table
    return desk.store.record_payout(known, _note(report, who, key), at=_moment(report))


def _fitting(table: TableState, report: WagerReport | PayoutReport) -> TableState:
    """Refuse a wager or payout that the game at the table does not have."""
    if table.game in GAMES:
        try:
            check_event_fits(parse_feed_event(report.model_dump()), GAMES[table.game])
        except RecordFormatError as error:
            raise HTTPException(422, str(error)) from None
    return table


def _note(report: WagerReport | PayoutReport, who: Who, key: str | None) -> FeedNote:
    """Return a report with who sent it; `Idempotency-Key` is a client id in another place.

    Only a machine is a feed: what comes out of a browser was entered by hand, whatever it says.
    """
    return FeedNote(
        seat=report.seat,
        wager=report.wager,
        amount=report.amount,
        source=report.source if who.key else FeedSource.DEALER_SCREEN,
        client_id=report.client_id or key,
        round=report.round,
        user=who.name,
        corrects=report.corrects,
    )


def _moment(report: WagerReport | PayoutReport) -> datetime:
    return report.at.astimezone(UTC) if report.at else datetime.now(UTC)
