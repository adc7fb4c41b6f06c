"""Every question that may be asked of the record. Answers are frozen values, never table rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, or_, select
from sqlmodel import Session, col

from audit.alerts import Alert, AlertAct, AlertState
from audit.chain import SYSTEM, Entry, EntryKind
from audit.errors import NotInRecord
from audit.payouts import Balance, FeedLine, PayoutLine, Settlement
from audit.records import (
    AlertActRecord,
    AlertRecord,
    EntryRecord,
    FeedLineRecord,
    GapRecord,
    PayoutLineRecord,
    RoundRecordRow,
    TableStateRecord,
)
from audit.rounds import RecordedRound
from audit.store.asking import PAGE, entry_of
from audit.store.asking_desk import AskingDesk
from audit.store.footage import AskingFootage
from audit.store.searching import Searching
from audit.store.unit import visible_bound
from audit.tables import Gap, TableState
from rules.findings import Severity


@dataclass(frozen=True, slots=True)
class AlertQuery:
    """Which alerts are asked for; what is None does not narrow."""

    table: str | None = None
    round: str | None = None
    states: frozenset[AlertState] | None = None
    severity: Severity | None = None
    code: str | None = None
    after: int = 0
    """Only alerts with higher numbers."""
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class PayoutQuery:
    """Which payout lines are asked for; what is None does not narrow."""

    table: str | None = None
    round: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    settlements: frozenset[Settlement] | None = None
    limit: int | None = PAGE


class Reader(Searching, AskingFootage, AskingDesk):
    """Reads the record, each call in one short read transaction. Threads may share it."""

    def entries_after(
        self,
        last_id: int = 0,
        *,
        table: str | None = None,
        kinds: Iterable[EntryKind] | None = None,
        limit: int = PAGE,
        until: int | None = None,
    ) -> list[Entry]:
        """Return the entries with ids above `last_id`, ascending: the bus for live pages.

        An id that was passed over never appears later, so the last entry's id is a safe
        `Last-Event-ID` (see `audit.store.unit`).

        Args:
            last_id: The id of the last entry that the caller has; 0 from the beginning.
            table: Only entries of this table's chain (or of `system`).
            kinds: Only entries of these kinds.
            limit: At most this many.
            until: The last id that is wanted.
        """

        def work(session: Session) -> list[Entry]:
            query = select(EntryRecord).where(col(EntryRecord.id) > last_id)
            if until is not None:
                query = query.where(col(EntryRecord.id) <= until)
            bound = visible_bound(session)
            if bound is not None:
                query = query.where(col(EntryRecord.id) <= bound)
            if table is not None:
                query = query.where(col(EntryRecord.chain) == table)
            if kinds is not None:
                query = query.where(col(EntryRecord.kind).in_([kind.value for kind in kinds]))
            query = query.order_by(col(EntryRecord.id)).limit(limit)
            return [entry_of(row) for row in session.connection().execute(query)]

        return self._read(work)

    def last_id(self) -> int:
        """Return the highest entry id that `entries_after` would show now; 0 when there is none."""

        def work(session: Session) -> int:
            query = select(func.max(col(EntryRecord.id)))
            bound = visible_bound(session)
            if bound is not None:
                query = query.where(col(EntryRecord.id) <= bound)
            return int(session.connection().execute(query).scalar() or 0)

        return self._read(work)

    def entry(self, entry_id: int) -> Entry:
        """Return one entry by its id.

        Raises:
            NotInRecord: There is no such entry.
        """
        query = select(EntryRecord).where(col(EntryRecord.id) == entry_id)
        row = self._read(lambda session: session.connection().execute(query).first())
        if row is None:
            raise NotInRecord(f"no entry {entry_id} in the record")
        return entry_of(row)

    def entries_between(
        self, table: str, since: datetime, until: datetime, *, limit: int = 10_000
    ) -> list[Entry]:
        """Return a table's entries of a time, ends included, in order: what a replay shows."""
        query = (
            select(EntryRecord)
            .where(
                col(EntryRecord.chain) == table,
                col(EntryRecord.at) >= since,
                col(EntryRecord.at) <= until,
            )
            .order_by(col(EntryRecord.id))
            .limit(limit)
        )
        return self._read(
            lambda session: [entry_of(row) for row in session.connection().execute(query)]
        )

    def signing_key(self) -> str:
        """Return the public key that the record names last, in hexadecimal digits.

        Raises:
            NotInRecord: It names none.
        """
        kinds = [EntryKind.KEY_CREATED.value, EntryKind.KEY_ROTATED.value]
        query = (
            select(EntryRecord)
            .where(col(EntryRecord.chain) == SYSTEM, col(EntryRecord.kind).in_(kinds))
            .order_by(col(EntryRecord.id).desc())
            .limit(1)
        )
        row = self._read(lambda session: session.connection().execute(query).first())
        if row is None:
            raise NotInRecord("the record names no signing key")
        return str(entry_of(row).body["public"])

    def tables(self) -> list[TableState]:
        """Return every table that was ever watched, by name."""
        return self._rows(TableState, order=col(TableStateRecord.table))

    def table(self, name: str) -> TableState:
        """Return one table.

        Raises:
            NotInRecord: It was never watched.
        """
        rows = self._rows(
            TableState, col(TableStateRecord.table) == name, order=col(TableStateRecord.table)
        )
        if not rows:
            raise NotInRecord(f"no table {name!r} in the record")
        return rows[0]

    def gaps(self, table: str | None = None, *, limit: int = PAGE) -> list[Gap]:
        """Return the times in which nothing could be seen, the newest first."""
        where = [] if table is None else [col(GapRecord.table) == table]
        return self._rows(Gap, *where, order=col(GapRecord.entry).desc(), limit=limit)

    def alerts(self, query: AlertQuery | None = None) -> list[Alert]:
        """Return alerts, the newest first."""
        asked = query or AlertQuery()
        where: list[ColumnElement[bool]] = [col(AlertRecord.number) > asked.after]
        wanted = (
            (col(AlertRecord.table), asked.table),
            (col(AlertRecord.round), asked.round),
            (col(AlertRecord.severity), asked.severity),
            (col(AlertRecord.code), asked.code),
        )
        where += [column == value for column, value in wanted if value is not None]
        if asked.states is not None:
            where.append(col(AlertRecord.state).in_(asked.states))
        return self._rows(Alert, *where, order=col(AlertRecord.number).desc(), limit=asked.limit)

    def alert(self, number: int) -> Alert:
        """Return one alert.

        Raises:
            NotInRecord: There is none with this number.
        """
        rows = self._rows(Alert, col(AlertRecord.number) == number, order=col(AlertRecord.number))
        if not rows:
            raise NotInRecord(f"no alert {number} in the record")
        return rows[0]

    def alert_acts(self, number: int) -> list[AlertAct]:
        """Return what users did to an alert, in order."""
        return self._rows(
            AlertAct, col(AlertActRecord.alert) == number, order=col(AlertActRecord.entry)
        )

    def rounds(
        self, table: str | None = None, *, before: int | None = None, limit: int = 50
    ) -> list[RecordedRound]:
        """Return rounds, the newest first.

        Args:
            table: Only of this table.
            before: Only rounds with an `entry` below this one: the next page.
            limit: At most this many.
        """
        where: list[ColumnElement[bool]] = []
        if table is not None:
            where.append(col(RoundRecordRow.table) == table)
        if before is not None:
            where.append(col(RoundRecordRow.entry) < before)
        return self._rows(
            RecordedRound, *where, order=col(RoundRecordRow.entry).desc(), limit=limit
        )

    def round(self, round_id: str) -> RecordedRound:
        """Return one round in its newest version.

        Raises:
            NotInRecord: There is none with this name.
        """
        rows = self._rows(
            RecordedRound, col(RoundRecordRow.round) == round_id, order=col(RoundRecordRow.entry)
        )
        if not rows:
            raise NotInRecord(f"no round {round_id!r} in the record")
        return rows[0]

    def payouts(self, query: PayoutQuery | None = None) -> list[PayoutLine]:
        """Return what was staked, due and paid, a line a wager, the newest round first."""
        asked = query or PayoutQuery()
        return self._rows(
            PayoutLine,
            *_payouts_where(asked),
            order=(
                col(PayoutLineRecord.entry).desc(),
                col(PayoutLineRecord.seat),
                col(PayoutLineRecord.wager),
            ),
            limit=asked.limit,
        )

    def balance(self, query: PayoutQuery | None = None) -> Balance:
        """Return the sums over the payout lines asked for, whatever the limit says."""
        paid_more, line = col(PayoutLineRecord.difference), PayoutLineRecord
        query_sums = select(
            func.count(),
            func.sum(col(line.staked)),
            func.sum(col(line.due)),
            func.sum(col(line.paid)),
            func.sum(paid_more).filter(paid_more > 0),
            func.sum(-paid_more).filter(paid_more < 0),
        ).where(*_payouts_where(query or PayoutQuery()))
        sums = self._read(lambda session: session.connection().execute(query_sums).one())
        return Balance(*(int(value or 0) for value in sums))

    def feed_lines(
        self, table: str | None = None, *, after: int = 0, limit: int = PAGE
    ) -> list[FeedLine]:
        """Return reported wagers and payouts with `entry` above `after`, in order."""
        where = [col(FeedLineRecord.entry) > after]
        if table is not None:
            where.append(col(FeedLineRecord.table) == table)
        return self._rows(FeedLine, *where, order=col(FeedLineRecord.entry), limit=limit)


def _payouts_where(asked: PayoutQuery) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = []
    line = PayoutLineRecord
    if asked.table is not None:
        where.append(col(line.table) == asked.table)
    if asked.round is not None:
        where.append(col(line.round) == asked.round)
    if asked.since is not None:
        where.append(col(line.at) >= asked.since)
    if asked.until is not None:
        where.append(col(line.at) < asked.until)
    if asked.settlements is not None:
        where.append(or_(*(col(line.settlement) == one for one in asked.settlements)))
    return where
