"""What reports ask of the record: typed rows of one range of time, read in one snapshot.

Long lists are streamed, so that memory does not grow with the record. Sums are made by the
database from the same rows that the lists hold.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, String, case, cast, func, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col

from audit.alerts import AlertState
from audit.chain import Entry, EntryKind
from audit.database import store_error
from audit.records import (
    AlertRecord,
    EntryRecord,
    RoundFactsRecord,
    RoundRecordRow,
)
from audit.rounds import RecordedRound
from audit.store.asking import entry_of
from audit.store.unit import view, visible_bound
from rules.findings import Severity

BATCH = 2000
"""How many rows are fetched at a time."""


VOIDED = "voided"
"""How a finding stands that two people made void."""


@dataclass(frozen=True, slots=True)
class Window:
    """What a report is about: a range of time, and tables (all when there are none)."""

    since: datetime
    until: datetime
    """The first moment that is no longer in it."""
    tables: tuple[str, ...] = ()


class RoundLine(NamedTuple):
    """A round without its cards. A tuple, since a million of them are made for one report."""

    recorded: datetime
    round: str
    table: str
    game: str
    outcome: str
    findings: int
    corrected: bool
    entry: int


@dataclass(frozen=True, slots=True)
class RoundCount:
    """How the rounds of one table and game ended."""

    table: str
    game: str
    rounds: int
    complete: int
    void: int
    reconstruct: int
    unsure: int
    incomplete: int
    flagged: int
    """Rounds with at least one finding."""
    corrected: int


@dataclass(frozen=True, slots=True)
class FindingCount:
    """How often something was found, and what was decided on it."""

    code: str
    severity: str
    found: int
    waiting: int
    """Not yet taken up by anybody."""
    reviewing: int
    confirmed: int
    not_confirmed: int
    unreadable: int
    closed: int
    voided: int
    """Made void by two people, whatever was decided before."""


@dataclass(frozen=True, slots=True)
class FindingLine:
    """One finding that raised an alert, with what became of it."""

    number: int
    opened: datetime
    table: str
    round: str | None
    seat: int | None
    trick: int | None
    code: str
    subject: str
    rule: str
    severity: str
    state: str
    changed_by: str | None
    """Who acknowledged or judged it last."""
    text: str
    proved_by: str | None
    entry: int


class Snapshot:
    """One snapshot of the record, as reports read it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.connection = session.connection()

    def last_entry(self) -> int:
        """Return the id of the last entry in this snapshot."""
        query = select(func.max(col(EntryRecord.id)))
        bound = visible_bound(self.session)
        if bound is not None:
            query = query.where(col(EntryRecord.id) <= bound)
        return int(self.connection.execute(query).scalar() or 0)

    def stream(self, query: Select[*tuple[Any, ...]]) -> Iterator[Any]:
        """Yield the rows of a query, a batch in memory at a time."""
        with self.connection.execute(query.execution_options(yield_per=BATCH)) as rows:
            yield from rows

    def entries(self, kinds: tuple[EntryKind, ...], window: Window) -> list[Entry]:
        """Return the entries of some kinds before the end of a window, in order.

        Those before its beginning come too: they say how things stood when it began.
        """
        query = select(EntryRecord).where(
            col(EntryRecord.kind).in_([kind.value for kind in kinds]),
            col(EntryRecord.at) < window.until,
        )
        if window.tables:
            query = query.where(col(EntryRecord.chain).in_(window.tables))
        rows = self.connection.execute(query.order_by(col(EntryRecord.id)))
        return [entry_of(row) for row in rows]

    def last_moment(self, table: str) -> datetime | None:
        """Return the moment of the newest entry of a table."""
        query = (
            select(col(EntryRecord.at))
            .where(col(EntryRecord.chain) == table)
            .order_by(col(EntryRecord.number).desc())
            .limit(1)
        )
        found: datetime | None = self.connection.execute(query).scalar()
        return found

    def round_counts(self, window: Window) -> list[RoundCount]:
        """Return how rounds ended, by table and game."""
        row = RoundRecordRow

        def with_outcome(outcome: str) -> ColumnElement[int]:
            return func.sum(case((col(row.outcome) == outcome, 1), else_=0))

        query = (
            select(
                col(row.table),
                col(row.game),
                func.count(),
                *(with_outcome(name) for name in _OUTCOMES),
                func.sum(case((col(row.findings) > 0, 1), else_=0)),
                func.sum(case((col(row.corrected), 1), else_=0)),
            )
            .where(*rounds_within(window))
            .group_by(col(row.table), col(row.game))
            .order_by(col(row.table), col(row.game))
        )
        return [
            RoundCount(table, game, *(int(value or 0) for value in sums))
            for table, game, *sums in self.connection.execute(query)
        ]

    def round_lines(self, window: Window) -> Iterator[RoundLine]:
        """Yield every round of a window, the earliest first."""
        row = RoundRecordRow
        query = (
            select(
                col(row.recorded),
                col(row.round),
                col(row.table),
                col(row.game),
                col(row.outcome),
                col(row.findings),
                col(row.corrected),
                col(row.entry),
            )
            .where(*rounds_within(window))
            .order_by(col(row.recorded), col(row.entry))
        )
        for values in self.stream(query):
            yield RoundLine(*values)

    def rounds(
        self, window: Window, *outcomes: str, flagged: bool = False, limit: int | None = None
    ) -> list[RecordedRound]:
        """Return whole rounds, the earliest first: with one of some outcomes, or with findings."""
        where = rounds_within(window)
        if outcomes:
            where.append(col(RoundRecordRow.outcome).in_(outcomes))
        if flagged:
            where.append(col(RoundRecordRow.findings) > 0)
        query = (
            select(RoundRecordRow)
            .where(*where)
            .order_by(col(RoundRecordRow.recorded), col(RoundRecordRow.entry))
            .limit(limit)
        )
        return [view(RecordedRound, row) for row in self.session.scalars(query)]

    def flagged_rounds(self, window: Window) -> Iterator[RecordedRound]:
        """Yield every round with findings whole, the earliest first."""
        columns = [col(getattr(RoundRecordRow, field.name)) for field in fields(RecordedRound)]
        query = (
            select(*columns)
            .where(*rounds_within(window), col(RoundRecordRow.findings) > 0)
            .order_by(col(RoundRecordRow.recorded), col(RoundRecordRow.entry))
        )
        for row in self.stream(query):
            yield view(RecordedRound, row)

    def rounds_on_watch(self, window: Window) -> dict[tuple[str, int], list[datetime]]:
        """Return when each seat played while it was on watch (TCW-15), by table and seat."""
        row = RoundRecordRow
        query = (
            select(col(row.table), col(row.recorded), col(row.result))
            .where(*rounds_within(window), cast(col(row.result), String).contains('"watch"'))
            .order_by(col(row.recorded))
        )
        found: dict[tuple[str, int], list[datetime]] = {}
        for table, recorded, result in self.stream(query):
            for number, seat in (result.get("seats") or {}).items():
                if seat.get("watch"):
                    found.setdefault((table, int(number)), []).append(recorded)
        return found

    def rounds_with(self, window: Window, code: str) -> dict[str, int]:
        """Return in how many rounds of each table something was found."""
        facts = RoundFactsRecord
        where = [col(facts.at) >= window.since, col(facts.at) < window.until]
        if window.tables:
            where.append(col(facts.table).in_(window.tables))
        query = (
            select(col(facts.table), func.count())
            .where(*where, col(facts.findings).contains(f" {code} ", autoescape=True))
            .group_by(col(facts.table))
        )
        return {table: int(count) for table, count in self.connection.execute(query)}

    def finding_counts(self, window: Window) -> list[FindingCount]:
        """Return findings that raised alerts, by code and severity, with what was decided."""
        row = AlertRecord

        def in_state(*states: AlertState) -> ColumnElement[int]:
            stands = col(row.state).in_(states) & col(row.voided).is_(None)
            return func.sum(case((stands, 1), else_=0))

        query = (
            select(
                col(row.code),
                col(row.severity),
                func.count(),
                in_state(AlertState.NEW),
                in_state(AlertState.ACKNOWLEDGED, AlertState.UNDER_REVIEW),
                in_state(AlertState.CONFIRMED),
                in_state(AlertState.NOT_CONFIRMED),
                in_state(AlertState.UNREADABLE),
                in_state(AlertState.CLOSED),
                func.sum(case((col(row.voided).is_not(None), 1), else_=0)),
            )
            .where(*alerts_within(window))
            .group_by(col(row.code), col(row.severity))
        )
        found = [
            FindingCount(code, Severity(severity).value, *(int(value or 0) for value in sums))
            for code, severity, *sums in self.connection.execute(query)
        ]
        gravest = list(reversed(Severity))
        return sorted(found, key=lambda one: (gravest.index(Severity(one.severity)), one.code))

    def finding_lines(
        self,
        window: Window,
        states: frozenset[AlertState] | None = None,
        codes: frozenset[str] | None = None,
    ) -> Iterator[FindingLine]:
        """Yield every finding that raised an alert, in order of its number.

        Args:
            window: When it was first proved, and where.
            states: Only those that stand so and were not made void.
            codes: Only these.
        """
        columns = AlertRecord.__table__.columns  # type: ignore[attr-defined]  # SQLModel hides it
        query = select(*columns).where(*alerts_within(window))
        if states is not None:
            stands = col(AlertRecord.state).in_(states)
            query = query.where(stands, col(AlertRecord.voided).is_(None))
        if codes is not None:
            query = query.where(col(AlertRecord.code).in_(codes))
        for row in self.stream(query.order_by(col(AlertRecord.number))):
            yield _finding_line(row)


_OUTCOMES = ("complete", "void", "reconstruct", "unsure", "incomplete")


def rounds_within(window: Window) -> list[ColumnElement[bool]]:
    """Return what picks the rounds of a window, by when they ended."""
    row = RoundRecordRow
    where = [col(row.recorded) >= window.since, col(row.recorded) < window.until]
    if window.tables:
        where.append(col(row.table).in_(window.tables))
    return where


def alerts_within(window: Window) -> list[ColumnElement[bool]]:
    """Return what picks the alerts of a window, by when they were first proved."""
    row = AlertRecord
    where = [col(row.opened) >= window.since, col(row.opened) < window.until]
    if window.tables:
        where.append(col(row.table).in_(window.tables))
    return where


def _finding_line(row: Any) -> FindingLine:  # noqa: ANN401  # a row of SQLAlchemy has no type
    return FindingLine(
        number=row.number,
        opened=row.opened,
        table=row.table,
        round=row.round,
        seat=row.seat,
        trick=row.trick,
        code=row.code,
        subject=row.subject,
        rule=row.rule,
        severity=row.severity.value,
        state=row.state.value if row.voided is None else VOIDED,
        changed_by=row.changed_by or row.acknowledged_by,
        text=row.text,
        proved_by=row.proved_by,
        entry=row.entry,
    )


@contextmanager
def snapshot(engine: Engine) -> Generator[Snapshot, None, None]:
    """Give one snapshot of the record; writers go on meanwhile and are not seen.

    Raises:
        StoreError: The database cannot be read.
    """
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    try:
        with Session(engine) as session:
            yield Snapshot(session)
    except DBAPIError as error:
        raise store_error(error, engine.url) from None
