"""Law: a full disk, a clock set back or a server gone for a while loses nothing recorded."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import event, text

from audit.errors import StoreError
from audit.store import Store, open_store
from audit.verify import Outside, verify
from tests.audit.conftest import OpenStore
from tests.audit.postgresql_server import PostgreSQL
from tests.audit.record_builders import (
    NOW,
    busy_table,
    later,
    see,
    turned,
)


def test_a_full_disk_is_named_and_nothing_recorded_is_lost(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'record.db'}", tmp_path)
    busy_table(store)
    before = store.entries_after(limit=1000)

    def allow_no_more_pages(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 1").close()

    event.listen(store.engine, "connect", allow_no_more_pages)
    store.close()
    with pytest.raises(StoreError, match="make room on the disk; nothing recorded before is lost"):
        write_until_full(store)
    event.remove(store.engine, "connect", allow_no_more_pages)
    store.close()
    assert store.entries_after(limit=1000)[: len(before)] == before
    see(store, "T1", [turned()], anchor=NOW)
    assert verify(store, Outside(tmp_path)).holds
    store.close()


def write_until_full(store: Store) -> None:
    for number in range(1000):
        see(store, "T1", [turned(at=float(number))] * 20, anchor=NOW)


def test_a_clock_set_back_two_hours_changes_the_times_and_not_the_order(store: Store) -> None:
    see(store, "T1", [turned()], anchor=NOW)
    see(store, "T1", [turned()], anchor=NOW - timedelta(hours=2))
    store.checkpoint(at=NOW)
    see(store, "T1", [turned()], anchor=NOW)
    store.checkpoint(at=NOW - timedelta(hours=2))
    numbers = [(entry.number, entry.at < NOW) for entry in store.entries_after(table="T1")]
    assert numbers == [(1, False), (2, True), (3, False)]
    assert verify(store, Outside(store.data_dir)).holds


def test_a_server_that_comes_back_is_used_again(postgresql: PostgreSQL, tmp_path: Path) -> None:
    store = open_store(postgresql.fresh(), tmp_path)
    see(store, "T1", [turned()], anchor=NOW)
    with psycopg.connect(postgresql.url(), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
    see(store, "T1", [turned()], anchor=NOW)
    assert [head.number for head in store.chain_heads()] == [2, 1]
    store.close()


def test_a_writer_that_is_cut_off_says_so_and_leaves_nothing_half(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    store = open_store(postgresql.fresh(), tmp_path)
    busy_table(store)
    before = store.last_id()

    def cut_off(*_: object) -> None:
        with psycopg.connect(postgresql.url(), autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )

    event.listen(store.engine, "commit", cut_off)
    with pytest.raises(StoreError, match="check that the server runs"):
        see(store, "T1", [turned()], anchor=NOW)
    event.remove(store.engine, "commit", cut_off)
    assert store.last_id() == before
    assert verify(store).holds
    store.close()


def test_a_database_locked_by_another_program_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.turnstile.PATIENCE_S", 0.05)
    monkeypatch.setattr("audit.store.store.ATTEMPTS", 2)
    store = open_store(f"sqlite:///{tmp_path / 'record.db'}", tmp_path)
    with closing(sqlite3.connect(tmp_path / "record.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="database is locked; another program holds"):
            see(store, "T1", [turned()], anchor=NOW)
        other.execute("ROLLBACK")
    see(store, "T1", [turned()], anchor=NOW)
    assert verify(store).holds
    store.close()


def test_times_come_back_as_the_same_instants(opened: OpenStore) -> None:
    moment = later(0.000_001)
    see(opened(), "T1", [turned(at=0.0)], anchor=moment)
    entry = opened().entries_after(table="T1")[0]
    assert entry.at == moment
    assert entry.at.utcoffset() == timedelta(0)


def test_a_server_in_another_time_zone_changes_no_time(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    address = postgresql.fresh()
    store = open_store(address, tmp_path)
    with store.engine.connect() as connection, connection.begin():
        connection.execute(text("ALTER ROLE pitwatch SET timezone = 'Asia/Seoul'"))
    store.close()
    busy_table(store)
    assert store.table("T1").started == NOW
    assert verify(store).holds
    with store.engine.connect() as connection, connection.begin():
        connection.execute(text("ALTER ROLE pitwatch RESET timezone"))
    store.close()
