"""Searches: rounds by what is in them, payouts by amount, entries by time and kind.

All of them go page by page by key: a page begins below the last row of the one before it, so the
thousandth page costs what the first one does, and nothing is passed over while rows are added.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum, unique
from typing import Any

from sqlalchemy import ColumnElement, and_, func, literal, literal_column, or_, select
from sqlmodel import Session, col

from audit.chain import Entry, EntryKind, Head
from audit.desk_records import StintRecord
from audit.facts import card_bits
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
from audit.store.dealing import dealt_at
from audit.store.unit import read_head, view, visible_bound

ROWS_A_PAGE = 50

Condition = ColumnElement[bool]


@dataclass(frozen=True, slots=True)
class RoundSearch:
    """Which rounds are asked for; what is None or empty does not narrow."""

    table: str | None = None
    seat: int | None = None
    cards: tuple[str, ...] = ()
    """Cards that were all seen in the round, written as in a record."""
    finding: str | None = None
    """The code of a finding."""
    flagged: bool = False
    """Only rounds in which something was found."""
    outcome: str | None = None
    dealer: str | None = None
    """Who dealt when the round ended, as the house named the dealer."""
    amount: int | None = None
    """A stake, amount due, amount paid or difference without its sign, in minor units."""
    since: datetime | None = None
    until: datetime | None = None
    """Recorded before this moment."""
    before: int | None = None
    """Only rounds with an `entry` below this one: the next page."""
    limit: int = ROWS_A_PAGE


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
    limit: int = ROWS_A_PAGE


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
            .where(*_rounds_where(asked))
            .order_by(col(RoundFactsRecord.entry).desc())
            .limit(asked.limit)
        )

        def work(session: Session) -> list[RecordedRound]:
            found = list(session.connection().execute(entries).scalars())
            rows = (
                select(RoundRecordRow)
                .where(col(RoundRecordRow.entry).in_(found))
                .order_by(col(RoundRecordRow.entry).desc())
            )
            return [view(RecordedRound, row) for row in session.scalars(rows)]

        return self._read(work)

    def search_payouts(self, asked: PayoutSearch) -> list[PayoutLine]:
        """Return the payout lines that are asked for, the newest round first."""
        line = PayoutLineRecord
        return self._rows(
            PayoutLine,
            *_lines_where(asked),
            order=(col(line.entry).desc(), col(line.seat), col(line.wager)),
            limit=asked.limit,
        )

    def balance_of(self, asked: PayoutSearch) -> Balance:
        """Return the sums over all payout lines that a search finds, whatever its page."""
        line = PayoutLineRecord
        over = col(line.difference)
        sums = select(
            func.count(),
            func.sum(col(line.staked)),
            func.sum(col(line.due)),
            func.sum(col(line.paid)),
            func.sum(over).filter(over > 0),
            func.sum(-over).filter(over < 0),
        ).where(*_lines_where(replace(asked, after=None)))
        found = self._read(lambda session: session.connection().execute(sums).one())
        return Balance(*(int(value or 0) for value in found))

    def search_entries(self, asked: EntrySearch) -> list[Entry]:
        """Return the entries that are asked for, the newest first."""

        def work(session: Session) -> list[Entry]:
            entry = EntryRecord
            where = _where(
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


_Wish = tuple[object, Callable[[Any], Condition]]
"""What was asked for, if anything, and the condition that it makes."""


def _where(*wishes: _Wish) -> list[Condition]:
    return [make(value) for value, make in wishes if value not in (None, ()) and value is not False]


def _rounds_where(asked: RoundSearch) -> list[Condition]:
    facts = RoundFactsRecord
    cards = card_bits(asked.cards)
    return _where(
        (asked.table, lambda table: col(facts.table) == table),
        (asked.seat, lambda seat: col(facts.seats).bitwise_and(1 << seat) != 0),
        (asked.cards, lambda _: col(facts.cards).bitwise_and(cards) == cards),
        (asked.finding, lambda code: col(facts.findings).contains(f" {code} ", autoescape=True)),
        (asked.flagged, lambda _: col(facts.findings) != ""),
        (asked.outcome, lambda outcome: col(facts.outcome) == outcome),
        (asked.dealer, _dealt_by),
        (asked.amount, lambda amount: col(facts.amounts).contains(f" {abs(amount)} ")),
        (asked.since, lambda since: col(facts.at) >= since),
        (asked.until, lambda until: col(facts.at) < until),
        (asked.before, lambda before: col(facts.entry) < before),
    )


def _dealt_by(dealer: str) -> Condition:
    facts, stint = RoundFactsRecord, StintRecord
    dealt = select(col(stint.entry)).where(
        col(stint.dealer) == dealer, dealt_at(col(facts.table), col(facts.at))
    )
    return dealt.exists()


def _lines_where(asked: PayoutSearch) -> list[Condition]:
    line = PayoutLineRecord
    return _where(
        (asked.table, lambda table: col(line.table) == table),
        (asked.seat, lambda seat: col(line.seat) == seat),
        (asked.wager, lambda wager: col(line.wager) == wager),
        # Written out, so that the database takes the index that holds these lines alone.
        (asked.unsettled, lambda _: col(line.difference) != literal_column("0")),
        (asked.since, lambda since: col(line.at) >= since),
        (asked.until, lambda until: col(line.at) < until),
        (asked.amount, lambda amount: _amount_is(asked, abs(amount))),
        (asked.after, _comes_after),
    )


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


def _comes_after(last: LineKey) -> Condition:
    line = PayoutLineRecord
    return and_(
        col(line.entry) <= literal(last.entry),
        or_(
            col(line.entry) < last.entry,
            col(line.seat) > last.seat,
            and_(col(line.seat) == last.seat, col(line.wager) > last.wager),
        ),
    )
