"""Drops what cannot be a card of this table by its place or its size: chips, letters, the tray."""

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np

from rules.events import Area
from vision.detector import Box
from vision.geometry import Floats, centre, height, inside
from vision.layout import TableLayout

_CARD_AREAS = frozenset((Area.DEALER, Area.TRUMP, Area.HAND, Area.PLAYED))
"""Spots on which cards lie and chips do not: what is found there tells how large a card is."""
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
        self._table: Floats = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2)
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
        found = [box for box in boxes if inside(self._table, centre(box.corners))]
        dealt = [box for box in found if self._is_dealt(box)]
        usual = self.card_height
        if usual is None:
            kept = dealt
        else:
            kept = [box for box in found if _SMALLER < height(box.corners) / usual < _LARGER]
        self._heights.extend(height(box.corners) for box in kept if self._is_dealt(box))
        return tuple(kept)

    def _is_dealt(self, box: Box) -> bool:
        spot = self._layout.spot_at(centre(box.corners))
        return spot is not None and spot.area in _CARD_AREAS
