"""Vegas Three Card Rummy: the lower total wins; rules VTR-1 … VTR-18 of the rules page."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.edge_rummy import RummyTables
from rules.events import Wager
from rules.findings import FindingCode
from rules.games.base import Shape
from rules.games.option_words import limit_words, table_words
from rules.games.raising import Assessment, Hand, RuleNumbers
from rules.games.raising_game import RaisingGame
from rules.section import Limits, Section
from rules.totals import (
    BONUS_TABLES,
    DEALER_QUALIFIES,
    MOST_POINTS,
    RAISE_TABLES,
    bonus_line,
    raise_line,
    total,
)

WAGERS = (Wager.ANTE, Wager.RAISE, Wager.BONUS)


@dataclass(frozen=True, slots=True)
class RummyOptions:
    """The house options of Vegas Three Card Rummy in force, and what they make of a hand."""

    tables: RummyTables
    bonus_without_ante: bool
    """Whether a Bonus may stand without an Ante; the text does not say, the default is yes."""
    bonus_after_fold: bool
    """Whether the Bonus of a folded hand is still resolved (default) or lost with the fold."""
    limits: Mapping[Wager, Limits]

    @property
    def numbers(self) -> RuleNumbers:
        """The numbers of the rules that findings name."""
        return _NUMBERS

    @property
    def categories(self) -> tuple[str, ...]:
        """The classes that a result tells: the meld (VTR-7), and the line of the Bonus (VTR-18)."""
        return ("hand", "bonus")

    @property
    def qualifying(self) -> int:
        """The dealer qualifies with so many points or fewer (VTR-11)."""
        return -self.tables.qualifying

    @property
    def fold_forfeits(self) -> bool:
        """Whether a fold loses the Bonus as well."""
        return not self.bonus_after_fold

    @property
    def pays_ante_bonus(self) -> bool:
        """The game has no Ante Bonus."""
        return False

    def assess(self, hand: Hand) -> Assessment:
        """Return what a hand counts and what it pays; the lower total is worth more.

        >>> from rules.cards import Card
        >>> from rules.section import Document
        >>> options = RUMMY.read_options(Section(Document.parse("", "x"), (RUMMY.name,)))
        >>> options.assess((Card.parse("AC"), Card.parse("2C"), Card.parse("9H"))).points
        9
        """
        counted, line = total(hand), bonus_line(hand)
        return Assessment(
            worth=-counted.points,
            category={"hand": counted.meld.value, "bonus": line},
            raise_odds=self.tables.raises.lines[raise_line(counted.points)],
            side_odds=self.tables.bonus.lines.get(line),
            points=counted.points,
        )


class Rummy(RaisingGame):
    """Vegas Three Card Rummy as a `Game`."""

    name = "vegas-three-card-rummy"
    titles: Mapping[str, str] = {"en": "Vegas Three Card Rummy", "ko": "베가스 쓰리 카드 러미"}
    shape = Shape(seats_face_up=True, second_wager=Wager.RAISE)
    wagers = WAGERS

    def read_options(self, section: Section) -> RummyOptions:
        """Return the house options of a section; see `Game`."""
        bonus = section.section("bonus")
        return RummyOptions(
            RummyTables(
                section.section("raise").pay_table(RAISE_TABLES, "source"),
                bonus.pay_table(BONUS_TABLES, "source"),
                section.integer("dealer_qualifies", DEALER_QUALIFIES, least=0, most=MOST_POINTS),
            ),
            bonus_without_ante=bonus.flag("without_ante", default=True),
            bonus_after_fold=bonus.flag("after_fold", default=True),
            limits=section.limits(WAGERS),
        )

    def rule(self, code: StrEnum, wager: Wager | None) -> str:
        """Return the rule's number for a common finding; see `Game`."""
        if code in (FindingCode.LATE_WAGER, FindingCode.WAGER_CHANGED):
            return "VTR-17" if wager is Wager.BONUS else "VTR-1"
        if code is FindingCode.WRONG_CARD_COUNT:
            return "VTR-2"
        return _PAY_RULES.get(wager, "COM-1") if wager else "COM-1"

    def describe(self, options: RummyOptions) -> tuple[str, ...]:
        """Return the options in words; see `Game`."""
        tables = options.tables
        without = "may" if options.bonus_without_ante else "may not"
        folded = "still resolved" if options.bonus_after_fold else "lost"
        return (
            f"The dealer qualifies with {tables.qualifying} points or fewer.",
            table_words("The Raise", tables.raises),
            table_words("The Bonus", tables.bonus),
            f"A Bonus {without} stand without an Ante.",
            f"After a fold the Bonus is {folded}.",
            *limit_words(options.limits),
        )


RUMMY = Rummy()
"""The game, for the registry."""

_NUMBERS = RuleNumbers(deal="VTR-2", raise_equals_ante="VTR-9", reveal="VTR-10", bonus="VTR-17")
_PAY_RULES = {Wager.ANTE: "VTR-14", Wager.RAISE: "VTR-14", Wager.BONUS: "VTR-18"}
