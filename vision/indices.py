"""Finding and reading indices: the rank and suit in a card's corner, which name it alone.

A card that lies under others is read by the corner that looks out. Whoever reads the whole card
needs its four corners, of which most are covered then; an index needs none, and tells about where
they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.errors import ModelError
from vision.geometry import Floats, Image, Quad, convex, height, quad, rectified
from vision.index_reader import IndexReader, sigmoid
from vision.network import Engine, open_network
from vision.weights import Weights

PATCH, STRIDE = 224, 8
"""Side of the network's input, and of a cell of its output, pixels."""
GRID = PATCH // STRIDE
CARD = (126, 176)
"""Width and height of the card in the middle of a patch, pixels."""
AT = (0.11, 0.15)
"""Where an index is said to be, as shares of its card's width and height."""
REACH = 64.0
"""Corners are told from a cell's middle in units of so many pixels."""
CHANNELS = 1 + 8
"""Of the output: whether an index is there, and its card's corners."""

_LEAST = 0.3
"""The score from which there is an index."""
_SAME = 0.08
"""Indices nearer to each other than this part of the card's height are one, seen in two patches."""
_BATCH = 16
_UNIT = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float32) / 2
_MIDDLES = (np.arange(GRID, dtype=np.float32) + 0.5) * STRIDE


@dataclass(frozen=True, slots=True)
class Place:
    """Where an index is."""

    at: tuple[float, float]
    """Pixels of the picture."""
    corners: Quad
    """About where its card lies, Float32 (4, 2), from the index's own corner on clockwise."""
    score: float
    """How surely there is an index, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Index(Place):
    """An index that was read."""

    cards: Floats
    """Float32 (52,), how likely it is each card's, in the order of `PACK`; they add up to 1."""


class IndexFinder(Protocol):
    """Anything that finds indices."""

    def find(self, image: Image, quads: Sequence[Quad]) -> tuple[Index, ...]:
        """Return the indices on and about some cards, each once, the surest first.

        Args:
            image: The original picture, UInt8 (H, W, 3), BGR.
            quads: About where the cards lie.
        """


def framed(corners: Quad) -> Quad:
    """Return the corners of the patch in whose middle a card lies upright, with room around it."""
    across = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    down = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
    wide, tall = _UNIT.T * PATCH / np.array(CARD, dtype=np.float32)[:, None]
    return np.asarray(
        corners.mean(axis=0) + wide[:, None] * across + tall[:, None] * down, corners.dtype
    )


class OnnxIndexFinder:
    """The index network: patches Float32 (N, 3, 224, 224) in, Float32 (N, 9, 28, 28) out."""

    def __init__(
        self, weights: Weights, reader: IndexReader, engine: Engine = Engine.ONNXRUNTIME
    ) -> None:
        """Load the network.

        Args:
            weights: The network that finds indices.
            reader: Reads them.
            engine: What runs the network.

        Raises:
            ModelError: It has another form.
        """
        self._reader = reader
        self._network = open_network(weights.path, engine)
        if self._network.shape[1:] != (3, PATCH, PATCH):
            raise ModelError(
                f"{weights.path}: found an input of {self._network.shape}, "
                f"expected (N, 3, {PATCH}, {PATCH})"
            )
        self._path = weights.path

    def find(self, image: Image, quads: Sequence[Quad]) -> tuple[Index, ...]:
        """Return the indices on and about some cards, each once, the surest first."""
        frames = [framed(corners) for corners in quads]
        found: list[Place] = []
        for start in range(0, len(frames), _BATCH):
            part = frames[start : start + _BATCH]
            crops = np.stack([rectified(image, frame, (PATCH, PATCH)) for frame in part])
            values = crops[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255
            told = self._network.run(np.ascontiguousarray(values))
            if told.shape[1:] != (CHANNELS, GRID, GRID):
                raise ModelError(
                    f"{self._path}: found an output of {told.shape}, "
                    f"expected (N, {CHANNELS}, {GRID}, {GRID})"
                )
            for frame, one in zip(part, told, strict=True):
                found += _in_picture(decoded(one), frame)
        places = _each_once(found)
        sure, cards = self._reader.read(image, [place.corners for place in places])
        indices = [
            Index(place.at, place.corners, float(there), row)
            for place, there, row in zip(places, sure, cards, strict=True)
        ]
        return tuple(sorted(indices, key=lambda index: -index.score))


def decoded(told: Floats) -> list[Place]:
    """Return where the network's output for one patch shows indices, in the patch's pixels.

    Args:
        told: Float32 (9, GRID, GRID): the logit of an index, and its card's corners.
    """
    scores = sigmoid(told[0])
    peaks = (scores >= _LEAST) & (scores >= cv2.dilate(scores, np.ones((3, 3), np.uint8)))
    found = []
    for row, column in zip(*np.nonzero(peaks), strict=True):
        middle = np.array([_MIDDLES[column], _MIDDLES[row]], dtype=np.float32)
        corners = quad(told[1:, row, column].reshape(4, 2) * np.float32(REACH) + middle)
        if convex(corners):
            found.append(Place(place_of(corners), corners, float(scores[row, column])))
    return found


def place_of(corners: Quad) -> tuple[float, float]:
    """Return where a card has the index of its first corner, pixels."""
    u, v = AT
    top = corners[0] + (corners[1] - corners[0]) * u
    low = corners[3] + (corners[2] - corners[3]) * u
    x, y = top + (low - top) * v
    return float(x), float(y)


def _in_picture(found: Sequence[Place], frame: Quad) -> list[Place]:
    across, down = (frame[1] - frame[0]) / PATCH, (frame[3] - frame[0]) / PATCH
    way = np.stack([across, down]).astype(np.float32)
    moved = []
    for place in found:
        x, y = np.array(place.at, dtype=np.float32) @ way + frame[0]
        corners = quad(place.corners @ way + frame[0])
        moved.append(Place((float(x), float(y)), corners, place.score))
    return moved


def _each_once(found: Sequence[Place]) -> list[Place]:
    kept: list[Place] = []
    for place in sorted(found, key=lambda place: -place.score):
        if not any(_are_one(place, known) for known in kept):
            kept.append(place)
    return kept


def _are_one(first: Place, second: Place) -> bool:
    apart = float(np.hypot(first.at[0] - second.at[0], first.at[1] - second.at[1]))
    return apart < _SAME * max(height(first.corners), height(second.corners))
