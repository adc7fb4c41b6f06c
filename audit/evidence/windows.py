"""Which time a clip covers, and when all of it that there will be is recorded."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from audit.chain import EntryKind, JsonObject, utc_text
from audit.errors import NotInRecord
from audit.evidence.footage import Clip, RecordingGap, Segment
from audit.store import AlertQuery, Reader, SegmentQuery

MARGIN = timedelta(seconds=10)
"""What a clip shows before a hand begins and after it has ended."""

IDLE = timedelta(seconds=60)
"""When a table that nobody stopped has closed no segment for so long, nothing more will come."""

HOLE = timedelta(seconds=0.5)
"""A shorter time between two segments is the jitter of their dating, not missing footage."""

_BEGINNINGS = (
    EntryKind.CARD_PLACED,
    EntryKind.CARD_TURNED,
    EntryKind.CARD_MOVED,
    EntryKind.WAGER_PLACED,
)
_ROUNDS = (EntryKind.ROUND_READ, EntryKind.ROUND_CORRECTED)
_BREAKS = (*_ROUNDS, EntryKind.TABLE_STARTED, EntryKind.TABLE_STOPPED)


@dataclass(frozen=True, slots=True)
class Span:
    """A time, its end left out."""

    since: datetime
    until: datetime


def span_of(reader: Reader, clip: Clip) -> Span | None:
    """Return the time that a clip covers; None while its round is still running."""
    if clip.since is not None and clip.until is not None:
        return Span(clip.since, clip.until)
    return None if clip.round is None else span_of_round(reader, clip.table, clip.round, clip.entry)


def span_of_round(reader: Reader, table: str, round_id: str, entry: int) -> Span | None:
    """Return the time of a round with ten seconds before and after; None while it is running.

    Args:
        reader: The record.
        table: The table's name.
        round_id: The round's name.
        entry: An entry of the round: of a finding in it, or of the round itself.
    """
    alerts = reader.alerts(AlertQuery(table=table, round=round_id))
    moments = [moment for alert in alerts for moment in (alert.opened, alert.last_seen)]
    try:
        moments.append(reader.round(round_id).recorded)
    except NotInRecord:
        if reader.first_entry(table, entry, _NO_END, _BREAKS) is None:
            return None
    before = entry
    while (earlier := reader.entry_before(table, before, _BREAKS)) is not None:
        before = earlier.id
        if earlier.kind not in _ROUNDS or earlier.body["record"]["round"] != round_id:
            break
    after = 0 if earlier is None else earlier.id
    first = reader.first_entry(table, after, entry, _BEGINNINGS)
    if first is not None:
        moments.append(first.at)
    if not moments:
        return None
    return Span(min(moments) - MARGIN, max(moments) + MARGIN)


_NO_END = 2**62
"""Above the id of any entry."""


def is_recorded(reader: Reader, table: str, until: datetime, now: datetime) -> bool:
    """Say whether all that will ever be recorded of a time up to a moment is closed."""
    recorded = reader.recorded_until(table)
    if recorded is not None and recorded[0] >= until:
        return True
    try:
        if not reader.table(table).watching:
            return True
    except NotInRecord:
        return True
    newest = until if recorded is None else max(until, recorded[1])
    return now - newest > IDLE


def footage_of(reader: Reader, table: str, span: Span) -> list[Segment]:
    """Return the kept segments that have a part in a time, in order."""
    return reader.segments(SegmentQuery(table=table, since=span.since, until=span.until))


def holes_in(segments: list[Segment], gaps: list[RecordingGap], span: Span) -> list[JsonObject]:
    """Return the times that nothing was kept of: `{"since", "until", "reason"}` each, in order."""
    found: list[tuple[datetime, datetime, str]] = []
    at = span.since
    for start, end in [*((one.started, one.ended) for one in segments), (span.until, span.until)]:
        if start - at > HOLE:
            why = [gap.reason for gap in gaps if _overlaps(gap, at, start)]
            found.append((at, start, why[0] if why else "not recorded"))
        at = max(at, end)
    for gap in gaps:  # a segment may go on over a time without frames
        start, end = max(gap.started, span.since), min(gap.ended or span.until, span.until)
        if end - start > HOLE and not any(_overlaps(gap, *hole[:2]) for hole in found):
            found.append((start, end, gap.reason))
    return [
        {"since": utc_text(start), "until": utc_text(end), "reason": reason}
        for start, end, reason in sorted(found)
    ]


def _overlaps(gap: RecordingGap, since: datetime, until: datetime) -> bool:
    return gap.started < until and (gap.ended is None or gap.ended > since)
