"""Boxes printed on the cloth, in a card's size: what a table has most of that looks like a back.

They are drawn onto the pictures as these are learned from, so no picture shows the same ones twice.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.camera import Array
from vision.training.scene import Label

Pixels = NDArray[np.uint8]
Random = np.random.Generator

_SHARE, _MOST = 0.35, 3
"""Share of the pictures that get boxes, and how many at most: with more, backs with a light border
were taken for boxes."""
_CLEAR = 1.1
"""A print keeps this many of its own heights away from the middle of any card."""
_CARDS_WIDE = (1, 1, 1, 2, 3)
"""A box is for one card, or for a row of two or three."""


def with_boxes(
    picture: Pixels, labels: Sequence[Label], rng: Random
) -> tuple[Pixels, tuple[Array, ...]]:
    """Return a picture, one in three with up to three printed boxes, and their corners.

    Args:
        picture: UInt8 (H, W, 3), RGB; it is not changed.
        labels: The cards in it; boxes keep away from them.
        rng: The source of chance.

    Returns:
        The picture, and each box's corners, Float64 (4, 2), clockwise.
    """
    drawn = picture.copy()
    boxes = []
    for _ in range(int(rng.integers(1, _MOST + 1)) if rng.random() < _SHARE else 0):
        box, tall = _box(picture, labels, rng)
        if all(np.hypot(*(one.quad.mean(0) - box.mean(0))) > _CLEAR * tall for one in labels):
            _print(drawn, box, tall, rng)
            boxes.append(box)
    return drawn, tuple(boxes)


def _box(picture: Pixels, labels: Sequence[Label], rng: Random) -> tuple[Array, float]:
    """Return the corners of a box somewhere, about as large as the cards there, and its height."""
    high, broad = picture.shape[:2]
    usual = [float(np.linalg.norm(one.quad[3] - one.quad[0])) for one in labels]
    tall = float(np.median(usual)) if usual else float(rng.uniform(30, 130))
    tall *= float(rng.uniform(0.8, 1.3))
    wide = tall * float(rng.uniform(0.62, 0.8)) * int(rng.choice(_CARDS_WIDE))
    middle = rng.uniform((0, 0), (broad, high))
    turn = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.6 else 0.0
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    half = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2
    leaning = half * (1 + rng.uniform(-0.08, 0.08, (4, 2)))
    return np.asarray(leaning @ spin + middle, np.float64), max(tall, wide)


def _print(picture: Pixels, box: Array, tall: float, rng: Random) -> None:
    """Draw a box's outline in a light or a strange ink, now and then with a sign in it."""
    ink = rng.uniform(150, 250, 3) if rng.random() < 0.75 else rng.uniform(0, 255, 3)
    cloth = picture[
        int(np.clip(box[0, 1], 0, picture.shape[0] - 1)),
        int(np.clip(box[0, 0], 0, picture.shape[1] - 1)),
    ]
    worn = float(rng.uniform(0.0, 0.6))
    mixed = tuple(float(v) for v in ink * (1 - worn) + cloth.astype(np.float64) * worn)
    line = max(1, round(tall * float(rng.uniform(0.01, 0.05))))
    cv2.polylines(picture, [np.rint(box).astype(np.int32)], True, mixed, line, cv2.LINE_AA)
    if rng.random() < 0.3:
        x, y = (int(v) for v in box.mean(axis=0) + rng.normal(0, tall * 0.15, 2))
        sign = str(rng.choice(list("0123456789AKQJ♠x")))
        cv2.putText(picture, sign, (x, y), cv2.FONT_HERSHEY_SIMPLEX, tall / 60, mixed, line)
