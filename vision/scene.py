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

Mask = NDArray[np.bool_]
"""Which pixels of the small picture, Bool (h, w)."""

_ACROSS = 320
"""Pixels across the small picture: a card 80 pixels high in a 720p frame is then 20 high."""
_CHANGE = 9.0
"""Grey levels by which a shrunk pixel must differ to have changed; noise and compression stay below
5 on H.264 at ordinary rates."""
_LIKE = 16.0
"""The same for comparisons over a longer time, in which the light may drift."""
_SAME_CLOTH = 7.0
"""Grey levels within which two patches are the same cloth; on seven of eight development tables the
backs differ from the felt by 19 at least, on one by as little as 2."""
_LINE = 28.0
"""Grey levels by which a printed line lifts what lies beside it; a white border does by more."""
_DWELL_S = 0.4
"""A bare place is believed to be cloth after it was still for so long."""
_LEARN_S = 0.2
"""Seconds between two lessons: the cloth does not change from frame to frame."""
_REPLACE_S = 4.0
"""Something else than the known cloth becomes the cloth when it was still for so long."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a place looked at one moment, to compare with later."""

    corners: Quad
    pixels: Image
    """UInt8 (n, 3): the small picture's pixels in the place."""


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

    def bare_until(self, corners: Quad) -> float | None:
        """Return when a place last showed the cloth, s; None where the cloth is not known."""


@dataclass(slots=True)
class Scene:
    """The small picture of now, of the frame before, of the cloth, and of the last look."""

    width: int
    """Pixels across the frame."""
    height: int
    _scale: int = field(init=False)
    _now: Image = field(init=False)
    _moved: Mask = field(init=False)
    _seen: Image = field(init=False)
    _looked: Mask = field(init=False)
    _cloth: Image = field(init=False)
    _known: Mask = field(init=False)
    _still_s: Floats = field(init=False)
    _bare_at: NDArray[np.float64] = field(init=False)
    _other_s: Floats = field(init=False)
    _at: float | None = field(init=False, default=None)
    _learned_at: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._scale = max(1, round(self.width / _ACROSS))
        shape = (max(1, self.height // self._scale), max(1, self.width // self._scale))
        self._now = np.zeros((*shape, 3), dtype=np.uint8)
        self._seen, self._cloth = self._now.copy(), self._now.copy()
        self._moved = np.zeros(shape, dtype=np.bool_)
        self._looked, self._known = self._moved.copy(), self._moved.copy()
        self._still_s = np.zeros(shape, dtype=np.float32)
        self._other_s = np.zeros(shape, dtype=np.float32)
        self._bare_at = np.full(shape, -np.inf, dtype=np.float64)

    def update(self, image: Image, at: float) -> None:
        """Take the next frame."""
        tall, wide = self._moved.shape
        small = cv2.resize(image, (wide, tall), interpolation=cv2.INTER_AREA)
        now = cv2.blur(small, (3, 3)).astype(np.uint8, copy=False)
        if self._at is None:
            self._moved[:] = False
        else:
            self._moved = _apart(now, self._now) > _CHANGE
            self._still_s += np.float32(at - self._at)
            self._still_s[self._moved] = 0
        self._now, self._at = now, at
        self._bare_at[self._known & (_apart(now, self._cloth) <= _LIKE)] = at

    def interrupted(self) -> None:
        """Forget the frame before: the source had a gap."""
        self._at = self._learned_at = None
        self._still_s[:] = 0

    def learn(self, cards: Sequence[Quad]) -> None:
        """Learn the cloth where no card lies and nothing has moved for a while."""
        if self._at is None:
            return
        step = 0.0 if self._learned_at is None else self._at - self._learned_at
        if self._learned_at is not None and step < _LEARN_S:
            return
        self._learned_at = self._at
        free = self._still_s >= _DWELL_S
        for corners in cards:
            left, top, mask = self._mask(grown(corners, 1.2))
            free[top : top + mask.shape[0], left : left + mask.shape[1]] &= ~mask
        other = _apart(self._now, self._cloth) > _LIKE
        self._other_s += np.float32(step)
        self._other_s[~(free & other)] = 0
        fresh = free & (~self._known | ~other | (self._other_s >= _REPLACE_S))
        self._cloth[fresh] = self._now[fresh]
        self._known |= fresh

    def changed(self, within: Region, reach_px: float) -> list[Region]:
        """Return the parts of the frame that changed since the detector looked, apart or touching.

        Args:
            within: The part of the frame that matters.
            reach_px: By how much to grow each, so that a card that touches it is whole inside it.
        """
        left, top, right, bottom = self._cells(within)
        rows, columns = slice(top, bottom), slice(left, right)
        part = _apart(self._now[rows, columns], self._seen[rows, columns]) > _CHANGE
        # A single pixel is a spark of noise.
        solid = cv2.erode(part.astype(np.uint8), np.ones((2, 2), np.uint8)) > 0
        changed = (solid | ~self._looked[rows, columns]).astype(np.uint8)
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
        self._looked[top:bottom, left:right] = True

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
        shown = self._open(left, top, mask, over)
        useful = shown & self._known[rows, columns]
        if useful.sum() >= max(6, 0.3 * mask.sum()):
            now, cloth = self._now[rows, columns][useful], self._cloth[rows, columns][useful]
            return _alike(now, cloth, 0.85)
        if shown.sum() < max(6, 0.3 * mask.sum()):
            return None
        around = self._cloth_around(corners)
        now = self._now[rows, columns][shown]
        return True if around is not None and _alike(now, around[None], 0.8) else None

    def bare_until(self, corners: Quad) -> float | None:
        """Return when a place last showed the cloth, s; None where the cloth is not known.

        What lies there now was laid there after that, however late it was found.
        """
        left, top, mask = self._mask(corners)
        rows, columns = slice(top, top + mask.shape[0]), slice(left, left + mask.shape[1])
        known = mask & self._known[rows, columns]
        if known.sum() < max(6, 0.5 * mask.sum()):
            return None
        last = float(np.median(self._bare_at[rows, columns][known]))
        return last if np.isfinite(last) else None

    def is_print(self, corners: Quad) -> bool:
        """Say whether a place shows the cloth inside as around it: a printed box, not a card.

        A felt has printed boxes of a card's size. A card differs from its surroundings, its border
        most of all; what is compared leaves the outline itself out. Only asked where the cloth was
        never seen bare: a back may have the cloth's colour, but it comes later.
        """
        left, top, mask = self._mask(corners)
        if self._known[top : top + mask.shape[0], left : left + mask.shape[1]][mask].mean() > 0.5:
            return False
        inside = self._pixels(corners, 0.6, 0.0)
        border = self._pixels(corners, 0.88, 0.7)
        around = self._pixels(corners, 1.7, 1.3)
        if min(len(inside), len(border), len(around)) < 8:
            return False
        cloth, filling = np.median(around, axis=0), np.median(inside, axis=0)
        # A box may be filled with a lighter or darker shade of the cloth's own colour.
        shade = float(np.clip((filling.sum() + 1) / (cloth.sum() + 1), 0.6, 1.5))
        even = np.abs(inside.astype(np.float32) - filling).max(axis=1)
        return bool(
            np.abs(filling - cloth * shade).max() < _SAME_CLOTH
            and np.abs(np.median(border, axis=0) - filling).max() < _LINE
            and np.percentile(even, 85) < _SAME_CLOTH
        )

    def _pixels(self, corners: Quad, outer: float, inner: float) -> Image:
        """Return the small picture's pixels of a place, or of a ring about its middle: (n, 3)."""
        left, top, mask = self._mask(grown(corners, outer))
        if inner:
            hole = np.zeros(mask.shape, dtype=np.uint8)
            points = np.rint(grown(corners, inner) / self._scale - (left, top)).astype(np.int32)
            cv2.fillConvexPoly(hole, points, (1,))
            mask = mask & (hole == 0)
        part = self._now[top : top + mask.shape[0], left : left + mask.shape[1]]
        return np.asarray(part[mask], dtype=np.uint8)

    def _cloth_around(self, corners: Quad) -> Image | None:
        """Return the colour of the cloth next to a place under which it was never seen."""
        left, top, mask = self._mask(grown(corners, 1.8))
        rows, columns = slice(top, top + mask.shape[0]), slice(left, left + mask.shape[1])
        known = mask & self._known[rows, columns]
        if known.sum() < 20:
            return None
        middle = np.median(self._cloth[rows, columns][known], axis=0)
        return np.asarray(middle, dtype=np.uint8)

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

    def _open(self, left: int, top: int, mask: Mask, over: Sequence[Quad]) -> Mask:
        """Return the mask without what other cards cover."""
        covered = np.zeros(mask.shape, dtype=np.uint8)
        for corners in over:
            points = np.rint(corners / self._scale - (left, top)).astype(np.int32)
            cv2.fillConvexPoly(covered, points, (1,))
        return np.asarray(mask & (covered == 0), dtype=np.bool_)

    def _mask(self, corners: Quad) -> tuple[int, int, Mask]:
        """Return a place's left and top in the small picture, and its pixels from there."""
        tall, wide = self._moved.shape
        points = grown(corners, 0.92) / self._scale
        low = np.clip(np.floor(points.min(axis=0)), 0, (wide - 1, tall - 1)).astype(int)
        high = np.clip(np.ceil(points.max(axis=0)), low + 1, (wide, tall)).astype(int)
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), dtype=np.uint8)
        cv2.fillConvexPoly(mask, np.rint(points - low - 0.5).astype(np.int32), (1,))
        return int(low[0]), int(low[1]), mask > 0


def _apart(first: Image, second: Image) -> Image:
    """Return for each pixel the greatest difference of a colour, UInt8 (H, W)."""
    blue, green, red = cv2.split(cv2.absdiff(first, second))
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def _alike(first: Image, second: Image, share: float) -> bool:
    """Say whether two lists of pixels agree but for the brightness, as under a hand's shadow."""
    one, other = first.astype(np.float32), second.astype(np.float32)
    light = [float(np.median(part @ np.ones(3, np.float32))) + 1 for part in (one, other)]
    scaled = other * np.float32(np.clip(light[0] / light[1], 0.6, 1.4))
    apart = np.abs(one - scaled) < _LIKE
    return bool((apart[:, 0] & apart[:, 1] & apart[:, 2]).mean() >= share)
