"""The tables of footage. They never leave `audit.store` and `audit.verify`."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field, SQLModel

from audit.columns import entry_column, moment_column, whole_column
from audit.database import EnumText
from audit.evidence.footage import Clip, ClipState, Making, RecordingGap, Segment
from audit.evidence.holds import Hold


class SegmentRecord(SQLModel, table=True):
    """See `Segment`."""

    __tablename__ = "segment"
    __table_args__ = (
        Index("segment_table_started", "table", "started"),
        Index("segment_kept", "deleted", "flagged", "started"),
    )

    entry: int = Field(sa_column=entry_column(primary_key=True))
    table: str
    name: str
    started: datetime = Field(sa_column=moment_column())
    ended: datetime = Field(sa_column=moment_column())
    frames: int
    size: int = Field(sa_column=whole_column())
    sha256: str
    codec: str
    width: int
    height: int
    making: Making = Field(sa_column=Column(EnumText(Making), nullable=False))
    adopted: bool
    closed: datetime = Field(sa_column=moment_column())
    flagged: bool
    deleted: int | None = Field(sa_column=whole_column(nullable=True))


class RecordingGapRecord(SQLModel, table=True):
    """See `RecordingGap`."""

    __tablename__ = "recording_gap"

    name: str = Field(primary_key=True)
    table: str = Field(index=True)
    started: datetime = Field(sa_column=moment_column())
    ended: datetime | None = Field(sa_column=moment_column(nullable=True))
    reason: str
    entry: int = Field(sa_column=entry_column())


class ClipRecord(SQLModel, table=True):
    """See `Clip`."""

    __tablename__ = "clip"
    __table_args__ = (Index("clip_table_state", "table", "state"),)

    name: str = Field(primary_key=True)
    table: str
    round: str | None
    asked: datetime = Field(sa_column=moment_column())
    asked_by: str
    state: ClipState = Field(sa_column=Column(EnumText(ClipState), nullable=False))
    since: datetime | None = Field(sa_column=moment_column(nullable=True))
    until: datetime | None = Field(sa_column=moment_column(nullable=True))
    file: str | None
    sha256: str | None
    size: int | None = Field(sa_column=whole_column(nullable=True))
    segments: list[dict[str, Any]] = Field(sa_column=Column(JSON(), nullable=False))
    holes: list[dict[str, Any]] = Field(sa_column=Column(JSON(), nullable=False))
    entry: int = Field(sa_column=entry_column())
    deleted: int | None = Field(sa_column=whole_column(nullable=True))


class HoldRecord(SQLModel, table=True):
    """See `Hold`."""

    __tablename__ = "hold"

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    table: str
    since: datetime = Field(sa_column=moment_column())
    until: datetime = Field(sa_column=moment_column())
    round: str | None
    reason: str
    placed_by: str
    placed: datetime = Field(sa_column=moment_column())
    release_by: str | None
    release_asked: datetime | None = Field(sa_column=moment_column(nullable=True))
    released_by: str | None
    released: datetime | None = Field(sa_column=moment_column(nullable=True))
    entry: int = Field(sa_column=entry_column())


FOOTAGE_RECORDS: dict[type[object], type[SQLModel]] = {
    Segment: SegmentRecord,
    RecordingGap: RecordingGapRecord,
    Clip: ClipRecord,
    Hold: HoldRecord,
}
"""The table that keeps each projection of footage."""
