"""Quadrilaterals on the image plane: the shapes of cards, in pixels."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture, UInt8 (H, W, 3), blue-green-red; one is only read, never written to."""

Floats = NDArray[np.float32]
"""Numbers of a network or of the image plane; the shape is said where it is used."""

Quad = NDArray[np.float32]
"""Four corners, Float32 (4, 2), x and y in pixels, clockwise from the card's own top left."""


_FINEST = 8
"""A card of more than this times the wanted size is first read at so many pixels for one."""


def quad(points: Sequence[Sequence[float]] | NDArray[np.generic]) -> Quad:
    """Return four points as a quadrilateral.

    Raises:
        ValueError: There are not four points of two numbers.
    """
    found = np.asarray(points, dtype=np.float32)
    if found.shape != (4, 2):
        raise ValueError(f"expected the shape (4, 2), but got {found.shape}")
    return found


def oriented_box(centre: tuple[float, float], size: tuple[float, float], angle: float) -> Quad:
    """Return the corners of a rotated rectangle, its long side taken for the card's height.

    Args:
        centre: x and y in pixels.
        size: Width and height in pixels, the width along `angle`.
        angle: Radians, clockwise on the screen as y points down.
    """
    width, height = size
    if width > height:
        width, height, angle = height, width, angle + np.pi / 2
    across = np.array([np.cos(angle), np.sin(angle)]) * width / 2
    down = np.array([-np.sin(angle), np.cos(angle)]) * height / 2
    if down[1] < 0:  # a card looks the same turned by 180°: the top is the upper end
        across, down = -across, -down
    corners = (-across - down, across - down, across + down, -across + down)
    return quad(np.asarray(centre) + np.stack(corners))


def turned(corners: Quad, quarters: int) -> Quad:
    """Return the same place with the card's own top left that many corners further on."""
    return np.roll(corners, -quarters, axis=0)


def grown(corners: Quad, factor: float) -> Quad:
    """Return the quadrilateral scaled about its centre."""
    middle = corners.mean(axis=0)
    return quad(middle + (corners - middle) * factor)


def area(polygon: Floats) -> float:
    """Return the area of a polygon, square pixels."""
    return float(cv2.contourArea(polygon.astype(np.float32)))


def centre(corners: Quad) -> tuple[float, float]:
    """Return the mean of the corners."""
    x, y = corners.mean(axis=0)
    return float(x), float(y)


def height(corners: Quad) -> float:
    """Return the mean length of the two sides that run from top to bottom, pixels."""
    right, left = corners[2] - corners[1], corners[3] - corners[0]
    return float((np.hypot(*right) + np.hypot(*left)) / 2)


def width(corners: Quad) -> float:
    """Return the mean length of the top and the bottom, pixels."""
    top, bottom = corners[1] - corners[0], corners[2] - corners[3]
    return float((np.hypot(*top) + np.hypot(*bottom)) / 2)


def intersection(first: Quad, second: Quad) -> float:
    """Return the area that two convex quadrilaterals share, square pixels."""
    apart = (first.max(axis=0) < second.min(axis=0)) | (second.max(axis=0) < first.min(axis=0))
    if apart.any():
        return 0.0
    shared, _ = cv2.intersectConvexConvex(first, second)
    return float(max(shared, 0.0))


def overlap(first: Quad, second: Quad) -> float:
    """Return intersection over union, 0 to 1."""
    shared = intersection(first, second)
    union = area(first) + area(second) - shared
    return shared / union if union > 0 else 0.0


def hidden_part(under: Quad, over: Quad) -> float:
    """Return which part of the first, 0 to 1, lies under the second."""
    whole = area(under)
    return intersection(under, over) / whole if whole > 0 else 0.0


def inside(polygon: Floats, point: tuple[float, float]) -> bool:
    """Say whether a point lies in a polygon or on its edge."""
    return cv2.pointPolygonTest(polygon.astype(np.float32), point, measureDist=False) >= 0


def distance(first: Quad, second: Quad) -> float:
    """Return how far two quadrilaterals' centres are apart, pixels."""
    return float(np.hypot(*(first.mean(axis=0) - second.mean(axis=0))))


def convex(corners: Quad) -> bool:
    """Say whether the four corners make a convex shape that does not cross itself."""
    return bool(cv2.isContourConvex(corners.astype(np.float32)))


def rectified(image: Image, corners: Quad, size: tuple[int, int]) -> Image:
    """Return what lies within four corners, upright and stretched to a size.

    What has to be shrunk is averaged, not skipped: a card of 600 pixels would otherwise lose its
    thin lines and gain patterns that it doesn't have.

    Args:
        image: UInt8 (H, W, 3).
        corners: The first one comes to the top left, the others follow clockwise.
        size: Width and height in pixels.

    Returns:
        UInt8 (height, width, 3).
    """
    reach = max(height(corners) / size[1], width(corners) / size[0])
    finer = int(np.clip(round(reach), 1, _FINEST))
    wide, tall = size[0] * finer, size[1] * finer
    target = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], dtype=np.float32)
    way = cv2.getPerspectiveTransform(corners.astype(np.float32), target - np.float32(0.5))
    crop = cv2.warpPerspective(
        image, way, (wide, tall), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if finer > 1:
        crop = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
    return np.asarray(crop, dtype=np.uint8)
