"""Backups: one zip that holds the whole record, and can be read without this program.

Each table is a member of JSON lines, a row a line, the same whichever database it came from; so a
backup of SQLite is restored into PostgreSQL and back. `manifest.json` names every member with its
rows and SHA-256. The checkpoint file and the time stamps are in it; the private keys only when
asked for, recordings never.
"""

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO

from sqlalchemy.engine import Engine

from audit.archive import FORMAT, MANIFEST, TABLES, Archive, Backup, check_backup, reading
from audit.chain import JsonObject, utc_text
from audit.checkpoint import CHECKPOINT_FILE, parse_checkpoint
from audit.errors import ChainError, StoreError
from audit.store.dump import Dump, Filling, dumping, filling, row_line
from audit.store.opening import VERSION

FOLDERS = ("timestamps",)
"""The folders of the data folder that are always in a backup."""

Told = Callable[[str, int], None]
"""Called with the name of a table and how many of its rows are done."""


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    sha256: str
    rows: int | None

    def json(self) -> JsonObject:
        told: JsonObject = {"sha256": self.sha256}
        return told if self.rows is None else told | {"rows": self.rows}


def write_backup(
    engine: Engine, data_dir: Path, path: Path, *, keys: bool = False, told: Told | None = None
) -> Backup:
    """Write a backup of a record, while writers go on, then read it back and check it.

    Args:
        engine: The record, of this program's version.
        data_dir: The folder with the checkpoint file, the time stamps and the keys.
        path: The new file; one that is there is never overwritten.
        keys: Whether the private keys go in too: whoever has the backup can then sign.
        told: Told how far it is.

    Raises:
        StoreError: The file is there already or cannot be written, the database cannot be read, or
            what was written reads back otherwise.
    """
    _refuse_existing(path)
    part = path.with_name(f".{path.name}.part")
    try:
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                _write(file, engine, data_dir, (keys, told))
                file.flush()
                os.fsync(file.fileno())
            found = check_backup(part)
            _refuse_existing(path)
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; choose another place") from None
    return found


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise StoreError(f"{path}: is there already (expected a new file: none is overwritten)")


def _write(
    file: IO[bytes], engine: Engine, data_dir: Path, options: tuple[bool, Told | None]
) -> None:
    keys, told = options
    members: list[_Member] = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        with dumping(engine) as dump:
            for table in dump.tables:
                members.append(_write_table(archive, dump, table.name, told))
            last = _last_checkpoint(dump)
        for name, content in _files(data_dir, last, keys=keys):
            archive.writestr(name, content)
            members.append(_Member(name, hashlib.sha256(content).hexdigest(), None))
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "software": f"pitwatch {version('pitwatch')}",
            "made": utc_text(datetime.now(UTC)),
            "checkpoint": last,
            "members": {member.name: member.json() for member in members},
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))


def _write_table(archive: zipfile.ZipFile, dump: Dump, name: str, told: Told | None) -> _Member:
    table = next(table for table in dump.tables if table.name == name)
    member = f"{TABLES}{name}.jsonl"
    digest, count = hashlib.sha256(), 0
    with archive.open(member, "w", force_zip64=True) as file:
        for row in dump.rows(table):
            line = row_line(row)
            digest.update(line)
            file.write(line)
            count += 1
            if told is not None and count % 1000 == 0:
                told(name, count)
    if told is not None:
        told(name, count)
    return _Member(member, digest.hexdigest(), count)


def _last_checkpoint(dump: Dump) -> int:
    table = next(table for table in dump.tables if table.name == "checkpoint")
    return max((int(row["number"]) for row in dump.rows(table)), default=0)


def _files(data_dir: Path, last: int, *, keys: bool) -> Iterator[tuple[str, bytes]]:
    path = data_dir / CHECKPOINT_FILE
    if path.is_file():
        lines = path.read_bytes().splitlines(keepends=True)
        # Those made since the snapshot cover entries that are not in it.
        yield CHECKPOINT_FILE, b"".join(line for line in lines if _number(line) <= last)
    for folder in (*FOLDERS, *(["keys"] if keys else [])):
        for found in sorted((data_dir / folder).glob("*")):
            if found.is_file():
                yield f"{folder}/{found.name}", found.read_bytes()


def _number(line: bytes) -> int:
    try:
        return parse_checkpoint(line.decode().removesuffix("\n")).number
    except (ChainError, UnicodeDecodeError):
        return 0  # Kept as it is: what is wrong with it is for verification to say.


def restore_backup(path: Path, address: str, data_dir: Path, *, told: Told | None = None) -> None:
    """Make a record from a backup: every row, and the files of the data folder.

    All of it is read back and compared before it stands; when anything differs nothing does.
    Verify the record afterwards, as any other.

    Args:
        path: The backup.
        address: The database, with nothing in it.
        data_dir: The data folder, without checkpoints.
        told: Told how far it is.

    Raises:
        StoreError: The backup is damaged or of a newer program, the database or folder holds a
            record already, or either cannot be written.
    """
    with reading(path) as archive:
        files = dict(archive.files())
        for name in files:
            if (data_dir / name).exists():
                _refuse_existing(data_dir / name)
        with filling(address, str(archive.manifest["version"])) as filled:
            _fill(filled, archive, told)
            _compare(filled, archive)
            filled.finish()
            _put(files, data_dir)


def _fill(filled: Filling, archive: Archive, told: Told | None) -> None:
    tables = {table.name: table for table in filled.dump.tables}
    missing = set(tables) ^ set(archive.tables())
    if missing:
        raise archive.damaged(MANIFEST, f"other tables than its version has: {sorted(missing)}")
    for name, table in tables.items():
        try:
            filled.fill(table, archive.rows(name))
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise archive.damaged(f"{TABLES}{name}.jsonl", str(error)) from None
        if told is not None:
            told(name, archive.count(name))


def _compare(filled: Filling, archive: Archive) -> None:
    dump = filled.dump
    for table in dump.tables:
        digest = hashlib.sha256()
        for row in dump.rows(table):
            digest.update(row_line(row))
        if digest.hexdigest() != archive.digest(table.name):
            raise StoreError(f"table {table.name}: the database gives back other rows than written")


def _put(files: dict[str, bytes], data_dir: Path) -> None:
    """Put the files in their places, those with keys readable by their owner alone."""
    for name, content in files.items():
        path = data_dir / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}; choose another data folder") from None
