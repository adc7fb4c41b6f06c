"""Law: a record opens as it was left, and what cannot be opened is said in one line."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import inspect, text
from sqlmodel import Session

from audit.database import WRITING, open_engine, parse_url
from audit.errors import StoreError
from audit.store import AlertQuery, Store, open_reader, open_store
from audit.store.opening import VERSION, open_database, upgrade
from audit.store.unit import Unit
from audit.verify import Outside, verify
from tests.audit.conftest import OpenStore
from tests.audit.postgresql_server import PostgreSQL
from tests.audit.record_builders import START, busy_table, finding, later
from tests.prepared import lay_down


def test_an_database_url_becomes_a_record(database_url: str, tmp_path: Path) -> None:
    store = open_store(database_url, tmp_path / "data")
    try:
        assert [head.chain for head in store.chain_heads()] == ["system"]
        assert verify(store, Outside(tmp_path / "data")).holds
    finally:
        store.close()


def test_the_ready_made_record_of_the_tests_is_what_the_migrations_make(
    backend: str, postgresql: PostgreSQL, tmp_path: Path
) -> None:
    def address(name: str) -> str:
        return postgresql.fresh() if backend == "postgresql" else f"sqlite:///{tmp_path / name}"

    made, ready = address("made"), address("ready")
    open_database(made).dispose()
    lay_down(address("first"))  # where this one listens to the migrations, the next repeats them
    lay_down(ready)
    assert shape(ready) == shape(made)


SHAPES = {
    "sqlite": ["SELECT type, name, tbl_name, sql FROM sqlite_schema"],
    "postgresql": [
        "SELECT table_name, column_name, data_type, is_nullable, column_default"
        " FROM information_schema.columns WHERE table_schema = current_schema",
        "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = current_schema",
        "SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE connamespace = current_schema::regnamespace",
        "SELECT tgname, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class r"
        " ON r.oid = tgrelid WHERE relnamespace = current_schema::regnamespace"
        " AND NOT tgisinternal",
        "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema::regnamespace",
    ],
}


def shape(address: str) -> list[tuple[str, ...]]:
    """Return all tables, columns, rules and triggers, and the version."""
    engine = open_engine(parse_url(address))
    queries = SHAPES[engine.dialect.name]
    with engine.connect() as connection:
        version = connection.execute(text("SELECT version_num FROM alembic_version")).all()
        found = [row for query in queries for row in connection.execute(text(query))]
    engine.dispose()
    name = address.rpartition("=")[2].removeprefix("-csearch_path%3D")
    told = [tuple(str(value).replace(name, "here") for value in row) for row in [*version, *found]]
    return sorted(told)


def test_an_opened_record_is_what_it_was(opened: OpenStore) -> None:
    busy_table(opened())
    first, again = opened(), opened()
    assert first.entries_after(limit=100) == again.entries_after(limit=100)
    assert len(again.entries_after(limit=100, table="system")) == 1


def test_the_signing_key_is_readable_by_its_owner_alone(store: Store) -> None:
    path = store.data_dir / "keys" / "signing.pem"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0


def test_an_older_record_is_brought_up_to_date_and_its_state_derived(
    database_url: str, tmp_path: Path
) -> None:
    engine = open_engine(parse_url(database_url))
    with engine.execution_options(**{WRITING: True}).connect() as connection, connection.begin():
        upgrade(connection, VERSION)
        with Session(connection, join_transaction_mode="rollback_only") as session:
            write_some(session)
        # As the first version left it: entries, and no tables of current state.
        kept = ("entry", "checkpoint", "alembic_version")
        connection.execute(text("DROP INDEX entry_chain_at"))
        for table in set(inspect(connection).get_table_names()) - set(kept):
            connection.execute(text(f'DROP TABLE "{table}"'))
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    engine.dispose()

    store = open_store(database_url, tmp_path / "data")
    try:
        assert [alert.code for alert in store.alerts(AlertQuery(table="T1"))] == ["misdeal"]
        assert store.table("T1").watching
        assert verify(store).holds
    finally:
        store.close()


def write_some(session: Session) -> None:
    from audit.alerts import Breach, Seen  # noqa: PLC0415
    from audit.store import acts  # noqa: PLC0415

    unit = Unit(session, "T1")
    acts.write_start(unit, START, later(0))
    told = finding("misdeal")
    acts.write_finding(unit, Breach.of("T1", None, told), told, (later(1), Seen()))


def test_a_record_of_a_newer_program_is_refused(opened: OpenStore, database_url: str) -> None:
    opened().close()
    engine = open_engine(parse_url(database_url))
    with engine.execution_options(**{WRITING: True}).connect() as connection, connection.begin():
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match=f"version 9999, this program knows up to {VERSION}"):
        open_database(database_url)


def test_a_database_of_something_else_is_refused_and_left_alone(database_url: str) -> None:
    engine = open_engine(parse_url(database_url))
    with engine.execution_options(**{WRITING: True}).connect() as connection, connection.begin():
        connection.execute(text("CREATE TABLE payroll (name TEXT)"))
    with pytest.raises(StoreError, match=r"tables of something else \(payroll\)"):
        open_database(database_url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM payroll")).scalar() == 0
    engine.dispose()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    path.write_text("a letter\n" * 1000)
    with pytest.raises(StoreError, match="choose another database") as refused:
        open_store(f"sqlite:///{path}", tmp_path)
    assert "\n" not in str(refused.value)
    assert path.read_text() == "a letter\n" * 1000


def test_a_place_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="choose another data folder"):
        open_store(f"sqlite:///{tmp_path / 'file' / 'record.db'}", tmp_path)
    with pytest.raises(StoreError, match="choose a data folder that this user may write to"):
        open_store(f"sqlite:///{tmp_path}", tmp_path)


def test_a_data_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="choose another data folder"):
        open_store(f"sqlite:///{tmp_path / 'record.db'}", tmp_path / "file")


def test_a_read_only_database_says_so_when_written(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    open_store(f"sqlite:///{path}", tmp_path).close()
    store = open_store(f"sqlite:///file:{path}?mode=ro&uri=true", tmp_path)
    try:
        with pytest.raises(StoreError, match="right to write"):
            store.record_act("kim", "viewed")
        assert verify(store).holds
    finally:
        store.close()


def test_a_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="check that the server runs") as refused:
        open_store("postgresql://kim:secret@127.0.0.1:9/record", tmp_path)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "address", ["record.db", "mysql://h/record", "sqlite://", "sqlite:///:memory:", ""]
)
def test_an_address_of_no_lasting_database_is_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="expected sqlite:///FILE"):
        open_store(address, tmp_path)


def test_a_damaged_database_names_the_backup(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    store = open_store(f"sqlite:///{path}", tmp_path)
    busy_table(store, rounds=30)
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray(path.read_bytes())
    content[8192:-4096] = b"\xff" * (len(content) - 8192 - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="restore it from the last backup"):
        open_and_verify(path)


def open_and_verify(path: Path) -> None:
    verify(open_store(f"sqlite:///{path}", path.parent))


def test_processes_that_open_an_database_url_at_once_make_one_record(
    database_url: str, tmp_path: Path
) -> None:
    script = (
        "import sys; from pathlib import Path; from audit.store import open_store; "
        "open_store(sys.argv[1], Path(sys.argv[2])).close()"
    )
    command = [sys.executable, "-c", script, database_url, str(tmp_path / "data")]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(4)]
    errors = [process.communicate(timeout=60)[1].decode() for process in processes]
    assert errors == [""] * 4
    store = open_store(database_url, tmp_path / "data")
    try:
        assert [head.number for head in store.chain_heads()] == [1]
        assert store.checkpoint().number == 1
    finally:
        store.close()


def test_a_record_opened_to_be_read_is_not_changed(opened: OpenStore, database_url: str) -> None:
    store = opened()
    busy_table(store)
    reader = open_reader(database_url)
    assert reader.entries_after(limit=100) == store.entries_after(limit=100)
    assert verify(reader).holds
    reader.close()


def test_an_empty_database_is_no_record_to_read_and_stays_empty(
    database_url: str, tmp_path: Path
) -> None:
    with pytest.raises(StoreError, match=r"no record here|found an empty database"):
        open_reader(database_url)
    assert list(tmp_path.iterdir()) == []


def test_an_older_record_is_not_read_but_named(opened: OpenStore, database_url: str) -> None:
    opened().close()
    engine = open_engine(parse_url(database_url))
    with engine.execution_options(**{WRITING: True}).connect() as connection, connection.begin():
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    engine.dispose()
    with pytest.raises(StoreError, match="found version 0001; run pitwatch db upgrade"):
        open_reader(database_url)
