"""Time stamps (RFC 3161): somebody else's word for when a checkpoint was there, at the latest.

Optional. Each checkpoint made while an authority is set is asked for: the request is put into the
folder `timestamps` first, so that it waits there while the authority cannot be reached. An answer
counts once it was verified against the authority's certificates. Request and answer of checkpoint
12 are `timestamps/00000012.tsq` and `.tsr`, which `openssl ts -verify` reads.
"""

import fcntl
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog
from cryptography.x509 import Certificate, load_pem_x509_certificates
from rfc3161_client import (
    HashAlgorithm,
    TimeStampRequest,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from audit.checkpoint import CHECKPOINT_FILE, Checkpoint, read_checkpoints
from audit.errors import AuditError, ChainError, SettingsError
from audit.faults import Fault, FaultKind
from audit.keys import place_file
from audit.settings import Settings
from audit.store.scan import Scan

FOLDER = "timestamps"

TIMEOUT_S = 10.0
"""How long an authority may take to answer."""

AT_ONCE = 20
"""How many requests that wait are sent after one checkpoint, the oldest first."""

MOST_BYTES = 1 << 20
"""More than any answer has: a few certificates and a signature."""

Send = Callable[[bytes], bytes]
"""Sends a request to the authority and returns its answer; raises OSError when it cannot."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Authority:
    """Who gives time stamps."""

    url: str

    def send(self, request: bytes) -> bytes:
        """Send a request and return the answer.

        Raises:
            OSError: The authority cannot be reached or refuses.
        """
        asked = urllib.request.Request(  # noqa: S310  # the setting allows http and https alone
            self.url, data=request, headers={"Content-Type": "application/timestamp-query"}
        )
        with urllib.request.urlopen(asked, timeout=TIMEOUT_S) as answer:  # noqa: S310  # as above
            content: bytes = answer.read(MOST_BYTES)
        return content


def load_roots(path: Path | None) -> tuple[Certificate, ...]:
    """Return the certificates in a PEM file; none without a file.

    Raises:
        SettingsError: The file cannot be read, or holds none.
    """
    if path is None:
        return ()
    try:
        return tuple(load_pem_x509_certificates(path.read_bytes()))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}; expected certificates (PEM)") from None
    except ValueError:
        raise SettingsError(f"{path}: found no certificates; expected PEM") from None


class Stamper:
    """Has the checkpoints of a data folder stamped."""

    def __init__(self, data_dir: Path, roots: Sequence[Certificate], send: Send) -> None:
        """Begin.

        Args:
            data_dir: The data folder.
            roots: The authority's certificates.
            send: How to reach the authority; `Authority.send` does.
        """
        self._data_dir, self._roots, self._send = data_dir, tuple(roots), send
        self._requests: dict[int, TimeStampRequest] = {}

    def ask(self, checkpoint: Checkpoint) -> None:
        """Put the request for a checkpoint among those that wait.

        Raises:
            AuditError: It cannot be written.
        """
        path = stamp_file(self._data_dir, checkpoint.number).with_suffix(".tsq")
        with self._alone() as alone:
            if alone and not path.exists():
                self._ask_for(checkpoint)

    def send(self) -> int:
        """Send what waits, the oldest first; return how many checkpoints were stamped.

        Raises:
            AuditError: A file of the data folder cannot be written or read.
        """
        with self._alone() as alone:
            return self._send_waiting() if alone else 0

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Say whether no other process, such as the server beside a watcher, does this now."""
        folder = self._data_dir / FOLDER
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with (folder / ".lock").open("ab") as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    yield False
                    return
                yield True
        except OSError as error:
            raise AuditError(f"{folder}: {error.strerror}") from None

    def _ask_for(self, checkpoint: Checkpoint) -> TimeStampRequest:
        builder = TimestampRequestBuilder().data(checkpoint.sealed)
        request = builder.hash_algorithm(HashAlgorithm.SHA256).cert_request(cert_request=True)
        made = self._requests[checkpoint.number] = request.build()
        path = stamp_file(self._data_dir, checkpoint.number).with_suffix(".tsq")
        place_file(path, made.as_bytes(), replace=True)
        return made

    def _send_waiting(self) -> int:
        waiting = waiting_stamps(self._data_dir)[:AT_ONCE]
        known = {}
        if any(number not in self._requests for number in waiting):
            # Those of an earlier run: asked for anew, since their nonces are not known any more.
            checkpoints = read_checkpoints(self._data_dir / CHECKPOINT_FILE)
            known = {checkpoint.number: checkpoint for checkpoint in checkpoints}
        done = 0
        for number in waiting:
            request = self._requests.get(number)
            if request is None:
                if number not in known:
                    continue  # Its checkpoint is gone, which verification tells.
                request = self._ask_for(known[number])
            if not self._stamp(number, request):
                break
            done += 1
        return done

    def _stamp(self, number: int, request: TimeStampRequest) -> bool:
        """Send one request and keep the answer; say whether it is worth sending the next."""
        try:
            answer = self._send(request.as_bytes())
            found = decode_timestamp_response(answer)
            builder = VerifierBuilder.from_request(request)
            _check(found, request.message_imprint.message, self._roots, builder)
        except (OSError, ValueError, VerificationError) as error:
            reason = str(getattr(error, "reason", error))
            _log.warning("timestamp.waiting", checkpoint=number, reason=reason)
            return False
        place_file(stamp_file(self._data_dir, number), answer, replace=True)
        del self._requests[number]
        return True


def stamper_for(settings: Settings) -> Stamper | None:
    """Return who has the checkpoints stamped; None where no authority is set.

    Raises:
        SettingsError: The authority's certificates are not set, or cannot be read.
    """
    if not settings.timestamp_url:
        return None
    roots = load_roots(settings.timestamp_roots)
    if not roots:
        raise SettingsError(
            "timestamp_roots: expected the authority's certificates (PEM) beside timestamp_url"
        )
    return Stamper(settings.data_dir, roots, Authority(settings.timestamp_url).send)


def stamp_file(data_dir: Path, number: int) -> Path:
    """Return where the time stamp of a checkpoint lies."""
    return data_dir / FOLDER / f"{number:08d}.tsr"


def waiting_stamps(data_dir: Path) -> list[int]:
    """Return the numbers of the checkpoints that wait for a time stamp, in order."""
    asked = (data_dir / FOLDER).glob("*.tsq")
    return sorted(
        int(path.stem)
        for path in asked
        if path.stem.isdecimal() and not path.with_suffix(".tsr").exists()
    )


def _check(
    found: TimeStampResponse,
    digest: bytes,
    roots: Sequence[Certificate],
    builder: VerifierBuilder,
) -> None:
    for root in roots:
        builder = builder.add_root_certificate(root)
    builder.build().verify(found, digest)


@dataclass(frozen=True, slots=True)
class StampProbe:
    """Looks at every time stamp, as a probe of `audit.verify`."""

    roots: tuple[Certificate, ...] = ()
    """The authority's certificates; without them only what was stamped is compared."""

    def __call__(self, scan: Scan, data_dir: Path) -> Fault | None:
        """Return the first time stamp that is not one over its checkpoint."""
        del scan
        found = sorted((data_dir / FOLDER).glob("*.tsr"))
        if not found:
            return None
        try:
            checkpoints = read_checkpoints(data_dir / CHECKPOINT_FILE)
        except (ChainError, UnicodeDecodeError, OSError) as error:
            return Fault(FaultKind.MALFORMED, CHECKPOINT_FILE, str(error))
        known = {checkpoint.number: checkpoint for checkpoint in checkpoints}
        for path in found:
            number = int(path.stem) if path.stem.isdecimal() else 0
            text = self._wrong(path, known.get(number))
            if text is not None:
                return Fault(FaultKind.TIME_STAMP, f"{FOLDER}/{path.name}", text)
        return None

    def _wrong(self, path: Path, checkpoint: Checkpoint | None) -> str | None:
        if checkpoint is None:
            return "there is no such checkpoint"
        try:
            found = decode_timestamp_response(path.read_bytes())
            digest = bytes.fromhex(checkpoint.hash)
            if found.tst_info.message_imprint.message != digest:
                return f"it stamps something else than checkpoint {checkpoint.number}"
            if self.roots:
                _check(found, digest, self.roots, VerifierBuilder())
        except (OSError, ValueError, VerificationError) as error:
            return f"not a time stamp of this authority: {error}"
        return None
