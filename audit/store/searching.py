"""Searches: rounds by what is in them, payouts by amount, entries by time and kind.

All of them go page by page by key: a page begins below the last row of the one before it, so the
thousandth page costs what the first one does, and nothing is passed over while rows are added.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum, unique
from typing import Any

from sqlalchemy import (
    ColumnElement,
    and_,
    func,
    literal,
    literal_column,
    or_,
    select,
)
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from audit.chain import Entry, EntryKind, Head
from audit.desk_records import StintRecord
from audit.payouts import Balance, FeedLine, PayoutLine
from audit.records import (
    EntryRecord,
    FeedLineRecord,
    PayoutLineRecord,
    RoundFactsRecord,
    RoundRecordRow,
)
from audit.rounds import RecordedRound
from audit.store.asking import Asking, entry_of
from audit.store.searching_rounds import (
    ROWS_A_PAGE,
    Condition,
    RoundSearch,
    moment_of,
    rounds_order,
    rounds_where,
    where_all,
)
from audit.store.unit import read_head, view, visible_bound

LOOKED_THROUGH = 20_000
"""Rounds that one page of a narrowed search looks through; the next page goes on from there."""

LINES_LOOKED_THROUGH = 50_000
"""Payout lines that one page of a narrowed search looks through."""

SUMMED = 50_000
"""Payout lines that sums without times are drawn from: the newest."""


@unique
class Amount(StrEnum):
    """Which amount of a payout line is searched."""

    PAID = "paid"
    """What the player gained."""
    TAKEN = "taken"
    """What the house took."""
    STAKED = "staked"
    DIFFERENCE = "difference"
    """Paid less due, either way."""


@dataclass(frozen=True, slots=True)
class LineKey:
    """Names a payout line among all, as the end of a page."""

    entry: int
    seat: int
    wager: str


@dataclass(frozen=True, slots=True)
class PayoutSearch:
    """Which payout lines are asked for; what is None does not narrow."""

    table: str | None = None
    seat: int | None = None
    wager: str | None = None
    amount: int | None = None
    """Without its sign, in minor units."""
    of: Amount = Amount.PAID
    at_least: bool = False
    """Whether higher amounts are asked for, too."""
    unsettled: bool = False
    """Only lines on which something else was paid than was due."""
    since: datetime | None = None
    until: datetime | None = None
    after: LineKey | None = None
    """The last line of the page before."""
    down_to: int | None = None
    """Only lines down to the round with this `entry`, as `last_line_looked_at` gives it."""
    limit: int = ROWS_A_PAGE

    @property
    def timed(self) -> bool:
        """Whether a time is asked for: lines then come in the order of their times."""
        return self.since is not None or self.until is not None

    @property
    def is_narrow(self) -> bool:
        """Whether no index holds together the lines that fit, so that they may be few among many.

        An amount alone has an index of its own.
        """
        beside = self.at_least or self.timed or self.table is not None
        narrow = self.seat is not None or self.wager is not None
        return narrow or (self.amount is not None and beside)


@dataclass(frozen=True, slots=True)
class EntrySearch:
    """Which entries are asked for; what is None does not narrow."""

    chain: str | None = None
    kind: EntryKind | None = None
    kinds: frozenset[EntryKind] | None = None
    after: int | None = None
    """Only entries with ids above this one."""
    until: datetime | None = None
    """Begin with what was recorded up to this moment."""
    before: int | None = None
    """Only entries with ids below this one: the next page."""
    limit: int = 2 * ROWS_A_PAGE


class Searching(Asking):
    """The part of the reader that searches."""

    def search_rounds(self, asked: RoundSearch) -> list[RecordedRound]:
        """Return the rounds that are asked for, the newest first."""
        entries = (
            select(col(RoundFactsRecord.entry))
            .where(*rounds_where(asked))
            .order_by(*rounds_order(asked))
            .limit(asked.limit)
        )

        def work(session: Session) -> list[RecordedRound]:
            found = list(session.connection().execute(entries).scalars())
            rows = select(RoundRecordRow).where(col(RoundRecordRow.entry).in_(found))
            known = {row.entry: view(RecordedRound, row) for row in session.scalars(rows)}
            return [known[entry] for entry in found]

        return self._read(work)

    def last_looked_at(self, asked: RoundSearch) -> int | None:
        """Return the `entry` of the last round that one page of a search looks at.

        None where it looks at all that are left. So a page costs the same however many there are.
        """
        if not asked.is_narrow:
            return None
        rounds = RoundSearch(asked.table, since=asked.since, until=asked.until, before=asked.before)
        query = (
            select(col(RoundFactsRecord.entry))
            .where(*rounds_where(rounds))
            .order_by(*rounds_order(rounds))
            .offset(LOOKED_THROUGH)
            .limit(1)
        )
        return self._read(lambda session: session.connection().execute(query).scalar())

    def search_payouts(self, asked: PayoutSearch) -> list[PayoutLine]:
        """Return the payout lines that are asked for, the newest round first."""
        return self._rows(
            PayoutLine,
            *_lines_where(asked),
            order=_lines_order(asked),
            limit=asked.limit,
        )

    def last_line_looked_at(self, asked: PayoutSearch) -> int | None:
        """Return the `entry` of the last round whose lines one page of a search looks at.

        None where it looks at all that are left. The next page begins below its last line.
        """
        if not asked.is_narrow:
            return None
        seen = PayoutSearch(
            asked.table,
            unsettled=asked.unsettled,
            since=asked.since,
            until=asked.until,
            after=asked.after,
        )
        query = (
            select(col(PayoutLineRecord.entry))
            .where(*_lines_where(seen))
            .order_by(*_lines_order(seen))
            .offset(LINES_LOOKED_THROUGH)
            .limit(1)
        )
        return self._read(lambda session: session.connection().execute(query).scalar())

    def balance_of(self, asked: PayoutSearch) -> Balance:
        """Return the sums over all payout lines that a search finds, whatever its page.

        Without times, over those down to `last_summed`.
        """
        line = PayoutLineRecord
        down_to = self.last_summed(asked)
        over = col(line.difference)
        sums = select(
            func.count(),
            func.sum(col(line.staked)),
            func.sum(col(line.due)),
            func.sum(col(line.paid)),
            func.sum(over).filter(over > 0),
            func.sum(-over).filter(over < 0),
        ).where(*_lines_where(replace(asked, after=None)))
        if down_to is not None:
            sums = sums.where(col(line.entry) >= down_to)
        found = self._read(lambda session: session.connection().execute(sums).one())
        return Balance(*(int(value or 0) for value in found))

    def last_summed(self, asked: PayoutSearch) -> int | None:
        """Return the `entry` of the oldest round whose lines are summed; None for all."""
        if asked.timed:
            return None
        line = PayoutLineRecord
        query = (
            select(col(line.entry))
            .where(*_lines_where(PayoutSearch(asked.table)))
            .order_by(col(line.entry).desc())
            .offset(SUMMED)
            .limit(1)
        )
        return self._read(lambda session: session.connection().execute(query).scalar())

    def search_entries(self, asked: EntrySearch) -> list[Entry]:
        """Return the entries that are asked for, the newest first."""

        def work(session: Session) -> list[Entry]:
            entry = EntryRecord
            where = where_all(
                (asked.chain, lambda chain: col(entry.chain) == chain),
                (asked.kind, lambda kind: col(entry.kind) == kind.value),
                (asked.kinds, lambda kinds: col(entry.kind).in_([one.value for one in kinds])),
                (asked.after, lambda after: col(entry.id) > after),
                (asked.before, lambda before: col(entry.id) < before),
                (asked.until, lambda until: col(entry.id) <= _last_until(session, until)),
                (visible_bound(session), lambda bound: col(entry.id) <= bound),
            )
            query = select(EntryRecord).where(*where)
            query = query.order_by(col(EntryRecord.id).desc()).limit(asked.limit)
            return [entry_of(row) for row in session.connection().execute(query)]

        return self._read(work)

    def dealer_names(self) -> list[str]:
        """Return the names of all dealers who were told to deal, in order."""
        query = select(col(StintRecord.dealer)).distinct().order_by(col(StintRecord.dealer))
        return self._read(lambda session: list(session.connection().execute(query).scalars()))

    def last_reports(self, table: str, limit: int) -> list[FeedLine]:
        """Return a table's last reported wagers and payouts, the newest first."""
        line = FeedLineRecord
        where = col(line.table) == table
        return self._rows(FeedLine, where, order=col(line.entry).desc(), limit=limit)

    def leaves(self, size: int) -> list[tuple[int, str]]:
        """Return the ids and hashes of the record's first entries, as a checkpoint covers them."""
        entry = EntryRecord
        query = select(col(entry.id), col(entry.hash)).order_by(col(entry.id)).limit(size)
        return self._read(
            lambda session: [
                (int(number or 0), value) for number, value in session.connection().execute(query)
            ]
        )

    def entry_in(self, chain: str, number: int) -> Entry | None:
        """Return the entry with a number in a chain; None when there is none."""
        where = (col(EntryRecord.chain) == chain, col(EntryRecord.number) == number)
        query = select(EntryRecord).where(*where)
        row = self._read(lambda session: session.connection().execute(query).first())
        return None if row is None else entry_of(row)

    def chain_heads(self) -> list[Head]:
        """Return the end of every chain, by name."""
        return self._read(
            lambda session: [read_head(session, chain) for chain in chain_names(session)]
        )


def chain_names(session: Session) -> list[str]:
    """Return the names of all chains, by name: one step in the index a chain."""
    chain = col(EntryRecord.chain)
    first = select(func.min(chain).label("chain"))
    names = first.cte("names", recursive=True)
    next_one = select(func.min(chain)).where(chain > names.c.chain).scalar_subquery()
    names = names.union_all(select(next_one).where(names.c.chain.is_not(None)))
    query = select(names.c.chain).where(names.c.chain.is_not(None))
    return list(session.connection().execute(query).scalars())


def _last_until(session: Session, until: datetime) -> int:
    """Return the highest id of an entry up to a moment, over all chains."""
    last = [
        session.connection()
        .execute(
            select(col(EntryRecord.id))
            .where(col(EntryRecord.chain) == chain, col(EntryRecord.at) <= until)
            .order_by(col(EntryRecord.at).desc(), col(EntryRecord.id).desc())
            .limit(1)
        )
        .scalar()
        for chain in chain_names(session)
    ]
    return max((found for found in last if found is not None), default=0)


def _lines_where(asked: PayoutSearch) -> list[Condition]:
    line = PayoutLineRecord
    return where_all(
        (asked.table, lambda table: col(line.table) == table),
        (asked.seat, lambda seat: col(line.seat) == seat),
        (asked.wager, lambda wager: col(line.wager) == wager),
        # Written out, so that the database takes the index that holds these lines alone.
        (asked.unsettled, lambda _: col(line.difference) != literal_column("0")),
        (asked.since, lambda since: col(line.at) >= since),
        (asked.until, lambda until: col(line.at) < until),
        (asked.amount, lambda amount: _amount_is(asked, abs(amount))),
        (asked.after, lambda after: _lines_after(asked, after)),
        (asked.down_to, lambda last: _lines_down_to(asked, last)),
    )


def _lines_order(asked: PayoutSearch) -> tuple[ColumnElement[Any] | Mapped[Any], ...]:
    """Return the order of a search: the newest first, by time where times are asked for."""
    line = PayoutLineRecord
    by_entry = (col(line.entry).desc(), col(line.seat), col(line.wager))
    return (col(line.at).desc(), *by_entry) if asked.timed else by_entry


def _amount_is(asked: PayoutSearch, amount: int) -> Condition:
    line = PayoutLineRecord
    match asked.of:
        case Amount.PAID | Amount.STAKED:
            column = col(line.paid if asked.of is Amount.PAID else line.staked)
            return column >= amount if asked.at_least else column == amount
        case Amount.TAKEN:
            column = col(line.paid)
            return column <= -amount if asked.at_least else column == -amount
        case Amount.DIFFERENCE:
            column = col(line.difference)
            if asked.at_least:
                return or_(column >= amount, column <= -amount)
            return column.in_([amount, -amount])


def _lines_after(asked: PayoutSearch, last: LineKey) -> Condition:
    """Return the condition for the lines that come after one in the order of a search."""
    line = PayoutLineRecord
    below = and_(
        col(line.entry) <= literal(last.entry),
        or_(
            col(line.entry) < last.entry,
            col(line.seat) > last.seat,
            and_(col(line.seat) == last.seat, col(line.wager) > last.wager),
        ),
    )
    if not asked.timed:
        return below
    then = moment_of(last.entry)
    return and_(col(line.at) <= then, or_(col(line.at) < then, below))


def _lines_down_to(asked: PayoutSearch, last: int) -> Condition:
    """Return the condition for the lines of one round and all before it in a search's order."""
    line = PayoutLineRecord
    if not asked.timed:
        return col(line.entry) >= last
    then = moment_of(last)
    return and_(col(line.at) >= then, or_(col(line.at) > then, col(line.entry) >= last))
