"""Batches for the index reader: single indices cut out, with their ranks and suits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK
from vision.geometry import quad
from vision.index_reader import INDEX_CROP, index_corners
from vision.training.batches import Pixels, Random, Rows, jittered, nothing, read, rectify, tinted
from vision.training.camera import Array
from vision.training.indices import RANKS, SUITS, Mark, marks
from vision.training.prints import with_boxes
from vision.training.reprint import Printer
from vision.training.scene import Label
from vision.training.sight import COVERED, SEEN, SMALLEST

_OFF = (0.01, 0.02, 0.035, 0.05)
"""How far, in card heights, the corners may be off from which an index is cut out."""
_NONE = 0.12
"""Share of crops that are cut somewhere else on a card: pips and court pictures are no indices."""


@dataclass(frozen=True, slots=True)
class IndexCrops:
    """Crops and what they show."""

    crops: Pixels
    """UInt8 (N, 96, 64, 3), RGB."""
    shown: NDArray[np.float32]
    """Float32 (N,): 1 where there is an index."""
    cards: NDArray[np.int64]
    """Int64 (N, 2): the rank's and the suit's number; 0 where there is no index."""


def index_crops(
    rows: Rows, rng: Random, *, most: int = 10, printer: Printer | None = None
) -> IndexCrops:
    """Return the indices in some pictures, at most so many a picture, and some that are none.

    Args:
        rows: Pictures and their labels.
        rng: The source of chance.
        most: Crops a picture.
        printer: Prints new indices over some of a picture's own; none are when None.
    """
    crops, shown, cards = [], [], []
    for path, labels in rows:
        picture, told = read(path), labels
        if printer is not None:
            picture, told = printer.reprinted(picture, labels, rng)
        picture, _ = with_boxes(tinted(picture, rng), told, rng)
        wanted = [mark for mark in _marks(told, picture) if mark.state in (SEEN, COVERED)]
        for pick in rng.permutation(len(wanted))[:most]:
            mark = wanted[pick]
            if mark.state == COVERED and rng.random() < 0.7:  # most say little that is new
                continue
            elsewhere = rng.random() < _NONE
            corners = _elsewhere(mark.quad, rng) if elsewhere else _near(mark.quad, rng)
            there = mark.state == SEEN and not elsewhere
            crops.append(rectify(picture, corners, INDEX_CROP))
            shown.append(float(there))
            card = PACK[mark.card]
            cards.append((RANKS.index(card.rank), SUITS.index(card.suit)) if there else (0, 0))
        for empty in nothing(picture, told, rng):
            corners = index_corners(quad(empty)).astype(np.float64)
            crops.append(rectify(picture, corners, INDEX_CROP))
            shown.append(0.0)
            cards.append((0, 0))
    return IndexCrops(
        np.array(crops, np.uint8).reshape(-1, INDEX_CROP[1], INDEX_CROP[0], 3),
        np.array(shown, np.float32),
        np.array(cards, np.int64).reshape(-1, 2),
    )


def _marks(labels: Sequence[Label], picture: Pixels) -> list[Mark]:
    """Return the indices of the cards that are large enough to be read."""
    large = tuple(
        label if np.linalg.norm(label.quad[3] - label.quad[0]) >= SMALLEST else _hidden(label)
        for label in labels
    )
    return marks(large, (picture.shape[1], picture.shape[0]))


def _hidden(label: Label) -> Label:
    """Return a label that still covers what lies below and has no index of its own."""
    return Label(label.quad, None, label.visible, label.index)


def _near(card: Array, rng: Random) -> Array:
    """Return where an index is cut out, from corners that are somewhat off."""
    off = jittered(card, rng, float(rng.choice(_OFF)))
    return index_corners(quad(off)).astype(np.float64)


def _elsewhere(card: Array, rng: Random) -> Array:
    """Return a place on a card, or beside it, that is no index's."""
    across, down = card[1] - card[0], card[3] - card[0]
    u, v = rng.uniform(0.25, 0.55), rng.uniform(0.1, 0.5)
    if rng.random() < 0.4:  # the other two corners, and the sides of the card
        u, v = float(rng.choice([-0.45, 0.62])), rng.uniform(-0.1, 0.3)
    moved = card + u * across + v * down
    return index_corners(quad(moved)).astype(np.float64)
