"""Reading cards: cut each out of the original frame, upright, and ask which it is."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from vision.errors import ModelError
from vision.geometry import Floats, Image, Quad, height, rectified, turned, width
from vision.network import Engine, open_network
from vision.weights import Weights

BACK = 52
"""The class of a card that lies face down; 0 to 51 are the cards in the order of `PACK`."""
REJECT = 53
"""The class of something that is no card, or of a card that nobody could read."""
CLASSES = 54
"""How many classes the reader tells apart."""

CROP = (144, 192)
"""Width and height of a cut-out card, pixels: an index is then about 21 pixels high."""

_BATCH = 16
"""How many crops go through the network at once: more gain nothing on a few cores."""


class Reader(Protocol):
    """Anything that reads cards."""

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        """Return calibrated probabilities, Float32 (n, 54), each row adding up to 1.

        Args:
            image: The original frame, UInt8 (H, W, 3), BGR.
            quads: The corners of n cards in it.
        """


class OnnxReader:
    """The convolutional reader: crops Float32 (N, 3, H, W) in, logits (N, 54) out.

    How large the crops are is the network's own choice; those that ship take `CROP`.
    """

    def __init__(self, weights: Weights, engine: Engine = Engine.ONNXRUNTIME) -> None:
        """Load the network.

        Raises:
            ModelError: It has another form.
        """
        self._network = open_network(weights.path, engine)
        shape = self._network.shape
        if len(shape) != 4 or shape[1] != 3 or not (shape[2] and shape[3]):
            raise ModelError(
                f"{weights.path}: found an input of {shape}, "
                f"expected (N, 3, {CROP[1]}, {CROP[0]}) or another fixed size"
            )
        self._crop = (shape[3], shape[2])
        self._temperature = weights.number("temperature", 1.0)
        self._path = weights.path

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        """Return the mean over both ways up; a card that looks square is also tried on its side."""
        views = [
            (number, turned(corners, quarters))
            for number, corners in enumerate(quads)
            for quarters in _ways(corners)
        ]
        if not views:
            return np.empty((0, CLASSES), dtype=np.float32)
        crops = np.stack([cut_out(image, corners, self._crop) for _, corners in views])
        logits = self._logits(crops)
        both = (logits[0::2] + logits[1::2]) / np.float32(2 * self._temperature)
        return _best_side(softmax(both), [number for number, _ in views[0::2]])

    def _logits(self, crops: Image) -> Floats:
        values = crops[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255
        parts = [
            self._network.run(np.ascontiguousarray(values[start : start + _BATCH]))
            for start in range(0, len(values), _BATCH)
        ]
        logits = np.concatenate(parts)
        if logits.shape != (len(crops), CLASSES):
            raise ModelError(f"{self._path}: found an output of {logits.shape}, expected (N, 54)")
        return logits


def _ways(corners: Quad) -> tuple[int, ...]:
    """Return the turns to try, in pairs of 180° apart."""
    ratio = height(corners) / max(width(corners), 1e-6)
    return (0, 2, 1, 3) if ratio < 1.15 else (0, 2)


def _best_side(rows: Floats, numbers: list[int]) -> Floats:
    """Keep for each card the row that is least a reject."""
    best: dict[int, Floats] = {}
    for number, row in zip(numbers, rows, strict=True):
        if number not in best or row[:REJECT].max() > best[number][:REJECT].max():
            best[number] = row
    return np.stack([best[number] for number in sorted(best)])


def cut_out(image: Image, corners: Quad, size: tuple[int, int] = CROP) -> Image:
    """Return a card upright and filling the picture, UInt8 (height, width, 3).

    Args:
        image: UInt8 (H, W, 3), BGR.
        corners: Where the card lies in it.
        size: Width and height of the result, pixels.
    """
    return rectified(image, corners, size)


def softmax(logits: Floats) -> Floats:
    """Return probabilities, each row adding up to 1."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)
