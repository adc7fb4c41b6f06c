"""The exact house edges of Tri Card Poker, for any pay tables and either comparison."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from rules.edge_enumeration import HANDS, RIVAL_HANDS, Hand, Showdown, representatives
from rules.edge_report import EdgeFigure, Edges, Tally
from rules.edge_showdown import RaiseWorth, raise_worth
from rules.events import Wager
from rules.games.tri_card import TieBreak, qualifying_worth, worth
from rules.hands import HAND_RANKS, hand_rank
from rules.pay import PayTable


@dataclass(frozen=True, slots=True)
class TriCardTables:
    """All that the edges of Tri Card Poker depend on."""

    pair_plus: PayTable
    """TCP-15."""
    ante_bonus: PayTable
    """TCP-16."""
    tie_break: TieBreak = TieBreak.ALL_RANKS
    """TCP-12."""


def tri_card_edges(tables: TriCardTables) -> Edges:
    """Return the edges of Ante with Raise and Ante Bonus, and of Pair Plus.

    Args:
        tables: The pay tables and thresholds.

    >>> from rules.games.tri_card import ANTE_BONUS_TABLES, PAIR_PLUS_TABLES
    >>> edges = tri_card_edges(TriCardTables(PAIR_PLUS_TABLES["1"], ANTE_BONUS_TABLES["3"]))
    >>> edges.figure("main").gain, edges.figure("pair-plus").gain, edges.strategy
    (Fraction(-686689, 20358520), Fraction(-253, 5525), 'raise Q-6-4 or better, fold the rest')
    """

    def raising(hand: Hand, showdown: Showdown) -> Fraction:
        # Ante and Raise win 1:1 each; the Ante Bonus comes on top, whoever wins.
        gain = showdown.unqualified + 2 * showdown.won - 2 * showdown.lost
        return Fraction(gain, RIVAL_HANDS) + _paid(tables.ante_bonus, hand_rank(hand).value)

    decided = raise_worth(
        lambda hand: worth(hand, tables.tie_break),
        qualifying_worth(tables.tie_break),
        raising,
    )
    ranks = Counter[str]()
    for hand, count in representatives():
        ranks[hand_rank(hand).value] += count
    pair_plus = sum(
        ranks[line] * (_paid(tables.pair_plus, line) + 1) for line in tables.pair_plus.lines
    )
    return Edges(
        figures=(
            EdgeFigure("main", Wager.ANTE, decided.gain, verified=tables.ante_bonus.confirmed),
            EdgeFigure(
                "pair-plus",
                Wager.PAIR_PLUS,
                Fraction(pair_plus) / HANDS - 1,
                verified=tables.pair_plus.confirmed,
            ),
        ),
        tallies=(
            Tally("hand", tuple((rank.value, ranks[rank.value]) for rank in HAND_RANKS)),
            Tally("decision", (("raise", decided.raised), ("fold", HANDS - decided.raised))),
        ),
        strategy=_strategy(decided),
        element_of_risk=decided.element_of_risk,
    )


def _paid(table: PayTable, line: str) -> Fraction:
    """Return what a line pays per unit staked, nothing when it is not a winning line."""
    odds = table.lines.get(line)
    return Fraction(odds.win, odds.stake) if odds else Fraction(0)


def _strategy(decided: RaiseWorth) -> str:
    if decided.weakest is None:
        return "fold every hand"
    ranks = sorted((card.rank for card in decided.weakest), reverse=True)
    named = "-".join(rank.letter for rank in ranks)
    if decided.threshold:
        return f"raise {named} or better, fold the rest"
    return f"raise {decided.raised} of {HANDS} hands, none below {named}"
