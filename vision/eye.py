"""Looking only where something changed: the networks' time goes to what is new."""

from collections.abc import Sequence

import numpy as np

from vision.detector import Box, distinct
from vision.frames import Frame
from vision.geometry import centre, height, quad
from vision.model import Sight
from vision.scene import Region, Scene
from vision.tracker import Track

_AGAIN = 3
"""Frames for which a place is looked at after the last change: what came to rest there is then seen
several times, in light and noise that differ a little."""
_READS = 6
"""Reads of a card whose place does not change: more of them would show the same noise."""
_MOST_READS = 10
"""Cards read in one frame, those read least first, so that a full table does not stall the video."""
_UNKNOWN_REACH = 0.12
"""How far around a change to look, in frame heights, while the size of the cards is unknown."""
_SIDE_WEIGHT = 0.5
"""What the detector's word on face or back is worth beside the reader's."""


class Eye:
    """The model and the motion gate over one camera."""

    def __init__(self, model: Sight, scene: Scene, within: Region) -> None:
        """Begin with nothing seen.

        Args:
            model: Finds and reads cards.
            scene: The small picture, updated by the caller before each look.
            within: The part of the frame outside of which nothing matters.
        """
        self._model, self._scene, self._within = model, scene, within
        self._boxes: tuple[Box, ...] = ()
        self._region: Region | None = None
        self._left = 0
        self.fresh: Region | None = None
        """The part of the present frame that the detector looked at; None when it did not."""

    def look(self, frame: Frame, card_height_px: float | None) -> tuple[Box, ...]:
        """Return the cards in the frame: found anew where something changed, else as before."""
        reach = 1.3 * card_height_px if card_height_px else _UNKNOWN_REACH * frame.image.shape[0]
        region = _common(self._scene.changed(reach), self._within)
        if region is not None:
            self._left = _AGAIN
            self._region = region if self._region is None else _both(region, self._region)
        elif self._left > 0:
            self._left -= 1
        else:
            self._region = None
        self.fresh = self._region
        if self._region is None:
            return self._boxes
        self._boxes = self._found(frame, self._region, card_height_px)
        self._scene.looked(self._region)
        if region is not None:
            self._region = region
        return self._boxes

    def read(self, frame: Frame, tracks: Sequence[Track], card_height_px: float | None) -> None:
        """Read the cards that changed or whose vote is still thin."""
        seen = [track for track in tracks if self._is_fresh(track, card_height_px)]
        for track in seen:
            if track.box is not None:
                track.lean(_side(track.box), frame.at)
        wanted = [track for track in seen if self._wants_reading(track)]
        wanted = sorted(wanted, key=lambda track: track.votes.reads)[:_MOST_READS]
        rows = self._model.read(frame.image, [track.corners for track in wanted])
        for track, row in zip(wanted, rows, strict=True):
            track.read(row, frame.at)
            track.fresh_reads += 1

    def _is_fresh(self, track: Track, card_height_px: float | None) -> bool:
        if self.fresh is None or track.box is None or not track.alive:
            return False
        left, top, right, bottom = self.fresh
        x, y = centre(track.corners)
        usual = card_height_px or height(track.corners)
        whole = 0.7 < height(track.corners) / usual < 1.4
        return whole and left <= x < right and top <= y < bottom

    def _wants_reading(self, track: Track) -> bool:
        if track.read_look is None or not self._scene.same(track.read_look, ()):
            track.read_look, track.fresh_reads = self._scene.look(track.corners), 0
        return track.fresh_reads < _READS

    def _found(self, frame: Frame, region: Region, card_height_px: float | None) -> tuple[Box, ...]:
        """Look at a part of the frame; what lies outside of it is as it was."""
        left, top, right, bottom = _rounded(region, frame)
        crop = np.ascontiguousarray(frame.image[top:bottom, left:right])
        offset = np.array([left, top], dtype=np.float32)
        found = [
            Box(quad(box.corners + offset), box.score, box.back)
            for box in self._model.find(crop, card_height_px=card_height_px)
        ]
        looked = (left, top, right, bottom)
        whole = [box for box in found if not _is_cut(box, looked, frame)]
        kept = [box for box in self._boxes if not _within(box, looked)]
        return tuple(whole) + _not_among(kept, whole)


def _side(box: Box) -> float:
    """Return the detector's log-odds that the face is up."""
    back = float(np.clip(box.back, 0.1, 0.9))
    return _SIDE_WEIGHT * float(np.log((1 - back) / back))


def _common(first: Region | None, second: Region) -> Region | None:
    if first is None:
        return None
    left, top = max(first[0], second[0]), max(first[1], second[1])
    right, bottom = min(first[2], second[2]), min(first[3], second[3])
    return (left, top, right, bottom) if right - left >= 8 and bottom - top >= 8 else None


def _both(first: Region, second: Region) -> Region:
    return (
        min(first[0], second[0]),
        min(first[1], second[1]),
        max(first[2], second[2]),
        max(first[3], second[3]),
    )


def _rounded(region: Region, frame: Frame) -> Region:
    """Return a region grown to steps of 64 pixels: networks like to see the same few sizes."""
    tall, wide = frame.image.shape[:2]
    left, top = region[0] // 64 * 64, region[1] // 64 * 64
    right, bottom = -(-region[2] // 64) * 64, -(-region[3] // 64) * 64
    return left, top, min(wide, right), min(tall, bottom)


def _within(box: Box, region: Region) -> bool:
    low, high = box.corners.min(axis=0), box.corners.max(axis=0)
    return bool(
        low[0] > region[0] and low[1] > region[1] and high[0] < region[2] and high[1] < region[3]
    )


def _is_cut(box: Box, region: Region, frame: Frame) -> bool:
    """Say whether a card touches an edge of the looked-at part that is no edge of the frame."""
    tall, wide = frame.image.shape[:2]
    low, high = box.corners.min(axis=0), box.corners.max(axis=0)
    return bool(
        (region[0] > 0 and low[0] < region[0] + 2)
        or (region[1] > 0 and low[1] < region[1] + 2)
        or (region[2] < wide and high[0] > region[2] - 2)
        or (region[3] < tall and high[1] > region[3] - 2)
    )


def _not_among(kept: Sequence[Box], found: Sequence[Box]) -> tuple[Box, ...]:
    """Return the kept boxes that are not seen anew."""
    both = distinct([*(Box(box.corners, 2.0, box.back) for box in found), *kept])
    left = {id(box) for box in both}
    return tuple(box for box in kept if id(box) in left)
