"""Reading the whole record as it lies in the database, for `audit.verify`: in one snapshot."""

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, String, func, select, text, type_coerce
from sqlalchemy.engine import Engine
from sqlmodel import Session, col

from audit.chain import Head, utc_text
from audit.records import RECORD_OF, CheckpointRecord, EntryRecord
from audit.rows import KEY_FIELDS, R
from audit.store.unit import is_postgresql, view
from audit.walk import Stored

BATCH = 2000
"""How many rows are fetched at a time, so that memory does not grow with the record."""

GUARDS = frozenset(
    f"{table}_no_{act}" for table in ("entry", "checkpoint") for act in ("update", "delete")
)
"""The triggers that refuse changes, on either database."""

GUARDS_OF = {
    "sqlite": GUARDS | {"entry_no_replace"},
    "postgresql": GUARDS | {"entry_no_truncate", "checkpoint_no_truncate"},
}

_TRIGGERS = {
    "sqlite": text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"),
    "postgresql": text(
        "SELECT tgname, '' FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid "
        "JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE NOT tgisinternal AND tgenabled = 'O' AND prosrc LIKE '%RAISE EXCEPTION%' "
        "AND tgqual IS NULL AND split_part(tgname::text, '_', 1) = relname::text "
        "AND tgrelid IN ('entry'::regclass, 'checkpoint'::regclass)"
    ),
}

_REFUSES = r" BEGIN SELECT RAISE\(ABORT, '[^']*'\); END"
_NO_REPLACE = (
    "CREATE TRIGGER entry_no_replace BEFORE INSERT ON entry WHEN EXISTS (SELECT 1 FROM entry "
    "WHERE id = NEW.id OR (chain = NEW.chain AND number = NEW.number))"
)
_GUARD_SQL = {
    f"{table}_no_{act}": re.compile(
        f"CREATE TRIGGER {table}_no_{act} BEFORE {act.upper()} ON {table}{_REFUSES}"
    )
    for table in ("entry", "checkpoint")
    for act in ("update", "delete")
} | {"entry_no_replace": re.compile(re.escape(_NO_REPLACE) + _REFUSES)}
"""What each trigger says on SQLite, as it was made: a condition put in lets changes through."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A checkpoint as it lies in the database, not yet believed."""

    number: int
    line: str
    last_id: int
    frontier: str


class Scan:
    """One snapshot of a record. Close what yields when it is not read to its end."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._connection = session.connection()

    def count(self) -> int:
        """Return how many entries there are."""
        return int(self._connection.execute(select(func.count(col(EntryRecord.id)))).scalar_one())

    def entries(self) -> Generator[Stored, None, None]:
        """Yield every entry by id."""
        postgresql = is_postgresql(self._session)
        at: Any = col(EntryRecord.at) if postgresql else type_coerce(col(EntryRecord.at), String())
        entry = EntryRecord
        query = select(
            col(entry.id),
            col(entry.chain),
            col(entry.number),
            at,
            col(entry.kind),
            col(entry.body),
            col(entry.previous),
            col(entry.hash),
        ).order_by(col(entry.id))
        with self._connection.execute(query.execution_options(yield_per=BATCH)) as rows:
            for number, chain, place, moment, *rest in rows:
                told = utc_text(moment) if postgresql else str(moment)
                yield Stored(number, chain, place, told, *rest)

    def chains(self) -> list[str]:
        """Return the names of all chains."""
        query = select(col(EntryRecord.chain)).distinct().order_by(col(EntryRecord.chain))
        return list(self._connection.execute(query).scalars())

    def follower(self, head: Head) -> int | None:
        """Return the id of the entry of a chain that names this head as the one before it."""
        query = select(func.min(col(EntryRecord.id))).where(
            col(EntryRecord.chain) == head.chain, col(EntryRecord.previous) == head.hash
        )
        found = self._connection.execute(query).scalar()
        return None if found is None else int(found)

    def numbered(self, chain: str, number: int) -> int | None:
        """Return the id of the entry with a number in a chain."""
        query = select(type_coerce(col(EntryRecord.id), Integer())).where(
            col(EntryRecord.chain) == chain, col(EntryRecord.number) == number
        )
        return self._connection.execute(query).scalar()

    def hashed(self, value: str) -> str | None:
        """Return the chain of the entry with a hash."""
        query = select(col(EntryRecord.chain)).where(col(EntryRecord.hash) == value).limit(1)
        return self._connection.execute(query).scalar()

    def checkpoints(self) -> list[Kept]:
        """Return every checkpoint in the database, in order."""
        kept = CheckpointRecord
        query = select(
            col(kept.number), col(kept.line), col(kept.last_id), col(kept.frontier)
        ).order_by(col(kept.number))
        return [Kept(*row) for row in self._connection.execute(query)]

    def rows(self, kind: type[R]) -> Generator[R, None, None]:
        """Yield every row of a projection by its key.

        Raises:
            ValueError: A row holds a value that the closed set of its column does not have.
        """
        record: Any = RECORD_OF[kind]
        order = [getattr(record, name) for name in KEY_FIELDS[kind]]
        query = select(*record.__table__.columns).order_by(*order)
        with self._connection.execute(query.execution_options(yield_per=BATCH)) as rows:
            for row in rows:
                yield view(kind, row)

    def missing_guards(self) -> list[str]:
        """Return the triggers that should be there and are not, or do not act."""
        dialect, found = self._connection.dialect.name, self._triggers()
        if dialect == "sqlite":
            acts = {name for name, sql in found.items() if _acts(name, sql)}
        else:
            acts = set(found)
        return sorted(GUARDS_OF[dialect] - acts)

    def foreign_triggers(self) -> list[str]:
        """Return the triggers that this program did not make, such as one that swallows entries.

        On PostgreSQL none are told: replication and extensions have their own.
        """
        if self._connection.dialect.name != "sqlite":
            return []
        return sorted(set(self._triggers()) - GUARDS_OF["sqlite"])

    def _triggers(self) -> dict[str, str]:
        query = _TRIGGERS[self._connection.dialect.name]
        return {str(name): str(sql) for name, sql in self._connection.execute(query)}


def _acts(name: str, sql: str) -> bool:
    pattern = _GUARD_SQL.get(name)
    return pattern is not None and pattern.fullmatch(sql) is not None


@contextmanager
def scanning(engine: Engine) -> Iterator[Scan]:
    """Give a snapshot of the record; writers go on meanwhile and are not seen."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with Session(engine) as session:
        yield Scan(session)
