"""The tables of what people do at their desks, and of what others are told.

They never leave `audit.store` and `audit.verify`; see `audit.records`.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from audit.approvals import Approval, ApprovalState, SensitiveAct
from audit.cases import (
    CaseAct,
    CaseFile,
    CaseKind,
    CaseLink,
    CaseOutcome,
    CaseState,
    CaseTopic,
    LinkKind,
)
from audit.columns import entry_column, moment_column, whole_column
from audit.database import EnumText
from audit.logbook import LogLine
from audit.outbox import OutboxEvent
from audit.payouts import FeedSource, SpotReport
from audit.stints import Stint
from rules.findings import Severity


class StintRecord(SQLModel, table=True):
    """See `Stint`."""

    __tablename__ = "stint"
    __table_args__ = (
        UniqueConstraint("table", "client_id", name="stint_client_id"),
        Index("stint_table_started", "table", "started"),
    )

    entry: int = Field(sa_column=entry_column(primary_key=True))
    table: str
    dealer: str
    started: datetime = Field(sa_column=moment_column())
    ended: datetime | None = Field(sa_column=moment_column(nullable=True))
    source: FeedSource = Field(sa_column=Column(EnumText(FeedSource), nullable=False))
    user: str | None
    client_id: str | None


class SpotReportRecord(SQLModel, table=True):
    """See `SpotReport`."""

    __tablename__ = "spot_report"

    table: str = Field(primary_key=True)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    wager: str = Field(primary_key=True)
    entry: int = Field(sa_column=entry_column())
    amount: int = Field(sa_column=whole_column())
    source: FeedSource = Field(sa_column=Column(EnumText(FeedSource), nullable=False))
    user: str | None
    round: str | None


class OutboxRecord(SQLModel, table=True):
    """See `OutboxEvent`."""

    __tablename__ = "outbox"

    entry: int = Field(sa_column=entry_column(primary_key=True))
    event: str
    type: str
    at: datetime = Field(sa_column=moment_column())
    table: str | None
    severity: Severity | None = Field(sa_column=Column(EnumText(Severity), nullable=True))
    subject: str


class WebhookPlaceRecord(SQLModel, table=True):
    """How far a subscription has come in the outbox. Work in hand, no part of the record."""

    __tablename__ = "webhook_place"

    subscription: str = Field(primary_key=True)
    after: int = Field(sa_column=whole_column())
    """The last entry that was looked at for it."""


class WebhookDeliveryRecord(SQLModel, table=True):
    """One event on its way to one subscription. Work in hand, no part of the record."""

    __tablename__ = "webhook_delivery"
    __table_args__ = (Index("webhook_delivery_due", "due"),)

    subscription: str = Field(primary_key=True)
    entry: int = Field(sa_column=entry_column(primary_key=True))
    event: str
    attempts: int = Field(sa_column=whole_column())
    due: datetime | None = Field(sa_column=moment_column(nullable=True))
    """When to try next; None when it arrived or was given up."""
    done: datetime | None = Field(sa_column=moment_column(nullable=True))
    problem: str
    """What was wrong at the last try; empty when nothing was."""


class CaseFileRecord(SQLModel, table=True):
    """See `CaseFile`."""

    __tablename__ = "case_file"

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: CaseKind = Field(sa_column=Column(EnumText(CaseKind), nullable=False))
    topic: CaseTopic = Field(sa_column=Column(EnumText(CaseTopic), nullable=False))
    title: str
    state: CaseState = Field(sa_column=Column(EnumText(CaseState), nullable=False, index=True))
    table: str | None
    occurred: datetime | None = Field(sa_column=moment_column(nullable=True))
    patron: str
    opened: datetime = Field(sa_column=moment_column())
    opened_by: str
    assignee: str | None
    outcome: CaseOutcome | None = Field(sa_column=Column(EnumText(CaseOutcome), nullable=True))
    closed: datetime | None = Field(sa_column=moment_column(nullable=True))
    closed_by: str | None
    changed: datetime = Field(sa_column=moment_column())
    notes: int = Field(sa_column=whole_column())
    links: int = Field(sa_column=whole_column())
    entry: int = Field(sa_column=entry_column())


class CaseActRecord(SQLModel, table=True):
    """See `CaseAct`."""

    __tablename__ = "case_act"

    entry: int = Field(sa_column=entry_column(primary_key=True))
    case: int = Field(index=True)
    at: datetime = Field(sa_column=moment_column())
    user: str
    act: str
    detail: str
    note: str


class CaseLinkRecord(SQLModel, table=True):
    """See `CaseLink`."""

    __tablename__ = "case_link"
    __table_args__ = (Index("case_link_ref", "kind", "ref"),)

    case: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: LinkKind = Field(sa_column=Column(EnumText(LinkKind), primary_key=True))
    ref: str = Field(primary_key=True)
    entry: int = Field(sa_column=entry_column())
    at: datetime = Field(sa_column=moment_column())
    user: str


class LogLineRecord(SQLModel, table=True):
    """See `LogLine`."""

    __tablename__ = "log_line"

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = Field(sa_column=moment_column())
    user: str
    occurred: datetime = Field(sa_column=moment_column())
    employee: str
    summary: str
    location: str
    recording: str
    disposition: str
    alert: int | None
    case: int | None
    corrects: int | None
    corrected_by: int | None
    entry: int = Field(sa_column=entry_column())


class ApprovalRecord(SQLModel, table=True):
    """See `Approval`."""

    __tablename__ = "approval"

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    act: SensitiveAct = Field(sa_column=Column(EnumText(SensitiveAct), nullable=False))
    subject: str
    reason: str
    detail: dict[str, Any] = Field(sa_column=Column(JSON(), nullable=False))
    state: ApprovalState = Field(
        sa_column=Column(EnumText(ApprovalState), nullable=False, index=True)
    )
    asked: datetime = Field(sa_column=moment_column())
    asked_by: str
    decided: datetime | None = Field(sa_column=moment_column(nullable=True))
    decided_by: str | None
    note: str
    entry: int = Field(sa_column=entry_column())


DESK_RECORD_OF: dict[type[object], type[SQLModel]] = {
    SpotReport: SpotReportRecord,
    Stint: StintRecord,
    OutboxEvent: OutboxRecord,
    CaseFile: CaseFileRecord,
    CaseAct: CaseActRecord,
    CaseLink: CaseLinkRecord,
    LogLine: LogLineRecord,
    Approval: ApprovalRecord,
}
"""The table that keeps each projection of this kind."""
