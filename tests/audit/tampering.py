"""Changes a record behind the store's back, as somebody with the database's password can."""

from sqlalchemy import Executable, delete, text, update
from sqlalchemy.engine import Connection
from sqlmodel import col

from audit.chain import Entry, canonical
from audit.database import WRITING
from audit.faults import FaultKind, Verification
from audit.records import EntryRecord
from audit.store import Store
from audit.verify import Outside, verify


def verified(store: Store) -> Verification:
    return verify(store, Outside(store.data_dir))


def tamper(store: Store, *statements: str | Executable, guards_back: bool = True) -> None:
    """Do what the database's owner can: drop the triggers, change, put them back."""
    writing = store.engine.execution_options(**{WRITING: True})
    with writing.connect() as connection, connection.begin():
        definitions = drop_guards(connection)
        for statement in statements:
            connection.execute(text(statement) if isinstance(statement, str) else statement)
        for definition in definitions if guards_back else ():
            connection.execute(text(definition))


def drop_guards(connection: Connection) -> list[str]:
    """Drop all triggers; return the statements that make them again."""
    if connection.dialect.name == "sqlite":
        found = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type='trigger'"))
        guards = [(f"DROP TRIGGER {name}", definition) for name, definition in found]
    else:
        found = connection.execute(
            text(
                "SELECT tgname, tgrelid::regclass, pg_get_triggerdef(oid) FROM pg_trigger "
                "WHERE NOT tgisinternal"
            )
        )
        guards = [(f"DROP TRIGGER {name} ON {table}", made) for name, table, made in found]
    for drop, _ in guards:
        connection.execute(text(drop))
    return [definition for _, definition in guards]


def changed(entry_id: int, **columns: object) -> Executable:
    return update(EntryRecord).where(col(EntryRecord.id) == entry_id).values(**columns)


def without(first: int, last: int | None = None) -> Executable:
    """The deletion of an entry, or of those from one to another."""
    return delete(EntryRecord).where(col(EntryRecord.id).between(first, last or first))


def edit(store: Store, entry_id: int, **columns: object) -> None:
    tamper(store, changed(entry_id, **columns))


def content(entry: Entry) -> dict[str, object]:
    """All columns of an entry but its id, chain and number."""
    return {
        "at": entry.at,
        "kind": entry.kind.value,
        "body": canonical(entry.body).decode(),
        "previous": entry.previous,
        "hash": entry.hash,
    }


def entry_id(store: Store, table: str, number: int) -> int:
    return next(
        entry.id for entry in store.entries_after(table=table, limit=1000) if entry.number == number
    )


def number_of_last(store: Store, table: str) -> int:
    return next(head.number for head in store.chain_heads() if head.chain == table)


def assert_found(store: Store, kind: FaultKind, where: str, told: str = "") -> None:
    fault = verified(store).fault
    assert fault is not None
    assert (fault.kind, fault.where) == (kind, where), str(fault)
    assert told in fault.text
