"""Writes the trace of a table while it is watched: see `audit.traces`."""

import json
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import structlog

from audit.chain import utc_text
from audit.store.acts import moment
from audit.traces import TRACES, trace_file
from rules.events import UNREADABLE
from vision.pipeline import Observation, SeenCard

EVERY_S = 0.1
"""The shortest time between two lines, in seconds: what moves is drawn ten times a second."""

WHOLE_S = 20.0
"""How often a line tells all cards, so that drawing can begin there."""

STILL_PX = 1.5
"""A card whose corners moved less lies still."""

KEPT = timedelta(days=400)
"""How long traces are kept: longer than the footage that they are drawn on."""

_log = structlog.get_logger()


class Trace:
    """The trace of one table."""

    def __init__(self, data_dir: Path, table: str, anchor: datetime) -> None:
        self._data_dir = data_dir
        self._table = table
        self._anchor = anchor
        self._told: dict[int, list[Any]] = {}
        self._due = self._whole_due = float("-inf")
        self._broken = False

    def note(self, observation: Observation) -> None:
        """Write what changed since the last line. A disk that cannot be written ends the trace."""
        frame = observation.frame
        if self._broken or frame is None or frame.at < self._due:
            return
        now = {card.number: _told(card) for card in observation.cards}
        whole = frame.at >= self._whole_due
        changed = {n: card for n, card in now.items() if whole or self._differs(n, card)}
        gone = [] if whole else sorted(self._told.keys() - now.keys())
        if not changed and not gone and not whole:
            return
        self._due = frame.at + EVERY_S
        if whole:
            self._whole_due = frame.at + WHOLE_S
            self._told = {}
        else:
            self._told = {n: card for n, card in self._told.items() if n in now}
        self._told |= changed
        at = moment(self._anchor, frame.at)
        height, width = frame.image.shape[:2]
        line = {"at": utc_text(at), "size": [width, height], "set": changed}
        self._write(
            at, line | ({"whole": True} if whole else {}) | ({"gone": gone} if gone else {})
        )

    def _differs(self, number: int, card: list[Any]) -> bool:
        known = self._told.get(number)
        if known is None or (known[0], known[3]) != (card[0], card[3]):
            return True
        pairs = zip(known[2], card[2], strict=True)
        return any(max(abs(a[0] - b[0]), abs(a[1] - b[1])) > STILL_PX for a, b in pairs)

    def _write(self, at: datetime, line: dict[str, Any]) -> None:
        path = trace_file(self._data_dir, self._table, at)
        try:
            if not path.parent.exists():
                path.parent.mkdir(parents=True)
                self._forget(at)
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
        except OSError as error:
            self._broken = True
            _log.warning("trace.lost", table=self._table, reason=error.strerror)

    def _forget(self, now: datetime) -> None:
        # By the line of time that is written, so that a wrong clock deletes nothing of its own.
        oldest = f"{now - KEPT:%Y%m%d}"
        for day in (self._data_dir / TRACES / self._table).iterdir():
            if day.name < oldest:
                shutil.rmtree(day, ignore_errors=True)


def _told(card: SeenCard) -> list[Any]:
    face = "?" if card.face is UNREADABLE else None if card.face is None else str(card.face)
    corners = [[round(float(x), 1), round(float(y), 1)] for x, y in card.corners]
    return [face, round(card.confidence, 3), corners, card.covered]
