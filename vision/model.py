"""The card model: detector, refiner and reader as one, for single pictures and for the pipeline."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rules.cards import PACK
from rules.events import UNREADABLE, Face
from vision.detector import Box, Detector, OnnxDetector
from vision.errors import ModelError
from vision.geometry import Floats, Image, Quad, hidden_part, overlap
from vision.reader import BACK, REJECT, OnnxReader, Reader
from vision.refine import EdgeRefiner, OnnxRefiner, Refiner
from vision.weights import MANIFEST, load_weights


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

    def find(self, image: Image, *, card_height_px: float | None = None) -> tuple[Box, ...]:
        """Return the cards in a picture, with precise corners."""

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        """Return calibrated probabilities, Float32 (n, 54), for cards in the picture."""


class CardModel:
    """The trained model."""

    def __init__(
        self, detector: Detector, reader: Reader, refiner: Refiner, *, threshold: float
    ) -> None:
        """Put the parts together.

        Args:
            detector: Finds the cards.
            reader: Reads them.
            refiner: Makes the corners precise in between.
            threshold: The least probability at which one picture's reading is told.
        """
        self._detector, self._reader, self._refiner = detector, reader, refiner
        self._threshold = threshold

    def find(self, image: Image, *, card_height_px: float | None = None) -> tuple[Box, ...]:
        """Return the cards in a picture, with precise corners, the surest first."""
        boxes = self._detector.find(image, card_height_px=card_height_px)
        corners = self._refiner.refine(image, [box.corners for box in boxes])
        return tuple(
            Box(better, box.score, box.back) for box, better in zip(boxes, corners, strict=True)
        )

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        """Return calibrated probabilities, Float32 (n, 54)."""
        return self._reader.read(image, quads)

    def detect(self, image: Image, *, card_height_px: float | None = None) -> tuple[Detection, ...]:
        """Return the cards in one picture, one entry a physical card, the surest first.

        Args:
            image: UInt8 (H, W, 3), BGR.
            card_height_px: About how high a card is in the picture, when that is known.
        """
        boxes = self.find(image, card_height_px=card_height_px)
        rows = self.read(image, [box.corners for box in boxes])
        found = [
            told
            for box, row in zip(boxes, rows, strict=True)
            if (told := self._judged(box, row)) is not None
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


def load_model(models_dir: Path) -> CardModel:
    """Return the model in a folder, its files checked against the manifest's hashes.

    Raises:
        ModelError: Something is missing, changed or of another form.
    """
    weights = load_weights(models_dir)
    missing = [name for name in ("detector", "reader") if name not in weights]
    if missing:
        raise ModelError(
            f"{models_dir / MANIFEST}: found no [{missing[0]}], expected a detector and a reader"
        )
    refiner: Refiner = OnnxRefiner(weights["refiner"]) if "refiner" in weights else EdgeRefiner()
    reader = weights["reader"]
    return CardModel(
        OnnxDetector(weights["detector"]),
        OnnxReader(reader),
        refiner,
        threshold=reader.number("threshold", 0.9),
    )
