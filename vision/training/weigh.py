"""How much a card's whole face and its indices count, fitted where both were found by the model.

The reader alone is calibrated on cards whose corners are known. Here the cards are those that the
detector finds and the refiner places, right or wrong, as on a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK
from vision.detector import OnnxDetector
from vision.geometry import Floats, Image, Quad, overlap, quad
from vision.index_reader import OnnxIndexReader
from vision.indices import Index, OnnxIndexFinder
from vision.reader import BACK, REJECT, OnnxReader
from vision.reading import Weighing, fused, owned_by
from vision.refine import OnnxRefiner
from vision.training.batches import Rows
from vision.training.calibrate import STRICT, calibration_error
from vision.training.scene import Label
from vision.weights import load_weights

_FACE = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
_INDEX = (0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 1.8, 2.2)
_COVERED = (0.01, 0.03, 0.1, 0.3, 0.6)
"""What is tried of each; all together."""
_SHARPER = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5)
_SAME, _OTHER = 0.6, 0.3
"""Overlap from which a box is a labelled card, and under which it is none; between, nobody asks."""
_SMALLEST, _SEEN = 40.0, 0.6
"""Nobody promised to read a card of fewer pixels from top to bottom, or of which less is seen."""


@dataclass(frozen=True, slots=True)
class Found:
    """One box that the model placed, and what is there."""

    row: Floats
    """Float32 (54,), of the whole face."""
    own: tuple[Index, ...]
    """The indices that belong to it."""
    wanted: int
    """The true class."""


class Placer:
    """The networks of a folder, asked one after the other."""

    def __init__(self, models: Path) -> None:
        """Load them.

        Raises:
            ModelError: One is missing or of another form.
        """
        weights = load_weights(models)
        self._detector = OnnxDetector(weights["detector"])
        self._refiner = OnnxRefiner(weights["refiner"])
        self._reader = OnnxReader(weights["reader"])
        self._indices = OnnxIndexFinder(
            weights["indices"], OnnxIndexReader(weights["index_reader"])
        )

    def found(self, image: Image, labels: Sequence[Label]) -> list[Found]:
        """Return the boxes in a picture of which the labels tell what they are."""
        boxes = [box.corners for box in self._detector.find(image)]
        quads = self._refiner.refine(image, boxes)
        told = [
            (corners, wanted)
            for corners in quads
            if (wanted := _class_of(corners, labels)) is not None
        ]
        placed = [corners for corners, _ in told]
        rows = self._reader.read(image, placed)
        indices = self._indices.find(image, placed)
        return [
            Found(row, owned_by(indices, corners), wanted)
            for row, (corners, wanted) in zip(rows, told, strict=True)
        ]


def _class_of(corners: Quad, labels: Sequence[Label]) -> int | None:
    """Return what a box should be read as, None where nobody could say."""
    shared = [overlap(corners, quad(label.quad)) for label in labels]
    best = int(np.argmax(shared)) if shared else -1
    if best < 0 or shared[best] < _OTHER:
        return REJECT
    label = labels[best]
    tall = float(np.linalg.norm(label.quad[3] - label.quad[0]))
    if shared[best] < _SAME or tall < _SMALLEST or max(label.index, label.visible) < _SEEN:
        return None
    return BACK if label.card is None else PACK.index(label.card)


def gathered(models: Path, rows: Rows) -> list[Found]:
    """Return what the networks of a folder find in pictures, with what it is."""
    placer = Placer(models)
    return [
        each
        for path, labels in rows
        for each in placer.found(np.asarray(cv2.imread(str(path)), np.uint8), labels)
    ]


def fit(found: Sequence[Found]) -> Weighing:
    """Return the weighing under which what is there was likeliest, of the boxes with an index.

    Then both powers are scaled so that a face that is told is right as often as it is sure.
    """
    both = [each for each in found if each.own]
    tries = [Weighing(*each) for each in product(_FACE, _INDEX, _COVERED)]
    best = min(tries, key=lambda weighing: _loss(both, weighing))
    scaled = [Weighing(best.face * by, best.index * by, best.covered) for by in _SHARPER]
    return min(scaled, key=lambda weighing: _surprise(both, weighing))


def _loss(found: Sequence[Found], weighing: Weighing) -> float:
    told = [fused(each.row, each.own, weighing)[each.wanted] for each in found]
    return float(-np.log(np.array(told) + 1e-6).mean()) if told else 0.0


def _surprise(found: Sequence[Found], weighing: Weighing) -> float:
    """Return the mean logarithmic loss of saying of each face that it is right, as sure as told."""
    sure, right = faces(found, weighing)
    likely = np.clip(np.where(right, sure, 1 - sure), 1e-6, 1.0)
    return float(-np.log(likely).mean()) if len(likely) else 0.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good the readings of faces are."""

    threshold: float
    """The least probability of a reading that is told."""
    error: float
    """Expected calibration error, 0 to 1, over 15 bins."""
    kept: float
    """Share of the faces that are told."""
    wrong: float
    """Share of wrong ones among those told."""


def faces(
    found: Sequence[Found], weighing: Weighing
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return how sure the readings of faces are, and which of them are right."""
    rows = [fused(each.row, each.own, weighing) if each.own else each.row for each in found]
    read = [
        (float(row.max()), int(row.argmax()) == each.wanted)
        for row, each in zip(rows, found, strict=True)
        if int(row.argmax()) < BACK
    ]
    return np.array([sure for sure, _ in read]), np.array([right for _, right in read], np.bool_)


def judged(
    found: Sequence[Found], weighing: Weighing, *, most_wrong: float | None = None,
    threshold: float = STRICT,
) -> Judgement:  # fmt: skip
    """Return how good the readings of faces are at a threshold.

    Args:
        found: Boxes and what is there; best ones that the fit has not seen.
        weighing: As fitted.
        most_wrong: Takes the least threshold at which no more than this share is wrong.
        threshold: What is judged where `most_wrong` is None, or where no threshold serves.
    """
    sure, right = faces(found, weighing)
    if most_wrong is not None:
        for candidate in np.linspace(0.4, 0.99, 60):
            kept = sure >= candidate
            if kept.any() and 1 - right[kept].mean() <= most_wrong:
                threshold = float(candidate)
                break
    kept = sure >= threshold
    asked = sum(each.wanted < BACK for each in found)
    wrong = float(1 - right[kept].mean()) if kept.any() else 0.0
    return Judgement(
        threshold, calibration_error(sure, right), float(kept.sum()) / max(1, asked), wrong
    )
