"""The database below the record: types, connections, and the errors of SQLite and PostgreSQL."""

import sqlite3
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar

import psycopg
from sqlalchemy import TIMESTAMP, String, create_engine, event
from sqlalchemy.engine import URL, Connection, Dialect, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.types import TypeDecorator, TypeEngine

from audit.chain import utc_moment, utc_text
from audit.errors import StoreAway, StoreError
from audit.turnstile import take_turn

BUSY_TIMEOUT_MS = 30_000
"""How long SQLite waits for another writer before it says `database is locked`."""

WRITING = "pitwatch_writing"
"""The execution option of connections that write: on SQLite they take the write lock at once, since
a transaction that reads first and writes later can be refused in the middle."""

_RETRY_SQLSTATES = frozenset({"40001", "40P01", "55P03", "23505"})
"""Serialization failure, deadlock, lock not available, unique violation: trying again helps."""

_RETRY_SQLITE = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

E = TypeVar("E", bound=StrEnum)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC, to the microsecond. A naive one is refused; SQLite keeps the zone too."""

    impl = String(27)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return a time stamp with zone on PostgreSQL, and text that sorts as time elsewhere."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(TIMESTAMP(timezone=True))
        return dialect.type_descriptor(String(27))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:  # noqa: ANN401  # SQLAlchemy asks for it
        """Return what the database keeps."""
        if value is None:
            return None
        text = utc_text(value)
        return value.astimezone(UTC) if dialect.name == "postgresql" else text

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ANN401, ARG002  # SQLAlchemy asks for it
        """Return the moment that the database keeps."""
        if value is None:
            return None
        moment = value if isinstance(value, datetime) else utc_moment(value)
        return moment.astimezone(UTC)


class EnumText(TypeDecorator[E], Generic[E]):
    """A member of a closed set, kept as its text."""

    impl = String
    cache_ok = True

    def __init__(self, members: type[E]) -> None:
        super().__init__()
        self.members = members

    def process_bind_param(self, value: E | None, dialect: Dialect) -> str | None:  # noqa: ARG002  # SQLAlchemy asks for it
        """Return the text."""
        return None if value is None else self.members(value).value

    def process_result_value(self, value: Any, dialect: Dialect) -> E | None:  # noqa: ANN401, ARG002  # SQLAlchemy asks for it
        """Return the member."""
        return None if value is None else self.members(value)


def parse_url(text: str) -> URL:
    """Return a database address with the driver that this program brings.

    Raises:
        StoreError: The address is not one of SQLite or PostgreSQL.
    """
    try:
        url = make_url(text)
    except ArgumentError:
        raise StoreError(_WRONG_URL.format("what was given")) from None
    match url.get_backend_name():
        case "sqlite":
            return url.set(drivername="sqlite")
        case "postgresql" | "postgres":
            return url.set(drivername="postgresql+psycopg")
        case _:
            raise StoreError(_WRONG_URL.format(url.render_as_string(hide_password=True)))


_WRONG_URL = (
    "not a database address: {} (expected sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME)"
)


def place_of(url: URL) -> str:
    """Return how messages name a database: never with its password."""
    if url.get_backend_name() == "sqlite":
        return url.database or "the database in memory"
    return url.render_as_string(hide_password=True)


_LIVENESS = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""How soon a server that says nothing any more is given up, instead of after the hours that TCP
would wait. Through a socket of this machine the last four do nothing."""


def open_engine(url: URL) -> Engine:
    """Return an engine whose connections are set up for the record.

    Raises:
        StoreError: SQLite without a file was asked for, or its folder cannot be made.
    """
    if url.get_backend_name() != "sqlite":
        # What the address itself asks for, such as a schema of its own, stays.
        asked = url.query.get("options", "")
        options = f"{asked if isinstance(asked, str) else ' '.join(asked)} -c TimeZone=UTC"
        return create_engine(
            url.difference_update_query(["options"]),
            pool_pre_ping=True,
            connect_args={**_LIVENESS, "options": options.strip()},
        )
    if url.database in (None, "", ":memory:"):
        raise StoreError("a record in memory cannot last (expected sqlite:///FILE)")
    if "uri" not in url.query:
        _make_folder(Path(str(url.database)).parent)
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_MS / 1000})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"cannot make the folder {folder}: {error.strerror}; choose another data folder"
        ) from None


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver's own notion of when a transaction begins is too late for BEGIN IMMEDIATE.
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        # Otherwise INSERT OR REPLACE deletes a row without asking the triggers.
        "recursive_triggers = ON",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    if connection.get_execution_options().get(WRITING, False):
        take_turn(connection)
    else:
        connection.exec_driver_sql("BEGIN")


def is_passing(error: DBAPIError) -> bool:
    """Say whether the same transaction may well succeed when it is tried again."""
    cause = error.orig
    if isinstance(cause, psycopg.Error):
        return cause.sqlstate in _RETRY_SQLSTATES
    code = getattr(cause, "sqlite_errorcode", None)
    if code is None:
        return False
    return code & 0xFF in _RETRY_SQLITE or code == sqlite3.SQLITE_CONSTRAINT_UNIQUE


_AWAY_SQLITE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
    }
)
"""What a person or time may put right: a lock, a full or read-only disk, a disk that fails."""

_AWAY_SQLSTATES = ("08", "25006", "40", "53", "55", "57", "58")
"""Connection lost, read-only, too many conflicts, no room or memory, in use, shut down, disk."""


def is_away(error: DBAPIError) -> bool:
    """Say whether the database is away for now, rather than refusing what was asked."""
    cause = error.orig
    if isinstance(cause, psycopg.Error):
        # Without a state the server was not reached, or the connection broke.
        state = cause.sqlstate
        lost = isinstance(cause, psycopg.OperationalError)
        return lost if state is None else state.startswith(_AWAY_SQLSTATES)
    code = getattr(cause, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _AWAY_SQLITE


def store_error(error: DBAPIError, url: URL) -> StoreError:
    """Return what a database error means, in one line with what to do."""
    kind = StoreAway if is_away(error) else StoreError
    cause = " ".join(str(error.orig).split())
    place, code = place_of(url), getattr(error.orig, "sqlite_errorcode", None)
    advice = "check that the server runs and that the address and password are right"
    if url.get_backend_name() == "sqlite":
        advice = _SQLITE_ADVICE.get(code & 0xFF if code else 0, "check the disk and the file")
    return kind(f"{place}: {cause}; {advice}")


_SQLITE_ADVICE = {
    sqlite3.SQLITE_NOTADB: "it is another kind of file: choose another database",
    sqlite3.SQLITE_CANTOPEN: "choose a data folder that this user may write to",
    sqlite3.SQLITE_READONLY: "give this user the right to write to the file and its folder",
    sqlite3.SQLITE_FULL: "make room on the disk; nothing recorded before is lost",
    sqlite3.SQLITE_BUSY: "another program holds the database; end it and try again",
    sqlite3.SQLITE_CORRUPT: "restore it from the last backup, and keep this file for the inquiry",
    sqlite3.SQLITE_PERM: "give this user the right to write to the file and its folder",
}
