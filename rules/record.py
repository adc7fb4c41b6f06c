"""The round record: what was seen of one round. `rules.record_json` reads and writes it.

A record states facts and judges nothing. What is missing stays unknown; nothing is filled in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import TypeGuard

from rules.cards import PACK, Card
from rules.events import HAND_CARDS, Cents, Decision, Face, Seat, Spot, Wager

_PACK = frozenset(PACK)


@unique
class When(StrEnum):
    """The part of the round in which a card was seen before its time."""

    DEAL = "deal"
    """From the first card until the deal is over."""
    DECISIONS = "decisions"
    """After the deal and before the dealer's first card."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """A card seen face up before its time."""

    spot: Spot
    card: Face
    """None or unreadable when it lay face up but was not read."""
    when: When = When.DEAL
    seconds: float | None = None
    """For how long, once that is known."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A play put right (TCW-15); `plays` keeps the card that was played first."""

    trick: int
    card: Face
    seen: int | None = None
    """How many dealer cards had been turned by then; None when that is not known."""


@dataclass(frozen=True, slots=True)
class Change:
    """A wager that appeared or changed after the deal had begun, whole amounts in cents."""

    wager: Wager
    before: Cents
    after: Cents


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which nothing could be seen."""

    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """What was seen of one seat."""

    wagers: Mapping[Wager, Cents] = field(default_factory=dict)
    decision: Decision | None = None
    hand: tuple[Face, ...] = ()
    """The cards dealt to it, in no order; None for one not seen; empty when left out."""
    plays: tuple[Face, ...] = ()
    """`plays[i]` answers the dealer's card i; None for a card that was not seen."""
    paid: Mapping[Wager, Cents] | None = None
    """What was paid, net. None: nothing is known; empty: payouts were watched and none was made."""
    corrections: tuple[Correction, ...] = ()
    changes: tuple[Change, ...] = ()
    gap: bool = False
    """True when something of this hand may have happened while nothing could be seen."""


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """What was seen of one round."""

    round: str
    game: str
    seats: Mapping[Seat, SeatRecord]
    table: str | None = None
    trump: Face = None
    dealer: tuple[Face, ...] = ()
    """In the order turned; None for a card not seen."""
    exposed: tuple[Exposure, ...] = ()
    started: str | None = None
    """UTC, RFC 3339."""
    dealer_cards: int | None = None
    """How many cards the dealer was dealt, where that was counted."""
    sequence: tuple[Spot, ...] = ()
    """Whose card came face up, in order, from the dealer's first one on."""
    loose: tuple[tuple[Spot, Card], ...] = ()
    """Cards seen in the round whose place in the play is not certain."""
    confidence: Mapping[Card, float] = field(default_factory=dict)
    """How surely a card was read, 0 to 1, where it was hardly, or is in two places."""
    gaps: tuple[Gap, ...] = ()


def all_known(faces: tuple[Face, ...]) -> TypeGuard[tuple[Card, ...]]:
    """Return whether these are the cards of a whole hand, every one read and none of them twice.

    >>> all_known(PACK[:3]), all_known((*PACK[:2], None))
    (True, False)
    """
    return len(faces) == HAND_CARDS and len(_PACK.intersection(faces)) == HAND_CARDS


def whole_hand(seat: SeatRecord) -> tuple[Card, ...] | None:
    """Return a hand in the order played, where all of it was played and nothing says otherwise.

    >>> whole_hand(SeatRecord(plays=PACK[:3])) == PACK[:3]
    True
    >>> whole_hand(SeatRecord(hand=PACK[1:4], plays=PACK[:3])) is None
    True
    """
    plays, hand = seat.plays, seat.hand
    if seat.corrections or not all_known(plays):
        return None
    same = not hand or (len(hand) == HAND_CARDS and set(hand) == set(plays))
    return plays if same else None
