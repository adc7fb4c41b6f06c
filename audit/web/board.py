"""Where the cards lie now: the events of a table since its last round, folded to a round record.

Display only. It follows what was seen, spot by spot, and judges nothing; verdicts and findings are
shown as the rules recorded them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum, unique

from audit.web.shapes import RoundRecord, SeatRecord
from audit.web.views import HAND_SIZE
from rules.events import (
    SEATS,
    Area,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Decision,
    DecisionMade,
    Face,
    FeedBack,
    FeedLost,
    PayoutMade,
    Seat,
    Spot,
    SpotCleared,
    TableEvent,
    WagerPlaced,
)
from rules.wire import face_text


@unique
class Phase(StrEnum):
    """How far a round has come, as far as the table shows it."""

    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"
    DECIDING = "deciding"
    PLAYING = "playing"
    SETTLING = "settling"
    VOID = "void"
    OVER = "over"


@dataclass(slots=True)
class _SeatSeen:
    dealt: int = 0
    plays: list[Face] = field(default_factory=list)
    decision: str | None = None
    wagers: dict[str, int] = field(default_factory=dict)
    paid: dict[str, int] = field(default_factory=dict)


class Board:
    """What has been seen of the round that is going on."""

    def __init__(self) -> None:
        self._seats: dict[Seat, _SeatSeen] = {}
        self._dealer: list[Face] = []
        self._dealt_to_dealer = 0
        self._trump: Face = None
        self._trump_seen = False

    @property
    def begun(self) -> bool:
        """Whether anything of the round has been seen: a wager or a card."""
        return bool(self._seats or self._dealt_to_dealer or self._trump_seen)

    def see(self, events: Iterable[TableEvent]) -> "Board":
        """Take in events in their order; returns itself."""
        for event in events:
            self._see(event)
        return self

    def _see(self, event: TableEvent) -> None:
        match event:
            case WagerPlaced(seat, wager, amount):
                self._seat(seat).wagers[wager.value] = amount
            case PayoutMade(seat, wager, amount):
                self._seat(seat).paid[wager.value] = amount
            case DecisionMade(seat, decision):
                self._seat(seat).decision = decision.value
            case CardPlaced(spot, face):
                self._placed(spot, face)
            case CardTurned(spot, face):
                self._turned(spot, face)
            case CardMoved(source, spot, face):
                self._moved(source, spot, face)
            case CardHidden() | CardRemoved() | SpotCleared() | FeedLost() | FeedBack():
                pass  # What was seen stays seen.

    def _seat(self, seat: Seat | None) -> _SeatSeen:
        return self._seats.setdefault(seat or SEATS[0], _SeatSeen())

    def _placed(self, spot: Spot, face: Face) -> None:
        match spot.area:
            case Area.TRUMP:
                self._trump, self._trump_seen = face, True
            case Area.DEALER:
                self._dealt_to_dealer += 1
                if face is not None and self._trump_seen:
                    self._dealer.append(face)
            case Area.HAND:
                self._seat(spot.seat).dealt += 1
            case Area.PLAYED:
                self._seat(spot.seat).plays.append(face)
            case _:
                pass

    def _turned(self, spot: Spot, face: Face) -> None:
        # Before the trump card a card turned up is one exposed in the deal, which a finding tells.
        if spot.area is Area.TRUMP:
            self._trump, self._trump_seen = face, True
        elif not self._trump_seen:
            return
        elif spot.area is Area.DEALER:
            self._dealer.append(face)
        elif spot.area is Area.HAND:
            self._seat(spot.seat).plays.append(face)
        elif spot.area is Area.PLAYED:
            plays = self._seat(spot.seat).plays
            if None in plays:
                plays[plays.index(None)] = face

    def _moved(self, source: Spot, spot: Spot, face: Face) -> None:
        if spot.area is Area.PLAYED:
            self._seat(spot.seat).plays.append(face)
        elif spot.area is Area.DISCARD and source.area is Area.HAND and self._trump_seen:
            seat = self._seat(source.seat)
            if not seat.plays:
                seat.decision = Decision.FOLD.value
        elif spot.area in (Area.TRUMP, Area.DEALER):
            self._placed(spot, face)

    @property
    def phase(self) -> Phase:
        """How far the round has come."""
        if not self.begun:
            return Phase.IDLE
        if not self._trump_seen:
            dealt = self._dealt_to_dealer or any(seat.dealt for seat in self._seats.values())
            return Phase.DEALING if dealt else Phase.BETTING
        if not self._dealer:
            return Phase.DECIDING
        done = len(self._dealer) >= HAND_SIZE and not self.awaited
        return Phase.SETTLING if done else Phase.PLAYING

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that still owe an answer to the dealer's last card."""
        turned = len(self._dealer)
        return tuple(
            number
            for number, seat in sorted(self._seats.items())
            if seat.decision != Decision.FOLD and seat.dealt and len(seat.plays) < turned
        )

    def record(self, table: str, game: str) -> RoundRecord:
        """Return what was seen, in the published form of a round."""
        seats = {
            str(number): SeatRecord(
                wagers=seat.wagers,
                decision=seat.decision,
                plays=[face_text(face) for face in seat.plays],
                paid=seat.paid,
            )
            for number, seat in self._seats.items()
            if seat.dealt or seat.plays or seat.wagers
        }
        return RoundRecord(
            game=game,
            table=table,
            trump=face_text(self._trump),
            dealer=[face_text(face) for face in self._dealer],
            seats=seats,
        )
