"""Telling a back from a box printed on the cloth: what lies in a printed box is the cloth."""

import cv2
import numpy as np

from vision.geometry import Floats, Image, Quad, grown, rectified

_SIDE, _GROWN = 64, 1.3
"""What is looked at: the card and some of its surroundings, made a square of so many pixels."""
_INNER = slice(13, 51)
"""The middle of the card in that square, clear of its border."""
_RIM = 5
"""Width of the strips of surroundings beside each side, pixels of the square."""
_LIGHTNESS = 0.5
"""What lightness counts against colour: shadows and tinted boxes are common."""
ALIKE, DOUBTFUL, _SIDES = 6.0, 10.0, 2
"""Two colours nearer than this, in CIELAB as OpenCV scales it, are the same cloth when they are so
on two sides: beside the others cards may lie. The second is for what was hardly found."""
_PATTERNED = 3.0
"""A back's pattern varies more than this many times as much as the cloth around.

All were set on 400 training scenes: of 489 backs 1.8 % look like their surroundings (6.3 % by the
second measure), of 131 printed boxes 76 % (79 %)."""


def is_cloth(image: Image, corners: Quad, near: float = ALIKE) -> bool:
    """Say whether a quadrilateral looks inside as it does around: then it is a print, no back.

    Args:
        image: UInt8 (H, W, 3), BGR.
        corners: Where a card may lie face down.
        near: Colours this near are the same.
    """
    seen = rectified(image, grown(corners, _GROWN), (_SIDE, _SIDE))
    colours = cv2.cvtColor(seen, cv2.COLOR_BGR2LAB).astype(np.float32)
    colours[..., 0] *= np.float32(_LIGHTNESS)
    middle = colours[_INNER, _INNER]
    strips = (
        colours[:_RIM, _INNER], colours[-_RIM:, _INNER],
        colours[_INNER, :_RIM], colours[_INNER, -_RIM:],
    )  # fmt: skip
    apart = [float(np.linalg.norm(_colour(strip) - _colour(middle))) for strip in strips]
    weave = max(float(np.median([strip[..., 0].std() for strip in strips])), _LIGHTNESS)
    alike = sorted(apart)[_SIDES - 1] < near
    return alike and float(middle[..., 0].std()) < _PATTERNED * weave


def _colour(part: Floats) -> Floats:
    return np.asarray(np.median(part.reshape(-1, 3), axis=0), dtype=np.float32)
