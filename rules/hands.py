"""Three-card hands: the ranking that whist's Bonus and Tri Card Poker share.

Sources: Tri Card Poker's "Hand Ranks" table (TCP) and Three Card Whist's Bonus Bet table (TCW-B5).
"""

from collections.abc import Sequence
from enum import StrEnum, unique

from rules.cards import Card, Rank


@unique
class HandRank(StrEnum):
    """The class of a three-card hand, best first."""

    STRAIGHT_FLUSH = "straight-flush"
    THREE_OF_A_KIND = "three-of-a-kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    PAIR = "pair"
    HIGH_CARD = "high-card"


HAND_RANKS: tuple[HandRank, ...] = tuple(HandRank)
"""All classes, best first."""

_WHEEL = (Rank.TWO, Rank.THREE, Rank.ACE)
_WORTH = {rank: len(HAND_RANKS) - place for place, rank in enumerate(HAND_RANKS)}


def hand_rank(cards: Sequence[Card]) -> HandRank:
    """Return the class of three cards; their order has no meaning.

    A-2-3 is a straight (the lowest one), as are all runs up to Q-K-A; K-A-2 is not.

    >>> hand_rank([Card.parse("AS"), Card.parse("2S"), Card.parse("3S")])
    <HandRank.STRAIGHT_FLUSH: 'straight-flush'>
    """
    first, second, third = cards
    low, middle, high = sorted((first.rank, second.rank, third.rank))
    flush = first.suit == second.suit == third.suit
    if low == high:
        return HandRank.THREE_OF_A_KIND
    if middle in (low, high):
        return HandRank.PAIR
    if (middle - low == 1 and high - middle == 1) or (low, middle, high) == _WHEEL:
        return HandRank.STRAIGHT_FLUSH if flush else HandRank.STRAIGHT
    return HandRank.FLUSH if flush else HandRank.HIGH_CARD


def strength(cards: Sequence[Card]) -> tuple[int, int, int, int]:
    """Return a key that orders hands: class first, then all three ranks in order of weight.

    The pair leads its side card, and in A-2-3 the ace is low. Equal keys are equal hands.

    >>> strength([Card.parse("KH"), Card.parse("KD"), Card.parse("2S")])
    (2, 13, 13, 2)
    """
    rank = hand_rank(cards)
    low, middle, high = sorted(int(card.rank) for card in cards)
    if rank is HandRank.PAIR and low == middle:
        return _WORTH[rank], low, middle, high
    if rank in (HandRank.STRAIGHT, HandRank.STRAIGHT_FLUSH) and high - low > 2:
        return _WORTH[rank], 3, 2, 1
    return _WORTH[rank], high, middle, low
