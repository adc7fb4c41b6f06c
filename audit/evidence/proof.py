"""Proving that stored footage is what the record says: every file is read again and hashed."""

import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from audit.errors import NotInRecord
from audit.evidence.files import footage_path
from audit.evidence.footage import Clip, ClipState, Segment
from audit.faults import Fault, FaultKind
from audit.store.scan import Scan


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file: 64 hexadecimal digits.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def footage_fault(scan: Scan, data_dir: Path) -> Fault | None:
    """Read every stored segment and clip; return the first that is not what the record says.

    What the record says was deleted may be gone: its hash stays in the record. A file that is gone
    without such an entry is missing, one with other bytes was changed, and one with the bytes of
    another was swapped. Give it to `audit.verify` as one of `Outside.probes`.
    """
    hashes: dict[int, str] = {}
    with closing(scan.rows(Segment)) as segments:
        for segment in segments:
            hashes[segment.entry] = segment.sha256
    known = {sha256: f"segment {entry}" for entry, sha256 in hashes.items()}
    with closing(scan.rows(Clip)) as clips:
        ready = [clip for clip in clips if clip.state is ClipState.READY]
    known |= {clip.sha256: f"the clip {clip.name}" for clip in ready if clip.sha256}
    for clip in ready:
        for one in clip.segments:
            if hashes.get(one["entry"]) != one["sha256"]:
                text = f"names segment {one['entry']} with another hash than the record has for it"
                return Fault(FaultKind.CLIP, f"clip {clip.name}", text, clip.entry)
    for footage in _stored(scan, ready):
        fault = _fault_of(footage, data_dir, known)
        if fault is not None:
            return fault
    return None


def _stored(scan: Scan, clips: list[Clip]) -> Iterator[Segment | Clip]:
    with closing(scan.rows(Segment)) as segments:
        yield from (segment for segment in segments if segment.deleted is None)
    yield from (clip for clip in clips if clip.deleted is None)


def _fault_of(footage: Segment | Clip, data_dir: Path, known: dict[str, str]) -> Fault | None:
    match footage:
        case Segment():
            where = f"segment {footage.entry} of {footage.table}"
        case Clip():
            where = f"clip {footage.name}"
    text = ""
    try:
        path = footage_path(data_dir, footage)
        found = sha256_of(path)
    except NotInRecord as error:
        text = str(error)
    except FileNotFoundError:
        text = f"missing: {path} is gone, and no entry tells of its deletion"
    except OSError as error:
        text = f"cannot be read: {path}: {error.strerror}"
    else:
        if found != footage.sha256:
            other = known.get(found)
            text = (
                f"swapped: {path} holds the bytes of {other}"
                if other
                else f"changed: the bytes of {path} are others than were recorded"
            )
    return Fault(FaultKind.CLIP, where, text, footage.entry) if text else None
