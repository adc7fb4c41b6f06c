"""Ranks, suits and cards of the one 52-card pack that every game here uses."""

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum, unique
from functools import total_ordering

from rules.errors import CardFormatError, shown


@unique
class Rank(IntEnum):
    """A rank, ordered deuce low and ace high as in whist; a game with a low ace says so itself."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """The one letter that stands for the rank.

        >>> Rank.TEN.letter
        'T'
        """
        return "23456789TJQKA"[self - 2]


@unique
class Suit(StrEnum):
    """A suit, written as its letter."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def symbol(self) -> str:
        """The pip.

        >>> Suit.HEARTS.symbol
        '♥'
        """
        return _SYMBOLS[self]

    @property
    def colour(self) -> "Colour":
        """Red or black.

        >>> Suit.CLUBS.colour
        <Colour.BLACK: 'black'>
        """
        return Colour.RED if self in (Suit.HEARTS, Suit.DIAMONDS) else Colour.BLACK


@unique
class Colour(StrEnum):
    """The colour of a suit, which the RnB wager is about."""

    RED = "red"
    BLACK = "black"


_SYMBOLS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
_RANKS = {rank.letter: rank for rank in Rank}
_SUITS = {suit.value: suit for suit in Suit} | {symbol: suit for suit, symbol in _SYMBOLS.items()}


_CARDS: dict[tuple[Rank, Suit], "Card"] = {}


@total_ordering
@dataclass(frozen=True, slots=True, eq=False, init=False)
class Card:
    """One card of the pack, ordered by rank and then by suit.

    There is one object a card, so that equal cards are the same object: a table's rules compare
    cards more than they do anything else.

    >>> str(Card(Rank.TEN, Suit.DIAMONDS))
    'TD'
    >>> Card(Rank.TEN, Suit.DIAMONDS) is Card.parse("TD")
    True
    """

    rank: Rank
    suit: Suit
    order: int = field(repr=False)
    """Its place among all cards, 0 to 51: by rank, and within a rank by the suit's letter."""

    def __new__(cls, rank: Rank, suit: Suit) -> "Card":
        """Return the one object of a card."""
        known = _CARDS.get((rank, suit))
        if known is not None:
            return known
        card = object.__new__(cls)
        object.__setattr__(card, "rank", Rank(rank))
        object.__setattr__(card, "suit", Suit(suit))
        object.__setattr__(card, "order", 4 * (Rank(rank) - Rank.TWO) + "CDHS".index(suit))
        return _CARDS.setdefault((rank, suit), card)

    def __reduce__(self) -> "tuple[type[Card], tuple[Rank, Suit]]":
        return Card, (self.rank, self.suit)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Card):
            return NotImplemented
        return self.order < other.order

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Return the card that a text names.

        Besides the written form (`TD`), `10D`, lower case and `10♦` are read too.

        Raises:
            CardFormatError: The text is not a card.

        >>> Card.parse("10♦")
        Card(rank=<Rank.TEN: 10>, suit=<Suit.DIAMONDS: 'D'>)
        """
        plain = text.strip().upper().removesuffix("\ufe0f")
        rank, suit = plain[:-1].replace("10", "T"), plain[-1:]
        if rank not in _RANKS or suit not in _SUITS:
            raise CardFormatError(
                f"not a card: {shown(text)} (expected a rank of 23456789TJQKA and a suit of SHDC)"
            )
        return cls(_RANKS[rank], _SUITS[suit])

    def __str__(self) -> str:
        return f"{self.rank.letter}{self.suit.value}"


PACK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""All 52 cards: spades, hearts, diamonds, clubs, each from deuce to ace."""
