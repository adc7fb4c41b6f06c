"""Following each physical card from frame to frame, under hands and across the table."""

from collections.abc import Sequence
from itertools import count

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.detector import Box
from vision.geometry import (
    Quad,
    area,
    centre,
    distance,
    height,
    hidden_part,
    overlap,
    width,
)
from vision.identity import Votes
from vision.reader import BACK
from vision.scene import Ground
from vision.settings import Settings
from vision.sizes import Sizes
from vision.track import Phase, Track

_NO_MATCH = 4.0
"""The cost above which a card and a box have nothing to do with each other."""
_LEFT_LOOKS = 4
"""A card that was followed for so many frames on its way has left; a passing one is confused with
it for fewer."""
_ALIKE = (0.75, 1.35)
"""Least and greatest area of what shows a card, as parts of its place's: less is what a hand leaves
to be seen of it, more is a card that is lifted."""
_SLIM, _BROAD = 0.6, 0.95
"""A card's width over its height, 0.71, seen from the side, either way; half a card has less."""
_USUAL = (0.8, 1.25)
"""Least and greatest area of a card seen whole, as parts of what is usual at its place."""
_STILL = 0.05
"""A place of which less than this part changes lies still; more is a hand or a card over it."""
_QUIET_BARE_S = 1.5
"""A place of unknown cloth where nothing moves and no card is found is empty after so long."""


def _has_left(track: Track) -> bool:
    """Say whether a card was seen on its way for so long that what lies in its place is another."""
    return track.phase is Phase.MOVING and track.moved_looks >= _LEFT_LOOKS


def _strangeness(track: Track, box: Box) -> float:
    """Return how much what was read in a box speaks against its being this card, 0 to 1."""
    if box.row is None or track.votes.up is None:
        return 0.0
    face = float(box.row[:BACK].max())
    if not track.votes.up:
        return 0.3 if face > 0.8 else 0.0  # it may have been turned
    if box.row[BACK] > 0.8:
        return 0.6
    read = int(track.votes.shares().argmax())
    return 1.0 if track.votes.reads >= 2 and face > 0.8 and box.row[read] < 0.02 else 0.0


class Tracker:
    """All the cards on the table."""

    def __init__(self, settings: Settings, sizes: Sizes) -> None:
        """Begin with an empty table, whose cards' sizes others learn."""
        self._settings, self._sizes = settings, sizes
        self._numbers = count(1)
        self._at: float | None = None
        self._step = 0.04
        self.tracks: list[Track] = []
        """The cards that are followed, oldest first; those gone are in it for one more frame."""

    def update(self, at: float, boxes: Sequence[Box], ground: Ground) -> None:
        """Take the boxes of the next frame, and say of each card where it is now."""
        self.tracks = [track for track in self.tracks if track.phase is not Phase.GONE]
        for track in self.tracks:
            track.box, track.open_to_view = None, False
        self._step = 0.04 if self._at is None else max(at - self._at, 1e-3)
        self._at = at
        pairs = self._pairs(at, boxes)
        unexplained = [box for column, box in enumerate(boxes) if column not in pairs.values()]
        for row, track in enumerate(self.tracks):
            if row not in pairs:
                self._unseen(track, at, ground)
            elif not self._seen(track, boxes[pairs[row]], at, ground):
                unexplained.append(boxes[pairs[row]])
        for box in unexplained:
            self._born(box, at)
        for track in self.tracks:
            self._note_view(track, ground)

    def merge(self, old: Track, new: Track) -> None:
        """Let a card that came to light take over from the one that it turned out to be."""
        if old.votes.reads > 0:
            new.votes.scores = new.votes.scores + old.votes.scores * self._settings.memory
            new.votes.reads += old.votes.reads
        new.looks += old.looks
        new.side_before = min(new.side_before, old.side_at)
        new.lay_until = old.seen_at if old.anchor is not None else old.lay_until
        old.phase = Phase.GONE

    def _pairs(self, at: float, boxes: Sequence[Box]) -> dict[int, int]:
        """Return which track is which box, so that all together fit best."""
        if not boxes or not self.tracks:
            return {}
        costs = np.full((len(self.tracks), len(boxes)), _NO_MATCH)
        middles = np.stack([box.corners.mean(axis=0) for box in boxes])
        for row, track in enumerate(self.tracks):
            expected = track.expected(at)
            apart = np.hypot(*(middles - expected.mean(axis=0)).T)
            for column in np.flatnonzero(apart < 5 * height(expected)):
                costs[row, column] = self._cost(track, boxes[int(column)], at)
        rows, columns = linear_sum_assignment(costs)
        return {
            int(row): int(column)
            for row, column in zip(rows, columns, strict=True)
            if costs[row, column] < _NO_MATCH
        }

    def _cost(self, track: Track, box: Box, at: float) -> float:
        """Return how badly a box fits a track: 0 to 1 by overlap, 1 to 3 by distance."""
        expected = track.expected(at)
        size = max(height(expected), 1.0)
        apart = distance(expected, box.corners) / size
        if track.phase is Phase.LOST:  # whether it came back is for the observer to say
            return _NO_MATCH
        if track.phase is Phase.MOVING:
            near = self._settings.reach * float(np.clip(self._step / 0.04, 1, 3))
            if track.seen_at == track.born_at:  # its speed is not known yet
                near *= 2.5
        else:
            near = 0.8
        if apart > near:
            return _NO_MATCH
        cost = 1.2 + 1.5 * apart / near
        shared = overlap(expected, box.corners)
        if shared > 0.4:
            cost = 1 - shared
        # What lies where a card lay is that card sooner than what passes over it.
        odd = abs(float(np.log(max(area(box.corners), 1.0) / max(area(expected), 1.0))))
        return cost + 0.5 * min(odd, 1.0) + _strangeness(track, box)

    def _seen(self, track: Track, box: Box, at: float, ground: Ground) -> bool:
        """Take a box for a track, and say whether it can be this card at all."""
        if track.anchor is not None:
            shift = distance(box.corners, track.anchor) / max(height(track.anchor), 1.0)
            over = [*self._come_over(track), box.corners]
            displaced = shift > self._settings.rest_shift and not _has_left(track)
            if displaced and track.look is not None and ground.same(track.look, over):
                track.stay(at)  # it still lies there: what was seen is another card
                return False
            part = area(box.corners) / max(area(track.anchor), 1.0)
            if not _ALIKE[0] < part < _ALIKE[1]:
                if self._has_usual_size(box):
                    track.anchor = box.corners  # its place was taken wrongly at first
                elif track.phase is not Phase.MOVING:
                    self._unseen(track, at, ground)  # a hand is over it, or it is being lifted
                    return True
        track.see(box, at, self._settings)
        if track.phase is Phase.RESTING:
            track.look, track.look_at = ground.look(track.place()), at
            as_read = track.read_look is not None and ground.same(track.read_look, ())
            if as_read and track.votes.is_side_firm and track.read_at > track.disturbed_at:
                track.side_at = at
        return True

    def _has_usual_size(self, box: Box) -> bool:
        usual = self._sizes.area_at(centre(box.corners))
        if usual is not None:
            return _USUAL[0] < area(box.corners) / usual < _USUAL[1]
        tall = self._sizes.seen_height  # not yet known place by place
        if tall is None or not 0.85 < height(box.corners) / tall < 1.18:
            return False
        return _SLIM < width(box.corners) / height(box.corners) < _BROAD

    def _unseen(self, track: Track, at: float, ground: Ground) -> None:
        match track.phase:
            case Phase.MOVING:
                self._unseen_moving(track, at, ground)
            case Phase.RESTING | Phase.COVERED:
                self._unseen_lying(track, at, ground)
            case Phase.LOST:
                # What lies there again may be the next card: that is for the observer to say.
                since = max(track.seen_at, track.bare_since or 0.0)
                if at - since > self._settings.gone_s + self._settings.link_s + 0.5:
                    track.phase = Phase.GONE
            case Phase.GONE:
                pass

    def _unseen_moving(self, track: Track, at: float, ground: Ground) -> None:
        over = self._come_over(track)
        lies = track.anchor is not None and not _has_left(track)
        if lies and track.look is not None and ground.same(track.look, over):
            track.stay(at)  # it never moved: another card passed over it
        elif at - track.seen_at > self._settings.drop_s:
            track.phase = Phase.GONE if track.anchor is None else Phase.LOST
            track.bare_since = track.seen_at

    def _unseen_lying(self, track: Track, at: float, ground: Ground) -> None:
        if track.look is not None and ground.same(track.look, self._come_over(track)):
            track.stay(at)
            return
        if self._is_imagined(track):
            track.phase, track.bare_since = Phase.LOST, at
            return
        track.phase = Phase.COVERED
        place, over = track.place(), self._over(track)
        if ground.moving(place) > 0.02:
            track.quiet_since = at
        bare = ground.bare(place, over)
        if bare:
            self._note_bare(track, at)
            return
        quiet = at - max(track.quiet_since, track.seen_at)
        hidden = sum(hidden_part(place, corners) for corners in over) > 0.5
        patience = _QUIET_BARE_S if bare is None else self._settings.forget_s
        if quiet >= patience and not hidden:
            track.phase, track.bare_since = Phase.LOST, at

    def _note_bare(self, track: Track, at: float) -> None:
        """Take note of a bare place; a hand that passes over it covers no card."""
        if track.bare_since is None or at - track.bare_at > self._settings.link_s:
            track.bare_since, track.bare_s = at, 0.0
        else:
            track.bare_s += self._step
        track.bare_at = at
        if track.bare_s >= self._settings.gone_s - 1e-6:
            track.phase = Phase.LOST

    def _come_over(self, track: Track) -> list[Quad]:
        """Return the cards that came over a card's place since it was last seen lying there."""
        place = track.anchor if track.anchor is not None else track.corners
        return [
            other.place()
            for other in self.tracks
            if other is not track
            and other.alive
            and (other.phase is Phase.MOVING or other.still_since >= track.look_at)
            and hidden_part(place, other.place()) > 0.02
        ]

    def _over(self, track: Track) -> list[Quad]:
        """Return the cards in view that lie over or under a card's place."""
        place = track.place()
        return [
            other.place()
            for other in self.tracks
            if other is not track and other.is_seen and hidden_part(place, other.place()) > 0.02
        ]

    def _is_imagined(self, track: Track) -> bool:
        """Say whether cards that lay there before are seen whole where it should be over them."""
        place = track.place()
        older = [
            other
            for other in self.tracks
            if other.box is not None and other.number < track.number and other.is_seen
        ]
        return sum(hidden_part(place, other.place()) for other in older) > 0.5

    def _born(self, box: Box, at: float) -> None:
        if box.score < self._settings.birth or self._is_fragment(box):
            return
        track = Track(next(self._numbers), box.corners, at, Votes(self._settings))
        track.box = box
        self.tracks.append(track)

    def _is_fragment(self, box: Box) -> bool:
        """Say whether a box is what can be seen of a card that is followed already."""
        for track in self.tracks:
            if track.phase not in (Phase.RESTING, Phase.COVERED):
                continue
            place = track.place()
            small = area(box.corners) < 0.75 * area(place)
            if small and hidden_part(box.corners, place) > 0.6:
                return True
        return False

    def _note_view(self, track: Track, ground: Ground) -> None:
        """Say whether a card lies open to view in this frame."""
        if not track.alive:
            return
        still = ground.moving(track.corners) < _STILL
        if not still:
            track.disturbed_at = self._at or 0.0
        if track.box is not None:
            usual = self._sizes.seen_height or height(track.corners)
            whole = 0.7 < height(track.corners) / usual < 1.4
            track.open_to_view = whole and still
