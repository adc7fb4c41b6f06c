"""Finding cards by their outlines: a light border of four straight sides on a darker cloth.

It needs no training and its corners are precise, but it fails where cards overlap or the border is
hidden. So it only proposes: the reader has to agree that there is a card.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import SEARCHED, Box, distinct
from vision.geometry import Floats, Image, Quad, area, height, quad, width

SCORE = 0.5
"""What an outline alone is worth, 0 to 1: enough to be looked at, not enough to be believed."""

_LONG_SIDE = 1280
"""Pixels of the picture that is searched; more finds texture, not cards."""
_SMALLEST = 22.0
"""The least card height, pixels of the searched picture, at which four sides can be told."""
_LARGEST = 0.95
"""The greatest card height, as a part of the picture's short side."""
_NEAREST = (0.5, 1.45)
"""Least and greatest height of one card against the usual one, farther away and nearer: three
cards side by side are 1.6 times as long as one is high."""
_FILLED = 0.88
"""The part of the quadrilateral that the outline must fill: rounded corners leave about 0.98."""
_SQUAREST, _SLIMMEST = 1.0, 2.1
"""Height over width of a card (1.4) seen up to 45° from the side, either way."""
_BLOCKS = (31, 91)
"""Widths, pixels, of the neighbourhood that a border has to be lighter than: near and far cards."""
_LIGHTER = 12
"""By how many grey levels it has to be lighter."""
_MUCH_LIGHTER = 45
"""The same for white borders, among printed lines that are lighter than the cloth, too."""
_SIDES = (0.02, 0.04)
"""Tolerances, as parts of the outline's length, with which it is made a polygon."""


class OutlineDetector:
    """Proposes what has a card's outline."""

    def find(self, image: Image, *, card_height_px: float | None = None) -> tuple[Box, ...]:
        """Return the quadrilaterals that may be cards, precise corners, each scored `SCORE`.

        Args:
            image: UInt8 (H, W, 3), BGR.
            card_height_px: About how high a card is in the picture, when that is known.
        """
        scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
        scales = (scale,) if card_height_px is not None else [scale * part for part in SEARCHED]
        return distinct([box for each in scales for box in _look(image, each, card_height_px)])


def _look(image: Image, scale: float, card_height_px: float | None) -> Iterator[Box]:
    """Give the outlines in a picture that is searched at a part of its size."""
    tall, wide = image.shape[:2]
    size = (max(1, round(wide * scale)), max(1, round(tall * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    # The least of the three colours: high for a white border, low for cloth of any colour.
    light = np.ascontiguousarray(small.min(axis=2))
    limits = _limits(light, None if card_height_px is None else card_height_px * scale)
    for mask in _masks(light):
        for corners in _quads(mask, limits):
            yield Box((corners / np.float32(scale)).astype(np.float32), SCORE, 0.5)


def _limits(light: NDArray[np.uint8], card_height: float | None) -> tuple[float, float]:
    """Return the least and the greatest height of a card, pixels of the searched picture."""
    if card_height is not None:
        return max(_SMALLEST, _NEAREST[0] * card_height), _NEAREST[1] * card_height
    return _SMALLEST, _LARGEST * min(light.shape)


def _masks(light: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Give black-and-white pictures of what is lighter than its surroundings.

    Each also with thin bridges cut, where a printed line or a neighbouring card touches a border.
    """
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))
    for block in _BLOCKS:
        mean = cv2.blur(light, (block, block))
        lighter = (cv2.subtract(light, mean) > _LIGHTER).astype(np.uint8)
        yield lighter
        yield np.asarray(cv2.morphologyEx(lighter, cv2.MORPH_OPEN, kernel), dtype=np.uint8)
    wide_mean = cv2.blur(light, (_BLOCKS[-1],) * 2)
    yield (cv2.subtract(light, wide_mean) > _MUCH_LIGHTER).astype(np.uint8)
    _, split = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield np.asarray(cv2.morphologyEx(split, cv2.MORPH_OPEN, kernel), dtype=np.uint8)


def _quads(mask: NDArray[np.uint8], limits: tuple[float, float]) -> Iterator[Quad]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    least = limits[0] ** 2 / _SLIMMEST / 2
    for contour in contours:
        if len(contour) < 4 or cv2.contourArea(contour) < least:
            continue
        corners = _four_sides(np.asarray(contour, dtype=np.float32))
        if corners is not None and _is_card(corners, limits):
            yield corners


def _four_sides(contour: Floats) -> Quad | None:
    """Return the quadrilateral that an outline nearly is; None when it is none."""
    length = cv2.arcLength(contour, closed=True)
    hull = cv2.convexHull(contour)
    inside = float(cv2.contourArea(contour))
    for tolerance in _SIDES:
        polygon = cv2.approxPolyDP(hull, tolerance * length, closed=True)
        if len(polygon) == 4 and inside >= _FILLED * cv2.contourArea(polygon):
            return upright(polygon.reshape(4, 2).astype(np.float32))
    return None


def upright(points: Floats) -> Quad:
    """Return four corners clockwise, beginning so that the longer sides run from top to bottom.

    Which of a card's two ends is its top cannot be told from its outline: the upper one is taken.
    """
    corners = quad(points)
    first, second = corners[1] - corners[0], corners[2] - corners[1]
    if float(first[0] * second[1] - first[1] * second[0]) < 0:
        corners = corners[::-1].copy()
    if width(corners) > height(corners):
        corners = np.roll(corners, -1, axis=0)
    top, bottom = corners[:2, 1].mean(), corners[2:, 1].mean()
    return quad(corners if top <= bottom else np.roll(corners, -2, axis=0))


def _is_card(corners: Quad, limits: tuple[float, float]) -> bool:
    tall, wide = height(corners), width(corners)
    if not limits[0] <= tall <= limits[1] or wide <= 0:
        return False
    opposite = [
        np.hypot(*(corners[1] - corners[0])) / max(np.hypot(*(corners[2] - corners[3])), 1e-6),
        np.hypot(*(corners[2] - corners[1])) / max(np.hypot(*(corners[3] - corners[0])), 1e-6),
    ]
    even = all(0.7 < ratio < 1 / 0.7 for ratio in opposite)
    whole = area(corners) > 0.6 * tall * wide
    return even and whole and _SQUAREST <= tall / wide <= _SLIMMEST
