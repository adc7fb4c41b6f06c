"""Footage: segments, times without any, clips and legal holds.

All of it follows from the entries; after this change the store folds the entries again, so that
hands that were flagged before get a clip each, of which nothing was recorded.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, empty."""
    _segments()
    _clips()
    op.create_table(
        "hold",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        *_text("table"),
        *_moments("since", "until"),
        *_text("round", nullable=True),
        *_text("reason", "placed_by"),
        *_moments("placed"),
        *_text("release_by", nullable=True),
        *_moments("release_asked", nullable=True),
        *_text("released_by", nullable=True),
        *_moments("released", nullable=True),
        *_whole("entry"),
    )


def _segments() -> None:
    op.create_table(
        "segment",
        sa.Column("entry", sa.BigInteger(), primary_key=True, autoincrement=False),
        *_text("table", "name"),
        *_moments("started", "ended"),
        *_whole("frames", "size"),
        *_text("sha256", "codec"),
        *_whole("width", "height"),
        *_text("making"),
        sa.Column("adopted", sa.Boolean(), nullable=False),
        *_moments("closed"),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        *_whole("deleted", nullable=True),
    )
    op.create_index("segment_table_started", "segment", ["table", "started"])
    op.create_index("segment_kept", "segment", ["deleted", "flagged", "started"])
    op.create_table(
        "recording_gap",
        sa.Column("name", sa.String(), primary_key=True, autoincrement=False),
        *_text("table"),
        *_moments("started"),
        *_moments("ended", nullable=True),
        *_text("reason"),
        *_whole("entry"),
    )
    op.create_index("ix_recording_gap_table", "recording_gap", ["table"])


def _clips() -> None:
    op.create_table(
        "clip",
        sa.Column("name", sa.String(), primary_key=True, autoincrement=False),
        *_text("table"),
        *_text("round", nullable=True),
        *_moments("asked"),
        *_text("asked_by", "state"),
        *_moments("since", "until", nullable=True),
        *_text("file", "sha256", nullable=True),
        *_whole("size", nullable=True),
        sa.Column("segments", sa.JSON(), nullable=False),
        sa.Column("holes", sa.JSON(), nullable=False),
        *_whole("entry"),
        *_whole("deleted", nullable=True),
    )
    op.create_index("clip_table_state", "clip", ["table", "state"])


def _moments(*names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    kind = sa.TIMESTAMP(timezone=True).with_variant(sa.String(27), "sqlite")
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def _text(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String(), nullable=nullable) for name in names]


def _whole(*names: str, nullable: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger(), nullable=nullable) for name in names]
