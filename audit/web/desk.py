"""What the pages and the JSON ask of the record, put together for one screen at a time.

Every call reads (or appends) and returns; pages call it in a thread.
"""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from audit.alerts import OPEN_STATES, Alert, AlertState
from audit.chain import Entry
from audit.checkpoint import CHECKPOINT_FILE, Checkpoint, parse_checkpoint
from audit.errors import ChainError, RecordConflict
from audit.evidence.proof import footage_fault
from audit.faults import Verification
from audit.rounds import RecordedRound
from audit.store import AlertQuery, EntrySearch, Store
from audit.tables import TableState
from audit.verify import Outside, verify
from audit.web.board import Board
from audit.web.feed import TOLD_KINDS, FeedLineView, feed_line
from audit.web.labels import SEVERITY_ORDER
from audit.web.tiles import TableNow, Tile, recorded_view, tile_of
from audit.web.views import RoundView

FEED_LINES = 40
"""Lines of the live feed; older ones are in the audit explorer."""

DONE_LINES = 8
"""Alerts shown below the queue after they were acknowledged."""

_TAIL_BYTES = 1 << 20
"""More of the checkpoint file's end than any one line takes."""

RECENT_ROUNDS = 6
"""Rounds that the wall lists below its tiles."""

_BATCH = 1000
"""Entries read at a time."""


@dataclass(frozen=True, slots=True)
class AlertQueue:
    """The alerts as the wall shows them."""

    open: tuple[Alert, ...]
    """Not yet acknowledged: gravest first, and the newest first among equals."""
    done: tuple[Alert, ...]
    """Acknowledged and still to be judged, the newest first."""


class Desk:
    """The record as the web interface asks it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._verifying = Lock()
        self._following = Lock()
        self._boards: dict[str, Board] = {}

    def tiles(self) -> list[Tile]:
        """Return a tile a table, by name."""
        new = AlertQuery(states=frozenset({AlertState.NEW}))
        waiting = Counter(alert.table for alert in self.store.alerts(new))
        return [self._tile(state, waiting[state.table]) for state in self.store.tables()]

    def tile(self, table: str) -> Tile:
        """Return one table's tile.

        Raises:
            NotInRecord: The table was never watched.
        """
        state = self.store.table(table)
        new = AlertQuery(table=state.table, states=frozenset({AlertState.NEW}))
        return self._tile(state, len(self.store.alerts(new)))

    def _tile(self, state: TableState, waiting: int) -> Tile:
        last = next(iter(self.store.rounds(state.table, limit=1)), None)
        with self._following:
            board = self._board(state)
            return tile_of(TableNow(state, last, board, self._lost(state), waiting))

    def _lost(self, state: TableState) -> str | None:
        """Return why a table's camera sees nothing; None while it sees."""
        if state.seen:
            return None
        gap = next(iter(self.store.gaps(state.table, limit=1)), None)
        return gap.reason if gap else ""

    def _board(self, state: TableState) -> Board:
        """Return a table's board, having taken in all that is new; the caller holds the lock."""
        board = self._boards.get(state.table)
        if board is None or board.game != state.game:
            board = self._boards[state.table] = Board(state.table, state.game)
            # From the last round but one: a round's first events may stand before the entry that
            # ends the one before it.
            before = self.store.rounds(state.table, limit=2)[1:]
            board.last_id = before[0].entry if before else 0
        while entries := self.store.entries_after(board.last_id, table=state.table, limit=_BATCH):
            board.take(entries)
        return board

    def alerts(self) -> AlertQueue:
        """Return the alert queue."""
        waiting = self.store.alerts(AlertQuery(states=frozenset({AlertState.NEW})))
        done = AlertQuery(states=OPEN_STATES - {AlertState.NEW}, limit=DONE_LINES)
        return AlertQueue(tuple(sorted(waiting, key=_gravity)), tuple(self.store.alerts(done)))

    def recent(self) -> list[tuple[RecordedRound, RoundView]]:
        """Return the last rounds of all tables, the newest first."""
        return [(found, recorded_view(found)) for found in self.store.rounds(limit=RECENT_ROUNDS)]

    def feed(self) -> list[FeedLineView]:
        """Return the newest lines of the live feed, the newest first."""
        lines: list[FeedLineView] = []
        for back in (4 * FEED_LINES, 40 * FEED_LINES):  # Further where much was looked at.
            start = max(0, self.store.last_id() - back)
            newest = EntrySearch(kinds=TOLD_KINDS, after=start, limit=2 * FEED_LINES)
            entries = self.store.search_entries(newest)
            lines = [line for entry in entries if (line := feed_line(entry)) is not None]
            if len(lines) >= FEED_LINES or start == 0:
                break
        return lines[:FEED_LINES]

    def verify(self, user: str) -> Verification:
        """Verify the whole record, and record that it was done and what came out.

        Raises:
            RecordConflict: A verification is going on already.
        """
        if not self._verifying.acquire(blocking=False):
            raise RecordConflict("a verification is going on; wait for its end")
        try:
            found = verify(self.store, Outside(self.store.data_dir, probes=(footage_fault,)))
        finally:
            self._verifying.release()
        fault = str(found.fault) if found.fault else None
        self.store.record_act(user, "record.verified", {"entries": found.entries, "fault": fault})
        return found

    def read_after(self, last_id: int, limit: int) -> Sequence[Entry]:
        """Return entries as the event stream follows them."""
        return self.store.entries_after(last_id, limit=limit)


def last_checkpoint(data_dir: Path) -> Checkpoint | None:
    """Return the last checkpoint in the file beside the record, or None when there is none."""
    try:
        with (data_dir / CHECKPOINT_FILE).open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = file.read().split(b"\n")[:-1]  # A line without its end was cut by a crash.
        return parse_checkpoint(lines[-1].decode()) if lines else None
    except (OSError, UnicodeDecodeError, ChainError):
        return None  # The verification says what is wrong with the file; this page shows the rest.


def _gravity(alert: Alert) -> tuple[int, int]:
    known = alert.severity in SEVERITY_ORDER
    rank = SEVERITY_ORDER.index(alert.severity) if known else len(SEVERITY_ORDER)
    return rank, -alert.number
