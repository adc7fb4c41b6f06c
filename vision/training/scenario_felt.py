"""The felts and plates of staged rounds: drawn cloth, its print, its light and its furniture.

The words are those of the validation split alone, and the way of drawing is not that of the
training pictures' grounds.
"""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.events import Area
from vision.training.demo_plates import (
    Picture,
    Plates,
    Sprite,
    read,
    read_light,
    read_picture,
    to_linear,
)
from vision.training.grounds import words
from vision.training.scenario_look import Look, Purpose
from vision.training.scenario_table import CARD_AREAS, RACK, SHOE, TRAY, Camera, Place
from vision.training.sources import Split

LEFT, RIGHT, LOW, HIGH = -900.0, 900.0, -620.0, 620.0
"""The part of the felt that the texture shows, in millimetres."""
PIXELS_PER_MM = 1.4

DEMO_PLATES = Path("datasets/demo/plates")
"""Hands and chips are those of the demo clip; no training picture has them."""

_COLOURS = {
    Purpose.EVALUATION: ((24, 86, 62), (96, 22, 34), (26, 52, 104), (52, 30, 78), (40, 44, 48),
                         (18, 74, 92), (120, 64, 26), (70, 84, 40), (128, 28, 60), (16, 40, 36)),
    Purpose.DEVELOPMENT: ((12, 66, 40), (34, 66, 130), (84, 16, 24), (62, 58, 66), (30, 92, 88)),
}  # fmt: skip
_INKS = ((226, 206, 150), (214, 222, 226), (240, 236, 214), (190, 160, 90), (170, 196, 180))


def felt_to_pixels() -> NDArray[np.float64]:
    """Return the transform from felt millimetres to pixels of the texture: Float64 (3, 3)."""
    k = PIXELS_PER_MM
    return np.array([[k, 0, -LEFT * k], [0, -k, HIGH * k], [0, 0, 1]])


def _pixels(place: Place, margin: float) -> NDArray[np.int32]:
    corners = np.column_stack([place.corners(margin), np.ones(4)]) @ felt_to_pixels().T
    return np.asarray(corners[:, :2].round(), np.int32)


def felt(look: Look) -> Picture:
    """Return the printed cloth seen straight from above: Float32 (H, W, 3), RGB, sRGB 0 to 255."""
    rng = np.random.default_rng([look.seed, 1])
    wide, tall = round((RIGHT - LEFT) * PIXELS_PER_MM), round((HIGH - LOW) * PIXELS_PER_MM)
    colours = _COLOURS[look.purpose]
    base = np.array(colours[int(rng.integers(len(colours)))], np.float32)
    base = np.clip(base * rng.uniform(0.75, 1.3) + rng.normal(0, 5, 3), 6, 190).astype(np.float32)
    cloth = np.ascontiguousarray(np.broadcast_to(base, (tall, wide, 3)), np.uint8)
    ink = tuple(int(v) for v in _INKS[int(rng.integers(len(_INKS)))])
    _print_places(cloth, look, rng, ink)
    for _ in range(int(rng.integers(2, 6))):
        _print_words(cloth, rng, ink)
    if rng.random() < 0.6:
        _print_arcs(cloth, rng, ink)
    return _woven(cloth, rng)


def _print_places(
    cloth: NDArray[np.uint8], look: Look, rng: np.random.Generator, ink: tuple[int, ...]
) -> None:
    style, width = int(rng.integers(3)), int(rng.integers(2, 5))
    shade = float(rng.choice([0.72, 1.22]))
    for spot, place in look.table.places.items():
        if spot.area in CARD_AREAS:
            if style == 2 and spot.area is Area.PLAYED:
                continue
            points = _pixels(place, float(rng.uniform(5, 9)) if style else 6.0)
            if style == 1:
                inner = cv2.fillPoly(np.zeros(cloth.shape[:2], np.uint8), [points], 255) > 0
                cloth[inner] = np.clip(cloth[inner] * shade, 0, 255).astype(np.uint8)
            cv2.polylines(cloth, [points], True, ink, width, cv2.LINE_AA)
        else:
            x, y = (int(v) for v in _pixels(place, 0.0).mean(axis=0))
            radius = round((place.width / 2 - 2) * PIXELS_PER_MM)
            cv2.circle(cloth, (x, y), radius, ink, width, cv2.LINE_AA)


def _print_words(cloth: NDArray[np.uint8], rng: np.random.Generator, ink: tuple[int, ...]) -> None:
    text = words(rng, Split.VALIDATION)
    at = (int(rng.integers(40, cloth.shape[1] - 300)), int(rng.integers(300, cloth.shape[0] - 300)))
    size = float(rng.uniform(0.8, 2.4))
    cv2.putText(cloth, text, at, cv2.FONT_HERSHEY_TRIPLEX, size, ink, round(size * 2), cv2.LINE_AA)


def _print_arcs(cloth: NDArray[np.uint8], rng: np.random.Generator, ink: tuple[int, ...]) -> None:
    middle = (cloth.shape[1] // 2, int(cloth.shape[0] * rng.uniform(0.2, 0.5)))
    axes = (int(rng.uniform(380, 900)), int(rng.uniform(200, 560)))
    for off in range(0, int(rng.integers(1, 4)) * 9, 9):
        cv2.ellipse(cloth, middle, (axes[0] + off, axes[1] + off), 0, 0, 180, ink, 2, cv2.LINE_AA)


def _woven(cloth: NDArray[np.uint8], rng: np.random.Generator) -> Picture:
    """Return the cloth with its nap: fine threads and soft clouds."""
    tall, wide = cloth.shape[:2]
    thread = rng.normal(0, 1, (tall, wide)).astype(np.float32)
    thread = np.asarray(cv2.GaussianBlur(thread, (0, 0), float(rng.uniform(0.6, 1.3))), np.float32)
    small = rng.normal(0, 1, (14, 20)).astype(np.float32)
    cloud = cv2.resize(small, (wide, tall), interpolation=cv2.INTER_CUBIC)
    rough = float(rng.uniform(0.02, 0.07))
    nap = 1 + rough * thread / thread.std() + 0.025 * cloud
    return np.asarray(np.clip(cloth * nap[..., None], 0, 255), np.float32)


def _light(look: Look) -> Picture:
    """Return how bright white paper would be: Float32 (H, W, 3), linear."""
    rng = np.random.default_rng([look.seed, 2])
    wide, tall = look.camera.width, look.camera.height
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    x0, y0 = rng.uniform(0.25, 0.75) * wide, rng.uniform(0.2, 0.7) * tall
    away = np.hypot((x - x0) / wide, (y - y0) / tall)
    field = 1.02 - float(rng.uniform(0.2, 0.7)) * away**2
    warm = np.array([1.0, rng.uniform(0.9, 1.0), rng.uniform(0.78, 1.0)], np.float32)
    bright = float(rng.uniform(0.62, 0.95))
    return np.asarray(np.clip(field, 0.25, None)[..., None] * warm * bright, np.float32)


def _boxed(camera: Camera, x: float, y: float, turn: float, size: tuple[float, float]) -> Sprite:
    """Return a dark box on the table, as the shoe and the rack are, seen from above."""
    lower = camera.project(Place(x, y, turn, *size).corners())
    corners = Place(x, y, turn, *size).corners()
    upper = camera.project(np.column_stack([corners, np.full(4, 55.0)]))
    every = np.vstack([lower, upper])
    low, high = np.floor(every.min(axis=0)) - 2, np.ceil(every.max(axis=0)) + 2
    low = np.maximum(low, -200)
    high = np.clip(high, low + 4, [camera.width + 200, camera.height + 200])
    shape = (int(high[1] - low[1]), int(high[0] - low[0]))
    picture = np.zeros((*shape, 4), np.uint8)
    hull = cv2.convexHull((every - low).astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(picture, hull, (22, 22, 26, 255), cv2.LINE_AA)
    cv2.fillConvexPoly(picture, (upper - low).astype(np.int32), (44, 44, 50, 255), cv2.LINE_AA)
    alpha = picture[..., 3:].astype(np.float32) / 255
    linear = np.dstack([to_linear(picture[..., :3]) * alpha, alpha])
    return Sprite(np.asarray(linear, np.float32), (-float(low[0]), -float(low[1])), 1.0)


def _furniture(table: Picture, camera: Camera, *, rendered: bool) -> Sprite:
    """Draw tray and rack into the table, and return the shoe, which hides what comes out of it."""
    if not rendered:
        _lay(table, _boxed(camera, TRAY.x, TRAY.y + 60, 0.0, (TRAY.width, TRAY.height)))
        _lay(table, _boxed(camera, RACK[0], RACK[1] + 40, 0.0, (126.0, 150.0)))
    shoe = _boxed(camera, SHOE[0] + 60, SHOE[1] + 90, -0.62, (92.0, 180.0))
    _lay(table, shoe)
    return shoe


def _lay(table: Picture, sprite: Sprite) -> None:
    left, top = round(-sprite.anchor[0]), round(-sprite.anchor[1])
    h, w = sprite.picture.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(table.shape[1], left + w), top + h
    y1 = min(table.shape[0], y1)
    if x0 >= x1 or y0 >= y1:
        return
    part = sprite.picture[y0 - top : y1 - top, x0 - left : x1 - left]
    under = table[y0:y1, x0:x1]
    under *= 1 - part[..., 3:]
    under += part[..., :3]


def plates(look: Look, demo: Path = DEMO_PLATES) -> Plates:
    """Return the plates of a look: drawn, or rendered in 3D where it has a room.

    Raises:
        PlateError: The demo's plates, or the room's, are missing or broken.
    """
    shared = read(demo)
    camera = look.camera
    if look.room is not None:
        table, light = read_room(look.room)
    else:
        light = _light(look)
        warp = camera.homography @ np.linalg.inv(felt_to_pixels())
        size = (camera.width, camera.height)
        cloth = cv2.warpPerspective(
            felt(look), warp, size, flags=cv2.INTER_LINEAR, borderValue=(28, 24, 24)
        )
        table = to_linear(cloth.astype(np.uint8)) * light
    shoe = _furniture(table, camera, rendered=look.room is not None)
    rng = np.random.default_rng([look.seed, 3])
    tint = rng.uniform(0.6, 1.25) * np.array([1.0, *rng.uniform(0.85, 1.1, 2), 1.0])
    tint[3] = 1.0
    hands = {
        key: replace(sprite, picture=np.asarray(sprite.picture * tint, np.float32))
        for key, sprite in shared.hands.items()
    }
    return Plates(np.asarray(table, np.float32), light, shoe, shared.chips, hands)


def read_room(folder: Path) -> tuple[Picture, Picture]:
    """Return the table and the light that were rendered in 3D, linear.

    Raises:
        PlateError: One is missing or broken.
    """
    table = to_linear(read_picture(folder / "table.webp"))
    return table, read_light(folder / "light.png", table.shape)
