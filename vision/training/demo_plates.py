"""The pictures that the demo clip is composed from, read from `datasets/demo/plates`."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.training.scenario_motion import Colour, Grip
from vision.training.scenario_table import Camera

Picture = NDArray[np.float32]


class PlateError(VisionError):
    """A plate of the demo clip is missing or broken."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A picture that is laid over the frame at an anchor."""

    picture: Picture
    """Float32 (H, W, 4), linear RGB, premultiplied, alpha last; shadows are alpha without light."""
    anchor: tuple[float, float]
    """The pixel of the sprite that lies on the point asked for."""
    scale: float
    """Pixels a millimetre."""


@dataclass(frozen=True, slots=True)
class Plates:
    """All pictures of the table but the cards."""

    table: Picture
    """The empty table: Float32 (H, W, 3), linear RGB."""
    light: Picture
    """How bright white paper would be on the felt: Float32 (H, W, 3), linear."""
    props: Sprite | None
    """The shoe and the rack, which hide what slides below them: as large as the frame."""
    chips: dict[tuple[Colour, int], Sprite]
    hands: dict[tuple[str, Grip], Sprite]
    """By who it is (`dealer`, `player-1` …) and grip; finger tips up, the dealer's down."""


def to_linear(picture: NDArray[np.uint8]) -> Picture:
    """Return sRGB bytes as linear light, 0 to 1."""
    v = np.arange(256, dtype=np.float32) / 255
    table = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4).astype(np.float32)
    return np.asarray(table[picture], np.float32)


_STEPS = 16_383
"""Steps of the table below for a value of 1; values of up to 4 are looked up, above 1 as white."""
_LINEAR = np.minimum(np.arange(4 * _STEPS + 4, dtype=np.float64) / _STEPS, 1.0)
_CURVE = np.where(_LINEAR <= 0.0031308, _LINEAR * 12.92, 1.055 * _LINEAR ** (1 / 2.4) - 0.055)
_TO_SRGB = (_CURVE * 255 + 0.5).astype(np.uint8)


def to_srgb(picture: Picture) -> NDArray[np.uint8]:
    """Return linear light, 0 to 1, as sRGB bytes."""
    index = (picture * np.float32(_STEPS)).astype(np.uint16)
    return np.asarray(_TO_SRGB[index], np.uint8)


def read_picture(path: Path) -> NDArray[np.uint8]:
    """Return a plate as UInt8 (H, W, 3 or 4), RGB.

    Raises:
        PlateError: It is missing or broken.
    """
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise PlateError(f"{path} is missing or is no picture (expected a plate of the demo clip)")
    code = cv2.COLOR_BGRA2RGBA if picture.shape[2] == 4 else cv2.COLOR_BGR2RGB
    return np.asarray(cv2.cvtColor(picture, code), np.uint8)


def _premultiplied(raw: NDArray[np.uint8]) -> Picture:
    alpha = raw[..., 3:].astype(np.float32) / 255
    return np.asarray(np.dstack([to_linear(raw[..., :3]) * alpha, alpha]), np.float32)


def _sprite(path: Path, anchor: tuple[float, float], scale: float) -> Sprite:
    return Sprite(_premultiplied(read_picture(path)), anchor, scale)


def read_light(path: Path, shape: tuple[int, ...]) -> Picture:
    """Return a light plate, kept small, 16 bits and sRGB: Float32 (H, W, 3), linear.

    Raises:
        PlateError: It is missing or broken.
    """
    raw = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if raw is None:
        raise PlateError(f"{path} is missing or is no picture (expected a plate of the demo clip)")
    value = cv2.cvtColor(raw, cv2.COLOR_BGR2RGB).astype(np.float32) / 65535
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    size = (shape[1], shape[0])
    return np.asarray(cv2.resize(linear, size, interpolation=cv2.INTER_CUBIC), np.float32)


def read(folder: Path) -> Plates:
    """Read the plates.

    Raises:
        PlateError: One is missing or broken.
    """
    index = json.loads((folder / "plates.json").read_text())
    gain = float(index["light_gain"])
    chips = {
        (Colour(row["colour"]), int(row["count"])): _sprite(
            folder / row["file"], (row["anchor"][0], row["anchor"][1]), row["scale"]
        )
        for row in index["chips"]
    }
    hands = {
        (str(row["who"]), Grip(row["grip"])): _sprite(
            folder / row["file"], (row["anchor"][0], row["anchor"][1]), row["scale"]
        )
        for row in index["hands"]
    }
    table = to_linear(read_picture(folder / index["table"]))
    fade = _fade(table.shape[1], table.shape[0])
    covers = _sprite(folder / index["props"], (0.0, 0.0), 1.0).picture
    props = Sprite(np.dstack([covers[..., :3] * fade, covers[..., 3:]]), (0.0, 0.0), 1.0)
    light = read_light(folder / index["light"], table.shape) * (gain * fade)
    table = table * fade * (1 - covers[..., 3:]) + props.picture[..., :3]
    return Plates(table, light, props, chips, hands)


def _fade(width: int, height: int) -> Picture:
    """How much the lens darkens towards the corners: Float32 (H, W, 1), 1 in the middle."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    away = np.hypot((x - width / 2) / width, (y - height * 0.46) / height * 0.8)
    return np.asarray(1.04 - 0.75 * away[..., None] ** 2.2, np.float32)


def draft(camera: Camera, felt: Picture, to_texture: NDArray[np.float64]) -> Plates:
    """Return plain plates, drawn without a renderer: no hands, flat chips."""
    warp = camera.homography @ np.linalg.inv(to_texture)
    size = (camera.width, camera.height)
    cloth = cv2.warpPerspective(felt, warp, size, flags=cv2.INTER_AREA)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    away = np.hypot((x - size[0] / 2) / size[0], (y - size[1] * 0.45) / size[1])
    light = np.repeat((1.0 - 0.9 * away**2)[..., None], 3, axis=2).astype(np.float32)
    table = to_linear(cloth.astype(np.uint8)) * light
    colours = {Colour.RED: (170, 24, 30), Colour.GREEN: (20, 110, 60), Colour.BLACK: (24, 24, 28)}
    chips = {
        (colour, count): _flat_chip(rgb, count, camera.scale)
        for colour, rgb in colours.items()
        for count in range(1, 11)
    }
    return Plates(table, light * 0.92, None, chips, {})


def _flat_chip(rgb: tuple[int, int, int], count: int, scale: float) -> Sprite:
    size, big = 48, 8
    canvas = np.zeros((size * big, size * big, 4), np.uint8)
    middle = size * big // 2
    for index in range(count):
        centre = (middle, middle + 8 * big - round(index * 1.1 * big))
        axes = (round(19.5 * scale * big), round(18 * scale * big))
        edge = (240, 240, 235, 255) if index % 2 else (*rgb, 255)
        cv2.ellipse(canvas, centre, axes, 0, 0, 360, edge, -1)
        cv2.ellipse(canvas, centre, axes, 0, 0, 360, (*[c * 0.6 for c in rgb], 255), big // 2)
    for angle in range(0, 360, 45):
        a = math.radians(angle)
        tip = (centre[0] + axes[0] * 0.86 * math.cos(a), centre[1] + axes[1] * 0.86 * math.sin(a))
        cv2.circle(canvas, (round(tip[0]), round(tip[1])), big * 2, (245, 245, 240, 255), -1)
    small = cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA)
    return Sprite(_premultiplied(np.asarray(small, np.uint8)), (size / 2, size / 2 + 8), scale)
