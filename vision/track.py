"""One physical card that is followed: where it is, what it shows, and what was read of it."""

from dataclasses import dataclass, field
from enum import Enum, unique

import numpy as np

from vision.detector import Box
from vision.geometry import Floats, Quad, distance, height, quad, turned
from vision.identity import Votes
from vision.reader import BACK
from vision.scene import Look
from vision.settings import Settings

_LAY_S = 0.1
"""A card that was seen still for so long lay there, though it may move on before that is told."""
_GAP_S = 0.5
"""A card that was out of sight for longer was not in view without a gap."""
_EPSILON_S = 1e-6
"""Frame times are sums of fractions: a rest of 0.2 s may come out a hair shorter."""


@unique
class Phase(Enum):
    """What a tracked card is doing."""

    MOVING = "moving"
    """On its way, or not yet seen for long enough to say."""
    RESTING = "resting"
    """Seen lying still."""
    COVERED = "covered"
    """Not seen, but its place is not bare either: something is over it."""
    LOST = "lost"
    """Its place is visibly bare, or it went out of sight while moving."""
    GONE = "gone"
    """Given up; it is not followed any longer."""


@dataclass(slots=True)
class Track:
    """One physical card; only the tracker changes it."""

    number: int
    """Never given to another card."""
    corners: Quad
    """Where it was last seen."""
    born_at: float
    votes: Votes
    phase: Phase = Phase.MOVING
    seen_at: float = 0.0
    """When it was last seen, or its place last looked the same."""
    still_since: float = 0.0
    """Since when it has not moved."""
    up_since: float = 0.0
    """Since when the side that is up now has been up."""
    side_at: float = 0.0
    """When it was last seen that this side is up."""
    side_before: float = 0.0
    """When the other side was last seen to be up, before it was turned."""
    readable_since: float | None = None
    """When it was first read openly since it lay still and since it was turned."""
    bare_since: float | None = None
    """Since when its place has been visibly bare, but for what passed over it."""
    bare_s: float = 0.0
    """For how many seconds of that it was in view."""
    bare_at: float = 0.0
    """When it was last seen to be bare."""
    anchor: Quad | None = None
    """Where it lies, or lay before it began to move."""
    look: Look | None = None
    """How its place looked when it was last seen lying there."""
    look_at: float = -1.0
    """When that was."""
    lay_down_at: float | None = None
    """Since when it last lay face down, still and in view; None if it never did."""
    lay_down: Quad | None = None
    """Where that was."""
    lay_until: float = 0.0
    """When it was last seen lying before it moved, or before the card that it was did."""
    view_since: float = field(init=False, default=0.0)
    """Since when it has been in view without a gap."""
    shown: tuple[float, float] | None = None
    """From when until when it last showed its face, before it lay face down; None if never."""
    read_look: Look | None = None
    """How its place looked when it was last read."""
    moved_looks: int = 0
    """How often it was seen away from where it lay, since it left there."""
    looks: int = 0
    """In how many frames the detector found it."""
    fresh_reads: int = 0
    """How often it was read since its place last changed."""
    read_at: float = -1.0
    """When it was last read."""
    disturbed_at: float = -1.0
    """When something last moved over its place: since then it may have been turned."""
    box: Box | None = None
    """What the detector last saw of it; None when it was not found in this frame."""
    open_to_view: bool = False
    """Whether in this frame it lies whole, still and uncovered."""
    _still: Quad = field(init=False)
    _velocity: Floats = field(init=False)
    _seen_still: int = field(init=False, default=0)
    quiet_since: float = field(init=False, default=0.0)
    """Since when nothing has moved over its place."""

    def __post_init__(self) -> None:
        self._still = self.corners
        self._velocity = np.zeros(2, dtype=np.float32)
        self.seen_at = self.still_since = self.up_since = self.quiet_since = self.born_at
        self.view_since = self.side_at = self.side_before = self.born_at

    @property
    def alive(self) -> bool:
        """Whether it is still believed to be on the table."""
        return self.phase in (Phase.MOVING, Phase.RESTING, Phase.COVERED)

    @property
    def is_seen(self) -> bool:
        """Whether it is in view now."""
        return self.phase in (Phase.MOVING, Phase.RESTING)

    def place(self) -> Quad:
        """Return where it is believed to be."""
        lies = self.phase in (Phase.RESTING, Phase.COVERED) and self.anchor is not None
        return self.anchor if lies and self.anchor is not None else self.corners

    def expected(self, at: float) -> Quad:
        """Return where it should be at a moment, given how it moved."""
        if self.phase is not Phase.MOVING:
            return self.place()
        ahead = min(at - self.seen_at, 0.12)
        return quad(self.corners + self._velocity * np.float32(ahead))

    def lean(self, log_odds: float, at: float) -> None:
        """Add evidence for its face being up, and note when that turned the belief."""
        before = self.votes.up
        self.votes.lean(log_odds)
        self._noted(before, at, up=log_odds > 0)

    def read(self, row: Floats, at: float) -> None:
        """Add one read, Float32 (54,)."""
        before = self.votes.up
        self.votes.add(row, 1.0 if self.open_to_view else 0.6)
        self.fresh_reads += 1
        self.read_at = at
        self._noted(before, at, up=float(row[:BACK].sum()) > float(row[BACK]))
        if self.open_to_view and self.readable_since is None:
            self.readable_since = at
        lay = at - self.still_since >= _LAY_S - _EPSILON_S
        if self.open_to_view and self.votes.up is False and lay:
            self.lay_down_at = max(self.still_since, self.readable_since or at)
            self.lay_down = self.corners

    def _noted(self, before: bool | None, at: float, *, up: bool) -> None:
        if self.votes.up is not before:
            if before and self.votes.up is False:
                self.shown = (self.up_since, at)
            self.side_before = at if before is None else self.side_at
            self.up_since = at
            self.readable_since = None
        if self.votes.up is up:
            self.side_at = at

    def see(self, box: Box, at: float, settings: Settings) -> None:
        """Take a box that shows this card, whole."""
        corners = aligned(box.corners, self.corners)
        self._note_gap(at)
        step = at - self.seen_at
        if step > 0:
            drift = (corners.mean(axis=0) - self.corners.mean(axis=0)) / np.float32(step)
            self._velocity = np.asarray(0.3 * self._velocity + 0.7 * drift, dtype=np.float32)
        self.corners, self.seen_at, self.box = corners, at, box
        self.bare_since = None
        if distance(corners, self._still) > settings.rest_shift * height(corners):
            if self.phase is Phase.RESTING:
                self.lay_until = at
            self._still, self.still_since, self._seen_still = corners, at, 0
            self.readable_since = None
        self._seen_still += 1
        self.moved_looks += 1
        rested = at - self.still_since >= settings.rest_s - _EPSILON_S and self._seen_still >= 3
        if self.phase is Phase.MOVING or self._seen_still == 1:
            self.phase = Phase.RESTING if rested else Phase.MOVING
            if rested:
                self.anchor, self.moved_looks = corners, 0
        elif self.anchor is not None:
            self.phase, self.moved_looks = Phase.RESTING, 0
            self.anchor = quad(0.8 * self.anchor + 0.2 * aligned(corners, self.anchor))

    def _note_gap(self, at: float) -> None:
        if self.phase in (Phase.COVERED, Phase.LOST) and at - self.seen_at > _GAP_S:
            self.view_since = at

    def stay(self, at: float) -> None:
        """Take note that its place looks as it did when it was seen there."""
        self._note_gap(at)
        self.seen_at, self.bare_since, self.moved_looks = at, None, 0
        self.side_at = at  # a card that was turned looks different
        if self.phase in (Phase.COVERED, Phase.LOST):
            self.phase = Phase.RESTING
        if self.phase is Phase.MOVING and self.anchor is not None:
            self.phase, self.corners, self._still = Phase.RESTING, self.anchor, self.anchor


def aligned(corners: Quad, like: Quad) -> Quad:
    """Return the corners beginning with the one nearest to where the card's own top left was."""
    ways = [turned(corners, quarters) for quarters in (0, 2)]
    return min(ways, key=lambda way: float(np.abs(way - like).sum()))
