"""Recording a source: evidence that never depends on what was detected, and never waits for it.

The recorder has a connection of its own, so it neither waits for the detector nor loses what the
detector is too slow to see. What a browser can play is copied packet by packet, bit for bit;
anything else (MJPEG, a device, a folder of pictures) is encoded once. Real frame times decide where
a segment ends and whether frames are missing; a declared rate decides nothing.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from threading import Event

import av
import av.error
from av.container import InputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from vision.dating import Dating
from vision.errors import SourceError
from vision.frames import Clock, SourceBack, SourceLost, redacted
from vision.parameter_sets import probed, sequence_sets
from vision.segments import CopyingWriter, EncodingWriter, Place, Segment
from vision.settings import Settings

RecorderItem = Segment | SourceLost | SourceBack
"""What a recorder tells: a closed segment, or that frames are missing from or again since a moment.
Each segment is told once it is whole and on the disk."""

PLAYABLE = frozenset({"h264", "hevc", "av1", "vp9"})
"""The codecs that browsers play in MP4; H.265 where the machine has it in hardware."""

_PLAIN = frozenset({"yuv420p", "yuvj420p"})
"""The pixel formats of H.264 that browsers play."""

HOLE_S = 1.0
"""Two frames that are farther apart than this are told as a time without frames."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How something is recorded."""

    place: Place
    stop: Event = field(default_factory=Event)
    """Set to end the recording in good order."""
    seconds: float = 3.0
    """The least length of a segment; it then ends at the next key frame."""
    settings: Settings = field(default_factory=Settings)
    paced: bool = False
    """Whether a recording is read at the pace at which it was made."""
    clock: Clock = field(default_factory=Clock)


@dataclass(frozen=True, slots=True)
class Recorder:
    """Records one source. Iterate over `run` in a thread of its own."""

    name: str
    """What to call the source in messages, without credentials."""
    run: Callable[[Plan], Generator[RecorderItem, None, None]]
    endless: bool = True
    """Whether it goes on until it is told to stop, as that of a camera does."""


def file_recorder(address: str) -> Recorder:
    """Return a recorder of a video file, in media time."""

    def run(plan: Plan) -> Generator[RecorderItem, None, None]:
        yield from _connection(address, plan, Dating(), {})

    return Recorder(redacted(address), run, endless=False)


def network_recorder(url: str, options: dict[str, str]) -> Recorder:
    """Return a recorder of a camera on the network, in Unix time, which connects again for ever."""

    def run(plan: Plan) -> Generator[RecorderItem, None, None]:
        def connect() -> Iterator[RecorderItem]:
            return _connection(url, plan, Dating(plan.clock.now), options)

        yield from recorded_for_ever(connect, plan)

    return Recorder(redacted(url), run)


def recorded_for_ever(
    connect: Callable[[], Iterator[RecorderItem]], plan: Plan
) -> Generator[RecorderItem, None, None]:
    """Record one connection after another until told to stop; between two wait longer each time."""
    pause, lost = plan.settings.reconnect_first_s, False
    seen: float | None = None
    while not plan.stop.is_set():
        reason = "the stream ended"
        try:
            for item in connect():
                if isinstance(item, Segment):
                    if lost:
                        yield SourceBack(item.start)
                    lost, seen, pause = False, item.end, plan.settings.reconnect_first_s
                yield item
        except SourceError as error:
            reason = str(error)
        if plan.stop.is_set():
            return
        if not lost:
            yield SourceLost(reason, plan.clock.now() if seen is None else seen)
        lost = True
        plan.stop.wait(pause)
        pause = min(2 * pause, plan.settings.reconnect_longest_s)


def _connection(
    address: str, plan: Plan, dating: Dating, options: dict[str, str]
) -> Iterator[RecorderItem]:
    """Record one connection to its end.

    Raises:
        SourceError: It cannot be opened, or breaks; what was recorded is closed and told first.
    """
    limit = plan.settings.silent_s
    with (
        told_plainly(redacted(address)),
        av.open(address, options=options, timeout=(limit, limit)) as container,
    ):
        yield from _divided(container, address, plan, dating)


@contextmanager
def told_plainly(name: str) -> Iterator[None]:
    """Turn what FFmpeg and the disk say into one line.

    Raises:
        SourceError: The source broke, or what is recorded cannot be written.
    """
    try:
        yield
    except (av.error.FFmpegError, OSError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise SourceError(f"{name}: recording stopped ({reason})") from error


def _divided(
    container: InputContainer, address: str, plan: Plan, dating: Dating
) -> Iterator[RecorderItem]:
    if not container.streams.video:
        raise SourceError(f"{redacted(address)}: found no picture in it, expected a video")
    stream = container.streams.video[0]
    if is_playable(stream):
        yield from _Copying(stream, plan, dating).run(_dated(container, stream, plan, dating))
    else:
        packets = _dated(container, stream, plan, dating)
        yield from encoded(_decoded(packets, stream), plan, dating)


def is_playable(stream: VideoStream) -> bool:
    """Say whether browsers play what a stream holds, so that it can be copied."""
    context = stream.codec_context
    if context.name == "h264" and context.pix_fmt not in _PLAIN:
        return False
    return context.name in PLAYABLE


Dated = tuple["Packet[VideoStream]", float]


def _dated(
    container: InputContainer, stream: VideoStream, plan: Plan, dating: Dating
) -> Iterator[Dated]:
    """Give the packets with the times of their frames, until the recording is to stop."""
    base = stream.time_base or Fraction(1, 90_000)
    first, began = None, plan.clock.monotonic()
    for packet in container.demux(stream):
        if plan.stop.is_set():
            return
        stamp = packet.dts if packet.pts is None else packet.pts
        if stamp is None or packet.size == 0:
            continue  # the empty packet at the end, or one that cannot be dated
        at = float(stamp * base)
        first = at if first is None else first
        early = began + at - first - plan.clock.monotonic()
        if plan.paced and early > 0 and plan.stop.wait(early):
            return
        yield packet, dating.see(at)


def _decoded(packets: Iterator[Dated], stream: VideoStream) -> Iterator[tuple[VideoFrame, float]]:
    """Decode what a browser cannot play; a damaged packet costs its own frames only."""
    base = stream.time_base or Fraction(1, 90_000)
    shift = 0.0
    for packet, at in packets:
        stamp = packet.dts if packet.pts is None else packet.pts
        shift = at - float((stamp or 0) * base)
        with suppress(av.error.InvalidDataError):
            for frame in packet.decode():
                yield frame, at if frame.pts is None else shift + float(frame.pts * base)
    for frame in stream.codec_context.decode(None):
        if frame.pts is not None:
            yield frame, shift + float(frame.pts * base)


class _Copying:
    """Divides packets into segments that each begin with a key frame."""

    def __init__(self, stream: VideoStream, plan: Plan, dating: Dating) -> None:
        self._template, self._plan, self._dating = stream, plan, dating
        self._name = stream.codec_context.name
        self._sets: list[bytes] = []
        self._probe: InputContainer | None = None
        self._writer: CopyingWriter | None = None
        self._last: float | None = None

    def run(self, packets: Iterator[Dated]) -> Iterator[RecorderItem]:
        broken: Exception | None = None
        try:
            for packet, at in packets:
                yield from self._hole(packet, at)
                changed = packet.is_keyframe and self._has_changed(bytes(packet))
                if packet.is_keyframe and (changed or self._is_due(at)):
                    yield from self._closed(at)
                    self._writer = self._begun(packet, at)
                if self._writer is not None:
                    self._writer.add(packet, at)
                    self._last = at if self._last is None else max(self._last, at)
        except (av.error.FFmpegError, OSError) as error:
            broken = error  # what was recorded is told first
        yield from self._closed(None)
        if self._probe is not None:
            self._probe.close()
        if broken is not None:
            raise broken

    def _is_due(self, at: float) -> bool:
        return self._writer is None or at - self._writer.start >= self._plan.seconds

    def _begun(self, packet: "Packet[VideoStream]", at: float) -> CopyingWriter:
        stamp = packet.dts if packet.pts is None else packet.pts
        path = self._plan.place(self._dating.told(at))
        return CopyingWriter(path, self._template, at, stamp or 0)

    def _closed(self, end: float | None) -> Iterator[RecorderItem]:
        if self._writer is None:
            return
        writer, self._writer = self._writer, None
        yield writer.close(end, self._dating.settle())

    def _hole(self, packet: "Packet[VideoStream]", at: float) -> Iterator[RecorderItem]:
        """Tell of a time without frames before a packet.

        The segment goes on where it can: what follows leans on it up to the next key frame.
        """
        last = self._last
        if last is None or -HOLE_S < at - last < HOLE_S:
            return
        stepped = at < last or self._dating.has_stepped(at)
        since = self._dating.told(last if self._writer is None else self._writer.end())
        if packet.is_keyframe or stepped:
            yield from self._closed(None)
        if stepped:
            self._dating.restart(at)
            self._last = None
        yield from holes(since, self._dating.told(at))

    def _has_changed(self, packet: bytes) -> bool:
        """Say whether a key frame tells other parameters than the one before, such as its size."""
        found = sequence_sets(packet, self._name)
        if not found or found == self._sets:
            return False
        known, self._sets = self._sets, found
        probe = probed(packet, self._name) if known else None
        if probe is None:
            return bool(known)
        if self._probe is not None:
            self._probe.close()
        self._probe, self._template = probe, probe.streams.video[0]
        return True


def holes(since: float, until: float) -> tuple[RecorderItem, ...]:
    """Return what is told of a time without frames; nothing where only the time stamps jumped."""
    if until - since < HOLE_S / 2:
        return ()
    return SourceLost(f"no frames for {until - since:.1f} s", since), SourceBack(until)


def encoded(
    frames: Iterator[tuple[VideoFrame, float]], plan: Plan, dating: Dating
) -> Iterator[RecorderItem]:
    """Encode pictures into segments, each yielded as soon as it is closed."""
    writer: EncodingWriter | None = None
    broken: Exception | None = None
    last = 0.0
    try:
        for frame, at in frames:
            if writer is not None and not -HOLE_S < at - last < HOLE_S:
                segment = writer.close(None, dating.settle())
                writer = None
                dating.restart(at)
                yield segment
                yield from holes(segment.end, dating.told(at))
            if writer is not None and (at - writer.start >= plan.seconds or not writer.fits(frame)):
                segment = writer.close(at, dating.settle())
                writer = None
                yield segment
            if writer is None:
                writer = EncodingWriter(plan.place(dating.told(at)), frame, at)
            writer.add(frame, at)
            last = at
    except (av.error.FFmpegError, OSError) as error:
        broken = error  # what was recorded is told first
    if writer is not None:
        yield writer.close(None, dating.settle())
    if broken is not None:
        raise broken
