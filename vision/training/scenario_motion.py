"""How the things of a scenario move: tracks of poses that can be asked for any moment."""

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique

from rules.cards import Card
from rules.events import Seat, Spot, Wager

FACE_DOWN = 0.0
FACE_UP = math.pi
"""The flip of a card: its turn about its long axis, in radians."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a flat thing is; millimetres and radians as in `scenario_table`."""

    x: float
    y: float
    heading: float = 0.0
    z: float = 0.0
    flip: float = FACE_DOWN
    layer: int = 0
    """What lies on what: the higher is drawn later."""

    @property
    def face_up(self) -> bool:
        """Whether the face is to be seen from above."""
        return math.cos(self.flip) < 0


@unique
class Ease(StrEnum):
    """How a motion spends its time."""

    SMOOTH = "smooth"
    SLIDE = "slide"


def _smooth(u: float) -> float:
    return u * u * (3 - 2 * u)


def _slide(u: float) -> float:
    return 1 - math.pow(1 - u, 1.8)


_EASES: dict[Ease, Callable[[float], float]] = {Ease.SMOOTH: _smooth, Ease.SLIDE: _slide}


@dataclass(frozen=True, slots=True)
class Motion:
    """One motion to a pose, from `start` to `end` seconds."""

    start: float
    end: float
    to: Pose
    lift: float = 0.0
    """How high it rises on the way, at the middle."""
    ease: Ease = Ease.SMOOTH


@dataclass(slots=True)
class Track:
    """A thing's life: it appears in a pose, moves, and is gone."""

    born: float
    first: Pose
    motions: list[Motion] = field(default_factory=list)
    gone: float = math.inf

    @property
    def last(self) -> Pose:
        """The pose after the last motion."""
        return self.motions[-1].to if self.motions else self.first

    def move(self, motion: Motion) -> None:
        """Add a motion, which must begin after the last one ended.

        Raises:
            ValueError: It overlaps the motion before.
        """
        if self.motions and motion.start < self.motions[-1].end - 1e-9:
            raise ValueError(f"motion at {motion.start:.2f} s begins before the last one ended")
        self.motions.append(motion)

    def at(self, when: float) -> Pose | None:
        """Return the pose at a moment, or None when it is not on the table."""
        if not self.born <= when < self.gone:
            return None
        index = bisect_right([motion.start for motion in self.motions], when) - 1
        if index < 0:
            return self.first
        motion = self.motions[index]
        before = self.motions[index - 1].to if index else self.first
        if when >= motion.end:
            return motion.to
        return _between(before, motion, (when - motion.start) / (motion.end - motion.start))

    def moving(self, start: float, end: float) -> bool:
        """Say whether it moves, appears or goes within a span of time."""
        edges = (self.born, self.gone)
        return any(m.start < end and m.end > start for m in self.motions) or any(
            start <= edge <= end for edge in edges
        )


def _between(a: Pose, motion: Motion, u: float) -> Pose:
    e = _EASES[motion.ease](u)
    b = motion.to
    rise = motion.lift * math.sin(math.pi * u)
    return replace(
        b,
        x=a.x + (b.x - a.x) * e,
        y=a.y + (b.y - a.y) * e,
        z=a.z + (b.z - a.z) * e + rise,
        heading=a.heading + (b.heading - a.heading) * e,
        flip=a.flip + (b.flip - a.flip) * _smooth(u),
        layer=max(a.layer, b.layer),
    )


@dataclass(slots=True)
class CardTrack:
    """A card of one round and its life on the table."""

    round: int
    card: Card
    home: Spot
    """The spot that it was dealt to."""
    track: Track


@unique
class Colour(StrEnum):
    """A chip's colour, which tells its worth."""

    RED = "red"
    GREEN = "green"
    BLACK = "black"


@dataclass(slots=True)
class ChipTrack:
    """A stack of chips of one colour and its life on the table."""

    seat: Seat
    wager: Wager
    colour: Colour
    count: int
    track: Track


@unique
class Grip(StrEnum):
    """The shape of a hand."""

    PINCH = "pinch"
    """Finger tips and thumb together: it holds a card's edge or a stack of chips."""
    FLAT = "flat"
    """The palm down: it sweeps."""


@unique
class Arm(StrEnum):
    """Whose arm it is."""

    DEALER_RIGHT = "dealer-right"
    DEALER_LEFT = "dealer-left"
    PLAYER = "player"


@dataclass(frozen=True, slots=True)
class Gesture:
    """A hand comes, passes points with its finger tips, and goes."""

    arm: Arm
    seat: Seat | None
    grip: Grip
    path: tuple[tuple[float, float, float], ...]
    """Seconds, x, y of the finger tips; the first and the last are out of the picture."""

    @property
    def start(self) -> float:
        """When the hand begins to come."""
        return self.path[0][0]

    @property
    def end(self) -> float:
        """When it has gone."""
        return self.path[-1][0]

    def at(self, when: float) -> tuple[float, float] | None:
        """Return where the finger tips are, or None while the hand is away."""
        if not self.start <= when <= self.end:
            return None
        index = max(i for i, point in enumerate(self.path) if point[0] <= when)
        t0, x0, y0 = self.path[index]
        if index + 1 == len(self.path):
            return x0, y0
        t1, x1, y1 = self.path[index + 1]
        e = _smooth((when - t0) / (t1 - t0))
        return x0 + (x1 - x0) * e, y0 + (y1 - y0) * e


def joined(gestures: list[Gesture]) -> list[Gesture]:
    """Let a hand go straight from one gesture to the next when it has no time to go home."""
    made: list[Gesture] = []
    for each in sorted(gestures, key=lambda gesture: gesture.start):
        before = next(
            (i for i, g in enumerate(made) if (g.arm, g.seat) == (each.arm, each.seat)
             and g.end > each.start - 0.1), None,
        )  # fmt: skip
        if before is not None:
            earlier = made[before]
            made[before] = replace(earlier, path=(*earlier.path[:-1], each.path[1]))
            made.append(replace(each, path=each.path[1:]))
        else:
            made.append(each)
    return made
