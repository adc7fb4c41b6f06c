"""What can be observed at a table: spots, wagers, and the events that flow from vision to rules."""

import re
from dataclasses import dataclass
from enum import Enum, StrEnum, unique
from typing import Literal, NewType, Self

from rules.cards import PACK, Card
from rules.errors import SpotFormatError, shown

Cents = NewType("Cents", int)
"""Money in minor units. A float never touches it."""

MAX_CENTS = 10**12
"""Ten thousand million in whole units: above it an amount is surely a mistake."""

Seat = NewType("Seat", int)
"""A player's place, 1 to 6, counted from the dealer's left."""

SEATS: tuple[Seat, ...] = tuple(Seat(number) for number in range(1, 7))

HAND_CARDS = 3
"""Cards dealt to a hand and to the dealer, in all games here (TCW-2, TCW-3, VTR-2, TCP-2)."""


@unique
class Wager(StrEnum):
    """A wager's name; an ante bonus is only ever paid, never placed."""

    ANTE = "ante"
    PLAY = "play"
    RAISE = "raise"
    BONUS = "bonus"
    RNB = "rnb"
    PAIR_PLUS = "pair-plus"
    ANTE_BONUS = "ante-bonus"

    # As equal texts do, and without a call: a round looks its wagers up dozens of times.
    __hash__ = str.__hash__


@unique
class Decision(StrEnum):
    """What a player decides after seeing the hand; whist plays, the poker games raise."""

    PLAY = "play"
    RAISE = "raise"
    FOLD = "fold"


@unique
class Area(StrEnum):
    """A kind of place on the layout; those from `HAND` on belong to a seat."""

    DEALER = "dealer"
    TRUMP = "trump"
    DISCARD = "discard"
    HAND = "hand"
    PLAYED = "play"
    ANTE = "ante"
    PLAY_WAGER = "play-wager"
    RAISE = "raise"
    BONUS = "bonus"
    RNB = "rnb"
    PAIR_PLUS = "pair-plus"


HAND_AREAS = frozenset((Area.DEALER, Area.HAND))
"""Where the three cards of a hand are dealt: spots drawn round a row of three cards."""

_SHARED = (Area.DEALER, Area.TRUMP, Area.DISCARD)
_SEAT_SPOT = re.compile(r"seat-([1-6])(?:\.([a-z-]+))?")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table layout where cards or chips may lie.

    >>> str(Spot(Area.PLAYED, Seat(2)))
    'seat-2.play'
    """

    area: Area
    seat: Seat | None = None
    """The seat it belongs to; None for the dealer's row, the trump card and the discard."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the spot that a text names.

        Raises:
            SpotFormatError: The text is not a spot.

        >>> Spot.parse("seat-1")
        Spot(area=<Area.HAND: 'hand'>, seat=1)
        """
        if text in tuple(_SHARED):
            return cls(Area(text))
        match = _SEAT_SPOT.fullmatch(text)
        suffix = match[2] or Area.HAND if match else None
        known = [area for area in Area if area not in _SHARED]
        if match is None or suffix not in known or match[2] == Area.HAND:
            raise SpotFormatError(
                f"not a spot: {shown(text)} (expected dealer, trump, discard, seat-1 to seat-6, or "
                f"seat-N. with {', '.join(area for area in known if area is not Area.HAND)})"
            )
        return cls(Area(suffix), Seat(int(match[1])))

    def __str__(self) -> str:
        if self.seat is None:
            return self.area.value
        return f"seat-{self.seat}" + ("" if self.area is Area.HAND else f".{self.area.value}")


@unique
class Unread(Enum):
    """A card that lies face up but cannot be read; never a guess, and never an accusation."""

    UNREADABLE = "?"


UNREADABLE: Literal[Unread.UNREADABLE] = Unread.UNREADABLE

Face = Card | Literal[Unread.UNREADABLE] | None
"""What is to be seen of a card: the card, unreadable though face up, or None when face down."""

_TEXTS: dict[Face, str | None] = {
    **{card: str(card) for card in PACK},
    None: None,
    UNREADABLE: UNREADABLE.value,
}


def face_text(face: Face) -> str | None:
    """Return how a face is written: the card, `?` for unreadable, None for face down.

    >>> face_text(Card.parse("10h"))
    'TH'
    """
    return _TEXTS[face]


@dataclass(frozen=True, slots=True)
class CardPlaced:
    """A card came to rest on a spot where it was not before."""

    spot: Spot
    card: Face


@dataclass(frozen=True, slots=True)
class CardTurned:
    """A card that lay face down on a spot was turned face up in place."""

    spot: Spot
    card: Card | Literal[Unread.UNREADABLE]


@dataclass(frozen=True, slots=True)
class CardHidden:
    """A card that lay face up on a spot was turned face down again."""

    spot: Spot
    card: Face
    """What it was while it could be seen."""


@dataclass(frozen=True, slots=True)
class CardMoved:
    """A card went from one spot to another, perhaps turned in the same motion."""

    source: Spot
    spot: Spot
    card: Face
    """What is to be seen of it after the move."""


@dataclass(frozen=True, slots=True)
class CardRemoved:
    """A card left a spot and did not come to rest on another: into a hand, or off the table."""

    spot: Spot
    card: Face
    """What was to be seen of it before it left."""


@dataclass(frozen=True, slots=True)
class SpotCleared:
    """The last card left a spot."""

    spot: Spot


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """A wager became known, from a feed: the whole amount on it, not an increase."""

    seat: Seat
    wager: Wager
    amount: Cents


@dataclass(frozen=True, slots=True)
class PayoutMade:
    """A wager was settled, from a feed: what the player gained, net."""

    seat: Seat
    wager: Wager
    amount: Cents


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A player's decision became known from a feed."""

    seat: Seat
    decision: Decision


@dataclass(frozen=True, slots=True)
class FeedLost:
    """Nothing can be seen from now on: no frames, a frozen picture, a covered or moved camera."""

    reason: str


@dataclass(frozen=True, slots=True)
class FeedBack:
    """The camera sees again."""


CardEvent = CardPlaced | CardTurned | CardHidden | CardMoved | CardRemoved | SpotCleared
FeedEvent = WagerPlaced | PayoutMade | DecisionMade
TableEvent = CardEvent | FeedEvent | FeedLost | FeedBack


@dataclass(frozen=True, slots=True)
class Sighting:
    """One event with when and how surely it was seen."""

    event: TableEvent
    at: float
    """Seconds on the source's own line of time: media time for a recorded video, seconds since the
    Unix epoch (UTC) for a live source. For a card: when it lies still and is readable."""
    confidence: float = 1.0
    """The probability, 0 to 1, that the event is as described."""
    frame: int | None = None
    """The index of the video frame that showed it, from 0; None for a feed."""
    since: float | None = None
    """The earliest moment it can have happened, where it was out of sight until `at`; None where
    it was seen as it happened."""
