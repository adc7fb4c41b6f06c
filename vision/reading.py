"""Reading a card by its whole face and by its indices together.

The whole face tells most where a card lies clear; where it lies under others only an index looks
out. Both are asked, and weighed as they proved right on cards that neither was trained on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats, Image, Quad, area, height, overlap, turned, width
from vision.indices import Index, IndexFinder, place_of
from vision.reader import BACK, CLASSES, REJECT, Reader, softmax
from vision.weights import Weights

_NEAR = 0.1
"""An index belongs to a card when it lies this near, in card heights, to where the card has one."""
_SIZES = (0.4, 2.5)
"""Area of the card that an index tells of, against that of a card to which it may belong."""
_ALIKE = 0.8
"""Overlap from which two places are searched for indices as one."""
_AS_TOLD = 0.75
"""Overlap from which a card lies as its index tells."""
_ALONG = 0.9
"""And when it stands as the card does: the cosine of the angle between them."""
_LEAST = 1e-4
"""A probability under this says no more than this."""
_SURELY_BACK = 0.9
"""What reads as a back this surely is not searched for indices."""
_SQUARE = 1.3
"""Height over width under which a card may lie on its side, seen obliquely."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """How much the whole face and the indices count where both were read."""

    face: float
    """Power of what the whole face says."""
    index: float
    """Power of what the indices say."""
    covered: float
    """How often, 0 to 1, the whole face of a card that has an index to be seen says "no card"."""


def weighing_of(weights: Weights) -> Weighing:
    """Return the weighing that the manifest gives for an index reader.

    Raises:
        ModelError: It gives none.
    """
    return Weighing(*(weights.number(key) for key in ("face", "index", "covered")))


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at some cards told."""

    rows: Floats
    """Float32 (n, 54), a row a card, each adding up to 1."""
    named: tuple[Index | None, ...]
    """For each card the index that names it most surely; None without one."""
    spare: tuple[Index, ...]
    """Indices that tell of a card which lies as none of these do."""


class CardReader:
    """Reads cards by their faces and, where there is an index network, by their indices."""

    def __init__(
        self,
        faces: Reader,
        indices: IndexFinder | None = None,
        weighing: Weighing = Weighing(1.0, 1.0, 0.3),
    ) -> None:
        """Put the parts together.

        Args:
            faces: Reads whole cards.
            indices: Finds and reads indices; only whole cards are read without it.
            weighing: How much each of the two counts.
        """
        self._faces, self._indices = faces, indices
        self._weighing = weighing

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        """Return calibrated probabilities, Float32 (n, 54), each row adding up to 1."""
        return self.look(image, quads).rows

    def look(self, image: Image, quads: Sequence[Quad]) -> Look:
        """Return what the cards are, and the indices of cards that were not asked for.

        Args:
            image: UInt8 (H, W, 3), BGR.
            quads: The corners of n cards in it.
        """
        rows = self._faces.read(image, quads)
        if self._indices is None or not len(quads):
            return Look(rows, (None,) * len(rows), ())
        faces = [
            corners for corners, row in zip(quads, rows, strict=True) if row[BACK] < _SURELY_BACK
        ]
        searched = [way for corners in _once_each(faces) for way in _ways(corners)]
        found = self._indices.find(image, searched)
        owned = [owned_by(found, corners) for corners in quads]
        weighed = [
            fused(row, own, self._weighing) if own else row
            for row, own in zip(rows, owned, strict=True)
        ]
        spare = tuple(
            index for index in found if not any(lies_as(index, corners) for corners in quads)
        )
        named = tuple(max(own, key=sureness, default=None) for own in owned)
        return Look(np.stack(weighed), named, spare)


def fused(row: Floats, own: Sequence[Index], weighing: Weighing) -> Floats:
    """Return what a card is by its whole face and its indices together, Float32 (54,).

    Args:
        row: What the whole face says, Float32 (54,).
        own: The card's indices; there is one at least.
        weighing: How much each counts.
    """
    told = np.mean([_log(_as_row(index)) for index in own], axis=0)
    face = row.copy()
    face[:BACK] += np.float32(weighing.covered) * row[REJECT]
    both = weighing.face * _log(face) + weighing.index * told
    return np.asarray(softmax(np.asarray(both, dtype=np.float32)[None])[0])


def owned_by(indices: Sequence[Index], corners: Quad) -> tuple[Index, ...]:
    """Return those of some indices that belong to a card."""
    return tuple(index for index in indices if belongs(index, corners))


def belongs(index: Index, corners: Quad) -> bool:
    """Say whether an index lies where a card has one, stands as it does, and fits its size."""
    if not _SIZES[0] < area(index.corners) / max(area(corners), 1e-6) < _SIZES[1]:
        return False
    for quarters in range(4):
        way = turned(corners, quarters)
        x, y = place_of(way)
        near = np.hypot(index.at[0] - x, index.at[1] - y) < _NEAR * height(way)
        if near and _cosine(_down(index.corners), _down(way)) > _ALONG:
            return True
    return False


def sureness(index: Index) -> float:
    """Return how surely an index is there and names the card that it most likely names, 0 to 1."""
    return index.score * float(index.cards.max())


def _once_each(quads: Sequence[Quad]) -> list[Quad]:
    """Return one of those quads that lie nearly alike: what is about them is searched once."""
    kept: list[Quad] = []
    for corners in quads:
        if all(overlap(corners, known) < _ALIKE for known in kept):
            kept.append(corners)
    return kept


def lies_as(index: Index, corners: Quad) -> bool:
    """Say whether a card lies as its index tells; if not, one of the two is wrong."""
    return belongs(index, corners) and overlap(index.corners, corners) > _AS_TOLD


def _ways(corners: Quad) -> tuple[Quad, ...]:
    """Return a card's corners, and those of the card on its side where it looks square."""
    ratio = height(corners) / max(width(corners), 1e-6)
    return (corners, turned(corners, 1)) if ratio < _SQUARE else (corners,)


def _down(corners: Quad) -> Floats:
    return np.asarray(corners[3] - corners[0] + corners[2] - corners[1])


def _cosine(first: Floats, second: Floats) -> float:
    lengths = float(np.hypot(*first) * np.hypot(*second))
    return float(first @ second) / max(lengths, 1e-6)


def _as_row(index: Index) -> Floats:
    """Return what an index says of its card, Float32 (54,): where it is none, anything may be."""
    row = np.empty(CLASSES, dtype=np.float32)
    row[:BACK] = index.cards * index.score
    row[BACK] = row[REJECT] = (1 - index.score) / 2
    return row


def _log(row: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(row, _LEAST)), dtype=np.float32)
