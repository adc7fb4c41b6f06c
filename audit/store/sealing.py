"""Making checkpoints: what the record holds, signed, in the database and in a file outside it.

The file is written first. A crash in between leaves it one checkpoint ahead; the next call takes
that one into the database after checking it. A file that is behind was cut, and is not mended.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import select, text
from sqlmodel import Session, col

from audit.chain import SYSTEM, EntryKind
from audit.checkpoint import (
    CHECKPOINT_FILE,
    Checkpoint,
    first_previous,
    parse_checkpoint,
    sign,
)
from audit.errors import ChainError, StoreError
from audit.keys import current_key
from audit.merkle import Frontier
from audit.records import CheckpointRecord, EntryRecord
from audit.store.unit import is_postgresql, visible_bound

_CHECKPOINT_LOCK = 0x7069_7479
_TAIL_BYTES = 4 << 20
"""How much of the file's end is read: far more than the one line that a crash leaves ahead."""

KEY_KINDS = (EntryKind.KEY_CREATED.value, EntryKind.KEY_ROTATED.value)


@dataclass(slots=True)
class _Seal:
    """The record as far as the checkpoints seal it."""

    tree: Frontier
    heads: dict[str, tuple[int, str]]
    last_id: int
    last: Checkpoint | None

    def next(self, at: datetime) -> Checkpoint:
        """Return the checkpoint over all that was taken in, unsigned."""
        number = 1 if self.last is None else self.last.number + 1
        previous = first_previous(self.last)
        root = self.tree.root()
        return Checkpoint(number, at, self.tree.size, root, dict(self.heads), previous, key="")


def make_checkpoint(session: Session, data_dir: Path, at: datetime) -> Checkpoint:
    """Sign what the record holds; return the last checkpoint when nothing was added since.

    Raises:
        StoreError: The signing key or the file does not fit the record, or cannot be written.
        ChainError: The file holds a checkpoint that the record contradicts.
    """
    if is_postgresql(session):
        # Two-part keys, as the chains have: one-part keys are the marks of writers.
        session.connection().execute(text(f"SELECT pg_advisory_xact_lock({_CHECKPOINT_LOCK}, 0)"))
    seal = _last_seal(session)
    path = data_dir / CHECKPOINT_FILE
    for ahead in _lines_ahead(path, seal.last):
        _take_over(session, seal, ahead)
    _extend(session, seal, None)
    if seal.last is not None and seal.last.size == seal.tree.size:
        return seal.last
    key = _key_at(session, data_dir, seal.last_id)
    checkpoint = sign(seal.next(at), key)
    _append_line(path, checkpoint.line())
    _insert(session, seal, checkpoint)
    return checkpoint


def _last_seal(session: Session) -> _Seal:
    query = select(CheckpointRecord).order_by(col(CheckpointRecord.number).desc()).limit(1)
    row = session.scalars(query).first()
    if row is None:
        return _Seal(Frontier(), {}, 0, None)
    last = parse_checkpoint(row.line)
    roots = [bytes.fromhex(root) for root in json.loads(row.frontier)]
    return _Seal(Frontier(last.size, roots), dict(last.heads), row.last_id, last)


def _rows_after(session: Session, last_id: int, limit: int | None) -> Iterator[Any]:
    query = (
        select(
            col(EntryRecord.id),
            col(EntryRecord.chain),
            col(EntryRecord.number),
            col(EntryRecord.hash),
        )
        .where(col(EntryRecord.id) > last_id)
        .order_by(col(EntryRecord.id))
        .limit(limit)
    )
    bound = visible_bound(session)
    if bound is not None:
        query = query.where(col(EntryRecord.id) <= bound)
    yield from session.connection().execute(query)


def _extend(session: Session, seal: _Seal, size: int | None) -> None:
    """Take in entries up to a size of the tree; all that are there when it is None."""
    limit = None if size is None else size - seal.tree.size
    for row in _rows_after(session, seal.last_id, limit):
        seal.tree.add(bytes.fromhex(row.hash))
        seal.heads[row.chain] = (row.number, row.hash)
        seal.last_id = row.id


def _take_over(session: Session, seal: _Seal, ahead: Checkpoint) -> None:
    _extend(session, seal, ahead.size)
    fits = seal.next(ahead.at)
    if (ahead.number, ahead.size, ahead.root, ahead.previous) != (
        fits.number,
        fits.size,
        fits.root,
        fits.previous,
    ):
        raise ChainError(
            f"checkpoint {ahead.number} in the file says something else than the record; "
            "run pitwatch verify"
        )
    _insert(session, seal, ahead)


def _insert(session: Session, seal: _Seal, checkpoint: Checkpoint) -> None:
    frontier = json.dumps([root.hex() for root in seal.tree.roots])
    session.add(
        CheckpointRecord(
            number=checkpoint.number,
            last_id=seal.last_id,
            frontier=frontier,
            line=checkpoint.line(),
        )
    )
    session.flush()
    seal.last = checkpoint


def _key_at(session: Session, data_dir: Path, last_id: int) -> Ed25519PrivateKey:
    """Return the key that the record names last, up to an entry."""
    query = (
        select(col(EntryRecord.body))
        .where(
            col(EntryRecord.chain) == SYSTEM,
            col(EntryRecord.kind).in_(KEY_KINDS),
            col(EntryRecord.id) <= last_id,
        )
        .order_by(col(EntryRecord.id).desc())
        .limit(1)
    )
    body = session.scalars(query).first()
    if body is None:
        raise StoreError("the record names no signing key; open it with a data folder first")
    return current_key(data_dir, json.loads(body)["public"])


def _lines_ahead(path: Path, last: Checkpoint | None) -> list[Checkpoint]:
    """Return the checkpoints of the file that the database has not, in order.

    Raises:
        StoreError: The file ends before the database's last checkpoint, or cannot be read.
    """
    known = 0 if last is None else last.number
    found = [parse_checkpoint(line) for line in _tail(path)]
    newest = found[-1].number if found else 0
    if newest < known:
        raise StoreError(
            f"{path}: ends with checkpoint {newest}, the record has {known}; "
            "run pitwatch verify, and put the file back from the last backup"
        )
    return [checkpoint for checkpoint in found if checkpoint.number > known]


def _tail(path: Path) -> list[str]:
    """Return the whole lines at the end of a file."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            start = max(0, size - _TAIL_BYTES)
            file.seek(start)
            lines = file.read().decode().split("\n")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: cannot be read: {error}") from None
    return lines[1:-1] if start else lines[:-1]


def _sync_folder(folder: Path) -> None:
    """See the name of a new file on the disk, not only what is in it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _append_line(path: Path, line: str) -> None:
    """Add a line and see it on the disk; what a crash left of a line is overwritten.

    Raises:
        StoreError: The file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as file:
            whole = file.seek(0, os.SEEK_END)
            file.seek(max(0, whole - _TAIL_BYTES))
            rest = file.read()
            torn = len(rest) - (rest.rfind(b"\n") + 1)
            file.truncate(whole - torn)
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        if whole == 0:
            _sync_folder(path.parent)
    except OSError as error:
        raise StoreError(
            f"{path}: {error.strerror}; make room or give this user the right to write to it"
        ) from None
