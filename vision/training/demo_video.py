"""Films a staged scenario: draws its frames in parallel, adds the camera's noise, encodes them."""

import io
import logging
import multiprocessing
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from av.container import InputContainer, OutputContainer
from av.video.reformatter import ColorRange, Colorspace
from numpy.typing import NDArray

from vision.training.art import DEMO_DECK, deck
from vision.training.demo_compose import FPS, Canvas, Film, Textures
from vision.training.demo_plates import Plates, draft, read
from vision.training.plates_felt import felt, felt_to_pixels
from vision.training.scenario import Scenario
from vision.training.scenario_stage import stage
from vision.training.scenario_table import DEMO_TABLE, Camera

_LOG = logging.getLogger("demo")

_BACK_DECK = "anglo_poker"
"""The deck whose back the pack has: a validation deck too."""
_NOISE = 1.15
"""The camera's noise, in steps of 255."""
_SEGMENT = 40
"""Frames between two key frames; each such segment is drawn and encoded on its own."""
_CRF = 22
_REORDERED = 2
"""Frames by which x264 decodes ahead of what it shows."""
_BT709 = 1

Frame = NDArray[np.uint8]


class Sensor:
    """What the camera adds: noise, whose deviation is in steps of 255."""

    def __init__(self, seed: int, shape: tuple[int, int], *, noise: float = _NOISE) -> None:
        self._seed = seed
        random = np.random.default_rng(seed)
        h, w = shape
        field = random.normal(0, 1, (h + 128, w + 128, 3)).astype(np.float32)
        soft = np.asarray(cv2.GaussianBlur(field, (0, 0), 0.6), np.float32)
        self._field = np.round(soft / soft.std() * noise).astype(np.int16)

    def take(self, picture: Frame, index: int) -> Frame:
        """Return frame number `index` as the camera gives it: UInt8 (H, W, 3), RGB."""
        h, w = picture.shape[:2]
        y, x = np.random.default_rng((self._seed, index)).integers(0, 128, 2)
        noise = self._field[y : y + h, x : x + w]
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)


@dataclass(frozen=True)
class Shoot:
    """All that is needed to draw the frames of a scenario."""

    scenario: Scenario
    plates: Path
    camera: Camera


class Studio:
    """Draws the frames of a scenario."""

    def __init__(self, shoot: Shoot) -> None:
        textures = Textures.of(deck(DEMO_DECK), deck(_BACK_DECK))
        canvas = Canvas(_plates(shoot.plates, shoot.camera), shoot.camera, textures, DEMO_TABLE)
        self.film = Film(stage(shoot.scenario), canvas)
        self.size = shoot.camera.width, shoot.camera.height
        self._sensor = Sensor(shoot.scenario.seed, (shoot.camera.height, shoot.camera.width))

    def still(self, index: int) -> Frame:
        """Return one frame: UInt8 (H, W, 3), RGB."""
        return self._sensor.take(self.film.frame(index), index)


def _plates(folder: Path, camera: Camera) -> Plates:
    if (folder / "plates.json").is_file():
        return read(folder)
    _LOG.warning("no plates in %s: drawing plain ones", folder)
    return draft(camera, felt(), felt_to_pixels())


_at_work: list[Studio] = []
"""The one studio of this process, which the drawing processes inherit."""


def _segment(start: int) -> bytes:
    """Draw and encode a run of frames: a film of its own, that begins with a key frame."""
    studio = _at_work[0]
    end = min(start + _SEGMENT, studio.film.frames)
    held = io.BytesIO()
    with av.open(held, "w", format="mp4") as container:
        stream = _stream(container, studio.size)
        for index in range(start, end):
            frame = av.VideoFrame.from_ndarray(studio.still(index), format="rgb24").reformat(
                format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
            )
            frame.pts = index - start
            frame.time_base = Fraction(1, FPS)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return held.getvalue()


def _stream(container: OutputContainer, size: tuple[int, int]) -> av.VideoStream:
    options = {"crf": str(_CRF), "preset": "slow", "threads": "1"}
    stream = container.add_stream("libx264", rate=FPS, options=options)
    stream.width, stream.height = size
    stream.pix_fmt = "yuv420p"
    context = stream.codec_context
    context.time_base = Fraction(1, FPS)
    context.colorspace = context.color_primaries = context.color_trc = _BT709
    context.color_range = ColorRange.MPEG
    return stream


def write_video(studio: Studio, path: Path, *, jobs: int) -> None:
    """Draw and encode every frame with a number of processes: H.264, 4:2:0, BT.709."""
    cv2.setNumThreads(1)
    _at_work[:] = [studio]
    starts = range(0, studio.film.frames, _SEGMENT)
    with (
        multiprocessing.get_context("fork").Pool(jobs) as pool,
        av.open(str(path), "w", options={"movflags": "+faststart"}) as container,
    ):
        stream: av.VideoStream | None = None
        for start, segment in zip(starts, pool.imap(_segment, starts), strict=True):
            with av.open(io.BytesIO(segment), "r") as part:
                source = part.streams.video[0]
                stream = stream or container.add_stream_from_template(source)
                _copy(part, source, (container, stream), start)
            _LOG.info(
                "%d of %d frames", min(start + _SEGMENT, studio.film.frames), studio.film.frames
            )


def _copy(part: InputContainer, source: av.VideoStream,
          target: tuple[OutputContainer, av.VideoStream], start: int) -> None:  # fmt: skip
    """Copy a segment's packets behind those before it, without encoding them again."""
    container, stream = target
    packets = [packet for packet in part.demux(source) if packet.pts is not None]
    for number, packet in enumerate(packets):
        ticks = Fraction(FPS) * (source.time_base or Fraction(1, FPS))
        packet.pts = round((packet.pts or 0) * ticks) + start
        packet.dts = start + number - _REORDERED
        packet.duration, packet.time_base = 1, Fraction(1, FPS)
        packet.stream = stream
        container.mux(packet)
