"""The games, by name.

The `Game` protocol of `rules.games.base` is stable: a new game is one module that satisfies it and
one line in `GAMES`. docs/adding-a-game.md shows one.
"""

from collections.abc import Mapping

from rules.games.base import AnyGame
from rules.games.rummy import RUMMY
from rules.games.tri_card import TRI_CARD
from rules.games.whist import WHIST

GAMES: Mapping[str, AnyGame] = {
    WHIST.name: WHIST,
    RUMMY.name: RUMMY,
    TRI_CARD.name: TRI_CARD,
}
"""Every game that records may name."""
