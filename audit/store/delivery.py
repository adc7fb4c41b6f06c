"""What a watcher does to the record, each act recorded once however often it is sent.

A watcher cannot know whether an act was recorded when the connection is lost in the middle. So it
sends the act again, under the same mark; the first entry of an act keeps the mark, and the table
`watch_run` how far each run has come.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from sqlmodel import Session, col, select

from audit.chain import EntryKind, JsonObject
from audit.errors import NotInRecord
from audit.records import WatchRunRecord
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


@dataclass(frozen=True, slots=True)
class Sent:
    """An act and its mark."""

    mark: StepMark
    act: Act


def deliver(session: Session, table: str, sent: Sequence[Sent]) -> int:
    """Write those acts that are not in the record already; return how many they were.

    Raises:
        AuditError: One does not fit what the record says; none of them is written then.
    """
    new = 0
    for one in sent:
        unit = Unit(session, table, one.mark)
        if not was_delivered(unit, one.mark):
            write_act(unit, one.act)
            new += 1
    return new


def delivered(session: Session, runs: Iterable[str]) -> dict[str, int]:
    """Return the number of the last act that is recorded, of each of some runs."""
    record = WatchRunRecord
    query = select(col(record.run), col(record.number)).where(col(record.run).in_(list(runs)))
    return {row.run: row.number for row in session.connection().execute(query)}


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
