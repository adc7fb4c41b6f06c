"""One write transaction: the entries of one chain and the projections that they change.

What orders writers:

* SQLite: the one write lock of the database, taken at the beginning (`BEGIN IMMEDIATE`).
* PostgreSQL: an advisory lock a chain, so tables never wait for each other. Beside it each
  transaction marks, by a shared advisory lock, above which entry id it will write. A reader shows
  only ids up to the lowest such mark (`visible_bound`), so an id is never passed over because a
  lower one is committed later. The mark is taken before the first id is drawn, and ends with the
  transaction.
* Both: `UNIQUE (chain, number)`. Should all else fail, the second of two writers is refused and
  tries again on the new head.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, literal, select, text
from sqlmodel import Session, col

from audit.chain import (
    GENESIS,
    Entry,
    EntryKind,
    Head,
    JsonObject,
    canonical,
    head_of,
    link,
    numbered,
)
from audit.policy import Policy
from audit.projections import project, with_mark
from audit.records import RECORD_OF, AlertRecord, EntryRecord
from audit.rows import Key, R, values_of
from audit.tables import StepMark

POLICY = "policy"
"""Under which name a session carries the alert policy in force."""

_CHAIN_LOCKS = 0x7069_7477  # "pitw": the first half of the two-part advisory keys of chains
_ALERT_LOCK = 0x7069_7478

# A mark is an advisory lock with a one-part key: which record it is (one database may hold several,
# in schemas of their own), and an entry id below 2^40. The chains' locks have two-part keys.
_RECORD = "('entry_id_seq'::regclass::oid::bigint & 8388607)"
_DRAWN = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM entry_id_seq"
_MARK = text(f"SELECT pg_advisory_xact_lock_shared(({_RECORD} << 40) | ({_DRAWN}))")
_BOUND = (
    text(_DRAWN),
    text(
        "SELECT min(((classid::bigint & 255) << 32) | objid::bigint) FROM pg_locks "  # noqa: S608  # a constant
        f"WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 8 = {_RECORD} "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    ),
)

# Made once: putting a statement together takes longer than the database needs for it.
_INSERT = insert(EntryRecord).returning(col(EntryRecord.id))
_LAST = (
    select(col(EntryRecord.number), col(EntryRecord.hash))
    .where(col(EntryRecord.chain) == bindparam("of_chain"))
    .order_by(col(EntryRecord.number).desc())
    .limit(1)
)


def is_postgresql(session: Session) -> bool:
    """Say whether a session talks to PostgreSQL."""
    return session.get_bind().dialect.name == "postgresql"


def visible_bound(session: Session) -> int | None:
    """Return the highest entry id up to which nothing can appear later; None when all are stable.

    On SQLite ids are drawn under the write lock, so they appear in order. On PostgreSQL the
    sequence is read before the marks, and entries are read after both: whoever drew an id up to the
    sequence's value had set its mark before, and either still holds it or has committed.
    """
    if not is_postgresql(session):
        return None
    drawn, marked = (session.connection().execute(step).scalar() for step in _BOUND)
    return int(drawn or 0) if marked is None else min(int(drawn or 0), int(marked))


def read_head(session: Session, chain: str) -> Head:
    """Return the head of a chain as a session sees it."""
    row = session.connection().execute(_LAST, {"of_chain": chain}).first()
    return Head(chain, 0, GENESIS) if row is None else Head(chain, row.number, row.hash)


class Projector:
    """Writes the projections that follow from entries."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def apply(self, entry: Entry) -> None:
        """Write what an entry makes or changes."""
        for row in project(entry, self):
            self.session.merge(RECORD_OF[type(row)](**values_of(row)))
            self.session.flush()

    def find(self, kind: type[R], key: Key) -> R | None:
        """Return a projection row as it stands, kept from other writers until the end."""
        record = self.session.get(RECORD_OF[kind], key, with_for_update=is_postgresql(self.session))
        return None if record is None else view(kind, record)


class Unit(Projector):
    """One write transaction on one chain."""

    def __init__(self, session: Session, chain: str, mark: StepMark | None = None) -> None:
        """Begin; the first entry then carries the mark of the act that it belongs to."""
        super().__init__(session)
        self.chain = chain
        self._mark = mark
        self.entries: list[Entry] = []
        if is_postgresql(session):
            self._lock(_CHAIN_LOCKS, chain)
            session.connection().execute(_MARK)
        self._head = read_head(session, chain)

    @property
    def is_empty(self) -> bool:
        """Whether the chain has no entry yet."""
        return self._head.number == 0

    def append(self, kind: EntryKind, body: JsonObject, at: datetime) -> Entry:
        """Add an entry to the end of the chain, and the projections that follow from it.

        Raises:
            AuditError: The body has no canonical form, or the time no zone.
        """
        if self._mark is not None and not self.entries:
            body = with_mark(body, self._mark)
        entry = link(self._head, kind, body, at)
        values = {
            "chain": entry.chain,
            "number": entry.number,
            "at": entry.at,
            "kind": entry.kind.value,
            "body": canonical(entry.body).decode(),
            "previous": entry.previous,
            "hash": entry.hash,
        }
        drawn = self.session.connection().execute(_INSERT, values).scalar_one()
        entry = numbered(entry, int(drawn or 0))
        self._head = head_of(entry)
        self.entries.append(entry)
        self.apply(entry)
        return entry

    @property
    def policy(self) -> Policy:
        """The alert policy in force; one without rules where none was given."""
        found = self.session.info.get(POLICY)
        return found if isinstance(found, Policy) else Policy("none")

    def next_alert_number(self) -> int:
        """Return the next incident number; nobody else gets it before this transaction ends."""
        if is_postgresql(self.session):
            self._lock(_ALERT_LOCK, "alert")
        last = self.session.connection().execute(select(func.max(col(AlertRecord.number)))).scalar()
        return 1 + int(last or 0)

    def _lock(self, group: int, name: str) -> None:
        key = select(func.pg_advisory_xact_lock(literal(group), func.hashtext(name)))
        self.session.connection().execute(key)


def view(kind: type[R], record: object) -> R:
    """Return a table row, which has the same fields, as the frozen value that callers get."""
    values: dict[str, Any] = {name: getattr(record, name) for name in kind.__dataclass_fields__}
    return kind(**values)


def clear_projections(session: Session) -> None:
    """Empty every projection, to fold the entries again."""
    for record in RECORD_OF.values():
        session.connection().execute(record.__table__.delete())  # type: ignore[attr-defined]  # SQLModel does not tell its type
