"""How hands of Tri Card Poker compare and what the tables pay for them (TCP-3, TCP-8 … TCP-17)."""

from enum import StrEnum, unique

from rules.cards import Card, Rank, Suit
from rules.hands import HandRank, strength
from rules.pay import Odds, PayTable

Hand = tuple[Card, Card, Card]


@unique
class TieBreak(StrEnum):
    """How two hands of one class are compared (TCP-12)."""

    ALL_RANKS = "all-ranks"
    """By all three ranks in order of weight, as published everywhere."""
    HIGHEST_CARD = "highest-card"
    """By the first of them alone, as the text says; equal ones tie."""


def _table(name: str, ranks: tuple[HandRank, ...], *odds: int) -> PayTable:
    return PayTable(name, dict(zip((rank.value for rank in ranks), map(Odds, odds), strict=True)))


_PAIR_PLUS = tuple(HandRank)[:-1]
_ANTE_BONUS = tuple(HandRank)[:3]

PAIR_PLUS_TABLES = {
    "1": _table("1", _PAIR_PLUS, 35, 25, 6, 4, 1),
    "2": _table("2", _PAIR_PLUS, 40, 25, 6, 4, 1),
    "3": _table("3", _PAIR_PLUS, 40, 30, 6, 4, 1),
}
"""What Pair Plus pays (TCP-15)."""
ANTE_BONUS_TABLES = {
    "1": _table("1", _ANTE_BONUS, 3, 2, 1),
    "2": _table("2", _ANTE_BONUS, 4, 3, 1),
    "3": _table("3", _ANTE_BONUS, 5, 4, 1),
}
"""What the Ante Bonus pays (TCP-16)."""

_WEAKEST_QUALIFYING = (
    Card(Rank.QUEEN, Suit.SPADES),
    Card(Rank.THREE, Suit.HEARTS),
    Card(Rank.TWO, Suit.SPADES),
)


def worth(hand: Hand, tie_break: TieBreak) -> int:
    """Return a hand's worth as one number: the greater wins, equal ones tie (TCP-12, TCP-17).

    >>> kings = (Card.parse("KS"), Card.parse("KD"), Card.parse("2S"))
    >>> kings_and_ace = (Card.parse("KH"), Card.parse("KC"), Card.parse("AS"))
    >>> worth(kings, TieBreak.ALL_RANKS) < worth(kings_and_ace, TieBreak.ALL_RANKS)
    True
    >>> worth(kings, TieBreak.HIGHEST_CARD) == worth(kings_and_ace, TieBreak.HIGHEST_CARD)
    True
    """
    rank, first, second, third = strength(hand)
    if tie_break is TieBreak.HIGHEST_CARD:
        second = third = 0
    return ((rank * 16 + first) * 16 + second) * 16 + third


def qualifying_worth(tie_break: TieBreak) -> int:
    """Return the worth of the dealer's weakest qualifying hand, queen-three-deuce (TCP-8).

    >>> jack_high = (Card.parse("JS"), Card.parse("TD"), Card.parse("8S"))
    >>> qualifying_worth(TieBreak.ALL_RANKS) > worth(jack_high, TieBreak.ALL_RANKS)
    True
    """
    return worth(_WEAKEST_QUALIFYING, tie_break)
