"""Writing one segment of a recording: packets copied as they are, or pictures encoded once."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import av
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange
from av.video.stream import VideoStream

from vision.errors import SourceError
from vision.parameter_sets import browser_codec

Place = Callable[[float], Path]
"""Gives the path of the segment that starts at a second of the source's line of time."""

PART = ".part"
"""The suffix of a segment that is still being written."""

_FRAGMENTED = {
    # Whole fragments can be played while the rest is written, and are left by a crash.
    "movflags": "frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets",
    "frag_duration": "500000",
    "flush_packets": "1",
}
_ENCODED = "encoded by pitwatch"
"""What a file says of itself that was not copied, for whoever finds it after a crash."""

_MILLI = Fraction(1, 1000)
_LONE_S = 0.04
"""How long the only frame of a segment is taken to last, seconds."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One closed piece of a recording."""

    path: Path
    sha256: str
    """64 hexadecimal digits, of the whole file."""
    size: int
    """Bytes."""
    start: float
    """Of its first frame: media time of a recording, seconds since the Unix epoch when live."""
    end: float
    """Of the moment after its last frame, which is where the next segment starts."""
    frames: int
    codec: str
    """As a browser is asked about it, such as `avc1.64001F`."""
    width: int
    height: int
    """Pixels."""
    copied: bool
    """Whether its packets are the source's own; otherwise it was encoded once, here."""


class Writer(Protocol):
    """A segment being written."""

    @property
    def start(self) -> float:
        """Seconds of its first frame on the source's own line of time."""

    def close(self, end: float | None = None, offset: float = 0.0) -> Segment:
        """Finish it; `end` is when the frame that follows it was taken, if one does."""


class _Times:
    """The real times of a segment's frames, which alone decide how long it is."""

    def __init__(self, start: float) -> None:
        self.start = self.last = start
        self.frames = 0

    def add(self, at: float) -> None:
        self.frames += 1
        self.last = max(self.last, at)

    def end(self) -> float:
        """Return when the next frame would have come, by the pace of those that did."""
        if self.frames < 2:
            return self.last + _LONE_S
        return self.last + (self.last - self.start) / (self.frames - 1)


@dataclass(frozen=True, slots=True)
class _Look:
    """What a finished file holds."""

    codec: str
    width: int
    height: int
    copied: bool


class CopyingWriter:
    """A segment of packets copied as they are."""

    def __init__(self, path: Path, template: VideoStream, start: float, first: int) -> None:
        """Open the file.

        Args:
            path: Its name once it is whole.
            template: A stream with the parameters of the packets.
            start: Seconds of the first frame.
            first: The time stamp of the first frame.

        Raises:
            SourceError: The file cannot be written.
        """
        context = template.codec_context
        codec = browser_codec(context.name, context.extradata)
        self._look = _Look(codec, context.width, context.height, copied=True)
        self._times, self._first = _Times(start), first
        self._dts: int | None = None
        self._path = _part_of(path)
        self._out = av.open(str(self._path), mode="w", format="mp4", options=_FRAGMENTED)
        self._stream = self._out.add_stream_from_template(template)

    @property
    def start(self) -> float:
        """Seconds of its first frame on the source's own line of time."""
        return self._times.start

    def end(self) -> float:
        """Return when the next frame is due, by the pace of those so far."""
        return self._times.end()

    def add(self, packet: "Packet[VideoStream]", at: float) -> None:
        """Copy a packet, its time counted from the segment's first frame."""
        pts = packet.dts if packet.pts is None else packet.pts
        if pts is None:
            return  # nothing in it can be dated
        pts -= self._first
        dts = pts if packet.dts is None else packet.dts - self._first
        if self._dts is not None and dts <= self._dts:
            dts = self._dts + 1
        self._dts = dts
        packet.pts, packet.dts = max(pts, dts), dts
        packet.stream = self._stream
        self._out.mux(packet)
        self._times.add(at)

    def close(self, end: float | None = None, offset: float = 0.0) -> Segment:
        """Finish the file, give it its name, and say what it is."""
        self._out.close()
        return _finished(self._path, self._times, self._look, (end, offset))


class EncodingWriter:
    """A segment of pictures, encoded once as H.264."""

    def __init__(self, path: Path, first: VideoFrame, start: float) -> None:
        """Open the file for pictures of the size of the first one.

        Raises:
            SourceError: The file cannot be written.
        """
        self._times = _Times(start)
        self._path = _part_of(path)
        self._out = av.open(str(self._path), mode="w", format="mp4", options=_FRAGMENTED)
        self._out.metadata["comment"] = _ENCODED
        options = {"preset": "veryfast", "crf": "20", "bf": "0", "g": "1000", "tune": "zerolatency"}
        self._stream = self._out.add_stream("libx264", rate=25, options=options)
        # H.264 halves the colours, so its sides are even.
        self._stream.width, self._stream.height = first.width & ~1, first.height & ~1
        self._stream.pix_fmt = "yuv420p"
        self._stream.time_base = self._stream.codec_context.time_base = _MILLI
        self._stamp = -1

    @property
    def start(self) -> float:
        """Seconds of its first frame on the source's own line of time."""
        return self._times.start

    def fits(self, frame: VideoFrame) -> bool:
        """Say whether a picture has the size of the segment's."""
        return (self._stream.width, self._stream.height) == (frame.width & ~1, frame.height & ~1)

    def add(self, frame: VideoFrame, at: float) -> None:
        """Encode a picture; one within a millisecond of the one before is left out."""
        stamp = round((at - self._times.start) * 1000)
        if stamp <= self._stamp:
            return
        self._stamp = stamp
        # JPEG uses the whole range of grey, video a part: taken for each other, all grows darker.
        ready = frame.reformat(
            self._stream.width, self._stream.height, "yuv420p", dst_color_range=ColorRange.MPEG
        )
        ready.pts, ready.time_base = stamp, _MILLI
        self._out.mux(self._stream.encode(ready))
        self._times.add(at)

    def close(self, end: float | None = None, offset: float = 0.0) -> Segment:
        """Finish the file, give it its name, and say what it is."""
        self._out.mux(self._stream.encode(None))
        context = self._stream.codec_context
        codec = browser_codec("h264", context.extradata)
        look = _Look(codec, context.width, context.height, copied=False)
        self._out.close()
        return _finished(self._path, self._times, look, (end, offset))


def _part_of(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"{path.parent}: {error.strerror}; expected to write there") from error
    return path.with_suffix(PART)


def _finished(
    part: Path, times: _Times, look: _Look, ending: tuple[float | None, float]
) -> Segment:
    """See a file on the disk, then give it its name: what is named is whole."""
    end, offset = ending
    with part.open("rb") as written:
        os.fsync(written.fileno())
        size = written.seek(0, os.SEEK_END)
        written.seek(0)
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    path = part.with_suffix(".mp4")
    part.replace(path)
    ended = (times.end() if end is None else end) + offset
    start = times.start + offset
    return Segment(
        path, digest, size, start, ended, times.frames,
        look.codec, look.width, look.height, look.copied,
    )  # fmt: skip


def adopt(path: Path, start: float) -> Segment:
    """Take over a segment that a crash left, whole or half: give it its name and say what it is.

    Args:
        path: The file, under its own name or with the suffix of a part.
        start: Seconds of its first frame, as its name tells them.

    Raises:
        SourceError: Nothing in it can be played.
    """
    times = _Times(start)
    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            context = stream.codec_context
            codec = browser_codec(context.name, context.extradata)
            copied = container.metadata.get("comment") != _ENCODED
            look = _Look(codec, context.width, context.height, copied)
            first: float | None = None
            for packet in container.demux(stream):
                if packet.pts is None or packet.size == 0:
                    continue
                at = float(packet.pts * packet.time_base)
                first = at if first is None else first
                times.add(start + at - first)
    except (av.error.FFmpegError, OSError, IndexError) as error:
        if not times.frames:
            raise SourceError(f"{path.name}: nothing in it can be played") from error
    if not times.frames:
        raise SourceError(f"{path.name}: nothing in it can be played")
    return _finished(path, times, look, (None, 0.0))
