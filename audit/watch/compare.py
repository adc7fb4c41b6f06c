"""What was told of a staged clip against what really happened in it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from audit.watch.truth import Truth, TruthEvent, TruthFinding

BREACHES = frozenset(("failed-to-follow-suit", "failed-to-trump", "misdeal"))
"""Findings about which nobody must be wrongly told."""
_DOUBTS = frozenset(("unreadable", "feed-gap"))
"""Findings that say that something could not be seen: no claim about anybody."""
_SURE = frozenset(("settled", "folded", "void"))
"""A seat's status when nothing about it is open; a breach that left it so was missed."""
_NEAR_S = 1.5
"""How far apart in time the same event may be told."""
_ACTS = ("card-placed", "card-turned", "card-hidden", "card-moved")
"""Events that are counted: cards that leave matter only for what comes after."""
_LATE_S = 3.0
"""A finding may come so long after the end of its round."""


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """A card event as told."""

    kind: str
    spot: str
    card: str | None
    at: float
    told_at: float
    """Media time of the frame with which it was told."""


@dataclass(frozen=True, slots=True)
class ToldFinding:
    """A finding as told."""

    code: str
    seat: int | None
    trick: int | None
    severity: str
    text: str
    told_at: float


@dataclass(frozen=True, slots=True)
class ToldRound:
    """A round as told."""

    record: dict[str, Any]
    result: dict[str, Any]
    at: float
    """When it was over."""


@dataclass(slots=True)
class Told:
    """All that was told of a clip."""

    events: list[ToldEvent] = field(default_factory=list)
    findings: list[ToldFinding] = field(default_factory=list)
    rounds: list[ToldRound] = field(default_factory=list)
    seconds: float = 0.0
    """How long it took to watch it."""


@unique
class Fault(StrEnum):
    """What went wrong."""

    EVENT_WRONG = "card event with another card"
    EVENT_UNREAD = "card event told as unreadable"
    EVENT_MISSED = "card event missed"
    EVENT_EXTRA = "card event that did not happen"
    PLAY_WRONG = "play read wrongly"
    PLAY_UNREAD = "play not read"
    MISSED = "planted finding missed"
    DOUBTED = "planted finding left unsure"
    FALSE_BREACH = "false breach finding"
    FALSE_OTHER = "false finding"
    ROUND_LOST = "round not told as one"


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that went wrong, and when to look."""

    fault: Fault
    at: float
    text: str


@dataclass(slots=True)
class Score:
    """How a clip, or all of them, came out."""

    rounds: int = 0
    clean: int = 0
    """Rounds without any failure."""
    right: int = 0
    """Card events told rightly."""
    plays: int = 0
    plays_right: int = 0
    planted: int = 0
    """Planted breaches and misdeals."""
    found: int = 0
    others: int = 0
    """Other planted findings."""
    others_found: int = 0
    unsure: int = 0
    """Seats told as unsure of which everything could be known."""
    latencies: list[float] = field(default_factory=list)
    """Seconds of media time from the proof at rest to the finding."""
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0

    def count(self, *faults: Fault) -> int:
        """Return how many failures of some kinds there were."""
        return sum(failure.fault in faults for failure in self.failures)

    def add(self, other: "Score") -> None:
        """Add what came of another clip."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def to_json(self) -> dict[str, Any]:
        """Return the figures, as `pitwatch eval --json` prints them."""
        late = sorted(self.latencies)
        plain = ("rounds", "clean", "right", "plays", "plays_right", "planted", "found", "others",
                 "others_found", "unsure")  # fmt: skip
        return {
            **{name: getattr(self, name) for name in plain},
            "events_wrong": self.count(Fault.EVENT_WRONG),
            "events_unread": self.count(Fault.EVENT_UNREAD),
            "events_missed": self.count(Fault.EVENT_MISSED),
            "events_extra": self.count(Fault.EVENT_EXTRA),
            "plays_wrong": self.count(Fault.PLAY_WRONG),
            "plays_unread": self.count(Fault.PLAY_UNREAD),
            "planted_unsure": self.count(Fault.DOUBTED),
            "planted_missed": self.count(Fault.MISSED),
            "false_breaches": self.count(Fault.FALSE_BREACH),
            "false_others": self.count(Fault.FALSE_OTHER),
            "rounds_lost": self.count(Fault.ROUND_LOST),
            "latency_median": round(late[len(late) // 2], 3) if late else None,
            "latency_most": round(late[-1], 3) if late else None,
            "watch_seconds": round(self.seconds, 1),
        }


def compare(truth: Truth, told: Told) -> Score:
    """Return how well a clip was watched."""
    score = Score(rounds=len(truth.rounds), seconds=told.seconds)
    score.failures += _events(truth.events, told.events, score)
    pairs = paired_rounds(truth, told.rounds)
    for number in range(len(truth.rounds)):
        score.failures += _plays(truth, number, pairs.get(number), score)
    score.failures += _findings(truth, told, pairs, score)
    score.failures.sort(key=lambda failure: failure.at)
    score.clean = sum(
        not any(truth.rounds[n].started_at <= failure.at < truth.ends(n) + 1e-6
                for failure in score.failures)
        for n in range(len(truth.rounds))
    )  # fmt: skip
    return score


# --- events --------------------------------------------------------------------------------------


def _cost(true: TruthEvent, told: ToldEvent) -> float:
    """Return how badly a told event fits a true one; infinity when not at all."""
    apart = abs(true.at - told.at)
    if true.spot != told.spot or apart > _NEAR_S:
        return float("inf")
    hidden = "card-hidden" in (true.kind, told.kind)
    if hidden:  # the truth does not repeat which card it was
        return apart if true.kind == told.kind else float("inf")
    if (true.card is None) != (told.card is None):
        return float("inf")
    return apart + (0.0 if true.card == told.card else 5.0) + (true.kind != told.kind)


def _events(
    true: Sequence[TruthEvent], told: Sequence[ToldEvent], score: Score
) -> Iterator[Failure]:
    true = [event for event in true if event.kind in _ACTS]
    told = [event for event in told if event.kind in _ACTS]
    free = set(range(len(told)))
    fits = sorted(
        (cost, i, j)
        for i, a in enumerate(true)
        for j, b in enumerate(told)
        if (cost := _cost(a, b)) < float("inf")
    )
    matched: dict[int, int] = {}
    for _, i, j in fits:
        if i not in matched and j in free:
            matched[i] = j
            free.discard(j)
    for i, event in enumerate(true):
        said = told[matched[i]] if i in matched else None
        what = f"{event.kind} {event.spot} {event.card or 'face down'}"
        if said is None:
            yield Failure(Fault.EVENT_MISSED, event.at, what)
        elif said.card == event.card or event.kind == "card-hidden":
            score.right += 1
        else:
            fault = Fault.EVENT_UNREAD if said.card == "?" else Fault.EVENT_WRONG
            yield Failure(fault, event.at, f"{what}, told as {said.card}")
    for j in sorted(free):
        event_told = told[j]
        if not _is_repeated(event_told, true):
            what = f"{event_told.kind} {event_told.spot} {event_told.card or 'face down'}"
            yield Failure(Fault.EVENT_EXTRA, event_told.at, what)


def _is_repeated(told: ToldEvent, true: Iterable[TruthEvent]) -> bool:
    """Say whether an event repeats a state that truly was: told late, or told again."""
    return any(
        each.spot == told.spot and each.card == told.card and each.kind == told.kind
        and 0 <= told.at - each.at < 2 * _NEAR_S
        for each in true
    ) and told.card is not None  # fmt: skip


# --- rounds and plays ----------------------------------------------------------------------------


def paired_rounds(truth: Truth, told: Sequence[ToldRound]) -> dict[int, ToldRound]:
    """Return which told round is which true one, from 0, by their cards and their ends."""
    if not told:
        return {}
    worth = np.zeros((len(truth.rounds), len(told)))
    for i, row in enumerate(truth.rounds):
        for j, said in enumerate(told):
            shared = len(row.cards & _cards(said.record))
            worth[i, j] = shared + max(0.0, 1 - abs(said.at - truth.ends(i)) / 8)
    rows, columns = linear_sum_assignment(-worth)
    return {int(i): told[int(j)] for i, j in zip(rows, columns, strict=True) if worth[i, j] >= 0.5}


def _cards(record: dict[str, Any]) -> frozenset[str]:
    every = [record.get("trump"), *(record.get("dealer") or ())]
    for row in record.get("seats", {}).values():
        every += [*(row.get("hand") or ()), *(row.get("plays") or ())]
    every += [row.get("card") for row in record.get("exposed") or ()]
    return frozenset(card for card in every if card and card != "?")


def _plays(truth: Truth, number: int, told: ToldRound | None, score: Score) -> Iterator[Failure]:
    row = truth.rounds[number]
    if told is None:
        yield Failure(Fault.ROUND_LOST, row.started_at, f"round {number + 1}")
    for seat, shown in row.plays.items():
        said = told.record["seats"].get(str(seat), {}) if told else {}
        read = tuple(said.get("plays") or ())
        read, plays = _certain(read, shown) if seat in row.unsure else (read, shown)
        score.plays += len(plays)
        for trick, card in enumerate(plays):
            answer = read[trick] if trick < len(read) else None
            what = f"round {number + 1}, seat {seat}, trick {trick + 1}: {card}"
            if answer == card:
                score.plays_right += 1
            elif answer in (None, "?"):
                yield Failure(Fault.PLAY_UNREAD, _shown_at(truth, number, seat, card), what)
            else:
                at = _shown_at(truth, number, seat, card)
                yield Failure(Fault.PLAY_WRONG, at, f"{what}, read as {answer}")
        status = told.result["seats"].get(str(seat), {}).get("status") if told else None
        score.unsure += status in ("unsure", "incomplete") and seat not in row.unsure


def _certain(
    read: tuple[str | None, ...], plays: tuple[str, ...]
) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    """Return the plays of a seat that could not be seen throughout: only what was told counts."""
    both = [
        (said, true) for said, true in zip(read, plays, strict=False) if said not in (None, "?")
    ]
    return tuple(said for said, _ in both), tuple(true for _, true in both)


def _shown_at(truth: Truth, number: int, seat: int, card: str) -> float:
    start, end = truth.rounds[number].started_at, truth.ends(number)
    spots = (f"seat-{seat}", f"seat-{seat}.play")
    for event in truth.events:
        if event.card == card and event.spot in spots and start <= event.at < end + _LATE_S:
            return event.at
    return start


# --- findings ------------------------------------------------------------------------------------


def _findings(
    truth: Truth, told: Told, pairs: dict[int, ToldRound], score: Score
) -> Iterator[Failure]:
    claims = [f for f in told.findings if f.severity != "info" and f.code not in _DOUBTS]
    free = set(range(len(claims)))
    for planted in truth.findings:
        number = planted.round - 1
        breach = planted.code in BREACHES
        score.planted += breach
        score.others += not breach
        hit = next((j for j in sorted(free) if _hits(truth, planted, claims[j])), None)
        what = f"round {planted.round}: {planted.code}, seat {planted.seat}, trick {planted.trick}"
        if hit is not None:
            free.discard(hit)
            score.found += breach
            score.others_found += not breach
            score.latencies.append(round(claims[hit].told_at - planted.at, 3))
        elif _is_doubted(planted, pairs.get(number)):
            yield Failure(Fault.DOUBTED, planted.at, what)
        else:
            yield Failure(Fault.MISSED, planted.at, what)
    for j in sorted(free):
        false = claims[j]
        fault = Fault.FALSE_BREACH if false.code in BREACHES else Fault.FALSE_OTHER
        yield Failure(fault, false.told_at, f"{false.code}: {false.text}")


def _hits(truth: Truth, planted: TruthFinding, claim: ToldFinding) -> bool:
    number = planted.round - 1
    in_time = truth.rounds[number].started_at <= claim.told_at <= truth.ends(number) + _LATE_S
    same_seat = claim.seat == planted.seat or planted.code == "misdeal"
    same_trick = planted.trick in (None, claim.trick)
    return in_time and claim.code == planted.code and same_seat and same_trick


def _is_doubted(planted: TruthFinding, told: ToldRound | None) -> bool:
    """Say whether the round was left open where a planted finding was not made."""
    if told is None:
        return False
    seats = told.result.get("seats", {})
    rows = seats.values() if planted.seat is None else [seats.get(str(planted.seat), {})]
    return any(row.get("status") not in _SURE for row in rows)
