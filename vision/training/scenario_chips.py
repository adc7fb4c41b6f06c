"""The chips of a scenario: stakes, settlements, and who takes them in the end."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.events import Area, Cents, Seat, Spot, Wager
from vision.training.scenario import Staged
from vision.training.scenario_motion import (
    Arm,
    ChipTrack,
    Colour,
    Gesture,
    Grip,
    Motion,
    Pose,
    Track,
)
from vision.training.scenario_table import DEALER_RIGHT_HOME, TRAY, Place, Table

CHIP_DIAMETER = 39.0
CHIP_THICKNESS = 3.3

WORTH = {Colour.BLACK: 10_000, Colour.GREEN: 2_500, Colour.RED: 500}
"""What a chip of each colour is worth, in cents, dearest first."""

AREAS = {
    Wager.ANTE: Area.ANTE,
    Wager.PLAY: Area.PLAY_WAGER,
    Wager.BONUS: Area.BONUS,
    Wager.RNB: Area.RNB,
    Wager.RAISE: Area.RAISE,
    Wager.PAIR_PLUS: Area.PAIR_PLUS,
}
"""The betting circle of each wager."""
_REACH = 0.28
_STEP = 0.16
"""Seconds between the circles that one hand serves."""


def chips_for(amount: int) -> list[tuple[Colour, int]]:
    """Return the stack that makes up an amount, the dearest chips lowest.

    Raises:
        ValueError: Chips can't make up the amount.

    >>> [(colour.value, count) for colour, count in chips_for(3000)]
    [('green', 1), ('red', 1)]
    """
    stack = []
    rest = amount
    for colour, worth in WORTH.items():
        if rest >= worth:
            stack.append((colour, rest // worth))
            rest %= worth
    if rest:
        raise ValueError(f"{amount} cents can't be made up of chips")
    return stack


def stacks(count: int, drawn: Sequence[int]) -> list[int]:
    """Return the drawn stacks, the highest lowest, that together are a stack of so many chips.

    Raises:
        ValueError: No single chip is drawn, and the others do not come out even.

    >>> stacks(7, (1, 2, 4))
    [4, 2, 1]
    """
    parts = []
    for size in sorted(drawn, reverse=True):
        parts += [size] * (count // size)
        count %= size
    if count:
        raise ValueError(f"{count} chips are left over of stacks of {sorted(drawn)}")
    return parts


def circle(table: Table, seat: Seat, wager: Wager) -> Place:
    """Return the place of a wager's betting circle."""
    return table.places[Spot(AREAS[wager], seat)]


def _stack(staged: Staged, seat: Seat, wager: Wager, amount: Cents, route: list[Motion]) -> None:
    """Let a stack appear where the hand comes from, and go where the motions take it."""
    high = 0.0
    for colour, count in chips_for(amount):
        home = TRAY_FRONT if route[0].lift > 30 else staged.table.player_home(seat)
        track = Track(route[0].start, Pose(*home, z=high))
        for motion in route:
            track.move(replace(motion, to=replace(motion.to, z=high)))
        staged.chips.append(ChipTrack(seat, wager, colour, count, track))
        high += count * CHIP_THICKNESS


TRAY_FRONT = (TRAY.x - 60.0, TRAY.y - 30.0)
"""Where the dealer takes chips from and puts them back."""


def place_stake(
    staged: Staged, seat: Seat, wagers: Mapping[Wager, Cents], now: float
) -> tuple[Gesture, float]:
    """Place wagers with a player's hand; return the hand, and when the last lies."""
    home = staged.table.player_home(seat)
    path = [(now, *home)]
    at = now + _REACH
    for wager, amount in wagers.items():
        place = circle(staged.table, seat, wager)
        x, y = place.x, place.y
        _stack(staged, seat, wager, amount, [Motion(now, at, Pose(x, y), lift=22)])
        path.append((at, x, y))
        at += _STEP
    end = path[-1][0]
    path += [(end + 0.06, path[-1][1], path[-1][2]), (end + 0.06 + _REACH, *home)]
    return Gesture(Arm.PLAYER, seat, Grip.PINCH, tuple(path)), end


def settle(staged: Staged, seat: Seat, paid: Mapping[Wager, Cents], now: float) -> float:
    """Take lost wagers and pay won ones with the dealer's right hand; return when it is done."""
    path = [(now, *DEALER_RIGHT_HOME)]
    lost = [wager for wager, amount in paid.items() if amount < 0]
    won = {wager: amount for wager, amount in paid.items() if amount > 0}
    at = now + 0.30
    if lost:
        at = _take(staged, seat, lost, path, at)
    if won:
        path.append((at, *TRAY_FRONT))
        first = circle(staged.table, seat, next(iter(won)))
        end = at + max(0.34, math.hypot(first.x - TRAY_FRONT[0], first.y - TRAY_FRONT[1]) / 1400)
        route: list[Motion] = []
        for wager, amount in won.items():
            # The stacks that are still to be placed travel on under the hand.
            beside = circle(staged.table, seat, wager).at(0.0, -42.0)
            start = route[-1].end if route else at
            route.append(Motion(start, end, Pose(*beside), lift=8 if route else 40))
            _stack(staged, seat, wager, amount, route)
            path.append((end, *beside))
            end += _STEP + 0.1
    done = path[-1][0]
    path.append((done + 0.30, *DEALER_RIGHT_HOME))
    staged.gestures.append(Gesture(Arm.DEALER_RIGHT, None, Grip.PINCH, tuple(path)))
    return done


def _take(
    staged: Staged, seat: Seat, lost: list[Wager], path: list[tuple[float, float, float]], at: float
) -> float:
    """Draw lost chips to the tray: circle by circle, then all together."""
    chips = [
        c for c in staged.chips if c.seat == seat and c.wager in lost and c.track.gone == math.inf
    ]
    middle = (
        sum(c.track.last.x for c in chips) / len(chips),
        sum(c.track.last.y for c in chips) / len(chips),
    )
    path.append((at, middle[0], middle[1]))
    far = math.hypot(middle[0] - TRAY_FRONT[0], middle[1] - TRAY_FRONT[1])
    end = at + max(0.36, far / 1400)
    for chip in chips:
        last = chip.track.last
        x = TRAY_FRONT[0] + (last.x - middle[0]) * 0.5
        y = TRAY_FRONT[1] + (last.y - middle[1]) * 0.2
        chip.track.move(Motion(at, end, Pose(x, y, z=last.z), lift=6))
        chip.track.gone = end
    path.append((end, *TRAY_FRONT))
    return end + 0.1


def take_home(staged: Staged, now: float) -> None:
    """Let every player take the chips that are still on the felt."""
    start = now
    for seat in sorted({c.seat for c in staged.chips if c.track.gone == math.inf}):
        home = staged.table.player_home(seat)
        mine = [c for c in staged.chips if c.seat == seat and c.track.gone == math.inf]
        x = sum(c.track.last.x for c in mine) / len(mine)
        y = sum(c.track.last.y for c in mine) / len(mine)
        at, end = start + _REACH, start + 2 * _REACH + 0.06
        for chip in mine:
            last = chip.track.last
            to = Pose(home[0] + (last.x - x) * 0.4, home[1] + (last.y - y) * 0.4, z=last.z)
            chip.track.move(Motion(at, end, to))
            chip.track.gone = end
        path = ((start, *home), (at, x, y), (end, *home))
        staged.gestures.append(Gesture(Arm.PLAYER, seat, Grip.FLAT, path))
        start += 0.12
