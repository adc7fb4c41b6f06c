"""Coverage: what was not seen is said first, then what was watched and how well it could be read.

Time counts as watched only as far as the record proves it: a watcher that was killed leaves no word
of its end, so what comes after its last entry is "not known", never "watched".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from fractions import Fraction

from audit.chain import EntryKind, utc_moment
from audit.reports.draw import GAME, HANDS, TABLE, count, rules_in_force
from audit.reports.shape import (
    Bar,
    Chart,
    Column,
    ColumnKind,
    Fact,
    Report,
    Request,
    Said,
    fixed,
    share,
)
from audit.store.reporting import RoundCount, Snapshot, Window
from audit.web.language import N_

Stretch = tuple[datetime, datetime]

_KINDS = (
    EntryKind.TABLE_STARTED,
    EntryKind.TABLE_STOPPED,
    EntryKind.FEED_LOST,
    EntryKind.FEED_BACK,
)


@dataclass(frozen=True, slots=True)
class CoverageLine:
    """How much of a range a table was seen, in whole seconds."""

    table: str
    not_watched: int
    """No watcher ran."""
    unknown: int
    """A watcher had begun and never said that it ended, and nothing more is heard of it."""
    unseen: int
    """Watched, while the camera gave no picture."""
    seen: int
    gaps: int
    rounds: int
    unsure: int
    """Rounds that could not be judged as a whole."""
    unreadable: int
    """Rounds with a card that could not be read."""
    seen_share: Fraction | None
    unsure_share: Fraction | None
    unreadable_share: Fraction | None


@dataclass(frozen=True, slots=True)
class GapLine:
    """A time in which nothing could be seen of a table."""

    table: str
    started: datetime
    ended: datetime | None
    seconds: int
    reason: str


COVERAGE = (
    TABLE,
    Column("not_watched", N_("Not watched"), ColumnKind.SECONDS, width=10),
    Column("unknown", N_("Not known"), ColumnKind.SECONDS, width=10),
    Column("unseen", N_("No picture"), ColumnKind.SECONDS, width=10),
    Column("seen", N_("Seen"), ColumnKind.SECONDS, width=10),
    Column("seen_share", N_("Share seen"), ColumnKind.SHARE, width=8),
    count("gaps", N_("Gaps"), 6),
    count("rounds", N_("Rounds")),
    count("unsure", N_("Unsure")),
    Column("unsure_share", N_("Unsure rate"), ColumnKind.SHARE, width=8),
    count("unreadable", N_("Card unread"), 8),
    Column("unreadable_share", N_("Unread rate"), ColumnKind.SHARE, width=8),
)

GAPS = (
    TABLE,
    Column("started", N_("From"), ColumnKind.MOMENT, width=17),
    Column("ended", N_("To"), ColumnKind.MOMENT, width=17),
    Column("seconds", N_("Length"), ColumnKind.SECONDS, width=10),
    Column("reason", N_("Reason"), width=40),
)


@dataclass(frozen=True, slots=True)
class Watched:
    """What is known of the tables' being seen in a range."""

    tables: tuple[CoverageLine, ...]
    gaps: tuple[GapLine, ...]


def coverage_report(snapshot: Snapshot, request: Request) -> Report:
    """Draw the coverage report."""
    window = Window(request.span.since, request.span.until, request.tables)
    found = watched(snapshot, window)
    total = _total(found.tables)
    bars = tuple(
        Bar(line.table, float(100 * line.seen_share))
        for line in found.tables
        if line.seen_share is not None
    )
    rounds = snapshot.round_counts(window)
    return Report(
        request=request,
        facts=(
            Fact(N_("Not watched"), total.not_watched, ColumnKind.SECONDS),
            Fact(N_("Not known"), total.unknown, ColumnKind.SECONDS),
            Fact(N_("No picture"), total.unseen, ColumnKind.SECONDS),
            Fact(N_("Seen"), total.seen, ColumnKind.SECONDS),
            Fact(N_("Unsure rate"), total.unsure_share, ColumnKind.SHARE),
        ),
        notices=unseen_notices(found),
        sections=(
            fixed("gaps", N_("When nothing was seen"), GAPS, found.gaps),
            fixed("coverage", N_("Coverage by table"), COVERAGE, found.tables)
            .with_total(total)
            .with_chart(Chart(N_("Share of the time seen"), " %", bars) if bars else None),
            fixed("outcomes", N_("Rounds by table and game"), _OUTCOMES, rounds),
        ),
        rules=rules_in_force(snapshot, window),
        last_entry=snapshot.last_entry(),
        hands=tuple(snapshot.rounds(window, "unsure", limit=HANDS)),
        hands_left_out=max(0, sum(row.unsure for row in rounds) - HANDS),
    )


_OUTCOMES = (
    TABLE,
    GAME,
    count("rounds", N_("Rounds")),
    count("complete", N_("Complete")),
    count("unsure", N_("Unsure")),
    count("incomplete", N_("Incomplete")),
)


def unseen_notices(found: Watched) -> tuple[Said, ...]:
    """Return what a reader has to know first: what was not seen."""
    total = _total(found.tables)
    if not found.tables:
        text = N_("No table was watched in this range. This report can tell nothing of it.")
        return (Said(text, grave=True),)
    told = []
    if total.not_watched:
        text = N_("Not watched: %(time)s of table time. What happened then is not in this report.")
        told.append(Said(text, {"time": clock_text(total.not_watched)}, grave=True))
    if total.unknown:
        text = N_(
            "Not known: %(time)s of table time, after a watcher's last sign of life. It is not "
            "counted as watched."
        )
        told.append(Said(text, {"time": clock_text(total.unknown)}, grave=True))
    if total.unseen:
        text = N_("No picture: %(time)s of watched time in %(gaps)s gaps.")
        values: dict[str, str | int] = {
            "time": clock_text(total.unseen),
            "gaps": total.gaps,
        }
        told.append(Said(text, values, grave=True))
    if total.unsure:
        text = N_("%(unsure)s of %(rounds)s rounds could not be judged as a whole.")
        told.append(Said(text, {"unsure": total.unsure, "rounds": total.rounds}, grave=True))
    if not told:
        told.append(Said(N_("Every table was watched throughout, with a picture at all times.")))
    return tuple(told)


def clock_text(seconds: int) -> str:
    """Return a length of time in hours, minutes and seconds.

    >>> clock_text(90061)
    '25:01:01'
    """
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def watched(snapshot: Snapshot, window: Window) -> Watched:
    """Return how much of a window each table was seen, and its gaps."""
    entries = snapshot.entries(_KINDS, window)
    rounds = snapshot.round_counts(window)
    unread = snapshot.rounds_with(window, "unreadable")
    tables = dict.fromkeys([entry.chain for entry in entries] + [row.table for row in rounds])
    lines, gaps = [], []
    for table in sorted(tables):
        life = _Life(window, snapshot.last_moment(table))
        for entry in entries:
            if entry.chain == table:
                life.take(entry.kind, entry.at, entry.body)
        life.end()
        mine = [row for row in rounds if row.table == table]
        lines.append(_line(table, life, mine, unread.get(table, 0)))
        gaps += [
            GapLine(table, since, until, _seconds(since, until), reason)
            for since, until, reason in life.told
        ]
    return Watched(tuple(lines), tuple(sorted(gaps, key=lambda gap: (gap.started, gap.table))))


class _Life:
    """Folds a table's starts, stops, losses and returns into stretches within a window."""

    def __init__(self, window: Window, last: datetime | None) -> None:
        self.window = window
        self._last = last
        self._since: datetime | None = None
        self._lost: tuple[datetime, str] | None = None
        self.watched: list[Stretch] = []
        self.unknown: list[Stretch] = []
        self.unseen: list[Stretch] = []
        self.told: list[tuple[datetime, datetime, str]] = []

    def take(self, kind: EntryKind, at: datetime, body: dict[str, object]) -> None:
        match kind:
            case EntryKind.TABLE_STARTED:
                if self._since is not None:  # the one before ended without a word
                    left = body.get("unwatched_from")
                    end = utc_moment(str(left)) if left else at
                    self._stop(end)
                self._since = at
            case EntryKind.TABLE_STOPPED:
                self._stop(at)
            case EntryKind.FEED_LOST:
                self._lost = self._lost or (at, str(body.get("reason") or ""))
            case EntryKind.FEED_BACK:
                self._back(at)
            case _:
                pass

    def end(self) -> None:
        """Close what is still open at the end of the window."""
        until = self.window.until
        if self._since is not None:
            proved = min(until, self._last or self._since)
            since = self._since
            self._stop(max(proved, since))
            if proved < until:
                self._put(self.unknown, max(proved, since), until)
        self._back(until)

    def _stop(self, at: datetime) -> None:
        self._back(at)
        if self._since is not None:
            self._put(self.watched, self._since, at)
        self._since = None

    def _back(self, at: datetime) -> None:
        if self._lost is None:
            return
        since, reason = self._lost
        self._lost = None
        if clipped := self._put(self.unseen, since, at):
            self.told.append((*clipped, reason))

    def _put(self, into: list[Stretch], since: datetime, until: datetime) -> Stretch | None:
        begin, end = max(since, self.window.since), min(until, self.window.until)
        if begin >= end:
            return None
        into.append((begin, end))
        return begin, end


def _line(table: str, life: _Life, rounds: list[RoundCount], unread: int) -> CoverageLine:
    window = life.window
    watched_s, unseen = _length(life.watched), _length(life.unseen)
    unknown = _length(life.unknown)
    whole = _seconds(window.since, window.until)
    played, unsure = sum(row.rounds for row in rounds), sum(row.unsure for row in rounds)
    seen = max(0, watched_s - unseen)
    return CoverageLine(
        table=table,
        not_watched=max(0, whole - watched_s - unknown),
        unknown=unknown,
        unseen=min(unseen, watched_s),
        seen=seen,
        gaps=len(life.unseen),
        rounds=played,
        unsure=unsure,
        unreadable=unread,
        seen_share=share(seen, whole),
        unsure_share=share(unsure, played),
        unreadable_share=share(unread, played),
    )


def _total(lines: Iterable[CoverageLine]) -> CoverageLine:
    kept = list(lines)
    names = [field.name for field in fields(CoverageLine)][1:9]
    sums = {name: sum(getattr(line, name) for line in kept) for name in names}
    whole = sum(sums[name] for name in ("not_watched", "unknown", "unseen", "seen"))
    return CoverageLine(
        table="",
        **sums,
        seen_share=share(sums["seen"], whole),
        unsure_share=share(sums["unsure"], sums["rounds"]),
        unreadable_share=share(sums["unreadable"], sums["rounds"]),
    )


def _length(stretches: Iterable[Stretch]) -> int:
    """Return how long some stretches are together, counting what overlaps once."""
    return sum(_seconds(since, until) for since, until in _merged(stretches))


def _merged(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    current: Stretch | None = None
    for since, until in sorted(stretches):
        if current is not None and since <= current[1]:
            current = (current[0], max(current[1], until))
        else:
            if current is not None:
                yield current
            current = (since, until)
    if current is not None:
        yield current


def _seconds(since: datetime, until: datetime) -> int:
    return int((until - since).total_seconds())
