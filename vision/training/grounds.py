"""What lies under the cards: printed casino felts, cloths, wood, stone and paper."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.sources import Split

Pixels = NDArray[np.uint8]
Field = NDArray[np.float32]

SIDE = 1024
"""Side of a ground's square texture in pixels."""

_FELTS = (
    (20, 95, 55), (10, 70, 45), (30, 120, 70), (25, 60, 130), (20, 85, 150), (110, 20, 35),
    (80, 15, 60), (35, 38, 45), (18, 50, 48), (15, 100, 110), (140, 40, 40), (60, 60, 70),
)  # fmt: skip
_INKS = ((240, 235, 215), (235, 200, 60), (220, 60, 50), (250, 250, 250), (20, 20, 25))
_WORDS = {
    Split.TRAIN: (
        "INSURANCE PAYS 2 TO 1", "BLACKJACK PAYS 3 TO 2", "PAIR PLUS", "ANTE", "PLAY", "DEALER",
        "MUST DRAW TO 16", "BONUS", "21", "TIE", "BANKER", "3 CARD", "RAISE", "A K Q J", "10",
        "STRAIGHT FLUSH 40:1", "CASINO", "BET", "777", "MIN 25 MAX 500", "FOLD", "PLAYER 8",
    ),
    Split.VALIDATION: ("TRIPS", "BLIND", "WAGER", "9", "ROYAL", "FLUSH 4 TO 1", "GRAND CLUB"),
}  # fmt: skip
_FACES = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)  # fmt: skip


def clouds(rng: np.random.Generator, side: int, cells: int) -> Field:
    """Return smooth noise, Float32 (side, side), about 0 with deviation 1."""
    seeds = rng.standard_normal((cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(seeds, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def ground(rng: np.random.Generator, split: Split) -> Pixels:
    """Return a random ground: UInt8 (1024, 1024, 3), RGB."""
    kind = rng.random()
    if kind < 0.52:
        return _felt(rng, split)
    if kind < 0.67:
        return _cloth(rng)
    if kind < 0.79:
        return _wood(rng)
    return _plain(rng)


def write(
    canvas: Pixels, rng: np.random.Generator, words: str, at: tuple[int, int], size: float
) -> None:
    """Write words onto a canvas in a random type and printed colour; `size` is a scale."""
    ink = _INKS[int(rng.integers(len(_INKS)))]
    face = _FACES[int(rng.integers(len(_FACES)))]
    cv2.putText(canvas, words, at, face, size, ink, max(1, round(size * 2)), cv2.LINE_AA)


def words(rng: np.random.Generator, split: Split) -> str:
    """Return a random print of a felt."""
    every = _WORDS[split]
    return every[int(rng.integers(len(every)))]


def _felt(rng: np.random.Generator, split: Split) -> Pixels:
    base = np.array(_FELTS[int(rng.integers(len(_FELTS)))], np.float32)
    base = np.clip(base * rng.uniform(0.5, 1.5) + rng.normal(0, 8, 3), 5, 235).astype(np.float32)
    canvas = np.full((SIDE, SIDE, 3), base, np.float32).astype(np.uint8)
    if rng.random() < 0.8:
        for _ in range(int(rng.integers(2, 22))):
            _print(canvas, rng, split)
    weave = rng.normal(0, rng.uniform(1, 9), (SIDE // 2, SIDE // 2)).astype(np.float32)
    woven = cv2.resize(weave, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    light = 1 + clouds(rng, SIDE, 6) * 0.04
    lit = (canvas + np.asarray(woven, np.float32)[..., None]) * light[..., None]
    return _clip(np.asarray(lit, np.float32))


def _print(canvas: Pixels, rng: np.random.Generator, split: Split) -> None:
    ink = _INKS[int(rng.integers(len(_INKS)))]
    x, y = (int(v) for v in rng.integers(0, SIDE, 2))
    line = int(rng.integers(1, 7))
    match int(rng.integers(8)):
        case 0:
            radius = int(rng.integers(15, 120))
            filled = rng.random() < 0.25
            cv2.circle(canvas, (x, y), radius, ink, -1 if filled else line, cv2.LINE_AA)
            if not filled and rng.random() < 0.5:
                cv2.circle(canvas, (x, y), max(4, radius - 9), ink, line, cv2.LINE_AA)
            write(canvas, rng, words(rng, split), (x - radius, y + 6), radius / 70)
        case 1 | 2:  # a betting box, often of a card's shape
            w = int(rng.integers(30, 170))
            h = int(w * rng.uniform(0.6, 1.8))
            box = cv2.boxPoints(((x, y), (w, h), float(rng.choice([0, 0, 20, -15, 45]))))
            if rng.random() < 0.2:
                cv2.fillPoly(canvas, [box.astype(np.int32)], ink)
            else:
                cv2.polylines(canvas, [box.astype(np.int32)], True, ink, line, cv2.LINE_AA)
            write(canvas, rng, words(rng, split), (x - w // 3, y), w / 160)
        case 3 | 4:
            write(canvas, rng, words(rng, split), (x, y), float(rng.uniform(0.5, 3)))
        case 5:
            axes = (int(rng.integers(200, 900)), int(rng.integers(150, 700)))
            cv2.ellipse(canvas, (x, y), axes, 0, 0, int(rng.integers(90, 360)), ink, line)
        case 6:
            _star(canvas, rng, (x, y), ink)
        case _:
            end = (int(rng.integers(0, SIDE)), int(rng.integers(0, SIDE)))
            cv2.line(canvas, (x, y), end, ink, line, cv2.LINE_AA)


def _star(
    canvas: Pixels, rng: np.random.Generator, at: tuple[int, int], ink: tuple[int, int, int]
) -> None:
    points = int(rng.integers(3, 9)) * 2
    angle = np.arange(points) * 2 * np.pi / points + rng.uniform(0, 3)
    reach = rng.uniform(20, 110) * np.where(np.arange(points) % 2, rng.uniform(0.3, 0.9), 1)
    star = np.column_stack([at[0] + reach * np.cos(angle), at[1] + reach * np.sin(angle)])
    if rng.random() < 0.6:
        cv2.fillPoly(canvas, [star.astype(np.int32)], ink, cv2.LINE_AA)
    else:
        cv2.polylines(canvas, [star.astype(np.int32)], True, ink, 3, cv2.LINE_AA)


def _cloth(rng: np.random.Generator) -> Pixels:
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    step = float(rng.uniform(25, 220))
    colours = rng.uniform(20, 245, (3, 3)).astype(np.float32)
    warp = clouds(rng, SIDE, 8) * rng.uniform(0, step / 3)
    u, v = (x + warp) / step, (y + warp) / step
    kind = int(rng.integers(5))
    if kind == 0:
        mask = ((np.floor(u) + np.floor(v)) % 2).astype(np.float32)
    elif kind == 1:
        mask = (np.hypot(u % 1 - 0.5, v % 1 - 0.5) < rng.uniform(0.15, 0.45)).astype(np.float32)
    elif kind == 2:
        mask = ((u % 1 < 0.3).astype(np.float32) + (v % 1 < 0.3)) / 2
    elif kind == 3:
        mask = (np.sin(u * 6) * np.sin(v * 6) + np.sin((u + v) * 4) > 0.4).astype(np.float32)
    else:
        mask = (clouds(rng, SIDE, int(rng.integers(8, 40))) > rng.uniform(-0.3, 0.8)).astype(
            np.float32
        )
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.5, 3)))[..., None]
    picture = colours[0] * (1 - mask) + colours[1] * mask
    spots = (clouds(rng, SIDE, 30) > 1.2).astype(np.float32)[..., None] * 0.7
    picture = picture * (1 - spots) + colours[2] * spots
    return _clip(picture + rng.normal(0, 5, (SIDE, SIDE, 1)))


def _wood(rng: np.random.Generator) -> Pixels:
    dark = np.array([70, 40, 25], np.float32) * rng.uniform(0.5, 1.4)
    light = np.array([200, 150, 100], np.float32) * rng.uniform(0.6, 1.2)
    grain = np.zeros((SIDE, SIDE), np.float32)
    for cells, share in ((5, 0.5), (40, 0.3), (200, 0.2)):
        seeds = rng.standard_normal((3, cells)).astype(np.float32)
        grain += share * cv2.resize(seeds, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    mix = np.clip(0.5 + grain * 0.4, 0, 1)[..., None]
    return _clip(dark * (1 - mix) + light * mix + rng.normal(0, 4, (SIDE, SIDE, 1)))


def _plain(rng: np.random.Generator) -> Pixels:
    kind = rng.random()
    if kind < 0.35:
        base = rng.uniform(15, 250, 3)
    elif kind < 0.7:  # a white desk, on which a card's border hardly stands out
        base = rng.uniform(185, 252) * rng.uniform(0.94, 1.0, 3)
    else:
        base = np.full(3, rng.uniform(10, 250))
    veins = clouds(rng, SIDE, int(rng.integers(3, 60))) * rng.uniform(0, 14)
    return _clip(base + veins[..., None] + rng.normal(0, 3, (SIDE, SIDE, 1)))


def _clip(picture: NDArray[np.floating]) -> Pixels:
    return np.asarray(np.clip(picture, 0, 255), np.uint8)
