"""The exact house edges of Tri Card Poker, for any pay tables and either comparison."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from rules.edge_enumeration import HANDS, RIVAL_HANDS, Hand, Rivals, Showdown, representatives
from rules.edge_report import EdgeFigure, Edges, Tally, pays, share
from rules.edge_showdown import raise_worth
from rules.events import Wager
from rules.hands import HAND_RANKS, hand_rank
from rules.pay import PayTable
from rules.poker import (
    ANTE_BONUS_TABLES,
    PAIR_PLUS_TABLES,
    TieBreak,
    qualifying_worth,
    worth,
)


@dataclass(frozen=True, slots=True)
class TriCardTables:
    """All that the edges of Tri Card Poker depend on."""

    pair_plus: PayTable = PAIR_PLUS_TABLES["1"]
    """TCP-15."""
    ante_bonus: PayTable = ANTE_BONUS_TABLES["1"]
    """TCP-16."""
    tie_break: TieBreak = TieBreak.ALL_RANKS
    """TCP-12."""

    def basis(self) -> dict[str, object]:
        """Return it as JSON values.

        >>> TriCardTables().basis()["tie_break"]
        'all-ranks'
        """
        return {
            "game": "tri-card-poker",
            "pair-plus": pays(self.pair_plus),
            "ante-bonus": pays(self.ante_bonus),
            "tie_break": self.tie_break.value,
        }

    def unverified(self) -> tuple[str, ...]:
        """Return the figures whose pay table the house has not confirmed.

        >>> TriCardTables().unverified()
        ()
        """
        tables = {"main": self.ante_bonus, "pair-plus": self.pair_plus}
        return tuple(name for name, table in tables.items() if not table.confirmed)

    def edges(self) -> Edges:
        """Return the edges of Ante with Raise and Ante Bonus, and of Pair Plus.

        No hand of a pair or better is folded by a player who seeks to win, so the forfeit of Pair
        Plus with a fold (TCP-5) costs nothing.

        >>> edges = TriCardTables(ante_bonus=ANTE_BONUS_TABLES["3"]).edges()
        >>> edges.figure("main").gain, edges.figure("pair-plus").gain, edges.strategy
        (Fraction(-686689, 20358520), Fraction(-253, 5525), 'raise Q-6-4 or better, fold the rest')
        """
        decided = raise_worth(_rivals(self.tie_break), self._raising)
        ranks = Counter[str]()
        for hand, count in representatives():
            ranks[hand_rank(hand).value] += count
        paid = sum(ranks[line] * (share(odds) + 1) for line, odds in self.pair_plus.lines.items())
        return Edges(
            figures=(
                EdgeFigure("main", Wager.ANTE, decided.gain),
                EdgeFigure("pair-plus", Wager.PAIR_PLUS, Fraction(paid) / HANDS - 1),
            ),
            tallies=(
                Tally("hand", tuple((rank.value, ranks[rank.value]) for rank in HAND_RANKS)),
                Tally("decision", (("raise", decided.raised), ("fold", HANDS - decided.raised))),
            ),
            strategy=decided.strategy(_at_least),
            element_of_risk=decided.element_of_risk,
        )

    def _raising(self, hand: Hand, showdown: Showdown) -> Fraction:
        # Ante and Raise win 1:1 each; the Ante Bonus comes on top, whoever wins.
        gain = Fraction(showdown.unqualified + 2 * showdown.won - 2 * showdown.lost, RIVAL_HANDS)
        bonus = self.ante_bonus.lines.get(hand_rank(hand).value)
        return gain + share(bonus) if bonus else gain


@cache
def _rivals(tie_break: TieBreak) -> Rivals:
    return Rivals(lambda hand: worth(hand, tie_break), qualifying_worth(tie_break))


def _at_least(hand: Hand) -> str:
    ranks = sorted((card.rank for card in hand), reverse=True)
    return f"{'-'.join(rank.letter for rank in ranks)} or better"
