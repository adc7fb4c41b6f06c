"""What a search for rounds asks for, and the conditions and the order that it makes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, UnaryExpression, and_, or_, select
from sqlmodel import col

from audit.desk_records import StintRecord
from audit.facts import card_bits
from audit.records import EntryRecord, RoundFactsRecord
from audit.store.dealing import dealt_at

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
    """Only rounds that come after the one with this `entry`: the next page."""
    down_to: int | None = None
    """Only rounds up to the one with this `entry`, as `last_looked_at` gives it."""
    limit: int = ROWS_A_PAGE

    @property
    def timed(self) -> bool:
        """Whether a time is asked for: rounds then come in the order of their times."""
        return self.since is not None or self.until is not None

    @property
    def is_narrow(self) -> bool:
        """Whether more than a table is asked for, so that few rounds may fit."""
        wishes = (self.seat, self.cards, self.finding, self.flagged, self.outcome, self.dealer)
        return any(wishes) or self.amount is not None


Wish = tuple[object, Callable[[Any], Condition]]
"""What was asked for, if anything, and the condition that it makes."""


def where_all(*wishes: Wish) -> list[Condition]:
    """Return the conditions for all that is asked for."""
    return [make(value) for value, make in wishes if value not in (None, ()) and value is not False]


def rounds_where(asked: RoundSearch) -> list[Condition]:
    """Return the conditions that a search makes."""
    facts = RoundFactsRecord
    cards = card_bits(asked.cards)
    return where_all(
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
        (asked.before, lambda before: _comes_after(asked, before)),
        (asked.down_to, lambda last: _comes_down_to(asked, last)),
    )


def rounds_order(asked: RoundSearch) -> tuple[UnaryExpression[Any], ...]:
    """Return the order of a search: by entry, or by time where times are asked for."""
    facts = RoundFactsRecord
    by_entry = col(facts.entry).desc()
    return (col(facts.at).desc(), by_entry) if asked.timed else (by_entry,)


def _comes_after(asked: RoundSearch, last: int) -> Condition:
    """Return the condition for the rounds that come after one in the order of a search."""
    entry = col(RoundFactsRecord.entry)
    if not asked.timed:
        return entry < last
    at, then = col(RoundFactsRecord.at), moment_of(last)
    return and_(at <= then, or_(at < then, entry < last))


def _comes_down_to(asked: RoundSearch, last: int) -> Condition:
    """Return the condition for one round and all before it in the order of a search."""
    entry = col(RoundFactsRecord.entry)
    if not asked.timed:
        return entry >= last
    at, then = col(RoundFactsRecord.at), moment_of(last)
    return and_(at >= then, or_(at > then, entry >= last))


def moment_of(entry: int) -> ScalarSelect[Any]:
    """Return an entry's own time: it stays where the round is put right between two pages."""
    return select(col(EntryRecord.at)).where(col(EntryRecord.id) == entry).scalar_subquery()


def _dealt_by(dealer: str) -> Condition:
    facts, stint = RoundFactsRecord, StintRecord
    dealt = select(col(stint.entry)).where(
        col(stint.dealer) == dealer, dealt_at(col(facts.table), col(facts.at))
    )
    return dealt.exists()
