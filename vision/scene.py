"""What the small picture tells about a place: whether it moves, changed, or is bare.

A table is still most of the time, so most questions can be answered without the networks. All of it
works on the frame shrunk to some 320 pixels across, where sensor noise averages out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Image, Quad, grown

Region = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the frame; right and bottom are outside."""

_ACROSS = 320
"""Pixels across the small picture: a card 80 pixels high in a 720p frame is then 20 high."""
_CHANGE = 9.0
"""Grey levels by which a shrunk pixel must differ to have changed; noise and compression stay below
5 on H.264 at ordinary rates."""
_LIKE = 16.0
"""The same for comparisons over a longer time, in which the light may drift."""
_DWELL_S = 0.4
"""A bare place is believed to be cloth after it was still for so long."""
_REPLACE_S = 4.0
"""Something else than the known cloth becomes the cloth when it was still for so long."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a place looked at one moment, to compare with later."""

    corners: Quad
    pixels: Floats
    """Float32 (n, 3): the small picture's pixels in the place."""


class Ground(Protocol):
    """What the tracker asks about places; tests give a scripted one."""

    def moving(self, corners: Quad) -> float:
        """Return which part of a place, 0 to 1, differs from the frame before."""

    def look(self, corners: Quad) -> Look | None:
        """Return how a place looks now; None when it is too small to say."""

    def same(self, look: Look, over: Sequence[Quad]) -> bool:
        """Say whether a place still looks as it did, leaving out what lies over it."""

    def bare(self, corners: Quad, over: Sequence[Quad]) -> bool | None:
        """Say whether a place shows the cloth alone; None when that cannot be known."""


@dataclass(slots=True)
class Scene:
    """The small picture of now, of the frame before, of the cloth, and of the last look."""

    width: int
    """Pixels across the frame."""
    height: int
    _scale: int = field(init=False)
    _now: Floats = field(init=False)
    _moved: NDArray[np.bool_] = field(init=False)
    _seen: Floats = field(init=False)
    _cloth: Floats = field(init=False)
    _known: NDArray[np.bool_] = field(init=False)
    _still_s: Floats = field(init=False)
    _other_s: Floats = field(init=False)
    _at: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._scale = max(1, round(self.width / _ACROSS))
        shape = (max(1, self.height // self._scale), max(1, self.width // self._scale))
        self._now = np.zeros((*shape, 3), dtype=np.float32)
        self._moved = np.ones(shape, dtype=np.bool_)
        self._seen = np.full((*shape, 3), -1000, dtype=np.float32)
        self._cloth = np.zeros((*shape, 3), dtype=np.float32)
        self._known = np.zeros(shape, dtype=np.bool_)
        self._still_s = np.zeros(shape, dtype=np.float32)
        self._other_s = np.zeros(shape, dtype=np.float32)

    def update(self, image: Image, at: float) -> None:
        """Take the next frame."""
        shape = self._moved.shape
        small = cv2.resize(image, (shape[1], shape[0]), interpolation=cv2.INTER_AREA)
        now = cv2.blur(small, (3, 3)).astype(np.float32)
        first = self._at is None
        step = 0.0 if self._at is None else at - self._at
        self._moved = _apart(now, self._now) > _CHANGE
        if first:
            self._moved[:] = False
        self._still_s = np.where(self._moved, np.float32(0), self._still_s + np.float32(step))
        self._now, self._at = now, at

    def interrupted(self) -> None:
        """Forget the frame before: the source had a gap."""
        self._at = None
        self._still_s[:] = 0

    def learn(self, cards: Sequence[Quad], step_s: float) -> None:
        """Learn the cloth where no card lies and nothing has moved for a while."""
        free = self._still_s >= _DWELL_S
        for corners in cards:
            left, top, mask = self._mask(grown(corners, 1.2))
            free[top : top + mask.shape[0], left : left + mask.shape[1]] &= ~mask
        other = _apart(self._now, self._cloth) > _LIKE
        self._other_s = np.where(free & other, self._other_s + np.float32(step_s), np.float32(0))
        fresh = free & (~self._known | (self._other_s >= _REPLACE_S))
        self._cloth[fresh] = self._now[fresh]
        alike = free & self._known & ~other
        self._cloth[alike] += 0.05 * (self._now[alike] - self._cloth[alike])
        self._known |= fresh

    def changed(self, within: Region, reach_px: float) -> list[Region]:
        """Return the parts of the frame that changed since the detector looked, apart or touching.

        Args:
            within: The part of the frame that matters.
            reach_px: By how much to grow each, so that a card that touches it is whole inside it.
        """
        left, top, right, bottom = self._cells(within)
        part = _apart(self._now, self._seen)[top:bottom, left:right] > _CHANGE
        changed = part.astype(np.uint8)
        if self._seen[top, left, 0] >= 0:  # a single pixel is a spark of noise
            changed = cv2.erode(changed, np.ones((2, 2), np.uint8)).astype(np.uint8)
        count, _, boxes, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        grow, scale = round(reach_px), self._scale
        return [
            (
                max(0, (left + x) * scale - grow),
                max(0, (top + y) * scale - grow),
                min(self.width, (left + x + wide) * scale + grow),
                min(self.height, (top + y + tall) * scale + grow),
            )
            for x, y, wide, tall, _ in boxes[1:count].tolist()
        ]

    def looked(self, region: Region) -> None:
        """Note that the detector has looked at a part of this frame."""
        left, top, right, bottom = self._cells(region)
        self._seen[top:bottom, left:right] = self._now[top:bottom, left:right]

    def moving(self, corners: Quad) -> float:
        """Return which part of a place, 0 to 1, differs from the frame before."""
        left, top, mask = self._mask(corners)
        if not mask.any():
            return 0.0
        moved = self._moved[top : top + mask.shape[0], left : left + mask.shape[1]]
        return float(moved[mask].mean())

    def look(self, corners: Quad) -> Look | None:
        """Return how a place looks now; None when it is too small to say."""
        left, top, mask = self._mask(corners)
        if mask.sum() < 6:
            return None
        part = self._now[top : top + mask.shape[0], left : left + mask.shape[1]]
        return Look(corners, part[mask])

    def same(self, look: Look, over: Sequence[Quad]) -> bool:
        """Say whether a place still looks as it did, leaving out what lies over it."""
        left, top, mask = self._mask(look.corners)
        part = self._now[top : top + mask.shape[0], left : left + mask.shape[1]][mask]
        open_to_view = self._open(left, top, mask, over)[mask]
        if open_to_view.mean() < 0.3:
            return False
        return _alike(part[open_to_view], look.pixels[open_to_view], share=0.9)

    def bare(self, corners: Quad, over: Sequence[Quad]) -> bool | None:
        """Say whether a place shows the cloth alone; None when that cannot be known."""
        left, top, mask = self._mask(corners)
        rows, columns = slice(top, top + mask.shape[0]), slice(left, left + mask.shape[1])
        useful = self._open(left, top, mask, over) & self._known[rows, columns]
        if useful.sum() < max(6, 0.3 * mask.sum()):
            return None
        return _alike(self._now[rows, columns][useful], self._cloth[rows, columns][useful], 0.85)

    def _cells(self, region: Region) -> Region:
        """Return a part of the frame in pixels of the small picture."""
        left, top, right, bottom = region
        scale, (tall, wide) = self._scale, self._moved.shape
        return (
            min(left // scale, wide - 1),
            min(top // scale, tall - 1),
            min(-(-right // scale), wide),
            min(-(-bottom // scale), tall),
        )

    def _open(
        self, left: int, top: int, mask: NDArray[np.bool_], over: Sequence[Quad]
    ) -> NDArray[np.bool_]:
        """Return the mask without what other cards cover."""
        covered = np.zeros(mask.shape, dtype=np.uint8)
        for corners in over:
            points = np.rint(corners / self._scale - (left, top)).astype(np.int32)
            cv2.fillConvexPoly(covered, points, (1,))
        return np.asarray(mask & (covered == 0), dtype=np.bool_)

    def _mask(self, corners: Quad) -> tuple[int, int, NDArray[np.bool_]]:
        """Return a place's left and top in the small picture, and its pixels from there."""
        tall, wide = self._moved.shape
        points = grown(corners, 0.92) / self._scale
        low = np.clip(np.floor(points.min(axis=0)), 0, (wide - 1, tall - 1)).astype(int)
        high = np.clip(np.ceil(points.max(axis=0)), low + 1, (wide, tall)).astype(int)
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), dtype=np.uint8)
        cv2.fillConvexPoly(mask, np.rint(points - low - 0.5).astype(np.int32), (1,))
        return int(low[0]), int(low[1]), mask > 0


def _apart(first: Floats, second: Floats) -> Floats:
    """Return for each pixel the greatest difference of a colour."""
    return np.asarray(np.abs(first - second).max(axis=2), dtype=np.float32)


def _alike(first: Floats, second: Floats, share: float) -> bool:
    """Say whether two lists of pixels agree but for the brightness, as under a hand's shadow."""
    brightness = float(np.median(first.sum(axis=1)) + 1) / float(np.median(second.sum(axis=1)) + 1)
    scaled = second * np.float32(np.clip(brightness, 0.6, 1.4))
    return bool((np.abs(first - scaled).max(axis=1) < _LIKE).mean() >= share)
