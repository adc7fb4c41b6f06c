"""Plays a scenario on the table: gives every card, chip and hand its motions.

Times inside an act are the pace of a brisk dealer. They are kept together at the top, so that a
scenario can be read without them.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

import numpy as np

from rules.cards import Card
from rules.events import Area, Cents, Seat, Spot, Wager
from vision.training.scenario import (
    Act,
    Answer,
    Deal,
    FeedLine,
    Fold,
    Habit,
    Misdeal,
    Pay,
    Raise,
    Scenario,
    Show,
    Staged,
    Stake,
    Sweep,
    Wait,
)
from vision.training.scenario_chips import place_stake, settle, take_home
from vision.training.scenario_motion import (
    FACE_DOWN,
    FACE_UP,
    Arm,
    CardTrack,
    Ease,
    Gesture,
    Grip,
    Motion,
    Pose,
    Track,
    joined,
)
from vision.training.scenario_table import (
    DEALER_LEFT_HOME,
    DEALER_RIGHT_HOME,
    PLACES,
    RACK,
    RACK_MOUTH,
    SHOE,
    player_home,
    slot,
)

REACH = 0.28
"""Seconds for a hand to come into the picture, or to leave it."""
DEAL_EVERY = 0.28
DEAL_SLIDE = 0.24
SLIDE_SPEED = 2400.0
"""Millimetres a second of a dealt card, on average."""
TURN = 0.30
"""Seconds to turn a card over in place."""
CARRY = 0.44
"""Seconds to carry a card to the play spot."""
LOOK = 0.46
"""Seconds that a fresh card is left alone before the next hand comes near it."""
FLASH = 0.58
"""Seconds that an exposed card lies face up."""
TUCK = 0.18
"""Seconds to push the cards into the rack."""
SWEEP_SPEED = 1650.0
"""Millimetres a second of a sweeping hand."""

DEALER = Spot(Area.DEALER)
TRUMP = Spot(Area.TRUMP)
DISCARD = Spot(Area.DISCARD)


class Stage:
    """Plays acts one after another; `staged` holds what has been played so far."""

    def __init__(self, scenario: Scenario) -> None:
        self.staged = Staged(scenario)
        self.now = 0.0
        self._random = np.random.default_rng(scenario.seed)
        self._layer = 0

    def play(self, act: Act) -> None:
        """Play one act, and move the time on to where the next may begin."""
        match act:
            case Wait():
                self.now += act.seconds
            case Stake() | Raise() | Pay():
                self._money(act)
            case Deal():
                self._deal(act)
            case Misdeal():
                self._misdeal(act)
            case Show() | Answer() | Fold():
                self._turn(act)
            case Sweep():
                self._sweep()
            case _:
                assert_never(act)

    def _money(self, act: Stake | Raise | Pay) -> None:
        match act:
            case Stake():
                self._stake(act.seat, act.wagers)
            case Raise():
                self._stake(act.seat, {Wager.PLAY: act.amount})
            case Pay():
                self._pay(act)
            case _:
                assert_never(act)

    def _turn(self, act: Show | Answer | Fold) -> None:
        match act:
            case Show():
                self._show(act.card)
            case Answer():
                self._answer(act)
            case Fold():
                self._fold(act.seat)
            case _:
                assert_never(act)

    # Cards

    def _on_table(self, *spots: Spot) -> list[CardTrack]:
        """The cards of the present round that were dealt to any of the spots and lie there yet."""
        return [
            each for each in self.staged.cards if each.home in spots and each.track.gone == math.inf
        ]

    def _find(self, card: Card) -> CardTrack:
        current = len(self.staged.starts)
        return next(c for c in self.staged.cards if c.card == card and c.round == current)

    def _top(self) -> int:
        self._layer += 1
        return self._layer

    def _rest(self, spot: Spot, index: int) -> Pose:
        """A pose on a slot, a little off as a hand would leave it."""
        x, y = slot(spot, index)
        dx, dy = self._random.uniform(-1.1, 1.1, 2)
        tilt = self._random.normal(0, 0.011)
        heading = PLACES[spot].heading + float(np.clip(tilt, -0.025, 0.025))
        return Pose(x + dx, y + dy, heading, layer=self._top())

    def _slide_in(self, card: Card, spot: Spot, index: int, *, at: float) -> CardTrack:
        """Slide a card from the shoe to its slot; only the trump card comes face up."""
        rest = self._rest(spot, index)
        face = FACE_UP if spot == TRUMP else FACE_DOWN
        nearest = rest.heading - math.pi * round(rest.heading / math.pi)
        rest = replace(rest, heading=nearest, flip=face)
        start = Pose(SHOE[0] + 34, SHOE[1] + 40, -0.6, flip=FACE_DOWN, layer=rest.layer)
        track = Track(at, start)
        far = math.hypot(rest.x - SHOE[0], rest.y - SHOE[1])
        end = at + max(DEAL_SLIDE, far / SLIDE_SPEED) + (0.12 if spot == TRUMP else 0)
        lift = 34.0 if spot == TRUMP else 3.0
        track.move(Motion(at + 0.03, end, rest, lift=lift, ease=Ease.SLIDE))
        made = CardTrack(len(self.staged.starts), card, spot, track)
        self.staged.cards.append(made)
        return made

    def _deal_row(self, dealt: Iterable[tuple[Card, Spot, int]]) -> CardTrack:
        """Deal cards one after another with the left hand, and return the last one."""
        path = [(self.now - REACH, *DEALER_LEFT_HOME), (self.now, SHOE[0] + 20, SHOE[1] + 18)]
        last = None
        for card, spot, index in dealt:
            x, y = slot(spot, index)
            far = math.hypot(x - SHOE[0], y - SHOE[1])
            share = min(105.0, far * 0.4) / far
            last = self._slide_in(card, spot, index, at=self.now)
            flick = (SHOE[0] + (x - SHOE[0]) * share, SHOE[1] + (y - SHOE[1]) * share)
            path.append((self.now + 0.12, *flick))
            self.now += DEAL_EVERY
            path.append((self.now, SHOE[0] + 20, SHOE[1] + 18))
        path.append((self.now + REACH, *DEALER_LEFT_HOME))
        self.staged.gestures.append(Gesture(Arm.DEALER_LEFT, None, Grip.PINCH, tuple(path)))
        if last is None:
            raise ValueError("a deal without cards")
        return last

    def _deal(self, act: Deal) -> None:
        order = _round_robin(act.hands, act.dealer)
        self._deal_row([*order, (act.trump, TRUMP, 0)])
        self.now += 0.25

    def _misdeal(self, act: Misdeal) -> None:
        exposed = self._deal_row(_round_robin(act.hands, act.dealer))
        # A finger catches the card as it is straightened; it tips over, lies open, is turned back.
        down = exposed.track.last
        start = max(exposed.track.motions[-1].end + 0.24, self.now + 0.2)
        self._touch(
            Arm.DEALER_LEFT,
            None,
            Grip.PINCH,
            [(start - 0.04, down.x + 22, down.y + 30), (start + 0.06, down.x + 34, down.y + 44)],
        )
        up = replace(down, flip=FACE_UP)
        exposed.track.move(Motion(start, start + 0.2, up))
        back = start + 0.2 + FLASH
        exposed.track.move(Motion(back, back + 0.22, down))
        self._touch(
            Arm.DEALER_RIGHT,
            None,
            Grip.PINCH,
            [(back - 0.05, down.x - 10, down.y + 46), (back + 0.24, down.x + 8, down.y + 36)],
        )
        self.now = back + 0.22 + REACH

    def _touch(
        self, arm: Arm, seat: Seat | None, grip: Grip, points: list[tuple[float, float, float]]
    ) -> None:
        """Bring a hand in, along points, and out again."""
        home = _home(arm, seat)
        path = ((points[0][0] - REACH, *home), *points, (points[-1][0] + REACH, *home))
        self.staged.gestures.append(Gesture(arm, seat, grip, path))

    def _show(self, card: Card) -> None:
        track = self._find(card).track
        rest = track.last
        start = self.now + REACH
        track.move(Motion(start, start + TURN, replace(rest, flip=FACE_UP, layer=self._top())))
        self._touch(
            Arm.DEALER_RIGHT,
            None,
            Grip.PINCH,
            [(start, rest.x - 24, rest.y + 30), (start + TURN, rest.x + 20, rest.y + 38)],
        )
        self.now = start + TURN + 0.14 + LOOK * 0.5

    def _answer(self, act: Answer) -> None:
        track = self._find(act.card).track
        spot = Spot(Area.HAND, act.seat)
        rest = track.last
        start = self.now + REACH
        grab = _beside(rest, -8, -36)
        if act.habit is Habit.TURN:
            track.move(Motion(start, start + TURN, replace(rest, flip=FACE_UP, layer=self._top())))
            end, leave = start + TURN, _beside(rest, 14, -44)
        else:
            index = sum(
                1 for c in self._on_table(spot)
                if PLACES[Spot(Area.PLAYED, act.seat)].holds(c.track.last.x, c.track.last.y)
            )  # fmt: skip
            end = start + CARRY
            to = replace(self._rest(Spot(Area.PLAYED, act.seat), index), flip=FACE_UP)
            track.move(Motion(start, end, to, lift=38))
            leave = _beside(to, 4, -42)
        self._touch(Arm.PLAYER, act.seat, Grip.PINCH, [(start, *grab), (end, *leave)])
        self.now = end + 0.14 + LOOK - REACH

    def _fold(self, seat: Seat) -> None:
        """The player pushes the cards in, and the dealer draws them to the discard spot."""
        cards = self._on_table(Spot(Area.HAND, seat))
        place = PLACES[Spot(Area.HAND, seat)]
        start = self.now + REACH
        met = start + 0.34
        end = met + 0.5
        for index, each in enumerate(cards):
            x, y = place.at((index - 1) * 30, 118)
            pushed = replace(each.track.last, x=x, y=y, z=22, layer=self._top())
            each.track.move(Motion(start, met, pushed))
            there = self._rest(DISCARD, index)
            each.track.move(Motion(met + 0.12, end + 0.12, there))
        self._touch(
            Arm.PLAYER, seat, Grip.FLAT, [(start, *place.at(0, -30)), (met, *place.at(0, 84))]
        )
        x, y = slot(DISCARD, 1)
        self._touch(
            Arm.DEALER_RIGHT,
            None,
            Grip.FLAT,
            [(met + 0.10, *place.at(-8, 150)), (end + 0.12, x + 10, y + 34)],
        )
        self.now = end + 0.12 + REACH

    # Chips

    def _tell(self, kind: str, seat: Seat, amounts: Mapping[Wager, Cents], at: float) -> None:
        for wager, amount in amounts.items():
            self.staged.feed.append(FeedLine(round(at, 2), kind, seat, wager, amount))

    def _stake(self, seat: Seat, wagers: Mapping[Wager, Cents]) -> None:
        gesture, end = place_stake(self.staged, seat, wagers, self.now)
        self.staged.gestures.append(gesture)
        self._tell("wager", seat, wagers, end)
        self.now += 0.36

    def _pay(self, act: Pay) -> None:
        if any(act.paid.values()):
            end = settle(self.staged, act.seat, act.paid, self.now)
        else:
            end = self.now + 0.1
        self._tell("payout", act.seat, act.paid, end)
        self.now = end + 0.06

    def _sweep(self) -> None:
        """Players take their chips; the right hand gathers all cards, from seat 1 round to 6."""
        take_home(self.staged, self.now)
        groups = [self._on_table(DEALER, TRUMP)]
        groups += [self._on_table(Spot(Area.HAND, Seat(n))) for n in range(1, 7)]
        lying = [c for group in groups for c in group]
        folded = [c for c in lying if PLACES[DISCARD].holds(c.track.last.x, c.track.last.y)]
        groups = [[c for c in g if c not in folded] for g in groups] + [folded]
        stops = [(_middle(group), group) for group in groups if group]
        at = self.now + REACH
        path = [(self.now, *DEALER_RIGHT_HOME), (at, *stops[0][0])]
        held: list[CardTrack] = []
        for (x, y), group in stops:
            if held:
                at = self._carry(held, at, (path[-1][1], path[-1][2]), (x, y))
                path.append((at, x, y))
            held += group
        at = self._carry(held, at, (path[-1][1], path[-1][2]), RACK_MOUTH)
        path.append((at, *RACK_MOUTH))
        for each in held:
            last = each.track.last
            inside = replace(last, x=(last.x + RACK[0]) / 2, y=RACK[1] + 22, heading=0.0)
            each.track.move(Motion(at, at + TUCK, inside))
            each.track.gone = at + TUCK
        at += TUCK
        path += [(at, RACK_MOUTH[0], RACK_MOUTH[1] + 12), (at + REACH, *DEALER_RIGHT_HOME)]
        self.staged.gestures.append(Gesture(Arm.DEALER_RIGHT, None, Grip.FLAT, tuple(path)))
        self.now = at + REACH

    def _carry(
        self, held: list[CardTrack], at: float, a: tuple[float, float], b: tuple[float, float]
    ) -> float:
        """Drag cards along under the hand, and return when it arrives."""
        end = at + max(0.26, math.hypot(b[0] - a[0], b[1] - a[1]) / SWEEP_SPEED)
        for each in held:
            dx, dy = self._random.uniform(-16, 16, 2)
            turn = self._random.uniform(-0.25, 0.25)
            pose = replace(each.track.last, x=b[0] + dx, y=b[1] + dy - 22, z=24.0, heading=turn)
            each.track.move(Motion(at, end, replace(pose, layer=self._top())))
        return end


def _home(arm: Arm, seat: Seat | None) -> tuple[float, float]:
    if seat is not None:
        return player_home(seat)
    return DEALER_LEFT_HOME if arm is Arm.DEALER_LEFT else DEALER_RIGHT_HOME


def _beside(pose: Pose, right: float, up: float) -> tuple[float, float]:
    c, s = math.cos(pose.heading), math.sin(pose.heading)
    return pose.x + right * c - up * s, pose.y + right * s + up * c


def _middle(cards: list[CardTrack]) -> tuple[float, float]:
    poses = [each.track.last for each in cards]
    return sum(p.x for p in poses) / len(poses), sum(p.y for p in poses) / len(poses) + 24


def _round_robin(
    hands: dict[Seat, tuple[Card, ...]], dealer: tuple[Card, ...]
) -> list[tuple[Card, Spot, int]]:
    """One card to each seat in turn and then the dealer, as far as the cards go."""
    rows = [(Spot(Area.HAND, seat), cards) for seat, cards in hands.items()] + [(DEALER, dealer)]
    longest = max(len(cards) for _, cards in rows)
    return [
        (cards[turn], spot, turn)
        for turn in range(longest)
        for spot, cards in rows
        if turn < len(cards)
    ]


def stage(scenario: Scenario) -> Staged:
    """Play a scenario from start to end."""
    played = Stage(scenario)
    for each in scenario.rounds:
        played.staged.starts.append(played.now)
        for act in each.acts:
            played.play(act)
    played.staged.seconds = played.now
    played.staged.gestures = joined(played.staged.gestures)
    return played.staged
