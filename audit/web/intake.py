"""Takes in wagers and payouts from the dealer's screen, a tray or a table-management system."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends
from fastapi import Path as PathParameter
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StrictInt

from audit.auth.permissions import Action, permits
from audit.payouts import FeedLine, FeedNote, FeedSource
from audit.web.context import DeskDep
from audit.web.security import refuse_foreign_pages
from rules.events import MAX_CENTS

router = APIRouter(
    prefix="/api/v1/tables/{table}", tags=["feed"], dependencies=[Depends(refuse_foreign_pages)]
)

TableName = Annotated[
    str, PathParameter(max_length=64, description="The table's name, as it is watched.")
]
_Placed = Literal["ante", "play", "raise", "bonus", "rnb", "pair-plus"]
_Paid = Literal["ante", "play", "raise", "bonus", "rnb", "pair-plus", "ante-bonus"]


def _of_this_age(at: datetime) -> datetime:
    # Moments at the ends of the calendar cannot be told in every time zone.
    if not 2000 <= at.year < 2100:
        raise ValueError("expected a moment from 2000 to 2099")
    return at


def _whole(text: str) -> str:
    # JSON can escape half a surrogate pair, which no record can hold.
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("expected whole characters")
    return text


_Moment = Annotated[AwareDatetime, AfterValidator(_of_this_age)]
_Text = Annotated[str, AfterValidator(_whole)]


class _Report(BaseModel):
    model_config = ConfigDict(extra="forbid")

    at: _Moment | None = Field(
        None, description="When it happened, with a time zone; now when left out."
    )
    seat: Annotated[StrictInt, Field(ge=1, le=6)]
    source: Literal[FeedSource.FEED, FeedSource.DEALER_SCREEN] = FeedSource.FEED
    client_id: _Text | None = Field(
        None,
        min_length=1,
        max_length=200,
        description="Your own name for this report. Sent twice, it is kept once.",
    )
    round: _Text | None = Field(None, max_length=200)
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
def wagers(desk: DeskDep, table: TableName, report: WagerReport) -> FeedLine:
    """Record a wager of a table that is watched."""
    known = desk.store.table(table).table
    return desk.store.record_wager(known, _note(report), at=_moment(report))


@router.post("/payouts", status_code=201)
@permits(Action.PAYOUT_REPORT)
def payouts(desk: DeskDep, table: TableName, report: PayoutReport) -> FeedLine:
    """Record a payout of a table that is watched."""
    known = desk.store.table(table).table
    return desk.store.record_payout(known, _note(report), at=_moment(report))


def _note(report: WagerReport | PayoutReport) -> FeedNote:
    return FeedNote(
        seat=report.seat,
        wager=report.wager,
        amount=report.amount,
        source=report.source,
        client_id=report.client_id,
        round=report.round,
        corrects=report.corrects,
    )


def _moment(report: WagerReport | PayoutReport) -> datetime:
    return report.at.astimezone(UTC) if report.at else datetime.now(UTC)
