"""Live sources: a network camera or a device, reconnected for as long as it takes."""

import queue
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import av
import av.error
import numpy as np
from av.video.frame import VideoFrame

from vision.dating import Dating
from vision.errors import SourceError
from vision.frames import Clock, Frame, SourceBack, SourceItem, SourceLost, redacted
from vision.geometry import Image
from vision.recorder import (
    Plan,
    Recorder,
    RecorderItem,
    encoded,
    recorded_for_ever,
    told_plainly,
)
from vision.recordings import picture
from vision.settings import Settings

_TAP_FRAMES = 50
"""Pictures that wait for a device's recorder: two seconds, about 140 MB at 1280x720."""

_TAP_LOOK_S = 0.2
"""How often a recorder without pictures looks whether it is to stop, seconds."""

Opener = Callable[[], Iterator[Image]]
"""Connects anew and gives pictures until the connection ends; SourceError when it breaks."""

Numbered = tuple[Image, int]
"""A picture, and how many the connection gave before it."""


def network_options(url: str) -> dict[str, str]:
    """Return how FFmpeg is to connect to an address."""
    if not url.lower().startswith(("rtsp://", "rtsps://")):
        return {}
    return {"rtsp_transport": "tcp", "fflags": "nobuffer", "max_delay": "500000"}


def network_camera(url: str) -> "LiveSource":
    """Return a camera on the network, not yet connected: a camera that is off may come back."""
    settings = Settings()

    def connect() -> Iterator[Image]:
        return _decoded(url, redacted(url), None, network_options(url), settings.silent_s)

    return LiveSource(redacted(url), connect, settings=settings)


def device(number: int) -> "LiveSource":
    """Return a camera on this machine, by its number.

    Raises:
        SourceError: This system has no Video4Linux, or no device of that number.
    """
    if not sys.platform.startswith("linux"):
        raise SourceError(f"device {number}: found {sys.platform}, expected Linux with Video4Linux")
    settings = Settings()
    path = f"/dev/video{number}"
    # A device that is there may come back when it is unplugged; one that never was will not.
    if not Path(path).exists():
        there = sorted(str(known) for known in Path("/dev").glob("video*"))
        raise SourceError(
            f"{path}: found no such device, expected one of "
            f"{', '.join(there) or 'those of this machine, which has none'}"
        )

    def connect() -> Iterator[Image]:
        return _decoded(path, path, "v4l2", {}, settings.silent_s)

    return LiveSource(path, connect, settings=settings, tap=Tap())


def _decoded(
    address: str, name: str, kind: str | None, options: dict[str, str], timeout_s: float
) -> Iterator[Image]:
    """Connect and decode; FFmpeg's own time-outs end a connection that says nothing."""
    try:
        with av.open(
            address, format=kind, options=options, timeout=(timeout_s, timeout_s)
        ) as container:
            if not container.streams.video:
                raise SourceError(f"{name}: found a stream without pictures, expected a camera")
            stream = container.streams.video[0]
            stream.thread_type = "SLICE"  # frame threads would hold back several frames
            for frame in container.decode(stream):
                yield picture(frame)
    except (av.error.FFmpegError, OSError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise SourceError(f"{name}: {reason}") from error
    raise SourceError(f"{name}: the stream ended")


class Tap:
    """Branches pictures off to a recorder. Whoever puts one in never waits.

    A recorder that is too slow loses pictures, and sees by their times that it did.
    """

    def __init__(self) -> None:
        self._waiting: queue.Queue[tuple[Image, float]] = queue.Queue(maxsize=_TAP_FRAMES)

    def put(self, image: Image, at: float) -> None:
        """Branch a picture off, with the moment at which it was taken."""
        with suppress(queue.Full):
            self._waiting.put_nowait((image, at))

    def frames(self, plan: Plan) -> Iterator[tuple[VideoFrame, float]]:
        """Give pictures as they come, until the recording is to stop.

        Raises:
            SourceError: None came for too long.
        """
        waited = 0.0
        while not plan.stop.is_set():
            try:
                image, at = self._waiting.get(timeout=_TAP_LOOK_S)
            except queue.Empty:
                waited += _TAP_LOOK_S
                if waited >= plan.settings.silent_s:
                    raise SourceError(f"no frames for {waited:.0f} s") from None
                continue
            waited = 0.0
            yield VideoFrame.from_ndarray(image, format="bgr24"), at

    def recorder(self, name: str) -> Recorder:
        """Return a recorder of what is branched off, encoded once."""

        def run(plan: Plan) -> Generator[RecorderItem, None, None]:
            def connect() -> Iterator[RecorderItem]:
                with told_plainly(name):
                    yield from encoded(self.frames(plan), plan, Dating())

            yield from recorded_for_ever(connect, plan)

        return Recorder(name, run)


@dataclass(slots=True)
class LiveSource:
    """A live camera: its newest frame, and markers for when it was lost and came back.

    Frames are decoded by a thread of their own and only the newest is kept, so a slow reader falls
    behind in frames but never in time.
    """

    name: str
    connect: Opener
    clock: Clock = field(default_factory=Clock)
    settings: Settings = field(default_factory=Settings)
    live: bool = True
    fps: float | None = None
    duration: float | None = None
    tap: Tap | None = None
    """Where each picture goes too, before anybody looks at it: a device can be opened only once, so
    that its recorder has no connection of its own."""

    def __iter__(self) -> Iterator[SourceItem]:
        """Give frames for ever; between two connections wait longer each time."""
        pause = self.settings.reconnect_first_s
        next_index, lost = 0, False
        while True:
            reason = f"{self.name}: the stream ended"
            try:
                first = next_index
                for image, number in self._awake(newest(self._tapped, self.settings.silent_s)):
                    at = self.clock.now()
                    if lost:
                        yield SourceBack(at)
                    lost, pause = False, self.settings.reconnect_first_s
                    next_index = first + number + 1
                    yield Frame(image, first + number, at)
            except SourceError as error:
                reason = str(error)
            if not lost:
                yield SourceLost(reason, self.clock.now())
            lost = True
            self.clock.sleep(pause)
            pause = min(2 * pause, self.settings.reconnect_longest_s)

    def _tapped(self) -> Iterator[Image]:
        for image in self.connect():
            if self.tap is not None:
                self.tap.put(image, self.clock.now())
            yield image

    def _awake(self, images: Iterator[Numbered]) -> Iterator[Numbered]:
        """Pass pictures on until they have been identical for too long.

        Raises:
            SourceError: The camera is connected and sends, but always the same picture.
        """
        before: Image | None = None
        since = self.clock.now()
        for image, number in images:
            now = self.clock.now()
            if before is None or not np.array_equal(image, before):
                before, since = image, now
            elif now - since >= self.settings.frozen_s:
                raise SourceError(
                    f"{self.name}: the picture is frozen, identical for {now - since:.0f} s"
                )
            yield image, number


def newest(connect: Opener, timeout_s: float) -> Iterator[Numbered]:
    """Give the newest picture of a connection each time, read by a thread of its own.

    Those that nobody took in time are left out; the numbers show how many.

    Raises:
        SourceError: The connection broke, or gave nothing for `timeout_s` seconds.
    """
    slot: queue.Queue[Numbered | SourceError] = queue.Queue(maxsize=1)
    over = threading.Event()

    threading.Thread(target=_read, args=(connect, slot, over), name="camera", daemon=True).start()
    try:
        while True:
            try:
                item = slot.get(timeout=timeout_s)
            except queue.Empty:
                raise SourceError(f"no frames for {timeout_s:.0f} s") from None
            if isinstance(item, SourceError):
                raise item
            yield item
    finally:
        over.set()


def _read(
    connect: Opener, slot: "queue.Queue[Numbered | SourceError]", over: threading.Event
) -> None:
    """Read a connection until it ends or nobody wants it any more; then tell why it ended."""
    reason = SourceError("the stream ended")
    try:
        for number, image in enumerate(connect()):
            if over.is_set():
                return
            _replace(slot, (image, number))
    except SourceError as error:
        reason = error
    while not over.is_set():  # the last picture is seen before the end is told
        try:
            slot.put(reason, timeout=0.1)
        except queue.Full:
            continue
        return


def _replace(slot: "queue.Queue[Numbered | SourceError]", item: Numbered) -> None:
    """Put a picture in the slot, in place of one that nobody took in time."""
    while True:
        try:
            slot.put_nowait(item)
        except queue.Full:
            try:
                slot.get_nowait()
            except queue.Empty:
                continue
        else:
            return
