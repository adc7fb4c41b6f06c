"""The house options of Three Card Whist, with the sources of their defaults."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, unique

from rules.events import Wager
from rules.games.option_words import limit_words, table_words
from rules.pay import Odds, PayTable
from rules.section import Limits, Section

WAGERS = (Wager.ANTE, Wager.PLAY, Wager.BONUS, Wager.RNB)


@unique
class CountOver(StrEnum):
    """Over whom exposed player cards are counted (TCW-14)."""

    TABLE = "table"
    SEAT = "seat"


@unique
class VoidScope(StrEnum):
    """What exposed player cards make void; an exposed dealer card always voids the round."""

    ROUND = "round"
    SEAT = "seat"


@unique
class Window(StrEnum):
    """How long an exposure counts towards a misdeal."""

    DEAL = "deal"
    """From the first card until the trump card lies face up."""
    UNTIL_DECISIONS = "until-decisions"
    """Until the dealer turns the first card."""


@unique
class Triggers(StrEnum):
    """Which breaches make a hand one to reconstruct (TCW-15)."""

    BOTH = "both"
    """The Korean text: the player "did not follow the rules"."""
    FOLLOW_SUIT = "follow-suit"
    """The English text: the player "didn't follow suit"."""


@unique
class RnbRequires(StrEnum):
    """Beside which wager an RnB may stand (TCW-R1)."""

    ANTE_OR_BONUS = "ante-or-bonus"
    ANTE = "ante"
    NOTHING = "nothing"


MAIN_TABLES = {
    "source": PayTable(
        "source",
        {"ante-2": Odds(1), "play-2": Odds(2), "ante-3": Odds(1), "play-3": Odds(3)},
    )
}
"""TCW-13: what the Ante and the Play win with two tricks and with three; fewer lose both."""

BONUS_TABLES = {
    "standard": PayTable(
        "standard",
        {
            "straight-flush-of-trumps": Odds(100),
            "straight-flush": Odds(30),
            "three-of-a-kind": Odds(20),
            "flush-of-trumps": Odds(10),
            "straight": Odds(5),
            "flush": Odds(3),
            "pair": Odds(1),
        },
    )
}
"""Best line first. Source: ukcasinotablegames.info, 3cardwhist; it gives the published 4.87 %."""

RNB_TABLES = {
    "colours-3-4-5": PayTable(
        "colours-3-4-5",
        {"player": Odds(3), "player-and-dealer": Odds(4), "player-dealer-and-trump": Odds(5)},
        confirmed=False,
    )
}
"""An inference: it fits the wager's name, the cards that the source names and the published 2.64 %,
but the source's own table ("figure 2") was not found."""


@dataclass(frozen=True, slots=True)
class WhistOptions:
    """The house options of Three Card Whist in force."""

    dealer_cards: int
    """How many exposed dealer cards void the round (TCW-14)."""
    player_cards: int
    """How many exposed player cards void (TCW-14)."""
    count_over: CountOver
    void: VoidScope
    window: Window
    triggers: Triggers
    bonus_without_ante: bool
    rnb_requires: RnbRequires
    main: PayTable
    bonus: PayTable
    rnb: PayTable
    limits: Mapping[Wager, Limits]
    unverified: tuple[Wager, ...]
    """The wagers that are paid by a table which the house has not confirmed."""


def read_options(section: Section) -> WhistOptions:
    """Return the options that the `three-card-whist` section of a house rules file holds.

    Raises:
        HouseRulesError: An option cannot be used.

    >>> from rules.section import Document
    >>> read_options(Section(Document.parse("", "x.toml"), ("three-card-whist",))).player_cards
    2
    """
    misdeal, bonus = section.section("misdeal"), section.section("bonus")
    rnb = section.section("rnb")
    main_table = section.section("main").pay_table(MAIN_TABLES, "source")
    bonus_table = bonus.pay_table(BONUS_TABLES, "standard")
    rnb_table = rnb.pay_table(RNB_TABLES, "colours-3-4-5")
    tables = zip(WAGERS, (main_table, main_table, bonus_table, rnb_table), strict=True)
    return WhistOptions(
        dealer_cards=misdeal.integer("dealer_cards", 1, least=1, most=3),
        player_cards=misdeal.integer("player_cards", 2, least=1, most=18),
        count_over=misdeal.choice("player_count_over", CountOver.TABLE),
        void=misdeal.choice("void", VoidScope.ROUND),
        window=misdeal.choice("window", Window.DEAL),
        triggers=section.section("reconstruction").choice("triggers", Triggers.BOTH),
        bonus_without_ante=bonus.flag("without_ante", default=True),
        rnb_requires=rnb.choice("requires", RnbRequires.ANTE_OR_BONUS),
        main=main_table,
        bonus=bonus_table,
        rnb=rnb_table,
        limits=section.limits(WAGERS),
        unverified=tuple(wager for wager, table in tables if not table.confirmed),
    )


def describe(options: WhistOptions) -> tuple[str, ...]:
    """Return the options in words.

    >>> from rules.section import Document
    >>> describe(read_options(Section(Document.parse("", "x"), ("three-card-whist",))))[0]
    'One exposed dealer card voids the round.'
    """
    cards = (
        "One exposed dealer card voids"
        if options.dealer_cards == 1
        else (f"{options.dealer_cards} exposed dealer cards void")
    )
    over = "the whole table" if options.count_over is CountOver.TABLE else "one seat"
    what = "the round" if options.void is VoidScope.ROUND else "the hands they belong to"
    until = (
        "the trump card lies face up"
        if options.window is Window.DEAL
        else "the dealer turns the first card"
    )
    breach = (
        "A hand that did not follow suit or did not trump"
        if options.triggers is Triggers.BOTH
        else "A hand that did not follow suit"
    )
    without = "may" if options.bonus_without_ante else "may not"
    return (
        f"{cards} the round.",
        f"{options.player_cards} exposed player cards, counted over {over}, void {what}.",
        f"Exposures count until {until}.",
        f"{breach} is reconstructed.",
        f"A Bonus {without} stand without an Ante.",
        f"An RnB needs: {options.rnb_requires.value.replace('-', ' ')}.",
        *(table_words(name, table) for name, table in _tables(options)),
        *limit_words(options.limits),
    )


def warnings(options: WhistOptions) -> tuple[str, ...]:
    """Return what the house should know about its pay tables.

    >>> from rules.section import Document
    >>> warnings(read_options(Section(Document.parse("", "x"), ("three-card-whist",))))
    ('unverified pay table: RnB pays by an inferred table until the house confirms it',)
    """
    return tuple(
        f"unverified pay table: {name} pays by an inferred table until the house confirms it"
        for name, table in _tables(options)
        if not table.confirmed
    )


def _tables(options: WhistOptions) -> tuple[tuple[str, PayTable], ...]:
    return ("Main game", options.main), ("Bonus", options.bonus), ("RnB", options.rnb)
