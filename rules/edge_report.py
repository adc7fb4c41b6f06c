"""What an exact computation of house edges found: figures, counts, and how they are written."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Any, Protocol, Self

from rules.events import Wager
from rules.pay import Odds, PayTable


def percent(value: Fraction, places: int = 8) -> str:
    """Return a share of one in percent, rounded to a number of decimal places.

    >>> percent(Fraction(-13483573, 720378400))
    '-1.87173477'
    >>> percent(Fraction(-295, 11186), places=5)
    '-2.63723'
    """
    exact = Context(prec=50).divide(Decimal(100 * value.numerator), Decimal(value.denominator))
    return str(exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN))


def share(odds: Odds) -> Fraction:
    """Return what odds win per unit staked.

    >>> share(Odds(3, 2))
    Fraction(3, 2)
    """
    return Fraction(odds.win, odds.stake)


def pays(table: PayTable) -> dict[str, str]:
    """Return what a pay table pays as JSON values, whatever its name is.

    >>> pays(PayTable("own", {"pair": Odds(1)}))
    {'pair': '1:1'}
    """
    return {line: str(odds) for line, odds in table.lines.items()}


@dataclass(frozen=True, slots=True)
class EdgeFigure:
    """What one wager is worth to a player who makes the best decisions."""

    name: str
    """`main`, or the name of the wager or variant."""
    per: Wager
    """The wager whose stake is the unit; for the main game the ante."""
    gain: Fraction
    """The player's mean gain per unit staked; below zero when the house has the edge."""
    in_force: bool = True
    """False for a variant that is shown for comparison and is not what the table plays."""

    def to_json(self) -> dict[str, object]:
        """Return the figure as JSON values; the fraction is exact, the percentage is rounded.

        >>> EdgeFigure("bonus", Wager.BONUS, Fraction(-1884, 38675)).to_json()["player_ev"]
        '-1884/38675'
        """
        return {
            "name": self.name,
            "per": self.per.value,
            "player_ev": str(self.gain),
            "percent": float(percent(self.gain)),
            "in_force": self.in_force,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the figure that `to_json` wrote.

        >>> figure = EdgeFigure("rnb", Wager.RNB, Fraction(-295, 11186))
        >>> EdgeFigure.from_json(figure.to_json()) == figure
        True
        """
        return cls(
            name=value["name"],
            per=Wager(value["per"]),
            gain=Fraction(value["player_ev"]),
            in_force=value["in_force"],
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of all the equally likely cases fall into each class."""

    name: str
    """What is classed: `bonus`, `points`, `hand` …"""
    counts: tuple[tuple[str, int], ...]
    """The classes in the order of the rules, with their numbers of cases."""

    @property
    def total(self) -> int:
        """The number of all cases.

        >>> Tally("coin", (("heads", 1), ("tails", 1))).total
        2
        """
        return sum(count for _, count in self.counts)

    def share(self, name: str) -> Fraction:
        """Return the share of one class.

        >>> Tally("coin", (("heads", 1), ("tails", 1))).share("heads")
        Fraction(1, 2)
        """
        return Fraction(dict(self.counts)[name], self.total)


@dataclass(frozen=True, slots=True)
class Edges:
    """What an enumeration found, whatever house it was made for."""

    figures: tuple[EdgeFigure, ...]
    tallies: tuple[Tally, ...]
    strategy: str
    """The best decisions in words."""
    element_of_risk: Fraction
    """The main game's edge per unit of all that is staked on average, ante and second wager."""

    def figure(self, name: str) -> EdgeFigure:
        """Return the figure with a name.

        >>> pair_plus = EdgeFigure("pair-plus", Wager.PAIR_PLUS, Fraction(-253, 5525))
        >>> Edges((pair_plus,), (), "", Fraction(0)).figure("pair-plus") == pair_plus
        True
        """
        return next(figure for figure in self.figures if figure.name == name)

    def tally(self, name: str) -> Tally:
        """Return the tally with a name.

        >>> Edges((), (Tally("points", (("0", 96),)),), "", Fraction(0)).tally("points").total
        96
        """
        return next(tally for tally in self.tallies if tally.name == name)

    def to_json(self) -> dict[str, object]:
        """Return the edges as JSON values.

        >>> Edges((), (), "raise 20 or fewer", Fraction(1, 100)).to_json()["element_of_risk"]
        '1/100'
        """
        return {
            "figures": [figure.to_json() for figure in self.figures],
            "element_of_risk": str(self.element_of_risk),
            "element_of_risk_percent": float(percent(self.element_of_risk)),
            "strategy": self.strategy,
            "tallies": {tally.name: dict(tally.counts) for tally in self.tallies},
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the edges that `to_json` wrote.

        >>> edges = Edges((), (Tally("points", (("0", 96),)),), "fold", Fraction(1, 100))
        >>> Edges.from_json(edges.to_json()) == edges
        True
        """
        return cls(
            figures=tuple(EdgeFigure.from_json(figure) for figure in value["figures"]),
            tallies=tuple(
                Tally(name, tuple(counts.items())) for name, counts in value["tallies"].items()
            ),
            strategy=value["strategy"],
            element_of_risk=Fraction(value["element_of_risk"]),
        )


class EdgeTables(Protocol):
    """All that a game's edges depend on: pay tables, thresholds, comparisons."""

    def basis(self) -> Mapping[str, object]:
        """Return it as JSON values: equal ones have equal edges, so results are stored by it."""

    def edges(self) -> Edges:
        """Return the exact edges by enumeration."""

    def unverified(self) -> tuple[str, ...]:
        """Return the names of the figures whose pay table the house has not confirmed."""


def edge_warnings(edges: Edges, unverified: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return one sentence for each pay table that favours the player, or is not confirmed.

    >>> figure = EdgeFigure("main", Wager.ANTE, Fraction(1, 50))
    >>> edge_warnings(Edges((figure,), (), "", Fraction(0)))
    ('main: the pay tables in force give the player an edge of 2.00000 % of the ante',)
    """
    paying = [
        f"{figure.name}: the pay tables in force give the player an edge of "
        f"{percent(figure.gain, 5)} % of the {figure.per.value}"
        for figure in edges.figures
        if figure.in_force and figure.gain > 0
    ]
    return (*paying, *(f"{name}: unverified pay table" for name in unverified))


@dataclass(frozen=True, slots=True)
class EdgeReport:
    """The exact edges of one game under one house's rules."""

    game: str
    house: str
    """The name of the house rules."""
    tables: str
    """`sha256:` of all that the edges depend on."""
    edges: Edges
    warnings: tuple[str, ...]
    stored: bool
    """Whether the edges were looked up rather than enumerated for this report."""
    others: tuple[tuple[str, Edges], ...] = ()
    """The game's other shipped tables with their titles, for a house that compares."""

    def to_json(self) -> dict[str, object]:
        """Return the report as JSON values.

        >>> edges = Edges((), (), "", Fraction(0))
        >>> EdgeReport("a-game", "default", "sha256:0", edges, (), stored=True).to_json()["source"]
        'stored'
        """
        return {
            "game": self.game,
            "house": self.house,
            "tables": self.tables,
            "source": "stored" if self.stored else "enumerated",
            **self.edges.to_json(),
            "warnings": list(self.warnings),
            "other_tables": [
                {"title": title, "figures": [figure.to_json() for figure in edges.figures]}
                for title, edges in self.others
            ],
        }

    def text(self) -> str:
        """Return the report for a reader, one fact a line.

        >>> figure = EdgeFigure("bonus", Wager.BONUS, Fraction(-1884, 38675))
        >>> edges = Edges((figure,), (), "fold nothing", Fraction(0))
        >>> print(EdgeReport("a-game", "default", "sha256:0", edges, (), stored=True).text())
        a-game, house rules: default (stored result for sha256:0)
        bonus: the player's mean gain is -4.87136393 % of the bonus, exactly -1884/38675
        best decisions: fold nothing
        element of risk: 0.000000 %
        """
        origin = "stored result" if self.stored else "enumerated"
        return "\n".join(
            [
                f"{self.game}, house rules: {self.house} ({origin} for {self.tables})",
                *(_figure_line(figure) for figure in self.edges.figures),
                f"best decisions: {self.edges.strategy}",
                f"element of risk: {percent(self.edges.element_of_risk, 6)} %",
                *(_tally_line(tally) for tally in self.edges.tallies),
                *(_other_line(title, edges) for title, edges in self.others),
                *(f"warning: {warning}" for warning in self.warnings),
            ]
        )


def _figure_line(figure: EdgeFigure) -> str:
    remark = "" if figure.in_force else " (for comparison, not in force)"
    return (
        f"{figure.name}{remark}: the player's mean gain is {percent(figure.gain)} % "
        f"of the {figure.per.value}, exactly {figure.gain}"
    )


def _tally_line(tally: Tally) -> str:
    parts = ", ".join(f"{name} {count}" for name, count in tally.counts)
    return f"{tally.name} of {tally.total}: {parts}"


def _other_line(title: str, edges: Edges) -> str:
    figures = ", ".join(
        f"{figure.name} {percent(figure.gain)} %, exactly {figure.gain}" for figure in edges.figures
    )
    return f"for comparison, {title}: {figures}"
