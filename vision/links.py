"""Which card a new one was before: links from what left one place to what came to light."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.events import UNREADABLE, Area, Face, Spot
from vision.geometry import distance, hidden_part
from vision.identity import Named
from vision.settings import Settings
from vision.track import Phase, Track

_TWIN = 0.5
"""The part of a new card that may lie over cards in full view."""
_NESTED = 0.85
"""The part of one of two cards that lies over the other where both are one."""
_BEFORE_S = 0.15
"""A card may come to light elsewhere so long before its old place was last taken for unchanged."""
_SAME_PLACE = 0.3
"""The part of a turned card's old place that its new one covers at least."""


@dataclass(slots=True)
class Resident:
    """What has been told about a card that lies on a spot."""

    spot: Spot
    face: Face
    """As last told."""
    up: bool
    flashed: float | None = None
    """Since when a face-down card shows its face, while that is not yet told."""
    companions: int = 0
    """Cards that were pushed to the discard together with it and lie hidden with it."""
    since: float = 0.0
    """When it was first told of, wherever it lay then."""


def related(source: Spot, spot: Spot) -> bool:
    """Say whether a card may go from one spot to another: within a seat, or to the discard.

    Cards pass from one seat to another only through the dealer's hand, where they are out of sight.
    """
    return spot.area is Area.DISCARD or source.seat == spot.seat


@dataclass(slots=True)
class Links:
    """Finds what a new card was before, among what has been told."""

    told: Mapping[int, Resident]
    """By track number; the observer's own, always as it is now."""
    settings: Settings
    swept_at: float = float("-inf")
    """When the dealer's cards were last seen before all of them were gone: the end of a round."""

    def note_sweep(self, tracks: Sequence[Track]) -> None:
        """Take note of the dealer's cards' being gone, the trump card among them.

        The dealer turns one card at a time, so that no two of them leave the felt in a round.
        """
        lying = [
            track
            for track in tracks
            if (known := self.told.get(track.number)) is not None
            and known.spot.area in (Area.DEALER, Area.TRUMP)
        ]
        if lying and all(track.phase is Phase.LOST for track in lying):
            self.swept_at = max(self.swept_at, *(track.seen_at for track in lying))

    def is_of_last_round(self, number: int) -> bool:
        """Say whether a card was told of before the round ended."""
        return self.told[number].since < self.swept_at

    def source(
        self, track: Track, spot: Spot, face: Face, tracks: Sequence[Track]
    ) -> tuple[Track | None, bool]:
        """Return the card that this new one was before, and whether that one has visibly left."""
        fitting = [
            other
            for other in tracks
            if other.number in self.told and self._may_be(other, track, spot, face)
        ]
        if not fitting:
            return None, False
        left = [other for other in fitting if other.phase is Phase.LOST]
        nearest = min(
            left or fitting,
            key=lambda other: (
                self.told[other.number].spot != spot,
                distance(other.place(), track.corners),
            ),
        )
        return nearest, bool(left)

    def _may_be(self, other: Track, track: Track, spot: Spot, face: Face) -> bool:
        """Say whether a card that is out of sight may be the one that has come to light."""
        if other.phase not in (Phase.LOST, Phase.COVERED):
            return False
        known = self.told[other.number]
        if not related(known.spot, spot):
            return False
        if track.born_at > self.swept_at and self.is_of_last_round(other.number):
            return False  # what comes after the sweep is of the next deal
        gone_at = other.bare_since if other.bare_since is not None else track.born_at
        last = gone_at + self.settings.link_s
        in_time = other.seen_at - _BEFORE_S <= track.born_at <= last
        if known.up:
            # A face that was known cannot have become another; one that is put face down on the
            # same spot long after is the next card, not that one.
            if face is None:
                prompt = track.born_at - other.seen_at < self.settings.link_s
                return in_time and (known.spot != spot or prompt)
            return in_time and (known.face == face or UNREADABLE in (known.face, face))
        return in_time

    def pile_with(self, spot: Spot, face: Face) -> Resident | None:
        """Return a card of the discard with which one of that face lies hidden, if there is one."""
        piles = [pile for pile in self.told.values() if pile.spot == spot and pile.companions > 0]
        return next((pile for pile in piles if pile.face == face), None)

    def repeats(self, track: Track, tracks: Sequence[Track], named: Mapping[int, Named]) -> bool:
        """Say whether a new card lies where others are in full view: imagined, or seen twice.

        What really lay over them would keep them from being seen whole. Only a face that is read
        differently tells a card from one squarely under it.
        """
        others = [
            other
            for other in tracks
            if other.number in self.told
            and not (track.votes.up and other.votes.up and _differ(track, other, named))
        ]
        whole = [other for other in others if other.box is not None]
        if sum(hidden_part(track.corners, other.place()) for other in whole) > _TWIN:
            return True
        return any(self._is_same(track, other) for other in others)

    def _is_same(self, track: Track, other: Track) -> bool:
        """Say whether a new card lies squarely over or within one that lies there unchanged.

        Then they are one card: found once as a whole and once as the pattern on its back, and not
        always both. Cards are dealt beside each other; only on the discard they make a pile.
        """
        if other.phase is not Phase.RESTING or other.votes.up is not track.votes.up:
            return False
        if self.told[other.number].spot.area is Area.DISCARD:
            return False
        place = other.place()
        within = max(hidden_part(track.corners, place), hidden_part(place, track.corners))
        return within > _NESTED

    def lay_down(self, track: Track, tracks: Sequence[Track]) -> tuple[float, float] | None:
        """Return from when until when a card that now lies face up surely lay there face down.

        None if it never did while it was not told of.
        """
        lay = track.lay_down is not None and hidden_part(track.lay_down, track.corners)
        if lay > _SAME_PLACE and track.lay_down_at is not None:
            return track.lay_down_at, max(track.lay_down_at, track.side_before)
        before = [
            (other.lay_down_at, max(other.lay_down_at, other.side_at))
            for other in tracks
            if other.number not in self.told
            and other is not track
            and other.votes.up is False
            and other.lay_down_at is not None
            and not other.is_seen
            and other.seen_at <= track.born_at + _BEFORE_S
            and track.born_at - other.seen_at < self.settings.link_s
            and hidden_part(other.place(), track.corners) > _SAME_PLACE
        ]
        return max(before, default=None)


def _differ(track: Track, other: Track, named: Mapping[int, Named]) -> bool:
    cards = [named.get(each.number) for each in (track, other)]
    return None not in cards and cards[0] != cards[1]
