"""Photographs of real cards for training: unmirrored, and their boxes made quads.

    python -m vision.training.photos TRUTH.jsonl [--models models] [--out datasets/generated]

TRUTH.jsonl has a line a photograph: `{"image": path beside the file, "cards": [{"card": "9S",
"box": [x0, y0, x1, y1]}]}`. The set it was made for (CC BY 4.0, see the model card) was published
with random flips, and a mirrored card is no card; so each photograph is read both ways, and the way
in which its labelled cards are read better is taken. Every fifth shot, with all its copies, is held
out from training.
"""

import argparse
import json
import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Card
from vision.detector import Detector, OnnxDetector
from vision.geometry import Quad
from vision.outlines import OutlineDetector
from vision.reader import OnnxReader
from vision.refine import EdgeRefiner, OnnxRefiner, Refiner, edge_support
from vision.training.dataset import OUT, save
from vision.training.scene import Label, Scene
from vision.weights import load_weights

Pixels = NDArray[np.uint8]

_SAME_BOX = 0.86
"""Overlap of a quad's upright box with the labelled one from which it is that card's."""
_SHARP = 0.2
"""Edge support under which a quad is not exact enough to learn from."""
_HELD = 5
"""Every so many photographs, one is held out."""
_LEAST = 1e-4
"""Added to a probability before its logarithm is taken."""
_SEPARATION = 3.0
"""Difference of the labelled cards' log-likelihoods, both ways, that tells the way: pips alone read
alike in a mirror."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One labelled photograph."""

    path: Path
    cards: tuple[tuple[Card, NDArray[np.float64]], ...]
    """Each card with its box, Float64 (4,): left, top, right, bottom in pixels."""

    @property
    def shot(self) -> str:
        """The name of the photograph of which this is a copy."""
        return self.path.name.split(".rf.")[0]


def photos(truth: Path, of: str = "") -> dict[str, list[Photo]]:
    """Return the photographs of a truth file that have boxes for whole cards, by their shot."""
    found: dict[str, list[Photo]] = defaultdict(list)
    for line in truth.read_text().splitlines():
        row = json.loads(line)
        if not row["image"].startswith(of):
            continue
        cards = tuple((Card.parse(c["card"]), np.array(c["box"], np.float64)) for c in row["cards"])
        photo = Photo(truth.parent / row["image"], cards)
        found[photo.shot].append(photo)
    return found


class Labeller:
    """Finds the quads of labelled cards, and the way round of a photograph."""

    def __init__(self, models: Path) -> None:
        """Load the shipped networks: they propose and tell the way, the labels decide."""
        weights = load_weights(models)
        self._detectors: tuple[Detector, ...] = (
            OutlineDetector(), OnnxDetector(weights["detector"]),
        )  # fmt: skip
        self._reader = OnnxReader(weights["reader"])
        self._refiners: tuple[Refiner, ...] = (
            *([OnnxRefiner(weights["refiner"])] * 2 if "refiner" in weights else ()), EdgeRefiner(),
        )  # fmt: skip

    def label(self, photo: Photo) -> Scene | None:
        """Return a photograph, mirrored back where it has to be, with its cards' quads.

        None where the way round can't be told. A card whose quad can't be found is painted over,
        so that nothing learns that it is none.
        """
        picture = np.asarray(cv2.imread(str(photo.path), cv2.IMREAD_COLOR), np.uint8)
        quads = self._quads(picture, photo)
        known = [
            (card, q) for (card, _), q in zip(photo.cards, quads, strict=True) if q is not None
        ]
        mirrored = np.ascontiguousarray(picture[:, ::-1])
        ways = [(picture, known), (mirrored, [(c, _flipped(q, picture)) for c, q in known])]
        straight, reverse = (self._sureness(shown, cards) for shown, cards in ways)
        if abs(straight - reverse) < _SEPARATION:
            return None
        for (_, box), found in zip(photo.cards, quads, strict=True):
            if found is None:
                _paint_over(picture, box)
        right = ways[0] if straight > reverse else (picture[:, ::-1], ways[1][1])
        labels = [Label(np.asarray(q, np.float64), card, 1.0, 1.0) for card, q in right[1]]
        return Scene(np.ascontiguousarray(right[0][..., ::-1]), tuple(labels))

    def _quads(self, picture: Pixels, photo: Photo) -> list[Quad | None]:
        proposed = [box.corners for detector in self._detectors for box in detector.find(picture)]
        better = proposed
        for refiner in self._refiners:
            better = refiner.refine(picture, better)
            proposed = [*proposed, *better]
        return [
            self._on_its_side(picture, card, _sharpest(picture, proposed, box))
            for card, box in photo.cards
        ]

    def _on_its_side(self, picture: Pixels, card: Card, found: Quad | None) -> Quad | None:
        """Return a quad so turned that the card reads best: seen obliquely, any side is longer."""
        if found is None:
            return None
        mirrored = np.ascontiguousarray(picture[:, ::-1])
        turns = [np.roll(found, turn, axis=0) for turn in (0, 1)]
        both = [
            max(self._sureness(picture, [(card, q)]),
                self._sureness(mirrored, [(card, _flipped(q, picture))]))
            for q in turns
        ]  # fmt: skip
        return turns[int(np.argmax(both))]

    def _sureness(self, picture: Pixels, cards: Sequence[tuple[Card, Quad]]) -> float:
        """Return the log-likelihood of the labelled cards, read where they lie."""
        if not cards:
            return 0.0
        rows = self._reader.read(picture, [q for _, q in cards])
        told = [float(row[PACK.index(card)]) for row, (card, _) in zip(rows, cards, strict=True)]
        return float(np.log(np.array(told) + _LEAST).sum())


def _flipped(found: Quad, picture: Pixels) -> Quad:
    """Return a quad in the mirrored picture, its corners clockwise again."""
    moved = found.copy()
    moved[:, 0] = picture.shape[1] - 1 - moved[:, 0]
    return moved[[1, 0, 3, 2]]


def _sharpest(picture: Pixels, proposed: Sequence[Quad], box: NDArray[np.float64]) -> Quad | None:
    """Return the quad that fits a labelled box and lies best on edges; None when none does."""
    fitting = [
        (edge_support(picture, each) + _shared(each, box), number)
        for number, each in enumerate(proposed)
        if _shared(each, box) >= _SAME_BOX and edge_support(picture, each) >= _SHARP
    ]
    return proposed[max(fitting)[1]] if fitting else None


def _shared(found: Quad, box: NDArray[np.float64]) -> float:
    """Return the overlap of a quad's upright box with a labelled one, 0 to 1."""
    low, high = found.min(axis=0), found.max(axis=0)
    common = np.minimum(high, box[2:]) - np.maximum(low, box[:2])
    if common.min() <= 0:
        return 0.0
    inside = float(common.prod())
    return inside / (float((high - low).prod()) + float((box[2:] - box[:2]).prod()) - inside)


def _paint_over(picture: Pixels, box: NDArray[np.float64]) -> None:
    left, top, right, low = (int(v) for v in box)
    picture[max(0, top) : low, max(0, left) : right] = 114


def main(arguments: Sequence[str] | None = None) -> None:
    """Prepare the photographs; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.photos")
    parser.add_argument("truth", type=Path)
    parser.add_argument(
        "--set", dest="of", default="", help="what the pictures' folder begins with"
    )
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(arguments)
    labeller = Labeller(args.models)
    parts: dict[str, list[Scene]] = {"photos-train": [], "photos-held": []}
    for shot, copies in photos(args.truth, args.of).items():
        chosen = copies[:1]  # the copies differ by their flips alone
        part = "photos-held" if zlib.crc32(shot.encode()) % _HELD == 0 else "photos-train"
        parts[part] += [scene for each in chosen if (scene := labeller.label(each)) is not None]
    for name, scenes in parts.items():
        (args.out / name).mkdir(parents=True, exist_ok=True)
        save(iter(scenes), args.out / name / "000")


if __name__ == "__main__":
    main()
