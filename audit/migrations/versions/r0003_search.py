"""What rounds and payouts are searched by, and entries by their time."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table and the indexes."""
    moment = sa.TIMESTAMP(timezone=True).with_variant(sa.String(27), "sqlite")
    op.create_table(
        "round_facts",
        sa.Column("round", sa.String(), primary_key=True, autoincrement=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("at", moment, nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("seats", sa.BigInteger(), nullable=False),
        sa.Column("cards", sa.BigInteger(), nullable=False),
        sa.Column("findings", sa.String(), nullable=False),
        sa.Column("amounts", sa.String(), nullable=False),
    )
    op.create_index("round_facts_entry", "round_facts", ["entry"])
    op.create_index("round_facts_table_entry", "round_facts", ["table", "entry"])
    op.create_index("round_facts_at", "round_facts", ["at"])
    op.create_index("round_entry", "round", ["entry"])
    op.create_index("payout_line_entry", "payout_line", ["entry", "seat", "wager"])
    op.create_index("payout_line_table_entry", "payout_line", ["table", "entry", "seat", "wager"])
    # Few lines differ from what was due, and those are what people look for.
    for name, first in (("payout_line_off", []), ("payout_line_off_table", ["table"])):
        differs = sa.text("difference <> 0")
        op.create_index(
            name,
            "payout_line",
            [*first, "entry", "seat", "wager"],
            sqlite_where=differs,
            postgresql_where=differs,
        )
    for name in ("staked", "paid", "difference"):
        op.create_index(f"payout_line_{name}", "payout_line", [name, "entry"])
    op.create_index("entry_chain_at", "entry", ["chain", "at"])
