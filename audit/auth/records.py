"""The tables of accounts, keys and the access log; and those of sessions, which are no record.

They never leave `audit.store`. What is kept below `RUNTIME` is not derived from entries: it holds
secrets, or what is forgotten when it ends.
"""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from audit.columns import entry_column, moment_column


class AccountRecord(SQLModel, table=True):
    """See `Account`."""

    __tablename__ = "account"

    name: str = Field(primary_key=True)
    roles: str
    table: str | None
    display: str
    enabled: bool
    secret: str | None
    added: datetime = Field(sa_column=moment_column())
    changed: datetime = Field(sa_column=moment_column())
    last_login: datetime | None = Field(sa_column=moment_column(nullable=True))
    entry: int = Field(sa_column=entry_column())


class MachineKeyRecord(SQLModel, table=True):
    """See `MachineKey`."""

    __tablename__ = "machine_key"

    key: str = Field(primary_key=True)
    name: str
    scopes: str
    digest: str
    made: datetime = Field(sa_column=moment_column())
    made_by: str
    revoked: datetime | None = Field(sa_column=moment_column(nullable=True))
    entry: int = Field(sa_column=entry_column())


class AccessLineRecord(SQLModel, table=True):
    """See `AccessLine`."""

    __tablename__ = "access_line"
    __table_args__ = (Index("access_line_user", "user", "entry"),)

    entry: int = Field(sa_column=entry_column(primary_key=True))
    at: datetime = Field(sa_column=moment_column())
    user: str
    act: str = Field(index=True)
    subject: str
    detail: str
    address: str


class CredentialRecord(SQLModel, table=True):
    """RUNTIME: an account's password hash."""

    __tablename__ = "credential"

    name: str = Field(primary_key=True)
    hash: str
    """As argon2 writes it, with its salt and cost."""


class WebSessionRecord(SQLModel, table=True):
    """RUNTIME: a session, see `audit.auth.sessions.Session`."""

    __tablename__ = "web_session"

    digest: str = Field(primary_key=True)
    """SHA-256 of the token, which only the browser has."""
    label: str
    user: str = Field(index=True)
    roles: str
    table: str | None
    how: str
    address: str
    opened: datetime = Field(sa_column=moment_column())
    used: datetime = Field(sa_column=moment_column())
    ends: datetime = Field(sa_column=moment_column())


class OneTimeLinkRecord(SQLModel, table=True):
    """RUNTIME: a link that can be used once; using it deletes it."""

    __tablename__ = "one_time_link"

    digest: str = Field(primary_key=True)
    purpose: str
    account: str
    table: str | None
    ends: datetime = Field(sa_column=moment_column())


class KeyUseRecord(SQLModel, table=True):
    """RUNTIME: when a key was used last."""

    __tablename__ = "key_use"

    key: str = Field(primary_key=True)
    used: datetime = Field(sa_column=moment_column())
    address: str
