"""Recording a camera by copying its packets: evidence that never depends on what was detected.

The recorder has a connection of its own, so it neither waits for the detector nor loses what the
detector is too slow to see. Each segment is a fragmented MP4 file that can be played while it is
still being written, and appears under its final name only when it is whole.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import av.error
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from vision.errors import SourceError
from vision.frames import Clock, redacted

_TIMEOUT_S = 10.0
"""A camera that says nothing for so long is lost."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One closed piece of a recording."""

    path: Path
    sha256: str
    """Hexadecimal, of the whole file."""
    start: float
    """Of its first frame: media time of a recording, seconds since the Unix epoch when live."""
    end: float
    """Of the moment after its last frame, which is where the next segment starts."""
    frames: int


def record(
    address: str, folder: Path, *, seconds: float = 3.0, live: Clock | None = None
) -> Iterator[Segment]:
    """Copy a source into segments, one yielded as soon as it is closed.

    A segment can only begin at a key frame, so it is as long as asked for, or up to the next key
    frame after that. Times follow the packets' own time stamps.

    Args:
        address: What FFmpeg opens: a file or `rtsp://…`.
        folder: Where the segments go, named by their start; it is made if it is missing.
        seconds: The least length of a segment.
        live: The clock that dates a live source; media time when None.

    Raises:
        SourceError: The source cannot be opened, or breaks; what was recorded is closed first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with av.open(address, timeout=(_TIMEOUT_S, _TIMEOUT_S)) as container:
            yield from _segments(container, _video(container, address), folder, seconds, live)
    except (av.error.FFmpegError, OSError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise SourceError(f"{redacted(address)}: recording stopped ({reason})") from error


def _video(container: InputContainer, address: str) -> VideoStream:
    if not container.streams.video:
        raise SourceError(f"{redacted(address)}: found no picture in it, expected a video")
    return container.streams.video[0]


def _segments(
    container: InputContainer,
    stream: VideoStream,
    folder: Path,
    seconds: float,
    live: Clock | None,
) -> Iterator[Segment]:
    writer: _Writer | None = None
    try:
        for packet, at in _dated(container, stream, live):
            due = writer is None or at - writer.start >= seconds
            if packet.is_keyframe and due:
                if writer is not None:
                    yield writer.close(at)
                writer = _Writer(folder, stream, at, packet.pts or 0)
            if writer is not None:
                writer.add(packet, at)
    finally:
        last = None if writer is None else writer.close()
    if last is not None:
        yield last


def _dated(
    container: InputContainer, stream: VideoStream, live: Clock | None
) -> "Iterator[tuple[Packet[VideoStream], float]]":
    """Give the packets with the times of their frames."""
    base = stream.time_base or Fraction(1, 90_000)
    offset: float | None = None
    for packet in container.demux(stream):
        if packet.pts is None or packet.dts is None:
            continue  # the empty packet at the end, or one that cannot be dated
        at = float(packet.pts * base)
        if offset is None:
            offset = -at if live is None else live.now() - at
        yield packet, at + offset


class _Writer:
    """One segment being written."""

    def __init__(self, folder: Path, template: VideoStream, start: float, first: int) -> None:
        self.start = start
        self._path = folder / f"{start:017.3f}.mp4"
        self._part = self._path.with_suffix(".part")
        self._first, self._frames = first, 0
        self._last = start
        self._step = 1 / float(template.average_rate) if template.average_rate else 0.04
        self._out = av.open(
            str(self._part),
            mode="w",
            format="mp4",
            options={"movflags": "frag_keyframe+empty_moov+default_base_moof"},
        )
        self._stream = self._out.add_stream_from_template(template)

    def add(self, packet: "Packet[VideoStream]", at: float) -> None:
        """Copy a packet, its time counted from the segment's first frame."""
        packet.pts = None if packet.pts is None else packet.pts - self._first
        packet.dts = None if packet.dts is None else packet.dts - self._first
        packet.stream = self._stream
        self._out.mux(packet)
        self._frames += 1
        self._last = max(self._last, at)

    def close(self, end: float | None = None) -> Segment:
        """Finish the file, give it its name, and say what it is."""
        self._out.close()
        with self._part.open("rb") as written:
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        self._part.replace(self._path)
        ended = self._last + self._step if end is None else end
        return Segment(self._path, digest, self.start, ended, self._frames)
