"""Which of a card's two indices are to be seen in a made-up picture, as far as its labels tell."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.training.camera import Array, project
from vision.training.scene import Label

SMALLEST = 34.0
"""A card of fewer pixels from top to bottom has no index that could be read."""
SEEN, COVERED, UNCLEAR = 1, 0, -1
"""What can be said of an index."""

_PART = np.array([[0.02, 0.02], [0.2, 0.28]])
"""Where an index lies, as shares of the card's width and height."""
_SHOWN, _HALF = 0.8, 0.2
"""Shares of an index from which it is seen, and under which it is covered."""
_UNEQUAL = 0.06
"""A card that shows this much more or less than the cards over it tell is covered by something
else, or its label doesn't say by what."""
_FREE = 0.95
_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_POINTS = np.stack(np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 6)), -1).reshape(-1, 2)


def states(labels: Sequence[Label], number: int, size: tuple[int, int]) -> tuple[int, int]:
    """Return whether a card's two indices are seen, covered or unclear, the upper left one first.

    Args:
        labels: The picture's cards, those above after those below.
        number: Which of them.
        size: The picture's width and height.
    """
    label = labels[number]
    above = [each.quad for each in labels[number + 1 :]]
    shares = _shares(label.quad, above, size)
    whole = _free(label.quad, np.array([[0, 0], [1, 1]]), above, size)
    if label.visible > whole + _UNEQUAL:  # a photograph: nobody said which card lies over which
        others = [each.quad for place, each in enumerate(labels) if place != number]
        first, second = (
            SEEN if share > _FREE else UNCLEAR for share in _shares(label.quad, others, size)
        )
        return first, second
    first, second = (_state(share) for share in shares)
    if label.visible < whole - _UNEQUAL:  # a hand or a chip lies over it, perhaps over an index
        left = [share for share in shares if share >= _HALF]
        if label.index < _SHOWN or len(left) != 1:
            first, second = (each if each == COVERED else UNCLEAR for each in (first, second))
    return first, second


def view(quad: Array) -> Array:
    """Return the mapping from shares of a card to the picture, Float64 (3, 3)."""
    return np.asarray(cv2.getPerspectiveTransform(_UNIT, quad.astype(np.float32)), np.float64)


def _shares(quad: Array, above: Sequence[Array], size: tuple[int, int]) -> tuple[float, float]:
    return _free(quad, _PART, above, size), _free(quad, 1 - _PART[::-1], above, size)


def _state(share: float) -> int:
    return SEEN if share >= _SHOWN else COVERED if share < _HALF else UNCLEAR


def _free(quad: Array, part: Array, above: Sequence[Array], size: tuple[int, int]) -> float:
    """Return which share of a part of a card is in the picture and under no other card."""
    low, high = part
    points = project(view(quad), low + _POINTS * (high - low))
    free = ((points >= 0) & (points < np.array(size))).all(axis=1)
    for other in above:
        apart = (quad.max(axis=0) < other.min(axis=0)) | (other.max(axis=0) < quad.min(axis=0))
        if not apart.any():
            u, v = project(np.asarray(np.linalg.inv(view(other))), points).T
            free &= ~((u > 0) & (u < 1) & (v > 0) & (v < 1))
    return float(free.mean())
