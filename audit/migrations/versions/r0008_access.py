"""Accounts, keys of machines, the access log; and sessions, which are no part of the record.

`account`, `machine_key` and `access_line` follow from the entries; after this change the store
folds the entries again.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, empty."""
    _projections()
    _runtime()


def _moments(*names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    kind = sa.TIMESTAMP(timezone=True).with_variant(sa.String(27), "sqlite")
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def _text(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String(), nullable=nullable) for name in names]


def _key(name: str, kind: type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind(), primary_key=True, autoincrement=False)


def _entry() -> sa.Column[int]:
    return sa.Column("entry", sa.BigInteger(), nullable=False)


def _projections() -> None:
    op.create_table(
        "account",
        _key("name", sa.String),
        *_text("roles"),
        *_text("table", nullable=True),
        *_text("display"),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        *_text("secret", nullable=True),
        *_moments("added", "changed"),
        *_moments("last_login", nullable=True),
        _entry(),
    )
    op.create_table(
        "machine_key",
        _key("key", sa.String),
        *_text("name", "scopes", "digest"),
        *_moments("made"),
        *_text("made_by"),
        *_moments("revoked", nullable=True),
        _entry(),
    )
    op.create_table(
        "access_line",
        _key("entry", sa.BigInteger),
        *_moments("at"),
        *_text("user", "act", "subject", "detail", "address"),
    )
    op.create_index("access_line_user", "access_line", ["user", "entry"])
    op.create_index("ix_access_line_act", "access_line", ["act"])


def _runtime() -> None:
    op.create_table("credential", _key("name", sa.String), *_text("hash"))
    op.create_table(
        "web_session",
        _key("digest", sa.String),
        *_text("label", "user", "roles"),
        *_text("table", nullable=True),
        *_text("how", "address"),
        *_moments("opened", "used", "ends"),
    )
    op.create_index("ix_web_session_user", "web_session", ["user"])
    op.create_table(
        "one_time_link",
        _key("digest", sa.String),
        *_text("purpose", "account"),
        *_text("table", nullable=True),
        *_moments("ends"),
    )
    op.create_table("key_use", _key("key", sa.String), *_moments("used"), *_text("address"))
