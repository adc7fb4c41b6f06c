"""Films a table while it is watched: each closed segment becomes an entry of the table's chain.

It runs in a thread of its own, with a connection of its own. Detection never waits for it, and it
never waits for detection.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import assert_never

import structlog

from audit.chain import EntryKind, JsonObject, utc_text
from audit.courier import Courier
from audit.errors import AuditError
from audit.evidence.files import RECORDINGS, moment_in_name, new_segment_name
from audit.evidence.footage import Making
from audit.store import ProvedFinding, Step
from audit.store.acts import moment
from audit.store.delivery import Noted, Stepped
from audit.watch.keeping import Keeper
from vision.errors import VisionError
from vision.frames import SourceBack, SourceLost
from vision.recorder import Plan, Recorder, RecorderItem
from vision.segments import PART, Segment, adopt

ALARM_S = 15.0
"""A table that is seen and not recorded for so long raises an alert."""

END_S = 30.0
"""How long the recorder of a video that has ended may take to catch up, seconds."""

_SEEN_S = 5.0
"""A camera whose last picture is older does not see the table: that is another alert."""

_log = structlog.get_logger()


@dataclass(slots=True)
class Filming:
    """The recording of one table."""

    recorder: Recorder
    courier: Courier
    data_dir: Path
    table: str
    anchor: datetime
    """The moment at which the source's line of time is 0."""
    paced: bool = False
    """Whether the source is a recording that is played at its own pace."""
    keeper: Keeper | None = None
    """What cuts the clips of what is recorded."""
    watched: bool = True
    """Whether the pictures are looked at, too; those of a second camera are recorded only."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _seen: float = -_SEEN_S
    _end: float | None = None
    _lost: str | None = None
    _alarm: threading.Timer | None = None

    @contextmanager
    def rolling(self) -> Iterator[None]:
        """Record while the body runs; a video that it watched to its end is recorded to its end."""
        with nullcontext() if self.keeper is None else self.keeper.at_work():
            yield from self._rolling()

    def _rolling(self) -> Iterator[None]:
        self._adopt()
        thread = threading.Thread(target=self._work, name=f"filming-{self.table}", daemon=True)
        thread.start()
        try:
            yield
            if not self.recorder.endless:
                thread.join(END_S)
        finally:
            self._stop.set()
            thread.join(END_S)
            if self._alarm is not None:
                self._alarm.cancel()

    def see(self) -> None:
        """Take note that the camera gave a picture."""
        self._seen = time.monotonic()

    def _work(self) -> None:
        plan = Plan(self._place, self._stop, paced=self.paced)
        try:
            try:
                for item in self.recorder.run(plan):
                    self._take(item)
            except VisionError as error:
                at = self._end if self._end is not None else self._now()
                self._take(SourceLost(str(error), at))
        except AuditError as error:
            _log.error("recording.refused", table=self.table, reason=str(error))

    def _take(self, item: RecorderItem) -> None:
        match item:
            case Segment():
                self._end = item.end
                self._note(EntryKind.SEGMENT_CLOSED, self._body(item), item.end)
            case SourceLost():
                self._lost = utc_text(moment(self.anchor, item.at))
                self._note(EntryKind.RECORDING_LOST, {"reason": item.reason}, item.at)
                self._arm(item)
            case SourceBack():
                if self._alarm is not None:
                    self._alarm.cancel()
                self._note(EntryKind.RECORDING_BACK, {"since": self._lost}, item.at)
                self._lost = None
            case _:
                assert_never(item)

    def _note(self, kind: EntryKind, body: JsonObject, at: float) -> None:
        self.courier.keep(Noted(kind, body, moment(self.anchor, at)))

    def _arm(self, lost: SourceLost) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = threading.Timer(ALARM_S, self._alert, (lost,))
        self._alarm.daemon = True
        self._alarm.start()

    def _alert(self, lost: SourceLost) -> None:
        """Raise an alert where the table is seen and not recorded."""
        if self._lost is None or self._stop.is_set():
            return
        if self.watched and time.monotonic() - self._seen > _SEEN_S:
            self._arm(lost)  # The picture may come back before the recording does.
            return
        finding = {
            "code": "recording-lost",
            "seat": None,
            "trick": None,
            "subject": self._lost,
            "rule": "",
            "severity": "high",
            "text": f"The table is not recorded: {lost.reason}",
            "proved_by": None,
        }
        step = Step(findings=(ProvedFinding(finding, lost.at),))
        try:
            self.courier.keep(Stepped(step, self.anchor))
        except AuditError as error:
            _log.error("recording.refused", table=self.table, reason=str(error))

    def _now(self) -> float:
        return (datetime.now(UTC) - self.anchor) / timedelta(seconds=1)

    def _place(self, start: float) -> Path:
        at = moment(self.anchor, start)
        return self.data_dir / RECORDINGS / new_segment_name(self.table, at)

    def _body(self, segment: Segment, *, adopted: bool = False) -> JsonObject:
        making = Making.COPIED if segment.copied else Making.ENCODED
        return {
            "name": segment.path.relative_to(self.data_dir / RECORDINGS).as_posix(),
            "started": utc_text(moment(self.anchor, segment.start)),
            "frames": segment.frames,
            "size": segment.size,
            "sha256": segment.sha256,
            "codec": segment.codec,
            "width": segment.width,
            "height": segment.height,
            "making": making.value,
            "adopted": adopted,
            "closed": utc_text(datetime.now(UTC)),
        }

    def _adopt(self) -> None:
        """Take over what a crash left of this table: closed and not in the record, or half written.

        Only the newest two days are looked at: a watcher that was away for longer left nothing
        fresh.
        """
        store = self.courier.store
        if store is None:
            return  # while the database is away nobody can say what is known
        folder = self.data_dir / RECORDINGS / self.table
        days = sorted(folder.glob("[0-9]" * 8))[-2:] if folder.is_dir() else []
        found = sorted(path for day in days for path in day.rglob("*") if path.is_file())
        if not found:
            return
        oldest = datetime.strptime(days[0].name[:8], "%Y%m%d").replace(tzinfo=UTC)
        known = store.segment_names(self.table, oldest)
        for path in found:
            name = path.relative_to(self.data_dir / RECORDINGS).as_posix()
            if name not in known and path.suffix in (PART, ".mp4"):
                self._adopt_one(path, name)

    def _adopt_one(self, path: Path, name: str) -> None:
        try:
            at = moment_in_name(name)
            start = (at - self.anchor) / timedelta(seconds=1)
            segment = adopt(path, start)
        except (VisionError, ValueError) as error:
            broken = path.rename(path.with_suffix(".broken"))
            body: JsonObject = {
                "name": broken.relative_to(self.data_dir / RECORDINGS).as_posix(),
                "size": broken.stat().st_size,
                "reason": str(error),
            }
            self.courier.keep(Noted(EntryKind.SEGMENT_UNREADABLE, body, datetime.now(UTC)))
            return
        body = self._body(segment, adopted=True)
        self._note(EntryKind.SEGMENT_CLOSED, body, segment.end)
