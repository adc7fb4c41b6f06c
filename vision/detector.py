"""Finding cards in a picture: where they lie and which side is up, not yet which they are."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.errors import ModelError
from vision.geometry import Floats, Image, Quad, height, oriented_box, overlap
from vision.indices import Index
from vision.network import Engine, open_network
from vision.weights import Weights

_STRIDE = 32
"""The network halves its input five times, so both sides must be multiples of 2⁵."""

_GREY = 114
"""The padding that the network was trained with."""

_MOST_BOXES = 300
"""No table shows more cards; more candidates than this only cost time."""


SEARCHED = (1.0, 0.5, 0.25)
"""Parts of its size at which a picture is searched whose cards may be of any size."""

SAME = 0.6
"""Boxes that share more than this part show one card, as far as their places tell."""
FANNED = 0.8
"""The same before anything is read: the cards of a fan share up to three quarters."""
_NEAR = 0.6
"""Centres further apart than this part of a card's height are those of two cards."""


@dataclass(frozen=True, slots=True)
class Box:
    """A card as the detector sees it."""

    corners: Quad
    score: float
    """How surely there is a card at all, 0 to 1."""
    back: float = 0.0
    """How surely it lies face down, 0 to 1, given that it is a card."""
    row: Floats | None = None
    """What the reader says of it, Float32 (54,), where it has been asked already."""
    sides: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)
    """How well each side lies on an edge of the picture, 0 to 1; 1 where that was not asked."""
    surely_back: bool = False
    """Whether detector and reader are both sure of a back."""
    hinted: bool = False
    """Whether an index alone proposed it."""
    named: Index | None = None
    """The index of its own that names it most surely."""


class Detector(Protocol):
    """Anything that finds cards."""

    def find(self, image: Image, *, card_height_px: float | None = None) -> tuple[Box, ...]:
        """Return the cards in a picture, the surest first.

        Args:
            image: UInt8 (H, W, 3), BGR.
            card_height_px: About how high a card is in the picture, when that is known.
        """


class OnnxDetector:
    """The oriented-box detector: one input of pixels, one output of candidate boxes.

    Output, Float32 (1, 7, N): centre x and y, width, height (pixels of the input), the scores of a
    face and of a back, and the angle in radians.
    """

    def __init__(self, weights: Weights, engine: Engine = Engine.ONNXRUNTIME) -> None:
        """Load the network.

        Raises:
            ModelError: It has another form.
        """
        self._network = open_network(weights.path, engine)
        shape = self._network.shape
        if len(shape) != 4 or shape[1] not in (3, None):
            raise ModelError(f"{weights.path}: found an input of {shape}, expected (1, 3, H, W)")
        self._fixed = (shape[3], shape[2]) if shape[2] and shape[3] else None
        self._long_side = weights.number("long_side", 640)
        self._card_height = weights.number("card_height", 60)
        self._threshold = weights.number("threshold", 0.4)
        self._path = weights.path

    def find(self, image: Image, *, card_height_px: float | None = None) -> tuple[Box, ...]:
        """Return the cards in a picture, the surest first.

        Without a known card height the picture is looked at whole and at a half and a quarter of
        its size: the network knows cards up to a third of its input, a photograph's may be larger.
        """
        if card_height_px is not None:
            return self.look(image, self._card_height / card_height_px)
        scale = self._long_side / max(image.shape[:2])
        scales = [scale * part for part in SEARCHED if self._fixed is None or part == 1]
        return distinct([box for each in scales for box in self.look(image, each)], FANNED)

    def look(self, image: Image, scale: float, threshold: float | None = None) -> tuple[Box, ...]:
        """Return the cards in a picture that is searched at a part of its size."""
        tall, wide = image.shape[:2]
        longest = max(tall, wide)
        scale = float(np.clip(scale, 2 * _STRIDE / min(tall, wide), 1600 / longest))
        if self._fixed:
            scale = min(self._fixed[0] / wide, self._fixed[1] / tall)
        size = (max(1, round(wide * scale)), max(1, round(tall * scale)))
        padded = self._fixed or (_up(size[0]), _up(size[1]))
        canvas = np.full((padded[1], padded[0], 3), _GREY, dtype=np.uint8)
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        canvas[: size[1], : size[0]] = cv2.resize(image, size, interpolation=way)
        values = canvas[None, :, :, ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255
        raw = self._network.run(np.ascontiguousarray(values))
        if raw.ndim != 3 or raw.shape[1] != 7:
            raise ModelError(f"{self._path}: found an output of {raw.shape}, expected (1, 7, N)")
        return _boxes(raw[0], threshold or self._threshold, (wide / size[0], tall / size[1]))


def _up(size: int) -> int:
    return -(-size // _STRIDE) * _STRIDE


def _boxes(raw: Floats, threshold: float, scale: tuple[float, float]) -> tuple[Box, ...]:
    scores = raw[4:6].max(axis=0)
    chosen = np.flatnonzero(scores >= threshold)
    chosen = chosen[np.argsort(-scores[chosen])][:_MOST_BOXES]
    boxes = []
    for column in raw[:, chosen].T:
        x, y, wide, tall, face, back, angle = (float(value) for value in column)
        corners = oriented_box((x, y), (wide, tall), angle) * np.array(scale, dtype=np.float32)
        boxes.append(Box(corners, max(face, back), back / (face + back)))
    return distinct(boxes, FANNED)


def distinct(boxes: list[Box], most: float = SAME) -> tuple[Box, ...]:
    """Return the boxes without those that show a card again that a surer one shows.

    Two cards that lie over each other may share most of their area; what tells them from one card
    found twice is that their centres or their angles differ.
    """
    ordered = sorted(boxes, key=lambda box: -box.score)
    if not ordered:
        return ()
    middles = np.stack([box.corners.mean(axis=0) for box in ordered])
    reaches = np.array([height(box.corners) for box in ordered])
    kept: list[int] = []
    for number, box in enumerate(ordered):
        apart = np.hypot(*(middles[kept] - middles[number]).T)
        near = np.flatnonzero(apart <= _NEAR * np.maximum(reaches[kept], reaches[number]))
        if not any(same_card(box, ordered[kept[place]], most) for place in near):
            kept.append(number)
    return tuple(ordered[number] for number in kept)


def same_card(first: Box, second: Box, most: float = SAME) -> bool:
    """Say whether two boxes can only show one and the same card.

    Args:
        first: One of them.
        second: The other.
        most: Two cards share less than this part of what both cover, 0 to 1.
    """
    middle = np.abs(first.corners.mean(axis=0) - second.corners.mean(axis=0))
    reach = max(height(first.corners), height(second.corners))
    if max(middle) > _NEAR * reach:
        return False
    apart = float(np.hypot(*middle)) / max(reach, 1.0)
    shared = overlap(first.corners, second.corners)
    return shared > most or (shared > 0.4 and apart < 0.12)
