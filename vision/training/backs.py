"""Card backs drawn by this project, in many designs and colours."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.drawn import HEIGHT, WIDTH
from vision.training.sources import Split

Pixels = NDArray[np.uint8]
Field = NDArray[np.float32]

_COLOURS = (
    (160, 20, 30), (190, 30, 40), (20, 45, 130), (30, 70, 170), (15, 15, 20), (20, 90, 50),
    (120, 20, 90), (200, 120, 20), (90, 90, 100), (10, 110, 140), (110, 60, 30), (220, 60, 40),
)  # fmt: skip


def back(split: Split, seed: int) -> Pixels:
    """Return one back.

    The patterns of a split are told apart by their seeds and by their scales; the same seed always
    gives the same back.

    Returns:
        UInt8 (420, 300, 3), RGB.
    """
    rng = np.random.default_rng([seed, 17 if split is Split.TRAIN else 18])
    ink = np.array(_COLOURS[int(rng.integers(len(_COLOURS)))], np.float32)
    light = np.array([255, 255, 250], np.float32)
    if rng.random() < 0.25:
        light = np.clip(ink + rng.uniform(40, 110), 0, 255).astype(np.float32)
    field = _pattern(rng)
    if rng.random() < 0.4:
        field = 1 - field
    if field.mean() < 0.3:  # a back that is nearly all white would be taken for a blank face
        field = 1 - field
    picture = light + (ink - light) * field[..., None]
    _emblem(picture, rng, ink)
    border = int(rng.choice([0, 0, 8, 14, 20, 26]))
    if border:
        framed = np.full_like(picture, 252.0)
        inner = picture[border : HEIGHT - border, border : WIDTH - border]
        framed[border : HEIGHT - border, border : WIDTH - border] = inner
        if rng.random() < 0.5:
            corner = (WIDTH - border, HEIGHT - border)
            cv2.rectangle(framed, (border, border), corner, ink.tolist(), int(rng.integers(1, 5)))
        picture = framed
    return np.clip(picture, 0, 255).astype(np.uint8)


def _grid() -> tuple[Field, Field]:
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    return x - WIDTH / 2, y - HEIGHT / 2


def _pattern(rng: np.random.Generator) -> Field:
    x, y = _grid()
    step = float(rng.uniform(8, 36))
    tall = step * float(rng.choice([1.0, 1.5, 0.7]))
    duty = float(rng.uniform(0.15, 0.6))
    kind = int(rng.integers(9))
    if kind == 4:
        field = _rosette(x / step, y / step, int(rng.integers(6, 20))) > duty - 0.3
    elif kind == 6:  # nested frames
        reach = np.maximum(np.abs(x) - WIDTH / 2, np.abs(y) - HEIGHT / 2)
        field = (reach / step) % 1 < duty
    else:
        field = _tiles(kind, x / step, y / tall, duty)
    soft = cv2.GaussianBlur(field.astype(np.float32), (0, 0), 0.8)
    return np.asarray(soft, np.float32)


def _rosette(u: Field, v: Field, petals: int) -> Field:
    angle, radius = np.arctan2(v, u), np.hypot(u, v)
    return np.asarray(np.sin(radius * 3 + np.sin(angle * petals) * 2), np.float32)


def _tiles(kind: int, u: Field, v: Field, duty: float) -> NDArray[np.bool_]:
    """Return where a repeated pattern has ink; `u` and `v` count its repeats."""
    match kind:
        case 0:  # lattice of diagonal lines
            wave = np.minimum(np.abs((u + v) % 1 - 0.5), np.abs((u - v) % 1 - 0.5))
            ink = wave < duty / 4
        case 1:  # rhombuses
            ink = np.abs(u % 1 - 0.5) + np.abs(v % 1 - 0.5) < duty
        case 2:  # dots
            ink = np.hypot(u % 1 - 0.5, v % 1 - 0.5) < duty * 0.7
        case 3:  # chequers
            ink = (np.floor(u) + np.floor(v)) % 2 > 0
        case 5:  # interlaced waves
            across = np.sin(2 * np.pi * u + np.sin(2 * np.pi * v * 0.7) * 2)
            along = np.sin(2 * np.pi * v + np.sin(2 * np.pi * u * 0.7) * 2)
            ink = across * along > 0.1
        case 7:  # plain
            ink = np.ones_like(u, bool)
        case _:  # stars and scrolls: two lattices at odds
            straight = np.sin(u * 4) + np.sin(v * 3)
            ink = straight + np.sin((u + v) * 2.4) + np.sin((u - v) * 2.4) > 0
    return np.asarray(ink, np.bool_)


def _emblem(picture: Field, rng: np.random.Generator, ink: Field) -> None:
    if rng.random() < 0.5:
        return
    size = int(rng.uniform(0.12, 0.3) * WIDTH)
    centre = (WIDTH // 2, HEIGHT // 2)
    paper = (252.0, 252.0, 248.0)
    kind = int(rng.integers(3))
    if kind == 0:
        cv2.ellipse(picture, centre, (size, size), 0, 0, 360, paper, -1)
        cv2.ellipse(picture, centre, (int(size * 0.8), int(size * 0.8)), 0, 0, 360, ink.tolist(), 4)
    elif kind == 1:
        tall = int(size * 1.4)
        points = [(0, -tall), (size, 0), (0, tall), (-size, 0)]
        corners = np.array([(centre[0] + a, centre[1] + b) for a, b in points], np.int32)
        cv2.fillConvexPoly(picture, corners, paper)
    else:
        letters = "".join(rng.choice(list("BCDGLMNPRSVW"), int(rng.integers(1, 4))))
        cv2.ellipse(picture, centre, (size, int(size * 0.6)), 0, 0, 360, paper, -1)
        at = (centre[0] - 18 * len(letters), centre[1] + 18)
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        cv2.putText(mask, letters, at, cv2.FONT_HERSHEY_DUPLEX, 1.6, 255, 3)
        picture[mask > 0] = ink
