"""The law: the doctor names what waits, what was refused and what is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from audit.chain import EntryKind
from audit.cli.doctor import Diagnosis, Health, diagnoses
from audit.spool import Spool, spool_file
from audit.store import open_store
from audit.store.delivery import Sent, Stopped
from audit.tables import StepMark
from tests.audit.record_builders import NOW, START, start_table


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PITWATCH_DATABASE", raising=False)


def looked_at(data: Path) -> dict[str, Diagnosis]:
    # Without a model, which takes long to load and is not what is asked here.
    return {one.name: one for one in diagnoses(data=data, models=data / "no-model")}


def test_acts_that_wait_and_acts_that_were_refused_are_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert looked_at(data)["spool"].health is Health.GOOD
    spool = Spool(spool_file(data, "T1"))
    act = Sent(StepMark("run", 1), Stopped("the source ended", NOW))
    spool.keep([act, act])
    found = looked_at(data)["spool"]
    assert (found.health, found.found) == (Health.WARNING, "2 acts of T1 wait to be recorded")
    spool.set_aside(act)
    spool.close()
    found = looked_at(data)["spool"]
    assert found.health is Health.BAD
    assert "T1.refused" in found.found
    assert found.advice


@pytest.mark.parametrize("folder", ["mistyped", "data"])
def test_looking_begins_no_record_where_there_is_none(tmp_path: Path, folder: str) -> None:
    (tmp_path / "data").mkdir()
    found = looked_at(tmp_path / folder)
    assert found["database"].health is Health.WARNING
    assert "no record yet" in found["database"].found
    assert f"{folder}/pitwatch.db" in found["database"].found
    assert found["footage"].found == "nothing is recorded yet"
    assert list(tmp_path.rglob("*")) == [tmp_path / "data"]


@pytest.mark.parametrize("address", ["", "sqlite:///elsewhere/record.db"])
def test_looking_where_the_settings_say_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("PITWATCH_DATABASE", address)
    found = {one.name: one for one in diagnoses(data=None, models=tmp_path / "no-model")}
    assert "no record yet" in found["database"].found
    assert list(tmp_path.iterdir()) == []


def test_looking_at_a_record_adds_nothing_to_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    open_store(f"sqlite:///{data / 'pitwatch.db'}", data).close()
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    assert looked_at(data)["database"].found == f"{data}: 1 entries, 0 tables"
    after = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    kept = {path for path in before if not path.name.endswith(("-wal", "-shm"))}
    assert {path: after[path] for path in kept} == {path: before[path] for path in kept}


def test_tables_whose_watchers_fall_behind_are_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert looked_at(data)["tables"].found == "no table was watched yet"
    store = open_store(f"sqlite:///{data / 'pitwatch.db'}", data)
    for table in ("T1", "T2", "T3"):
        start_table(store, table, START, at=NOW)
    assert looked_at(data)["tables"].found == "3 being watched; none falls behind"
    store.append("T1", EntryKind.TABLE_BEHIND, {"late_s": 12, "left_out": 0}, at=NOW)
    store.append("T3", EntryKind.TABLE_BEHIND, {"late_s": 0, "left_out": 60}, at=NOW)
    store.close()
    found = looked_at(data)["tables"]
    assert found.health is Health.WARNING
    assert found.found == "T1 is at least 12 s behind; T3 leaves out 60 % of the frames"
    assert found.advice


def test_an_older_record_is_named_and_stays_as_it_is(tmp_path: Path) -> None:
    data = tmp_path / "data"
    open_store(f"sqlite:///{data / 'pitwatch.db'}", data).close()
    with closing(sqlite3.connect(data / "pitwatch.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    found = looked_at(data)
    for name in ("database", "tables", "footage"):
        assert found[name].health is Health.BAD
        assert found[name].found.endswith("found version 0001; run pitwatch db upgrade first")
    with closing(sqlite3.connect(data / "pitwatch.db")) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [
            ("0001",)
        ]


def test_a_lost_record_is_named_and_none_is_begun(tmp_path: Path) -> None:
    data = tmp_path / "data"
    open_store(f"sqlite:///{data / 'pitwatch.db'}", data).close()
    for path in data.glob("pitwatch.db*"):
        path.unlink()
    found = looked_at(data)["database"]
    assert found.health is Health.BAD
    assert "the record is lost or was moved" in found.found
    assert not (data / "pitwatch.db").exists()
