"""Whether a file is a report that was issued, and whether the record under it still holds."""

import json
from dataclasses import dataclass
from pathlib import Path

from audit.chain import EntryKind, JsonObject, canonical
from audit.errors import NotInRecord, ReportError
from audit.faults import Verification
from audit.issued import IssuedReport
from audit.keys import fingerprint, signature_holds
from audit.reports.issue import SIGNATURE_PREFIX, SIGNATURE_SUFFIX, file_hash
from audit.store import Reader
from audit.store.reporting import snapshot
from audit.store.reporting_issued import issued_as
from audit.verify import Outside, Progress, verify

_KEYS = (EntryKind.KEY_CREATED, EntryKind.KEY_ROTATED)


@dataclass(frozen=True, slots=True)
class Proof:
    """What is to be said of a file."""

    sha256: str
    issued: IssuedReport | None
    """The report that it is, byte for byte; None when the record knows no such file."""
    signed: bool | None
    """Whether the signature beside it is one of the record's keys over this very file; None when
    there is none beside it."""
    record: Verification
    """What a verification of the whole record found."""

    @property
    def holds(self) -> bool:
        """Whether it is a report of this record, and all that can be checked holds."""
        return self.issued is not None and self.record.holds and self.signed is not False


def prove(reader: Reader, data_dir: Path, file: Path, progress: Progress | None = None) -> Proof:
    """Say whether a file is a report of this record, and whether the record still holds.

    Args:
        reader: The record.
        data_dir: Where its checkpoint file and key lie.
        file: The report.
        progress: Told how far the verification of the record is.

    Raises:
        ReportError: The file cannot be read.
        StoreError: The record cannot be read.
    """
    try:
        sha256 = file_hash(file)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ReportError(f"{file}: {reason}; expected a report file") from None
    with snapshot(reader.engine) as seen:
        issued = issued_as(seen, sha256)
    signed = _signed(reader, file, sha256)
    return Proof(sha256, issued, signed, verify(reader, Outside(data_dir), progress))


def _signed(reader: Reader, file: Path, sha256: str) -> bool | None:
    beside = file.with_name(file.name + SIGNATURE_SUFFIX)
    try:
        statement = json.loads(beside.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        return False
    if not isinstance(statement, dict) or statement.get("sha256") != sha256:
        return False
    return signature_of(statement, record_keys(reader)) is not None


def signature_of(statement: JsonObject, keys: frozenset[str]) -> str | None:
    """Return the fingerprint of the key that signed a report's statement; None for none of these.

    Args:
        statement: What lies beside the report, its signature included.
        keys: The public keys that the record names.
    """
    told = dict(statement)
    signature, key = told.pop("signature", None), told.get("key")
    if not isinstance(signature, str) or not isinstance(key, str) or key not in keys:
        return None
    try:
        message = SIGNATURE_PREFIX + canonical(told)
    except (ValueError, TypeError):
        return None
    return fingerprint(key) if signature_holds(key, signature, message) else None


def record_keys(reader: Reader) -> frozenset[str]:
    """Return every public key that the record has named."""
    try:
        reader.signing_key()
    except NotInRecord:
        return frozenset()
    entries = reader.entries_after(kinds=_KEYS, limit=1000)
    return frozenset(str(entry.body["public"]) for entry in entries)
