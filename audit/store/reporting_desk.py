"""What people did, as reports list it: the log, cases, accounts, what was looked at, who dealt."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select
from sqlmodel import col

from audit.auth.records import AccessLineRecord, AccountRecord, MachineKeyRecord
from audit.desk_records import CaseActRecord, CaseFileRecord, LogLineRecord, StintRecord
from audit.records import AlertRecord, PayoutLineRecord, RoundRecordRow
from audit.store.dealing import dealt_at
from audit.store.reporting import Snapshot, Window, alerts_within
from audit.store.reporting_payouts import PayoutSum, payout_columns, payouts_within


@dataclass(frozen=True, slots=True)
class LogRow:
    """A line of the surveillance log."""

    number: int
    occurred: datetime
    at: datetime
    """When it was entered."""
    employee: str
    summary: str
    location: str
    recording: str
    disposition: str
    user: str
    corrects: int | None
    corrected_by: int | None
    entry: int


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A case folder."""

    number: int
    kind: str
    topic: str
    title: str
    state: str
    table: str | None
    occurred: datetime | None
    patron: str
    opened: datetime
    opened_by: str
    assignee: str | None
    outcome: str | None
    closed: datetime | None
    closed_by: str | None
    entry: int


@dataclass(frozen=True, slots=True)
class CaseActRow:
    """One thing that was done in a case folder."""

    at: datetime
    case: int
    user: str
    act: str
    detail: str
    note: str
    entry: int


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account as it stands, and what was done with it in the window."""

    name: str
    display: str
    roles: str
    enabled: bool
    added: datetime
    changed: datetime
    last_login: datetime | None
    acts: int
    """Lines of the access log in the window."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A machine's key as it stands."""

    key: str
    name: str
    scopes: str
    made: datetime
    made_by: str
    revoked: datetime | None


@dataclass(frozen=True, slots=True)
class AccessRow:
    """One line of the access log."""

    at: datetime
    user: str
    act: str
    subject: str
    detail: str
    address: str
    entry: int


@dataclass(frozen=True, slots=True)
class Counted:
    """How often something happened."""

    name: str
    count: int


def log_rows(snapshot: Snapshot, window: Window) -> Iterator[LogRow]:
    """Yield the lines of the log that tell of a window, in order of their entry."""
    row = LogLineRecord
    query = select(*_columns(LogLineRecord, LogRow)).where(
        col(row.occurred) >= window.since, col(row.occurred) < window.until
    )
    for values in snapshot.stream(query.order_by(col(row.number))):
        yield LogRow(*values)


def log_count(snapshot: Snapshot, window: Window) -> int:
    """Return how many lines `log_rows` would yield."""
    row = LogLineRecord
    query = select(func.count(col(row.number))).where(
        col(row.occurred) >= window.since, col(row.occurred) < window.until
    )
    return int(snapshot.connection.execute(query).scalar_one())


def case_rows(snapshot: Snapshot, window: Window, kind: str) -> list[CaseRow]:
    """Return the folders of a kind that were open at any time of a window."""
    row = CaseFileRecord
    where: list[ColumnElement[bool]] = [
        col(row.kind) == kind,
        col(row.opened) < window.until,
        or_(col(row.closed).is_(None), col(row.closed) >= window.since),
    ]
    if window.tables:
        where.append(col(row.table).in_(window.tables))
    query = select(*_columns(CaseFileRecord, CaseRow)).where(*where).order_by(col(row.number))
    return [CaseRow(*values) for values in snapshot.connection.execute(query)]


def case_acts(snapshot: Snapshot, window: Window, cases: tuple[int, ...]) -> Iterator[CaseActRow]:
    """Yield what was done in some folders before the end of a window, folder by folder."""
    row = CaseActRecord
    query = (
        select(*_columns(CaseActRecord, CaseActRow))
        .where(col(row.case).in_(cases), col(row.at) < window.until)
        .order_by(col(row.case), col(row.entry))
    )
    for values in snapshot.stream(query):
        yield CaseActRow(*values)


def case_act_count(snapshot: Snapshot, window: Window, cases: tuple[int, ...]) -> int:
    """Return how many acts `case_acts` would yield."""
    row = CaseActRecord
    query = select(func.count(col(row.entry))).where(
        col(row.case).in_(cases), col(row.at) < window.until
    )
    return int(snapshot.connection.execute(query).scalar_one())


def account_rows(snapshot: Snapshot, window: Window) -> list[AccountRow]:
    """Return every account, and how much it was used in a window."""
    row = AccountRecord
    used = {counted.name: counted.count for counted in access_counts(snapshot, window, "user")}
    query = select(
        col(row.name),
        col(row.display),
        col(row.roles),
        col(row.enabled),
        col(row.added),
        col(row.changed),
        col(row.last_login),
    ).order_by(col(row.name))
    return [
        AccountRow(*values, acts=used.get(values[0], 0))
        for values in snapshot.connection.execute(query)
    ]


def key_rows(snapshot: Snapshot) -> list[KeyRow]:
    """Return the keys of machines, without what they are."""
    row = MachineKeyRecord
    query = select(*_columns(MachineKeyRecord, KeyRow)).order_by(col(row.name), col(row.key))
    return [KeyRow(*values) for values in snapshot.connection.execute(query)]


def access_counts(snapshot: Snapshot, window: Window, by: str) -> list[Counted]:
    """Return how many lines of the access log there are, by `user` or by `act`."""
    name = col(getattr(AccessLineRecord, by))
    query = select(name, func.count()).where(*_accessed(window)).group_by(name).order_by(name)
    return [Counted(*values) for values in snapshot.connection.execute(query)]


def access_rows(
    snapshot: Snapshot, window: Window, acts: tuple[str, ...] = ()
) -> Iterator[AccessRow]:
    """Yield the access log of a window, in order; only some acts, where these are named."""
    row = AccessLineRecord
    query = select(*_columns(AccessLineRecord, AccessRow)).where(*_accessed(window))
    if acts:
        query = query.where(col(row.act).in_(acts))
    for values in snapshot.stream(query.order_by(col(row.entry))):
        yield AccessRow(*values)


def _accessed(window: Window) -> list[ColumnElement[bool]]:
    row = AccessLineRecord
    return [col(row.at) >= window.since, col(row.at) < window.until]


def payout_sums_by_dealer(snapshot: Snapshot, window: Window) -> list[PayoutSum]:
    """Return payout sums by who dealt; under no name those of the time in which nobody is told."""
    name: Any = func.coalesce(col(StintRecord.dealer), "")
    line = PayoutLineRecord
    query = (
        select(name, *payout_columns())
        .select_from(PayoutLineRecord)
        .outerjoin(StintRecord, dealt_at(col(line.table), col(line.at)))
        .where(*payouts_within(window))
        .group_by(name)
        .order_by(name)
    )
    return [
        PayoutSum(dealer, *(int(value or 0) for value in sums))
        for dealer, *sums in snapshot.connection.execute(query)
    ]


def rounds_by_dealer(snapshot: Snapshot, window: Window) -> dict[str, int]:
    """Return how many rounds each dealer dealt."""
    name: Any = func.coalesce(col(StintRecord.dealer), "")
    row = RoundRecordRow
    where = [col(row.recorded) >= window.since, col(row.recorded) < window.until]
    if window.tables:
        where.append(col(row.table).in_(window.tables))
    query = (
        select(name, func.count())
        .select_from(RoundRecordRow)
        .outerjoin(StintRecord, dealt_at(col(row.table), col(row.recorded)))
        .where(*where)
        .group_by(name)
    )
    return {dealer: int(count) for dealer, count in snapshot.connection.execute(query)}


def findings_by_dealer(snapshot: Snapshot, window: Window, codes: frozenset[str]) -> dict[str, int]:
    """Return how many findings of some kinds there are in what each dealer dealt."""
    name: Any = func.coalesce(col(StintRecord.dealer), "")
    row = AlertRecord
    query = (
        select(name, func.count())
        .select_from(AlertRecord)
        .outerjoin(StintRecord, dealt_at(col(row.table), col(row.opened)))
        .where(*alerts_within(window), col(row.code).in_(codes))
        .group_by(name)
    )
    return {dealer: int(count) for dealer, count in snapshot.connection.execute(query)}


def _columns(record: type[object], row: Any) -> list[Any]:  # noqa: ANN401  # any row's class
    return [col(getattr(record, field.name)) for field in fields(row)]
