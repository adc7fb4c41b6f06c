"""Verification: re-reads the whole record and names the first thing that does not hold.

What it can't know: entries after the last checkpoint that were cut off together with everything
that followed, and a record, its checkpoint file and its key all replaced by older or other ones at
once. Against the first, checkpoints are made often; against the second, keep a checkpoint line and
the key's fingerprint somewhere else, and pass them in.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DBAPIError

from audit.chain import EntryKind
from audit.checkpoint import CHECKPOINT_FILE, Checkpoint, parse_checkpoint, read_checkpoints
from audit.database import store_error
from audit.errors import ChainError, StoreAway, StoreError
from audit.faults import Fault, FaultFound, FaultKind, Verification
from audit.keys import KeyUnreadable, fingerprint, load_key, public_text
from audit.projections import MARKED, PROJECTED, project
from audit.rows import ROW_KINDS, Key, R, Row, key_of
from audit.store.reading import Reader
from audit.store.scan import Kept, Scan, scanning
from audit.walk import Anchors, Stored, Walk, believed, check_sequence

Progress = Callable[[int, int], None]
"""Called with how many entries were read, and how many there are."""

PROGRESS_EVERY = 10_000

Probe = Callable[[Scan, Path], Fault | None]
"""Looks at what lies beside the record, such as stored recordings: given the snapshot and the data
folder, it returns the first thing that is not as the entries say; None when all is."""

_KNOWN_KINDS = frozenset(EntryKind)
_RESTING = frozenset((EntryKind.REPORT_ISSUED.value, EntryKind.BUNDLE_MADE.value))
"""Kinds of entries that name the checkpoint which what they tell of rests on."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What whoever asks for a verification knows from elsewhere."""

    data_dir: Path | None = None
    """The folder with the checkpoint file and the key; None leaves both out."""
    checkpoint: Checkpoint | None = None
    """A checkpoint that was kept somewhere else: the record must still hold all that it covers."""
    first_key: str | None = None
    """The fingerprint of the first signing key, as it was written down."""
    probes: tuple[Probe, ...] = ()
    """What else is to be looked at, in this order, once all entries are known to hold."""


class Derived:
    """The projections folded again from the entries, in memory."""

    def __init__(self) -> None:
        self.rows: dict[type[object], dict[Key, Row]] = {kind: {} for kind in ROW_KINDS}

    def find(self, kind: type[R], key: Key) -> R | None:
        """Return a row as it stands."""
        row = self.rows[kind].get(key)
        return row if isinstance(row, kind) else None

    def save(self, row: Row) -> None:
        """Put a row over the one with its key."""
        self.rows[type(row)][key_of(row)] = row


def verify(
    reader: Reader, outside: Outside | None = None, progress: Progress | None = None
) -> Verification:
    """Verify a whole record, in one snapshot, while writers go on.

    Args:
        reader: The record; `Store` is one.
        outside: What is known from elsewhere.
        progress: Told now and then how far it is.

    Raises:
        StoreError: The database cannot be read.
    """
    return _Verifier(reader, outside or Outside(), progress).run()


class _Verifier:
    """One verification. The steps are numbered in `_all`."""

    def __init__(self, reader: Reader, outside: Outside, progress: Progress | None) -> None:
        self._reader = reader
        self._outside = outside
        self._progress = progress
        self._derived = Derived()
        self._walk: Walk | None = None
        self._checkpoints = 0
        self._rests: dict[object, tuple[object, Stored]] = {}
        """Checkpoints that entries name: number → hash where it is told, and the entry."""

    def run(self) -> Verification:
        fault: Fault | None = None
        try:
            self._all()
        except FaultFound as found:
            fault = found.fault
        except DBAPIError as error:
            told = store_error(error, self._reader.engine.url)
            if isinstance(told, StoreAway):
                raise told from None
            fault = Fault(FaultKind.DAMAGED, "the database", str(told))
        walk = self._walk
        sealed = walk.sealed if walk else None
        key = walk.key if walk else None
        return Verification(
            entries=walk.tree.size if walk else 0,
            checkpoints=self._checkpoints,
            heads=walk.heads if walk else (),
            sealed=sealed.size if sealed else 0,
            sealed_at=sealed.at if sealed else None,
            key=fingerprint(key) if key else None,
            fault=fault,
        )

    def _all(self) -> None:
        # 1. The checkpoint file, before the snapshot: all that it covers is in the snapshot then.
        filed = self._file()
        check_sequence(filed, CHECKPOINT_FILE)
        with scanning(self._reader.engine) as scan:
            # 2. The database's checkpoints follow one another too.
            stored = scan.checkpoints()
            kept = _parsed(stored)
            check_sequence(kept, "the database")
            self._checkpoints = max(len(filed), len(kept))
            # 3. Every entry, with every checkpoint when its last entry was read.
            self._walk = Walk(scan, self._anchors(filed, kept, stored))
            self._entries(scan, self._walk)
            self._walk.finish()
            # 4. The file and the database agree, no checkpoint that an entry names is gone, and the
            #    folder's key is the record's.
            self._compare_checkpoints(kept)
            self._compare_named((*filed, *kept))
            self._compare_key(self._walk)
            # 5. The projections are those that follow from the entries.
            for kind in ROW_KINDS:
                self._compare_rows(scan, kind)
            # 6. What lies beside the record is what the entries say.
            self._probe(scan)
            # 7. The triggers stand, and there are no others.
            for guard in scan.missing_guards():
                text = "the trigger is gone or changed; what was done without it can't be known"
                raise FaultFound(Fault(FaultKind.GUARD_MISSING, guard, text))
            for trigger in scan.foreign_triggers():
                text = "a trigger that this program did not make; it may keep entries out"
                raise FaultFound(Fault(FaultKind.DAMAGED, trigger, text))

    def _probe(self, scan: Scan) -> None:
        if self._outside.data_dir is None:
            return
        for probe in self._outside.probes:
            fault = probe(scan, self._outside.data_dir)
            if fault is not None:
                raise FaultFound(fault)

    def _file(self) -> list[Checkpoint]:
        if self._outside.data_dir is None:
            return []
        path = self._outside.data_dir / CHECKPOINT_FILE
        try:
            return read_checkpoints(path)
        except ChainError as error:
            raise FaultFound(Fault(FaultKind.MALFORMED, CHECKPOINT_FILE, str(error))) from None
        except (UnicodeDecodeError, IsADirectoryError) as error:
            text = f"holds no checkpoints: {error}"
            raise FaultFound(Fault(FaultKind.MALFORMED, CHECKPOINT_FILE, text)) from None
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None

    def _anchors(
        self, filed: list[Checkpoint], kept: list[Checkpoint], stored: list[Kept]
    ) -> Anchors:
        known = {checkpoint.line(): checkpoint for checkpoint in (*filed, *kept)}
        if self._outside.checkpoint is not None:
            known[self._outside.checkpoint.line()] = self._outside.checkpoint
        marks = {one.number: (one.last_id, one.frontier) for one in stored}
        return Anchors(tuple(known.values()), self._outside.first_key, marks)

    def _entries(self, scan: Scan, walk: Walk) -> None:
        total = scan.count()
        with closing(scan.entries()) as entries:
            for done, stored in enumerate(entries, start=1):
                walk.take(stored)
                if _says_more(stored):
                    self._derive(stored)
                if self._progress is not None and (done % PROGRESS_EVERY == 0 or done == total):
                    self._progress(done, total)

    def _derive(self, stored: Stored) -> None:
        try:
            for row in project(believed(stored), self._derived):
                self._derived.save(row)
            if stored.kind in _RESTING:
                body = json.loads(stored.body)
                if "checkpoint" in body:
                    self._rests.setdefault(
                        body["checkpoint"], (body.get("checkpoint_hash"), stored)
                    )
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
            where = f"entry {stored.number} of {stored.chain}"
            text = f"not an entry of its kind: {error}"
            raise FaultFound(Fault(FaultKind.MALFORMED, where, text, stored.id)) from None

    def _compare_checkpoints(self, kept: list[Checkpoint]) -> None:
        if self._outside.data_dir is None:
            return
        # Read again: the snapshot may hold one that was made after the first reading.
        filed = {checkpoint.number: checkpoint for checkpoint in self._file()}
        for checkpoint in kept:
            where = f"checkpoint {checkpoint.number}"
            in_file = filed.pop(checkpoint.number, None)
            if in_file is None:
                text = f"is in the database and not in {CHECKPOINT_FILE}"
                raise FaultFound(Fault(FaultKind.CHECKPOINT_MISSING, where, text))
            if in_file != checkpoint:
                text = f"says one thing in the database and another in {CHECKPOINT_FILE}"
                raise FaultFound(Fault(FaultKind.CHECKPOINT_REPLAYED, where, text))
        # A crash may leave the file one ahead; a checkpoint made meanwhile does so too.
        last = kept[-1].number if kept else 0
        early = [number for number in filed if number <= last]
        if early or len(filed) > 1 + self._made_meanwhile(last):
            where = f"checkpoint {min(filed)}"
            text = f"is in {CHECKPOINT_FILE} and not in the database"
            raise FaultFound(Fault(FaultKind.CHECKPOINT_MISSING, where, text))

    def _compare_named(self, known: Iterable[Checkpoint]) -> None:
        hashes: dict[object, str] = {checkpoint.number: checkpoint.hash for checkpoint in known}
        for number, (value, stored) in self._rests.items():
            if number not in hashes or value not in (None, hashes[number]):
                found = "there is none" if number not in hashes else "there is another one"
                text = f"entry {stored.number} of {stored.chain} names it, and {found}"
                kind = FaultKind.CHECKPOINT_MISSING
                raise FaultFound(Fault(kind, f"checkpoint {number}", text, stored.id))

    def _made_meanwhile(self, last: int) -> int:
        with scanning(self._reader.engine) as scan:
            return sum(kept.number > last for kept in scan.checkpoints())

    def _compare_key(self, walk: Walk) -> None:
        if self._outside.data_dir is None or walk.key is None:
            return
        try:
            key = load_key(self._outside.data_dir)
        except KeyUnreadable:  # another user's key can't be read, and need not be
            return
        except StoreError as error:
            raise FaultFound(Fault(FaultKind.KEY_REPLACED, "the data folder", str(error))) from None
        # A rotation between the snapshot and now is no replacement.
        if key is not None and public_text(key) not in (walk.key, self._reader.signing_key()):
            text = (
                f"found key {fingerprint(public_text(key))}, the record names "
                f"key {fingerprint(walk.key)}"
            )
            raise FaultFound(Fault(FaultKind.KEY_REPLACED, "the data folder", text))

    def _compare_rows(self, scan: Scan, kind: type[R]) -> None:
        derived = self._derived.rows[kind]
        try:
            with closing(scan.rows(kind)) as rows:
                for row in rows:
                    expected = derived.pop(key_of(row), None)
                    if row != expected:
                        raise FaultFound(_row_fault(row, expected))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            text = f"holds a value that is none: {error}"
            raise FaultFound(Fault(FaultKind.PROJECTION, kind.__name__, text)) from None
        for missing in derived.values():
            raise FaultFound(Fault(FaultKind.PROJECTION, _row_name(missing), "is missing"))


def _says_more(stored: Stored) -> bool:
    """Say whether an entry must be parsed: projections follow from it, or its kind is unknown."""
    kind = stored.kind
    more = kind in PROJECTED or kind in _RESTING or kind not in _KNOWN_KINDS
    return more or MARKED in stored.body


def _parsed(stored: list[Kept]) -> list[Checkpoint]:
    found = []
    for one in stored:
        number, where = one.number, f"checkpoint {one.number} in the database"
        try:
            checkpoint = parse_checkpoint(one.line)
        except ChainError as error:
            raise FaultFound(Fault(FaultKind.MALFORMED, where, str(error))) from None
        if checkpoint.number != number:
            text = f"holds checkpoint {checkpoint.number}"
            raise FaultFound(Fault(FaultKind.CHECKPOINT_REPLAYED, where, text))
        found.append(checkpoint)
    return found


def _row_name(row: Row) -> str:
    words = " ".join(str(value) for value in key_of(row))
    return f"{type(row).__name__} {words}"


def _row_fault(row: Row, expected: Row | None) -> Fault:
    if expected is None:
        text = "no entry of the record says so"
        return Fault(FaultKind.PROJECTION, _row_name(row), text)
    name, found, right = next(_differences(row, expected))
    text = f"{name} is {found!r}, the entries say {right!r}"
    return Fault(FaultKind.PROJECTION, _row_name(row), text)


def _differences(row: Row, expected: Row) -> Iterator[tuple[str, Any, Any]]:
    for field in fields(row):
        found, right = getattr(row, field.name), getattr(expected, field.name)
        if found != right:
            yield field.name, found, right
