"""Drops what cannot be a card of this table by its place or its size: chips, letters, the tray."""

from collections.abc import Sequence

import cv2
import numpy as np

from rules.events import HAND_AREAS, Area, Spot
from vision.detector import Box
from vision.geometry import Floats, centre, height, inside
from vision.layout import TableLayout
from vision.sizes import Sizes

_CARD_AREAS = HAND_AREAS | {Area.TRUMP, Area.PLAYED}
"""Spots on which cards lie and chips do not: what is found there tells how large a card is."""
_SHORTEST, _LONGEST = 0.55, 1.25
"""A card's height as parts of a hand spot's narrow side, for spots drawn snugly or generously."""
_SMALLER, _LARGER = 0.65, 1.5
"""How much a card may be smaller or larger than usual: a camera at 35° sees the far side of a table
at about two thirds of the near side's size."""


class Sieve:
    """Where cards of this table can be, and of which size."""

    def __init__(self, layout: TableLayout, sizes: Sizes) -> None:
        """Begin with a table whose cards have not been seen.

        Args:
            layout: Where the spots are, in pixels of the frames.
            sizes: What is known of the size of the cards; it learns from what is kept.
        """
        self._layout = layout
        points = np.concatenate([place.polygon for place in layout.places])
        hull = cv2.convexHull(points.astype(np.float32))
        self._table: Floats = hull.reshape(-1, 2).astype(np.float32)
        self._narrow = {
            place.spot: min(cv2.minAreaRect(place.polygon)[1])
            for place in layout.places
            if place.spot.area in HAND_AREAS
        }
        self._sizes = sizes

    def cards_among(self, boxes: Sequence[Box]) -> tuple[Box, ...]:
        """Return the boxes that can be cards.

        Until the usual size is known only what lies where cards are dealt is believed.
        """
        usual = self._sizes.seen_height
        kept, at_home = [], []
        for box in boxes:
            middle, tall = centre(box.corners), height(box.corners)
            spot = self._layout.spot_at(middle)
            dealt = spot is not None and spot.area in _CARD_AREAS
            sized = dealt if usual is None else _SMALLER < tall / usual < _LARGER
            if sized and self._fits_layout(spot, tall) and inside(self._table, middle):
                kept.append(box)
                if dealt:
                    at_home.append(box)
        self._sizes.note(at_home)
        return tuple(kept)

    def _fits_layout(self, spot: Spot | None, tall: float) -> bool:
        near = self._narrow.get(spot) if spot is not None else None
        narrow = list(self._narrow.values()) if near is None else [near]
        return not narrow or _SHORTEST * min(narrow) < tall < _LONGEST * max(narrow)
