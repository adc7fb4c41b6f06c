"""The keeper: cuts clips as they fall due and carries retention out, beside whatever else runs."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog

from audit.errors import AuditError
from audit.evidence.enforcing import enforce, unlink, warn_in_time
from audit.evidence.retention import RetentionRules
from audit.store import Store
from audit.watch.clips import cut_due_clips

CLIPS_EVERY_S = 1.0
"""How often clips are looked at, seconds."""

RETENTION_EVERY_S = 300.0
"""How often the disk and the age of footage are looked at, seconds."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Keeper:
    """What keeps footage in order."""

    store: Callable[[], Store | None]
    """Gives the record; None while the database is away."""
    data_dir: Path
    rules: RetentionRules
    table: str | None = None
    """Only the clips of this table; those of all tables when it is None."""

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Work in a thread of its own while the body runs; a watcher's last clips at its end."""
        over = threading.Event()
        thread = threading.Thread(target=self._work, args=(over,), name="keeper", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            if self.table is not None:
                self._cut(final=True)

    def _work(self, over: threading.Event) -> None:
        due: float | None = None
        while not over.wait(CLIPS_EVERY_S):
            self._cut(over=over)
            if due is None or time.monotonic() >= due:
                self._tidy(first=due is None)
                due = time.monotonic() + RETENTION_EVERY_S

    def _cut(self, *, final: bool = False, over: threading.Event | None = None) -> None:
        store = self.store()
        if store is None:
            return
        try:
            cut_due_clips(store, self.data_dir, table=self.table, final=final, over=over)
        except AuditError as error:
            _log.warning("clips.failed", reason=str(error))

    def _tidy(self, *, first: bool) -> None:
        store = self.store()
        if store is None:
            return
        now = datetime.now(UTC)
        try:
            if first:
                unlink(self.data_dir, store.deleted_lately())
            done = enforce(store, self.data_dir, self.rules, now)
            if done.deleted:
                _log.info("footage.deleted", files=done.deleted, bytes=done.freed)
            warn_in_time(store, self.data_dir, self.rules, now)
        except AuditError as error:
            _log.warning("retention.failed", reason=str(error))
