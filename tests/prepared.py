"""Records ready-made: the migrations run once a process instead of once a test.

What is laid down is what they left that once, and `tests/audit/test_store_opening.py` says so.
"""

import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from psycopg import ClientCursor
from psycopg.sql import SQL, Identifier
from sqlalchemy import event

from audit.database import WRITING, open_engine, parse_url
from audit.store.opening import VERSION, open_database, upgrade


def lay_down(address: str) -> None:
    """Make the tables of a record at an address where nothing is yet."""
    url = parse_url(address)
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(_file())
        return
    with _connection(address) as connection:
        given = _statements.get(VERSION)
        if given is None:
            _statements[VERSION] = _listened(address)
        else:
            connection.execute(given)


@cache
def _file() -> bytes:
    """Return the file of a new SQLite record."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record.db"
        open_database(f"sqlite:///{path}").dispose()
        return path.read_bytes()


_statements: dict[str, bytes] = {}
"""What the migrations say to PostgreSQL, by the version that they lead to."""


def _connection(address: str) -> psycopg.Connection:
    url = parse_url(address).set(drivername="postgresql")
    return psycopg.connect(url.render_as_string(hide_password=False))


def _listened(address: str) -> bytes:
    """Run the migrations on PostgreSQL; return what they said."""
    engine = open_engine(parse_url(address))
    said: list[str] = []

    @event.listens_for(engine, "before_cursor_execute")
    def keep(*heard: Any) -> None:  # noqa: ANN401  # SQLAlchemy calls it so
        _, cursor, statement, parameters = heard[:4]
        assert isinstance(cursor, psycopg.Cursor)
        if not statement.lstrip().upper().startswith("SELECT"):
            said.append(ClientCursor(cursor.connection).mogrify(statement, parameters))

    with engine.execution_options(**{WRITING: True}).connect() as connection, connection.begin():
        upgrade(connection, VERSION)
    engine.dispose()
    return ";\n".join(said).encode()


@dataclass(frozen=True, slots=True)
class Kept:
    """A record as it was left, with its data folder."""

    folder: Path
    """Where the files are kept: the data folder's, and SQLite's."""
    rows: dict[str, bytes]
    """Of PostgreSQL, by table, as COPY gives them."""
    drawn: dict[str, int]
    """The last number of each sequence of PostgreSQL."""


def keep(address: str, data: Path, folder: Path) -> Kept:
    """Take a record that nobody has open into an empty folder, to be laid down again and again."""
    shutil.copytree(data, folder / "data")
    url = parse_url(address)
    if url.get_backend_name() == "sqlite":
        shutil.copy(str(url.database), folder / "record.db")
        return Kept(folder, {}, {})
    with _connection(address) as connection:
        tables = connection.execute(
            "SELECT tablename FROM pg_tables"
            " WHERE schemaname = current_schema AND tablename <> 'alembic_version'"
        ).fetchall()
        drawn = connection.execute(
            "SELECT sequencename, last_value FROM pg_sequences"
            " WHERE schemaname = current_schema AND last_value IS NOT NULL"
        ).fetchall()
        rows = {table: _copied(connection, table) for (table,) in tables}
    return Kept(folder, {table: all_of for table, all_of in rows.items() if all_of}, dict(drawn))


def lay_again(kept: Kept, address: str, data: Path) -> None:
    """Make a record what a kept one was; at the address lie the tables of a new one."""
    shutil.copytree(kept.folder / "data", data)
    url = parse_url(address)
    if url.get_backend_name() == "sqlite":
        shutil.copy(kept.folder / "record.db", str(url.database))
        return
    with _connection(address) as connection:
        # No trigger changes or refuses what was written before.
        connection.execute("SET session_replication_role = replica")
        for table, all_of in kept.rows.items():
            into = SQL("COPY {} FROM STDIN").format(Identifier(table))
            with connection.cursor() as cursor, cursor.copy(into) as copy:
                copy.write(all_of)
        for sequence, last in kept.drawn.items():
            connection.execute("SELECT setval(%s::regclass, %s)", (f'"{sequence}"', last))


def _copied(connection: psycopg.Connection, table: str) -> bytes:
    out = SQL("COPY {} TO STDOUT").format(Identifier(table))
    with connection.cursor() as cursor, cursor.copy(out) as copy:
        return b"".join(copy)
