"""Backs side by side: two of them have the shape of one larger card, and are often taken for it.

How high a card is tells them apart: a box that is longer than a card is as high may be a row of
two or three. Its parts are proposed as well, and where each of them has a card's four edges the
whole is none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision.detector import Box
from vision.geometry import Quad, area, height, hidden_part, quad, width

_LONG = 1.15
"""What is longer than this, in usual card heights, may be a row. A near card is so long as well, so
that the edges have to decide."""
_SHAPES = {2: (1.2, 1.9), 3: (1.9, 2.8)}
"""Least and greatest length over depth of a row of so many: a card is 0.71 as wide as high, and
dealt cards lie up to a fifth of their width apart."""
_EDGED = 0.7
"""Edge support from which a part is a card of its own: within one back no line is that straight."""
_WITHIN, _SMALLER, _FILLED = 0.8, 0.7, 0.7
"""A part lies within the whole, is that much smaller, and the parts together fill it."""


def parts(boxes: Sequence[Box], card_height: float) -> Iterator[Box]:
    """Give the cards that a box shows if it is a row of them.

    Args:
        boxes: What the detector found.
        card_height: About how high a card is there, pixels.
    """
    for box in boxes:
        if box.back < 0.5:
            continue
        corners = _lengthwise(box.corners)
        if height(corners) < _LONG * card_height:
            continue
        shape = height(corners) / max(width(corners), 1.0)
        for count, (least, most) in _SHAPES.items():
            if least <= shape < most:
                yield from (replace(box, corners=each) for each in _cut(corners, count))


def _lengthwise(corners: Quad) -> Quad:
    """Return the corners beginning so that the longer sides run from top to bottom."""
    return corners if height(corners) >= width(corners) else quad(np.roll(corners, -1, axis=0))


def _cut(corners: Quad, count: int) -> Iterator[Quad]:
    """Give equal parts of a row, each beginning so that its longer sides run down."""
    left, right = corners[3] - corners[0], corners[2] - corners[1]
    for number in range(count):
        start, end = np.float32(number / count), np.float32((number + 1) / count)
        yield quad(
            np.stack(
                [
                    corners[1] + right * start,
                    corners[1] + right * end,
                    corners[0] + left * end,
                    corners[0] + left * start,
                ]
            )
        )


def without_rows(boxes: list[Box]) -> list[Box]:
    """Return the boxes without those that are rows: two cards or more with edges of their own."""
    edged = [box for box in boxes if box.back >= 0.5 and min(box.sides) >= _EDGED]
    return [box for box in boxes if box.back < 0.5 or not _is_row(box, edged)]


def _is_row(box: Box, edged: Sequence[Box]) -> bool:
    whole = area(box.corners)
    apart: list[Box] = []
    for part in edged:
        smaller = area(part.corners) < _SMALLER * whole
        if not smaller or hidden_part(part.corners, box.corners) < _WITHIN:
            continue
        if all(hidden_part(part.corners, other.corners) < 1 - _WITHIN for other in apart):
            apart.append(part)
    return len(apart) > 1 and sum(area(part.corners) for part in apart) >= _FILLED * whole
