"""Questions about footage: segments, times without any, clips and holds."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from audit.chain import Entry, EntryKind
from audit.database import UtcDateTime
from audit.errors import NotInRecord
from audit.evidence.footage import Clip, ClipState, RecordingGap, Segment, clip_of_round
from audit.evidence.holds import Hold
from audit.evidence.records import (
    ClipRecord,
    HoldRecord,
    RecordingGapRecord,
    SegmentRecord,
)
from audit.records import CheckpointRecord, EntryRecord
from audit.store.asking import Asking, entry_of


@dataclass(frozen=True, slots=True)
class SegmentQuery:
    """Which segments are asked for; what is None does not narrow."""

    table: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Segments that have a part in this time."""
    kept: bool | None = True
    """Only those that lie in the data folder; False: only deleted ones; None: both."""
    flagged: bool | None = None
    limit: int | None = 10_000


@dataclass(frozen=True, slots=True)
class Lately:
    """How much was recorded of late, deleted or not."""

    size: int
    """Bytes of segments."""
    flagged: int
    """Bytes of those that clips of flagged hands stand on."""
    since: datetime
    """Since when: the moment asked for, or the beginning of all recording when that was later."""


class AskingFootage(Asking):
    """The part of a record's reader that knows of footage."""

    def segments(self, query: SegmentQuery | None = None) -> list[Segment]:
        """Return recorded segments in the order of their time."""
        asked = query or SegmentQuery()
        line = SegmentRecord
        where: list[ColumnElement[bool]] = []
        if asked.table is not None:
            where.append(col(line.table) == asked.table)
        if asked.since is not None:
            where.append(col(line.ended) > asked.since)
        if asked.until is not None:
            where.append(col(line.started) < asked.until)
        if asked.kept is not None:
            gone = col(line.deleted)
            where.append(gone.is_(None) if asked.kept else gone.is_not(None))
        if asked.flagged is not None:
            where.append(col(line.flagged).is_(asked.flagged))
        order = (col(line.started), col(line.entry))
        return self._rows(Segment, *where, order=order, limit=asked.limit)

    def segment(self, entry: int) -> Segment:
        """Return one segment by the entry that tells of it.

        Raises:
            NotInRecord: There is none.
        """
        where = col(SegmentRecord.entry) == entry
        rows = self._rows(Segment, where, order=col(SegmentRecord.entry))
        if not rows:
            raise NotInRecord(f"no segment {entry} in the record")
        return rows[0]

    def last_segment(self, table: str) -> Segment | None:
        """Return a table's newest segment, deleted or not; None when nothing was ever recorded."""
        rows = self._rows(
            Segment,
            col(SegmentRecord.table) == table,
            order=col(SegmentRecord.entry).desc(),
            limit=1,
        )
        return rows[0] if rows else None

    def deleted_lately(self, limit: int | None = 1000) -> list[Segment]:
        """Return the segments that were deleted last, the newest deletion first."""
        gone = col(SegmentRecord.deleted)
        return self._rows(Segment, gone.is_not(None), order=gone.desc(), limit=limit)

    def segment_names(self, table: str, since: datetime) -> frozenset[str]:
        """Return the names of a table's segments that ended after a moment, deleted ones too."""
        query = select(col(SegmentRecord.name)).where(
            col(SegmentRecord.table) == table, col(SegmentRecord.ended) > since
        )
        return self._read(lambda session: frozenset(session.connection().execute(query).scalars()))

    def recording_gaps(
        self, table: str, since: datetime | None = None, until: datetime | None = None
    ) -> list[RecordingGap]:
        """Return the times in which a table was watched and not recorded, in order."""
        line = RecordingGapRecord
        where = [col(line.table) == table]
        if since is not None:
            where.append(or_(col(line.ended).is_(None), col(line.ended) > since))
        if until is not None:
            where.append(col(line.started) < until)
        return self._rows(RecordingGap, *where, order=col(line.started))

    def clips(
        self,
        table: str | None = None,
        *,
        states: Iterable[ClipState] | None = None,
        ended: datetime | None = None,
        limit: int | None = 200,
    ) -> list[Clip]:
        """Return clips, the newest first; with `ended`, those of a time over by then and kept."""
        where: list[ColumnElement[bool]] = []
        if table is not None:
            where.append(col(ClipRecord.table) == table)
        if states is not None:
            where.append(col(ClipRecord.state).in_(tuple(states)))
        if ended is not None:
            where += [col(ClipRecord.until) <= ended, col(ClipRecord.deleted).is_(None)]
        order = (col(ClipRecord.asked).desc(), col(ClipRecord.name))
        return self._rows(Clip, *where, order=order, limit=limit)

    def clip(self, name: str) -> Clip:
        """Return a clip by its name.

        Raises:
            NotInRecord: There is none.
        """
        rows = self._rows(Clip, col(ClipRecord.name) == name, order=col(ClipRecord.name))
        if not rows:
            raise NotInRecord(f"no clip {name!r} in the record")
        return rows[0]

    def clip_of(self, round_id: str) -> Clip | None:
        """Return a round's clip; None where nothing was found in the round."""
        where = col(ClipRecord.name) == clip_of_round(round_id)
        rows = self._rows(Clip, where, order=col(ClipRecord.name))
        return rows[0] if rows else None

    def holds(self, table: str | None = None, *, active: bool = False) -> list[Hold]:
        """Return legal holds by number; with `active`, only those that still hold."""
        where: list[ColumnElement[bool]] = []
        if table is not None:
            where.append(col(HoldRecord.table) == table)
        if active:
            where.append(col(HoldRecord.released).is_(None))
        return self._rows(Hold, *where, order=col(HoldRecord.number))

    def footage_size(self, table: str | None = None) -> int:
        """Return how many bytes of segments and clips are kept."""
        kinds = (SegmentRecord, ClipRecord)
        sizes = [
            self._size(
                col(kind.size),
                col(kind.deleted).is_(None),
                *([] if table is None else [col(kind.table) == table]),
            )
            for kind in kinds
        ]
        return sum(sizes)

    def footage_lately(self, since: datetime) -> Lately | None:
        """Return how much was recorded since a moment; None when nothing was."""
        line = SegmentRecord
        flagged = func.sum(col(line.size)).filter(col(line.flagged).is_(True))
        began = func.min(col(line.started), type_=UtcDateTime())
        query = select(func.sum(col(line.size)), flagged, began).where(col(line.started) > since)
        earlier = select(col(line.entry)).where(col(line.started) <= since).limit(1)

        def work(session: Session) -> Lately | None:
            size, held, first = session.connection().execute(query).one()
            if not size:
                return None
            before = session.connection().execute(earlier).first() is not None
            return Lately(int(size), int(held or 0), since if before else first)

        return self._read(work)

    def _size(self, size: Mapped[int | None], *where: ColumnElement[bool]) -> int:
        query = select(func.sum(size)).where(*where)
        return int(self._read(lambda session: session.connection().execute(query).scalar()) or 0)

    def sealed_hashes(self, checkpoint: int, size: int) -> list[tuple[int, str]]:
        """Return the ids and hashes of the entries that a checkpoint covers, in order."""
        last = select(col(CheckpointRecord.last_id)).where(
            col(CheckpointRecord.number) == checkpoint
        )
        query = (
            select(col(EntryRecord.id), col(EntryRecord.hash))
            .where(col(EntryRecord.id) <= last.scalar_subquery())
            .order_by(col(EntryRecord.id))
            .limit(size)
        )
        return self._read(
            lambda session: [(row.id, row.hash) for row in session.connection().execute(query)]
        )

    def recorded_until(self, table: str) -> tuple[datetime, datetime] | None:
        """Return the end of what is recorded of a table, and when its last segment was closed."""
        line = SegmentRecord
        rows = self._rows(Segment, col(line.table) == table, order=col(line.ended).desc(), limit=1)
        last = self.last_segment(table)
        return None if last is None else (rows[0].ended, last.closed)

    def first_entry(
        self, table: str, after: int, before: int, kinds: Iterable[EntryKind]
    ) -> Entry | None:
        """Return a table's first entry of some kinds between two entries, both left out."""
        query = (
            select(EntryRecord)
            .where(
                col(EntryRecord.chain) == table,
                col(EntryRecord.id) > after,
                col(EntryRecord.id) < before,
                col(EntryRecord.kind).in_([kind.value for kind in kinds]),
            )
            .order_by(col(EntryRecord.id))
            .limit(1)
        )
        row = self._read(lambda session: session.connection().execute(query).first())
        return None if row is None else entry_of(row)

    def entry_before(self, table: str, entry: int, kinds: Iterable[EntryKind]) -> Entry | None:
        """Return the last entry of a table before another one that has one of some kinds."""
        query = (
            select(EntryRecord)
            .where(
                col(EntryRecord.chain) == table,
                col(EntryRecord.id) < entry,
                col(EntryRecord.kind).in_([kind.value for kind in kinds]),
            )
            .order_by(col(EntryRecord.id).desc())
            .limit(1)
        )
        row = self._read(lambda session: session.connection().execute(query).first())
        return None if row is None else entry_of(row)
