"""What a hand of Vegas Three Card Rummy counts and what the tables pay for it (VTR-3 … VTR-18)."""

from dataclasses import dataclass
from enum import StrEnum, unique
from itertools import combinations

from rules.cards import Card, Rank
from rules.pay import Odds, PayTable

Hand = tuple[Card, Card, Card]

RAISE_LINES = ("zero", "1-to-5", "6-or-more")
"""The lines of the Raise table, by the player's total (VTR-15)."""
BONUS_LINES = ("ace-deuce-three", "zero", "1-to-6", "7-to-10", "11-to-12", "none")
"""The lines of the Bonus table (VTR-18); `none` loses."""
MOST_POINTS = 30
"""What three court cards of different ranks and suits come to."""
DEALER_QUALIFIES = 20
"""The highest total with which the dealer qualifies, by the text (VTR-11)."""


def _raise_table(name: str, *odds: int) -> PayTable:
    return PayTable(name, dict(zip(RAISE_LINES, map(Odds, odds), strict=True)))


RAISE_TABLES = {
    "source": _raise_table("source", 4, 3, 1),
    "common": _raise_table("common", 4, 2, 1),
}
"""`source` is the table of the house's text (VTR-15), `common` that of three other publishers."""
BONUS_TABLES = {
    "source": PayTable(
        "source",
        dict(zip(BONUS_LINES[:-1], map(Odds, (100, 25, 2, 1, 4)), strict=True)),
    )
}
"""The Bonus table of the house's text (VTR-18)."""


@unique
class Meld(StrEnum):
    """What counts zero in a rummy hand (VTR-5, VTR-6); the cards outside it still count."""

    RUN_OF_THREE = "run-of-three"
    RUN_OF_TWO = "run-of-two"
    THREE_OF_A_KIND = "three-of-a-kind"
    PAIR = "pair"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Total:
    """What a rummy hand counts."""

    points: int
    """0 to 30; the lower total wins."""
    meld: Meld
    """The meld that makes it so low; of a run and a pair with equal totals, the run (VTR-7)."""


def card_points(card: Card) -> int:
    """Return what one card counts: ace 1, deuce to ten their number, court cards 10 (VTR-4).

    >>> card_points(Card.parse("AS")), card_points(Card.parse("7S")), card_points(Card.parse("KS"))
    (1, 7, 10)
    """
    return min(_low(card), 10)


def total(hand: Hand) -> Total:
    """Return the lowest total of a hand and the meld that gives it (VTR-4 … VTR-7).

    >>> ace, jack, queen = Card.parse("AH"), Card.parse("JH"), Card.parse("QH")
    >>> total((ace, jack, queen))
    Total(points=1, meld=<Meld.RUN_OF_TWO: 'run-of-two'>)
    >>> total((jack, Card.parse("JS"), queen)).meld
    <Meld.RUN_OF_TWO: 'run-of-two'>
    """
    whole = sum(card_points(card) for card in hand)
    if _is_run(hand):
        return Total(0, Meld.RUN_OF_THREE)
    if len({card.rank for card in hand}) == 1:
        return Total(0, Meld.THREE_OF_A_KIND)
    runs = [whole - _sum(two) for two in combinations(hand, 2) if _is_run(two)]
    pairs = [whole - _sum(two) for two in combinations(hand, 2) if two[0].rank == two[1].rank]
    if runs and min(runs) <= min(pairs, default=whole):
        return Total(min(runs), Meld.RUN_OF_TWO)
    return Total(min(pairs), Meld.PAIR) if pairs else Total(whole, Meld.NONE)


def raise_line(points: int) -> str:
    """Return the line of the Raise table that a winning total falls on (VTR-15).

    >>> raise_line(0), raise_line(5), raise_line(6)
    ('zero', '1-to-5', '6-or-more')
    """
    return RAISE_LINES[(points > 0) + (points > 5)]


def bonus_line(hand: Hand) -> str:
    """Return the line of the Bonus table that a hand falls on, `none` for a loss (VTR-18).

    >>> bonus_line((Card.parse("AC"), Card.parse("2C"), Card.parse("3C")))
    'ace-deuce-three'
    >>> bonus_line((Card.parse("TC"), Card.parse("2C"), Card.parse("9H")))
    'none'
    """
    if _is_run(hand) and {_low(card) for card in hand} == {1, 2, 3}:
        return "ace-deuce-three"
    points = total(hand).points
    return BONUS_LINES[1 + sum(points > most for most in (0, 6, 10, 12))]


def _low(card: Card) -> int:
    """Return the rank's place with the ace low: ace 1, king 13."""
    return 1 if card.rank is Rank.ACE else int(card.rank)


def _sum(cards: tuple[Card, ...]) -> int:
    return sum(card_points(card) for card in cards)


def _is_run(cards: tuple[Card, ...]) -> bool:
    """Return whether cards are one suit in sequence; the ace is low, so never after the king."""
    places = sorted(_low(card) for card in cards)
    return len({card.suit for card in cards}) == 1 and places == list(
        range(places[0], places[0] + len(cards))
    )
