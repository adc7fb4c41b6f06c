"""Plays a scenario on the table: gives every card, chip and hand its motions."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from rules.cards import Card
from rules.events import Area, Cents, Seat, Spot, Wager
from vision.training import scenario_acts
from vision.training.scenario import (
    Act,
    Answer,
    Blackout,
    Cover,
    Deal,
    FeedLine,
    Flash,
    Fold,
    Misdeal,
    Money,
    Nudge,
    Pay,
    Peek,
    PickUp,
    Raise,
    Reveal,
    Scenario,
    Show,
    Staged,
    Stake,
    Sweep,
    Together,
    Wait,
)
from vision.training.scenario_chips import place_stake, settle, take_home
from vision.training.scenario_floor import (
    DEAL_EVERY,
    DEAL_SLIDE,
    DEALER,
    DISCARD,
    FLASH,
    LOOK,
    REACH,
    SLIDE_SPEED,
    SWEEP_SPEED,
    TRUMP,
    TUCK,
    TURN,
    Floor,
)
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
    DEMO_TABLE,
    RACK,
    RACK_MOUTH,
    SHOE,
    Table,
)


class Stage(Floor):
    """Plays acts one after another; `staged` holds what has been played so far."""

    def play(self, act: Act) -> None:
        """Play one act, and move the time on to where the next may begin."""
        match act:
            case Wait():
                self.now += act.seconds
            case Together():
                self._together(act.acts)
            case Deal():
                self._deal(act)
            case Misdeal():
                self._misdeal(act)
            case Sweep():
                self._sweep(act.overlap)
            case Stake() | Raise() | Pay() | Show() | Reveal():
                self._chips_or_turn(act)
            case Answer() | Fold() | Peek() | PickUp() | Nudge() | Cover() | Blackout():
                scenario_acts.play(self, act)
            case _:
                assert_never(act)

    def _together(self, acts: Sequence[Act]) -> None:
        start = end = self.now
        for act in acts:
            self.now = start
            self.play(act)
            end = max(end, self.now)
        self.now = end

    def _chips_or_turn(self, act: Money | Show | Reveal) -> None:
        match act:
            case Stake():
                self._stake(act.seat, act.wagers)
            case Raise():
                self._stake(act.seat, {act.wager: act.amount})
            case Pay():
                self._pay(act)
            case Show():
                self._show(act.card)
            case Reveal():
                self._reveal(act.spot)
            case _:
                assert_never(act)

    # Cards

    def _slide_in(self, card: Card, spot: Spot, index: int, *, at: float, up: bool) -> CardTrack:
        """Slide a card from the shoe to its slot."""
        rest = self.rest(spot, index)
        face = FACE_UP if up else FACE_DOWN
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

    def _deal_row(
        self,
        dealt: Iterable[tuple[Card, Spot, int]],
        flashes: Sequence[Flash] = (),
        *,
        faces_up: bool = False,
    ) -> CardTrack:
        """Deal cards one after another with the left hand, and return the last one."""
        path = [(self.now - REACH, *DEALER_LEFT_HOME), (self.now, SHOE[0] + 20, SHOE[1] + 18)]
        last = None
        open_for = {flash.card: flash.seconds for flash in flashes}
        for card, spot, index in dealt:
            x, y = self.table.slot(spot, index)
            far = math.hypot(x - SHOE[0], y - SHOE[1])
            share = min(105.0, far * 0.4) / far
            up = spot == TRUMP or (faces_up and spot.area is Area.HAND)
            last = self._slide_in(card, spot, index, at=self.now, up=up)
            flick = (SHOE[0] + (x - SHOE[0]) * share, SHOE[1] + (y - SHOE[1]) * share)
            path.append((self.now + 0.12, *flick))
            self.now += DEAL_EVERY
            path.append((self.now, SHOE[0] + 20, SHOE[1] + 18))
            if card in open_for:
                self._flash(last, open_for[card])
                path.append((self.now, SHOE[0] + 20, SHOE[1] + 18))
        path.append((self.now + REACH, *DEALER_LEFT_HOME))
        self.staged.gestures.append(Gesture(Arm.DEALER_LEFT, None, Grip.PINCH, tuple(path)))
        if last is None:
            raise ValueError("a deal without cards")
        return last

    def _flash(self, exposed: CardTrack, seconds: float) -> None:
        """Let a card that has just been dealt tip over, lie open, and be turned back."""
        down = exposed.track.last
        start = exposed.track.motions[-1].end + 0.24
        up_at = start + 0.12
        exposed.track.move(Motion(start, up_at, replace(down, flip=FACE_UP)))
        exposed.track.move(Motion(up_at + seconds, up_at + seconds + 0.12, down))
        self.touch(
            Arm.DEALER_RIGHT,
            None,
            Grip.PINCH,
            [
                (start - 0.02, down.x + 22, down.y + 44),
                (up_at, down.x + 30, down.y + 100),
                (up_at + seconds, down.x + 30, down.y + 100),
                (up_at + seconds + 0.12, down.x + 26, down.y + 48),
            ],
        )
        self.now = up_at + seconds + 0.12 + REACH + 0.1

    def _deal(self, act: Deal) -> None:
        order = _round_robin(act.hands, act.dealer)
        if act.trump is not None:
            order.append((act.trump, TRUMP, 0))
        self._deal_row(order, act.flashes, faces_up=act.faces_up)
        self.now += 0.25

    def _misdeal(self, act: Misdeal) -> None:
        exposed = self._deal_row(_round_robin(act.hands, act.dealer))
        # A finger catches the card as it is straightened; it tips over, lies open, is turned back.
        down = exposed.track.last
        start = max(exposed.track.motions[-1].end + 0.24, self.now + 0.2)
        self.touch(
            Arm.DEALER_LEFT,
            None,
            Grip.PINCH,
            [(start - 0.04, down.x + 22, down.y + 30), (start + 0.06, down.x + 34, down.y + 44)],
        )
        up = replace(down, flip=FACE_UP)
        exposed.track.move(Motion(start, start + 0.2, up))
        back = start + 0.2 + FLASH
        exposed.track.move(Motion(back, back + 0.22, down))
        self.touch(
            Arm.DEALER_RIGHT,
            None,
            Grip.PINCH,
            [(back - 0.05, down.x - 10, down.y + 46), (back + 0.24, down.x + 8, down.y + 36)],
        )
        self.now = back + 0.22 + REACH

    def _show(self, card: Card) -> None:
        track = self.find(card).track
        rest = track.last
        start = self.now + REACH
        track.move(Motion(start, start + TURN, replace(rest, flip=FACE_UP, layer=self.top())))
        self.touch(
            Arm.DEALER_RIGHT,
            None,
            Grip.PINCH,
            [(start, rest.x - 24, rest.y + 30), (start + TURN, rest.x + 20, rest.y + 38)],
        )
        self.now = start + TURN + 0.14 + LOOK * 0.5

    def _reveal(self, spot: Spot) -> None:
        """Turn the cards of a spot with one stroke of the right hand."""
        start = at = self.now + REACH
        path = []
        for each in self.on_table(spot):
            rest = each.track.last
            up = replace(rest, flip=FACE_UP, layer=self.top())
            each.track.move(Motion(at, at + 0.22, up))
            path.append((at, rest.x - 24, rest.y + 30))
            at += 0.26
        end = path[-1]
        path.append((at, end[1] + 44, end[2] + 8))
        self.touch(Arm.DEALER_RIGHT, None, Grip.PINCH, path)
        self.now = max(start, at) + LOOK * 0.5

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
        if act.by_hand and any(act.paid.values()):
            end = settle(self.staged, act.seat, act.paid, self.now)
        else:
            end = self.now + 0.1
        self._tell("payout", act.seat, act.paid, end)
        self.now = end + 0.06

    def _sweep(self, overlap: float) -> None:
        """Players take their chips; the right hand gathers all cards, from seat 1 round to 6."""
        take_home(self.staged, self.now)
        groups = [self.on_table(DEALER, TRUMP)]
        groups += [self.on_table(Spot(Area.HAND, Seat(n))) for n in range(1, 7)]
        lying = [c for group in groups for c in group]
        discard = self.table.places[DISCARD]
        folded = [c for c in lying if discard.holds(c.track.last.x, c.track.last.y)]
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
        self.now = at + REACH - overlap

    def _carry(
        self, held: list[CardTrack], at: float, a: tuple[float, float], b: tuple[float, float]
    ) -> float:
        """Drag cards along under the hand, and return when it arrives."""
        end = at + max(0.26, math.hypot(b[0] - a[0], b[1] - a[1]) / SWEEP_SPEED)
        for each in held:
            dx, dy = self.random.uniform(-16, 16, 2)
            turn = self.random.uniform(-0.25, 0.25)
            pose = replace(each.track.last, x=b[0] + dx, y=b[1] + dy - 22, z=24.0, heading=turn)
            each.track.move(Motion(at, end, replace(pose, layer=self.top())))
        return end


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


def stage(scenario: Scenario, table: Table = DEMO_TABLE) -> Staged:
    """Play a scenario from start to end at a table."""
    played = Stage(scenario, table)
    for each in scenario.rounds:
        played.staged.starts.append(played.now)
        for act in each.acts:
            played.play(act)
    played.staged.seconds = played.now
    played.staged.gestures = joined(played.staged.gestures)
    return played.staged
