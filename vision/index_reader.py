"""Reading an index: cut out of the original picture, upright, and asked for its rank and suit."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from rules.cards import PACK, Rank, Suit
from vision.errors import ModelError
from vision.geometry import Floats, Image, Quad, quad, rectified
from vision.network import Engine, open_network
from vision.weights import Weights

INDEX_CROP = (64, 96)
"""Width and height of a cut-out index, pixels: its letter is then about 20 pixels high."""
OUTPUTS = 1 + len(Rank) + len(Suit)
"""Whether there is an index, its rank, its suit."""

_REGION = np.array([[-0.04, -0.04], [0.38, -0.04], [0.38, 0.42], [-0.04, 0.42]], np.float32)
"""What is cut out, as shares of the card's width and height: room for a jumbo index."""
_BATCH = 32
_NUMBERS = np.array([[tuple(Rank).index(card.rank), tuple(Suit).index(card.suit)] for card in PACK])


class IndexReader(Protocol):
    """Anything that reads indices."""

    def read(self, image: Image, cards: Sequence[Quad]) -> tuple[Floats, Floats]:
        """Return how surely there is an index in the first corner of each card, and whose it is.

        Args:
            image: The original picture, UInt8 (H, W, 3), BGR.
            cards: About where n cards lie, from the index's own corner on clockwise.

        Returns:
            Float32 (n,), 0 to 1, and Float32 (n, 52), each row adding up to 1.
        """


def index_corners(card: Quad) -> Quad:
    """Return the corners of what is cut out to read the index of a card's first corner."""
    u, v = _REGION[:, :1], _REGION[:, 1:]
    top = card[0] + (card[1] - card[0]) * u
    low = card[3] + (card[2] - card[3]) * u
    return quad(top + (low - top) * v)


class OnnxIndexReader:
    """The index reader: crops Float32 (N, 3, 96, 64) in, logits (N, 18) out."""

    def __init__(self, weights: Weights, engine: Engine = Engine.ONNXRUNTIME) -> None:
        """Load the network.

        Raises:
            ModelError: It has another form.
        """
        self._network = open_network(weights.path, engine)
        wide, tall = INDEX_CROP
        if self._network.shape[1:] != (3, tall, wide):
            raise ModelError(
                f"{weights.path}: found an input of {self._network.shape}, "
                f"expected (N, 3, {tall}, {wide})"
            )
        self._path = weights.path

    def read(self, image: Image, cards: Sequence[Quad]) -> tuple[Floats, Floats]:
        """Return how surely there is an index in the first corner of each card, and whose it is."""
        if not cards:
            return np.empty(0, dtype=np.float32), np.empty((0, len(PACK)), dtype=np.float32)
        crops = np.stack([rectified(image, index_corners(card), INDEX_CROP) for card in cards])
        values = crops[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255
        told = np.concatenate(
            [
                self._network.run(np.ascontiguousarray(values[start : start + _BATCH]))
                for start in range(0, len(values), _BATCH)
            ]
        )
        if told.shape != (len(cards), OUTPUTS):
            raise ModelError(
                f"{self._path}: found an output of {told.shape}, expected (N, {OUTPUTS})"
            )
        return sigmoid(told[:, 0]), card_probabilities(told[:, 1:])


def sigmoid(logits: Floats) -> Floats:
    """Return probabilities, 0 to 1, the same shape; however large a logit is, none overflows.

    >>> sigmoid(np.array([-1000.0, 0.0], dtype=np.float32)).tolist()[1]
    0.5
    """
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -60, 60))), dtype=np.float32)


def card_probabilities(logits: Floats) -> Floats:
    """Return the probability of each card, that of its rank times that of its suit.

    Args:
        logits: Float32 (n, 17): the ranks, two to ace, and the suits, S H D C.

    Returns:
        Float32 (n, 52), in the order of `PACK`, each row adding up to 1.
    """
    ranks, suits = (
        np.exp(part - part.max(axis=1, keepdims=True))
        for part in (logits[:, : len(Rank)], logits[:, len(Rank) :])
    )
    both = ranks[:, _NUMBERS[:, 0]] * suits[:, _NUMBERS[:, 1]]
    return np.asarray(both / both.sum(axis=1, keepdims=True), dtype=np.float32)
