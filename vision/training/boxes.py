"""Oriented boxes out of the detector's raw output, and how well they match labels."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.batches import Floats, corners
from vision.training.camera import Array


def decode(raw: Floats, *, least: float = 0.25, most: int = 200) -> list[tuple[Array, int, float]]:
    """Return the boxes of one picture as corners, class and score, best first.

    Args:
        raw: Float32 (4 + classes + 1, N), as the exported detector gives it.
        least: The least score.
        most: The most boxes looked at.
    """
    scores = raw[4:-1]
    kinds, best = scores.argmax(axis=0), scores.max(axis=0)
    order = np.argsort(-best)[:most]
    kept: list[tuple[Array, int, float]] = []
    for pick in order[best[order] >= least]:
        x, y, w, h = (float(v) for v in raw[:4, pick])
        quad = corners((x, y, w, h, float(raw[-1, pick])))
        if all(overlap(quad, other) < 0.6 for other, _, _ in kept):
            kept.append((quad, int(kinds[pick]), float(best[pick])))
    return kept


def overlap(one: Array, other: Array) -> float:
    """Return intersection over union of two convex quads."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(a, b)
    union = cv2.contourArea(a) + cv2.contourArea(b) - common
    return float(common / union) if union > 0 else 0.0


def match(
    found: Sequence[tuple[Array, int, float]], wanted: Sequence[tuple[Array, int]]
) -> NDArray[np.float64]:
    """Return counts: right, wrong side, missed, extra, and the sum of overlaps of those found."""
    taken: set[int] = set()
    right = wrong = extra = 0
    total = 0.0
    for quad, kind, _ in found:
        values = [
            overlap(quad, each) if i not in taken else 0.0 for i, (each, _) in enumerate(wanted)
        ]
        best = int(np.argmax(values)) if values else -1
        if best < 0 or values[best] < 0.5:
            extra += 1
            continue
        taken.add(best)
        total += values[best]
        if wanted[best][1] == kind:
            right += 1
        else:
            wrong += 1
    return np.array([right, wrong, len(wanted) - len(taken), extra, total], np.float64)
