"""One hand again: its footage, what was seen and when, what was found and at which moment."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from audit.alerts import Alert
from audit.chain import Entry, EntryKind
from audit.evidence.footage import Segment
from audit.rounds import RecordedRound
from audit.store import AlertQuery, Reader, SegmentQuery
from audit.tables import second_camera
from audit.web.feed import EVENT_WORDS
from audit.web.shapes import Face, FindingShape
from audit.web.tiles import recorded_view
from audit.web.views import CardView, RoundView, card_view
from rules.errors import SpotFormatError
from rules.events import Area, Spot

AROUND = timedelta(seconds=10)
"""What is shown before the first and after the last thing that was seen of a round."""

LONGEST = timedelta(minutes=20)
"""Nothing of a round lies further apart; older events are of something else."""

MOST_ENTRIES = 5000
"""More than the longest round has."""

_FACE_UP = frozenset({"card-turned", "card-moved", "card-placed"})
_MONEY = frozenset({"wager", "payout"})


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that was seen or found, at its place on the time line."""

    entry: int
    at: float
    """Seconds from the beginning of what is shown."""
    lane: str
    """`dealer`, or `1` … `6` for a seat; empty for the table as a whole."""
    word: str
    """What happened, as a code of `labels.EVENTS`; `finding` for a finding."""
    card: CardView | None = None
    confidence: float | None = None
    name: str = ""
    """The wager, decision or finding."""
    amount: int | None = None
    severity: str = ""
    trick: int | None = None
    breach: bool = False
    """Whether this is the play that a finding of the round is about."""


@dataclass(frozen=True, slots=True)
class Reel:
    """A piece of recorded video."""

    url: str
    start: float
    """Seconds from the beginning of what is shown; may be negative."""
    length: float
    codec: str
    frames_per_second: float


@dataclass(frozen=True, slots=True)
class Hole:
    """A time of which there is no video."""

    start: float
    length: float
    reason: str


@dataclass(frozen=True, slots=True)
class Replay:
    """All that the replay of a round shows."""

    recorded: RecordedRound
    view: RoundView
    since: datetime
    until: datetime
    marks: tuple[Mark, ...]
    reels: tuple[Reel, ...]
    second: tuple[Reel, ...]
    """Of the second camera, where there is one."""
    holes: tuple[Hole, ...]
    alerts: tuple[Alert, ...]
    lanes: tuple[str, ...]
    proofs: dict[str, float] = field(default_factory=dict)
    """The moment of proof by the code, seat and trick of a finding, as `proof_key` writes them."""

    @property
    def length(self) -> float:
        """Seconds."""
        return (self.until - self.since).total_seconds()

    @property
    def tricks(self) -> tuple[tuple[int, float], ...]:
        """The tricks, each with the moment at which the dealer turned its card."""
        turned = [m.at for m in self.marks if m.lane == "dealer" and m.word == "card-turned"]
        return tuple(enumerate(turned[:3], start=1))

    def confidence_of(self, finding: FindingShape) -> float | None:
        """Return the least sure reading that a finding rests on; None when it rests on no card."""
        if finding.trick is None or finding.seat is None:
            return None
        read = [
            mark.confidence
            for mark in self.marks
            if mark.confidence is not None
            and mark.trick is not None
            and mark.lane in ("dealer", str(finding.seat))
        ]
        return min(read, default=None)

    def reel_at(self, start: float) -> Reel | None:
        """Return the piece of video that shows a place, in seconds; None in a hole."""
        shows = (reel for reel in self.reels if reel.start <= start < reel.start + reel.length)
        return next(shows, None)

    def data(self, start: float) -> dict[str, Any]:
        """Return what the page's script needs, as JSON.

        Args:
            start: Where to begin, in seconds.
        """
        return {
            "length": self.length,
            "start": start,
            "reels": [asdict(reel) for reel in self.reels],
            "second": [asdict(reel) for reel in self.second],
            "marks": sorted({round(mark.at, 3) for mark in self.marks}),
            "tricks": [at for _, at in self.tricks],
        }


def proof_key(finding: FindingShape) -> str:
    """Return the name of a finding within its round, as `Replay.proofs` is asked by."""
    return f"{finding.code}/{finding.seat}/{finding.trick}/{finding.wager}"


def replay_of(store: Reader, recorded: RecordedRound) -> Replay:
    """Return the replay of a round.

    Raises:
        NotInRecord: Its entries are not there.
    """
    entries = _entries_of(store, recorded)
    since, until = _span(entries, recorded)
    view = recorded_view(recorded)
    marks = _marks([entry for entry in entries if entry.at >= since], since, view)
    reels, holes = _footage(store, recorded.table, since, until)
    proofs = {
        proof_key(FindingShape.model_validate(entry.body["finding"])): _offset(entry.at, since)
        for entry in reversed(entries)
        if entry.kind is EntryKind.FINDING_RAISED
    }
    return Replay(
        recorded=recorded,
        view=view,
        since=since,
        until=until,
        marks=marks,
        reels=reels,
        second=_footage(store, second_camera(recorded.table), since, until)[0],
        holes=holes,
        alerts=tuple(reversed(store.alerts(AlertQuery(round=recorded.round)))),
        lanes=("dealer", *(str(seat.number) for seat in view.seats)),
        proofs=proofs,
    )


def span_of(store: Reader, recorded: RecordedRound) -> tuple[datetime, datetime]:
    """Return the beginning and the end of what the replay of a round shows.

    Raises:
        NotInRecord: Its entries are not there.
    """
    return _span(_entries_of(store, recorded), recorded)


def _span(entries: Sequence[Entry], recorded: RecordedRound) -> tuple[datetime, datetime]:
    seen = [entry.at for entry in entries] or [recorded.recorded]
    return max(min(seen), max(seen) - LONGEST) - AROUND, max(seen) + AROUND


def _entries_of(store: Reader, recorded: RecordedRound) -> list[Entry]:
    """Return the entries from the end of the table's round before to the end of this one."""
    first = store.entry(recorded.entry)
    while first.kind is EntryKind.ROUND_CORRECTED and first.body["corrects"]:
        first = store.entry(first.body["corrects"])
    before = store.entry_before(
        recorded.table, first.id, [EntryKind.ROUND_READ, EntryKind.TABLE_STARTED]
    )
    start = before.id if before else 0
    found = store.entries_after(start, until=first.id, table=recorded.table, limit=MOST_ENTRIES)
    return [entry for entry in found if _belongs(entry, recorded.round)]


def _belongs(entry: Entry, round_id: str) -> bool:
    if entry.kind is EntryKind.FINDING_RAISED:
        return bool(entry.body["round"] == round_id)
    return entry.kind in EVENT_WORDS


def _offset(at: datetime, since: datetime) -> float:
    return round((at - since).total_seconds(), 3)


def _marks(entries: Sequence[Entry], since: datetime, view: RoundView) -> tuple[Mark, ...]:
    breaches = {(f.seat, f.trick) for f in view.findings if view.play_of(f) is not None}
    plays: dict[str, int] = {}
    marks = []
    for entry in entries:
        if entry.kind is EntryKind.FINDING_RAISED:
            marks.append(_finding_mark(entry, since))
            continue
        mark = _event_mark(entry, since)
        if mark is None:
            continue
        if mark.card is not None and mark.card.kind != "back" and mark.lane:
            number = plays[mark.lane] = plays.get(mark.lane, 0) + 1
            place = (int(mark.lane), number) if mark.lane.isdigit() else None
            mark = _in_trick(mark, number, breach=place in breaches)
        marks.append(mark)
    return tuple(marks)


def _in_trick(mark: Mark, number: int, *, breach: bool) -> Mark:
    values = {name: getattr(mark, name) for name in mark.__dataclass_fields__}
    return Mark(**values | {"trick": number if number <= 3 else None, "breach": breach})


def _finding_mark(entry: Entry, since: datetime) -> Mark:
    finding = entry.body["finding"]
    seat = finding.get("seat")
    return Mark(
        entry=entry.id,
        at=_offset(entry.at, since),
        lane=str(seat) if seat else "",
        word="finding",
        name=str(finding.get("code", "")),
        severity=str(finding.get("severity", "info")),
        trick=finding.get("trick"),
    )


def _event_mark(entry: Entry, since: datetime) -> Mark | None:
    body, word = entry.body, EVENT_WORDS[entry.kind]
    at = _offset(entry.at, since)
    if word in _MONEY or word == "decision":
        name = str(body.get("wager") or body.get("decision") or "")
        lane, amount = str(body.get("seat") or ""), body.get("amount")
        return Mark(entry.id, at, lane, word, name=name, amount=amount)
    if word not in _FACE_UP:
        return Mark(entry.id, at, "", word) if word.startswith("feed-") else None
    place = _lane(str(body.get("spot", "")), str(body.get("from", "")))
    if place is None:
        return None
    face: Face = body.get("card")
    return Mark(entry.id, at, place, word, card_view(face), body.get("confidence"))


def _lane(spot: str, source: str) -> str | None:
    """Return the lane that a card event belongs to; None for cards that leave the hand unplayed."""
    for name in (spot, source):
        try:
            place = Spot.parse(name)
        except SpotFormatError:
            continue
        if place.area is Area.DEALER:
            return "dealer"
        if place.area is Area.TRUMP:
            return ""
        if place.seat is not None:
            return str(int(place.seat))
    return None


def _footage(
    store: Reader, table: str, since: datetime, until: datetime
) -> tuple[tuple[Reel, ...], tuple[Hole, ...]]:
    segments = store.segments(SegmentQuery(table, since, until))
    reels = tuple(_reel(segment, since) for segment in segments)
    return reels, tuple(_holes(reels, (until - since).total_seconds()))


def _reel(segment: Segment, since: datetime) -> Reel:
    length = (segment.ended - segment.started).total_seconds()
    return Reel(
        url=f"/media/segments/{segment.entry}",
        start=_offset(segment.started, since),
        length=round(length, 3),
        codec=segment.codec,
        frames_per_second=round(segment.frames / length, 3) if length > 0 else 25.0,
    )


def _holes(reels: Iterable[Reel], length: float) -> Iterator[Hole]:
    """Yield the times that no reel shows, but for the blink of an eye."""
    reached = 0.0
    for reel in reels:
        if reel.start - reached > 0.2:
            yield Hole(reached, round(reel.start - reached, 3), "")
        reached = max(reached, reel.start + reel.length)
    if length - reached > 0.2:
        yield Hole(reached, round(length - reached, 3), "")
