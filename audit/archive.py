"""Reading backups: every member is checked against the manifest, and the chains once more.

The format is written in `audit.backup`.
"""

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from audit.chain import Head, JsonObject
from audit.checkpoint import Checkpoint, parse_checkpoint
from audit.errors import ChainError, StoreError
from audit.faults import Fault, FaultFound, FaultKind
from audit.store.opening import VERSION
from audit.walk import Anchors, Stored, Walk, check_sequence

FORMAT = "pitwatch backup v1"
MANIFEST = "manifest.json"
TABLES = "tables/"
KEYS = "keys/"

_FILE_NAME = re.compile(r"checkpoints\.jsonl|(?:keys|timestamps)/[A-Za-z0-9][A-Za-z0-9._-]*")
"""What a file of a backup may be called: nothing that leads out of the data folder."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds."""

    version: str
    """The version of the database."""
    made: str
    rows: dict[str, int]
    """How many rows each table has."""
    checkpoint: int
    """The number of the last checkpoint; 0 without one."""
    has_keys: bool
    fault: Fault | None
    """The first thing in its chains that does not hold: then it did not in the record either."""


class Archive:
    """A backup that is being read. Make it with `reading`."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self.path, self.archive = path, archive
        self.manifest = self._manifest()
        self.members: dict[str, JsonObject] = self.manifest["members"]

    def _manifest(self) -> JsonObject:
        try:
            found: Any = json.loads(self.archive.read(MANIFEST))
            told, members = found["format"], found["members"]
            fits = all(isinstance(one["sha256"], str) for one in members.values())
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError):
            raise StoreError(f"{self.path}: no backup of a record: it has no {MANIFEST}") from None
        if told != FORMAT or not fits:
            raise StoreError(f"{self.path}: found the format {told!r}, expected {FORMAT!r}")
        if str(found["version"]) > VERSION:
            raise StoreError(
                f"{self.path}: holds a record of version {found['version']}, this program knows "
                f"up to {VERSION}; update this program"
            )
        manifest: JsonObject = found
        return manifest

    def tables(self) -> list[str]:
        """Return the names of all tables."""
        return [
            name.removeprefix(TABLES).removesuffix(".jsonl")
            for name in self.members
            if name.startswith(TABLES)
        ]

    def count(self, table: str) -> int:
        """Return how many rows a table has, as the manifest says."""
        return int(self.members[f"{TABLES}{table}.jsonl"]["rows"])

    def digest(self, table: str) -> str:
        """Return the SHA-256 over a table's rows, as the manifest says."""
        return str(self.members[f"{TABLES}{table}.jsonl"]["sha256"])

    def rows(self, table: str) -> Iterator[JsonObject]:
        """Yield a table's rows; its hash and their number are checked at the end."""
        name = f"{TABLES}{table}.jsonl"
        told = self.members.get(name)
        if told is None:
            raise self.damaged(name, "is missing")
        digest, count = hashlib.sha256(), 0
        with self._open(name) as file:
            for line in file:
                digest.update(line)
                count += 1
                try:
                    row: JsonObject = json.loads(line)
                except ValueError:
                    raise self.damaged(name, f"line {count} is not JSON") from None
                yield row
        if digest.hexdigest() != told["sha256"] or count != told["rows"]:
            raise self.damaged(name, f"{count} rows, other ones than were written")

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files of the data folder, each checked."""
        for name, told in self.members.items():
            if name.startswith(TABLES):
                continue
            if _FILE_NAME.fullmatch(name) is None:
                raise self.damaged(MANIFEST, f"names the file {name!r}, which no backup has")
            with self._open(name) as file:
                content = file.read()
            if hashlib.sha256(content).hexdigest() != told["sha256"]:
                raise self.damaged(name, "other content than was written")
            yield name, content

    def damaged(self, name: str, text: str) -> StoreError:
        """Return the error for a member that is not as it was written."""
        return StoreError(f"{self.path}: damaged: {name}: {text}; use another backup")

    @contextmanager
    def _open(self, name: str) -> Iterator[IO[bytes]]:
        try:
            with self.archive.open(name) as file:
                yield file
        except KeyError:
            raise self.damaged(name, "is missing") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise self.damaged(name, str(error)) from None


@contextmanager
def reading(path: Path) -> Iterator[Archive]:
    """Open a backup.

    Raises:
        StoreError: There is none, it cannot be read, is damaged, or is of a newer program.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            yield Archive(path, archive)
    except zipfile.BadZipFile:
        raise StoreError(
            f"{path}: no backup, or one that was cut short (expected a zip file); use another one"
        ) from None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}; expected a backup") from None


def check_backup(path: Path) -> Backup:
    """Read a whole backup, and check every member and every chain.

    Raises:
        StoreError: As `reading`; the line names the member that is damaged.
    """
    with reading(path) as archive:
        for table in archive.tables():
            if table not in ("entry", "checkpoint"):
                for _ in archive.rows(table):
                    pass
        for _ in archive.files():
            pass
        fault = _fault(archive)
        manifest = archive.manifest
        return Backup(
            version=str(manifest["version"]),
            made=str(manifest["made"]),
            rows={table: archive.count(table) for table in archive.tables()},
            checkpoint=int(manifest["checkpoint"]),
            has_keys=any(name.startswith(KEYS) for name in archive.members),
            fault=fault,
        )


def _fault(archive: Archive) -> Fault | None:
    """Return the first thing in the chains that does not hold."""
    try:
        checkpoints = [_checkpoint(row) for row in archive.rows("checkpoint")]
        check_sequence(checkpoints, "the backup")
        walk = Walk(_Unknown(), Anchors(tuple(checkpoints)))
        for row in archive.rows("entry"):
            walk.take(_stored(row))
        walk.finish()
    except FaultFound as found:
        for table in ("entry", "checkpoint"):  # What was not read to its end is, for its hash.
            for _ in archive.rows(table):
                pass
        return found.fault
    return None


def _checkpoint(row: JsonObject) -> Checkpoint:
    try:
        return parse_checkpoint(str(row["line"]))
    except (ChainError, KeyError) as error:
        where = f"checkpoint {row.get('number')}"
        raise FaultFound(Fault(FaultKind.MALFORMED, where, str(error))) from None


def _stored(row: JsonObject) -> Stored:
    try:
        return Stored(**row)
    except TypeError as error:
        raise FaultFound(Fault(FaultKind.MALFORMED, "an entry", str(error))) from None


class _Unknown:
    """Knows no entry but the one at hand: a fault is then named by its place alone."""

    def chains(self) -> list[str]:
        """Return none."""
        return []

    def follower(self, head: Head) -> int | None:
        """Return none."""
        del head
        return None

    def numbered(self, chain: str, number: int) -> int | None:
        """Return none."""
        del chain, number
        return None

    def hashed(self, value: str) -> str | None:
        """Return none."""
        del value
        return None
