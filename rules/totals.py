"""What a hand of Vegas Three Card Rummy counts and what the tables pay for it (VTR-3 … VTR-18)."""

from dataclasses import dataclass
from enum import StrEnum, unique

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
    first, second, third = hand
    splits = ((first, second, third), (first, third, second), (second, third, first))
    runs = [card_points(left) for one, other, left in splits if _join(one, other)]
    pairs = [card_points(left) for one, other, left in splits if one.rank is other.rank]
    if len(runs) == 2:  # The middle card joins both others.
        return Total(0, Meld.RUN_OF_THREE)
    if len(pairs) == 3:
        return Total(0, Meld.THREE_OF_A_KIND)
    if runs and (not pairs or runs[0] <= pairs[0]):
        return Total(runs[0], Meld.RUN_OF_TWO)
    if pairs:
        return Total(pairs[0], Meld.PAIR)
    return Total(sum(map(card_points, hand)), Meld.NONE)


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
    counted = total(hand)
    if counted.meld is Meld.RUN_OF_THREE and any(card.rank is Rank.ACE for card in hand):
        return "ace-deuce-three"
    points = counted.points
    return BONUS_LINES[1 + sum(points > most for most in (0, 6, 10, 12))]


def _low(card: Card) -> int:
    """Return the rank's place with the ace low: ace 1, king 13."""
    return 1 if card.rank is Rank.ACE else int(card.rank)


def _join(one: Card, other: Card) -> bool:
    """Return whether two cards are a run; the ace is low, so it never joins the king (VTR-6)."""
    return one.suit is other.suit and abs(_low(one) - _low(other)) == 1
