"""A table's tile: where its round stands, drawn from the entries since the last one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from audit.chain import Entry, EntryKind, JsonObject
from audit.rounds import RecordedRound
from audit.tables import TableState
from audit.web.board import Board, Phase
from audit.web.feed import EVENT_WORDS
from audit.web.shapes import FindingShape, RoundRecord, RoundResult
from audit.web.views import PlayView, RoundView, round_view
from rules.errors import RulesError
from rules.events import TableEvent
from rules.wire import parse_event

_TOLD = frozenset({"high", "critical", "medium"})


@dataclass(frozen=True, slots=True)
class Tile:
    """What the wall shows of one table."""

    table: str
    game: str
    watched: bool
    lost: str | None
    """Why the camera sees nothing; None while it sees."""
    phase: Phase
    view: RoundView | None
    """The round that is going on, else the last one."""
    awaited: tuple[int, ...]
    """The seats whose play is awaited."""
    notices: tuple[FindingShape, ...]
    """Findings of the round shown, gravest kinds only."""

    @property
    def alarm(self) -> bool:
        """Whether something of high severity was observed in the round shown."""
        return any(notice.severity in ("high", "critical") for notice in self.notices)


@dataclass(frozen=True, slots=True)
class TableNow:
    """What the record says about a table at a moment."""

    state: TableState
    last: RecordedRound | None
    """The round recorded last."""
    since: Sequence[Entry]
    """The table's entries after that round, ascending."""
    lost: str | None
    """Why the camera sees nothing; None while it sees."""


def tile_of(now: TableNow) -> Tile:
    """Return a table's tile: the round that is going on, else the last one."""
    state, last = now.state, now.last
    board = Board().see(event for entry in now.since if (event := event_of(entry)) is not None)
    view: RoundView | None = None
    if board.begun:
        found = [FindingShape.model_validate(finding) for finding in _findings(now.since)]
        result = RoundResult(findings=found)
        view = _with_breaches(
            round_view(board.record(state.table, state.game), result, finished=False)
        )
        void = any(finding.code == "misdeal" for finding in found)
        phase = Phase.VOID if void else board.phase
    elif last is not None:
        view, phase = recorded_view(last), Phase.OVER
    else:
        phase = Phase.IDLE
    return Tile(
        table=state.table,
        game=state.game,
        watched=state.watching,
        lost=now.lost,
        phase=phase,
        view=view,
        awaited=board.awaited if phase is Phase.PLAYING else (),
        notices=tuple(f for f in (view.findings if view else ()) if _is_told(f)),
    )


def _is_told(finding: FindingShape) -> bool:
    # The lamp beside the table's name tells that the camera is lost, and when it is back.
    return finding.severity in _TOLD and finding.code != "camera-lost"


def recorded_view(recorded: RecordedRound) -> RoundView:
    """Return a recorded round as shown."""
    record = RoundRecord.model_validate({"table": recorded.table, **recorded.record})
    return round_view(record, RoundResult.model_validate(recorded.result), finished=True)


def event_of(entry: Entry) -> TableEvent | None:
    """Return the table event that an entry records, or None when it records something else."""
    if entry.kind not in EVENT_WORDS:
        return None
    try:
        return parse_event(entry.body)
    except RulesError:
        return None  # Shown in the feed as it stands; it has no place on the board.


def _findings(entries: Sequence[Entry]) -> list[JsonObject]:
    return [
        entry.body.get("finding") or {"code": ""}
        for entry in entries
        if entry.kind is EntryKind.FINDING_RAISED
    ]


def _with_breaches(view: RoundView) -> RoundView:
    """Return a round that is going on with the breaches that findings have proved so far."""
    proved = {(f.seat, f.trick) for f in view.findings if f.trick is not None}
    seats = tuple(
        replace(
            seat,
            status="folded" if seat.decision == "fold" else "playing",
            plays=tuple(
                _marked(play, proved=(seat.number, trick) in proved)
                for trick, play in enumerate(seat.plays, start=1)
            ),
        )
        for seat in view.seats
    )
    return replace(view, seats=seats)


def _marked(play: PlayView, *, proved: bool) -> PlayView:
    return replace(play, verdict="breach") if proved else play
