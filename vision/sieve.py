"""Drops what cannot be a card of this table by its place or its size: chips, letters, the tray."""

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np

from rules.events import Area, Spot
from vision.detector import Box
from vision.geometry import Floats, centre, height, inside
from vision.layout import TableLayout

_HAND_AREAS = frozenset((Area.DEALER, Area.HAND))
"""Spots drawn round a row of three cards: their narrow side is a little longer than a card."""
_CARD_AREAS = _HAND_AREAS | {Area.TRUMP, Area.PLAYED}
"""Spots on which cards lie and chips do not: what is found there tells how large a card is."""
_SHORTEST, _LONGEST = 0.55, 1.25
"""A card's height as parts of a hand spot's narrow side, for spots drawn snugly or generously."""
_LIKELY = 0.85
"""A card's height as a part of a hand spot's narrow side, before any card was seen: between the two
above, so that a printed box about three cards is not taken for one."""
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
        """The usual height of a card in pixels: as seen, before that as the layout has it.

        None where nothing was seen and the layout has no spot for three cards.
        """
        seen = self._seen_height()
        if seen is not None or not self._narrow:
            return seen
        return _LIKELY * float(np.median(list(self._narrow.values())))

    def _seen_height(self) -> float | None:
        if len(self._heights) < _KNOWN_AFTER:
            return None
        return float(np.median(self._heights))

    def cards_among(self, boxes: Sequence[Box]) -> tuple[Box, ...]:
        """Return the boxes that can be cards.

        Until the usual size is known only what lies where cards are dealt is believed.
        """
        usual = self._seen_height()
        kept = []
        for box in boxes:
            middle, tall = centre(box.corners), height(box.corners)
            spot = self._layout.spot_at(middle)
            dealt = spot is not None and spot.area in _CARD_AREAS
            sized = dealt if usual is None else _SMALLER < tall / usual < _LARGER
            if sized and self._fits_layout(spot, tall) and inside(self._table, middle):
                kept.append(box)
                if dealt:
                    self._heights.append(tall)
        return tuple(kept)

    def _fits_layout(self, spot: Spot | None, tall: float) -> bool:
        near = self._narrow.get(spot) if spot is not None else None
        narrow = list(self._narrow.values()) if near is None else [near]
        return not narrow or _SHORTEST * min(narrow) < tall < _LONGEST * max(narrow)
