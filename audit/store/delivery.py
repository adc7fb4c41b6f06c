"""What a watcher does to the record, each act recorded once however often it is sent.

A watcher cannot know whether an act was recorded when the connection is lost in the middle. So it
sends the act again, under the same mark; the first entry of an act keeps the mark, and the table
`watch_run` how far each run has come.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from audit.chain import EntryKind, JsonObject
from audit.errors import NotInRecord
from audit.store.acts import Step, write_start, write_step
from audit.store.unit import Unit
from audit.tables import StepMark, TableStart, TableState, WatchRun


@dataclass(frozen=True, slots=True)
class Started:
    """Watching began."""

    start: TableStart
    at: datetime


@dataclass(frozen=True, slots=True)
class Stepped:
    """One frame, or one line of a feed, led to something."""

    step: Step
    anchor: datetime
    """The moment at which the source's line of time is 0."""


@dataclass(frozen=True, slots=True)
class Noted:
    """Anything else that is one entry of the table's chain, such as a recorded segment."""

    kind: EntryKind
    body: JsonObject
    at: datetime


@dataclass(frozen=True, slots=True)
class Stopped:
    """Watching ended in good order."""

    reason: str
    at: datetime


Act = Started | Stepped | Noted | Stopped


def was_delivered(unit: Unit, mark: StepMark) -> bool:
    """Say whether an act is in the record already; acts of a run are delivered in order."""
    known = unit.find(WatchRun, (mark.run,))
    return known is not None and known.number >= mark.number


def write_act(unit: Unit, act: Act) -> None:
    """Write an act of a watcher.

    Raises:
        NotInRecord: A table stops that was never started.
        AuditError: The act does not fit what the record says, or has no canonical form.
    """
    match act:
        case Started(start, at):
            write_start(unit, start, at)
        case Stepped(step, anchor):
            write_step(unit, step, anchor)
        case Noted(kind, body, at):
            unit.append(kind, body, at)
        case Stopped(reason, at):
            if unit.find(TableState, (unit.chain,)) is None:
                raise NotInRecord(f"no table {unit.chain!r} in the record")
            unit.append(EntryKind.TABLE_STOPPED, {"reason": reason}, at)
        case _:
            assert_never(act)
