"""What is doubtful about a table layout that can be read: spots missing, of no use, mixed up."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np

from audit.chain import check_chain_name
from audit.errors import ChainError, SettingsError
from audit.tables import table_filmed
from rules.events import Area, Seat, Spot, Wager
from rules.games import GAMES
from rules.games.base import AnyGame
from vision.layout import SpotPlace, TableLayout

MOST_SHARED = 1 / 3
"""Spots may share up to this part of the smaller one: chips printed close together do, and a card
is where its middle lies. On rendered tables neighbouring wagers share up to 0.26."""

_WAGERS: dict[Area, Wager] = {
    Area.ANTE: Wager.ANTE,
    Area.PLAY_WAGER: Wager.PLAY,
    Area.RAISE: Wager.RAISE,
    Area.BONUS: Wager.BONUS,
    Area.RNB: Wager.RNB,
    Area.PAIR_PLUS: Wager.PAIR_PLUS,
}


def game_of(path: Path, layout: TableLayout) -> AnyGame:
    """Return the game of a layout.

    Args:
        path: The layout's file, for the message.
        layout: What was read from it.

    Raises:
        SettingsError: The game is unknown, or the table's name cannot be used.
    """
    try:
        check_chain_name(layout.table)
    except ChainError as error:
        raise SettingsError(f"{path}: field 'table': {error}") from None
    if (first := table_filmed(layout.table)) != layout.table:
        raise SettingsError(
            f"{path}: field 'table': found {layout.table!r}, expected another name: "
            f"the second camera of a table {first!r} is recorded under it"
        )
    if layout.game not in GAMES:
        raise SettingsError(
            f"{path}: field 'game': found {layout.game!r}, expected one of {', '.join(GAMES)}"
        )
    return GAMES[layout.game]


def layout_faults(layout: TableLayout, game: AnyGame) -> Iterator[str]:
    """Give a line for whatever keeps a layout from being a whole table of a game.

    A layout may be watched with all the same: what has no spot is not seen, and stays open.

    Args:
        layout: What was read from the file.
        game: The game that is played at the table.
    """
    spots = {place.spot for place in layout.places}
    shared = (Area.DEALER, *((Area.TRUMP,) if game.shape.trump else ()))
    for area in shared:
        if Spot(area) not in spots:
            yield f"{area}: found no such spot, expected one: {game.name} has cards there"
    if Spot(Area.TRUMP) in spots and not game.shape.trump:
        yield f"trump: found a spot that {game.name} has no use for, expected none"
    yield from _seat_faults(spots, game)
    for first, second in combinations(layout.places, 2):
        share = 0.0 if _may_share(first, second) else shared_part(first, second)
        if share > MOST_SHARED:
            yield (
                f"{first.spot} and {second.spot}: found spots that share {share:.0%} of the "
                f"smaller one, expected at most {MOST_SHARED:.0%}"
            )


def _seat_faults(spots: set[Spot], game: AnyGame) -> Iterator[str]:
    seats = sorted({Seat(spot.seat) for spot in spots if spot.seat is not None})
    if not seats:
        yield "seats: found none, expected at least one spot seat-1 to seat-6"
    for seat in seats:
        if Spot(Area.HAND, seat) not in spots:
            yield f"seat-{seat}: found no spot where its hand lies, expected one of that name"
    for spot in sorted(spots, key=str):
        wager = _WAGERS.get(spot.area)
        if wager is not None and wager not in game.wagers:
            yield f"{spot}: found a wager that {game.name} does not have, expected none"
        if spot.area is Area.PLAYED and not game.shape.tricks:
            yield f"{spot}: found a spot for played cards, expected none: {game.name} has no tricks"


def _may_share(first: SpotPlace, second: SpotPlace) -> bool:
    """Say whether one is a wager's spot and the other one for cards: the smaller wins there."""
    return (first.spot.area in _WAGERS) != (second.spot.area in _WAGERS)


def shared_part(first: SpotPlace, second: SpotPlace) -> float:
    """Return the area that two spots share, as a part of the smaller one's, to a pixel.

    Their polygons may have any shape, so both are drawn and counted.
    """
    points = np.concatenate([first.polygon, second.polygon])
    low = np.floor(points.min(axis=0))
    wide, tall = (np.ceil(points.max(axis=0)) - low + 1).astype(int).tolist()
    drawn = []
    for place in (first, second):
        mask = np.zeros((tall, wide), np.uint8)
        cv2.fillPoly(mask, [np.rint(place.polygon - low).astype(np.int32)], 1)
        drawn.append(mask)
    return float(np.sum(drawn[0] & drawn[1]) / min(np.sum(drawn[0]), np.sum(drawn[1])))
