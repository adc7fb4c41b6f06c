"""The newest picture of a table, as its watcher left it."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from audit.chain import check_chain_name
from audit.errors import ChainError

MAX_PICTURE_BYTES = 8 * 2**20
"""More is no picture of ours; it is not read."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its age."""

    jpeg: bytes
    tag: str
    """Names this very picture (an HTTP entity tag)."""
    age_s: float
    """Seconds since it was written, by this machine's clock."""


def newest(live_dir: Path, table: str) -> Picture | None:
    """Return a table's newest picture, or None when there is none.

    A table's name can't lead out of the folder: it holds no separator and begins with no dot. The
    watcher replaces the file as a whole, so what is read here is one picture, never half of one.
    """
    try:
        check_chain_name(table)
        with (live_dir / f"{table}.jpg").open("rb") as file:
            status = os.fstat(file.fileno())
            if status.st_size > MAX_PICTURE_BYTES:
                return None
            jpeg = file.read()
    except (ChainError, OSError):
        return None
    age = max(0.0, time.time() - status.st_mtime)
    return Picture(jpeg, f'"{status.st_mtime_ns:x}-{status.st_size:x}"', age)
