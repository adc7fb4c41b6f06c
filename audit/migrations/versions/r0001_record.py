"""The record itself: entries and checkpoints, with the triggers that refuse to change them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_GUARDED = ("entry", "checkpoint")

_REFUSAL = "the record is append-only: nothing in it is changed or deleted"


def upgrade() -> None:
    """Make the tables and their triggers."""
    moment = sa.TIMESTAMP(timezone=True).with_variant(sa.String(27), "sqlite")
    number = sa.BigInteger()
    op.create_table(
        "entry",
        sa.Column("id", number.with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("number", number, nullable=False),
        sa.Column("at", moment, nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.UniqueConstraint("chain", "number", name="entry_chain_number"),
        sqlite_autoincrement=True,
    )
    op.create_index("entry_chain_id", "entry", ["chain", "id"])
    op.create_index("entry_kind_id", "entry", ["kind", "id"])
    op.create_table(
        "checkpoint",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("last_id", number, nullable=False),
        sa.Column("frontier", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
    )
    guard = _guard_sqlite if op.get_bind().dialect.name == "sqlite" else _guard_postgresql
    guard()


def _guard_sqlite() -> None:
    for table in _GUARDED:
        for act in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act} BEFORE {act.upper()} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
            )
    # Without this INSERT OR REPLACE deletes a row unasked, unless triggers are recursive.
    op.execute(
        "CREATE TRIGGER entry_no_replace BEFORE INSERT ON entry WHEN EXISTS (SELECT 1 FROM entry "
        "WHERE id = NEW.id OR (chain = NEW.chain AND number = NEW.number)) "
        "BEGIN SELECT RAISE(ABORT, "
        "'the record is append-only: nothing in it is changed or deleted'); END"
    )


def _guard_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION pitwatch_refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$"
    )
    for table in _GUARDED:
        for act in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act} BEFORE {act.upper()} ON {table} "
                "FOR EACH ROW EXECUTE FUNCTION pitwatch_refuse_change()"
            )
        op.execute(
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION pitwatch_refuse_change()"
        )
