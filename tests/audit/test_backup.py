"""Law: a backup gives back the whole record, on either database, or says what is wrong with it."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.archive import check_backup
from audit.backup import restore_backup, write_backup
from audit.cli.main import main
from audit.errors import StoreError
from audit.store import Store, open_store
from audit.store.dump import dumping
from audit.store.opening import VERSION
from audit.verify import Outside, verify
from tests.audit.postgresql_server import PostgreSQL
from tests.audit.record_builders import NOW, busy_table, see, turned
from tests.audit.tampering import edit, entry_id

ROUNDS, MANIFEST = "tables/round.jsonl", "manifest.json"


def all_rows(store: Store) -> dict[str, list[object]]:
    with dumping(store.engine) as dump:
        return {table.name: list(dump.rows(table)) for table in dump.tables}


@pytest.fixture
def backup(sealed: Store, tmp_path: Path) -> Path:
    path = tmp_path / "backup.zip"
    write_backup(sealed.engine, sealed.data_dir, path, keys=True)
    return path


@pytest.mark.parametrize("into", ["sqlite", "postgresql"])
def test_a_backup_of_either_database_is_restored_into_either(
    sealed: Store, backup: Path, into: str, tmp_path: Path, postgresql: PostgreSQL
) -> None:
    address = postgresql.fresh() if into == "postgresql" else f"sqlite:///{tmp_path / 'again.db'}"
    folder = tmp_path / "again"
    restore_backup(backup, address, folder)
    again = open_store(address, folder)
    assert all_rows(again) == all_rows(sealed)
    held = verify(again, Outside(folder))
    assert (held.fault, held.checkpoints) == (None, 2)
    # It goes on where it ended: the next entry, and a checkpoint with the same key.
    last = again.last_id()
    see(again, "T1", [turned("4S")], anchor=NOW)
    assert again.last_id() == last + 1
    assert again.checkpoint().number == 3
    assert verify(again, Outside(folder)).holds
    assert (folder / "keys" / "signing.pem").stat().st_mode & 0o777 == 0o600
    again.close()


def test_a_backup_is_read_back_and_says_what_is_in_it(sealed: Store, tmp_path: Path) -> None:
    path = tmp_path / "backup.zip"
    found = write_backup(sealed.engine, sealed.data_dir, path)
    assert found == check_backup(path)
    assert (found.version, found.checkpoint, found.has_keys) == (VERSION, 2, False)
    assert found.rows["entry"] == sealed.last_id()
    assert path.stat().st_mode & 0o777 == 0o600
    assert "keys/signing.pem" not in zipfile.ZipFile(path).namelist()


def test_nothing_is_overwritten(sealed: Store, backup: Path, database_url: str) -> None:
    kept = backup.read_bytes()
    with pytest.raises(StoreError, match="none is overwritten"):
        write_backup(sealed.engine, sealed.data_dir, backup)
    assert backup.read_bytes() == kept
    with pytest.raises(StoreError, match="none is overwritten"):
        restore_backup(backup, database_url, sealed.data_dir)
    with pytest.raises(StoreError, match="holds a record already"):
        restore_backup(backup, database_url, backup.parent / "elsewhere")
    assert verify(sealed, Outside(sealed.data_dir)).holds


def test_a_backup_of_a_record_that_does_not_hold_is_true_to_it_and_says_so(
    sealed: Store, tmp_path: Path
) -> None:
    edit(sealed, entry_id(sealed, "T1", 3), body='{"card":"2D"}')
    found = write_backup(sealed.engine, sealed.data_dir, tmp_path / "backup.zip")
    assert found.fault is not None
    assert found.fault.where == "entry 3 of T1"


def one_backup(folder: Path) -> Path:
    store = open_store(f"sqlite:///{folder / 'record.db'}", folder / "data")
    busy_table(store)
    store.checkpoint()
    path = folder / "backup.zip"
    write_backup(store.engine, store.data_dir, path)
    store.close()
    return path


def rewritten(path: Path, name: str, content: bytes | None) -> bytes:
    """A backup with another member, or without it."""
    made = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w") as new:
        for member in old.namelist():
            kept = content if member == name else old.read(member)
            if kept is not None:
                new.writestr(member, kept)
    return made.getvalue()


def damaged(path: Path) -> Iterator[tuple[str, bytes]]:
    """Backups that are damaged, each with what is told of it."""
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        rounds = archive.read(ROUNDS)
        manifest = json.loads(archive.read(MANIFEST))
    start, bent = len(whole) // 3, bytearray(whole)
    bent[start : start + 40] = bytes(40)
    yield "cut short", whole[: len(whole) // 2]
    yield "damaged", bytes(bent)
    yield "is not JSON", rewritten(path, ROUNDS, rounds[:-30] + b"\n")
    yield "other ones than were written", rewritten(path, ROUNDS, rounds.replace(b"T1", b"T7"))
    yield "is missing", rewritten(path, ROUNDS, None)
    yield "it has no manifest.json", rewritten(path, MANIFEST, None)
    newer = manifest | {"version": "9999"}
    yield "update this program", rewritten(path, MANIFEST, json.dumps(newer).encode())
    out = manifest | {"members": manifest["members"] | {"keys/../../x": {"sha256": ""}}}
    yield "which no backup has", rewritten(path, MANIFEST, json.dumps(out).encode())


def test_a_damaged_backup_is_named_and_leaves_nothing_behind(tmp_path: Path) -> None:
    for number, (told, content) in enumerate(damaged(one_backup(tmp_path))):
        path = tmp_path / f"damaged{number}.zip"
        path.write_bytes(content)
        with pytest.raises(StoreError, match=told) as refused:
            check_backup(path)
        assert str(refused.value).startswith(str(path))
        database, folder = tmp_path / f"{number}.db", tmp_path / f"folder{number}"
        with pytest.raises(StoreError, match=told):
            restore_backup(path, f"sqlite:///{database}", folder)
        assert not database.exists()
        assert not folder.exists()


def test_a_backup_of_an_older_version_is_restored_and_brought_up_to_date(
    tmp_path: Path, postgresql: PostgreSQL
) -> None:
    path = one_backup(tmp_path)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read(MANIFEST))
    # As the first version wrote it: entries and checkpoints.
    kept = {"tables/entry.jsonl", "tables/checkpoint.jsonl", "checkpoints.jsonl"}
    members = {name: told for name, told in manifest["members"].items() if name in kept}
    older = manifest | {"version": "0001", "members": members}
    made = tmp_path / "older.zip"
    made.write_bytes(rewritten(path, MANIFEST, json.dumps(older).encode()))
    assert set(names) > kept
    for number, address in enumerate([f"sqlite:///{tmp_path / 'old.db'}", postgresql.fresh()]):
        folder = tmp_path / f"older{number}"
        restore_backup(made, address, folder)
        store = open_store(address, folder)
        assert [alert.code for alert in store.alerts()] == ["failed-to-follow-suit"] * 2
        assert verify(store, Outside(folder)).holds
        store.close()


def test_the_commands_back_up_check_and_restore(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PITWATCH_DATABASE", raising=False)
    store = open_store("sqlite:///here/pitwatch.db", Path("here"))
    busy_table(store)
    store.checkpoint()
    store.close()
    assert main(["db", "backup", "a.zip", "--data", "here"]) == 0
    assert main(["db", "backup", "a.zip", "--data", "here"]) == 2
    assert "none is overwritten" in capsys.readouterr().err
    assert main(["db", "check", "a.zip"]) == 0
    assert main(["db", "restore", "a.zip", "--data", "there"]) == 0
    told = capsys.readouterr().out
    assert "Put the folder keys back into there" in told
    assert "recordings are not verified now: copy the folder recordings into there" in told
    assert told.endswith("Everything holds.\n")
    assert main(["db", "status", "--data", "there"]) == 0
    assert f"Version {VERSION}" in capsys.readouterr().out
    assert main(["key", "rotate", "--user", "kim", "--data", "here"]) == 0
    assert main(["key", "show", "--data", "here"]) == 0
    assert "by kim" in capsys.readouterr().out
    assert main(["verify", "--data", "here"]) == 0
    assert main(["db", "restore", "a.zip", "--data", "here"]) == 2
