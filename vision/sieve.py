"""Drops what cannot be a card of this table by its place or its size: chips, letters, the tray."""

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np

from rules.events import Area
from vision.detector import Box
from vision.geometry import Floats, centre, height, inside
from vision.layout import TableLayout

_HAND_AREAS = frozenset((Area.DEALER, Area.HAND))
"""Spots drawn round a row of three cards: their narrow side is a little longer than a card."""
_CARD_AREAS = _HAND_AREAS | {Area.TRUMP, Area.PLAYED}
"""Spots on which cards lie and chips do not: what is found there tells how large a card is."""
_SHORTEST, _LONGEST = 0.55, 1.25
"""A card's height as parts of a hand spot's narrow side, for spots drawn snugly or generously."""
_KNOWN_AFTER = 5
"""Cards seen before their usual size is believed."""
_REMEMBERED = 200
_SMALLER, _LARGER = 0.65, 1.5
"""How much a card may be smaller or larger than usual: a camera at 35° sees the far side of a table
at about two thirds of the near side's size."""


class Sieve:
    """What is known of the size of this table's cards, and where they can be."""

    def __init__(self, layout: TableLayout) -> None:
        """Begin with a table whose cards have not been seen.

        Args:
            layout: Where the spots are, in pixels of the frames.
        """
        self._layout = layout
        points = np.concatenate([place.polygon for place in layout.places])
        hull = cv2.convexHull(points.astype(np.float32))
        self._table: Floats = hull.reshape(-1, 2).astype(np.float32)
        self._narrow = {
            place.spot: min(cv2.minAreaRect(place.polygon)[1])
            for place in layout.places
            if place.spot.area in _HAND_AREAS
        }
        self._heights: deque[float] = deque(maxlen=_REMEMBERED)

    @property
    def card_height(self) -> float | None:
        """The usual height of a card in pixels, once some have been seen."""
        if len(self._heights) < _KNOWN_AFTER:
            return None
        return float(np.median(self._heights))

    def cards_among(self, boxes: Sequence[Box]) -> tuple[Box, ...]:
        """Return the boxes that can be cards.

        Until the usual size is known only what lies where cards are dealt is believed.
        """
        usual = self.card_height
        kept = [box for box in boxes if self._is_possible(box, usual)]
        self._heights.extend(height(box.corners) for box in kept if self._is_dealt(box))
        return tuple(kept)

    def _is_possible(self, box: Box, usual: float | None) -> bool:
        tall = height(box.corners)
        if not inside(self._table, centre(box.corners)) or not self._fits_layout(box, tall):
            return False
        if usual is None:
            return self._is_dealt(box)
        return _SMALLER < tall / usual < _LARGER

    def _fits_layout(self, box: Box, tall: float) -> bool:
        spot = self._layout.spot_at(centre(box.corners))
        narrow = [self._narrow[spot]] if spot in self._narrow else list(self._narrow.values())
        return not narrow or _SHORTEST * min(narrow) < tall < _LONGEST * max(narrow)

    def _is_dealt(self, box: Box) -> bool:
        spot = self._layout.spot_at(centre(box.corners))
        return spot is not None and spot.area in _CARD_AREAS
