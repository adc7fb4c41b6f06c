"""A table's tile: the round that is going on, else the last one, as the wall and dealer see it."""

from dataclasses import dataclass, replace

from pydantic import ValidationError

from audit.chain import JsonObject
from audit.rounds import RecordedRound
from audit.tables import TableState
from audit.web.board import Board, Phase
from audit.web.shapes import FindingShape, RoundRecord, RoundResult
from audit.web.views import BACK, GAP, RoundView, SeatView, round_view
from rules.events import HAND_CARDS
from rules.house import default_house

_TOLD = frozenset({"high", "critical", "medium"})


@dataclass(frozen=True, slots=True)
class Tile:
    """What the wall shows of one table."""

    table: str
    game: str
    watched: bool
    lost: str | None
    """Why the camera sees nothing; None while it sees."""
    late_s: int
    """How late the watcher tells what happens, seconds."""
    left_out: int
    """How many of a hundred frames the watcher leaves out."""
    phase: Phase
    view: RoundView | None
    """The round that is going on, else the last one."""
    awaited: tuple[int, ...]
    """The seats whose play is awaited."""
    notices: tuple[FindingShape, ...]
    """Findings of the round shown, gravest kinds only."""
    waiting: int
    """How many alerts of the table nobody has taken up yet."""

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
    board: Board
    lost: str | None
    """Why the camera sees nothing; None while it sees."""
    waiting: int = 0
    """How many of its alerts nobody has taken up yet."""


def tile_of(now: TableNow) -> Tile:
    """Return a table's tile."""
    board, state = now.board, now.state
    view: RoundView | None = None
    phase = Phase.IDLE
    if board.begun:
        view, phase = _live_view(board, state), board.phase
    elif now.last is not None:
        view, phase = recorded_view(now.last), Phase.OVER
    return Tile(
        table=state.table,
        game=state.game,
        watched=state.watching,
        lost=now.lost,
        late_s=state.late_s,
        left_out=state.left_out,
        phase=phase,
        view=view,
        awaited=board.awaited if phase is Phase.PLAYING else (),
        notices=tuple(f for f in (view.findings if view else ()) if _is_told(f)),
        waiting=now.waiting,
    )


def _is_told(finding: FindingShape) -> bool:
    # The lamp beside the table's name tells that the camera is lost, and when it is back.
    return finding.severity in _TOLD and finding.code != "camera-lost"


def recorded_view(recorded: RecordedRound) -> RoundView:
    """Return a recorded round as shown."""
    try:
        record = RoundRecord.model_validate({"table": recorded.table, **recorded.record})
        result = RoundResult.model_validate(recorded.result)
    except ValidationError:
        # Written by another program. The audit explorer shows it as it stands.
        record = RoundRecord(round=recorded.round, game=recorded.game, table=recorded.table)
        result = RoundResult(outcome=recorded.outcome)
    return round_view(record, result, finished=True)


def _live_view(board: Board, state: TableState) -> RoundView:
    record, result = board.judged()
    if state.house not in ("", default_house().version):
        result = _without_amounts(result)
    view = round_view(
        RoundRecord.model_validate(record), RoundResult.model_validate(result), finished=False
    )
    dealt = board.dealt()
    seats = tuple(_as_live(seat, dealt.get(f"seat-{seat.number}")) for seat in view.seats)
    if not dealt:
        return replace(view, round="", seats=seats)
    lying = min(dealt["dealer"], HAND_CARDS)
    dealer = (BACK,) * lying + (GAP,) * (HAND_CARDS - lying)
    return replace(view, round="", seats=seats, dealer=dealer)


def _without_amounts(result: JsonObject) -> JsonObject:
    """Return a judgement without what is due: the house has other pay tables than the shipped."""
    seats = {number: {**seat, "due": None} for number, seat in result["seats"].items()}
    return {**result, "seats": seats}


def _as_live(seat: SeatView, dealt: int | None) -> SeatView:
    """Return a seat of a round that is going on, with the cards that lie before it so far."""
    status = "playing" if seat.status == "incomplete" else seat.status
    if dealt is None:
        return replace(seat, status=status)
    return replace(seat, status=status, held=(BACK,) * min(dealt, HAND_CARDS))
