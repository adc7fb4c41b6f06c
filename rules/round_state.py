"""What has been seen of the round on the table: frozen, and changed only by making a new one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, unique
from typing import Any

from rules.cards import Card
from rules.events import Area, Cents, Decision, Face, Seat, Sighting, Spot, Wager
from rules.games.base import AnyGame
from rules.house import HouseRules, default_house
from rules.record import Change, Correction, Exposure, Gap

DEALER = Spot(Area.DEALER)


@unique
class Phase(IntEnum):
    """Where the round stands; the order is the order in which they come."""

    EMPTY = 0
    """Nothing has happened."""
    BETTING = 1
    """Wagers are known; no card has been dealt."""
    DEALING = 2
    DECISIONS = 3
    """The deal is over; the dealer has not turned a card."""
    REVEAL = 4
    """The dealer turns, and in whist the seats answer."""
    SWEPT = 5
    """The cards are gone; payouts may still come."""
    FINISHED = 6


@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change during a round."""

    game: AnyGame
    house: HouseRules = field(default_factory=default_house)
    table: str | None = None
    watched: frozenset[Seat] = frozenset()
    """The seats on watch after an earlier round of the session (TCW-15)."""
    payouts_fed: bool = False
    """True once a feed has told a payout of this table: then a missing one means something."""


@dataclass(frozen=True, slots=True)
class Played:
    """A card played by a seat."""

    card: Face
    lead: int
    """How many dealer cards lay turned when it was played."""


@dataclass(frozen=True, slots=True)
class HandSeen:
    """What has been seen of one seat."""

    dealt: int = 0
    """Cards counted on to its spot in the deal."""
    plays: tuple[Played, ...] = ()
    """In the order seen, as first made."""
    corrections: tuple[Correction, ...] = ()
    taken_back: bool = False
    """True while the last play has been taken back and the dealer has not gone on."""
    played_at: tuple[float, ...] = ()
    """When each of the plays came up."""
    shown: tuple[Card, ...] = ()
    """Cards of the hand that were seen otherwise than by being played."""
    wagers: Mapping[Wager, Cents] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    paid: Mapping[Wager, Cents] = field(default_factory=dict)
    decision: Decision | None = None
    gap: bool = False

    @property
    def counted(self) -> tuple[Face, ...]:
        """The plays that count: put right where they were."""
        cards = [play.card for play in self.plays]
        for correction in self.corrections:
            cards[correction.trick - 1] = correction.card
        return tuple(cards)

    @property
    def known(self) -> tuple[Card, ...]:
        """Every card known to be of the hand, each once."""
        faces = (*(play.card for play in self.plays), *self.counted, *self.shown)
        return tuple(dict.fromkeys(face for face in faces if isinstance(face, Card)))


@dataclass(frozen=True, slots=True)
class Exposing:
    """A card seen face up before its time, and since when."""

    exposure: Exposure
    since: float
    over: bool = False
    """True once it was hidden or taken, or the time for it had come: `seconds` is then known."""
    doubted: bool = False
    """True where no face was seen: it accuses nobody, but may turn out to be the reveal."""

    def ended(self, at: float) -> "Exposing":
        """Return it as over at a time."""
        seconds = round(max(at - self.since, 0.0), 3)
        return replace(self, exposure=replace(self.exposure, seconds=seconds), over=True)


@dataclass(frozen=True, slots=True)
class Round:
    """The round on the table, as far as it has been seen."""

    setting: Setting
    name: str = "live"
    """The round's id, given from outside."""
    phase: Phase = Phase.EMPTY
    began: float | None = None
    last: float | None = None
    """When the newest card event was seen."""
    lying: Mapping[Spot, tuple[Face, ...]] = field(default_factory=dict)
    """The cards that lie on each spot now; None face down."""
    hands: Mapping[Seat, HandSeen] = field(default_factory=dict)
    trump: Face = None
    dealer: tuple[Face, ...] = ()
    """In the order turned."""
    turns: tuple[float, ...] = ()
    """When each of them was seen to be turned."""
    dealer_dealt: int = 0
    exposing: tuple[Exposing, ...] = ()
    sequence: tuple[Spot, ...] = ()
    """Whose card came up, from the dealer's first one on."""
    hidden: tuple[tuple[float, float], ...] = ()
    """From when to when each card that was turned or played was out of sight before it was seen."""
    loose: tuple[tuple[Spot, Card], ...] = ()
    confidence: Mapping[Card, float] = field(default_factory=dict)
    """How surely each card was read at the least."""
    surest: Mapping[Card, float] = field(default_factory=dict)
    """How surely each card was read at the most."""
    gaps: tuple[Gap, ...] = ()
    lost_at: float | None = None
    """Since when nothing can be seen; None while the camera sees."""
    void: bool = False
    """True once the judgement is that the whole round is void."""
    turned_at: float | None = None
    """When the dealer's newest card was turned."""
    blind: bool = False
    """True once the order of what follows is not certain."""
    placed_at: float | None = None
    """When the newest card was dealt."""
    dealt_at: float | None = None
    """When the first card was dealt."""
    miscounted: bool = False
    """True when the deal began on a table that was not seen cleared: cards of it may be missing."""
    dealt_out: bool = False
    """True once the deal was seen to its end, so that its cards can be counted."""
    deal_over_at: float | None = None
    """When the deal was seen to be over; None before."""
    recent: tuple[Sighting, ...] = ()
    """The newest sightings, to know one that is told twice."""
    upcoming: tuple[Sighting, ...] = ()
    """What was seen of the next round already."""
    told: frozenset[Any] = frozenset()
    """The keys of the findings told so far."""

    @property
    def finished(self) -> bool:
        """Whether nothing more can come: the cards are gone and every wager was settled.

        Where no payouts are fed, nothing is waited for.
        """
        if self.phase is Phase.FINISHED:
            return True
        if self.phase is not Phase.SWEPT:
            return False
        return all(
            wager in hand.paid or stake == 0
            for hand in self.hands.values()
            for wager, stake in hand.wagers.items()
        )

    def hand(self, seat: Seat) -> HandSeen:
        """Return what has been seen of a seat, nothing for a new one."""
        return self.hands.get(seat, _NOTHING)

    def with_hand(self, seat: Seat, **changes: Any) -> "Round":  # noqa: ANN401  # the fields of a hand have many types
        """Return the round with something new about a seat."""
        hand = replace(self.hand(seat), **changes)
        return replace(self, hands={**self.hands, seat: hand})

    def cards_at(self, spot: Spot) -> tuple[Face, ...]:
        """Return the cards that lie on a spot."""
        return self.lying.get(spot, ())


_NOTHING = HandSeen()
