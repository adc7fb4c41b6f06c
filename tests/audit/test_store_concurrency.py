"""Law: however many write, and whenever they are killed, a chain is one line and loses nothing."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import Session

from audit.chain import Entry, EntryKind
from audit.database import WRITING
from audit.payouts import FeedNote
from audit.store import Store
from audit.store.unit import Unit
from audit.verify import Outside, verify
from tests.audit.conftest import OpenStore
from tests.audit.record_builders import (
    NOW,
    busy_table,
    later,
    proved,
    see,
    turned,
)

ROOT = Path(__file__).parents[2]


class Writers:
    """Processes that append to the record, one for each table named."""

    def __init__(self, database: str, data_dir: Path, entries: int, tables: list[str]) -> None:
        program = str(Path(__file__).with_name("writer_process.py"))
        self._process = subprocess.Popen(
            [sys.executable, program, database, str(data_dir), str(entries), *tables],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        told = [self._process.stdout.readline().split() for _ in tables]
        assert [word for word, _ in told] == ["ready"] * len(tables)
        self._pids = [int(pid) for _, pid in told]
        self._process.stdin.write("g" * len(tables))
        self._process.stdin.flush()

    def kill_each(self, seconds: Callable[[], float]) -> None:
        """Kill one after the other, some time apart."""
        for pid in self._pids:
            time.sleep(seconds())
            os.kill(pid, signal.SIGKILL)

    def kept(self) -> list[int]:
        """Wait for their end; return the ids of the entries that they were told are kept."""
        output, _ = self._process.communicate(timeout=100)
        return [int(line) for line in output.splitlines()]


StartWriters = Callable[..., Writers]


@pytest.fixture
def start_writers(database_url: str, store: Store) -> StartWriters:
    def start(tables: list[str], entries: int = 8) -> Writers:
        return Writers(database_url, store.data_dir, entries, tables)

    return start


def numbers(store: Store, table: str) -> list[int]:
    return [entry.number for entry in store.entries_after(table=table, limit=100_000)]


def test_six_processes_with_eight_appends_each_make_one_line(
    store: Store, start_writers: StartWriters
) -> None:
    kept = start_writers(["T1"] * 6).kept()
    assert len(set(kept)) == 48
    assert numbers(store, "T1") == list(range(1, 49))
    assert verify(store).holds


def test_tables_written_at_once_each_have_their_own_line(
    store: Store, start_writers: StartWriters
) -> None:
    start_writers(["T1", "T2", "T3"]).kept()
    assert {head.chain: head.number for head in store.chain_heads()} == {
        "T1": 8,
        "T2": 8,
        "T3": 8,
        "system": 1,
    }
    assert verify(store).holds


def test_watchers_killed_in_the_middle_lose_nothing_that_they_were_told_is_kept(
    store: Store, start_writers: StartWriters
) -> None:
    chance = random.Random(7)  # noqa: S311  # when to kill is no secret
    writers = start_writers(["T1"] * 5, entries=100_000)
    writers.kill_each(lambda: chance.uniform(0.02, 0.2))
    kept = writers.kept()
    found = [entry.id for entry in store.entries_after(table="T1", limit=100_000)]
    assert set(kept) <= set(found)
    assert numbers(store, "T1") == list(range(1, len(found) + 1))
    # Each killed writer may have kept one more than it could tell.
    assert len(found) <= len(kept) + 5
    see(store, "T1", [turned()], anchor=NOW)
    store.checkpoint()
    assert verify(store, Outside(store.data_dir)).holds


def test_a_long_reader_neither_waits_for_writers_nor_holds_them_up(store: Store) -> None:
    busy_table(store)
    before = store.last_id()
    with Session(store.engine) as session:
        first = session.connection().exec_driver_sql("SELECT count(*) FROM entry").scalar()
        for number in range(20):
            see(store, "T1", [turned(at=float(number))], anchor=NOW)
        assert store.last_id() > before
        if (
            session.get_bind().dialect.name == "sqlite"
        ):  # one snapshot; PostgreSQL's is a statement's
            again = session.connection().exec_driver_sql("SELECT count(*) FROM entry").scalar()
            assert again == first


def test_a_writer_waits_for_another_that_holds_the_chain(store: Store) -> None:
    writing = store.engine.execution_options(**{WRITING: True})
    done = threading.Event()

    def append() -> None:
        see(store, "T1", [turned()], anchor=NOW)
        done.set()

    with Session(writing) as session, session.begin():
        Unit(session, "T1").append(EntryKind.SPOT_CLEARED, {"spot": "dealer"}, NOW)
        thread = threading.Thread(target=append)
        thread.start()
        assert not done.wait(0.3)
    thread.join(timeout=10)
    assert done.is_set()
    assert numbers(store, "T1") == [1, 2]


def test_an_id_that_was_passed_over_never_appears_later(opened: OpenStore) -> None:
    store = opened()
    if store.engine.dialect.name == "sqlite":
        # There the second writer waits for the first, so the order can't differ.
        see(store, "T1", [turned()], anchor=NOW)
        see(store, "T2", [turned()], anchor=NOW)
        assert [entry.chain for entry in store.entries_after(1)] == ["T1", "T2"]
        return
    seen = store.last_id()
    with Session(store.engine) as slow, slow.begin():
        first = Unit(slow, "T1").append(EntryKind.SPOT_CLEARED, {"spot": "dealer"}, NOW)
        second = see(store, "T2", [turned()], anchor=NOW).entries[0]
        assert second.id > first.id
        # The later id is kept already, and not shown before the earlier one can be.
        assert store.entries_after(seen) == []
        assert store.last_id() == seen
        assert store.checkpoint().size == 1
    assert [entry.id for entry in store.entries_after(seen)] == [first.id, second.id]
    assert store.checkpoint().size == 3
    assert verify(store, Outside(store.data_dir)).holds


def test_a_follower_sees_every_entry_once_and_in_order_while_tables_write(
    store: Store, start_writers: StartWriters
) -> None:
    seen: list[Entry] = []
    last = store.last_id()
    writers = start_writers(["T1", "T2", "T3"], entries=60)
    deadline = time.monotonic() + 100
    while len(seen) < 180 and time.monotonic() < deadline:
        page = store.entries_after(last, limit=7)
        seen += page
        last = page[-1].id if page else last
        time.sleep(0.001)
    assert [entry.id for entry in seen] == sorted(writers.kept())
    for table in ("T1", "T2", "T3"):
        told = [entry.number for entry in seen if entry.chain == table]
        assert told == list(range(1, 61))


def test_alert_numbers_have_no_holes_when_tables_raise_them_at_once(store: Store) -> None:
    def raise_some(table: str) -> None:
        for number in range(10):
            step = proved(seat=number % 6 + 1, trick=number)
            store.record_finding(table, step, anchor=later(number))

    threads = [threading.Thread(target=raise_some, args=(f"T{n}",)) for n in range(1, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [alert.number for alert in store.alerts()] == list(range(30, 0, -1))
    assert verify(store).holds


def test_the_same_report_sent_by_many_at_once_is_kept_once(store: Store) -> None:
    note = FeedNote(1, "ante", 1000, client_id="a")
    threads = [
        threading.Thread(target=store.record_wager, args=("T1", note), kwargs={"at": NOW})
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.feed_lines("T1")) == 1
    assert numbers(store, "T1") == [1]


def test_an_alert_seen_again_while_somebody_acknowledges_it_keeps_both(store: Store) -> None:
    store.record_finding("T1", proved(), anchor=NOW)

    def see() -> None:
        for number in range(10):
            store.record_finding("T1", proved(), anchor=later(number))

    def comment() -> None:
        for _ in range(10):
            store.comment_alert(1, "seen", user="kim")

    threads = [threading.Thread(target=work) for work in (see, comment)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alert = store.alert(1)
    assert (alert.sightings, alert.comments) == (11, 10)
    assert verify(store).holds
