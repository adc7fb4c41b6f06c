"""A sight that knows what lies on a staged table, and sees it as a good card model would.

With it the tracking is measured apart from the reading: what is hidden is not found, what moves
fast is seldom found, corners jitter, and one read in fifty is wrong.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Card
from vision.detector import Box
from vision.frames import Frame, FrameSource, SourceItem
from vision.geometry import Floats, Image, Quad, distance, height, hidden_part, quad
from vision.reader import BACK, CLASSES, REJECT
from vision.training.demo_compose import card_corners
from vision.training.scenario import Staged
from vision.training.scenario_motion import Arm, CardTrack, Pose
from vision.training.scenario_table import Camera

_ARM_MM = 42.0
"""Half of an arm's width."""
_FOUND = 0.6
"""The part of a card that must be to be seen for it to be found."""
_OPEN = 0.85
"""The part that must be to be seen for it to be read well."""
_MISSED = 0.03
"""How often a card in full view is not found."""
_MISREAD = 0.02
_JITTER = 0.012
"""Deviation of a corner, in card heights."""


@dataclass(frozen=True, slots=True)
class _Seen:
    card: Card
    up: bool
    corners: Quad
    open: float


@dataclass(slots=True)
class TruthSight:
    """Finds and reads the cards of a staged clip; `watching` tells it which frame it sees."""

    staged: Staged
    camera: Camera
    seed: int = 0
    misread: float = _MISREAD
    _frame: Frame | None = field(init=False, default=None)
    _rng: np.random.Generator = field(init=False)
    _seen: tuple[_Seen, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)

    def watching(self, source: FrameSource) -> "Watched":
        """Return a source whose frames this sight knows."""
        return Watched(source, self)

    def show(self, frame: Frame) -> None:
        """Take note of the frame that is looked at now."""
        self._frame = frame
        dark = any(a <= frame.at < b for a, b in self.staged.blackouts)
        self._seen = () if dark else tuple(self._all(frame.at))

    def shapes(self, when: float) -> list[tuple[Quad, bool]]:
        """Return the cards in the picture, what lies on top last: corners, and whether face up."""
        posed = [pose for c in self.staged.cards if (pose := c.track.at(when)) is not None]
        posed.sort(key=lambda pose: pose.layer)
        return [(quad(self.camera.project(card_corners(p))), p.face_up) for p in posed]

    def arms(self, when: float) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Return where each arm in the picture begins and ends, in pixels."""
        found = []
        for gesture in self.staged.gestures:
            tip = gesture.at(when)
            if tip is not None:
                end = self.staged.table.shoulder(gesture.seat, left=gesture.arm is Arm.DEALER_LEFT)
                first, last = self.camera.project(np.array([tip, end]))
                found.append((first, last))
        return found

    def find(
        self,
        image: Image,
        *,
        card_height_px: float | None = None,
        known: Sequence[Quad] = (),
        quick: bool = False,
    ) -> tuple[Box, ...]:
        """Return the cards in a part of the present frame."""
        del card_height_px, known, quick
        offset = self._offset(image)
        tall, wide = image.shape[:2]
        boxes = []
        for seen in self._seen:
            corners = seen.corners - offset
            inside = (corners >= 0).all() and (corners <= (wide, tall)).all()
            if not inside or seen.open < _FOUND or self._rng.random() < _MISSED:
                continue
            jitter = self._rng.normal(0, _JITTER * height(seen.corners), (4, 2))
            boxes.append(Box(quad(corners + jitter), 0.9, 0.1 if seen.up else 0.9, self._row(seen)))
        return tuple(boxes)

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        """Return what is read in places of the present frame, Float32 (n, 54)."""
        del image
        rows = np.full((len(quads), CLASSES), 1e-4, np.float32)
        for row, corners in zip(rows, quads, strict=True):
            near = [s for s in self._seen if distance(s.corners, corners) < 0.3 * height(corners)]
            row[:] = self._row(max(near, key=lambda s: s.open)) if near else _reject()
        return rows

    def _row(self, seen: _Seen) -> Floats:
        row = np.full(CLASSES, 1e-3, np.float32)
        if not seen.up:
            row[BACK] = 1
        elif seen.open < _OPEN and self._rng.random() < 0.5:
            row[REJECT] = 1
        else:
            wrong = self._rng.random() < self.misread
            row[int(self._rng.integers(len(PACK))) if wrong else PACK.index(seen.card)] = 1
        return np.asarray(row / row.sum(), np.float32)

    def _offset(self, image: Image) -> NDArray[np.float32]:
        """Return where a part of the frame is: regions begin at multiples of 64 pixels."""
        if self._frame is None:
            raise ValueError("no frame was shown")
        whole = self._frame.image
        tall, wide = image.shape[:2]
        for top in range(0, whole.shape[0] - tall + 1, 64):
            for left in range(0, whole.shape[1] - wide + 1, 64):
                part = whole[top : top + tall : 8, left : left + wide : 8]
                if np.array_equal(part, image[::8, ::8]):
                    return np.array([left, top], np.float32)
        raise ValueError("a picture that is no part of the present frame")

    def _all(self, when: float) -> Iterator[_Seen]:
        posed = [(c, pose) for c in self.staged.cards if (pose := c.track.at(when)) is not None]
        posed.sort(key=lambda pair: pair[1].layer)
        places = [quad(self.camera.project(card_corners(pose))) for _, pose in posed]
        for index, (each, pose) in enumerate(posed):
            if abs(math.cos(pose.flip)) < 0.6 or (self._is_fast(each, when)):
                continue
            over = sum(hidden_part(places[index], other) for other in places[index + 1 :])
            left = min(self._bare(pose, when), 1 - over)
            yield _Seen(each.card, pose.face_up, places[index], left)

    def _is_fast(self, each: CardTrack, when: float) -> bool:
        a, b = each.track.at(when), each.track.at(when + 0.02)
        if a is None or b is None:
            return True
        return math.hypot(b.x - a.x, b.y - a.y) > 12 and self._rng.random() < 0.7

    def _bare(self, pose: Pose, when: float) -> float:
        """Return the part of a card that no arm is over."""
        c, s = math.cos(pose.heading), math.sin(pose.heading)
        u, v = np.meshgrid(np.linspace(-28, 28, 5), np.linspace(-40, 40, 7))
        points = np.stack([pose.x + u * c - v * s, pose.y + u * s + v * c], axis=-1).reshape(-1, 2)
        free = np.ones(len(points), np.bool_)
        for gesture in self.staged.gestures:
            tip = gesture.at(when)
            if tip is not None:
                end = self.staged.table.shoulder(gesture.seat, left=gesture.arm is Arm.DEALER_LEFT)
                free &= _away(points, np.array(tip), np.array(end)) > _ARM_MM
        return float(free.mean())


@dataclass(slots=True)
class Watched:
    """A source that shows each frame to a sight before it is looked at."""

    source: FrameSource
    sight: TruthSight

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.source.name

    @property
    def live(self) -> bool:
        """Whether it shows the present."""
        return self.source.live

    @property
    def fps(self) -> float | None:
        """Its declared rate."""
        return self.source.fps

    @property
    def duration(self) -> float | None:
        """Its declared length."""
        return self.source.duration

    def __iter__(self) -> Iterator[SourceItem]:
        """Give the items of the source."""
        for item in self.source:
            if isinstance(item, Frame):
                self.sight.show(item)
            yield item


def _reject() -> Floats:
    row = np.full(CLASSES, 1e-3, np.float32)
    row[REJECT] = 1
    return np.asarray(row / row.sum(), np.float32)


def _away(
    points: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how far points are from a line between two others."""
    along = b - a
    u = np.clip(((points - a) @ along) / float(along @ along), 0, 1)
    return np.asarray(np.hypot(*(points - a - u[:, None] * along).T), np.float64)
