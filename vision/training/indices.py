"""Batches for the index network: patches about a card, and which indices are to be seen in them.

An index is the rank and suit in a card's corner. It is either to be seen or not, however much of
its card lies under others, so that a card in a fan is read by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Rank, Suit
from vision.geometry import quad
from vision.indices import AT, CARD, GRID, PATCH, REACH, STRIDE, Place, framed
from vision.training.batches import Pixels, Random, Rows, jittered, read, rectify, rough, tinted
from vision.training.camera import Array, project
from vision.training.prints import with_boxes
from vision.training.reprint import Printer
from vision.training.scene import Label
from vision.training.sight import COVERED, SEEN, SMALLEST, UNCLEAR, states, view

Floats = NDArray[np.float32]

RANKS, SUITS = tuple(Rank), tuple(Suit)

_SIZES = (0.55, 1.8)
"""Of a card against the patch's own: others are too small or too large to be asked for."""
_SPREAD = 0.7
"""Cells around an index's own, in cells, that are asked for its card as well."""

_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class IndexBatch:
    """Patches and, for each cell of the network's grid, what it should say."""

    patches: Pixels
    """UInt8 (N, PATCH, PATCH, 3), RGB."""
    marks: tuple[tuple["Mark", ...], ...]
    """For each patch the indices in it, pixels of the patch."""
    shown: Floats
    """Float32 (N, GRID, GRID): 1 where an index has its middle, falling off around it."""
    asked: Floats
    """Float32 (N, GRID, GRID): 0 where nobody could say whether there is an index."""
    cells: NDArray[np.int64]
    """Int64 (M, 3): patch, row and column of the cells that should name a card."""
    cards: NDArray[np.int64]
    """Int64 (M, 2): the rank's and the suit's number of each."""
    corners: Floats
    """Float32 (M, 8): its card's corners from the cell's middle, in units of `REACH`."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One of a card's two indices."""

    at: Array
    """Float64 (2,), pixels of the picture."""
    quad: Array
    """Float64 (4, 2), the card's corners, from the index's own on clockwise."""
    card: int
    """The card's place in `PACK`."""
    state: int
    """Whether it is to be seen, as `vision.training.sight` says it."""


def marks(labels: Sequence[Label], size: tuple[int, int]) -> list[Mark]:
    """Return the indices of the faces in a picture, both of each.

    Args:
        labels: The picture's cards, those above after those below.
        size: Its width and height.
    """
    found = []
    for number, label in enumerate(labels):
        if label.card is None or label.visible < 0.02:
            continue
        both = label.quad, np.roll(label.quad, 2, axis=0)
        for corners, state in zip(both, states(labels, number, size), strict=True):
            at = project(view(corners), np.array([AT]))[0]
            found.append(Mark(at, corners, PACK.index(label.card), state))
    return found


def index_batch(
    rows: Rows, rng: Random, *, most: int = 4, printer: Printer | None = None
) -> IndexBatch:
    """Return patches about the cards of some pictures, at most so many a picture.

    Args:
        rows: Pictures and their labels.
        rng: The source of chance.
        most: Patches a picture.
        printer: Prints new indices over some of a picture's own; none are when None.
    """
    made = []
    for path, labels in rows:
        picture, told = read(path), labels
        if printer is not None:
            picture, told = printer.reprinted(picture, labels, rng)
        picture, _ = with_boxes(tinted(picture, rng), told, rng)
        there = marks(told, (picture.shape[1], picture.shape[0]))
        wanted = [each.quad for each in told if each.visible >= 0.12 and _asked(each, rng)]
        for pick in rng.permutation(len(wanted))[:most]:
            frame = framed(quad(_upright(wanted[pick], rng))).astype(np.float64)
            made.append((rectify(picture, frame, (PATCH, PATCH)), _within(there, frame)))
    return _stacked(made)


def _asked(label: Label, rng: Random) -> bool:
    tall = float(np.linalg.norm(label.quad[3] - label.quad[0]))
    return tall >= SMALLEST and (label.card is not None or rng.random() < 0.15)


def _upright(card: Array, rng: Random) -> Array:
    """Return a card's corners as they are found: somewhat off, and as often upside down."""
    found = rough(card, rng) if rng.random() < 0.6 else jittered(card, rng, 0.02)
    turn = min(range(4), key=lambda n: float(np.abs(np.roll(found, n, axis=0) - card).sum()))
    found = np.roll(found, turn + 2 * int(rng.integers(2)), axis=0)
    return np.asarray(found + rng.normal(0, 0.05, 2) * np.ptp(card, axis=0))


def _within(there: Sequence[Mark], frame: Array) -> list[Mark]:
    """Return indices with their places in a patch, pixels; of sizes that can be read alone."""
    way = np.asarray(np.linalg.inv(view(frame)), np.float64)
    found = []
    for mark in there:
        placed = project(way, mark.quad) * PATCH
        at = project(way, mark.at[None])[0] * PATCH
        if not (at.min() >= 0 and at.max() < PATCH):
            continue
        tall = (
            float(np.linalg.norm(placed[3] - placed[0]) + np.linalg.norm(placed[2] - placed[1])) / 2
        )
        own = float(np.linalg.norm(mark.quad[3] - mark.quad[0]))
        readable = _SIZES[0] < tall / CARD[1] < _SIZES[1] and own >= SMALLEST
        state = mark.state if readable or mark.state == COVERED else UNCLEAR
        found.append(Mark(at, placed, mark.card, state))
    return found


def _stacked(made: Sequence[tuple[Pixels, list[Mark]]]) -> IndexBatch:
    shown = np.zeros((len(made), GRID, GRID), np.float32)
    asked = np.ones_like(shown)
    cells, cards, corners = [], [], []
    middles = (np.arange(GRID) + 0.5) * STRIDE
    for number, (_, found) in enumerate(made):
        for mark in found:
            x, y = mark.at
            away = ((middles[None, :] - x) ** 2 + (middles[:, None] - y) ** 2) / STRIDE**2
            if mark.state == UNCLEAR:
                asked[number][away < 4] = 0
            if mark.state != SEEN:
                continue
            shown[number] = np.maximum(shown[number], np.exp(-away))
            own = (int(y // STRIDE), int(x // STRIDE))
            shown[number][own] = 1
            for row, column in {own, *zip(*np.nonzero(away < _SPREAD**2), strict=True)}:
                cells.append((number, row, column))
                cards.append((RANKS.index(PACK[mark.card].rank), SUITS.index(PACK[mark.card].suit)))
                corners.append((mark.quad - (middles[column], middles[row])).ravel() / REACH)
        asked[number][shown[number] == 1] = 1
    return IndexBatch(
        np.array([patch for patch, _ in made], np.uint8).reshape(-1, PATCH, PATCH, 3),
        tuple(tuple(found) for _, found in made),
        shown,
        asked,
        np.array(cells, np.int64).reshape(-1, 3),
        np.array(cards, np.int64).reshape(-1, 2),
        np.array(corners, np.float32).reshape(-1, 8),
    )


def match_indices(found: Sequence[Place], batch: IndexBatch, number: int) -> Floats:
    """Return how many indices of a patch are found, how many false ones, and how many are there.

    Args:
        found: What the network sees in the patch.
        batch: The batch that holds it.
        number: Which of its patches it is.
    """
    there = batch.marks[number]
    near = [
        min(
            (float(np.hypot(*(mark.at - each.at))), place)
            for place, mark in enumerate((*there, _NOWHERE))
        )
        for each in found
    ]
    total = np.zeros(3, np.float32)
    total[2] = sum(mark.state == SEEN for mark in there)
    seen: set[int] = set()
    for apart, place in near:
        if apart > 2 * STRIDE or there[place].state == COVERED:
            total[1] += 1
        elif there[place].state == SEEN and place not in seen:
            seen.add(place)
            total[0] += 1
    return total


_NOWHERE = Mark(np.full(2, 1e6), np.zeros((4, 2)), 0, COVERED)
