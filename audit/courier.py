"""The courier: brings what a watcher sees into the record, also when the database is away.

Acts are sent in order by a thread of its own. Whoever keeps one waits until it is recorded; when
the database does not answer in time, the act is put into the spool instead, and watching goes on.
Either way it is on a disk before `keep` returns. When the database is back, what waits is sent in
order; an act that was recorded without anybody being told is known by its mark and not repeated.
"""

import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from types import TracebackType
from typing import Self

import structlog

from audit.chain import EntryKind, utc_text
from audit.checkpoint import Checkpoint
from audit.errors import AuditError, ChainError, StoreAway, StoreError
from audit.spool import Spool
from audit.store import Store
from audit.store.delivery import Act, Noted, Sent
from audit.tables import StepMark

PATIENCE_S = 2.0
"""How long one act may take to be recorded before it is put into the spool."""

CATCH_UP_S = 0.05
"""How long one act may take while what came before it is still being sent: long enough for the
sending to come to an end, short enough for watching to go on."""

AT_ONCE = 50
"""How many acts of the spool are recorded in one transaction."""

RETRY_S = 1.0
"""The pause between two tries while the database is away."""

CLOCK_STEP_S = 2.0
"""By how much the clock must have moved against the machine's own count of seconds to be noted."""

_log = structlog.get_logger()

Opening = Callable[[], Store]


class Courier:
    """Keeps the acts of one watcher at one table. Use it as a context: leaving it stops the thread.

    What could not be recorded by then stays in the spool for the next run.
    """

    def __init__(
        self,
        store: Store | Opening,
        spool: Spool,
        table: str,
        *,
        patience_s: float = PATIENCE_S,
        retry_s: float = RETRY_S,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Take over the table's spool, with what an earlier run left in it.

        Args:
            store: The record, or how to open it when it was away at the start.
            spool: The table's spool; closed at the end.
            table: The table's name.
            patience_s: How long to wait for the record before the spool is used, in seconds.
            retry_s: The pause between two tries, in seconds.
            wall: The machine's clock, in seconds since the Unix epoch.

        Raises:
            StoreError: The spool holds something that this program does not know.
        """
        self._store = store if isinstance(store, Store) else None
        self._opening = store if not isinstance(store, Store) else None
        self._spool, self._table = spool, table
        self._patience_s, self._retry_s = patience_s, retry_s
        self._run, self._number = uuid.uuid4().hex, 0
        self._wall = wall
        self._offset = wall() - time.monotonic()
        self._waiting = deque(spool.waiting())
        self._in_spool = len(self._waiting)
        """How many of those that wait, from the first, are on the disk."""
        self._away_since: datetime | None = None
        if self._waiting or self._opening is not None:
            self._away_since = _told_away(self._waiting) or _now()
        self._refused: dict[StepMark, AuditError] = {}
        self._known = not self._waiting
        """Whether it was asked how much of what waits is recorded already."""
        self._singly = 0
        """How many are to be sent one by one, since one of them was refused."""
        self._reason = ""
        self._failing = False
        """Whether the last try to send failed."""
        self._late = 0
        self._over = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name=f"courier-{table}", daemon=True)

    @property
    def run(self) -> str:
        """The name of this run, 32 hexadecimal digits."""
        return self._run

    @property
    def store(self) -> Store | None:
        """The record, to read from; None while the database is away."""
        with self._changed:
            return None if self._away_since is not None else self._store

    def __enter__(self) -> Self:
        """Begin to send."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait a little for what still waits, and end."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._thread.join(self._patience_s + self._retry_s)
        if not self._thread.is_alive():
            self._spool.close()

    def keep(self, act: Act) -> None:
        """Return once an act is recorded, or is in the spool.

        When neither can be written, it waits until one can, and says so in the log.

        Raises:
            AuditError: The record refuses the act, which fits nothing that it says.
        """
        with self._changed:
            self._note_clock()
            mark = self._add(act)
            self._changed.wait_for(lambda: self._settled(mark), self._patience())
            if self._waits_for(mark) and self._away_since is None:
                self._went_away("it did not answer in time")
            while self._waits_for(mark) and not self._spooled():
                self._changed.wait_for(lambda: not self._waits_for(mark), self._retry_s)
            refused = self._refused.pop(mark, None)
        if refused is not None:
            raise refused

    def settle(self, timeout_s: float) -> bool:
        """Wait until all that was kept is recorded; say whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting, timeout_s)

    def checkpoint(self) -> Checkpoint:
        """Sign what the record holds.

        Raises:
            StoreError: The database is away, or the checkpoint cannot be written.
        """
        store = self.store
        if store is None:
            raise StoreAway("the database is away; what is seen is kept in the spool")
        return store.checkpoint()

    def _note_clock(self) -> None:
        """Note when the clock was set: times before and after do not compare."""
        offset = self._wall() - time.monotonic()
        step = offset - self._offset
        if abs(step) < CLOCK_STEP_S:
            return
        self._offset = offset
        _log.warning("clock.stepped", table=self._table, by_s=round(step, 1))
        body = {"by_s": round(step, 1)}
        self._add(Noted(EntryKind.CLOCK_STEPPED, body, datetime.fromtimestamp(self._wall(), UTC)))

    def _patience(self) -> float:
        if self._away_since is None:
            return self._patience_s
        return 0.0 if self._failing else CATCH_UP_S

    def _settled(self, mark: StepMark) -> bool:
        return self._failing or not self._waits_for(mark)

    def _add(self, act: Act) -> StepMark:
        self._number += 1
        mark = StepMark(self._run, self._number)
        self._waiting.append(Sent(mark, act))
        self._changed.notify_all()
        return mark

    def _waits_for(self, mark: StepMark) -> bool:
        """Say whether an act is neither recorded nor refused; the newest are at the end."""
        return any(sent.mark == mark for sent in reversed(self._waiting))

    def _went_away(self, reason: str) -> None:
        self._away_since = _now()
        _log.warning("record.away", table=self._table, reason=reason)
        self._add(Noted(EntryKind.RECORD_AWAY, {"reason": reason}, self._away_since))

    def _spooled(self) -> bool:
        """Put all that waits into the spool; say whether it is on the disk.

        Raises:
            StoreError: The thread that sends has ended, so nothing would ever be sent.
        """
        if not self._thread.is_alive():
            raise StoreError(f"nothing is recorded at {self._table} any more: the courier ended")
        fresh = list(self._waiting)[self._in_spool :]
        try:
            self._spool.keep(fresh)
        except OSError as error:
            _log.error("spool.failed", path=str(self._spool.path), reason=error.strerror)
            return False
        self._in_spool += len(fresh)
        return True

    def _work(self) -> None:
        """Send what waits, until it is over: the thread."""
        while self._goes_on():
            sent: list[Sent] = []
            try:
                store = self._opened()
                sent = self._next()
                store.deliver_all(self._table, sent)
            except StoreError as error:
                self._failed(error)
            except AuditError as error:
                self._refuse(sent, error)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                # Something in it has not the form that it should have, such as a finding's fields.
                told = ChainError(f"not fit for the record: {type(error).__name__}: {error}")
                self._refuse(sent, told)
            else:
                self._recorded(len(sent))

    def _goes_on(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: bool(self._waiting) or self._over)
            # What is in the spool when it is over is left to the next run.
            return bool(self._waiting) and not (self._over and self._away_since is not None)

    def _next(self) -> list[Sent]:
        """Return what is to be recorded in one transaction."""
        with self._changed:
            many = 1 if self._singly else min(AT_ONCE, max(1, self._in_spool))
            return list(islice(self._waiting, many))

    def _opened(self) -> Store:
        if self._store is None and self._opening is not None:
            self._store = self._opening()
        if self._store is None:
            raise StoreError("there is no record to open")
        if not self._known:
            self._forget_delivered(self._store)
        return self._store

    def _forget_delivered(self, store: Store) -> None:
        """Leave out what an earlier run had sent before it was killed."""
        with self._changed:
            runs = {sent.mark.run for sent in self._waiting}
        known = store.delivered(runs)
        with self._changed:
            while self._waiting and self._in_spool:
                mark = self._waiting[0].mark
                if mark.number > known.get(mark.run, 0):
                    break
                self._waiting.popleft()
                self._in_spool -= 1
            self._known = True

    def _failed(self, error: StoreError) -> None:
        with self._changed:
            if self._away_since is None:
                self._went_away(str(error))
            elif str(error) != self._reason:
                _log.warning("record.away", table=self._table, reason=str(error))
            self._reason = str(error)
            self._failing = True
            self._changed.notify_all()
        self._pause()

    def _pause(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._over, self._retry_s)

    def _recorded(self, many: int) -> None:
        with self._changed:
            for _ in range(many):
                self._waiting.popleft()
                if self._in_spool:
                    self._in_spool -= 1
                    self._late += 1
            self._failing = False
            self._singly = max(0, self._singly - many)
            if not self._waiting:
                self._is_back()
            self._changed.notify_all()

    def _is_back(self) -> None:
        """All that waited is recorded: empty the spool, and say how long the database was away."""
        with suppress(OSError):  # Then it is sent again, and known by its marks.
            self._spool.clear()
        since, self._away_since, self._reason = self._away_since, None, ""
        if since is None:
            return
        late, self._late = self._late, 0
        _log.warning("record.back", table=self._table, since=utc_text(since), acts=late)
        self._add(Noted(EntryKind.RECORD_BACK, {"since": utc_text(since), "acts": late}, _now()))

    def _refuse(self, sent: Sequence[Sent], error: AuditError) -> None:
        """Set an act aside that can never be recorded; whoever waits for it is told."""
        with self._changed:
            if len(sent) > 1:  # One of these: it shows when they are sent one after another.
                self._singly = len(sent)
                return
            for one in sent:
                if self._in_spool:
                    _log.error("act.refused", table=self._table, reason=str(error))
                    with suppress(OSError):  # The log says it in any case.
                        self._spool.set_aside(one)
                else:
                    self._refused[one.mark] = error
        self._recorded(len(sent))


def _told_away(waiting: Iterable[Sent]) -> datetime | None:
    """Return since when the database was away, as the run that ended had noted it."""
    for sent in waiting:
        if isinstance(sent.act, Noted) and sent.act.kind is EntryKind.RECORD_AWAY:
            return sent.act.at
    return None


def _now() -> datetime:
    return datetime.now(UTC)
