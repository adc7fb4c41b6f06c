"""Gathers what belongs to the evidence of one round."""

from collections.abc import Iterator
from dataclasses import dataclass

from audit.chain import SYSTEM, Entry, EntryKind, canonical
from audit.errors import NotInRecord, RecordConflict
from audit.evidence.folding import FOOTAGE_KINDS
from audit.evidence.footage import Clip, ClipState, Segment
from audit.evidence.windows import Span, span_of_round
from audit.rounds import RecordedRound
from audit.store import AlertQuery, Reader, SegmentQuery

_KEY_KINDS = frozenset({EntryKind.KEY_CREATED, EntryKind.KEY_ROTATED})
_BATCH = 1000

MOST_ENTRIES = 20_000
"""More entries than an hour at a table makes: a round with more is none."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What belongs to a round."""

    round: RecordedRound
    span: Span
    segments: tuple[Segment, ...]
    """All that have a part in its time, deleted ones too."""
    clip: Clip | None
    """Its clip, where it is ready and kept."""
    run: tuple[Entry, ...]
    """The table's entries from the first that belongs to it to the last, without a hole."""
    others: tuple[Entry, ...]
    """Entries that tell of it elsewhere: what it was watched with, the signing keys, its clip,
    deletions, holds, and everything that people did with it."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, by id."""
        return tuple(sorted((*self.run, *self.others), key=lambda entry: entry.id))


def gather(reader: Reader, round_id: str) -> Gathered:
    """Return what belongs to a round.

    Raises:
        NotInRecord: There is no such round.
        RecordConflict: Its time is not over yet.
    """
    recorded = reader.round(round_id)
    table = recorded.table
    span = span_of_round(reader, table, round_id, recorded.entry)
    if span is None:
        raise RecordConflict(f"round {round_id!r} is still being played; try again when it is over")
    query = SegmentQuery(table=table, since=span.since, until=span.until, kept=None)
    segments = reader.segments(query)
    clip = reader.clip_of(round_id)
    if clip is not None and (clip.state is not ClipState.READY or clip.deleted is not None):
        clip = None
    run = _run(reader, recorded, span)
    known = {entry.id for entry in run}
    others = [entry for entry in _others(reader, recorded, segments, clip, run[0]) if entry]
    unique = {entry.id: entry for entry in others if entry.id not in known}
    return Gathered(recorded, span, tuple(segments), clip, run, tuple(unique.values()))


def _run(reader: Reader, recorded: RecordedRound, span: Span) -> tuple[Entry, ...]:
    """Return the table's entries from the first that was seen in the round's time to its own.

    Entries of segments do not count for where it begins: those of a video that is read faster than
    it is watched come long before. They stand beside the run, each with its own proof.
    """
    table = recorded.table
    inside = reader.entries_between(table, span.since, span.until, limit=MOST_ENTRIES)
    seen = [entry.id for entry in inside if entry.kind not in FOOTAGE_KINDS]
    first = min([*seen, recorded.entry])
    found = reader.entries_after(first - 1, table=table, limit=MOST_ENTRIES)
    run = tuple(entry for entry in found if entry.id <= recorded.entry)
    if run[-1].id != recorded.entry:
        raise RecordConflict(
            f"round {recorded.round!r} has more than {MOST_ENTRIES} entries around it, "
            "expected at most so many"
        )
    return run


def _others(
    reader: Reader,
    recorded: RecordedRound,
    segments: list[Segment],
    clip: Clip | None,
    first: Entry,
) -> Iterator[Entry | None]:
    table = recorded.table
    yield reader.entry_before(table, first.id, [EntryKind.TABLE_STARTED])
    for segment in segments:
        yield reader.entry(segment.entry)
        if segment.deleted is not None:
            yield reader.entry(segment.deleted)
    if clip is not None:
        yield reader.entry(clip.entry)
    yield from _custody(reader, recorded, clip)


def _custody(reader: Reader, recorded: RecordedRound, clip: Clip | None) -> Iterator[Entry]:
    """Yield the keys, and all that people did with the round, its alerts, its clip or its time."""
    alerts = {alert.number for alert in reader.alerts(AlertQuery(round=recorded.round))}
    holds = {hold.number for hold in reader.holds(recorded.table) if hold.round == recorded.round}
    names = [recorded.round, *([clip.name] if clip else [])]
    last = 0
    while batch := reader.entries_after(last, table=SYSTEM, limit=_BATCH):
        last = batch[-1].id
        for entry in batch:
            body = entry.body
            text = canonical(body).decode()
            if (
                entry.kind in _KEY_KINDS
                or body.get("alert") in alerts
                or body.get("hold") in holds
                or any(name in text for name in names)
            ):
                yield entry


def started_with(gathered: Gathered) -> dict[str, str]:
    """Return what the table was watched with at the round: layout, house, model and software.

    Raises:
        NotInRecord: The record does not say.
    """
    starts = [entry for entry in gathered.entries if entry.kind is EntryKind.TABLE_STARTED]
    before = [entry for entry in starts if entry.id <= gathered.round.entry]
    if not before:
        raise NotInRecord(f"the record does not say with what {gathered.round.table} was watched")
    names = ("game", "source", "layout", "house", "model", "software")
    return {name: str(before[-1].body[name]) for name in names}
