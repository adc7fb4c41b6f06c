"""Looking only where something changed: the networks' time goes to what is new."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.detector import Box, distinct
from vision.frames import Frame
from vision.geometry import Quad, height, quad
from vision.model import Sight
from vision.scene import Region, Scene
from vision.standing import Standing, after_look
from vision.track import Phase, Track

_AGAIN = 3
"""Frames for which a place is looked at after the last change: what came to rest there is then seen
several times, in light and noise that differ a little."""
_DOUBT_S = 1.0
"""For so long after it was first seen a card is looked for again until it was found so often."""
_READS = 6
"""Reads of a card whose place does not change: more of them would show the same noise."""
_READS_AGAIN = 3
"""Reads after something moved over a card that looks the same: a face and a back may be alike in a
small picture; so many reads turn the vote."""
_REREAD_S = 1.0
"""A card that does not change is still read so often: the light may have become better."""
_MOST_READS = 10
"""Cards read in one frame, those read least first, so that a full table stalls no video."""
_THOROUGH_S = 0.3
"""While things move the outlines must do; the detector looks at least so often, and at the end."""
_UNKNOWN_REACH = 0.12
"""How far around a change to look, in frame heights, while the size of the cards is unknown."""
_EDGE_PX = 12
"""A card so near to the edge of what was looked at may have been missed there: it is kept. What
changed lies deeper inside."""
_SIDE_WEIGHT = 0.5
"""What the detector's word on face or back is worth beside the reader's."""


class Eye:
    """The model and the motion gate over one camera."""

    def __init__(self, model: Sight, scene: Scene, within: Region, *, looks: int = 4) -> None:
        """Begin with nothing seen.

        Args:
            model: Finds and reads cards.
            scene: The small picture, updated by the caller before each look.
            within: The part of the frame outside of which nothing matters.
            looks: How often a new card is looked for, at least.
        """
        self._model, self._scene, self._within = model, scene, within
        self._looks = looks
        self._standing: tuple[Standing, ...] = ()
        self._found: list[Box] = []
        self._pending: list[tuple[Region, int]] = []
        self._thorough_at = -1.0
        self.fresh: list[Region] = []
        """The parts of the present frame that the detector looked at."""

    def look(
        self, frame: Frame, tracks: Sequence[Track], card_height_px: float | None
    ) -> tuple[Box, ...]:
        """Return the cards in the frame: found anew where something changed, else as before.

        Args:
            frame: The frame, which the scene has taken already.
            tracks: The cards that are followed: those that lie there unchanged need no reading,
                those that just came to rest are looked at again.
            card_height_px: About how high a card is in the picture, when that is known.
        """
        reach = 1.3 * card_height_px if card_height_px else _UNKNOWN_REACH * frame.image.shape[0]
        changed = self._scene.changed(self._within, reach)
        self._pending = [
            *((region, _AGAIN) for region in changed),
            *((region, left - 1) for region, left in self._pending if left > 0),
            *(
                (_about(track.place(), reach), 0)
                for track in tracks
                if _is_thin(track, self._looks, frame.at)
            ),
        ]
        regions = [_rounded(region, frame) for region, _ in self._pending]
        self.fresh = merged(regions)
        known = [track.place() for track in tracks if self._is_familiar(track)]
        thorough = not changed or frame.at - self._thorough_at >= _THOROUGH_S
        if self.fresh and thorough:
            self._thorough_at = frame.at
        self._found = []
        for region in self.fresh:
            whole = self._find(frame, region, known, card_height_px, quick=not thorough)
            self._found += whole
            self._standing = self._stand(frame, region, whole, quick=not thorough)
            self._scene.looked(region)
        return tuple(standing.box for standing in self._standing)

    def _is_familiar(self, track: Track) -> bool:
        """Say whether a card lies where it was read often enough, and looks the same."""
        if track.phase is not Phase.RESTING or track.fresh_reads < _READS:
            return False
        if track.read_at <= track.disturbed_at:
            return False
        return track.read_look is not None and self._scene.same(track.read_look, ())

    def read(self, frame: Frame, tracks: Sequence[Track], card_height_px: float | None) -> None:
        """Read the cards that changed or whose vote is still thin."""
        seen = [track for track in tracks if _is_whole(track, card_height_px)]
        for track in seen:
            if track.box is not None and self._is_fresh(track.box):
                track.looks += 1
                if track.box.row is None:
                    track.lean(_side(track.box), frame.at)
        wanted = [track for track in seen if self._wants_reading(track, frame.at)]
        for track in wanted:  # the detector has asked the reader already
            if track.box is not None and track.box.row is not None and self._is_fresh(track.box):
                track.read(track.box.row, frame.at)
        unread = [track for track in wanted if track.read_at != frame.at]
        unread = sorted(unread, key=lambda track: track.votes.reads)[:_MOST_READS]
        rows = self._model.read(frame.image, [track.corners for track in unread])
        for track, row in zip(unread, rows, strict=True):
            track.read(row, frame.at)

    def _is_fresh(self, box: Box) -> bool:
        """Say whether a box was found in this very frame."""
        return any(box is found for found in self._found)

    def _wants_reading(self, track: Track, at: float) -> bool:
        if track.read_look is None or not self._scene.same(track.read_look, ()):
            track.read_look, track.fresh_reads = self._scene.look(track.corners), 0
        elif track.read_at <= track.disturbed_at:
            track.fresh_reads = min(track.fresh_reads, _READS - _READS_AGAIN)
        return track.fresh_reads < _READS or at - track.read_at >= _REREAD_S

    def _find(
        self,
        frame: Frame,
        region: Region,
        known: Sequence[Quad],
        card_height_px: float | None,
        *,
        quick: bool,
    ) -> list[Box]:
        """Return the cards that lie whole in a part of the frame."""
        left, top, right, bottom = region
        crop = np.ascontiguousarray(frame.image[top:bottom, left:right])
        offset = np.array([left, top], dtype=np.float32)
        found = [
            replace(box, corners=quad(box.corners + offset))
            for box in self._model.find(
                crop,
                card_height_px=card_height_px,
                known=[quad(corners - offset) for corners in known],
                quick=quick,
            )
        ]
        return [box for box in found if not _is_cut(box, region, frame)]

    def _stand(
        self, frame: Frame, region: Region, whole: list[Box], *, quick: bool
    ) -> tuple[Standing, ...]:
        """Return what lies on the table after a look at a part of it; the rest is as it was."""
        outside = [
            old for old in self._standing if _is_cut(old.box, region, frame, margin=_EDGE_PX)
        ]
        inside = [old for old in self._standing if old not in outside]
        within = after_look(inside, whole, self._scene, quick=quick)
        return (*within, *_not_among(outside, whole))


def _is_whole(track: Track, card_height_px: float | None) -> bool:
    """Say whether a card is seen in this frame, in about the size of a card.

    One whose place looks as it did lies there, whether or not it was found in this frame.
    """
    if not track.alive or (track.box is None and track.phase is not Phase.RESTING):
        return False
    usual = card_height_px or height(track.corners)
    return 0.7 < height(track.corners) / usual < 1.4


def _is_thin(track: Track, looks: int, at: float) -> bool:
    """Say whether a card that lies in view has hardly been looked at since it came."""
    return track.is_seen and track.looks < looks and at - track.born_at < _DOUBT_S


def _about(corners: Quad, reach: float) -> Region:
    low, high = corners.min(axis=0) - reach / 2, corners.max(axis=0) + reach / 2
    return max(0, int(low[0])), max(0, int(low[1])), int(high[0]), int(high[1])


def _side(box: Box) -> float:
    """Return the detector's log-odds that the face is up."""
    back = float(np.clip(box.back, 0.1, 0.9))
    return _SIDE_WEIGHT * float(np.log((1 - back) / back))


def merged(regions: Sequence[Region]) -> list[Region]:
    """Return regions that do not touch each other and together hold the given ones."""
    left = list(regions)
    apart: list[Region] = []
    while left:
        region = left.pop()
        touching = [other for other in apart if _touch(region, other)]
        if not touching:
            apart.append(region)
            continue
        apart = [other for other in apart if other not in touching]
        edges = np.array([region, *touching])
        low, high = edges.min(axis=0), edges.max(axis=0)
        left.append((int(low[0]), int(low[1]), int(high[2]), int(high[3])))
    return apart


def _touch(first: Region, second: Region) -> bool:
    return (
        first[0] <= second[2]
        and second[0] <= first[2]
        and first[1] <= second[3]
        and second[1] <= first[3]
    )


def _rounded(region: Region, frame: Frame) -> Region:
    """Return a region grown to steps of 64 pixels, so that the network meets few sizes."""
    tall, wide = frame.image.shape[:2]
    left, top = region[0] // 64 * 64, region[1] // 64 * 64
    right, bottom = -(-region[2] // 64) * 64, -(-region[3] // 64) * 64
    return left, top, min(wide, right), min(tall, bottom)


def _is_cut(box: Box, region: Region, frame: Frame, *, margin: int = 2) -> bool:
    """Say whether a card crosses, or nearly, an edge of a region that is no edge of the frame."""
    tall, wide = frame.image.shape[:2]
    low, high = box.corners.min(axis=0), box.corners.max(axis=0)
    return bool(
        (region[0] > 0 and low[0] < region[0] + margin)
        or (region[1] > 0 and low[1] < region[1] + margin)
        or (region[2] < wide and high[0] > region[2] - margin)
        or (region[3] < tall and high[1] > region[3] - margin)
    )


def _not_among(kept: Sequence[Standing], found: Sequence[Box]) -> tuple[Standing, ...]:
    """Return those that were kept and are not seen anew."""
    both = distinct([*(replace(box, score=2.0) for box in found), *(each.box for each in kept)])
    left = {id(box) for box in both}
    return tuple(each for each in kept if id(each.box) in left)
