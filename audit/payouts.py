"""Payouts: what was staked, what was due, what was paid, and where each amount came from."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Self

from audit.chain import JsonObject

CLOCKS_APART = timedelta(minutes=5)
"""How far the clocks of two systems may be apart before what one reports lies in the future."""


@unique
class FeedSource(StrEnum):
    """Where a wager or payout was learned from."""

    DEALER_SCREEN = "dealer-screen"
    FEED = "feed"
    IMPORT = "import"
    CORRECTION = "correction"


@unique
class FeedAct(StrEnum):
    """Whether an amount was staked or paid."""

    WAGER = "wager"
    PAYOUT = "payout"


@unique
class Settlement(StrEnum):
    """How what was paid compares with what was due."""

    AS_DUE = "as-due"
    OVERPAID = "overpaid"
    UNDERPAID = "underpaid"
    OPEN = "open"
    """Either amount is not known, or the hand is to be reconstructed."""


@dataclass(frozen=True, slots=True)
class FeedNote:
    """A wager or payout as somebody reports it."""

    seat: int
    wager: str
    amount: int
    """Minor units; for a payout what the player gained, net."""
    source: FeedSource = FeedSource.FEED
    client_id: str | None = None
    """The reporter's own name for the report: the same one twice is kept once."""
    round: str | None = None
    user: str | None = None
    corrects: int | None = None
    """The entry that this one puts right."""

    def json(self) -> JsonObject:
        """Return the body of its entry."""
        return {
            "seat": self.seat,
            "wager": self.wager,
            "amount": self.amount,
            "source": self.source.value,
            "client_id": self.client_id,
            "round": self.round,
            "user": self.user,
            "corrects": self.corrects,
        }


@dataclass(frozen=True, slots=True)
class FeedLine:
    """A wager or payout that was reported, as the record keeps it."""

    entry: int
    table: str
    at: datetime
    act: FeedAct
    seat: int
    wager: str
    amount: int
    source: FeedSource
    client_id: str | None
    round: str | None
    user: str | None
    """Who confirmed it, where a person did."""
    corrects: int | None
    corrected_by: int | None = None
    """The entry that puts this one right; this one stays as it is."""

    def says(self, act: FeedAct, note: FeedNote) -> bool:
        """Say whether a report under the same client id tells the same."""
        mine = (self.act, self.seat, self.wager, self.amount, self.corrects)
        return mine == (act, note.seat, note.wager, note.amount, note.corrects)


@dataclass(frozen=True, slots=True)
class PayoutLine:
    """One wager of one seat in one round, in minor units, net to the player."""

    round: str
    seat: int
    wager: str
    table: str
    at: datetime
    staked: int | None
    due: int | None
    """None when the hand has to be reconstructed or not enough was seen."""
    paid: int | None
    """None when payouts were not watched."""
    difference: int | None
    """Paid minus due: above 0 the house paid too much."""
    settlement: Settlement
    entry: int
    """The entry of the round."""
    source: FeedSource | None = None
    """Where what was paid was learned from; None when nothing was reported."""
    reported_by: str | None = None
    """Who reported it, where a person did."""
    report: int | None = None
    """The entry of the report. The earlier ones stay: `feed_lines` of the round lists them."""
    confirmed_by: str | None = None
    confirmed: datetime | None = None

    def paid_as(self, paid: int | None) -> Self:
        """Return the line with another amount paid, compared again with what was due."""
        return replace(
            self,
            paid=paid,
            difference=difference_of(self.due, paid),
            settlement=settlement_of(self.due, paid),
        )


@dataclass(frozen=True, slots=True)
class Balance:
    """The sums over some payout lines, in minor units, net to the players."""

    lines: int
    staked: int
    due: int
    paid: int
    overpaid: int
    """The sum of what was paid above what was due."""
    underpaid: int
    """The sum of what was paid below what was due, as a positive amount."""


def settlement_of(due: int | None, paid: int | None) -> Settlement:
    """Return how an amount paid compares with the amount due."""
    if due is None or paid is None:
        return Settlement.OPEN
    if paid == due:
        return Settlement.AS_DUE
    return Settlement.OVERPAID if paid > due else Settlement.UNDERPAID


def difference_of(due: int | None, paid: int | None) -> int | None:
    """Return what was paid beyond what was due; None when either is not known."""
    return None if due is None or paid is None else paid - due


@dataclass(frozen=True, slots=True)
class RoundEntry:
    """A round with the entry that it stands in, as payout lines are drawn from it."""

    table: str
    at: datetime
    entry: int
    record: JsonObject
    result: JsonObject


def payout_lines(judged: RoundEntry) -> Iterator[PayoutLine]:
    """Yield the payout lines of a round, by seat and wager."""
    record = judged.record
    results = judged.result.get("seats") or {}
    for seat, seen in sorted((record.get("seats") or {}).items()):
        wagers, paid = seen.get("wagers") or {}, seen.get("paid")
        due = (results.get(seat) or {}).get("due")
        for wager in sorted({*wagers, *(paid or {}), *(due or {})}):
            due_amount = None if due is None else due.get(wager, 0)
            # Payouts were watched: what was not reported was not paid.
            paid_amount = None if paid is None else paid.get(wager, 0)
            yield PayoutLine(
                round=record["round"],
                seat=int(seat),
                wager=wager,
                table=judged.table,
                at=judged.at,
                staked=wagers.get(wager),
                due=due_amount,
                paid=paid_amount,
                difference=difference_of(due_amount, paid_amount),
                settlement=settlement_of(due_amount, paid_amount),
                entry=judged.entry,
            )


def withdrawn(line: PayoutLine, judged: RoundEntry) -> PayoutLine:
    """Return the line of a wager that a corrected round no longer has."""
    return blank_line(line, line.round, at=judged.at, entry=judged.entry)


def blank_line(of: FeedLine | PayoutLine, round_id: str, *, at: datetime, entry: int) -> PayoutLine:
    """Return the line of a wager of which nothing is staked, due or paid.

    Args:
        of: Says which seat and wager of which table.
        round_id: The round.
        at: When that became so.
        entry: The entry that said it.
    """
    return PayoutLine(
        round=round_id,
        seat=of.seat,
        wager=of.wager,
        table=of.table,
        at=at,
        staked=None,
        due=None,
        paid=None,
        difference=None,
        settlement=Settlement.OPEN,
        entry=entry,
    )


@dataclass(frozen=True, slots=True)
class SpotReport:
    """The last payout reported for a wager of a seat: whence a round's amounts were learned."""

    table: str
    seat: int
    wager: str
    entry: int
    amount: int
    source: FeedSource
    user: str | None
    round: str | None
    """The round that took it in; None while none has."""


LATE = frozenset({FeedSource.IMPORT, FeedSource.CORRECTION})
"""Sources that put right what a round says, and are not put right by the round again."""
