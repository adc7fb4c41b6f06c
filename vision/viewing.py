"""The viewing copy: footage made ready for people, with date and time in a band below the picture.

The band hides nothing of the play (Nevada, Washington WAC 230-15-295 and others ask for date and
time on the picture and forbid that they cover it). The copy is coded again, so it proves nothing:
the segments do.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
import av.error
import cv2
import numpy as np
from av.container import OutputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from vision.clipping import Footage
from vision.errors import SourceError
from vision.geometry import Image

_MILLI = Fraction(1, 1000)
_BAND = 0.06
"""The height of the band, as a part of the picture's."""

Caption = Callable[[float], str]
"""Gives the text for a moment, in seconds of the footage's line of time."""


def viewing_copy(
    footage: Sequence[Footage], since: float, until: float, caption: Caption, target: Path
) -> int:
    """Write the frames from `since` up to `until` with a caption each; return how many there are.

    Raises:
        SourceError: The footage cannot be read, or the copy cannot be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    copy = _Copy(target)
    try:
        for one in footage:
            for image, at in _frames(one):
                if since <= at < until:
                    copy.add(image, at, caption(at))
        copy.close()
    except (av.error.FFmpegError, OSError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise SourceError(f"{target}: the viewing copy cannot be made ({reason})") from error
    return copy.frames


def _frames(footage: Footage) -> Iterator[tuple[Image, float]]:
    first: float | None = None
    with av.open(str(footage.path)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        for frame in container.decode(stream):
            if frame.time is None:
                continue
            first = frame.time if first is None else first
            pixels = frame.to_ndarray(format="bgr24").astype(np.uint8, copy=False)
            yield pixels, footage.start + frame.time - first


class _Copy:
    """A viewing copy being written; its size is that of its first picture."""

    def __init__(self, path: Path) -> None:
        self._path, self.frames = path, 0
        self._out: OutputContainer | None = None
        self._stream: VideoStream | None = None
        self._first, self._stamp = 0.0, -1
        self._size = (0, 0)

    def add(self, image: Image, at: float, text: str) -> None:
        """Add a picture."""
        if self._stream is None or self._out is None:
            self._first = at
            self._size = (image.shape[1] & ~1, image.shape[0] & ~1)
            self._out, self._stream = self._opened()
        stamp = round((at - self._first) / _MILLI)
        if stamp <= self._stamp:
            return
        self._stamp = stamp
        frame = VideoFrame.from_ndarray(_captioned(image, text, self._size), format="bgr24")
        frame.pts, frame.time_base = stamp, _MILLI
        self._out.mux(self._stream.encode(frame))
        self.frames += 1

    def _opened(self) -> tuple[OutputContainer, VideoStream]:
        wide, tall = self._size
        out = av.open(str(self._path), "w", format="mp4", options={"movflags": "faststart"})
        stream = out.add_stream("libx264", rate=25, options={"preset": "veryfast", "crf": "20"})
        stream.width, stream.height = wide, tall + _band(tall)
        stream.pix_fmt = "yuv420p"
        stream.time_base = stream.codec_context.time_base = _MILLI
        return out, stream

    def close(self) -> None:
        """Finish the file, if there is one."""
        if self._out is not None and self._stream is not None:
            self._out.mux(self._stream.encode(None))
            self._out.close()


def _band(tall: int) -> int:
    return max(20, round(_BAND * tall)) & ~1


def _captioned(image: Image, text: str, size: tuple[int, int]) -> Image:
    wide, tall = size
    if (image.shape[1] & ~1, image.shape[0] & ~1) != size:
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    band = _band(tall)
    whole = np.zeros((tall + band, wide, 3), np.uint8)
    whole[:tall] = image[:tall, :wide]
    scale = 0.55 * band / 22
    room = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)[0][0]
    scale *= min(1.0, (wide - 12) / max(1, room))
    place = (6, tall + round(0.7 * band))
    cv2.putText(
        whole, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), 1, cv2.LINE_AA
    )
    return whole
