"""Runs of watchers: how much of what each did is recorded, so that nothing is recorded twice."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "watch_run",
        sa.Column("run", sa.String(), primary_key=True),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
    )
