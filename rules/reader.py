"""Reads a stream of sightings round by round: what `pitwatch watch` prints of the rules."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from rules.check import watched_after
from rules.events import Seat, Sighting
from rules.record import Gap, RoundRecord
from rules.result import Result
from rules.round import LiveFinding, advance, finish, judge_round, starts_next
from rules.round_state import Phase, Round, Setting


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over: its record, and the judgement that `check` gives for it."""

    record: RoundRecord
    result: Result
    at: float
    """When it was over, on the source's line of time."""
    began: float
    """When its first card or wager was seen, on the same line."""


def _no_date(_at: float) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Naming:
    """What the rules cannot know by themselves: the ids of rounds, and the date and time."""

    round_id: Callable[[int], str] = field(default=lambda number: f"round-{number:04d}")
    """The id of the n-th round, counted from 1 in the order in which rounds are finished."""
    started: Callable[[float], str | None] = _no_date
    """The UTC time, RFC 3339, of a moment on the source's line of time; None for media time."""


def read(
    sightings: Iterable[Sighting], setting: Setting, naming: Naming | None = None
) -> Iterator[LiveFinding | FinishedRound]:
    """Give every finding at the moment of its proof, and every round once it is over.

    A round is over when the next one begins, when its cards are swept and every wager was settled,
    or with the last sighting. Seats that did not play to the rules stay on watch.

    Args:
        sightings: In the order in which they were made.
        setting: The game, the house rules and the table to begin with.
        naming: How rounds are called and dated.

    >>> from rules.games.whist import WHIST
    >>> list(read([], Setting(WHIST)))
    []
    """
    reader = Reader(setting, naming or Naming())
    last = 0.0
    for sighting in sightings:
        last = sighting.at
        yield from reader.see(sighting)
    yield from reader.close(last)


class Reader:
    """The state of `read`, for a caller that pushes sightings one by one."""

    def __init__(self, setting: Setting, naming: Naming) -> None:
        self._naming = naming
        self._number = 1
        self._round = self._fresh(setting)

    @property
    def round(self) -> Round:
        """The round on the table now."""
        return self._round

    def join(self) -> None:
        """Begin in the middle of a round: cards lay on the table when watching began.

        What was played before was not seen, and in which order the cards came up is not known: the
        round is read as one with a gap, so that nothing is judged by the order and nobody accused.
        """
        if self._round.phase <= Phase.BETTING:
            self._round = replace(
                self._round, phase=Phase.DECISIONS, blind=True, miscounted=True, gaps=(Gap(),)
            )

    def see(self, sighting: Sighting) -> Iterator[LiveFinding | FinishedRound]:
        """Give what a sighting proved, and the round that it ended."""
        if starts_next(self._round, sighting):
            yield from self._end(sighting.at)
        self._round, found = advance(self._round, sighting)
        yield from found
        if self._round.finished:
            yield from self._end(sighting.at)

    def close(self, at: float) -> Iterator[LiveFinding | FinishedRound]:
        """Give what waited for the end of the round on the table, and that round."""
        yield from self._end(at)

    def _end(self, at: float) -> Iterator[LiveFinding | FinishedRound]:
        over, found = finish(self._round, at)
        setting = over.setting
        if _happened(self._round):
            yield from found
            began = at if over.began is None else over.began
            record, result = judge_round(over, self._naming.started(began))
            yield FinishedRound(record, result, at, began)
            watched: frozenset[Seat] = setting.watched | frozenset(watched_after(result))
            setting = replace(setting, watched=watched)
            self._number += 1
        unseen = self._round.phase not in (Phase.EMPTY, Phase.SWEPT)
        self._round = replace(self._fresh(setting), miscounted=unseen)
        for sighting in over.upcoming:
            self._round, found = advance(self._round, sighting)
            yield from found

    def _fresh(self, setting: Setting) -> Round:
        return Round(setting, self._naming.round_id(self._number))


def _happened(state: Round) -> bool:
    """Return whether there is a round to tell: a face, a wager, or a finding told of it already."""
    if state.phase is Phase.EMPTY:
        return False
    if state.told:
        return True
    hands = state.hands.values()
    wagered = any(stake for hand in hands for stake in hand.wagers.values())
    shown = any(hand.shown or hand.plays for hand in hands)
    return wagered or shown or state.trump is not None or bool(state.dealer or state.exposing)
