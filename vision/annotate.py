"""Drawing what was seen onto a picture: a thin outline and a small label for each card."""

from collections.abc import Sequence
from functools import cache
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import Card, Suit
from rules.events import UNREADABLE, Face
from vision.geometry import Floats, Image, Quad, height

Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""

_PAPER: Colour = (250, 250, 248)
_INK: Colour = (40, 34, 30)
_RED: Colour = (48, 40, 205)
_FACE: Colour = (128, 222, 74)
_BACK: Colour = (240, 176, 96)
_UNSURE: Colour = (60, 178, 250)

_SHIFT = 4
"""Sub-pixel bits of OpenCV's drawing calls."""


class Drawable(Protocol):
    """A card to draw: a detection in a picture or a card followed through a video."""

    @property
    def corners(self) -> Quad:
        """Where it is."""

    @property
    def face(self) -> Face:
        """What it is."""


def annotate(image: Image, cards: Sequence[Drawable]) -> Image:
    """Return a copy of a picture with its cards outlined and named.

    Args:
        image: UInt8 (H, W, 3), BGR; it is not written to.
        cards: What to draw.
    """
    picture = image.copy()
    for card in cards:
        _outline(picture, card)
    for card in cards:
        _label(picture, card)
    return picture


def _outline(picture: Image, card: Drawable) -> None:
    """Draw a light line with a dark one under it, to be seen on any cloth."""
    points = [_fixed(card.corners)]
    thick = 1 if height(card.corners) < 90 else 2
    cv2.polylines(picture, points, True, _INK, thick + 2, cv2.LINE_AA, _SHIFT)
    cv2.polylines(picture, points, True, _colour(card.face), thick, cv2.LINE_AA, _SHIFT)


def _colour(face: Face) -> Colour:
    if face is None:
        return _BACK
    return _UNSURE if face is UNREADABLE else _FACE


def _label(picture: Image, card: Drawable) -> None:
    """Lay a small pill with the card's name on the top edge of the card, inside the picture."""
    tall, wide = picture.shape[:2]
    size = int(np.clip(height(card.corners) * 0.24, 13, 34))
    width, high = _pill_width(card.face, size), round(size * 1.35)
    top = card.corners[int(card.corners[:, 1].argmin())]
    middle = float(card.corners[:, 0].mean())
    left = round(float(np.clip(middle - width / 2, 1, max(1, wide - width - 1))))
    upper = round(float(np.clip(top[1] - high * 0.5, 1, max(1, tall - high - 1))))
    if width > wide or high > tall:
        return
    _pill(picture, (left, upper), (width, high), _colour(card.face))
    base = (left + round(size * 0.42), upper + round(high * 0.5 + size * 0.37))
    _write(picture, card.face, base, size)


def _pill_width(face: Face, size: int) -> int:
    if isinstance(face, Card):
        letters = len(_rank(face))
        return round(size * (0.84 + 0.62 * letters + 0.72))
    return round(size * (1.5 if face is UNREADABLE else 1.4))


def _rank(card: Card) -> str:
    """Return the rank as it stands on the card: a ten has two figures there."""
    return "10" if card.rank.letter == "T" else card.rank.letter


def _pill(picture: Image, at: tuple[int, int], size: tuple[int, int], rim: Colour) -> None:
    for grow, colour in ((2, _INK), (1, rim), (0, _PAPER)):
        left, top = at[0] - grow, at[1] - grow
        right, bottom = at[0] + size[0] + grow, at[1] + size[1] + grow
        radius = (bottom - top) // 2
        cv2.rectangle(picture, (left + radius, top), (right - radius, bottom), colour, -1)
        for x in (left + radius, right - radius):
            centre = (x << _SHIFT, (top + bottom) << (_SHIFT - 1))
            half = (bottom - top) << (_SHIFT - 1)
            cv2.circle(picture, centre, half, colour, -1, cv2.LINE_AA, _SHIFT)


def _write(picture: Image, face: Face, base: tuple[int, int], size: int) -> None:
    if isinstance(face, Card):
        ink = _RED if face.suit in (Suit.HEARTS, Suit.DIAMONDS) else _INK
        letters = _rank(face)
        _text(picture, letters, base, size, ink)
        middle = base[0] + size * (0.62 * len(letters) + 0.36)
        _suit(picture, face.suit, (middle, base[1] - size * 0.36), size * 0.36, ink)
    elif face is UNREADABLE:
        _text(picture, "?", (base[0], base[1]), size, _INK)
    else:
        _back_mark(picture, (base[0], base[1]), size)


def _text(picture: Image, text: str, base: tuple[int, int], size: int, ink: Colour) -> None:
    cv2.putText(picture, text, base, ink, _font(), size, 700)


@cache
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


def _back_mark(picture: Image, base: tuple[int, int], size: int) -> None:
    """Draw a tiny card's back: a filled upright rectangle."""
    left, bottom = base[0] + round(size * 0.04), base[1] + round(size * 0.06)
    right, top = left + round(size * 0.46), bottom - round(size * 0.7)
    cv2.rectangle(picture, (left, top), (right, bottom), _BACK, -1)
    cv2.rectangle(picture, (left, top), (right, bottom), _INK, 1)


def _suit(
    picture: Image, suit: Suit, middle: tuple[float, float], radius: float, ink: Colour
) -> None:
    for shape in _shapes(suit):
        points = _fixed(shape * np.float32(radius) + np.array(middle, dtype=np.float32))
        cv2.fillPoly(picture, [points], ink, cv2.LINE_AA, _SHIFT)


@cache
def _shapes(suit: Suit) -> tuple[Floats, ...]:
    """Return a pip's outline as polygons in a circle of radius 1, y pointing down."""
    stem = np.array([[0, 0.2], [0.38, 1.0], [-0.38, 1.0]], dtype=np.float32)
    match suit:
        case Suit.DIAMONDS:
            return (np.array([[0, -1], [0.74, 0], [0, 1], [-0.74, 0]], dtype=np.float32),)
        case Suit.HEARTS:
            return (_heart(),)
        case Suit.SPADES:
            flip = np.array([1, -0.86], dtype=np.float32)
            return (_heart() * flip - np.array([0, 0.12], dtype=np.float32), stem)
        case Suit.CLUBS:
            leaves = ((0.0, -0.5), (0.5, 0.18), (-0.5, 0.18))
            return (*(_circle(x, y, 0.46) for x, y in leaves), stem)


def _heart() -> Floats:
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    x = 16 * np.sin(turn) ** 3
    y = -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn))
    return np.stack([x / 17, (y - 2.5) / 14.6], axis=1).astype(np.float32)


def _circle(x: float, y: float, radius: float) -> Floats:
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * radius + (x, y)
    return ring.astype(np.float32)


def _fixed(points: Floats) -> NDArray[np.int32]:
    """Return points as OpenCV's fixed-point integers with `_SHIFT` bits behind the point."""
    return np.rint(points * (1 << _SHIFT)).astype(np.int32)
