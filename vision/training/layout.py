"""Where the cards of a made-up scene lie: rows, fans, piles and squared stacks on a table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Card
from vision.training.art import Deck
from vision.training.camera import CARD_MM, Array

Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Laid:
    """One card that lies on the table."""

    deck: Deck
    card: Card
    face: bool
    """Face up."""
    back: int
    """Which back its deck has."""
    corners: Array
    """Float64 (4, 2), table millimetres, clockwise from the card's own top left."""


@dataclass(frozen=True, slots=True)
class _Kind:
    deck: Deck
    back: int
    width: float
    height: float


def _kind(rng: Random, decks: list[Deck]) -> _Kind:
    deck = decks[int(rng.integers(len(decks)))]
    aspect = deck.aspect if rng.random() < 0.7 else rng.uniform(0.62, 0.73)
    return _Kind(deck, int(rng.integers(0, 64)), CARD_MM * float(aspect), CARD_MM)


def _lay(rng: Random, kind: _Kind, at: Array, angle: float, *, face: bool) -> Laid:
    half = np.array([kind.width / 2, kind.height / 2])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    c, s = np.cos(angle), np.sin(angle)
    turned = corners @ np.array([[c, s], [-s, c]]) + at
    if rng.random() < 0.15:  # a bent card, or one that leans on another
        turned = turned + rng.normal(0, CARD_MM * 0.012, (4, 2))
    card = PACK[int(rng.integers(52))]
    return Laid(kind.deck, card, face, kind.back, turned)


def group(rng: Random, decks: list[Deck], at: Array, most: int) -> list[Laid]:
    """Return one group of cards about a place, lowest first.

    Args:
        rng: The source of chance.
        decks: The decks to take cards from; a group is of one deck.
        at: Table millimetres.
        most: The most cards in it.
    """
    kind = _kind(rng, decks)
    mood = rng.random()
    shares = 1.0 if mood < 0.6 else 0.0 if mood < 0.78 else float(rng.uniform(0.2, 0.8))
    angle = float(rng.choice([0, 0, 0, np.pi, np.pi / 2, -np.pi / 2]) + rng.normal(0, 0.1))
    if rng.random() < 0.35:
        angle = float(rng.uniform(-np.pi, np.pi))
    count = int(rng.integers(1, max(2, most + 1)))
    shape = rng.random()
    if shape < 0.45:
        return _row(rng, kind, at, angle, (count, shares))
    if shape < 0.62:
        return _fan(rng, kind, at, angle, (count, shares))
    if shape < 0.88:
        return _pile(rng, kind, at, (count, shares))
    return _stack(rng, kind, at, angle, shares)


def _row(rng: Random, kind: _Kind, at: Array, angle: float, many: tuple[int, float]) -> list[Laid]:
    count, shares = many
    gap = rng.uniform(1.02, 1.5) if rng.random() < 0.6 else rng.uniform(0.2, 1.0)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    step = along * kind.width * gap + across * kind.height * rng.normal(0, 0.12)
    untidy = rng.exponential(0.06)
    flip = np.pi if rng.random() < 0.2 else 0.0
    laid = []
    for number in range(count):
        place = at + step * (number - (count - 1) / 2) + rng.normal(0, kind.width * 0.04, 2)
        tilt = angle + flip * float(rng.random() < 0.5) + rng.normal(0, untidy)
        laid.append(_lay(rng, kind, place, tilt, face=bool(rng.random() < shares)))
    return laid


def _fan(rng: Random, kind: _Kind, at: Array, angle: float, many: tuple[int, float]) -> list[Laid]:
    count, shares = max(2, many[0]), many[1]
    spread = float(rng.uniform(0.1, 0.4))
    reach = kind.height * float(rng.uniform(0.45, 1.2))
    laid = []
    for number in range(count):
        tilt = angle + (number - (count - 1) / 2) * spread + rng.normal(0, 0.02)
        place = at + np.array([np.sin(tilt), -np.cos(tilt)]) * reach
        laid.append(_lay(rng, kind, place, tilt, face=bool(rng.random() < shares)))
    return laid


def _pile(rng: Random, kind: _Kind, at: Array, many: tuple[int, float]) -> list[Laid]:
    count, shares = many
    wide = kind.height * float(rng.uniform(0.35, 1.1)) * np.sqrt(count)
    return [
        _lay(
            rng,
            kind,
            at + rng.uniform(-wide, wide, 2),
            float(rng.uniform(-np.pi, np.pi)),
            face=bool(rng.random() < shares),
        )
        for _ in range(count)
    ]


def _stack(rng: Random, kind: _Kind, at: Array, angle: float, shares: float) -> list[Laid]:
    lean = rng.normal(0, 0.9, 2)
    untidy = float(rng.exponential(0.02))
    face = bool(rng.random() < shares)
    return [
        _lay(rng, kind, at + lean * level, angle + rng.normal(0, untidy), face=face)
        for level in range(int(rng.integers(2, 9)))
    ]


def table(rng: Random, decks: list[Deck], places: NDArray[np.float64], most: int) -> list[Laid]:
    """Return the cards of a dealt table: one deck, the same small group at every place."""
    one = [decks[int(rng.integers(len(decks)))]]
    laid: list[Laid] = []
    kind = _kind(rng, one)
    shares = float(rng.choice([0.0, 0.5, 1.0, 1.0]))
    count = int(rng.integers(1, max(2, min(most, 5) + 1)))
    for place in places:
        angle = float(rng.normal(0, 0.15))
        laid += _row(rng, kind, place, angle, (count, shares))
    return laid


def dealt(
    rng: Random, decks: list[Deck], places: NDArray[np.float64]
) -> tuple[list[Laid], list[Array]]:
    """Return the cards of a game and the boxes that are printed for them.

    At every place up to three cards lie side by side, close to each other and to the box about
    them, as a dealer lays them. Two backs next to each other look like one larger card.

    Returns:
        The cards, and the corners of each box, Float64 (4, 2), table millimetres.
    """
    kind = _kind(rng, [decks[int(rng.integers(len(decks)))]])
    gap, snug = kind.width * rng.uniform(1.0, 1.18), rng.uniform(1.0, 1.3)
    shares = float(rng.choice([0.0, 0.0, 0.15, 0.6]))
    untidy = float(rng.exponential(0.03))
    laid: list[Laid] = []
    boxes = []
    for place in places:
        angle = float(rng.choice([0.0, 0.0, np.pi]) + rng.normal(0, 0.15))
        along = np.array([np.cos(angle), np.sin(angle)])
        spots = 3 if rng.random() < 0.8 else 1
        first = int(rng.integers(0, 2)) if spots == 3 else 0
        for number in range(first, int(rng.integers(first, spots)) + 1):
            at = place + along * gap * (number - (spots - 1) / 2)
            at = at + rng.normal(0, kind.width * 0.02, 2)
            tilt = angle + rng.normal(0, untidy)
            laid.append(_lay(rng, kind, at, tilt, face=bool(rng.random() < shares)))
        half = np.array([gap * spots, kind.height]) * snug / 2
        spin = np.array([along, [-along[1], along[0]]])
        boxes.append(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ spin + place)
    return laid, boxes
