"""Films a staged clip as its look wants it: changing light, a trembling camera, noise, a codec."""

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.art import deck
from vision.training.demo_compose import Canvas, Film, Textures
from vision.training.demo_plates import Picture
from vision.training.demo_video import Sensor
from vision.training.scenario import Staged
from vision.training.scenario_felt import plates
from vision.training.scenario_look import Look

Frame = NDArray[np.uint8]

_DARK = 5
"""The grey level of a picture in which the camera sees nothing."""
_DRIFT_S = 25.0
"""Seconds that a wandering shadow takes across the table."""


class Camerawork:
    """What happens to each picture between the table and the file."""

    def __init__(self, look: Look) -> None:
        self._lens = look.lens
        self._rng = np.random.default_rng([look.seed, 5])
        self._size = look.camera.width, look.camera.height
        shape = (look.camera.height, look.camera.width)
        self._sensor = Sensor(look.seed, shape, noise=look.lens.noise)
        y, x = np.mgrid[0 : shape[0] // 4, 0 : shape[1] // 4].astype(np.float32)
        self._grid: tuple[Picture, Picture] = (x * 4, y * 4)
        self._spot = self._rng.uniform(0.2, 0.8, 2) * self._size
        self._way = float(self._rng.uniform(0, 2 * math.pi))

    def take(self, picture: Frame, index: int, at: float) -> Frame:
        """Return a picture as the camera gives it: UInt8 (H, W, 3), RGB."""
        if self._lens.drift:
            picture = self._shaded(picture, at)
        if self._lens.glare:
            picture = self._glaring(picture)
        if self._lens.shake:
            dx, dy = self._rng.normal(0, self._lens.shake, 2)
            way = np.array([[1, 0, dx], [0, 1, dy]])
            picture = np.asarray(
                cv2.warpAffine(picture, way, self._size, borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
        if self._lens.blur:
            picture = np.asarray(cv2.GaussianBlur(picture, (5, 5), self._lens.blur), np.uint8)
        return self._sensor.take(picture, index)

    def dark(self, index: int) -> Frame:
        """Return a picture in which nothing is to be seen."""
        wide, tall = self._size
        return self._sensor.take(np.full((tall, wide, 3), _DARK, np.uint8), index)

    def _blob(self, x: float, y: float, size: float) -> Picture:
        away = np.hypot(self._grid[0] - x, self._grid[1] - y) / size
        soft = np.exp(-(away**2)).astype(np.float32)
        return np.asarray(cv2.resize(soft, self._size, interpolation=cv2.INTER_LINEAR), np.float32)

    def _shaded(self, picture: Frame, at: float) -> Frame:
        far = (at / _DRIFT_S) % 1 * 1.6 - 0.3
        x = self._size[0] * (0.5 + (far - 0.5) * math.cos(self._way))
        y = self._size[1] * (0.5 + (far - 0.5) * math.sin(self._way))
        field = 1 - self._lens.drift * self._blob(x, y, 0.3 * self._size[0])
        return np.asarray(cv2.multiply(picture, np.dstack([field] * 3), dtype=cv2.CV_8U), np.uint8)

    def _glaring(self, picture: Frame) -> Frame:
        x, y = self._spot.tolist()
        light = self._lens.glare * self._blob(x, y, 0.13 * self._size[0])
        return np.asarray(cv2.add(picture, np.dstack([light] * 3), dtype=cv2.CV_8U), np.uint8)


def frames(look: Look, staged: Staged) -> Iterator[Frame]:
    """Give every frame of a staged clip: UInt8 (H, W, 3), RGB.

    Raises:
        ArtError: The card art was not made.
        PlateError: A plate is missing.
    """
    faces = deck(look.deck)
    textures = Textures.of(faces, faces, back=look.back)
    film = Film(staged, Canvas(plates(look), look.camera, textures, look.table), fps=look.fps)
    work = Camerawork(look)
    for index in range(film.frames):
        at = index / look.fps
        if any(start <= at < end for start, end in staged.blackouts):
            yield work.dark(index)
        else:
            yield work.take(film.frame(index), index, at)


def write(look: Look, staged: Staged, path: Path) -> int:
    """Draw and encode a clip, H.264 as cameras send it; return the number of its frames.

    Raises:
        ArtError: The card art was not made.
        PlateError: A plate is missing.
    """
    count = 0
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        options = {"crf": str(look.lens.crf), "preset": "veryfast", "threads": "1"}
        stream = container.add_stream("libx264", rate=look.fps, options=options)
        stream.width, stream.height = look.camera.width, look.camera.height
        stream.pix_fmt = "yuv420p"
        stream.gop_size = 3 * look.fps
        for picture in frames(look, staged):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = count, Fraction(1, look.fps)
            container.mux(stream.encode(frame))
            count += 1
        container.mux(stream.encode(None))
    return count
