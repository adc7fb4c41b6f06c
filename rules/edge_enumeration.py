"""Counting over every three-card hand: suit symmetry, and what an opponent's hidden hand may be.

Two hands that differ only by a renaming of suits are worth the same, so one of them is judged and
counted as often as there are such hands: 22 100 hands become 1 755, or 5 252 when one suit is
trumps and keeps its name.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

from rules.cards import PACK, Card, Suit

Hand = tuple[Card, Card, Card]

HANDS = comb(52, 3)
"""How many three-card hands there are: 22 100."""
RIVAL_HANDS = comb(49, 3)
"""How many hands an opponent may hold against a known one: 18 424."""

Shape = tuple[tuple[int, ...], ...]


def all_hands() -> tuple[Hand, ...]:
    """Return every three-card hand once, in the order of the pack.

    >>> len(all_hands())
    22100
    """
    return tuple((a, b, c) for a, b, c in combinations(PACK, 3))


def shape(hand: Sequence[Card], trumps: Suit | None = None) -> Shape:
    """Return what is left of a hand when the names of the suits are forgotten, trumps' name apart.

    The first member holds the ranks of the trumps, the others those of each other suit, sorted.

    >>> from rules.cards import Card
    >>> spades = [Card.parse(text) for text in ("2S", "9S", "KH")]
    >>> clubs = [Card.parse(text) for text in ("2C", "9C", "KS")]
    >>> shape(spades) == shape(clubs)
    True
    >>> shape(spades, Suit.SPADES) == shape(clubs, Suit.SPADES)
    False
    """
    ranks: dict[Suit, list[int]] = {}
    for card in sorted(hand):
        ranks.setdefault(card.suit, []).append(int(card.rank))
    of_trumps = tuple(ranks.pop(trumps, ())) if trumps is not None else ()
    return (of_trumps, *sorted(tuple(suit) for suit in ranks.values()))


@cache
def representatives(trumps: Suit | None = None) -> tuple[tuple[Hand, int], ...]:
    """Return one hand of each shape with the number of hands that have it.

    >>> len(representatives()), sum(count for _, count in representatives())
    (1755, 22100)
    >>> len(representatives(Suit.SPADES))
    5252
    """
    first: dict[Shape, Hand] = {}
    count: dict[Shape, int] = {}
    for hand in all_hands():
        key = shape(hand, trumps)
        first.setdefault(key, hand)
        count[key] = count.get(key, 0) + 1
    return tuple((hand, count[key]) for key, hand in first.items())


@dataclass(frozen=True, slots=True)
class Showdown:
    """How many of the 18 424 hands that the dealer may hold end the round in which way."""

    unqualified: int
    """The dealer does not qualify."""
    won: int
    """The dealer qualifies and the player's hand is better."""
    tied: int
    """The dealer qualifies with a hand of equal worth."""
    lost: int
    """The dealer qualifies with a better hand."""


class Rivals:
    """Counts the dealer's possible hands by strength, against any hand of the player.

    The hands that avoid three given cards are counted by inclusion and exclusion: all, less those
    that hold one of the three, plus those that hold two, less the one that holds them all. Each
    term is a look-up in a sorted list, so the count is exact and nothing is sampled.
    """

    def __init__(self, strength: Callable[[Hand], int], qualifying: int) -> None:
        """Sort every hand's strength.

        Args:
            strength: The worth of a hand; the greater wins, equal ones tie.
            qualifying: The least strength with which the dealer qualifies.
        """
        self.strength = strength
        self._qualifying = qualifying
        holding: dict[tuple[Card, ...], list[int]] = {}
        for hand in all_hands():
            worth = strength(hand)
            for cards in _parts(hand):
                holding.setdefault(cards, []).append(worth)
        self._holding = {cards: sorted(found) for cards, found in holding.items()}

    def _below(self, hand: Hand, strength: int) -> int:
        """Return how many hands without the cards of `hand` are weaker than `strength`."""
        counted = sum(
            (1, -1, 1)[len(cards)] * bisect_left(self._holding[cards], strength)
            for cards in _parts(hand)
        )
        return counted - (self.strength(hand) < strength)

    def showdown(self, hand: Hand) -> Showdown:
        """Return how the player's hand fares against every hand that the dealer may hold.

        Args:
            hand: The player's hand, in the order of the pack.

        >>> from rules.cards import PACK
        >>> highest_rank = Rivals(lambda hand: max(card.rank for card in hand), qualifying=3)
        >>> highest_rank.showdown((PACK[0], PACK[13], PACK[26]))
        Showdown(unqualified=0, won=0, tied=0, lost=18424)
        """
        worth = self.strength(hand)
        unqualified = self._below(hand, self._qualifying)
        if worth < self._qualifying:
            return Showdown(unqualified, 0, 0, RIVAL_HANDS - unqualified)
        weaker, not_better = self._below(hand, worth), self._below(hand, worth + 1)
        return Showdown(
            unqualified, weaker - unqualified, not_better - weaker, RIVAL_HANDS - not_better
        )


def _parts(hand: Hand) -> list[tuple[Card, ...]]:
    """Return every choice of none, one or two cards of a hand."""
    return [cards for size in range(3) for cards in combinations(hand, size)]
