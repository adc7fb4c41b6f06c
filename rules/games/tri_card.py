"""Tri Card Poker: the higher hand wins; rules TCP-1 … TCP-17 of the rules page."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.edge_tri_card import TriCardTables
from rules.events import Wager
from rules.findings import FindingCode
from rules.games.base import Shape
from rules.games.option_words import limit_words, table_words
from rules.games.raising import Assessment, Hand, RuleNumbers
from rules.games.raising_game import RaisingGame
from rules.hands import hand_rank
from rules.pay import Odds
from rules.poker import ANTE_BONUS_TABLES, PAIR_PLUS_TABLES, TieBreak, qualifying_worth, worth
from rules.section import Limits, Section

WAGERS = (Wager.ANTE, Wager.RAISE, Wager.PAIR_PLUS)

_EVEN_MONEY = Odds(1)


@dataclass(frozen=True, slots=True)
class TriCardOptions:
    """The house options of Tri Card Poker in force, and what they make of a hand."""

    tables: TriCardTables
    limits: Mapping[Wager, Limits]

    @property
    def numbers(self) -> RuleNumbers:
        """The numbers of the rules that findings name."""
        return _NUMBERS

    @property
    def categories(self) -> tuple[str, ...]:
        """The classes that a result tells: the hand's (TCP-17)."""
        return ("hand",)

    @property
    def qualifying(self) -> int:
        """The dealer qualifies with queen high or better (TCP-8)."""
        return qualifying_worth(self.tables.tie_break)

    @property
    def bonus_without_ante(self) -> bool:
        """Pair Plus may stand alone, and there is no other wager before the deal (TCP-1)."""
        return True

    @property
    def fold_forfeits(self) -> bool:
        """A fold loses Pair Plus as well (TCP-5)."""
        return True

    @property
    def pays_ante_bonus(self) -> bool:
        """The game has an Ante Bonus (TCP-14)."""
        return True

    def assess(self, hand: Hand) -> Assessment:
        """Return how a hand ranks and what it pays; a Raise wins even money (TCP-11).

        >>> from rules.cards import Card
        >>> from rules.section import Document
        >>> options = TRI_CARD.read_options(Section(Document.parse("", "x"), (TRI_CARD.name,)))
        >>> hand = (Card.parse("AC"), Card.parse("2C"), Card.parse("3C"))
        >>> str(options.assess(hand).ante_bonus)
        '3:1'
        """
        rank = hand_rank(hand).value
        return Assessment(
            worth=worth(hand, self.tables.tie_break),
            category={"hand": rank},
            raise_odds=_EVEN_MONEY,
            side_odds=self.tables.pair_plus.lines.get(rank),
            ante_bonus=self.tables.ante_bonus.lines.get(rank),
        )


class TriCard(RaisingGame):
    """Tri Card Poker as a `Game`."""

    name = "tri-card-poker"
    titles: Mapping[str, str] = {"en": "Tri Card Poker", "ko": "트라이 카드 포커"}
    shape = Shape(second_wager=Wager.RAISE, only_paid=(Wager.ANTE_BONUS,))
    wagers = WAGERS

    def read_options(self, section: Section) -> TriCardOptions:
        """Return the house options of a section; see `Game`."""
        return TriCardOptions(
            TriCardTables(
                section.section("pair-plus").pay_table(PAIR_PLUS_TABLES, "1"),
                section.section("ante-bonus").pay_table(ANTE_BONUS_TABLES, "1"),
                section.choice("tie_break", TieBreak.ALL_RANKS),
            ),
            limits=section.limits(WAGERS),
        )

    def rule(self, code: StrEnum, wager: Wager | None) -> str:
        """Return the rule's number for a common finding; see `Game`."""
        if code in (FindingCode.LATE_WAGER, FindingCode.WAGER_CHANGED):
            return "TCP-1"
        if code is FindingCode.WRONG_CARD_COUNT:
            return "TCP-2"
        return _PAY_RULES.get(wager, "COM-1") if wager else "COM-1"

    def describe(self, options: TriCardOptions) -> tuple[str, ...]:
        """Return the options in words; see `Game`."""
        tables = options.tables
        compared = (
            "by all three cards in order"
            if tables.tie_break is TieBreak.ALL_RANKS
            else "by the first card alone; equal ones push"
        )
        return (
            "The dealer qualifies with queen high or better.",
            f"Hands of one class are compared {compared}.",
            table_words("Pair Plus", tables.pair_plus),
            table_words("The Ante Bonus", tables.ante_bonus),
            *limit_words(options.limits),
        )


TRI_CARD = TriCard()
"""The game, for the registry."""

_NUMBERS = RuleNumbers(deal="TCP-2", raise_equals_ante="TCP-6", reveal="TCP-7", bonus="TCP-1")
_PAY_RULES = {
    Wager.ANTE: "TCP-11",
    Wager.RAISE: "TCP-11",
    Wager.PAIR_PLUS: "TCP-15",
    Wager.ANTE_BONUS: "TCP-16",
}
