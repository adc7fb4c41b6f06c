"""What every question to the record has in common: one short read transaction, frozen answers."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from audit.chain import Entry, EntryKind
from audit.database import store_error
from audit.records import RECORD_OF
from audit.rows import R
from audit.store.unit import view

PAGE = 200
"""How many rows an answer holds unless asked otherwise."""

T = TypeVar("T")


def entry_of(row: Any) -> Entry:  # noqa: ANN401  # a row of SQLAlchemy has no type of its own
    """Return the entry in a row of the entry table."""
    return Entry(
        id=row.id,
        chain=row.chain,
        number=row.number,
        at=row.at,
        kind=EntryKind(row.kind),
        body=json.loads(row.body),
        previous=row.previous,
        hash=row.hash,
    )


class Asking:
    """Asks a record, each call in one short read transaction. Threads may share it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def engine(self) -> Engine:
        """The connections, for `audit.verify`."""
        return self._engine

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _rows(
        self,
        kind: type[R],
        *where: ColumnElement[bool],
        order: Any,  # noqa: ANN401  # one column or several, ascending or not
        limit: int | None = None,
    ) -> list[R]:
        record = RECORD_OF[kind]
        orders = order if isinstance(order, tuple) else (order,)
        query: Select[Any] = select(record).where(*where).order_by(*orders).limit(limit)
        return self._read(lambda session: [view(kind, row) for row in session.scalars(query)])

    def _read(self, work: Callable[[Session], T]) -> T:
        try:
            with Session(self._engine) as session:
                return work(session)
        except DBAPIError as error:
            raise store_error(error, self._engine.url) from None
