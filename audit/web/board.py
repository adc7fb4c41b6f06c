"""Follows a table's entries with the rules' own live reader: the round on the table, as it stands.

The watcher has recorded every finding; here the same fold is made again only to draw the cards, the
verdicts so far and what is due. Findings shown are those of the record.
"""

from collections.abc import Iterable
from enum import StrEnum, unique

from audit.chain import Entry, EntryKind, JsonObject
from audit.payouts import FeedSource
from audit.store import EVENT_KINDS
from rules.check import result_to_json
from rules.errors import RulesError
from rules.events import HAND_CARDS, Area, Decision, Sighting, Spot
from rules.games import GAMES
from rules.reader import FinishedRound, Naming, Reader
from rules.record_json import record_to_json
from rules.round import judge_round
from rules.round_state import Phase as RoundPhase
from rules.round_state import Round, Setting
from rules.wire import parse_event

_EVENTS = frozenset(EVENT_KINDS.values())
_MEDIA_TIME_S = 10**8
"""A line of time that stands below this (three years) is a recording's; above, Unix seconds."""


@unique
class Phase(StrEnum):
    """How far a round has come, as people at the table see it."""

    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"
    DECIDING = "deciding"
    PLAYING = "playing"
    SETTLING = "settling"
    VOID = "void"
    OVER = "over"


_PHASES = {
    RoundPhase.EMPTY: Phase.IDLE,
    RoundPhase.BETTING: Phase.BETTING,
    RoundPhase.DEALING: Phase.DEALING,
    RoundPhase.DECISIONS: Phase.DECIDING,
    RoundPhase.REVEAL: Phase.PLAYING,
    RoundPhase.SWEPT: Phase.SETTLING,
    RoundPhase.FINISHED: Phase.OVER,
}


class Board:
    """One table, followed entry by entry."""

    def __init__(self, table: str, game: str) -> None:
        self.game = game
        self._setting = Setting(GAMES[game], table=table) if game in GAMES else None
        self._reader = self._fresh()
        self._ended = 0
        """Rounds that the reader has ended and the record has not told yet."""
        self._last_at = 0.0
        self._findings: list[tuple[str | None, JsonObject]] = []
        self.last_id = 0
        """The last entry that was taken in."""

    def _fresh(self) -> Reader | None:
        return None if self._setting is None else Reader(self._setting, Naming())

    def take(self, entries: Iterable[Entry]) -> None:
        """Take in the table's next entries, ascending."""
        for entry in entries:
            self.last_id = entry.id
            match entry.kind:
                case EntryKind.TABLE_STARTED:
                    self._reader, self._ended = self._fresh(), 0
                case EntryKind.FINDING_RAISED:
                    self._findings.append((entry.body["round"], entry.body["finding"]))
                case EntryKind.ROUND_READ:
                    self._end(str(entry.body["record"]["round"]))
                case kind if kind in _EVENTS:
                    self._see(entry)
                case _:
                    pass

    def _see(self, entry: Entry) -> None:
        if self._reader is None or entry.body.get("source") == FeedSource.IMPORT:
            return  # A file tells of rounds that are over.
        try:
            event = parse_event(entry.body)
        except RulesError:
            return  # The feed shows it as it stands; it has no place on the board.
        at = self._moment(entry)
        sure, since = float(entry.body.get("confidence", 1.0)), entry.body.get("hidden_since")
        sighting = Sighting(event, at, sure, since=None if since is None else float(since))
        for told in self._reader.see(sighting):
            self._ended += isinstance(told, FinishedRound)
        self._last_at = at

    def _moment(self, entry: Entry) -> float:
        """Return when an event was, on the source's line of time; a posted report has none."""
        media_at = entry.body.get("media_at")
        if media_at is not None:
            return float(media_at)
        return self._last_at if self._last_at < _MEDIA_TIME_S else entry.at.timestamp()

    def _end(self, round_id: str) -> None:
        self._findings = [found for found in self._findings if found[0] != round_id]
        if self._ended:
            self._ended -= 1
        elif self._reader is not None:
            # The watcher ended it otherwise, such as with the end of a recording.
            for _ in self._reader.close(self._last_at):
                pass

    @property
    def round(self) -> Round | None:
        """The round on the table; None for a game that is not known."""
        return None if self._reader is None else self._reader.round

    @property
    def begun(self) -> bool:
        """Whether anything of a round lies on the table or was wagered."""
        return self.round is not None and self.round.phase is not RoundPhase.EMPTY

    @property
    def phase(self) -> Phase:
        """How far the round has come."""
        state = self.round
        if state is None:
            return Phase.IDLE
        if state.void:
            return Phase.VOID
        told = state.phase is RoundPhase.REVEAL and len(state.dealer) >= HAND_CARDS
        return Phase.SETTLING if told and not self.awaited else _PHASES[state.phase]

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that owe an answer to the dealer's last card; none in games without tricks."""
        state = self.round
        if state is None or not state.setting.game.shape.tricks:
            return ()
        return tuple(
            seat
            for seat, hand in sorted(state.hands.items())
            if hand.dealt
            and hand.decision is not Decision.FOLD
            and len(hand.plays) < len(state.dealer)
        )

    def judged(self) -> tuple[JsonObject, JsonObject]:
        """Return the round's record and its judgement so far, both in their published form.

        The findings are those that the record holds, not all that might come.
        """
        state = self.round
        if state is None:
            return {}, {}
        record, result = judge_round(state)
        found = [finding for _, finding in self._findings]
        return record_to_json(record), {**result_to_json(result), "findings": found}

    def dealt(self) -> dict[str, int]:
        """Return how many cards lie with the dealer and at every seat during the deal, by spot."""
        state = self.round
        if state is None or state.phase > RoundPhase.DEALING:
            return {}
        seats = {str(Spot(Area.HAND, seat)): hand.dealt for seat, hand in state.hands.items()}
        return {**seats, Area.DEALER.value: state.dealer_dealt}
