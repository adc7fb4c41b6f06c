"""Law: a record that is gone or spoiled where one was is a finding, never a new start."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from audit.checkpoint import CHECKPOINT_FILE
from audit.cli.main import main
from audit.database import WRITING
from audit.errors import RecordLost
from audit.keys import key_file
from audit.store import Store, open_store
from tests.audit.record_builders import busy_table


def verified(store: Store, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """What the command says of a record: its exit code, and the kind of the fault."""
    capsys.readouterr()
    code = main(["verify", "--json"])
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    assert store.data_dir.is_dir()
    return code, json.loads(told.out)["fault"]["kind"]


@pytest.fixture
def named(sealed: Store, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A sealed record that the settings name."""
    monkeypatch.chdir(sealed.data_dir.parent)
    monkeypatch.setenv("PITWATCH_DATABASE", database_url)
    monkeypatch.setenv("PITWATCH_DATA_DIR", str(sealed.data_dir))
    sealed.close()
    return sealed


def empty(store: Store, address: str) -> None:
    """Take everything out of the database, or the database away."""
    if address.startswith("sqlite"):
        path = Path(address.removeprefix("sqlite:///"))
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        path.write_bytes(b"")
        return
    writing = store.engine.execution_options(**{WRITING: True})
    with writing.begin() as connection:
        schema = connection.execute(text("SELECT current_schema()")).scalar()
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    store.close()


def test_an_emptied_database_is_a_lost_record_and_none_is_begun(
    named: Store, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    empty(named, database_url)
    assert verified(named, capsys) == (1, "record-lost")
    with pytest.raises(RecordLost, match="the record is lost or was moved"):
        open_store(database_url, named.data_dir)
    assert main(["serve", "--port", "1"]) == 2
    # Also when only the key tells that there was a record.
    (named.data_dir / CHECKPOINT_FILE).unlink()
    assert verified(named, capsys) == (1, "record-lost")


@pytest.mark.parametrize("table", ["entry", "checkpoint", "alert", "round"])
def test_a_table_that_is_gone_is_a_finding(
    named: Store, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with named.engine.execution_options(**{WRITING: True}).begin() as connection:
        connection.execute(text(f"DROP TABLE {table}"))
    named.close()
    assert verified(named, capsys) == (1, "damaged")


def spoil_file(path: Path) -> None:
    path.write_bytes(b"a letter\n" * 1000)


def spoil_pages(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[8192:-4096] = b"\xff" * (len(content) - 8192 - 4096)
    path.write_bytes(content)


def spoil_text(path: Path) -> None:
    with closing(sqlite3.connect(path)) as found:
        found.execute("DROP TRIGGER entry_no_update")
        found.execute("UPDATE entry SET body = CAST(x'80ff' AS TEXT) WHERE id = 2")
        found.commit()


def spoil_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as found:
        found.execute("DELETE FROM alembic_version")
        found.commit()


@pytest.mark.parametrize("spoil", [Path.unlink, spoil_file, spoil_pages, spoil_text, spoil_version])
def test_a_database_file_that_is_spoiled_is_a_finding(
    spoil: Callable[[Path], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PITWATCH_DATABASE", raising=False)
    monkeypatch.setenv("PITWATCH_DATA_DIR", str(tmp_path))
    path = tmp_path / "pitwatch.db"
    store = open_store(f"sqlite:///{path}", tmp_path)
    busy_table(store, rounds=20)
    store.checkpoint()
    store.close()
    with closing(sqlite3.connect(path)) as found:
        found.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    spoil(path)
    kind = "record-lost" if spoil is Path.unlink else "damaged"
    assert verified(store, capsys) == (1, kind)


def test_a_key_or_checkpoint_file_that_is_none_is_a_finding(
    named: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    key, checkpoints = key_file(named.data_dir), named.data_dir / CHECKPOINT_FILE
    kept = key.read_bytes(), checkpoints.read_bytes()
    key.write_text("no key")
    assert verified(named, capsys) == (1, "key-replaced")
    key.write_bytes(kept[0])
    checkpoints.write_bytes(b"\xff\xfe" + kept[1])
    assert verified(named, capsys) == (1, "malformed")
    checkpoints.unlink()
    checkpoints.mkdir()
    assert verified(named, capsys) == (1, "malformed")
