"""Exact house edges of the games under the rules of a house: what `pitwatch edge` shows.

The shipped pay tables answer at once from stored results; any others are enumerated, which takes
a moment for rummy and Tri Card Poker and a few seconds for whist.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.edge_report import EdgeReport, Edges, EdgeTables, edge_warnings
from rules.edge_shipped import SHIPPED
from rules.edge_store import stored_edges, tables_hash
from rules.edge_whist import WhistTables
from rules.errors import RulesError, shown
from rules.games import GAMES
from rules.games.rummy import RUMMY, RummyOptions
from rules.games.tri_card import TRI_CARD, TriCardOptions
from rules.games.whist import WHIST
from rules.games.whist_options import WhistOptions
from rules.house import HouseRules, default_house, house_warnings


def _whist(options: WhistOptions) -> EdgeTables:
    return WhistTables(options.main, options.bonus, options.rnb)


def _rummy(options: RummyOptions) -> EdgeTables:
    return options.tables


def _tri_card(options: TriCardOptions) -> EdgeTables:
    return options.tables


_TABLES: Mapping[str, Callable[[Any], EdgeTables]] = {
    WHIST.name: _whist,
    RUMMY.name: _rummy,
    TRI_CARD.name: _tri_card,
}


def edge(
    game: str, house: HouseRules | None = None, *, enumerate_again: bool = False
) -> EdgeReport:
    """Return the exact edges of a game under the rules of a house.

    Args:
        game: The game's name.
        house: The house rules; the shipped ones by default.
        enumerate_again: Enumerate even where a stored result is at hand, to check it.

    Raises:
        RulesError: No edges can be computed for a game of that name.

    >>> report = edge("three-card-whist")
    >>> report.edges.figure("main").gain, report.stored
    (Fraction(-13483573, 720378400), True)
    """
    house = house or default_house()
    tables = edge_tables(game, house)
    stored = None if enumerate_again else stored_edges(tables)
    edges = stored or tables.edges()
    return EdgeReport(
        game=game,
        house=house.name,
        tables=tables_hash(tables),
        edges=edges,
        warnings=edge_warnings(edges, tables.unverified()),
        stored=stored is not None,
        others=tuple(_others(tables)),
    )


def _others(tables: EdgeTables) -> Iterator[tuple[str, Edges]]:
    """Give the game's other shipped tables that have stored edges."""
    for title, shipped in SHIPPED.items():
        known = stored_edges(shipped)
        same_game = shipped.basis()["game"] == tables.basis()["game"]
        if same_game and known is not None and tables_hash(shipped) != tables_hash(tables):
            yield title, known


def edge_tables(game: str, house: HouseRules) -> EdgeTables:
    """Return all that a game's edges depend on under the rules of a house.

    Raises:
        RulesError: No edges can be computed for a game of that name.

    >>> edge_tables("tri-card-poker", default_house()).basis()["game"]
    'tri-card-poker'
    """
    tables = _TABLES.get(game)
    if tables is None or game not in house.options:
        raise RulesError(
            f"no exact edges for the game {shown(game)} (expected one of {', '.join(_TABLES)})"
        )
    return tables(house.options[game])


def all_warnings(house: HouseRules) -> tuple[str, ...]:
    """Return all that a house should know of its pay tables, those that favour the player included.

    More than `house_warnings` it enumerates whist tables of the house's own, which takes seconds.

    >>> len(all_warnings(default_house()))
    2
    """
    paying = [
        f"{GAMES[game].titles['en']}: {warning}"
        for game in _TABLES
        for warning in edge_warnings(edge(game, house).edges)
    ]
    return tuple(dict.fromkeys((*house_warnings(house), *paying)))
