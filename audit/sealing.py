"""Signs checkpoints on a schedule, beside whatever else a process does."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import structlog

from audit.checkpoint import Checkpoint
from audit.errors import AuditError
from audit.stamping import Stamper

_log = structlog.get_logger()


class Sealable(Protocol):
    """What checkpoints are made of: the store, or the courier of a watcher."""

    def checkpoint(self) -> Checkpoint:
        """Sign what the record holds."""
        ...


@contextmanager
def sealed_every(store: Sealable, seconds: float, stamper: Stamper | None = None) -> Iterator[None]:
    """Sign a checkpoint every so many seconds while the body runs, and once more at its end.

    Each is put among those that wait for a time stamp, when there is an authority to ask.
    A checkpoint that cannot be signed is logged and tried again: it must not end the process that
    shows or writes the record. `pitwatch verify` says how much is sealed.
    """
    over = threading.Event()

    def work() -> None:
        while not over.wait(seconds):
            _seal(store, stamper)
            _send(stamper)

    thread = threading.Thread(target=work, name="sealing", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        # Whoever ends does not wait for an authority: the next to run sends the request.
        _seal(store, stamper)


def _seal(store: Sealable, stamper: Stamper | None) -> None:
    try:
        checkpoint = store.checkpoint()
        if stamper is not None:
            stamper.ask(checkpoint)
    except AuditError as error:
        _log.warning("checkpoint.failed", reason=str(error))


def _send(stamper: Stamper | None) -> None:
    try:
        if stamper is not None:
            stamper.send()
    except AuditError as error:
        _log.warning("timestamp.failed", reason=str(error))
