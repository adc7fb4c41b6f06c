"""The exact worth of an Ante and a Raise against a dealer who must qualify.

The player sees three cards, folds and loses the Ante, or raises and meets the dealer's hidden hand.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rules.edge_enumeration import HANDS, Hand, Rivals, Showdown, representatives

RaiseGain = Callable[[Hand, Showdown], Fraction]
"""What raising a hand gains on average per Ante, given how it fares."""

FOLDING = Fraction(-1)
"""What a fold gains per Ante, in both games (VTR-8, TCP-5)."""


@dataclass(frozen=True, slots=True)
class RaiseWorth:
    """The worth of the game to a player who raises exactly when it is better."""

    gain: Fraction
    """The mean gain per Ante."""
    raised: int
    """How many of the 22 100 hands are raised; on equal terms a hand is raised."""
    weakest: Hand | None
    """The weakest hand that is raised; None when it is best to raise nothing."""
    threshold: bool
    """Whether every folded hand is weaker than every raised one."""

    @property
    def element_of_risk(self) -> Fraction:
        """The edge per unit of all that is staked on average.

        >>> RaiseWorth(Fraction(-1, 20), 22100, None, threshold=True).element_of_risk
        Fraction(1, 40)
        """
        return -self.gain / (1 + Fraction(self.raised, HANDS))

    def strategy(self, at_least: Callable[[Hand], str]) -> str:
        """Return the best decisions in words.

        Args:
            at_least: Names the hands that are no weaker than a hand.

        >>> RaiseWorth(Fraction(0), 22100, None, threshold=True).strategy(str)
        'fold every hand'
        """
        if self.weakest is None:
            return "fold every hand"
        if self.threshold:
            return f"raise {at_least(self.weakest)}, fold the rest"
        return f"raise {self.raised} of {HANDS} hands, all of {at_least(self.weakest)}"


def raise_worth(rivals: Rivals, gain: RaiseGain) -> RaiseWorth:
    """Return the worth of raising or folding each hand as is best.

    Args:
        rivals: The dealer's possible hands, by their strength.
        gain: What raising gains.

    >>> always = raise_worth(Rivals(lambda hand: 0, 0), lambda hand, showdown: Fraction(1, 2))
    >>> always.gain, always.raised
    (Fraction(1, 2), 22100)
    """
    total, raised = Fraction(0), 0
    weakest: Hand | None = None
    best_fold: int | None = None
    for hand, count in representatives():
        raising = gain(hand, rivals.showdown(hand))
        total += count * max(raising, FOLDING)
        worth = rivals.strength(hand)
        if raising < FOLDING:
            best_fold = worth if best_fold is None else max(best_fold, worth)
            continue
        raised += count
        if weakest is None or worth < rivals.strength(weakest):
            weakest = hand
    clear = best_fold is None or weakest is None or best_fold < rivals.strength(weakest)
    return RaiseWorth(total / HANDS, raised, weakest, clear)
