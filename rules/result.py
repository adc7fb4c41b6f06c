"""What judging a round record comes to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, unique

from rules.cards import Card
from rules.events import Cents, Face, Seat, Wager
from rules.findings import Finding


@unique
class Verdict(StrEnum):
    """What can be said of one play."""

    LEGAL = "legal"
    BREACH = "breach"
    OPEN = "open"
    """Not decidable with what has been seen."""


@unique
class Status(StrEnum):
    """How a seat's hand stands."""

    SETTLED = "settled"
    FOLDED = "folded"
    VOID = "void"
    RECONSTRUCT = "reconstruct"
    INCOMPLETE = "incomplete"
    """The record ends before the hand does."""
    UNSURE = "unsure"
    """Something that happened could not be seen or read."""


@unique
class Outcome(StrEnum):
    """How a round stands."""

    VOID = "void"
    RECONSTRUCT = "reconstruct"
    UNSURE = "unsure"
    INCOMPLETE = "incomplete"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class PlayResult:
    """One answer to one dealer card."""

    dealer: Face
    card: Face
    legal: tuple[Card, ...]
    """The cards known to be in the hand that the rules allowed for certain, lowest first."""
    verdict: Verdict
    won: bool | None
    """The physical comparison, even of an illegal play; None when it is not known."""
    corrected: Face = None
    """The card that the play was put right with, which is the one that counts (TCW-15)."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat's hand came out."""

    status: Status
    due: Mapping[Wager, Cents | None] | None
    """Net, for each wager known; None for one that cannot be told; None whole for a hand that has
    to be reconstructed."""
    tricks: int | None = None
    plays: tuple[PlayResult, ...] = ()
    category: Mapping[str, str | None] = field(default_factory=dict)
    points: int | None = None
    watch: bool = False
    """True when the seat did not play to the rules, in this round or earlier in the session."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a game makes of a record."""

    seats: Mapping[Seat, SeatResult]
    findings: tuple[Finding, ...] = ()
    void: bool = False
    """True when the whole round is void."""
    unverified: tuple[Wager, ...] = ()
    """The wagers of the round whose pay table the house has not confirmed."""


@dataclass(frozen=True, slots=True)
class RulesStamp:
    """Which rules judged: the game, and the house rules in force with their version."""

    game: str
    house: str
    version: str
    unverified: tuple[Wager, ...] = ()
    """The wagers of the round that were judged by an unverified pay table."""


@dataclass(frozen=True, slots=True)
class Result:
    """The judgement of one round, with the rules that it was judged by."""

    round: str
    outcome: Outcome
    seats: Mapping[Seat, SeatResult]
    findings: tuple[Finding, ...]
    rules: RulesStamp


_GRAVEST = (
    (Status.RECONSTRUCT, Outcome.RECONSTRUCT),
    (Status.UNSURE, Outcome.UNSURE),
    (Status.INCOMPLETE, Outcome.INCOMPLETE),
)


def outcome_of(judgement: Judgement) -> Outcome:
    """Return how the round stands: void, or as the gravest of its seats.

    >>> outcome_of(Judgement({}))
    <Outcome.COMPLETE: 'complete'>
    """
    if judgement.void:
        return Outcome.VOID
    found = {seat.status for seat in judgement.seats.values()}
    for status, outcome in _GRAVEST:
        if status in found:
            return outcome
    return Outcome.COMPLETE
