"""Made-up pictures of cards on tables, with exact labels.

python -m vision.training.scene OUT.png [--seed N] [--crops]   # look at some, labels drawn in
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import Card
from vision.training import clutter, damage
from vision.training.art import CACHE, decks
from vision.training.camera import Array, project, random_camera
from vision.training.drawn import HEIGHT, WIDTH
from vision.training.grounds import SIDE, ground
from vision.training.layout import Laid, dealt, group, table
from vision.training.sources import Split

Pixels = NDArray[np.uint8]

_FRAME = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
_INDEX = np.array([[0.02, 0.02], [0.2, 0.02], [0.2, 0.28], [0.02, 0.28]])
"""Where an index lies, as shares of the card's width and height."""


@dataclass(frozen=True, slots=True)
class Label:
    """One card in a picture."""

    quad: Array
    """Float64 (4, 2), pixels, clockwise from the card's own top left; some may lie outside."""
    card: Card | None
    """The card, or None when it lies face down."""
    visible: float
    """Share of its area that is in the picture and not covered, 0 to 1."""
    index: float
    """Share of its better visible index that is to be seen, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture and its labels."""

    picture: Pixels
    """UInt8 (H, W, 3), RGB."""
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What kind of pictures to make."""

    size: tuple[int, int]
    """Width and height in pixels."""
    card_px: tuple[float, float]
    """The least and greatest height of a card in pixels."""
    split: Split
    empty: float = 0.06
    """Share of pictures without any card."""
    decks: str = ""
    """What the names of the decks begin with; every deck serves when empty."""
    hard: float = 1.0
    """Strength of blur, covering and loss."""
    dealt: bool = False
    """Whether the cards lie as a dealer lays them, in rows within printed boxes."""


class Studio:
    """Makes scenes. It keeps the decks and a changing stock of grounds, so making one is quick."""

    def __init__(self, recipe: Recipe, seed: int, cache: Path = CACHE) -> None:
        """Make a studio; the same recipe and seed make the same scenes in the same order."""
        self._recipe = recipe
        self._rng = np.random.default_rng([seed, 1 if recipe.split is Split.TRAIN else 2])
        every = decks(cache, recipe.split)
        self._decks = [each for each in every if each.name.startswith(recipe.decks)]
        self._grounds = [ground(self._rng, recipe.split) for _ in range(6)]

    def scene(self) -> Scene:
        """Return the next scene."""
        rng, recipe = self._rng, self._recipe
        if rng.random() < 0.25:
            self._grounds[int(rng.integers(6))] = ground(rng, recipe.split)
        view = random_camera(rng, recipe.size, recipe.card_px)
        matrix = view.matrix()
        canvas = self._ground(matrix, view.card_px)
        for _ in range(int(rng.poisson(1.2))):
            self._clutter(canvas, view.card_px)
        laid = [] if rng.random() < recipe.empty else self._layout(canvas, matrix, view.card_px)
        owners = np.zeros(canvas.shape[:2], np.int16)
        quads = [project(matrix, each.corners) for each in laid]
        for number, (each, quad) in enumerate(zip(laid, quads, strict=True)):
            self._draw(canvas, owners, each, (quad, number + 1))
        self._cover(canvas, owners, view.card_px)
        lit = damage.light(canvas, rng, view.card_px)
        shown = damage.camera(lit, rng, hard=recipe.hard)
        labels = [
            self._label(owners, *each) for each in zip(laid, quads, range(1, 999), strict=False)
        ]
        return Scene(shown, tuple(labels))

    def _ground(self, matrix: Array, card_px: float) -> Pixels:
        rng = self._rng
        picture = self._grounds[int(rng.integers(6))]
        w, h = self._recipe.size
        mm = float(np.exp(rng.uniform(np.log(350), np.log(1400))))
        turn = rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else 0.0
        c, s = np.cos(turn) * mm / SIDE, np.sin(turn) * mm / SIDE
        lay = np.array([[c, -s, -mm / 2 * (np.cos(turn) - np.sin(turn))],
                        [s, c, -mm / 2 * (np.cos(turn) + np.sin(turn))], [0, 0, 1]])  # fmt: skip
        shrink = 88 / card_px / (mm / SIDE)  # texture pixels a picture pixel
        if shrink > 1.6:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.45 * shrink), np.uint8)
        full = matrix @ lay
        return np.asarray(
            cv2.warpPerspective(picture, full, (w, h), borderMode=cv2.BORDER_REFLECT), np.uint8
        )

    def _clutter(self, canvas: Pixels, card_px: float) -> None:
        rng = self._rng
        size = card_px * float(np.exp(rng.normal(0, 0.2)))
        if rng.random() < 0.55:
            for _ in range(int(rng.integers(1, 5))):
                clutter.chips(canvas, rng, size)
        else:
            clutter.paper(canvas, rng, size, self._recipe.split)

    def _layout(self, canvas: Pixels, matrix: Array, card_px: float) -> list[Laid]:
        """Return what lies on the table; boxes for it are printed onto the canvas."""
        rng = self._rng
        w, h = self._recipe.size
        room = (w * h) / (card_px * card_px * 0.7)
        inverse = np.asarray(np.linalg.inv(matrix), np.float64)
        groups = int(np.clip(rng.integers(1, 9), 1, max(1, room / 3)))
        if groups == 1:
            shares = rng.normal(0.5, 0.12, (1, 2))
        else:
            shares = rng.uniform(0.04, 0.96, (groups, 2))
        places = project(inverse, shares * np.array([w, h], np.float64))
        if self._recipe.dealt:
            laid, boxes = dealt(rng, self._decks, places)
            clutter.boxes(canvas, rng, [project(matrix, box) for box in boxes], card_px)
            return laid
        most = int(np.clip(room / groups / 1.5, 1, 6))
        if rng.random() < 0.2 and groups > 1:
            return table(rng, self._decks, places, most)
        few = self._decks if rng.random() < 0.3 else [
            self._decks[int(rng.integers(len(self._decks)))]
        ]  # fmt: skip
        return [card for place in places for card in group(rng, few, place, most)]

    def _draw(
        self, canvas: Pixels, owners: NDArray[np.int16], laid: Laid, spot: tuple[Array, int]
    ) -> None:
        rng = self._rng
        quad, number = spot
        h, w = canvas.shape[:2]
        reach = float(np.ptp(quad, axis=0).max())
        margin = int(3 + reach * 0.12)
        left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int) - margin, 0)
        right = min(w, int(quad[:, 0].max()) + margin + 1)
        low = min(h, int(quad[:, 1].max()) + margin + 1)
        if right - left < 2 or low - top < 2:
            return
        art = laid.deck.face(laid.card) if laid.face else laid.deck.back(laid.back)
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        tall = float(np.clip(max(sides[1], sides[3], sides[0], sides[2]) * 1.15, 12, HEIGHT))
        small = (max(8, int(tall * WIDTH / HEIGHT)), int(tall))
        shrunk = cv2.resize(art, small, interpolation=cv2.INTER_AREA)
        scale = np.array(small, np.float32) / (WIDTH, HEIGHT)
        target = (quad - (left, top)).astype(np.float32)
        view = cv2.getPerspectiveTransform((_FRAME * scale).astype(np.float32), target)
        box = (int(right - left), int(low - top))
        warped = cv2.warpPerspective(shrunk, view, box, flags=cv2.INTER_LINEAR)
        alpha = warped[..., 3:].astype(np.float32) / 255
        part = canvas[top:low, left:right].astype(np.float32)
        part *= 1 - self._shade(np.asarray(alpha[..., 0], np.float32), reach)[..., None]
        gloss = float(rng.normal(0.97, 0.06))
        tint = rng.normal(1, 0.015, 3)
        ink = warped[..., :3].astype(np.float32) * (gloss * tint)
        ink = ink + float(max(0.0, rng.normal(0, 6)))
        mixed = part * (1 - alpha) + ink * alpha
        canvas[top:low, left:right] = np.clip(mixed, 0, 255).astype(np.uint8)
        owners[top:low, left:right][alpha[..., 0] > 0.5] = number

    def _shade(self, alpha: NDArray[np.float32], reach: float) -> NDArray[np.float32]:
        rng = self._rng
        lift = reach * float(rng.exponential(0.012))
        angle = rng.uniform(0, 2 * np.pi)
        move = np.array([[1, 0, lift * np.cos(angle)], [0, 1, lift * np.sin(angle)]], np.float32)
        moved = cv2.warpAffine(alpha, move, alpha.shape[::-1])
        soft = cv2.GaussianBlur(moved, (0, 0), max(0.6, lift * 0.8 + reach * 0.008))
        return np.asarray(soft * float(rng.uniform(0.15, 0.65)), np.float32)

    def _cover(self, canvas: Pixels, owners: NDArray[np.int16], card_px: float) -> None:
        rng = self._rng
        if rng.random() < 0.12 * self._recipe.hard:
            clutter.chips(canvas, rng, card_px)  # chips thrown onto cards count as seen through
        hands = int(rng.random() < 0.28) + int(rng.random() < 0.08)
        for _ in range(hands):
            size = card_px * float(np.exp(rng.normal(0, 0.15)))
            colours, mask = clutter.hand(canvas.shape[:2], rng, size)
            lift = int(rng.uniform(1, 0.2 * size + 2))
            moved = np.roll(mask, (lift, lift // 2), (0, 1)).astype(np.float32) / 255
            shadow = cv2.GaussianBlur(moved, (0, 0), max(1.0, lift * 0.7))
            alpha = mask[..., None].astype(np.float32) / 255
            dark = canvas * (1 - float(rng.uniform(0.15, 0.6)) * shadow[..., None])
            canvas[:] = np.clip(dark * (1 - alpha) + colours * alpha, 0, 255).astype(np.uint8)
            owners[mask > 127] = -1

    def _label(self, owners: NDArray[np.int16], laid: Laid, quad: Array, number: int) -> Label:
        whole = max(1.0, abs(float(cv2.contourArea(quad.astype(np.float32)))))
        visible = min(1.0, float((owners == number).sum()) / whole)
        seen = [_share(owners, quad, part, number) for part in (_INDEX, 1 - _INDEX)]
        return Label(quad, laid.card if laid.face else None, visible, max(seen))


def _share(owners: NDArray[np.int16], quad: Array, part: Array, number: int) -> float:
    """Return how much of a part of a card is its own: the part is given in shares of the card."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    view = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 5)), -1).reshape(-1, 2)
    low, high = part.min(axis=0), part.max(axis=0)
    points = project(np.asarray(view, np.float64), low + grid * (high - low))
    x, y = np.round(points).astype(int).T
    h, w = owners.shape
    inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
    hit = owners[np.clip(y, 0, h - 1), np.clip(x, 0, w - 1)] == number
    return float((hit & inside).mean())


def drawn_labels(scene: Scene) -> Pixels:
    """Return a scene's picture with its labels drawn in, to be looked at."""
    shown = scene.picture.copy()
    for label in scene.labels:
        colour = (0, 255, 0) if label.card else (255, 255, 0)
        if label.visible < 0.15:
            colour = (255, 0, 0)
        corners = label.quad.astype(np.int32)
        cv2.polylines(shown, [corners], True, colour, 1, cv2.LINE_AA)
        cv2.circle(shown, tuple(int(v) for v in corners[0]), 3, (255, 0, 255), -1)
        middle = tuple(int(v) for v in label.quad.mean(axis=0) - (10, 0))
        text = f"{label.card or 'back'} {label.visible:.1f} {label.index:.1f}"
        cv2.putText(shown, text, middle, cv2.FONT_HERSHEY_SIMPLEX, 0.3, (255, 0, 255), 1)
    return shown


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a sheet of scenes with their labels; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.scene")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, nargs=2, default=(640, 384))
    parser.add_argument("--card", type=float, nargs=2, default=(16, 200))
    args = parser.parse_args(arguments)
    studio = Studio(Recipe(tuple(args.size), tuple(args.card), Split.TRAIN), args.seed)
    rows = [np.hstack([drawn_labels(studio.scene()) for _ in range(3)]) for _ in range(4)]
    cv2.imwrite(str(args.out), np.ascontiguousarray(np.vstack(rows)[..., ::-1]))


if __name__ == "__main__":
    main()
