"""The truth of a staged scenario, read off the very motions that are drawn."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rules.cards import Card
from rules.events import SEATS, Area, Seat, Spot, Wager
from vision.training.scenario import Act, Fold, Planted, Raise, Staged, Together
from vision.training.scenario_look import WHIST
from vision.training.scenario_motion import Arm, CardTrack, Motion, Pose

STILL = 0.2
"""Seconds a card must lie for it to have come to rest."""

IN_HAND_S = 1.3
"""A card that is out of sight for so long was taken up: it is told removed, and placed anew."""

_ARM_HALF = 40.0
_CARD_HALF = 34.0
_FRAME = 0.04


@dataclass(frozen=True, slots=True)
class CardSeen:
    """One card event, as a perfect observer would tell it."""

    kind: str
    spot: Spot
    card: Card | None
    """What is to be seen of it; None face down."""
    really: Card
    """Which card it is."""
    at: float
    """When it lies still with no hand over it; for a card that leaves, when it begins to."""
    source: Spot | None = None

    def row(self) -> dict[str, Any]:
        """Return the event as the truth file has it."""
        card = str(self.card) if self.card else None
        made: dict[str, Any] = {"kind": self.kind, "spot": str(self.spot), "card": card,
                                "at": round(self.at, 2)}  # fmt: skip
        if self.source:
            made["from"] = str(self.source)
        return made


def covered(staged: Staged, pose: Pose, when: float) -> bool:
    """Say whether an arm is over a card at a moment, or the camera saw nothing then."""
    if any(start <= when < end for start, end in staged.blackouts):
        return True
    for gesture in staged.gestures:
        tip = gesture.at(when)
        if tip is None:
            continue
        end = staged.table.shoulder(gesture.seat, left=gesture.arm is Arm.DEALER_LEFT)
        if _distance((pose.x, pose.y), tip, end) < _ARM_HALF + _CARD_HALF:
            return True
    return False


def _distance(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    u = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)
    u = min(1.0, max(0.0, u))
    return math.hypot(p[0] - a[0] - u * dx, p[1] - a[1] - u * dy)


def _readable(staged: Staged, pose: Pose, start: float, end: float) -> float:
    when = start
    while when < end - _FRAME and covered(staged, pose, when):
        when += _FRAME
    return when


def _kind(before: tuple[Spot, bool] | None, spot: Spot, *, face_up: bool) -> str:
    if before is None:
        return "card-placed"
    if before[0] != spot:
        return "card-moved"
    return "card-turned" if face_up else "card-hidden"


def _events_of(staged: Staged, each: CardTrack) -> list[CardSeen]:
    """The events of one card: each rest that differs from the one before, and its leaving."""
    track = each.track
    made: list[CardSeen] = []
    before: tuple[Spot, bool] | None = None
    for index, motion in enumerate(track.motions):
        later = track.motions[index + 1].start if index + 1 < len(track.motions) else staged.seconds
        spot = staged.table.spot_at(motion.to.x, motion.to.y)
        if before and spot is None and later - motion.end >= IN_HAND_S and not track.gone < later:
            shown = each.card if before[1] else None
            made.append(CardSeen("card-removed", before[0], shown, each.card, motion.start))
            before = None
        if motion.to.z > 0 or later - motion.end < STILL - 1e-6 or spot is None:
            continue
        face_up = motion.to.face_up
        if before == (spot, face_up):
            continue
        kind = _kind(before, spot, face_up=face_up)
        at = _readable(staged, motion.to, motion.end, later)
        source = before[0] if before and before[0] != spot else None
        made.append(CardSeen(kind, spot, each.card if face_up else None, each.card, at, source))
        before = (spot, face_up)
    if before and track.gone < math.inf:
        shown = each.card if before[1] else None
        lifted = next(m.start for m in reversed(track.motions) if not _carries(track.motions, m))
        made.append(CardSeen("card-removed", before[0], shown, each.card, lifted))
    return made


def _carries(motions: list[Motion], motion: Motion) -> bool:
    """Say whether a motion only carries on a sweep that an earlier one began."""
    index = motions.index(motion)
    before = motions[index - 1] if index else None
    return bool(before and before.to.z > 0 and motion.start - before.end < STILL)


def events(staged: Staged) -> list[CardSeen]:
    """Return every card event in the order of time."""
    every = [event for each in staged.cards for event in _events_of(staged, each)]
    return sorted(every, key=lambda event: event.at)


def _of_round(staged: Staged, number: int) -> list[tuple[CardTrack, list[CardSeen]]]:
    return [(c, _events_of(staged, c)) for c in staged.cards if c.round == number]


def _wagers(staged: Staged, number: int, kind: str) -> dict[Seat, dict[str, int]]:
    start = staged.starts[number - 1]
    end = staged.starts[number] if number < len(staged.starts) else math.inf
    told: dict[Seat, dict[str, int]] = {}
    for line in staged.feed:
        if line.kind == kind and start <= line.at < end:
            told.setdefault(line.seat, {})[line.wager.value] = line.amount
    return told


def _seat(
    staged: Staged, number: int, seat: Seat, cards: list[tuple[CardTrack, list[CardSeen]]]
) -> dict[str, Any]:
    acts = tuple(_flat(staged.scenario.rounds[number - 1].acts))
    mine = [(c, seen) for c, seen in cards if c.home == Spot(Area.HAND, seat)]
    shown = sorted(
        (e for _, seen in mine for e in seen if e.card and e.kind != "card-removed"),
        key=lambda event: event.at,
    )
    wagers = _wagers(staged, number, "wager")[seat]
    whist = staged.table.game == WHIST
    row: dict[str, Any] = {"wagers": wagers}
    if any(isinstance(act, Fold) and act.seat == seat for act in acts):
        row["decision"] = "fold"
    else:
        going = [act for act in acts if isinstance(act, Raise) and act.seat == seat]
        row |= {"decision": going[0].wager.value} if going else {}
    known = {event.really for event in shown}
    row["hand"] = [str(c.card) if c.card in known else None for c, _ in mine]
    if whist:
        hidden = {e.really for _, seen in mine for e in seen if e.kind == "card-hidden"}
        plays = [str(event.card) for event in shown if event.kind != "card-turned" or
                 event.really not in hidden or event is not _first(shown, event)]  # fmt: skip
        row["plays"] = list(dict.fromkeys(plays))
    if any(line.kind == "payout" for line in staged.feed):
        row["paid"] = _wagers(staged, number, "payout").get(seat, {})
    return row


def _first(shown: list[CardSeen], event: CardSeen) -> CardSeen:
    """The first time that the same card was shown."""
    return next(e for e in shown if e.really == event.really)


def _flat(acts: Iterable[Act]) -> Iterator[Act]:
    for act in acts:
        if isinstance(act, Together):
            yield from _flat(act.acts)
        else:
            yield act


def record(staged: Staged, number: int) -> dict[str, Any]:
    """Return the round record of a round, from 1: all that a perfect observer could know of it."""
    cards = _of_round(staged, number)
    every = sorted((e for _, seen in cards for e in seen), key=lambda event: event.at)
    hidden = {e.really for e in every if e.kind == "card-hidden"}
    flashed = [e for e in every if e.kind == "card-turned" and e.really in hidden]
    exposed = [e for e in flashed if e is _first(flashed, e)]
    turned = [e for e in every if e.spot.area is Area.DEALER and e.kind == "card-turned"]
    trump = next((str(e.card) for e in every if e.spot.area is Area.TRUMP and e.card), None)
    wagers = _wagers(staged, number, "wager")
    made: dict[str, Any] = {
        "round": f"{staged.scenario.table}-{number}",
        "game": staged.table.game,
        "table": staged.scenario.table,
        "trump": trump,
        "dealer": [str(e.card) for e in turned if e not in exposed],
        "seats": {str(s): _seat(staged, number, s, cards) for s in SEATS if s in wagers},
        "exposed": [{"spot": str(e.spot), "card": str(e.card)} for e in exposed],
    }
    return {key: value for key, value in made.items() if value is not None}


def _proof(staged: Staged, number: int, planted: Planted) -> float:
    """When a planted finding is proved."""
    if planted.at_turn is not None:
        turned = sorted(
            event.at
            for _, seen in _of_round(staged, number)
            for event in seen
            if event.spot.area is Area.DEALER and event.kind == "card-turned"
        )
        return turned[planted.at_turn - 1]
    if isinstance(planted.proof, Wager):
        start = staged.starts[number - 1]
        return next(
            line.at
            for line in staged.feed
            if line.kind == "payout" and line.at >= start
            and (line.seat, line.wager) == (planted.seat, planted.proof)
        )  # fmt: skip
    return next(
        event.at
        for _, seen in _of_round(staged, number)
        for event in seen
        if event.card == planted.proof
    )


def truth(staged: Staged) -> dict[str, Any]:
    """Return all of the truth file but what concerns the picture."""
    rounds = []
    findings = []
    for number, each in enumerate(staged.scenario.rounds, start=1):
        dealt: dict[str, list[str]] = {}
        for card, _ in _of_round(staged, number):
            dealt.setdefault(str(card.home), []).append(str(card.card))
        void = any(planted.code == "misdeal" for planted in each.planted)
        row: dict[str, Any] = {"started_at": round(staged.starts[number - 1], 2), "void": void,
                               "record": record(staged, number), "dealt": dealt}  # fmt: skip
        if each.kind:
            row |= {"kind": each.kind, "unsure": list(each.unsure)}
        rounds.append(row)
        for planted in each.planted:
            proof = planted.proof.value if isinstance(planted.proof, Wager) else planted.proof
            findings.append({"round": number, "code": planted.code, "seat": planted.seat,
                             "trick": planted.trick, "rule": planted.rule,
                             "proved_by": None if proof is None else str(proof),
                             "at": round(_proof(staged, number, planted), 2)})  # fmt: skip
    return {
        "rounds": rounds,
        "findings": sorted(findings, key=lambda row: row["at"]),
        "events": [event.row() for event in events(staged)],
    }
