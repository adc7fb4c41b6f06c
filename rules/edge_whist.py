"""The exact house edges of Three Card Whist, through the functions that judge live play."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

from rules.cards import PACK, Card, Colour, Suit
from rules.edge_enumeration import representatives
from rules.edge_report import EdgeFigure, Edges, Tally, pays, share
from rules.edge_tricks import TrickRules, TrickWorth, trick_worth
from rules.events import Wager
from rules.games.whist_options import BONUS_TABLES, MAIN_TABLES, RNB_TABLES
from rules.games.whist_pay import bonus_line, rnb_line
from rules.games.whist_play import legal_cards, wins
from rules.pay import PayTable

_RED = tuple(card for card in PACK if card.suit.colour is Colour.RED)
_BLACK = tuple(card for card in PACK if card.suit.colour is Colour.BLACK)
_NOTHING = "none"


@dataclass(frozen=True, slots=True)
class WhistTables:
    """All that the edges of Three Card Whist depend on."""

    main: PayTable = MAIN_TABLES["source"]
    """TCW-13."""
    bonus: PayTable = BONUS_TABLES["standard"]
    """TCW-B5."""
    rnb: PayTable = RNB_TABLES["colours-3-4-5"]
    """TCW-R5."""

    def basis(self) -> dict[str, object]:
        """Return it as JSON values.

        >>> WhistTables().basis()["main"]
        {'ante-2': '1:1', 'play-2': '2:1', 'ante-3': '1:1', 'play-3': '3:1'}
        """
        return {
            "game": "three-card-whist",
            "main": pays(self.main),
            "bonus": pays(self.bonus),
            "rnb": pays(self.rnb),
        }

    def unverified(self) -> tuple[str, ...]:
        """Return the figures whose pay table the house has not confirmed.

        >>> WhistTables().unverified()
        ('rnb',)
        """
        tables = {"main": self.main, "bonus": self.bonus, "rnb": self.rnb}
        return tuple(name for name, table in tables.items() if not table.confirmed)

    def edges(self) -> Edges:
        """Return the edges of the main game, the Bonus and the RnB; it takes some seconds.

        `main-without-duty` is what the game would be worth to a player who never had to follow
        suit or trump: what unpoliced breaches cost the house.
        """
        main, scale = _main(self.main, duty=True)
        free, _ = _main(self.main, duty=False)
        bonus, rnb = bonus_tally(self.bonus), rnb_tally(self.rnb)
        gain = main.gain / scale
        played = main.deals - main.folded
        return Edges(
            figures=(
                EdgeFigure("main", Wager.ANTE, gain),
                EdgeFigure("bonus", Wager.BONUS, _side_gain(bonus, self.bonus)),
                EdgeFigure("rnb", Wager.RNB, _side_gain(rnb, self.rnb)),
                EdgeFigure("main-without-duty", Wager.ANTE, free.gain / scale, in_force=False),
            ),
            tallies=(
                bonus,
                rnb,
                Tally("decision", (("play", played), ("fold", main.folded))),
            ),
            strategy=(
                f"play {played} of {main.deals} hands and trump cards, fold "
                f"{main.folded}; answer each lead with the card that leaves the most to win"
            ),
            element_of_risk=-gain / (1 + Fraction(played, main.deals)),
        )


def main_rules(table: PayTable, *, duty: bool) -> tuple[TrickRules, int]:
    """Return the main game for the expectimax, and how many units of gain make one Ante.

    Args:
        table: What Ante and Play win, by the lines of TCW-13.
        duty: Whether the player must follow suit and trump (TCW-12).

    >>> main_rules(MAIN_TABLES["source"], duty=True)[0].payoff
    (-2, -2, 3, 4)
    """
    scale = lcm(*(odds.stake for odds in table.lines.values()))

    def gain(tricks: int) -> int:
        odds = [table.lines.get(f"{wager}-{tricks}") for wager in (Wager.ANTE, Wager.PLAY)]
        return int(scale * sum(-1 if won is None else share(won) for won in odds))

    def answers(held: Sequence[Card], lead: Card, trumps: Suit) -> Sequence[Card]:
        return legal_cards(held, lead.suit, trumps) if duty else held

    payoff = (gain(0), gain(1), gain(2), gain(3))
    return TrickRules(answers, wins, payoff, fold=-scale), scale


def bonus_tally(table: PayTable) -> Tally:
    """Return how many of the 1 082 900 hands and trump cards fall on each line of the Bonus.

    >>> bonus_tally(BONUS_TABLES["standard"]).counts[0]
    ('straight-flush-of-trumps', 480)
    """
    lines = Counter[str]()
    for hand, count in representatives():
        for trumps in Suit:
            trump_cards = 13 - sum(card.suit is trumps for card in hand)
            lines[bonus_line(hand, trumps)] += count * trump_cards
    return Tally("bonus", tuple((line, lines[line]) for line in (*table.lines, _NOTHING)))


def rnb_tally(table: PayTable) -> Tally:
    """Return in how many deals of hand, dealer's hand and trump card each line of the RnB wins.

    Only colours matter, so the deals are counted by the number of red cards in each place.

    >>> rnb_tally(RNB_TABLES["colours-3-4-5"]).share("player")
    Fraction(2379, 11186)
    """
    lines = Counter[str]()
    for red, dealer_red, trump_red in (
        (i, j, k) for i in range(4) for j in range(4) for k in (0, 1)
    ):
        taken_red, taken_black = red + dealer_red, 6 - red - dealer_red
        ways = (
            comb(26, red)
            * comb(26, 3 - red)
            * comb(26 - red, dealer_red)
            * comb(23 + red, 3 - dealer_red)
            * (26 - taken_red if trump_red else 26 - taken_black)
        )
        reds, blacks = iter(_RED), iter(_BLACK)
        cards = [
            next(reds if place < held else blacks)
            for held, places in ((red, 3), (dealer_red, 3), (trump_red, 1))
            for place in range(places)
        ]
        lines[rnb_line(cards[:3], cards[3:6], cards[6])] += ways
    return Tally("rnb", tuple((line, lines[line]) for line in (*table.lines, _NOTHING)))


def _main(table: PayTable, *, duty: bool) -> tuple[TrickWorth, int]:
    rules, scale = main_rules(table, duty=duty)
    return trick_worth(rules), scale


def _side_gain(tally: Tally, table: PayTable) -> Fraction:
    paid = sum(tally.share(line) * (share(odds) + 1) for line, odds in table.lines.items())
    return Fraction(paid) - 1
