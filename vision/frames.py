"""Where frames come from: a video file, a folder of pictures, a network camera, a device."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from vision.geometry import Image


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and when it was taken."""

    image: Image
    """UInt8 (H, W, 3), BGR; whoever receives it may keep it but not write to it."""
    index: int
    """From 0, counting every frame of the source, dropped ones too."""
    at: float
    """Seconds: media time of a recording, seconds since the Unix epoch (UTC) of a live source."""
    late_s: float = 0.0
    """How long after its moment it was given, in seconds: a recording played at its own pace."""


@dataclass(frozen=True, slots=True)
class SourceLost:
    """The source gives no usable frames from now on."""

    reason: str
    at: float


@dataclass(frozen=True, slots=True)
class SourceBack:
    """The source gives frames again."""

    at: float


SourceItem = Frame | SourceLost | SourceBack


class FrameSource(Protocol):
    """Something to iterate over for frames; a list of frames with these attributes is one."""

    @property
    def name(self) -> str:
        """What to call it in messages, without credentials."""

    @property
    def live(self) -> bool:
        """Whether it shows the present, in UTC, rather than a recording in media time."""

    @property
    def fps(self) -> float | None:
        """Frames a second as declared, for progress only; the frames' own times decide."""

    @property
    def duration(self) -> float | None:
        """Seconds as declared; None when it has no end."""

    def __iter__(self) -> Iterator[SourceItem]:
        """Start from the beginning."""


@dataclass(slots=True)
class Clock:
    """UTC that never runs backwards: a monotonic clock, anchored to the wall clock once."""

    wall: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _offset: float = field(init=False)

    def __post_init__(self) -> None:
        self._offset = self.wall() - self.monotonic()

    def now(self) -> float:
        """Return seconds since the Unix epoch, steps of the wall clock left out."""
        return self.monotonic() + self._offset

    def drift(self) -> float:
        """Return how many seconds the wall clock is ahead of this one, for the record."""
        return self.wall() - self.now()


_SECRET = re.compile(r"(?i)\b(pass(?:word|wd)?|pwd|token|key|secret|user(?:name)?)=[^&\s]*")


def redacted(address: str) -> str:
    """Return an address without its credentials; what is no address of a network stays as it is.

    A password may hold any character, also those that end a host's name. So whatever stands before
    the last `@` is taken for credentials: rather a path too little than a password too much.

    >>> redacted("rtsp://admin:hunter2@10.0.0.7:554/live?password=x&channel=1")
    'rtsp://***@10.0.0.7:554/live?password=***&channel=1'
    >>> redacted("rtsp://admin:se/cr?et@10.0.0.7/live")
    'rtsp://***@10.0.0.7/live'
    """
    scheme, mark, rest = address.partition("://")
    if not mark:
        return address
    credentials, at, place = rest.rpartition("@")
    del credentials
    return f"{scheme}://{'***@' if at else ''}" + _SECRET.sub(r"\1=***", place)
