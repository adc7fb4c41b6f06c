"""The exact house edges of Vegas Three Card Rummy, for any pay tables and qualifying total."""

from collections import Counter
from fractions import Fraction

from rules.edge_enumeration import HANDS, RIVAL_HANDS, Hand, Showdown, representatives
from rules.edge_report import EdgeFigure, Edges, Tally
from rules.edge_showdown import RaiseWorth, raise_worth
from rules.events import Wager
from rules.games.rummy import BONUS_LINES, bonus_line, raise_line, total
from rules.pay import Odds, PayTable

_MOST_POINTS = 30


def rummy_edges(raises: PayTable, bonus: PayTable, qualifying: int) -> Edges:
    """Return the edges of the main game and the Bonus.

    Args:
        raises: What the Raise pays, by the lines of VTR-15.
        bonus: What the Bonus pays, by the lines of VTR-18.
        qualifying: The highest total with which the dealer qualifies (VTR-11).

    >>> from rules.games.rummy import BONUS_TABLES, RAISE_TABLES
    >>> edges = rummy_edges(RAISE_TABLES["common"], BONUS_TABLES["source"], qualifying=20)
    >>> edges.figure("main").gain, edges.figure("bonus").gain, edges.strategy
    (Fraction(-7745, 239512), Fraction(-191, 5525), 'raise 20 points or fewer, fold the rest')
    """

    def raising(hand: Hand, showdown: Showdown) -> Fraction:
        pays = _share(raises.lines[raise_line(total(hand).points)])
        gain = showdown.unqualified + showdown.won * (1 + pays) - 2 * showdown.lost
        return gain / RIVAL_HANDS

    # The lower total is the stronger hand.
    worth = raise_worth(lambda hand: -total(hand).points, -qualifying, raising)
    points, lines = Counter[int](), Counter[str]()
    for hand, count in representatives():
        points[total(hand).points] += count
        lines[bonus_line(hand)] += count
    paid = sum(lines[line] * (_share(odds) + 1) for line, odds in bonus.lines.items())
    return Edges(
        figures=(
            EdgeFigure("main", Wager.ANTE, worth.gain, verified=raises.confirmed),
            EdgeFigure("bonus", Wager.BONUS, Fraction(paid) / HANDS - 1, verified=bonus.confirmed),
        ),
        tallies=(
            Tally("points", tuple((str(n), points[n]) for n in range(_MOST_POINTS + 1))),
            Tally("bonus", tuple((line, lines[line]) for line in BONUS_LINES)),
            Tally("decision", (("raise", worth.raised), ("fold", HANDS - worth.raised))),
        ),
        strategy=_strategy(worth),
        element_of_risk=worth.element_of_risk,
    )


def _share(odds: Odds) -> Fraction:
    return Fraction(odds.win, odds.stake)


def _strategy(worth: RaiseWorth) -> str:
    if worth.weakest is None:
        return "fold every hand"
    points = total(worth.weakest).points
    if worth.threshold:
        return f"raise {points} points or fewer, fold the rest"
    return f"raise {worth.raised} of {HANDS} hands, none above {points} points"
