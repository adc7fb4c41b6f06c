"""The card model: its networks as one, for single pictures and for the pipeline."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from rules.cards import PACK
from rules.events import UNREADABLE, Face
from vision.detector import Box, Detector, OnnxDetector
from vision.errors import ModelError
from vision.geometry import Floats, Image, Quad, hidden_part, overlap
from vision.hints import hints
from vision.index_reader import OnnxIndexReader
from vision.indices import Index, OnnxIndexFinder
from vision.network import Engine
from vision.outlines import SCORE, OutlineDetector
from vision.placing import agreed, best_placed, without_prints
from vision.reader import BACK, REJECT, OnnxReader
from vision.reading import CardReader, belongs, weighing_of
from vision.refine import EdgeRefiner, OnnxRefiner, Refiner
from vision.rows import parts, without_rows
from vision.weights import MANIFEST, Weights, load_weights


@dataclass(frozen=True, slots=True)
class Detection:
    """One physical card in one picture."""

    corners: Quad
    """Float32 (4, 2), pixels of the original picture, clockwise from the card's own top left."""
    face: Face
    confidence: float
    """The probability, 0 to 1, of `face`; of the likeliest card where it is unreadable."""
    probabilities: Floats
    """Float32 (54,): the cards in the order of `PACK`, then back, then no card."""


class Sight(Protocol):
    """What the pipeline needs of a card model; tests give scripted ones."""

    def find(
        self,
        image: Image,
        *,
        card_height_px: float | None = None,
        known: Sequence[Quad] = (),
        quick: bool = False,
    ) -> tuple[Box, ...]:
        """Return the cards in a picture, with precise corners.

        Args:
            image: UInt8 (H, W, 3), BGR.
            card_height_px: About how high a card is in the picture, when that is known.
            known: Cards that were there before and have not changed: they need no reading.
            quick: Leave out what costs most, since the picture is about to change again.
        """

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        """Return calibrated probabilities, Float32 (n, 54), for cards in the picture."""


_SAME_PLACE = 0.85
"""Overlap from which a candidate is the known card that lies there."""
_BORDER, _EDGED = 0.015, 0.4
"""What lies so near to the picture's border, as a part of its longer side, runs out of it. A back
has more edge support on each side than the second, unless it is dark on a dark cloth."""
_HINTS = 3
"""How often hints are followed: cards of a fan may lie outside of what is searched first."""
_SQUAREST, _SLIMMEST = 0.9, 1.7
"""Height over width of a picture that may be one card: 1.4, or stretched to a square."""


@dataclass(frozen=True, slots=True)
class Finders:
    """What finds cards: a trained detector, outlines that it may miss, and precise corners."""

    detector: Detector
    outlines: Detector
    refiner: Refiner


class CardModel:
    """The trained model."""

    def __init__(self, finders: Finders, reader: CardReader, *, threshold: float) -> None:
        """Put the parts together.

        Args:
            finders: Find the cards and make their corners precise.
            reader: Reads them.
            threshold: The least probability at which one picture's reading is told.
        """
        self._finders, self._reader = finders, reader
        self._threshold = threshold

    def find(
        self,
        image: Image,
        *,
        card_height_px: float | None = None,
        known: Sequence[Quad] = (),
        quick: bool = False,
    ) -> tuple[Box, ...]:
        """Return the cards in a picture, with precise corners and what was read, surest first.

        The detector and the outlines propose, the reader decides: of several places proposed for
        one card, the one at which a card can be read best has the best corners.

        Args:
            image: UInt8 (H, W, 3), BGR.
            card_height_px: About how high a card is in the picture, when that is known.
            known: Cards that were there before and have not changed: they need no reading.
            quick: Go by the outlines alone, since the picture is about to change again.
        """
        if quick:
            proposed = list(self._finders.outlines.find(image, card_height_px=card_height_px))
        else:
            proposed = self._proposed(image, card_height_px)
        return self._placed(image, proposed, known)

    def _proposed(self, image: Image, card_height_px: float | None) -> list[Box]:
        """Return where cards may lie, roughly."""
        finders = self._finders
        outlined = finders.outlines.find(image, card_height_px=card_height_px)
        found = finders.detector.find(image, card_height_px=card_height_px)
        rows = () if card_height_px is None else parts(found, card_height_px)
        return [*outlined, *found, *rows]

    def _placed(
        self,
        image: Image,
        proposed: list[Box],
        known: Sequence[Quad],
        exact: Sequence[Box] = (),
    ) -> tuple[Box, ...]:
        """Return those proposals that are cards, with precise corners and what was read.

        Args:
            image: UInt8 (H, W, 3), BGR.
            proposed: Where cards may lie, roughly.
            known: Cards that need no reading.
            exact: Where a card may lie, its corners precise already.
        """
        corners = self._finders.refiner.refine(image, [box.corners for box in proposed])
        placed = [
            replace(box, corners=better) for box, better in zip(proposed, corners, strict=True)
        ]
        familiar, new = _parted([*placed, *exact], known)
        seen = [
            told
            for box in self._read_all(image, new, familiar)
            if box.row is not None and (told := agreed(image, box, box.row)) is not None
        ]
        return best_placed(without_rows(without_prints([*familiar, *seen])))

    def _read_all(self, image: Image, new: list[Box], familiar: Sequence[Box]) -> list[Box]:
        """Return the boxes with what was read there, and those that an index alone hints at.

        A hint's surroundings are searched as well: in a fan one card leads to the next.
        """
        found: list[Box] = []
        for followed in range(_HINTS + 1):
            look = self._reader.look(image, [box.corners for box in new])
            told = zip(new, look.rows, look.named, strict=True)
            found += [replace(box, row=row, named=named) for box, row, named in told]
            wanted = hints(look.spare, [*familiar, *found]) if followed < _HINTS else ()
            if not wanted:
                break
            new = self._hinted(image, wanted)
        return found

    def _hinted(self, image: Image, indices: Sequence[Index]) -> list[Box]:
        """Return the cards that indices hint at.

        Where the refined corners no longer have the index in its place, the hint's own stay.
        """
        better = self._finders.refiner.refine(image, [index.corners for index in indices])
        return [
            Box(corners if belongs(index, corners) else index.corners, SCORE, hinted=True)
            for index, corners in zip(indices, better, strict=True)
        ]

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        """Return calibrated probabilities, Float32 (n, 54)."""
        return self._reader.read(image, quads)

    def detect(self, image: Image, *, card_height_px: float | None = None) -> tuple[Detection, ...]:
        """Return the cards in one picture, one entry a physical card, the surest first.

        Args:
            image: UInt8 (H, W, 3), BGR.
            card_height_px: About how high a card is in the picture, when that is known.
        """
        boxes = self._placed(image, self._proposed(image, card_height_px), (), [*_filling(image)])
        found = [
            told
            for box in boxes
            if box.row is not None
            and not _is_ground(box, image)
            and (told := self._judged(box, box.row)) is not None
        ]
        return _one_each(sorted(found, key=lambda detection: -detection.confidence))

    def _judged(self, box: Box, row: Floats) -> Detection | None:
        """Return what one reading shows, or None when it shows no card."""
        if row[REJECT] > 0.5 and box.score < 0.8:
            return None
        best = int(row[:REJECT].argmax())
        sure = float(row[best])
        if best == BACK:
            face: Face = None if sure >= 0.5 else UNREADABLE
            # A print on the cloth looks like a back to one network, seldom to both.
            if box.back < 0.5 and box.score < 0.6:
                return None
        else:
            face = PACK[best] if sure >= self._threshold else UNREADABLE
        return Detection(box.corners, face, sure, row)


def _parted(boxes: list[Box], known: Sequence[Quad]) -> tuple[list[Box], list[Box]]:
    """Return the boxes that show known cards, taken for certain, and the others."""
    familiar, new = [], []
    for box in boxes:
        if any(overlap(box.corners, corners) > _SAME_PLACE for corners in known):
            familiar.append(replace(box, score=1.0, back=0.5, row=None))
        else:
            new.append(box)
    return familiar, new


def _filling(image: Image) -> Iterator[Box]:
    """Give the whole picture as a card, where it has about a card's shape: a scan or a drawing."""
    tall, wide = image.shape[:2]
    if _SQUAREST <= tall / wide <= _SLIMMEST:
        edge = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], dtype=np.float32)
        yield Box(edge, SCORE, 0.5)


def _is_ground(box: Box, image: Image) -> bool:
    """Say whether a back runs out of the picture and has no edges inside it: a patterned ground."""
    if box.back < 0.5 or min(box.sides) >= _EDGED:
        return False
    tall, wide = image.shape[:2]
    near = _BORDER * max(tall, wide)
    x, y = box.corners.T
    outside = (x < near, y < near, x > wide - near, y > tall - near)
    return any(int(along.sum()) >= 2 for along in outside)


def _one_each(detections: list[Detection]) -> tuple[Detection, ...]:
    """Drop what repeats a surer detection of the same card, as two corners of one card do."""
    kept: list[Detection] = []
    for detection in detections:
        if not any(_repeats(detection, known) for known in kept):
            kept.append(detection)
    return tuple(kept)


def _repeats(detection: Detection, known: Detection) -> bool:
    shared = max(
        hidden_part(detection.corners, known.corners), hidden_part(known.corners, detection.corners)
    )
    same = detection.face == known.face and detection.face is not None
    return (same and shared > 0.2) or overlap(detection.corners, known.corners) > 0.75


def load_model(models_dir: Path, engine: Engine = Engine.ONNXRUNTIME) -> CardModel:
    """Return the model in a folder, its files checked against the manifest's hashes.

    Args:
        models_dir: The folder of the manifest and the weights.
        engine: What runs the networks.

    Raises:
        ModelError: Something is missing, changed or of another form.
    """
    weights = load_weights(models_dir)
    missing = [name for name in ("detector", "reader") if name not in weights]
    if missing:
        raise ModelError(
            f"{models_dir / MANIFEST}: found no [{missing[0]}], expected a detector and a reader"
        )
    refiner: Refiner = (
        OnnxRefiner(weights["refiner"], engine) if "refiner" in weights else EdgeRefiner()
    )
    weighed = {"indices", "index_reader"} <= set(weights)
    told = weights["index_reader" if weighed else "reader"]
    return CardModel(
        Finders(OnnxDetector(weights["detector"], engine), OutlineDetector(), refiner),
        _card_reader(weights, engine),
        threshold=told.number("threshold", 0.9),
    )


def _card_reader(weights: Mapping[str, Weights], engine: Engine) -> CardReader:
    """Return the reader, with the index network where the weights have one."""
    faces = OnnxReader(weights["reader"], engine)
    if not {"indices", "index_reader"} <= set(weights):
        return CardReader(faces)
    told = weights["index_reader"]
    indices = OnnxIndexFinder(weights["indices"], OnnxIndexReader(told, engine), engine)
    return CardReader(faces, indices, weighing_of(told))
