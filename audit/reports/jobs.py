"""Reports on their way: made one after the other by a thread, with progress, and to be stopped."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum, unique
from pathlib import Path
from secrets import token_hex

import structlog

from audit.errors import AuditError, NotInRecord, RecordConflict, ReportCancelledError
from audit.reports.drawing import House
from audit.reports.issue import Issued, Order, issue
from audit.store import Store

MOST_WAITING = 8
"""More than so many at a time are refused: each reads the record through."""

KEPT = 50
"""How many that are over can still be asked about; what they issued stays in the record."""

_log = structlog.get_logger()


@unique
class JobState(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    WRITING = "writing"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


OVER = frozenset({JobState.DONE, JobState.CANCELLED, JobState.FAILED})


@dataclass(frozen=True, slots=True)
class Job:
    """A report that was asked for."""

    id: str
    order: Order
    asked: datetime
    state: JobState = JobState.WAITING
    done: int = 0
    total: int = 0
    issued: Issued | None = None
    problem: str = ""

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.state in OVER


class Jobs:
    """Makes reports, one at a time. Threads may share it."""

    def __init__(self, store: Store, folder: Path) -> None:
        """Take orders for reports into a folder.

        Args:
            store: The record.
            folder: Where reports are put; made when missing.
        """
        self._store, self._folder = store, folder
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._stopped: set[str] = set()
        self._turn = threading.Lock()

    def ask(self, order: Order, house: House) -> Job:
        """Take an order.

        Raises:
            RecordConflict: Too many are waiting.
        """
        job = Job(token_hex(8), order, datetime.now(UTC))
        with self._lock:
            if sum(not one.over for one in self._jobs.values()) >= MOST_WAITING:
                raise RecordConflict(f"{MOST_WAITING} reports are being made; wait for one to end")
            self._jobs[job.id] = job
            while len(self._jobs) > KEPT + MOST_WAITING:
                self._forget_one()
        threading.Thread(
            target=self._work, args=(job.id, house), name=f"report-{job.id}", daemon=True
        ).start()
        return job

    def job(self, job_id: str) -> Job:
        """Return a job as it stands.

        Raises:
            NotInRecord: There is none, or it was over long ago.
        """
        with self._lock:
            found = self._jobs.get(job_id)
        if found is None:
            raise NotInRecord(f"no report is being made under {job_id!r}")
        return found

    def cancel(self, job_id: str) -> Job:
        """Stop a job; one that is over stays as it is.

        Raises:
            NotInRecord: There is none.
        """
        self.job(job_id)
        with self._lock:
            self._stopped.add(job_id)
        return self.job(job_id)

    def _forget_one(self) -> None:
        gone = next(name for name, job in self._jobs.items() if job.over)
        del self._jobs[gone]
        self._stopped.discard(gone)

    def _change(self, job_id: str, change: Callable[[Job], Job]) -> None:
        with self._lock:
            self._jobs[job_id] = change(self._jobs[job_id])

    def _work(self, job_id: str, house: House) -> None:
        def progress(done: int, total: int) -> None:
            if job_id in self._stopped:
                raise ReportCancelledError("the report was cancelled")
            self._change(job_id, lambda job: replace(job, done=done, total=total))

        with self._turn:
            try:
                progress(0, 0)
                self._change(job_id, lambda job: replace(job, state=JobState.WRITING))
                order = self.job(job_id).order
                issued = issue(self._store, house, order, self._folder, progress)
            except ReportCancelledError:
                self._change(job_id, lambda job: replace(job, state=JobState.CANCELLED))
            except (AuditError, OSError) as error:
                _log.warning("report.failed", job=job_id, reason=str(error))
                told = str(error)
                self._change(job_id, lambda job: replace(job, state=JobState.FAILED, problem=told))
            else:
                self._change(job_id, lambda job: replace(job, state=JobState.DONE, issued=issued))
