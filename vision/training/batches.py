"""Batches for detector, reader and refiner, cut from the data set and varied anew each time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK
from vision.reader import CROP
from vision.training.camera import Array, project
from vision.training.prints import with_boxes
from vision.training.scene import Label

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Random = np.random.Generator
Rows = Sequence[tuple[Path, tuple[Label, ...]]]

READER_SIZE = CROP
"""Width and height of the reader's input."""

REFINER_SIZE = (128, 128)
GROWN = 1.5
"""The refiner sees the quad grown by this factor about its centre."""

SMALL = 26
"""A face of fewer pixels from top to bottom is not asked for: nobody could read it."""

BACK, REJECT = 52, 53
"""The reader's classes after the 52 cards of PACK."""

LEAST_VISIBLE = 0.25
"""A card of which less is to be seen is no target of the detector."""

GREY = 114
"""What a letterboxed picture is filled up with."""

_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_GRID = np.stack(np.meshgrid(np.linspace(0.1, 0.9, 5), np.linspace(0.1, 0.9, 5)), -1).reshape(-1, 2)


def read(path: Path) -> Pixels:
    """Return a picture of the data set: UInt8 (H, W, 3), RGB.

    Raises:
        FileNotFoundError: It is missing or broken.
    """
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(path)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8)


def rectify(picture: Pixels, quad: Array, size: tuple[int, int]) -> Pixels:
    """Return what lies within a quad, stretched to a size: UInt8 (height, width, 3).

    The quad's first corner comes to the top left, the others follow clockwise.
    """
    w, h = size
    view = cv2.getPerspectiveTransform(quad.astype(np.float32), _UNIT * np.array(size, np.float32))
    shrink = float(np.ptp(quad, axis=0).max()) / max(size)
    source = picture
    if shrink > 1.8:  # a warp takes single pixels: soften first what will be shrunk
        source = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.35 * shrink), np.uint8)
    return np.asarray(
        cv2.warpPerspective(
            source, view, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )


def box(quad: Array) -> tuple[float, float, float, float, float]:
    """Return the oriented box about a card: x, y, width, height and angle.

    The width runs along the card's own top, whatever the perspective; the angle is the top's
    direction in radians, within -pi/4 and 3 pi/4, so a card turned round has the same box.
    """
    (x, y), (a, b), degrees = cv2.minAreaRect(quad.astype(np.float32))
    angle = np.deg2rad(degrees)
    top = quad[1] - quad[0] + quad[2] - quad[3]
    along = np.arctan2(top[1], top[0])
    if abs(np.sin(along - angle)) > np.sqrt(0.5):
        a, b, angle = b, a, angle + np.pi / 2
    angle = (angle + np.pi / 4) % np.pi - np.pi / 4
    return float(x), float(y), float(a), float(b), float(angle)


def corners(values: tuple[float, float, float, float, float]) -> Array:
    """Return the four corners of an oriented box, from its top left clockwise: Float64 (4, 2)."""
    x, y, w, h, angle = values
    c, s = np.cos(angle), np.sin(angle)
    half = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + (x, y), np.float64)


@dataclass(frozen=True, slots=True)
class DetectorBatch:
    """Pictures and what is in them."""

    pictures: Pixels
    """UInt8 (N, H, W, 3), RGB."""
    targets: Floats
    """Float32 (M, 7): picture number, class, x, y, width, height as shares, angle."""


def detector_batch(rows: Rows, size: tuple[int, int], rng: Random | None) -> DetectorBatch:
    """Return rows as a batch of a size (width, height); varied when there is a source of chance."""
    w, h = size
    pictures, targets = [], []
    for number, (path, labels) in enumerate(rows):
        source = read(path)
        if rng is not None:
            source, _ = with_boxes(tinted(source, rng), labels, rng)
        move = _move(source.shape[1::-1], size, rng)
        shown = cv2.warpAffine(
            source, move[:2], size, flags=cv2.INTER_AREA, borderValue=(GREY, GREY, GREY)
        )
        pictures.append(shown)
        for label in labels:
            quad = project(move, label.quad)
            seen = label.visible * _inside(quad, size)
            if seen >= LEAST_VISIBLE:
                x, y, a, b, angle = box(quad)
                kind = 1.0 if label.card is None else 0.0
                targets.append((number, kind, x / w, y / h, a / w, b / h, angle))
    found = np.array(targets, np.float32).reshape(-1, 7)
    return DetectorBatch(np.stack(pictures), found)


def tinted(picture: Pixels, rng: Random) -> Pixels:
    """Return a picture in somewhat other light: each colour scaled, now and then all grey."""
    gain = np.exp(rng.normal(0, 0.12) + rng.normal(0, 0.06, 3))
    table = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
    varied = cv2.LUT(picture, np.ascontiguousarray(table[None]))
    if rng.random() < 0.05:
        varied = np.repeat(varied.mean(axis=2, keepdims=True), 3, axis=2)
    return np.asarray(varied, np.uint8)


def _move(source: Sequence[int], size: tuple[int, int], rng: Random | None) -> Array:
    scale = min(size[0] / source[0], size[1] / source[1])
    centre = np.array(source, np.float64) / 2
    target = np.array(size, np.float64) / 2
    linear = np.eye(2)
    if rng is not None:
        if rng.random() < 0.6:
            scale *= float(np.exp(rng.uniform(-0.35, 0.35)))
            target = target + rng.uniform(-0.12, 0.12, 2) * size
        linear = np.diag(np.where(rng.random(2) < 0.5, -1.0, 1.0))
        if max(source) < 1.4 * min(source) and rng.random() < 0.5:
            linear = linear[::-1]  # a quarter turn, which a long picture has no room for
    full = np.eye(3)
    full[:2, :2] = linear * scale
    full[:2, 2] = target - full[:2, :2] @ centre
    return full


def _inside(quad: Array, size: tuple[int, int]) -> float:
    view = cv2.getPerspectiveTransform(_UNIT, quad.astype(np.float32))
    x, y = project(np.asarray(view, np.float64), _GRID).T
    return float(((x >= 0) & (y >= 0) & (x < size[0]) & (y < size[1])).mean())


@dataclass(frozen=True, slots=True)
class CropBatch:
    """Crops and what they hold."""

    crops: Pixels
    """UInt8 (N, H, W, 3), RGB."""
    targets: NDArray[np.generic]
    """For the reader Int64 (N,) classes; for the refiner Float32 (N, 8) corners, 0 to 1."""


def reader_batch(rows: Rows, rng: Random, *, most: int = 8) -> CropBatch:
    """Return crops of the cards in some pictures, with classes; at most so many a picture."""
    crops, classes = [], []
    for path, labels in rows:
        picture, prints = with_boxes(tinted(read(path), rng), labels, rng)
        wanted = [(each.quad, kind) for each in labels if (kind := reader_class(each)) is not None]
        for pick in rng.permutation(len(wanted))[:most]:
            quad, kind = wanted[pick]
            quad = jittered(quad, rng, float(rng.choice([0.01, 0.02, 0.035])))
            chance = rng.random()
            if chance < 0.03:  # the wrong side up: no card looks like this
                quad, kind = np.roll(quad, 1, axis=0), REJECT
            elif chance < 0.06:  # a piece of a card, or a card and its surroundings
                quad, kind = _resized(quad, rng, rng.choice([0.35, 0.5, 1.8, 2.3])), REJECT
            elif chance < 0.14:  # a pip, a letter, a court's face: they look like backs
                quad, kind = _print_on(quad, rng), REJECT
            if rng.random() < 0.5:
                quad = np.roll(quad, 2, axis=0)
            crops.append(rectify(picture, quad, READER_SIZE))
            classes.append(kind)
        for quad in (
            *nothing(picture, labels, rng),
            *(jittered(each, rng, 0.03) for each in prints),
        ):
            crops.append(rectify(picture, quad, READER_SIZE))
            classes.append(REJECT)
    return CropBatch(np.stack(crops), np.array(classes, np.int64))


def _resized(quad: Array, rng: Random, part: float) -> Array:
    middle = quad.mean(axis=0)
    moved = middle + (quad - middle) * part + np.ptp(quad, 0) * rng.normal(0, 0.15, 2)
    return np.asarray(moved, np.float64)


def _print_on(quad: Array, rng: Random) -> Array:
    """Return a small quad somewhere within a card, turned at will."""
    u, v = rng.uniform(0.08, 0.92, 2)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    at = quad[0] + u * across + v * down
    tall = float(np.linalg.norm(down)) * float(rng.uniform(0.1, 0.32))
    wide = tall * float(rng.uniform(0.6, 0.95))
    return corners((at[0], at[1], wide, tall, float(rng.uniform(-0.8, 2.4))))


def reader_class(label: Label) -> int | None:
    """Return the class that a card's crop should get, or None where nobody could tell."""
    if label.card is None:
        return BACK if label.visible >= 0.25 else None
    if min(np.linalg.norm(label.quad[3] - label.quad[0]), np.ptp(label.quad, axis=0).max()) < SMALL:
        return None
    if label.index >= 0.75 or label.visible >= 0.6:
        return PACK.index(label.card) if label.visible >= 0.15 else None
    return REJECT if label.visible < 0.4 and label.index < 0.3 else None


def nothing(picture: Pixels, labels: Sequence[Label], rng: Random) -> list[Array]:
    """Return some quads of a card's shape in which no card's middle lies."""
    h, w = picture.shape[:2]
    found = []
    for _ in range(3):
        tall = float(np.exp(rng.uniform(np.log(22), np.log(200))))
        values = (rng.uniform(0, w), rng.uniform(0, h), tall * 0.7, tall, rng.uniform(-0.8, 2.4))
        quad = corners(values)
        middles = [each.quad.mean(axis=0) for each in labels]
        near = [m for m in middles if np.hypot(*(m - quad.mean(axis=0))) < tall * 0.7]
        if not near and rng.random() < 0.4:
            found.append(jittered(quad, rng, 0.03))
    return found


def jittered(quad: Array, rng: Random, share: float) -> Array:
    """Return a quad moved, scaled and bent by about a share of its height."""
    tall = float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    middle = quad.mean(axis=0)
    bent = quad + rng.normal(0, share * tall * 0.6, (4, 2)) + rng.normal(0, share * tall * 0.5, 2)
    return np.asarray(middle + (bent - middle) * (1 + rng.normal(0, share)), np.float64)


def refiner_batch(rows: Rows, rng: Random, *, most: int = 8) -> CropBatch:
    """Return crops about roughly placed cards, with where the card's corners are in them."""
    crops, targets = [], []
    for path, labels in rows:
        picture = tinted(read(path), rng)
        seen = [each.quad for each in labels if each.visible >= 0.2]
        for pick in rng.permutation(len(seen))[:most]:
            near = rough(seen[pick], rng)
            grown = near.mean(axis=0) + (near - near.mean(axis=0)) * GROWN
            crop = rectify(picture, grown, REFINER_SIZE)
            view = cv2.getPerspectiveTransform(grown.astype(np.float32), _UNIT)
            true = np.roll(seen[pick], _turns(near, seen[pick]), axis=0)
            crops.append(crop)
            targets.append(project(np.asarray(view, np.float64), true).ravel())
    return CropBatch(np.stack(crops), np.array(targets, np.float32))


def rough(quad: Array, rng: Random) -> Array:
    """Return a quad as a detector gives it: an oriented box somewhat off, or a near quad."""
    if rng.random() < 0.35:
        near = jittered(quad, rng, float(rng.choice([0.01, 0.02, 0.04])))
        return np.roll(near, int(rng.integers(4)), axis=0)
    x, y, w, h, angle = box(quad)
    wild = float(rng.choice([0.5, 1.0, 2.0, 3.5]))
    off = rng.normal(0, 0.03 * wild, 2) * (w + h) / 2
    w, h = (side * float(np.exp(rng.normal(-0.01, 0.06 * wild))) for side in (w, h))
    spun = corners((x + off[0], y + off[1], w, h, angle + float(rng.normal(0, 0.06 * wild))))
    return np.roll(spun, int(rng.integers(4)), axis=0)


def _turns(near: Array, true: Array) -> int:
    return min(range(4), key=lambda n: float(np.abs(np.roll(true, n, axis=0) - near).sum()))
