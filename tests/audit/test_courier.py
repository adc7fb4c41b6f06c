"""Law: while the database is away watching goes on, and all of it is recorded later, once."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.chain import EntryKind, JsonObject
from audit.courier import Courier
from audit.errors import ChainError, RecordConflict, SettingsError, StoreError
from audit.spool import Spool, act_json, parse_act, spool_file
from audit.store import ProvedFinding, Step, Store, open_store
from audit.store.delivery import Act, Noted, Sent, Started, Stepped, Stopped
from audit.tables import StepMark
from audit.verify import Outside, verify
from tests.audit.postgresql_server import PostgreSQL
from tests.audit.record_builders import (
    NOW,
    START,
    deliver,
    judged,
    later,
    proved,
    record_round,
    turned,
)

ROOT = Path(__file__).parents[2]


def seen(number: int) -> Stepped:
    return Stepped(Step((turned(at=float(number)),)), NOW)


def media_times(store: Store, table: str = "T1") -> list[float]:
    """The acts that `seen` made, in the order in which they were recorded."""
    kinds = [EntryKind.CARD_TURNED]
    found = store.entries_after(table=table, kinds=kinds, limit=100_000)
    return [entry.body["media_at"] for entry in found]


def told(store: Store, kind: EntryKind) -> list[JsonObject]:
    return [entry.body for entry in store.entries_after(table="T1", kinds=[kind], limit=1000)]


acts = st.sampled_from(
    [
        Started(START, NOW),
        Stepped(Step((turned(),), (proved(),), (judged(),)), later(0.5)),
        Stepped(Step((replace(turned(), since=0.25),)), later(0.5)),
        Noted(EntryKind.RECORD_AWAY, {"reason": "그만"}, NOW),
        Stopped("the source ended", later(3)),
    ]
)


@given(acts)
def test_an_act_reads_back_as_it_was(act: Act) -> None:
    read = parse_act(json.loads(json.dumps(act_json(act))))
    assert act_json(read) == act_json(act)
    assert type(read) is type(act)


@settings(max_examples=20)
@given(st.lists(acts, max_size=4), st.integers(0, 400))
def test_a_spool_cut_anywhere_keeps_what_was_whole_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, kept: list[Act], cut: int
) -> None:
    path = tmp_path_factory.mktemp("spool") / "T1.spool"
    spool = Spool(path)
    spool.keep([Sent(StepMark("old", 9), Stopped("x" * 900, NOW))])
    spool.clear()
    spool.keep([Sent(StepMark("run", number), act) for number, act in enumerate(kept, 1)])
    spool.close()
    content = path.read_bytes()
    whole = content.index(b"\0")
    at = max(0, whole - cut)
    path.write_bytes(content[:at] + bytes(len(content) - at))
    again = Spool(path)
    found = [sent.act for sent in again.waiting()]
    assert [act_json(act) for act in found] == [act_json(act) for act in kept[: len(found)]]
    assert len(found) == len(kept) or cut > 0
    again.close()


def test_a_table_is_watched_by_one_process_at_a_time(tmp_path: Path) -> None:
    first = Spool(tmp_path / "T1.spool")
    with pytest.raises(SettingsError, match="another process watches this table"):
        Spool(tmp_path / "T1.spool")
    first.close()


def test_an_act_sent_again_is_recorded_once(store: Store) -> None:
    mark = StepMark("run", 1)
    assert deliver(store, "T1", Started(START, NOW), mark)
    assert not deliver(store, "T1", Started(START, NOW), mark)
    assert deliver(store, "T1", seen(2), StepMark("run", 2))
    assert not deliver(store, "T1", seen(2), StepMark("run", 2))
    assert deliver(store, "T1", seen(2), StepMark("other run", 2))
    assert media_times(store) == [2.0, 2.0]
    assert verify(store, Outside(store.data_dir)).holds


def test_what_the_record_refuses_is_told_and_does_not_stand_in_the_way(store: Store) -> None:
    record_round(store, "T2", judged("T1-1"), anchor=NOW)
    with Courier(store, Spool(spool_file(store.data_dir, "T1")), "T1") as courier:
        with pytest.raises(RecordConflict):
            courier.keep(Stepped(Step(rounds=(judged("T1-1"),)), NOW))
        with pytest.raises(ChainError, match="not fit for the record"):
            courier.keep(Noted(EntryKind.RECORD_AWAY, {"reason": float("nan")}, NOW))
        bare = ProvedFinding({"code": "misdeal"}, at=1.0)
        with pytest.raises(ChainError, match="not fit for the record: KeyError"):
            courier.keep(Stepped(Step(findings=(bare,)), NOW))
        courier.keep(seen(1))
    assert media_times(store) == [1.0]


def test_what_waits_is_recorded_many_at_a_time_and_the_refused_one_is_set_aside(
    store: Store,
) -> None:
    record_round(store, "T2", judged("T2-1"), anchor=NOW)
    path = spool_file(store.data_dir, "T1")
    spool = Spool(path)
    sent = [Sent(StepMark("run", number), seen(number)) for number in range(1, 121)]
    clash = Sent(StepMark("run", 121), Stepped(Step(rounds=(judged("T2-1"),)), NOW))
    spool.keep([*sent, clash, *(Sent(StepMark("run", n), seen(n)) for n in range(122, 200))])
    spool.close()
    # An earlier run had sent the first thirty before it was killed.
    for one in sent[:30]:
        deliver(store, "T1", one.act, one.mark)
    with Courier(store, Spool(path), "T1") as courier:
        assert courier.settle(60)
    assert media_times(store) == [float(n) for n in range(1, 200) if n != 121]
    assert path.with_suffix(".refused").read_bytes().count(b"\n") == 1
    assert told(store, EntryKind.RECORD_BACK)[0]["acts"] == 169
    assert verify(store, Outside(store.data_dir)).holds


def test_a_locked_database_does_not_stop_watching(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.turnstile.PATIENCE_S", 0.05)
    store = open_store(f"sqlite:///{tmp_path / 'record.db'}", tmp_path)
    spool = Spool(spool_file(tmp_path, "T1"))
    with Courier(store, spool, "T1", patience_s=0.2, retry_s=0.05) as courier:
        courier.keep(seen(0))
        with closing(sqlite3.connect(tmp_path / "record.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            begun = time.monotonic()
            for number in range(1, 20):
                courier.keep(seen(number))
            assert time.monotonic() - begun < 2
            assert courier.store is None
            other.execute("ROLLBACK")
        assert courier.settle(20)
        courier.keep(seen(20))
        assert spool.is_empty
    assert media_times(store) == [float(number) for number in range(21)]
    assert [body["acts"] for body in told(store, EntryKind.RECORD_BACK)] == [20]
    assert len(told(store, EntryKind.RECORD_AWAY)) == 1
    assert verify(store, Outside(tmp_path)).holds
    store.close()


def test_when_the_spool_cannot_be_written_either_it_waits_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'record.db'}", tmp_path)
    tries = []

    def full(*_: object) -> int:
        tries.append(1)
        if len(tries) > 3:
            monkeypatch.undo()
        raise OSError(28, "No space left on device")

    def away(*_: object) -> None:
        if tries:
            monkeypatch.undo()
        raise StoreError("the disk is full")

    monkeypatch.setattr(Store, "deliver_all", away)
    with Courier(
        store, Spool(spool_file(tmp_path, "T1")), "T1", patience_s=0.1, retry_s=0.05
    ) as courier:
        monkeypatch.setattr(Spool, "keep", full)
        courier.keep(seen(1))
        courier.keep(seen(2))
        assert courier.settle(10)
    assert media_times(store) == [1.0, 2.0]
    store.close()


WATCHER = """
import sys
from pathlib import Path
from audit.cli.output import log_to_stderr
from audit.courier import Courier
from audit.spool import Spool, spool_file
from audit.store import open_store
from tests.audit.test_courier import seen
database, data, first, last = sys.argv[1:]
log_to_stderr()
opening = lambda: open_store(database, Path(data))
with Courier(opening, Spool(spool_file(Path(data), "T1")), "T1", retry_s=0.1) as courier:
    courier.settle(1)
    for number in range(int(first), int(last)):
        courier.keep(seen(number))
        print(number, flush=True)
    sys.stdin.read()
"""


def killed_watcher(database: str, data_dir: Path, first: int, last: int) -> None:
    """Run a watcher that is killed once it was told that its last act is kept."""
    process = subprocess.Popen(
        [sys.executable, "-c", WATCHER, database, str(data_dir), str(first), str(last)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    for number in range(first, last):
        assert process.stdout.readline() == f"{number}\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_a_server_stopped_for_a_while_loses_nothing_also_when_the_watcher_is_killed(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    address, data = postgresql.fresh(), tmp_path / "data"
    opened = open_store(address, data)
    path = spool_file(data, "T1")
    with Courier(opened, Spool(path), "T1", retry_s=0.1) as courier:
        courier.keep(Started(START, NOW))
        courier.keep(seen(0))
        postgresql.stop()
        for number in range(1, 6):
            courier.keep(seen(number))
    # The next run starts while the server is away, and is killed; so is the one after it.
    killed_watcher(address, data, 6, 10)
    killed_watcher(address, data, 10, 13)
    postgresql.start()
    killed_watcher(address, data, 13, 16)
    with Courier(opened, Spool(path), "T1") as courier:
        assert courier.settle(20)
        courier.keep(seen(16))
    assert media_times(opened) == [float(number) for number in range(17)]
    assert len(told(opened, EntryKind.RECORD_AWAY)) == 1
    assert verify(opened, Outside(data)).holds
    opened.close()
