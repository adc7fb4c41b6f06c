"""Cutting a clip out of segments: their packets, copied as they are.

A clip must begin at a key frame to be decoded. What comes before its time is therefore in the file,
and an edit list (ISO/IEC 14496-12) tells players to show nothing of it.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import av.error
from av.container import OutputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from vision.errors import SourceError

_BASE = Fraction(1, 90_000)
"""Fine enough for the time stamps of every camera (RFC 3550 prescribes it for video)."""

Timed = tuple["Packet[VideoStream]", float]


@dataclass(frozen=True, slots=True)
class Footage:
    """A segment to cut from."""

    path: Path
    start: float
    """Of its first frame, in seconds of any line of time that all of them share."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A clip that was cut."""

    sha256: str
    size: int
    """Bytes."""
    frames: int
    """How many of its frames are shown."""
    used: tuple[bool, ...]
    """Of each segment, whether anything of it is in the clip: one of another picture size, or that
    cannot be read, is not."""


def cut(footage: Sequence[Footage], since: float, until: float, target: Path) -> Cut | None:
    """Write the clip from `since` up to `until`, seconds, and see it on the disk.

    Returns:
        What was written; None, and no file, when none of the segments has a part in it.

    Raises:
        SourceError: The clip cannot be written.
    """
    clip = _Clip(target.with_suffix(".part"), since, until)
    used = []
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        for one in footage:
            used.append(clip.add(one))
        clip.close()
        if not clip.frames:
            clip.path.unlink(missing_ok=True)
            return None
        with clip.path.open("rb") as written:
            os.fsync(written.fileno())
            size = written.seek(0, os.SEEK_END)
            written.seek(0)
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        clip.path.replace(target)
    except (av.error.FFmpegError, OSError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise SourceError(f"{target}: the clip cannot be written ({reason})") from error
    return Cut(digest, size, clip.frames, tuple(used))


class _Clip:
    """A clip being written."""

    def __init__(self, path: Path, since: float, until: float) -> None:
        self.path, self.frames = path, 0
        self._since, self._until = since, until
        self._out: OutputContainer | None = None
        self._stream: VideoStream | None = None
        self._head: bytes | None = None
        self._before: list[Timed] = []
        self._dts: int | None = None

    def add(self, footage: Footage) -> bool:
        """Add what a segment has of the time; say whether it has anything that could be added."""
        try:
            with av.open(str(footage.path)) as container:
                if not container.streams.video:
                    return False
                stream = container.streams.video[0]
                if self._head not in (None, stream.codec_context.extradata):
                    return False
                return self._take(stream, list(_timed(container.demux(stream), footage.start)))
        except (av.error.FFmpegError, OSError) as error:
            if self._out is not None and isinstance(error, OSError) and error.errno == 28:
                raise  # the disk is full, which no other segment makes better
            return False

    def _take(self, stream: VideoStream, packets: list[Timed]) -> bool:
        """Take the packets from the last key frame before the clip up to its end."""
        last = max((n for n, (_, at) in enumerate(packets) if at < self._until), default=-1)
        shown = self.frames
        for packet, at in packets[: last + 1]:
            if at < self._since and packet.is_keyframe:
                self._before = []
            if at < self._since and not self.frames:
                self._before.append((packet, at))
                continue
            for earlier in (*self._before, (packet, at)):
                self._write(stream, *earlier)
            self._before = []
        return self.frames > shown

    def _write(self, stream: VideoStream, packet: "Packet[VideoStream]", at: float) -> None:
        if self._out is None:
            self._head = stream.codec_context.extradata
            self._out = av.open(
                str(self.path), mode="w", format="mp4", options={"movflags": "faststart"}
            )
            self._stream = self._out.add_stream_from_template(stream)
            self._stream.time_base = _BASE
        delay = 0.0
        if packet.pts is not None and packet.dts is not None:
            delay = float((packet.pts - packet.dts) * packet.time_base)
        pts = round((at - self._since) / _BASE)
        dts = round((at - delay - self._since) / _BASE)
        if self._dts is not None:
            dts = max(dts, self._dts + 1)
        self._dts = dts
        packet.time_base = _BASE
        packet.pts, packet.dts, packet.duration = max(pts, dts), dts, 0
        packet.stream = self._stream or stream
        self._out.mux(packet)
        self.frames += self._since <= at < self._until

    def close(self) -> None:
        """Finish the file, if there is one."""
        if self._out is not None:
            with closing(self._out):
                pass


def _timed(packets: "Iterator[Packet[VideoStream]]", start: float) -> Iterator[Timed]:
    first: float | None = None
    for packet in packets:
        stamp = packet.dts if packet.pts is None else packet.pts
        if stamp is None or packet.size == 0:
            continue
        at = float(stamp * packet.time_base)
        first = at if first is None else first
        yield packet, start + at - first
