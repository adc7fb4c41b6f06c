"""From tracks to table events: each physical act told once, when it is certain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rules.cards import Card
from rules.events import (
    UNREADABLE,
    Area,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Face,
    Sighting,
    Spot,
    SpotCleared,
    TableEvent,
)
from vision.frames import Frame
from vision.geometry import centre
from vision.identity import Named, name_cards
from vision.layout import TableLayout
from vision.links import Links, Resident, related
from vision.scene import Ground
from vision.settings import Settings
from vision.track import Phase, Track
from vision.tracker import Tracker

_HIDDEN_AFTER_S = 0.12
"""A face must be down again for so long before it is told hidden: a hand passes sooner."""
_TAKEN_AFTER_S = 0.3
"""A card out of sight for so long, after the dealer's and its neighbours left, left with them."""
_SEEN_AGAIN = 2
"""Frames in which a card was found that a card that left may be, before it is told of."""
_HARDLY_A_FACE = 0.6
"""How sure it is that a card lies face up of which the reader saw no face, but no back either."""
_SIDE_SURE = 0.95
"""The confidence at which a card is told to lie face down."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a card is believed to be, certain enough to tell."""

    face: Face
    confidence: float
    at: float
    """The moment it lay still and could be read."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """The last card that went from a spot to the discard."""

    number: int
    left_at: float
    """When it was last seen lying on the spot."""
    at: float
    """When it came to rest on the discard."""


class Observer:
    """Tells events; it keeps what it told, so that nothing is told twice."""

    def __init__(self, layout: TableLayout, settings: Settings) -> None:
        """Begin with a table about which nothing has been told."""
        self._layout, self._settings = layout, settings
        self._told: dict[int, Resident] = {}
        self._links = Links(self._told, settings)
        self._to_discard: dict[Spot, Discarded] = {}
        self._left_at: dict[Spot, float] = {}
        self._out: list[Sighting] = []
        self._frame: int = 0
        self._ground: Ground
        self.named: Mapping[int, Named] = {}
        """The joint naming of the cards that lie face up now, by track number."""

    def resident(self, track: Track) -> Resident | None:
        """Return what has been told about a card."""
        return self._told.get(track.number)

    def update(self, frame: Frame, tracker: Tracker, ground: Ground) -> tuple[Sighting, ...]:
        """Return the events that became certain with this frame, in the order of their time."""
        self._out, self._frame, self._ground = [], frame.index, ground
        tracks = tracker.tracks
        facing = {track.number: track.votes for track in tracks if track.alive and track.votes.up}
        self.named = name_cards(facing)
        self._links.note_sweep(tracks)
        for track in tracks:
            known = self._told.get(track.number)
            if known is not None:
                self._follow(track, known, frame.at)
        for track in tracks:
            if track.number not in self._told:
                self._welcome(track, frame.at, tracker)
        for track in tracks:
            self._farewell(track, frame.at, tracks)
        return tuple(sorted(self._out, key=lambda sighting: sighting.at))

    # --- what is certain -------------------------------------------------------------------------

    def _answer(self, track: Track, at: float) -> Answer | None:
        """Return what a card that lies still is, or None while that is not certain."""
        if track.votes.up is None:
            return None
        since = max(track.still_since, track.up_since)
        readable = track.readable_since
        if not track.votes.up:
            if readable is None or track.votes.side_confidence() < _SIDE_SURE:
                return None
            return Answer(None, track.votes.side_confidence(), max(since, readable))
        named, waited = self.named.get(track.number), at - max(since, readable or at)
        settled = named and (
            named.confidence >= self._settings.at_once or waited >= self._settings.settle_s
        )
        if named and settled and self.is_sure(track, named) and readable is not None:
            return Answer(named.card, named.confidence, max(since, readable))
        if waited >= self._settings.unreadable_s:
            like_a_face = track.votes.reads >= self._settings.reads
            sure = track.votes.side_confidence() if like_a_face else _HARDLY_A_FACE
            return Answer(UNREADABLE, sure, since)
        return None

    def is_sure(self, track: Track, named: Named) -> bool:
        """Say whether a card's name may be told."""
        enough = track.votes.reads >= self._settings.reads
        return enough and named.confidence >= self._settings.sure

    def _glimpse(self, track: Track) -> tuple[Card | None, float]:
        """Return what a card that showed its face only briefly was, if that was seen twice."""
        named = name_cards({track.number: track.votes}).get(track.number)
        seen_twice = track.votes.reads >= self._settings.flash_reads
        if named is None or not seen_twice or named.confidence < self._settings.sure:
            return None, 0.9
        return named.card, named.confidence

    def _lies(self, track: Track, at: float) -> bool:
        rested = at - track.still_since >= self._settings.rest_s - 1e-6
        return track.phase is Phase.RESTING and rested

    # --- cards that are known --------------------------------------------------------------------

    def _follow(self, track: Track, known: Resident, at: float) -> None:
        """Tell what changed about a card of which something has been told."""
        if not track.alive:
            return
        self._watch_side(track, known, at)
        if not self._lies(track, at):
            return
        spot = self._layout.spot_at(centre(track.corners))
        if spot != known.spot:
            self._follow_move(track, known, spot, at)
        elif known.up is not track.votes.up:
            self._follow_turn(track, known, at)

    def _follow_move(self, track: Track, known: Resident, spot: Spot | None, at: float) -> None:
        if spot is None:
            self._remove(track, known, track.still_since)
            return
        answer = self._answer(track, at)
        if answer is not None:
            self._move(track, known, spot, answer)

    def _move(self, track: Track, known: Resident, spot: Spot, answer: Answer) -> None:
        since = None if answer.face is None else self._laid_since(track, answer.at)
        for _ in range(known.companions + 1):
            event = CardMoved(known.spot, spot, answer.face)
            self._tell(event, answer.at, answer.confidence, since)
        up = answer.face is not None
        self._told[track.number] = replace(known, spot=spot, face=answer.face, up=up, flashed=None)
        if spot.area is Area.DISCARD:
            self._to_discard[known.spot] = Discarded(track.number, track.lay_until, answer.at)
        self._clear(known.spot, answer.at)

    def _follow_turn(self, track: Track, known: Resident, at: float) -> None:
        answer = self._answer(track, at)
        if answer is None:
            return
        if answer.face is None:
            if known.up and at - track.up_since >= _HIDDEN_AFTER_S:
                if self._links.is_of_last_round(track.number):
                    self._deal_over(track, known, answer, at)
                    return
                self._tell(CardHidden(known.spot, known.face), track.up_since, answer.confidence)
                known.up = False
        else:
            self._turn(track, known, answer.face, answer)

    def _turn(self, track: Track, known: Resident, face: Face, answer: Answer) -> None:
        if face is None:
            return
        since = min(track.side_before, answer.at)
        self._tell(CardTurned(known.spot, face), answer.at, answer.confidence, since)
        self._told[track.number] = replace(known, face=face, up=True, flashed=None)

    def _deal_over(self, track: Track, known: Resident, answer: Answer, at: float) -> None:
        """Tell of a card of the next deal that took the place of a swept one under a hand."""
        self._remove(track, known, self._links.swept_at)
        self._tell(CardPlaced(known.spot, None), answer.at, answer.confidence)
        self._told[track.number] = Resident(known.spot, None, up=False, since=at)

    def _watch_side(self, track: Track, known: Resident, at: float) -> None:
        """Notice a face that shows only briefly, and tell it when it is gone again."""
        if known.up:
            return
        if track.votes.up and known.flashed is None:
            known.flashed = track.up_since
        elif known.flashed is not None and track.votes.up is False:
            self._tell_flash(track, known)
            hidden_at = track.up_since
            if at >= hidden_at:
                self._tell(CardHidden(known.spot, known.face), hidden_at, 0.9)

    def _tell_flash(self, track: Track, known: Resident) -> None:
        card, confidence = self._glimpse(track)
        seen = UNREADABLE if card is None else card
        self._tell(CardTurned(known.spot, seen), known.flashed or track.up_since, confidence)
        known.face, known.flashed = seen, None

    # --- cards that are new ----------------------------------------------------------------------

    def _welcome(self, track: Track, at: float, tracker: Tracker) -> None:
        """Tell of a card that came to rest, and whether it is one that lay elsewhere before."""
        spot = self._layout.spot_at(centre(track.corners))
        if spot is None or not self._lies(track, at) or track.looks < self._settings.looks:
            return
        if self._links.repeats(track, tracker.tracks, self.named):
            return
        answer = self._answer(track, at)
        if answer is None:
            return
        answer = replace(answer, at=max(answer.at, track.view_since))
        pile = self._links.pile_with(spot, answer.face)
        if pile is not None:
            pile.companions -= 1
            self._told[track.number] = Resident(spot, answer.face, pile.up, since=pile.since)
            return
        source, has_left = self._links.source(track, spot, answer.face, tracker.tracks)
        if source is not None and has_left:
            self._take_over(source, track, spot, answer, tracker)
            return
        waited = at - track.still_since - self._settings.rest_s
        if source is None or waited >= self._settings.patience_s:
            self._place(track, spot, answer, tracker)
            self._told[track.number] = Resident(
                spot, answer.face, answer.face is not None, since=at
            )

    def _place(self, track: Track, spot: Spot, answer: Answer, tracker: Tracker) -> None:
        """Tell of a new card; one that lay face down before anybody was sure was turned since."""
        down = self._links.lay_down(track, tracker.tracks)
        if answer.face is not None and down is not None:
            self._tell(CardPlaced(spot, None), down[0], 0.9)
            until = min(down[1], answer.at)
            self._tell(CardTurned(spot, answer.face), answer.at, answer.confidence, until)
        elif answer.face is None and track.shown is not None:
            self._place_flashed(track, spot, answer)
        else:
            since = None if answer.face is None else self._laid_since(track, answer.at)
            self._tell(CardPlaced(spot, answer.face), answer.at, answer.confidence, since)

    def _laid_since(self, track: Track, at: float) -> float | None:
        """Return the earliest moment at which a card can have been laid where it lies.

        That is after its place was last seen bare, and after it last lay elsewhere.
        """
        bare = self._ground.bare_until(track.corners)
        left = track.lay_until if track.lay_until > 0 else None
        known = [moment for moment in (bare, left) if moment is not None]
        return min(at, max(known)) if known else None

    def _place_flashed(self, track: Track, spot: Spot, answer: Answer) -> None:
        """Tell of a card that showed its face and was turned back before it was told of."""
        shown = track.shown or (answer.at, answer.at)
        card, confidence = self._glimpse(track)
        if card is None:  # a blurred back is taken for a face sooner than a face for another
            self._tell(CardPlaced(spot, None), answer.at, answer.confidence)
            return
        self._tell(CardPlaced(spot, None), min(shown[0], answer.at), answer.confidence)
        self._tell(CardTurned(spot, card), shown[0], confidence)
        self._tell(CardHidden(spot, card), shown[1], answer.confidence)

    def _take_over(
        self, source: Track, track: Track, spot: Spot, answer: Answer, tracker: Tracker
    ) -> None:
        """Let a new track go on as the card that left another place."""
        known = self._told.pop(source.number)
        self._told[track.number] = known
        tracker.merge(source, track)
        if known.spot != spot:
            self._move(track, known, spot, answer)
        elif known.up and answer.face is None:
            self._tell(CardHidden(spot, known.face), answer.at, answer.confidence)
            known.up = False
        elif not known.up and answer.face is not None:
            self._turn(track, known, answer.face, answer)

    # --- cards that leave ------------------------------------------------------------------------

    def _farewell(self, track: Track, at: float, tracks: Sequence[Track]) -> None:
        known = self._told.get(track.number)
        if known is None or (track.alive and not self._went_in_sweep(track, known, at, tracks)):
            return
        since = track.bare_since if track.bare_since is not None else track.seen_at
        swept = self._links.is_of_last_round(track.number)
        waiting = self._in_flight(track, known, tracks) or self._busy(known.spot)
        wait = self._settings.link_s if waiting and not swept else self._settings.left_s
        if not swept and self._is_being_read(track, known, tracks):
            wait = self._settings.unreadable_s + self._settings.link_s
        over = track.phase is not Phase.LOST
        if at - since >= self._settings.gone_s + wait or over:
            if self._went_along(track, known):
                return
            if known.flashed is not None:
                self._tell_flash(track, known)
            self._remove(track, known, track.seen_at)
            track.phase = Phase.GONE

    def _went_in_sweep(
        self, track: Track, known: Resident, at: float, tracks: Sequence[Track]
    ) -> bool:
        """Say whether a covered card must have been taken with the others of its spot.

        A hand may stay over the place until the next deal has put another card there.
        """
        out_of_sight = track.phase is Phase.COVERED and at - track.seen_at >= _TAKEN_AFTER_S
        if not out_of_sight or not self._links.is_of_last_round(track.number):
            return False
        lately = self._left_at.get(known.spot, float("-inf"))
        return lately > self._links.swept_at - self._settings.link_s or any(
            other.phase is Phase.LOST and self._told[other.number].spot == known.spot
            for other in tracks
            if other.number in self._told
        )

    def _in_flight(self, track: Track, known: Resident, tracks: Sequence[Track]) -> bool:
        """Say whether a card is on its way that may be the one that left, or may hide it."""
        return any(
            other.phase is Phase.MOVING
            and (
                other.born_at >= track.seen_at - 0.15
                if (companion := self._told.get(other.number)) is None
                else companion.spot.seat == known.spot.seat
            )
            for other in tracks
        )

    def _is_being_read(self, track: Track, known: Resident, tracks: Sequence[Track]) -> bool:
        """Say whether a card lies where the one that left may have gone, not yet told."""
        return any(
            other.number not in self._told
            and other.alive
            and other.born_at >= track.seen_at - 0.15
            and other.looks >= _SEEN_AGAIN
            and (spot := self._layout.spot_at(centre(other.corners))) is not None
            and spot != known.spot
            and related(known.spot, spot)
            for other in tracks
        )

    def _busy(self, spot: Spot) -> bool:
        """Say whether something moves where a card of this seat may have gone to."""
        return spot.seat is not None and any(
            self._ground.moving(place.polygon) > 0.01
            for place in self._layout.places
            if place.spot.seat == spot.seat or place.spot.area is Area.DISCARD
        )

    def _went_along(self, track: Track, known: Resident) -> bool:
        """Tell of a card that was pushed to the discard under another, where it cannot be seen."""
        sibling = self._to_discard.get(known.spot)
        if sibling is None or abs(sibling.left_at - track.seen_at) > self._settings.together_s:
            return False
        pile = self._told.get(sibling.number)
        if pile is None or pile.spot.area is not Area.DISCARD:
            return False
        del self._told[track.number]
        pile.companions += 1
        self._tell(CardMoved(known.spot, pile.spot, pile.face), sibling.at, 0.8)
        self._clear(known.spot, sibling.at)
        return True

    def _remove(self, track: Track, known: Resident, at: float) -> None:
        del self._told[track.number]
        self._left_at[known.spot] = at
        for _ in range(known.companions + 1):
            self._tell(CardRemoved(known.spot, known.face if known.up else None), at, 0.95)
        self._clear(known.spot, at)

    def _clear(self, spot: Spot, at: float) -> None:
        if all(resident.spot != spot for resident in self._told.values()):
            self._tell(SpotCleared(spot), at, 0.95)

    def _tell(
        self, event: TableEvent, at: float, confidence: float, since: float | None = None
    ) -> None:
        self._out.append(Sighting(event, at, confidence, self._frame, since))
