"""Reports that were issued, and the indexes by which reports are drawn for a range of time."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table and the indexes."""
    moment = sa.TIMESTAMP(timezone=True).with_variant(sa.String(27), "sqlite")
    texts = ("report", "kind", "format", "file", "sha256", "content", "span", "tables", "language")
    op.create_table(
        "issued_report",
        sa.Column("entry", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("at", moment, nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in texts),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("since", moment, nullable=False),
        sa.Column("until", moment, nullable=False),
        sa.Column("checkpoint", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("schedule", sa.String(), nullable=True),
    )
    op.create_index("ix_issued_report_sha256", "issued_report", ["sha256"])
    # Every column that the sums need: a month of rounds is counted without reading one of them.
    op.create_index(
        "round_recorded", "round", ["recorded", "table", "game", "outcome", "findings", "corrected"]
    )
    op.create_index("payout_line_at", "payout_line", ["at", "entry"])
    op.create_index("alert_opened", "alert", ["opened"])
