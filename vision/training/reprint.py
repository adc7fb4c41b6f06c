"""New indices printed over those of a picture's cards, in any type face and size.

What the card's middle shows no longer agrees with them, so that a network has to read the index.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Card, Rank, Suit
from vision.training import fonts
from vision.training.batches import Pixels, Random
from vision.training.camera import Array
from vision.training.drawn import HEIGHT, WIDTH
from vision.training.scene import Label
from vision.training.sight import SMALLEST, states

Floats = NDArray[np.float32]

_PICTURES, _CARDS = 0.5, 0.8
"""Shares of the pictures, and of the cards in them, that are printed anew."""
_REDS = ((212, 0, 0), (200, 30, 40), (224, 27, 36), (181, 18, 27), (230, 60, 30))
_BLACKS = ((0, 0, 0), (25, 25, 30), (40, 40, 60))
_OTHERS = {Suit.CLUBS: (10, 125, 44), Suit.DIAMONDS: (31, 79, 216)}
_LEAST = (66, 130)
"""Width and height of the paper laid down, pixels of 300×420: it hides most indices of before."""
_FRAME = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)


@dataclass(frozen=True, slots=True)
class Style:
    """How the indices of one deck are printed. Lengths are shares of the card's height."""

    letters: Path
    signs: Path
    rank: float
    """Height of a capital letter."""
    suit: float
    """Height of the sign under it."""
    wide: float
    """Width of the letters against their natural one."""
    inset: float
    gap: float
    """Between letter and sign."""
    red: tuple[int, int, int]
    black: tuple[int, int, int]
    four_colours: bool

    def ink(self, suit: Suit) -> tuple[int, int, int]:
        """Return a suit's colour, RGB."""
        if self.four_colours and suit in _OTHERS:
            return _OTHERS[suit]
        return self.red if suit in (Suit.HEARTS, Suit.DIAMONDS) else self.black


class Printer:
    """Prints indices in the type faces of the train split."""

    def __init__(self, cache: Path) -> None:
        """Fetch the type faces into a cache.

        Raises:
            ArtError: They can't be fetched.
        """
        self._letters, self._signs = fonts.type_faces(cache), fonts.suit_faces(cache)

    def reprinted(
        self, picture: Pixels, labels: Sequence[Label], rng: Random
    ) -> tuple[Pixels, tuple[Label, ...]]:
        """Return a picture, every other one with new indices, and labels that say so.

        Args:
            picture: UInt8 (H, W, 3), RGB; it is not changed.
            labels: Its cards, those above after those below.
            rng: The source of chance.
        """
        if rng.random() >= _PICTURES:
            return picture, tuple(labels)
        drawn, style, told = picture.copy(), self._style(rng), list(labels)
        size = (picture.shape[1], picture.shape[0])
        for number, label in enumerate(labels):
            tall = float(np.linalg.norm(label.quad[3] - label.quad[0]))
            if label.card is None or tall < SMALLEST or rng.random() >= _CARDS:
                continue
            seen = states(labels, number, size)
            if -1 in seen or 1 not in seen:
                continue
            card = PACK[int(rng.integers(len(PACK)))]
            above = [each.quad for each in labels[number + 1 :]]
            for quad, state in zip((label.quad, np.roll(label.quad, 2, 0)), seen, strict=True):
                if state == 1:
                    _print(drawn, quad, above, index(style, card), rng)
            told[number] = replace(label, card=card)
        return drawn, tuple(told)

    def _style(self, rng: Random) -> Style:
        jumbo = bool(rng.random() < 0.45)
        rank = float(rng.uniform(0.13, 0.24) if jumbo else rng.uniform(0.07, 0.13))
        return Style(
            letters=self._letters[int(rng.integers(len(self._letters)))],
            signs=self._signs[int(rng.integers(len(self._signs)))],
            rank=rank,
            suit=rank * float(rng.uniform(0.55, 1.05)),
            wide=float(rng.uniform(0.65, 1.05)),
            inset=float(rng.uniform(0.015, 0.045)),
            gap=float(rng.uniform(0.0, 0.03)),
            red=_REDS[int(rng.integers(len(_REDS)))],
            black=_BLACKS[int(rng.integers(len(_BLACKS)))],
            four_colours=bool(rng.random() < 0.1),
        )


def index(style: Style, card: Card) -> Pixels:
    """Return a card's upper left corner with its index: UInt8 (420, 300, 4), RGBA.

    The ink is opaque and lies on a patch of paper, of colour (255, 255, 255), that hides what was
    printed there before.
    """
    text = "10" if card.rank is Rank.TEN else card.rank.letter.replace("T", "10")
    letters = fonts.sign(style.letters, text)
    tall = max(6, round(style.rank * HEIGHT))
    wide = letters.shape[1] * tall / letters.shape[0] * style.wide
    most = tall * (1.25 if text == "10" else 1.0)
    letters = fonts.scaled(letters, (max(3, round(min(wide, most))), tall))
    sign = fonts.sign(style.signs, card.suit.symbol)
    side = max(5, round(style.suit * HEIGHT))
    sign = fonts.scaled(sign, (max(4, round(sign.shape[1] * side / sign.shape[0])), side))
    inset = round(style.inset * HEIGHT)
    middle = inset + max(letters.shape[1], sign.shape[1]) // 2
    low = inset + tall + round(style.gap * HEIGHT) + side
    corner = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    bottom, right = max(low + inset // 2, _LEAST[1]), max(2 * middle - inset // 2, _LEAST[0])
    corner[inset // 2 : bottom, inset // 2 : right] = 255
    for mask, top in ((letters, inset), (sign, low - side)):
        left = max(0, middle - mask.shape[1] // 2)
        part = corner[top : top + mask.shape[0], left : left + mask.shape[1], :3]
        ink = mask[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
        part[:] = np.rint(part * (1 - ink) + np.array(style.ink(card.suit)) * ink)
    return corner


def _print(
    picture: Pixels, quad: Array, above: Sequence[Array], corner: Pixels, rng: Random
) -> None:
    """Lay a printed corner onto a card, under the cards above it and as sharp as the picture."""
    tall = float(np.linalg.norm(quad[3] - quad[0]))
    small = (max(8, round(tall * WIDTH / HEIGHT)), max(12, round(tall)))
    shrunk = cv2.resize(corner, small, interpolation=cv2.INTER_AREA)
    scale = np.array(small, np.float32) / (WIDTH, HEIGHT)
    frame = (_FRAME * scale).astype(np.float32)
    view = cv2.getPerspectiveTransform(frame, quad.astype(np.float32))
    laid = cv2.warpPerspective(shrunk.astype(np.float32), view, picture.shape[1::-1])
    soft = max(0.3, float(rng.uniform(0, 0.011)) * tall)
    laid = cv2.GaussianBlur(laid, (0, 0), soft)
    alpha = np.asarray(laid[..., 3] / 255, np.float32)
    for other in above:
        cv2.fillConvexPoly(alpha, np.rint(other).astype(np.int32), 0.0)
    rows, columns = np.nonzero(alpha > 0.02)
    if not len(rows):
        return
    part = slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)
    under = picture[part].astype(np.float32)
    share = alpha[part][..., None]
    ink = laid[part][..., :3] / np.maximum(share, 0.02)
    paper = _paper(under, alpha[part]) * float(rng.uniform(0.95, 1.05))
    grain = rng.normal(float(rng.uniform(0, 12)), float(rng.uniform(0, 5)), share.shape)
    shown = ink / 255 * paper + grain
    picture[part] = np.clip(under * (1 - share) + shown * share, 0, 255).astype(np.uint8)


def _paper(under: Floats, alpha: Floats) -> Floats:
    """Return the colour of the paper there, Float32 (3,): that of the lightest third."""
    values = under[alpha > 0.5] if (alpha > 0.5).any() else under.reshape(-1, 3)
    light = values.sum(axis=1)
    return np.asarray(values[light >= np.quantile(light, 0.67)].mean(axis=0), np.float32)
