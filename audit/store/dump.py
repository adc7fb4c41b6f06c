"""All tables of a record as plain JSON rows, and back: for backups that either database reads."""

import base64
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Column, LargeBinary, MetaData, String, Table, func, insert, select, text
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError

from audit.chain import JsonObject, utc_text
from audit.database import WRITING, open_engine, parse_url, place_of, store_error
from audit.errors import StoreError
from audit.store.opening import VERSION, derive_again, found_version, upgrade

BATCH = 1000
"""How many rows are read or written at a time."""

_OF_ALEMBIC = "alembic_version"


@dataclass(frozen=True, slots=True)
class Dump:
    """One snapshot of all tables of a record."""

    connection: Connection
    tables: tuple[Table, ...]
    """Those that others point at first."""

    def rows(self, table: Table) -> Iterator[JsonObject]:
        """Yield a table's rows by their key, in the same order on either database."""
        order = [self._ordered(column) for column in table.primary_key]
        query = select(table).order_by(*order).execution_options(yield_per=BATCH)
        with self.connection.execute(query) as rows:
            for row in rows.mappings():
                yield {str(name): _plain(value) for name, value in row.items()}

    def _ordered(self, column: "Column[Any]") -> Any:  # noqa: ANN401  # SQLAlchemy's own types differ
        by_byte = isinstance(column.type, String) and self.connection.dialect.name == "postgresql"
        return column.collate("C") if by_byte else column


def row_line(row: JsonObject) -> bytes:
    """Return a row as one line, the same on either database."""
    return (json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n").encode()


def _plain(value: object) -> object:
    match value:
        case datetime():
            return utc_text(value)
        case bytes() | memoryview():
            return base64.b64encode(bytes(value)).decode()
        case _:
            return value


@contextmanager
def dumping(engine: Engine) -> Iterator[Dump]:
    """Give a snapshot of all tables; writers go on meanwhile and are not seen.

    Raises:
        StoreError: The database cannot be read.
    """
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    try:
        with engine.connect() as connection, connection.begin():
            yield Dump(connection, _tables(connection))
    except DBAPIError as error:
        raise store_error(error, engine.url) from None


def _tables(connection: Connection) -> tuple[Table, ...]:
    # What the database itself says, so that no table is forgotten, whoever made it.
    known = MetaData()
    known.reflect(connection)
    return tuple(table for table in known.sorted_tables if table.name != _OF_ALEMBIC)


@dataclass(frozen=True, slots=True)
class Filling:
    """A new record that is being filled, in one transaction."""

    connection: Connection
    version: str

    @property
    def dump(self) -> Dump:
        """What it holds so far."""
        return Dump(self.connection, _tables(self.connection))

    def fill(self, table: Table, rows: Iterable[JsonObject]) -> None:
        """Write rows into a table that is empty.

        Raises:
            KeyError, ValueError: A row has other columns than the table.
        """
        binary = [column.name for column in table.columns if isinstance(column.type, LargeBinary)]
        names = {column.name for column in table.columns}
        left = iter(rows)
        while batch := list(islice(left, BATCH)):
            for row in batch:
                if row.keys() != names:
                    raise ValueError(f"expected the columns {', '.join(sorted(names))}")
                row |= {name: base64.b64decode(row[name]) for name in binary if row[name]}
            self.connection.execute(insert(table), batch)
        if self.connection.dialect.name == "postgresql":
            self._set_sequences(table)

    def _set_sequences(self, table: Table) -> None:
        """Let numbers that the database draws go on after the last one."""
        for column in table.primary_key:
            if not isinstance(column.type.python_type(), int):
                continue
            drawn = text("SELECT pg_get_serial_sequence(:table, :column)")
            names = {"table": table.name, "column": column.name}
            sequence = self.connection.execute(drawn, names).scalar()
            last = self.connection.execute(select(func.max(column))).scalar()
            if sequence is not None and last is not None:
                self.connection.execute(select(func.setval(sequence, last)))

    def finish(self) -> None:
        """Bring a record of an older version up to date."""
        if self.version != VERSION:
            upgrade(self.connection, VERSION)
            derive_again(self.connection)


@contextmanager
def filling(address: str, version: str) -> Iterator[Filling]:
    """Make an empty record of a version, to be filled; all of it stands or none.

    Raises:
        StoreError: The database holds something already, or cannot be written.
    """
    url = parse_url(address)
    fresh = _fresh_file(url)
    engine = open_engine(url)
    done = False
    try:
        if found_version(engine) is not None:
            raise StoreError(
                f"{place_of(url)}: holds a record already (expected an empty database: a backup "
                "never overwrites one)"
            )
        with (
            engine.execution_options(**{WRITING: True}).connect() as connection,
            connection.begin(),
        ):
            upgrade(connection, version)
            yield Filling(connection, version)
        done = True
    except DBAPIError as error:
        raise store_error(error, url) from None
    finally:
        engine.dispose()
        if fresh is not None and not done:
            for ending in ("", "-wal", "-shm", "-turn"):
                Path(f"{fresh}{ending}").unlink(missing_ok=True)


def _fresh_file(url: URL) -> Path | None:
    """Return the file of an SQLite database that is not there yet."""
    if url.get_backend_name() != "sqlite" or url.database is None:
        return None
    path = Path(url.database)
    return None if path.exists() else path
