"""Where footage lies, and how it is read: nothing outside the data folder is ever opened."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from audit.errors import NotInRecord
from audit.evidence.footage import Clip, Segment

RECORDINGS = "recordings"
"""The folder of segments in the data folder."""

CLIPS = "clips"
"""The folder of clips in the data folder."""

CHUNK = 1 << 18
"""How much is read at a time, bytes."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a file, ends included, as HTTP counts them (RFC 9110 section 14)."""

    first: int
    last: int

    @property
    def length(self) -> int:
        """Bytes."""
        return self.last - self.first + 1


def new_segment_name(table: str, at: datetime) -> str:
    """Return a name for a segment below the recordings' folder; none is given twice.

    >>> new_segment_name("T1", datetime(2026, 11, 30, 5, 33, tzinfo=UTC))[:30]
    'T1/20261130/05/053300.000000-'
    """
    at = at.astimezone(UTC)
    return f"{table}/{at:%Y%m%d}/{at:%H}/{at:%H%M%S.%f}-{secrets.token_hex(4)}.mp4"


def new_clip_name(table: str, at: datetime) -> str:
    """Return a name for a clip below the clips' folder; none is given twice."""
    at = at.astimezone(UTC)
    return f"{table}/{at:%Y%m%d}/{at:%H%M%S}-{secrets.token_hex(4)}.mp4"


def moment_in_name(name: str) -> datetime:
    """Return when a segment started, as its name tells.

    Raises:
        ValueError: It is no segment's name.
    """
    day, _, file = name.split("/")[-3:]
    told = datetime.strptime(f"{day}{file[:6]}", "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    return told + timedelta(microseconds=int(file[7:13]))


def footage_path(data_dir: Path, footage: Segment | Clip) -> Path:
    """Return where a segment or clip lies, whether or not it is there.

    Raises:
        NotInRecord: It was never made, or its name leads out of its folder, which no name of this
            program does.
    """
    match footage:
        case Segment():
            folder, name = data_dir / RECORDINGS, footage.name
        case Clip():
            folder, name = data_dir / CLIPS, footage.file or ""
    root = folder.resolve()
    path = (root / name).resolve()
    if not name or root not in path.parents:
        raise NotInRecord(f"no file of this program's own under the name {name!r}")
    return path


def stretch_of(header: str | None, size: int) -> Stretch | None:
    """Return the part of a file that a `Range` header asks for; None when it cannot be given.

    Without a header, or with one of another form, it is the whole file.

    >>> stretch_of("bytes=10-19", 100), stretch_of("bytes=-5", 100), stretch_of("bytes=200-", 100)
    (Stretch(first=10, last=19), Stretch(first=95, last=99), None)
    """
    whole = Stretch(0, size - 1)
    if header is None or not header.startswith("bytes=") or "," in header:
        return whole
    first, _, last = header.removeprefix("bytes=").strip().partition("-")
    if not (first + last).isascii() or not (first + last).isdecimal() or len(first + last) > 30:
        return whole
    if not first:
        return Stretch(max(0, size - int(last)), size - 1) if int(last) else None
    end = min(int(last), size - 1) if last else size - 1
    return Stretch(int(first), end) if int(first) <= end else None


def read_stretch(path: Path, stretch: Stretch) -> Iterator[bytes]:
    """Yield a part of a file.

    Raises:
        OSError: It is not there, or cannot be read.
    """
    left = stretch.length
    with path.open("rb") as file:
        file.seek(stretch.first)
        while left > 0 and (data := file.read(min(CHUNK, left))):
            left -= len(data)
            yield data
