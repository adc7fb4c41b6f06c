"""Current state beside the record: tables, gaps, rounds, payouts and alerts.

All of it follows from the entries; after this change the store folds the entries again.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, empty."""
    _tables_and_gaps()
    _rounds()
    _payouts()
    _alerts()


def _moment() -> sa.types.TypeEngine[Any]:
    return sa.TIMESTAMP(timezone=True).with_variant(sa.String(27), "sqlite")


def _text(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String(), nullable=nullable) for name in names]


def _whole(*names: str, nullable: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger(), nullable=nullable) for name in names]


def _key(name: str, kind: type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind(), primary_key=True, autoincrement=False)


def _tables_and_gaps() -> None:
    op.create_table(
        "table_state",
        _key("table", sa.String),
        *_text("game", "source", "layout", "house", "model", "software"),
        sa.Column("watching", sa.Boolean(), nullable=False),
        sa.Column("seen", sa.Boolean(), nullable=False),
        sa.Column("started", _moment(), nullable=False),
        sa.Column("stopped", _moment()),
        *_whole("entry"),
    )
    op.create_table(
        "gap",
        _key("entry", sa.BigInteger),
        *_text("table"),
        sa.Column("started", _moment(), nullable=False),
        sa.Column("ended", _moment()),
        *_text("reason"),
    )
    op.create_index("ix_gap_table", "gap", ["table"])


def _rounds() -> None:
    op.create_table(
        "round",
        _key("round", sa.String),
        *_text("table", "game", "outcome"),
        *_whole("findings"),
        sa.Column("started", _moment()),
        sa.Column("recorded", _moment(), nullable=False),
        sa.Column("corrected", sa.Boolean(), nullable=False),
        *_whole("entry"),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
    )
    op.create_index("round_table_entry", "round", ["table", "entry"])


def _payouts() -> None:
    op.create_table(
        "payout_line",
        _key("round", sa.String),
        _key("seat", sa.Integer),
        _key("wager", sa.String),
        *_text("table"),
        sa.Column("at", _moment(), nullable=False),
        *_whole("staked", "due", "paid", "difference", nullable=True),
        *_text("settlement"),
        *_whole("entry"),
    )
    op.create_index("ix_payout_line_table", "payout_line", ["table"])
    op.create_table(
        "feed_line",
        _key("entry", sa.BigInteger),
        *_text("table"),
        sa.Column("at", _moment(), nullable=False),
        *_text("act"),
        *_whole("seat"),
        *_text("wager"),
        *_whole("amount"),
        *_text("source"),
        *_text("client_id", "round", "user", nullable=True),
        *_whole("corrects", nullable=True),
        sa.UniqueConstraint("table", "client_id", name="feed_line_client_id"),
    )


def _alerts() -> None:
    op.create_table(
        "alert",
        _key("number", sa.Integer),
        *_text("key", "table"),
        *_text("round", nullable=True),
        *_text("code"),
        *_whole("seat", "trick", nullable=True),
        *_text("subject", "rule", "severity", "text"),
        *_text("proved_by", nullable=True),
        *_text("state"),
        sa.Column("opened", _moment(), nullable=False),
        sa.Column("last_seen", _moment(), nullable=False),
        *_whole("sightings"),
        sa.Column("media_at", sa.Double()),
        *_whole("frame", nullable=True),
        *_whole("entry"),
        *_text("acknowledged_by", nullable=True),
        sa.Column("acknowledged", _moment()),
        *_text("changed_by", nullable=True),
        sa.Column("changed", _moment()),
        *_text("assignee", nullable=True),
        *_whole("comments"),
        sa.UniqueConstraint("key", name="alert_key"),
    )
    for name in ("table", "round", "state"):
        op.create_index(f"ix_alert_{name}", "alert", [name])
    op.create_table(
        "alert_act",
        _key("entry", sa.BigInteger),
        *_whole("alert"),
        sa.Column("at", _moment(), nullable=False),
        *_text("user", "act", "detail", "note"),
    )
    op.create_index("ix_alert_act_alert", "alert_act", ["alert"])
