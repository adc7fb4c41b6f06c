"""Footage: the recorded segments of a table, the times without any, and the clips cut from them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique

from audit.chain import JsonObject


@unique
class Making(StrEnum):
    """How a segment came to be."""

    COPIED = "copied"
    """The camera's own packets, bit for bit, in another container."""
    ENCODED = "encoded"
    """Encoded once, since a browser cannot play what the source gives."""


@unique
class ClipState(StrEnum):
    """How far a clip is."""

    PENDING = "pending"
    """Its time is not over yet, or its last segment is not closed."""
    READY = "ready"
    """It lies in the data folder. What is missing in it is listed with it."""
    MISSING = "missing"
    """Its time is over, and nothing of it was recorded."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One closed piece of a table's recording."""

    entry: int
    """The entry that tells of it, which is its name in other entries."""
    table: str
    name: str
    """Its path below the recordings' folder, such as `T1/20261130/053300.000-1f3a.mp4`."""
    started: datetime
    """When its first frame was taken, UTC."""
    ended: datetime
    """When the frame after its last one was due, UTC; the next segment starts there."""
    frames: int
    size: int
    """Bytes."""
    sha256: str
    """64 hexadecimal digits, over the whole file."""
    codec: str
    """As a browser is asked about it: `avc1.64001F` in `video/mp4; codecs="avc1.64001F"`."""
    width: int
    height: int
    """Pixels."""
    making: Making
    adopted: bool
    """Whether it was found after a crash, closed by nobody."""
    closed: datetime
    """When it was closed, by this machine's clock."""
    flagged: bool
    """Whether a clip of a flagged hand stands on it: it is kept longer."""
    deleted: int | None
    """The entry that tells of its deletion; its hash stays in the record."""


@dataclass(frozen=True, slots=True)
class RecordingGap:
    """A time in which a table was watched and not recorded."""

    name: str
    """Its table and start, such as `T1/2026-11-30T05:33:00.000000Z`."""
    table: str
    started: datetime
    ended: datetime | None
    """None while it lasts."""
    reason: str
    entry: int
    """The entry that opened it."""


@dataclass(frozen=True, slots=True)
class Clip:
    """The footage of a flagged hand, or of a time that somebody asked for."""

    name: str
    """`round/ROUND` or `asked/ENTRY`."""
    table: str
    round: str | None
    asked: datetime
    asked_by: str
    """Who asked for it; `rules` where a finding did."""
    state: ClipState
    since: datetime | None
    until: datetime | None
    """The time that it covers; None while the round is still running."""
    file: str | None
    """Its path below the clips' folder; None while there is none."""
    sha256: str | None
    size: int | None
    """Bytes."""
    segments: list[JsonObject]
    """What it stands on: `{"entry", "sha256"}` each, in order."""
    holes: list[JsonObject]
    """The times that nobody recorded: `{"since", "until", "reason"}` each."""
    entry: int
    """The entry that last changed it."""
    deleted: int | None
    """The entry that tells of its deletion."""


def clip_of_round(round_id: str) -> str:
    """Return the name of a round's clip."""
    return f"round/{round_id}"


def clip_asked(entry: int) -> str:
    """Return the name of the clip that an entry asks for."""
    return f"asked/{entry}"
