"""The exact house edges of Vegas Three Card Rummy, for any pay tables and qualifying total."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from rules.edge_enumeration import HANDS, RIVAL_HANDS, Hand, Rivals, Showdown, representatives
from rules.edge_report import EdgeFigure, Edges, Tally, pays, share
from rules.edge_showdown import raise_worth
from rules.events import Wager
from rules.pay import PayTable
from rules.totals import (
    BONUS_LINES,
    BONUS_TABLES,
    DEALER_QUALIFIES,
    MOST_POINTS,
    RAISE_TABLES,
    bonus_line,
    raise_line,
    total,
)


@dataclass(frozen=True, slots=True)
class RummyTables:
    """All that the edges of Vegas Three Card Rummy depend on."""

    raises: PayTable = RAISE_TABLES["source"]
    """What the Raise pays, by the lines of VTR-15."""
    bonus: PayTable = BONUS_TABLES["source"]
    """What the Bonus pays, by the lines of VTR-18."""
    qualifying: int = DEALER_QUALIFIES
    """The highest total with which the dealer qualifies (VTR-11)."""

    def basis(self) -> dict[str, object]:
        """Return it as JSON values.

        >>> RummyTables(RAISE_TABLES["common"]).basis()["raise"]
        {'zero': '4:1', '1-to-5': '2:1', '6-or-more': '1:1'}
        """
        return {
            "game": "vegas-three-card-rummy",
            "raise": pays(self.raises),
            "bonus": pays(self.bonus),
            "qualifying": self.qualifying,
        }

    def unverified(self) -> tuple[str, ...]:
        """Return the figures whose pay table the house has not confirmed.

        >>> RummyTables(RAISE_TABLES["common"]).unverified()
        ()
        """
        tables = {"main": self.raises, "bonus": self.bonus}
        return tuple(name for name, table in tables.items() if not table.confirmed)

    def edges(self) -> Edges:
        """Return the edges of the main game and the Bonus.

        >>> edges = RummyTables(RAISE_TABLES["common"]).edges()
        >>> edges.figure("main").gain, edges.figure("bonus").gain, edges.strategy
        (Fraction(-7745, 239512), Fraction(-191, 5525), 'raise 20 points or fewer, fold the rest')
        """
        worth = raise_worth(_rivals(self.qualifying), self._raising)
        points, lines = Counter[int](), Counter[str]()
        for hand, count in representatives():
            points[total(hand).points] += count
            lines[bonus_line(hand)] += count
        paid = sum(lines[line] * (share(odds) + 1) for line, odds in self.bonus.lines.items())
        return Edges(
            figures=(
                EdgeFigure("main", Wager.ANTE, worth.gain),
                EdgeFigure("bonus", Wager.BONUS, Fraction(paid) / HANDS - 1),
            ),
            tallies=(
                Tally("points", tuple((str(n), points[n]) for n in range(MOST_POINTS + 1))),
                Tally("bonus", tuple((line, lines[line]) for line in BONUS_LINES)),
                Tally("decision", (("raise", worth.raised), ("fold", HANDS - worth.raised))),
            ),
            strategy=worth.strategy(_at_least),
            element_of_risk=worth.element_of_risk,
        )

    def _raising(self, hand: Hand, showdown: Showdown) -> Fraction:
        odds = self.raises.lines[raise_line(total(hand).points)]
        gain = showdown.unqualified + showdown.won * (1 + share(odds)) - 2 * showdown.lost
        return gain / RIVAL_HANDS


@cache
def _rivals(qualifying: int) -> Rivals:
    """Return the dealer's possible hands; the lower total is the stronger hand."""
    return Rivals(lambda hand: -total(hand).points, -qualifying)


def _at_least(hand: Hand) -> str:
    return f"{total(hand).points} points or fewer"
