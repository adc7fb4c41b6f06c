"""Questions about what people do at their desks: cases, approvals, the log, dealers, balances."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, SQLColumnExpression, func, select
from sqlmodel import Session, col

from audit.approvals import Approval, ApprovalState, SensitiveAct
from audit.cases import CaseAct, CaseFile, CaseKind, CaseLink, CaseState, LinkKind
from audit.desk_records import (
    ApprovalRecord,
    CaseActRecord,
    CaseFileRecord,
    CaseLinkRecord,
    LogLineRecord,
    StintRecord,
)
from audit.errors import NotInRecord
from audit.logbook import LogLine
from audit.payouts import Balance, FeedLine, PayoutLine
from audit.records import FeedLineRecord, PayoutLineRecord
from audit.rows import R
from audit.stints import Stint
from audit.store.asking import PAGE, Asking
from audit.store.dealing import dealt_at
from audit.store.unit import view


@dataclass(frozen=True, slots=True)
class CaseQuery:
    """Which folders are asked for; what is None does not narrow."""

    state: CaseState | None = None
    kind: CaseKind | None = None
    table: str | None = None
    before: int | None = None
    """Only folders with lower numbers: the next page."""
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which lines of the log are asked for; what is None does not narrow."""

    since: datetime | None = None
    """By when it happened, as `until`."""
    until: datetime | None = None
    alert: int | None = None
    case: int | None = None
    before: int | None = None
    """Only lines with lower numbers: the next page."""
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class Span:
    """What a balance is drawn over: a time, and a table or all."""

    since: datetime
    until: datetime
    """Without this moment itself."""
    table: str | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """One shift of one gaming day."""

    name: str
    """As reports name it, such as `2026-11-30/2`."""
    started: datetime
    ended: datetime


@dataclass(frozen=True, slots=True)
class RunningLine:
    """A payout line with the balance up to and with it, in minor units."""

    line: PayoutLine
    dealer: str | None
    """Who dealt at the table then; None when nobody was told to."""
    difference: int
    """The sum of what was paid beyond what was due, from the beginning of the span."""
    net: int
    """The sum of what was paid, net to the players."""


@dataclass(frozen=True, slots=True)
class NamedBalance:
    """A balance of a table, a dealer or a shift."""

    name: str
    """Empty for the time in which no dealer was told."""
    balance: Balance


class AskingDesk(Asking):
    """Asks what people did at their desks."""

    def approvals(
        self,
        states: Iterable[ApprovalState] | None = None,
        *,
        act: SensitiveAct | None = None,
        limit: int = PAGE,
    ) -> list[Approval]:
        """Return requests for a second person, the newest first."""
        where: list[ColumnElement[bool]] = []
        if states is not None:
            where.append(col(ApprovalRecord.state).in_(list(states)))
        if act is not None:
            where.append(col(ApprovalRecord.act) == act)
        return self._rows(Approval, *where, order=col(ApprovalRecord.number).desc(), limit=limit)

    def approval(self, number: int) -> Approval:
        """Return one request.

        Raises:
            NotInRecord: There is none with this number.
        """
        return _one(
            self._rows(
                Approval,
                col(ApprovalRecord.number) == number,
                order=col(ApprovalRecord.number),
            ),
            f"no approval {number} in the record",
        )

    def cases(self, query: CaseQuery | None = None) -> list[CaseFile]:
        """Return case folders, the newest first."""
        asked = query or CaseQuery()
        wanted = (
            (col(CaseFileRecord.state), asked.state),
            (col(CaseFileRecord.kind), asked.kind),
            (col(CaseFileRecord.table), asked.table),
        )
        where = [column == value for column, value in wanted if value is not None]
        if asked.before is not None:
            where.append(col(CaseFileRecord.number) < asked.before)
        order = col(CaseFileRecord.number).desc()
        return self._rows(CaseFile, *where, order=order, limit=asked.limit)

    def case(self, number: int) -> CaseFile:
        """Return one folder.

        Raises:
            NotInRecord: There is none with this number.
        """
        return _one(
            self._rows(
                CaseFile,
                col(CaseFileRecord.number) == number,
                order=col(CaseFileRecord.number),
            ),
            f"no case {number} in the record",
        )

    def case_acts(self, number: int) -> list[CaseAct]:
        """Return what was done in a folder, in order: notes, links, assignments, outcomes."""
        return self._rows(
            CaseAct, col(CaseActRecord.case) == number, order=col(CaseActRecord.entry)
        )

    def case_links(self, number: int) -> list[CaseLink]:
        """Return what a folder points at, in the order in which it was linked."""
        return self._rows(
            CaseLink, col(CaseLinkRecord.case) == number, order=col(CaseLinkRecord.entry)
        )

    def cases_of(self, kind: LinkKind, ref: str) -> list[CaseFile]:
        """Return the folders that point at something, such as a round, the newest first."""
        linked = select(col(CaseLinkRecord.case)).where(
            col(CaseLinkRecord.kind) == kind, col(CaseLinkRecord.ref) == ref
        )
        return self._rows(
            CaseFile,
            col(CaseFileRecord.number).in_(linked),
            order=col(CaseFileRecord.number).desc(),
        )

    def log_lines(self, query: LogQuery | None = None) -> list[LogLine]:
        """Return lines of the surveillance log, the newest entered first; corrected ones too."""
        asked, line = query or LogQuery(), LogLineRecord
        where: list[ColumnElement[bool]] = []
        if asked.since is not None:
            where.append(col(line.occurred) >= asked.since)
        if asked.until is not None:
            where.append(col(line.occurred) < asked.until)
        if asked.alert is not None:
            where.append(col(line.alert) == asked.alert)
        if asked.case is not None:
            where.append(col(line.case) == asked.case)
        if asked.before is not None:
            where.append(col(line.number) < asked.before)
        return self._rows(LogLine, *where, order=col(line.number).desc(), limit=asked.limit)

    def log_line(self, number: int) -> LogLine:
        """Return one line of the log.

        Raises:
            NotInRecord: There is none with this number.
        """
        order = col(LogLineRecord.number)
        found = self._rows(LogLine, col(LogLineRecord.number) == number, order=order)
        return _one(found, f"no log line {number} in the record")

    def stints(self, table: str | None = None, *, limit: int = PAGE) -> list[Stint]:
        """Return who dealt when, the newest first."""
        where = [] if table is None else [col(StintRecord.table) == table]
        order = (col(StintRecord.started).desc(), col(StintRecord.entry).desc())
        return self._rows(Stint, *where, order=order, limit=limit)

    def dealer_now(self, table: str) -> Stint | None:
        """Return who deals at a table now, where that was told."""
        where = (col(StintRecord.table) == table, col(StintRecord.ended).is_(None))
        found = self._rows(Stint, *where, order=col(StintRecord.entry).desc(), limit=1)
        return next(iter(found), None)

    def reports_of(self, round_id: str) -> list[FeedLine]:
        """Return the late reports of a round and all that they corrected, in order."""
        named = self._rows(
            FeedLine, col(FeedLineRecord.round) == round_id, order=col(FeedLineRecord.entry)
        )
        taken = select(col(PayoutLineRecord.report)).where(
            col(PayoutLineRecord.round) == round_id, col(PayoutLineRecord.report).is_not(None)
        )
        order = col(FeedLineRecord.entry)
        named += self._rows(FeedLine, col(FeedLineRecord.entry).in_(taken), order=order)
        found = {line.entry: line for line in named}
        while wanted := {line.corrects for line in found.values()} - {None, *found}:
            more = self._rows(FeedLine, col(FeedLineRecord.entry).in_(wanted), order=order)
            if not more:
                break  # Only a record that was tampered with points at nothing.
            found |= {line.entry: line for line in more}
        return [found[entry] for entry in sorted(found)]

    def running(self, span: Span, *, limit: int = 1000) -> list[RunningLine]:
        """Return the payout lines of a time with their running balance, in order of time."""
        query = (
            select(PayoutLineRecord, col(StintRecord.dealer))
            .outerjoin(StintRecord, dealt_at(col(PayoutLineRecord.table), col(PayoutLineRecord.at)))
            .where(*_within(span))
            .order_by(
                col(PayoutLineRecord.at),
                col(PayoutLineRecord.entry),
                col(PayoutLineRecord.seat),
                col(PayoutLineRecord.wager),
            )
            .limit(limit)
        )

        def work(session: Session) -> list[RunningLine]:
            lines, difference, net = [], 0, 0
            for row, dealer in session.execute(query):
                line = view(PayoutLine, row)
                difference, net = difference + (line.difference or 0), net + (line.paid or 0)
                lines.append(RunningLine(line, dealer, difference, net))
            return lines

        return self._read(work)

    def balances_by_table(self, span: Span) -> list[NamedBalance]:
        """Return a balance a table, by name."""
        return self._balances(col(PayoutLineRecord.table), span)

    def balances_by_dealer(self, span: Span) -> list[NamedBalance]:
        """Return a balance a dealer, by name; under no name what was paid while none was told."""
        return self._balances(func.coalesce(col(StintRecord.dealer), ""), span)

    def balances_by_shift(
        self, shifts: Sequence[Shift], table: str | None = None
    ) -> list[NamedBalance]:
        """Return a balance a shift, in the order of the shifts."""
        found = []
        for shift in shifts:
            span = Span(shift.started, shift.ended, table)
            found.append(NamedBalance(shift.name, self._balance(span)))
        return found

    def _balance(self, span: Span) -> Balance:
        query: Select[Any] = select(*_sums()).where(*_within(span))
        sums = self._read(lambda session: session.execute(query).one())
        return Balance(*(int(one or 0) for one in sums))

    def _balances(self, name: SQLColumnExpression[str], span: Span) -> list[NamedBalance]:
        query: Select[Any] = (
            select(name, *_sums())
            .select_from(PayoutLineRecord)
            .outerjoin(StintRecord, dealt_at(col(PayoutLineRecord.table), col(PayoutLineRecord.at)))
            .where(*_within(span))
            .group_by(name)
            .order_by(name)
        )
        rows = self._read(lambda session: session.execute(query).all())
        return [
            NamedBalance(named, Balance(*(int(one or 0) for one in sums))) for named, *sums in rows
        ]


def _one(rows: list[R], missing: str) -> R:
    if not rows:
        raise NotInRecord(missing)
    return rows[0]


def _sums() -> tuple[SQLColumnExpression[Any], ...]:
    line: Any = PayoutLineRecord
    difference: Any = col(PayoutLineRecord.difference)
    return (
        func.count(line.round),
        func.sum(line.staked),
        func.sum(line.due),
        func.sum(line.paid),
        func.sum(difference).filter(difference > 0),
        func.sum(-difference).filter(difference < 0),
    )


def _within(span: Span) -> list[ColumnElement[bool]]:
    at = col(PayoutLineRecord.at)
    where = [at >= span.since, at < span.until]
    return where if span.table is None else [*where, col(PayoutLineRecord.table) == span.table]
