"""What players do with their cards, and what gets in the camera's way."""

from dataclasses import replace
from typing import assert_never

from rules.events import Area, Seat, Spot
from vision.training.scenario import (
    Answer,
    Blackout,
    Bother,
    Cover,
    Fold,
    Habit,
    Nudge,
    Peek,
    PickUp,
)
from vision.training.scenario_chips import circle
from vision.training.scenario_floor import (
    CARRY,
    DISCARD,
    LOOK,
    REACH,
    TURN,
    Floor,
    beside,
)
from vision.training.scenario_motion import FACE_DOWN, FACE_UP, Arm, Grip, Motion, Pose

IN_HAND = 120.0
"""How high a card is that a player holds; it is out of the picture, too."""
_PEEK_FLIP = 0.45
"""How far a card is lifted at its edge to be looked at, radians: its back stays on top."""


def play(floor: Floor, act: Answer | Fold | Bother) -> None:
    """Play one act, and move the time on to where the next may begin."""
    match act:
        case Answer():
            _answer(floor, act)
        case Fold():
            _tuck(floor, act.seat, circle_of(floor, act)) if act.under else _fold(floor, act.seat)
        case Peek():
            _peek(floor, act.seat)
        case PickUp():
            _pick_up(floor, act.seat)
        case Nudge():
            _nudge(floor, act)
        case Cover():
            _cover(floor, act)
        case Blackout():
            floor.staged.blackouts.append((floor.now, floor.now + act.seconds))
            floor.now += act.seconds
        case _:
            assert_never(act)


def circle_of(floor: Floor, act: Fold) -> tuple[float, float]:
    """Return the middle of the betting circle under which a folded hand goes.

    Raises:
        ValueError: It goes to the discard spot.
    """
    if act.under is None:
        raise ValueError("a hand that goes to the discard spot")
    place = circle(floor.table, act.seat, act.under)
    return place.x, place.y


def _answer(floor: Floor, act: Answer) -> None:
    track = floor.find(act.card).track
    spot, played = Spot(Area.HAND, act.seat), Spot(Area.PLAYED, act.seat)
    rest = track.last
    start = floor.now + REACH
    grab = beside(rest, -8, -36)
    if act.habit is Habit.TURN:
        up = replace(rest, flip=FACE_UP, layer=floor.top())
        track.move(Motion(start, start + TURN, up))
        end, leave = start + TURN, beside(rest, 14, -44)
    else:
        place = floor.table.places[played]
        index = sum(1 for c in floor.on_table(spot) if place.holds(c.track.last.x, c.track.last.y))
        end = start + CARRY
        to = replace(floor.rest(played, index), flip=FACE_UP)
        track.move(Motion(start, end, to, lift=38))
        leave = beside(to, 4, -42)
    floor.touch(Arm.PLAYER, act.seat, Grip.PINCH, [(start, *grab), (end, *leave)])
    floor.now = end + 0.14 + LOOK - REACH


def _fold(floor: Floor, seat: Seat) -> None:
    """The player pushes the cards in, and the dealer draws them to the discard spot."""
    cards = floor.on_table(Spot(Area.HAND, seat))
    place = floor.table.places[Spot(Area.HAND, seat)]
    start = floor.now + REACH
    met = start + 0.34
    end = met + 0.5
    for index, each in enumerate(cards):
        x, y = place.at((index - 1) * 30, 118)
        pushed = replace(each.track.last, x=x, y=y, z=22, flip=FACE_DOWN, layer=floor.top())
        each.track.move(Motion(start, met, pushed))
        there = floor.rest(DISCARD, index)
        each.track.move(Motion(met + 0.12, end + 0.12, there))
    floor.touch(Arm.PLAYER, seat, Grip.FLAT, [(start, *place.at(0, -30)), (met, *place.at(0, 84))])
    x, y = floor.table.slot(DISCARD, 1)
    floor.touch(
        Arm.DEALER_RIGHT,
        None,
        Grip.FLAT,
        [(met + 0.10, *place.at(-8, 150)), (end + 0.12, x + 10, y + 34)],
    )
    floor.now = end + 0.12 + REACH


def _tuck(floor: Floor, seat: Seat, under: tuple[float, float]) -> None:
    """The player squares the cards up and slides them under the chips of a side bet."""
    cards = floor.on_table(Spot(Area.HAND, seat))
    place = floor.table.places[Spot(Area.HAND, seat)]
    start = floor.now + REACH
    end = start + 0.5
    for index, each in enumerate(cards):
        dx, dy = floor.random.uniform(-2.0, 2.0, 2)
        to = replace(each.track.last, x=under[0] + dx, y=under[1] + dy, layer=floor.top())
        each.track.move(Motion(start, end + 0.02 * index, to, lift=12))
    floor.touch(
        Arm.PLAYER,
        seat,
        Grip.FLAT,
        [(start, *place.at(0, -30)), (end, under[0], under[1] - 30)],
    )
    floor.now = end + REACH + 0.1


def _peek(floor: Floor, seat: Seat) -> None:
    """The near edges go up under the player's hand; the backs stay on top."""
    place = floor.table.places[Spot(Area.HAND, seat)]
    start = floor.now + REACH
    top, down = start + 0.25, start + 0.25 + float(floor.random.uniform(0.3, 0.7))
    for each in floor.on_table(Spot(Area.HAND, seat)):
        rest = each.track.last
        each.track.move(Motion(start, top, replace(rest, z=14, flip=_PEEK_FLIP)))
        each.track.move(Motion(down, down + 0.2, rest))
    path = [(start, *place.at(0, -40)), (down, *place.at(0, -34)), (down + 0.2, *place.at(0, -40))]
    floor.touch(Arm.PLAYER, seat, Grip.PINCH, path)
    floor.now = down + 0.2 + REACH


def _pick_up(floor: Floor, seat: Seat) -> None:
    place = floor.table.places[Spot(Area.HAND, seat)]
    start = floor.now + REACH
    home = floor.table.player_home(seat)
    for index, each in enumerate(floor.on_table(Spot(Area.HAND, seat))):
        rest = each.track.last
        held = Pose(home[0] + 30 * index, home[1], rest.heading, IN_HAND, FACE_DOWN, floor.top())
        each.track.move(Motion(start + 0.1, start + 0.5, held))
    floor.touch(
        Arm.PLAYER,
        seat,
        Grip.FLAT,
        [(start, *place.at(10, -10)), (start + 0.5, home[0], home[1] + 30)],
    )
    floor.now = start + 0.5 + REACH


def _nudge(floor: Floor, act: Nudge) -> None:
    each = floor.find(act.card)
    rest = each.track.last
    start = floor.now + REACH
    turn = float(floor.random.uniform(-0.04, 0.04))
    to = replace(rest, x=rest.x + act.right, y=rest.y + act.up, heading=rest.heading + turn)
    each.track.move(Motion(start, start + 0.16, to))
    arm, seat = _owner(each.home)
    points = [(start, *beside(rest, 10, -40)), (start + 0.16, *beside(to, 12, -42))]
    floor.touch(arm, seat, Grip.PINCH, points)
    floor.now = start + 0.16 + REACH


def _cover(floor: Floor, act: Cover) -> None:
    place = floor.table.places[act.spot]
    arm, seat = _owner(act.spot)
    over = place.at(0.0, 20.0 if seat is not None else -20.0)
    start = floor.now + REACH
    path = [(start, *over), (start + act.seconds, *over)]
    floor.touch(arm, seat, Grip.FLAT, path)
    floor.now = start + act.seconds + REACH


def _owner(spot: Spot) -> tuple[Arm, Seat | None]:
    return (Arm.DEALER_RIGHT, None) if spot.seat is None else (Arm.PLAYER, spot.seat)
