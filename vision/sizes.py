"""How large the cards of a table are: by the layout, then as they were seen, place by place.

A camera that looks at a table slantwise sees far cards smaller. For a flat table the area of a card
in the picture is the cube of something that changes evenly across it, whichever way the card lies
(the Jacobian of a homography). So a few cards that were read surely tell the size of all places.
"""

from collections import deque
from collections.abc import Iterable

import cv2
import numpy as np

from rules.events import HAND_AREAS
from vision.detector import Box
from vision.geometry import area, centre, height
from vision.layout import TableLayout
from vision.reader import BACK

_LIKELY = 0.85
"""A card's height as a part of a hand spot's narrow side, before any card was seen: spots are drawn
at 0.55 to 1.25 of it, and a printed box about three cards is not to be taken for one."""
_KNOWN_AFTER = 5
"""Cards seen before their usual height is believed."""
_REMEMBERED = 200
_SURE_FACE = 0.85
"""A face that is read this surely lies where its corners are."""
_PLACES = 4
"""Places at which sure faces were seen before the size of others is told."""
_GRID = 24
"""Cells across the picture; each tells its size once, however long a card lies in it."""
_OFF, _UNEVEN = 0.02, 0.4
"""How far sure corners are off, and how much sizes differ from one side of a picture to the other,
as parts of a card's size: with few places seen the first must not be taken for the second."""


class Sizes:
    """What is known of the size of this table's cards."""

    def __init__(self, layout: TableLayout) -> None:
        """Begin with a table whose cards have not been seen.

        Args:
            layout: Where the spots are, in pixels of the frames.
        """
        narrow = [
            min(cv2.minAreaRect(place.polygon)[1])
            for place in layout.places
            if place.spot.area in HAND_AREAS
        ]
        self._by_layout = _LIKELY * float(np.median(narrow)) if narrow else None
        self._cell = layout.width / _GRID
        self._heights: deque[float] = deque(maxlen=_REMEMBERED)
        self._roots: dict[tuple[int, int], tuple[float, float, float]] = {}
        self._plane: tuple[float, float, float] | None = None

    @property
    def card_height(self) -> float | None:
        """The usual height of a card in pixels: as seen, before that as the layout has it.

        None where nothing was seen and the layout has no spot for three cards.
        """
        return self._by_layout if self.seen_height is None else self.seen_height

    @property
    def seen_height(self) -> float | None:
        """The usual height of the cards that were seen, pixels; None before there were some."""
        return float(np.median(self._heights)) if len(self._heights) >= _KNOWN_AFTER else None

    def note(self, boxes: Iterable[Box]) -> None:
        """Learn from cards that lie where cards are dealt."""
        fresh = False
        for box in boxes:
            self._heights.append(height(box.corners))
            if box.row is None or float(box.row[:BACK].max()) < _SURE_FACE:
                continue
            x, y = centre(box.corners)
            cell = int(x // self._cell), int(y // self._cell)
            entry = (x, y, float(np.cbrt(area(box.corners))))
            fresh = fresh or self._roots.get(cell) != entry
            self._roots[cell] = entry
        if fresh and len(self._roots) >= _PLACES:
            self._plane = _even_plane(np.array(list(self._roots.values())), self._cell * _GRID)

    def area_at(self, point: tuple[float, float]) -> float | None:
        """Return the area, square pixels, of a card about a point; None while that is not known."""
        if self._plane is None:
            return None
        level, across, down = self._plane
        return float(max(level + across * point[0] + down * point[1], 1.0) ** 3)


def _even_plane(places: np.ndarray, wide: float) -> tuple[float, float, float]:
    """Fit root = level + across x + down y; one place in four may be wrong altogether."""
    usual = float(np.median(places[:, 2]))
    at = places[:, :2] / wide - 0.5
    roots = places[:, 2] / usual - 1
    design = np.column_stack([np.ones(len(at)), at])
    weights = np.ones(len(at))
    even = np.diag([1e-6, 1, 1]) * (_OFF / _UNEVEN) ** 2
    for _ in range(6):
        weighed = design * weights[:, None]
        found = np.linalg.solve(weighed.T @ design + even, weighed.T @ roots)
        off = np.abs(roots - design @ found)
        weights = 1 / (1 + (off / max(_OFF, float(np.median(off)))) ** 2)
    level, across, down = (float(value) * usual for value in found)
    level += usual - (across + down) / 2
    return level, across / wide, down / wide
