"""The tables of the record. They never leave `audit.store` and `audit.verify`.

Their columns carry the same names as the fields of the frozen values that callers get: `Entry`,
`Checkpoint` and the rows of `audit.projections`.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, Integer, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from audit.alerts import Alert, AlertAct, AlertState
from audit.auth.accounts import AccessLine, Account, MachineKey
from audit.auth.records import AccessLineRecord, AccountRecord, MachineKeyRecord
from audit.columns import entry_column as _entry
from audit.columns import moment_column as _at
from audit.database import EnumText
from audit.desk_records import DESK_RECORD_OF
from audit.evidence.records import FOOTAGE_RECORDS
from audit.facts import RoundFacts
from audit.issued import IssuedReport
from audit.payouts import FeedAct, FeedLine, FeedSource, PayoutLine, Settlement
from audit.rounds import RecordedRound
from audit.tables import Gap, TableState, WatchRun
from rules.findings import Severity

_DIFFERS = text("difference <> 0")
"""The condition of indexes that hold only the lines on which more or less was paid than was due."""


class EntryRecord(SQLModel, table=True):
    """One entry. Triggers refuse to change or delete it."""

    __tablename__ = "entry"
    __table_args__ = (
        UniqueConstraint("chain", "number", name="entry_chain_number"),
        Index("entry_chain_id", "chain", "id"),
        Index("entry_kind_id", "kind", "id"),
        Index("entry_chain_at", "chain", "at"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(
        default=None,
        sa_column=Column(
            BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True
        ),
    )
    chain: str
    number: int = Field(sa_column=Column(BigInteger(), nullable=False))
    at: datetime = Field(sa_column=_at())
    kind: str
    body: str = Field(sa_column=Column(Text(), nullable=False))
    """Canonical JSON, byte for byte what was hashed."""
    previous: str
    hash: str


class CheckpointRecord(SQLModel, table=True):
    """One signed checkpoint. Triggers refuse to change or delete it."""

    __tablename__ = "checkpoint"

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    last_id: int = Field(sa_column=_entry())
    """The id of the last entry that it covers."""
    frontier: str = Field(sa_column=Column(Text(), nullable=False))
    """The roots of the perfect subtrees of its Merkle tree, from where the next one goes on."""
    line: str = Field(sa_column=Column(Text(), nullable=False))
    """The checkpoint as it stands in the file."""


class TableStateRecord(SQLModel, table=True):
    """See `TableState`."""

    __tablename__ = "table_state"

    table: str = Field(primary_key=True)
    game: str
    source: str
    layout: str
    house: str
    model: str
    software: str
    watching: bool
    seen: bool
    late_s: int
    left_out: int
    started: datetime = Field(sa_column=_at())
    stopped: datetime | None = Field(sa_column=_at(nullable=True))
    entry: int = Field(sa_column=_entry())


class GapRecord(SQLModel, table=True):
    """See `Gap`."""

    __tablename__ = "gap"

    entry: int = Field(sa_column=_entry(primary_key=True))
    table: str = Field(index=True)
    started: datetime = Field(sa_column=_at())
    ended: datetime | None = Field(sa_column=_at(nullable=True))
    reason: str


class RoundRecordRow(SQLModel, table=True):
    """See `RecordedRound`."""

    __tablename__ = "round"
    __table_args__ = (
        Index("round_table_entry", "table", "entry"),
        Index("round_entry", "entry"),
    )

    round: str = Field(primary_key=True)
    table: str
    game: str
    outcome: str
    findings: int
    started: datetime | None = Field(sa_column=_at(nullable=True))
    recorded: datetime = Field(sa_column=_at())
    corrected: bool
    entry: int = Field(sa_column=_entry())
    record: dict[str, Any] = Field(sa_column=Column(JSON(), nullable=False))
    result: dict[str, Any] = Field(sa_column=Column(JSON(), nullable=False))


class RoundFactsRecord(SQLModel, table=True):
    """See `RoundFacts`."""

    __tablename__ = "round_facts"
    __table_args__ = (
        Index("round_facts_entry", "entry"),
        Index("round_facts_table_entry", "table", "entry"),
        Index("round_facts_at", "at"),
    )

    round: str = Field(primary_key=True)
    entry: int = Field(sa_column=_entry())
    table: str
    at: datetime = Field(sa_column=_at())
    outcome: str
    seats: int = Field(sa_column=Column(BigInteger(), nullable=False))
    cards: int = Field(sa_column=Column(BigInteger(), nullable=False))
    findings: str
    amounts: str


class PayoutLineRecord(SQLModel, table=True):
    """See `PayoutLine`."""

    __tablename__ = "payout_line"
    __table_args__ = (
        Index("payout_line_entry", "entry", "seat", "wager"),
        Index("payout_line_table_entry", "table", "entry", "seat", "wager"),
        Index(
            "payout_line_off",
            "entry",
            "seat",
            "wager",
            sqlite_where=_DIFFERS,
            postgresql_where=_DIFFERS,
        ),
        Index(
            "payout_line_off_table",
            "table",
            "entry",
            "seat",
            "wager",
            sqlite_where=_DIFFERS,
            postgresql_where=_DIFFERS,
        ),
        Index("payout_line_staked", "staked", "entry"),
        Index("payout_line_paid", "paid", "entry"),
        Index("payout_line_difference", "difference", "entry"),
    )

    round: str = Field(primary_key=True)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    wager: str = Field(primary_key=True)
    table: str = Field(index=True)
    at: datetime = Field(sa_column=_at())
    staked: int | None = Field(sa_column=Column(BigInteger(), nullable=True))
    due: int | None = Field(sa_column=Column(BigInteger(), nullable=True))
    paid: int | None = Field(sa_column=Column(BigInteger(), nullable=True))
    difference: int | None = Field(sa_column=Column(BigInteger(), nullable=True))
    settlement: Settlement = Field(sa_column=Column(EnumText(Settlement), nullable=False))
    entry: int = Field(sa_column=_entry())
    source: FeedSource | None = Field(sa_column=Column(EnumText(FeedSource), nullable=True))
    reported_by: str | None
    report: int | None = Field(sa_column=Column(BigInteger(), nullable=True))
    confirmed_by: str | None
    confirmed: datetime | None = Field(sa_column=_at(nullable=True))


class FeedLineRecord(SQLModel, table=True):
    """See `FeedLine`."""

    __tablename__ = "feed_line"
    __table_args__ = (
        UniqueConstraint("table", "client_id", name="feed_line_client_id"),
        Index("feed_line_round", "round"),
    )

    entry: int = Field(sa_column=_entry(primary_key=True))
    table: str
    at: datetime = Field(sa_column=_at())
    act: FeedAct = Field(sa_column=Column(EnumText(FeedAct), nullable=False))
    seat: int
    wager: str
    amount: int = Field(sa_column=Column(BigInteger(), nullable=False))
    source: FeedSource = Field(sa_column=Column(EnumText(FeedSource), nullable=False))
    client_id: str | None
    round: str | None
    user: str | None
    corrects: int | None = Field(sa_column=Column(BigInteger(), nullable=True))
    corrected_by: int | None = Field(sa_column=Column(BigInteger(), nullable=True))


class AlertRecord(SQLModel, table=True):
    """See `Alert`."""

    __tablename__ = "alert"
    __table_args__ = (
        UniqueConstraint("key", name="alert_key"),
        Index("alert_escalate_at", "escalate_at"),
    )

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    key: str
    table: str = Field(index=True)
    round: str | None = Field(index=True)
    code: str
    seat: int | None
    trick: int | None
    subject: str
    rule: str
    severity: Severity = Field(sa_column=Column(EnumText(Severity), nullable=False))
    text: str
    proved_by: str | None
    state: AlertState = Field(sa_column=Column(EnumText(AlertState), nullable=False, index=True))
    opened: datetime = Field(sa_column=_at())
    last_seen: datetime = Field(sa_column=_at())
    sightings: int
    media_at: float | None
    frame: int | None
    entry: int = Field(sa_column=_entry())
    acknowledged_by: str | None
    acknowledged: datetime | None = Field(sa_column=_at(nullable=True))
    changed_by: str | None
    changed: datetime | None = Field(sa_column=_at(nullable=True))
    assignee: str | None
    comments: int
    tone: str | None
    policy: str | None
    escalate_at: datetime | None = Field(sa_column=_at(nullable=True))
    escalate_to: str | None
    escalated: datetime | None = Field(sa_column=_at(nullable=True))
    escalated_to: str | None
    muted_until: datetime | None = Field(sa_column=_at(nullable=True))
    muted_by: str | None
    voided: datetime | None = Field(sa_column=_at(nullable=True))
    voided_by: str | None


class AlertActRecord(SQLModel, table=True):
    """See `AlertAct`."""

    __tablename__ = "alert_act"

    entry: int = Field(sa_column=_entry(primary_key=True))
    alert: int = Field(index=True)
    at: datetime = Field(sa_column=_at())
    user: str
    act: str
    detail: str
    note: str


class IssuedReportRecord(SQLModel, table=True):
    """See `IssuedReport`."""

    __tablename__ = "issued_report"

    entry: int = Field(sa_column=_entry(primary_key=True))
    at: datetime = Field(sa_column=_at())
    report: str
    kind: str
    format: str
    file: str
    sha256: str = Field(index=True)
    size: int = Field(sa_column=Column(BigInteger(), nullable=False))
    content: str
    rows: int = Field(sa_column=Column(BigInteger(), nullable=False))
    span: str
    since: datetime = Field(sa_column=_at())
    until: datetime = Field(sa_column=_at())
    tables: str
    language: str
    checkpoint: int = Field(sa_column=Column(BigInteger(), nullable=False))
    user: str
    schedule: str | None


class WatchRunRecord(SQLModel, table=True):
    """See `WatchRun`."""

    __tablename__ = "watch_run"

    run: str = Field(primary_key=True)
    table: str
    number: int = Field(sa_column=Column(BigInteger(), nullable=False))
    entry: int = Field(sa_column=_entry())


RECORD_OF: dict[type[object], type[SQLModel]] = {
    TableState: TableStateRecord,
    WatchRun: WatchRunRecord,
    Gap: GapRecord,
    RecordedRound: RoundRecordRow,
    RoundFacts: RoundFactsRecord,
    PayoutLine: PayoutLineRecord,
    FeedLine: FeedLineRecord,
    Alert: AlertRecord,
    AlertAct: AlertActRecord,
    IssuedReport: IssuedReportRecord,
    **DESK_RECORD_OF,
    **FOOTAGE_RECORDS,
    Account: AccountRecord,
    MachineKey: MachineKeyRecord,
    AccessLine: AccessLineRecord,
}
"""The table that keeps each projection."""
