"""A table as it is watched: what it runs on, whether it is being seen, and when it was not."""

from dataclasses import dataclass
from datetime import datetime

_SECOND = ".2"


def second_camera(table: str) -> str:
    """Return the name under which a table's second camera is recorded.

    >>> second_camera("T1")
    'T1.2'
    """
    return f"{table}{_SECOND}"


def table_filmed(name: str) -> str:
    """Return the table that is seen in what is recorded under a name.

    >>> table_filmed("T1.2"), table_filmed("T1")
    ('T1', 'T1')
    """
    return name.removesuffix(_SECOND)


@dataclass(frozen=True, slots=True)
class TableStart:
    """What a table is watched with, told when watching begins: all that a verdict depends on."""

    game: str
    source: str
    """Where the pictures come from, without credentials: nothing ever leaves the record again."""
    layout: str = ""
    """The version of the table layout, such as `sha256:…`."""
    house: str = ""
    """The version of the house rules."""
    model: str = ""
    """The version of the card detector."""
    software: str = ""
    """The version of this program."""


@dataclass(frozen=True, slots=True)
class TableState:
    """The current state of a table."""

    table: str
    game: str
    source: str
    layout: str
    house: str
    model: str
    software: str
    watching: bool
    """Between its start and its stop. A killed watcher leaves it true."""
    seen: bool
    """False while the camera is lost."""
    late_s: int
    """How late the watcher tells what happens, in seconds, as it said last; 0 when it keeps up."""
    left_out: int
    """How many of a hundred frames the watcher leaves out, as it said last; 0 when it keeps up."""
    started: datetime
    stopped: datetime | None
    entry: int
    """The entry that last changed this state."""


@dataclass(frozen=True, slots=True)
class StepMark:
    """The name of one act of a watcher, so that it is recorded once however often it is sent."""

    run: str
    """The run of the watcher: a name that no other run has."""
    number: int
    """From 1, ascending within the run."""


@dataclass(frozen=True, slots=True)
class WatchRun:
    """One run of a watcher, and how much of what it did is in the record."""

    run: str
    table: str
    number: int
    """The number of its last act that was recorded; whatever has a lower one was, too."""
    entry: int
    """The entry that this act began with."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which nothing of a table could be seen."""

    entry: int
    """The entry that opened it."""
    table: str
    started: datetime
    ended: datetime | None
    """None while it lasts."""
    reason: str
