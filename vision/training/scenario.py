"""The script language of staged rounds: who holds what, who does what, in which order.

A scenario says what happens and never when to the frame: `scenario_stage` plays it on a table and
gives every card, chip and hand its motions; `scenario_truth` reads the truth off those motions, so
that what is shown and what is claimed can't differ.

>>> hand("KH 5C 8D")[0].suit.symbol
'♥'
"""

from dataclasses import dataclass, field
from enum import StrEnum, unique

from rules.cards import Card
from rules.events import Cents, Seat, Spot, Wager
from vision.training.scenario_motion import CardTrack, ChipTrack, Gesture
from vision.training.scenario_table import DEMO_TABLE, Table

Cards = tuple[Card, ...]


def hand(text: str) -> Cards:
    """Return the cards that a text names, in its order.

    Raises:
        CardFormatError: A word of the text is not a card.
    """
    return tuple(Card.parse(word) for word in text.split())


@unique
class Habit(StrEnum):
    """How a player answers a dealer's card."""

    TURN = "turn"
    """Turns the card where it lies."""
    MOVE = "move"
    """Lays it face up on the play spot."""
    HAND = "hand"
    """Lays it on the play spot, out of the hand into which the cards were taken up before."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing happens."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Stake:
    """A seat places wagers before the deal."""

    seat: Seat
    wagers: dict[Wager, Cents]


@dataclass(frozen=True, slots=True)
class Flash:
    """A card that lies face up for a moment while the cards are dealt, and is turned back."""

    card: Card
    seconds: float
    """For how long its face lies open."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The dealer deals, one card to each in turn, the trump card last and face up."""

    hands: dict[Seat, Cards]
    """In the order in which the cards lie, from the seat's left."""
    dealer: Cards
    trump: Card | None = None
    """None in a game without trumps, or when the deal stops before it."""
    flashes: tuple[Flash, ...] = ()
    """The cards that are exposed, each as soon as it lies."""
    faces_up: bool = False
    """Whether the players' cards are dealt face up."""


@dataclass(frozen=True, slots=True)
class Misdeal:
    """A deal in which a card of the dealer's is exposed, and which stops there."""

    hands: dict[Seat, Cards]
    """As many cards of each as were dealt until then."""
    dealer: Cards
    """As many as were dealt until then; the last one is exposed and turned back."""


@dataclass(frozen=True, slots=True)
class Raise:
    """A seat plays on: it places the Play wager."""

    seat: Seat
    amount: Cents
    wager: Wager = Wager.PLAY


@dataclass(frozen=True, slots=True)
class Fold:
    """A seat gives up: its cards are pushed to the discard spot, or tucked under a side bet."""

    seat: Seat
    under: Wager | None = None


@dataclass(frozen=True, slots=True)
class Peek:
    """A player lifts the near edges of the own cards to look at them, and lets them down again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PickUp:
    """A player takes the own cards up into the hand; they are out of the picture."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Cover:
    """A hand lies over a spot for a while and goes again."""

    spot: Spot
    seconds: float


@dataclass(frozen=True, slots=True)
class Nudge:
    """Somebody squares a card up: it moves by less than its own border."""

    card: Card
    right: float
    """Millimetres."""
    up: float


@dataclass(frozen=True, slots=True)
class Show:
    """The dealer turns a card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Reveal:
    """The dealer turns all cards of a spot, one right after the other."""

    spot: Spot


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat plays a card."""

    seat: Seat
    card: Card
    habit: Habit


@dataclass(frozen=True, slots=True)
class Pay:
    """The wagers of a seat are settled; amounts are net, as in a round record."""

    seat: Seat
    paid: dict[Wager, Cents]
    by_hand: bool = True
    """Whether the dealer's hand is seen to do it; otherwise only the feed tells."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The dealer takes all cards off the table, and the players what is theirs."""

    overlap: float = 0.0
    """By how many seconds what comes next begins before the hand has left."""


@dataclass(frozen=True, slots=True)
class Together:
    """Acts of several people that begin at the same time."""

    acts: "tuple[Act, ...]"


@dataclass(frozen=True, slots=True)
class Blackout:
    """The camera sees nothing."""

    seconds: float


Money = Stake | Raise | Pay
"""Acts with chips."""
Turn = Show | Reveal | Answer | Fold
"""Acts that bring a card to light or away."""
Bother = Peek | PickUp | Cover | Nudge | Blackout
"""Acts that change nothing in the round."""
Act = Wait | Together | Deal | Misdeal | Sweep | Money | Turn | Bother


@dataclass(frozen=True, slots=True)
class Planted:
    """A finding that the scenario was written to cause."""

    code: str
    rule: str
    seat: Seat | None = None
    trick: int | None = None
    proof: Card | Wager | None = None
    """What proves it: the card that comes to light, or the wager that is settled."""
    at_turn: int | None = None
    """Instead of a proof: the dealer's turned card, from 1, that shows it."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its acts in order, and the findings planted in it."""

    acts: tuple[Act, ...]
    planted: tuple[Planted, ...] = ()
    kind: str = ""
    """What is special about it, for reports."""
    unsure: tuple[Seat, ...] = ()
    """The seats of which something cannot be known, however well one looks."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """Rounds that follow one another at one table."""

    table: str
    seed: int
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class FeedLine:
    """One line of the table's feed: a wager, a payout, or a decision."""

    at: float
    kind: str
    seat: Seat
    wager: Wager
    amount: Cents


@dataclass(slots=True)
class Staged:
    """A scenario as played: every motion, and what the feed told."""

    scenario: Scenario
    table: Table = DEMO_TABLE
    cards: list[CardTrack] = field(default_factory=list)
    chips: list[ChipTrack] = field(default_factory=list)
    gestures: list[Gesture] = field(default_factory=list)
    feed: list[FeedLine] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    """When each round began, seconds."""
    blackouts: list[tuple[float, float]] = field(default_factory=list)
    """When the camera saw nothing: from, until."""
    seconds: float = 0.0
    """The length of the whole."""
