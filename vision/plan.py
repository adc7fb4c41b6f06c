"""Drawing a table layout over a frame, with rulers along the edges: to look at, not to read."""

from functools import cache

import cv2
import numpy as np

from rules.events import Area
from vision.geometry import Floats, Image
from vision.layout import SpotPlace, TableLayout

Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""

_DARK: Colour = (30, 26, 22)
_PALE: Colour = (245, 245, 240)
_COLOURS: dict[Area, Colour] = {
    Area.DEALER: (90, 190, 255),
    Area.TRUMP: (90, 190, 255),
    Area.DISCARD: (190, 190, 190),
    Area.HAND: (120, 230, 90),
    Area.PLAYED: (255, 190, 90),
}
"""Whoever lays cards there; the spots of wagers have a colour of their own."""
_WAGER: Colour = (205, 140, 255)

_TICK, _STEP, _FINE = 100, 50, 10
"""Pixels between two numbers, two long and two short marks of a ruler."""


def plan(image: Image, layout: TableLayout | None = None) -> Image:
    """Return a copy of a frame with a layout's spots outlined and named, and with rulers.

    The rulers count pixels of the layout's frame, as its polygons do; without a layout those of the
    picture.

    Args:
        image: UInt8 (H, W, 3), BGR; it is not written to.
        layout: The spots to draw, if any.

    Raises:
        LayoutError: The layout's frame has another shape than the picture.
    """
    picture = image.copy()
    tall, wide = image.shape[:2]
    across = wide
    if layout is not None:
        _draw(picture, layout.scaled(wide, tall).places)
        across = layout.width
    _rulers(picture, wide / across)
    return picture


def _draw(picture: Image, places: tuple[SpotPlace, ...]) -> None:
    veil = picture.copy()
    for place in places:
        cv2.fillPoly(veil, [_points(place.polygon)], _colour(place))
    cv2.addWeighted(veil, 0.22, picture, 0.78, 0, dst=picture)
    for place in places:
        cv2.polylines(picture, [_points(place.polygon)], True, _DARK, 3, cv2.LINE_AA)
        cv2.polylines(picture, [_points(place.polygon)], True, _colour(place), 1, cv2.LINE_AA)
    for place in places:
        _name(picture, place)


def _colour(place: SpotPlace) -> Colour:
    return _COLOURS.get(place.spot.area, _WAGER)


def _points(polygon: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.rint(polygon).astype(np.int32)


def _name(picture: Image, place: SpotPlace) -> None:
    """Write a spot's name at its middle; that of a wager without its seat, which is drawn about."""
    size = max(11, round(picture.shape[1] / 110))
    text = str(place.spot) if place.spot.area in _COLOURS else place.spot.area.value
    x, y = place.polygon.mean(axis=0)
    _write(picture, text, (round(float(x)), round(float(y))), size)


def _write(picture: Image, text: str, middle: tuple[int, int], size: int) -> None:
    tall, wide = picture.shape[:2]
    left, top, width, height = cv2.getTextSize((wide, tall), text, (0, 0), _font(), size, 600)
    x = int(np.clip(middle[0] - width // 2, 2, max(2, wide - width - 2)))
    y = int(np.clip(middle[1] - height // 2, 2, max(2, tall - height - 2)))
    low, high = (x - 3, y - 2), (x + width + 3, y + height + 2)
    cv2.rectangle(picture, low, high, _DARK, -1)
    cv2.putText(picture, text, (x - left, y - top), _PALE, _font(), size, 600)


def _rulers(picture: Image, scale: float) -> None:
    """Draw marks along the upper and the left edge.

    Args:
        picture: Drawn into.
        scale: Pixels of the picture for one of the layout's frame.
    """
    tall, wide = picture.shape[:2]
    size = max(11, round(wide / 110))
    for across, end in ((True, wide), (False, tall)):
        for mark in range(0, int(end / scale), _FINE):
            at = round(mark * scale)
            length = size if mark % _TICK == 0 else size // 2 if mark % _STEP == 0 else size // 4
            for colour, thick in ((_DARK, 3), (_PALE, 1)):
                tip = (at, length) if across else (length, at)
                cv2.line(picture, (at, 0) if across else (0, at), tip, colour, thick)
            if mark % _TICK == 0 and mark:
                middle = (at, 2 * size) if across else (3 * size, at)
                _write(picture, str(mark), middle, size)


@cache
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")
