"""Recorded sources: a video file, a folder of pictures, and either at its own pace."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import av
import av.error
import numpy as np
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from vision.errors import SourceError
from vision.frames import Clock, Frame, FrameSource, SourceItem
from vision.geometry import Image
from vision.images import SUFFIXES, load_image

_FOLDER_FPS = 25.0
"""Pictures in a folder carry no times: they are taken for the frames of a video of this rate."""

_LOST_END_S = 1.0
"""A recording that ends so much before its declared end was cut short."""


def picture(frame: VideoFrame) -> Image:
    """Return a decoded frame as UInt8 (H, W, 3), BGR, turned upright."""
    pixels = frame.to_ndarray(format="bgr24").astype(np.uint8, copy=False)
    quarters = round(frame.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(pixels, quarters)) if quarters else pixels


class VideoFile:
    """A video file, with the real time of every frame."""

    live = False

    def __init__(self, path: Path) -> None:
        """Look at the file's head.

        Raises:
            SourceError: It is no video that can be read.
        """
        self._path = path
        self.name = str(path)
        with self._open() as container:
            stream = self._stream(container)
            rate = stream.average_rate
            self.fps = float(rate) if rate else None
            self.duration = _duration(container, stream)

    def __iter__(self) -> Iterator[SourceItem]:
        """Decode from the beginning.

        Raises:
            SourceError: The file ends before it should, or cannot be decoded any further.
        """
        with self._open() as container:
            stream = self._stream(container)
            stream.thread_type = "AUTO"
            last = -1.0
            first: float | None = None
            index = 0
            for index, decoded in enumerate(self._frames(container, stream)):
                told = _time(decoded, index / (self.fps or _FOLDER_FPS))
                first = told if first is None else first
                last = max(last, told - first)
                yield Frame(picture(decoded), index, last)
        if first is None:
            raise SourceError(f"{self.name}: found no frame in it, expected a video")
        self._check_end(last + (1 / self.fps if self.fps else 0.0))

    def _open(self) -> InputContainer:
        try:
            return av.open(str(self._path), mode="r")
        except (av.error.FFmpegError, OSError) as error:
            raise SourceError(
                f"{self.name}: found no video ({_why(error)}), expected a video file"
            ) from error

    def _stream(self, container: InputContainer) -> VideoStream:
        if not container.streams.video:
            raise SourceError(f"{self.name}: found no picture in it, expected a video")
        return container.streams.video[0]

    def _frames(self, container: InputContainer, stream: VideoStream) -> Iterator[VideoFrame]:
        """Decode packet by packet, so that one damaged packet costs its own frames only."""
        try:
            for packet in container.demux(stream):
                try:
                    decoded = packet.decode()
                except av.error.InvalidDataError:
                    continue
                for frame in decoded:
                    if isinstance(frame, VideoFrame):
                        yield frame
        except av.error.FFmpegError as error:
            raise SourceError(f"{self.name}: cannot be read further ({_why(error)})") from error

    def _check_end(self, end: float) -> None:
        if self.duration is not None and end < self.duration - _LOST_END_S:
            raise SourceError(
                f"{self.name}: found the end at {end:.1f} s, expected {self.duration:.1f} s: "
                "the file is cut short or damaged"
            )


def _time(frame: VideoFrame, otherwise: float) -> float:
    """Return the time that the container gives a frame, if it gives one."""
    if frame.pts is None or frame.time_base is None:
        return otherwise
    return float(frame.pts * frame.time_base)


def _why(error: Exception) -> str:
    """Return the reason without the address, which may hold credentials."""
    reason = getattr(error, "strerror", None)
    return str(reason) if reason else type(error).__name__


def _duration(container: InputContainer, stream: VideoStream) -> float | None:
    if stream.duration is not None and stream.time_base is not None:
        return float(stream.duration * stream.time_base)
    if container.duration is not None:
        return float(Fraction(container.duration, av.time_base))
    return None


class PictureFolder:
    """A folder of pictures in the order of their names, numbers counted as numbers."""

    live = False

    def __init__(self, path: Path, *, fps: float = _FOLDER_FPS) -> None:
        """List the folder.

        Raises:
            SourceError: It cannot be listed, or holds no picture.
        """
        self.name = str(path)
        self.fps: float | None = fps
        try:
            entries = [entry for entry in path.iterdir() if entry.suffix.lower() in SUFFIXES]
        except OSError as error:
            raise SourceError(f"{path}: cannot be listed ({error.strerror})") from error
        if not entries:
            raise SourceError(f"{path}: found no picture in the folder, expected at least one")
        self._paths = sorted(entries, key=_natural)
        self._step_s = 1 / fps
        self.duration: float | None = len(entries) / fps

    def __iter__(self) -> Iterator[SourceItem]:
        """Load one picture after the other.

        Raises:
            SourceError: One of them cannot be read.
        """
        for index, path in enumerate(self._paths):
            yield Frame(load_image(path), index, index * self._step_s)


def _natural(path: Path) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


@dataclass(slots=True)
class Paced:
    """A recording at the pace at which it was made, or slower where the machine is.

    No frame is left out: what is found must not depend on how busy the machine is.
    """

    source: FrameSource
    clock: Clock

    @property
    def name(self) -> str:
        """The recording's name."""
        return self.source.name

    @property
    def live(self) -> bool:
        """False: its times are media time."""
        return self.source.live

    @property
    def fps(self) -> float | None:
        """The recording's rate."""
        return self.source.fps

    @property
    def duration(self) -> float | None:
        """The recording's length, seconds."""
        return self.source.duration

    def __iter__(self) -> Iterator[SourceItem]:
        """Wait for each frame's moment; a late one is given at once, and says how late it is."""
        start = self.clock.monotonic()
        for item in self.source:
            early = start + item.at - self.clock.monotonic()
            if early > 0:
                self.clock.sleep(early)
            yield replace(item, late_s=max(0.0, -early)) if isinstance(item, Frame) else item
