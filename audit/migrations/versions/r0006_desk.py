"""What people do at their desks: alerts, cases, approvals, the log, dealers, and who is told.

Everything but the two `webhook_` tables follows from the entries; after this change the store folds
the entries again.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, empty, and widen those of alerts and payouts."""
    _alerts()
    _payouts()
    _outbox()
    _cases()
    _log_and_approvals()


def _moment() -> sa.types.TypeEngine[Any]:
    return sa.TIMESTAMP(timezone=True).with_variant(sa.String(27), "sqlite")


def _moments(*names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, _moment(), nullable=nullable) for name in names]


def _text(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String(), nullable=nullable) for name in names]


def _whole(*names: str, nullable: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger(), nullable=nullable) for name in names]


def _key(name: str, kind: type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind(), primary_key=True, autoincrement=False)


def _add(table: str, *columns: sa.Column[Any]) -> None:
    for column in columns:
        op.add_column(table, column)


def _alerts() -> None:
    _add("alert", *_text("tone", "policy", "escalate_to", nullable=True))
    _add("alert", *_moments("escalate_at", "escalated", "muted_until", "voided", nullable=True))
    _add("alert", *_text("escalated_to", "muted_by", "voided_by", nullable=True))
    op.create_index("alert_escalate_at", "alert", ["escalate_at"])


def _payouts() -> None:
    _add("payout_line", *_text("source", "reported_by", nullable=True))
    _add("payout_line", *_whole("report", nullable=True))
    _add("payout_line", *_text("confirmed_by", nullable=True))
    _add("payout_line", *_moments("confirmed", nullable=True))
    _add("feed_line", *_whole("corrected_by", nullable=True))
    op.create_index("feed_line_round", "feed_line", ["round"])
    op.create_table(
        "spot_report",
        _key("table", sa.String),
        _key("seat", sa.Integer),
        _key("wager", sa.String),
        *_whole("entry", "amount"),
        *_text("source"),
        *_text("user", "round", nullable=True),
    )
    op.create_table(
        "stint",
        _key("entry", sa.BigInteger),
        *_text("table", "dealer"),
        *_moments("started"),
        *_moments("ended", nullable=True),
        *_text("source"),
        *_text("user", "client_id", nullable=True),
        sa.UniqueConstraint("table", "client_id", name="stint_client_id"),
    )
    op.create_index("stint_table_started", "stint", ["table", "started"])


def _outbox() -> None:
    op.create_table(
        "outbox",
        _key("entry", sa.BigInteger),
        *_text("event", "type"),
        *_moments("at"),
        *_text("table", "severity", nullable=True),
        *_text("subject"),
    )
    op.create_table(
        "webhook_place",
        _key("subscription", sa.String),
        *_whole("after"),
    )
    op.create_table(
        "webhook_delivery",
        _key("subscription", sa.String),
        _key("entry", sa.BigInteger),
        *_text("event"),
        *_whole("attempts"),
        *_moments("due", nullable=True),
        *_moments("done", nullable=True),
        *_text("problem"),
    )
    op.create_index("webhook_delivery_due", "webhook_delivery", ["due"])


def _cases() -> None:
    op.create_table(
        "case_file",
        _key("number", sa.Integer),
        *_text("kind", "topic", "title", "state"),
        *_text("table", nullable=True),
        *_moments("occurred", nullable=True),
        *_text("patron"),
        *_moments("opened"),
        *_text("opened_by"),
        *_text("assignee", "outcome", nullable=True),
        *_moments("closed", nullable=True),
        *_text("closed_by", nullable=True),
        *_moments("changed"),
        *_whole("notes", "links", "entry"),
    )
    op.create_index("ix_case_file_state", "case_file", ["state"])
    op.create_table(
        "case_act",
        _key("entry", sa.BigInteger),
        *_whole("case"),
        *_moments("at"),
        *_text("user", "act", "detail", "note"),
    )
    op.create_index("ix_case_act_case", "case_act", ["case"])
    op.create_table(
        "case_link",
        _key("case", sa.Integer),
        _key("kind", sa.String),
        _key("ref", sa.String),
        *_whole("entry"),
        *_moments("at"),
        *_text("user"),
    )
    op.create_index("case_link_ref", "case_link", ["kind", "ref"])


def _log_and_approvals() -> None:
    op.create_table(
        "log_line",
        _key("number", sa.Integer),
        *_moments("at"),
        *_text("user"),
        *_moments("occurred"),
        *_text("employee", "summary", "location", "recording", "disposition"),
        *_whole("alert", "case", "corrects", "corrected_by", nullable=True),
        *_whole("entry"),
    )
    op.create_table(
        "approval",
        _key("number", sa.Integer),
        *_text("act", "subject", "reason"),
        sa.Column("detail", sa.JSON(), nullable=False),
        *_text("state"),
        *_moments("asked"),
        *_text("asked_by"),
        *_moments("decided", nullable=True),
        *_text("decided_by", nullable=True),
        *_text("note"),
        *_whole("entry"),
    )
    op.create_index("ix_approval_state", "approval", ["state"])
