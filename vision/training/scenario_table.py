"""The table of a scenario: where its spots lie on the felt, and the camera that films it.

Lengths are millimetres on the felt: x to the right of the picture, y away from the players towards
the dealer, z up. Headings are radians, counter-clockwise; a card of heading 0 stands upright in the
picture, its top towards the dealer. The camera hangs above the players and looks at the dealer, so
seat 1, at the dealer's left, is on the right of the picture.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rules.events import SEATS, Area, Seat, Spot

Points = NDArray[np.float64]

CARD_WIDTH = 63.5
CARD_HEIGHT = 88.9
"""A poker-size card."""

SLOT_GAP = 5.0
"""Between cards that lie side by side on one spot."""

_HAND_ELLIPSE = (662.0, 410.0)
_WAGER_ELLIPSE = (572.0, 326.0)
_PLAY_ELLIPSE = (490.0, 246.0)
_CENTRE_Y = -2.0
_ANGLES = {1: 1.0, 2: -42.5, 3: -75.5, 4: -104.5, 5: -137.5, 6: -181.0}
"""Where each seat lies on its ellipse: degrees of the ellipse's parameter."""


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle on the felt."""

    x: float
    y: float
    heading: float
    width: float
    height: float

    def at(self, right: float, up: float) -> tuple[float, float]:
        """Return the point that lies `right` and `up` of the centre, in the place's own axes."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return self.x + right * c - up * s, self.y + right * s + up * c

    def corners(self, margin: float = 0.0) -> Points:
        """Return the corners, clockwise from the own top left: Float64 (4, 2)."""
        w, h = self.width / 2 + margin, self.height / 2 + margin
        return np.array([self.at(-w, h), self.at(w, h), self.at(w, -h), self.at(-w, -h)])

    def holds(self, x: float, y: float, *, margin: float = 0.0) -> bool:
        """Say whether a point lies inside."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        dx, dy = x - self.x, y - self.y
        right, up = dx * c + dy * s, -dx * s + dy * c
        return abs(right) <= self.width / 2 + margin and abs(up) <= self.height / 2 + margin


ROW_WIDTH = 3 * CARD_WIDTH + 2 * SLOT_GAP
_WAGERS = ((Area.RNB, -78.0, 40.0), (Area.ANTE, -29.0, 52.0), (Area.PLAY_WAGER, 29.0, 52.0),
           (Area.BONUS, 78.0, 40.0))  # fmt: skip
"""The betting circles of a seat: how far right of its middle, and how wide."""


def _ring(seat: Seat, ellipse: tuple[float, float]) -> tuple[float, float]:
    angle = math.radians(_ANGLES[seat])
    return ellipse[0] * math.cos(angle), _CENTRE_Y + ellipse[1] * math.sin(angle)


def _heading(seat: Seat) -> float:
    """The way a seat faces: from its hand to where it plays."""
    (hx, hy), (px, py) = _ring(seat, _HAND_ELLIPSE), _ring(seat, _PLAY_ELLIPSE)
    return math.atan2(py - hy, px - hx) - math.pi / 2


def _seat_places(seat: Seat) -> dict[Spot, Place]:
    heading = _heading(seat)
    hand, wagers, play = (
        Place(*_ring(seat, ellipse), heading, ROW_WIDTH, CARD_HEIGHT)
        for ellipse in (_HAND_ELLIPSE, _WAGER_ELLIPSE, _PLAY_ELLIPSE)
    )
    circles = {
        Spot(area, seat): Place(*wagers.at(right, 0.0), heading, width, width)
        for area, right, width in _WAGERS
    }
    return {Spot(Area.HAND, seat): hand, Spot(Area.PLAYED, seat): play, **circles}


def _places() -> dict[Spot, Place]:
    made = {
        Spot(Area.DEALER): Place(-20.0, 208.0, 0.0, ROW_WIDTH, CARD_HEIGHT),
        Spot(Area.TRUMP): Place(172.0, 208.0, 0.0, CARD_WIDTH, CARD_HEIGHT),
        Spot(Area.DISCARD): Place(-330.0, 214.0, 0.0, 190.0, CARD_HEIGHT),
    }
    for seat in SEATS:
        made |= _seat_places(seat)
    return made


PLACES = _places()
"""Every spot of the demo's table."""

SHOE = (345.0, 262.0)
"""The mouth of the shoe, from which the dealer draws."""

RACK = (-520.0, 330.0)
"""The discard rack, into which the cards of a finished round go."""

RACK_MOUTH = (-520.0, 262.0)
"""Where the rack is open, on the players' side."""

TRAY = Place(-10.0, 352.0, 0.0, 560.0, 74.0)
"""The chip tray in front of the dealer."""


DEALER_RIGHT_HOME = (-170.0, 640.0)
DEALER_LEFT_HOME = (330.0, 640.0)
"""Where the dealer's finger tips are while they are out of the picture."""


CARD_AREAS = (Area.HAND, Area.PLAYED, Area.DEALER, Area.TRUMP, Area.DISCARD)
"""Spots on which cards lie in play."""
BET_AREAS = (Area.BONUS, Area.RNB)
"""Spots under whose chips a folded hand may be tucked."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its game and where its spots lie."""

    places: Mapping[Spot, Place]
    game: str = "three-card-whist"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the table, in order."""
        return tuple(seat for seat in SEATS if Spot(Area.HAND, seat) in self.places)

    def slot(self, spot: Spot, index: int) -> tuple[float, float]:
        """Return the centre of the card of an index, 0 to 2, on a spot."""
        place = self.places[spot]
        if spot.area is Area.TRUMP or spot.area in BET_AREAS:
            return place.x, place.y
        step = 46.0 if spot.area is Area.DISCARD else CARD_WIDTH + SLOT_GAP
        return place.at((index - 1) * step, 0.0)

    def spot_at(self, x: float, y: float) -> Spot | None:
        """Return the spot that a card with its centre at a point lies on, if any."""
        for areas, margin in ((BET_AREAS, 0.0), (CARD_AREAS, 6.0)):
            for spot, place in self.places.items():
                if spot.area in areas and place.holds(x, y, margin=margin):
                    return spot
        return None

    def player_home(self, seat: Seat) -> tuple[float, float]:
        """Return where a player's finger tips are while they are out of the picture."""
        return self.places[Spot(Area.HAND, seat)].at(40.0, -350.0)

    def shoulder(self, seat: Seat | None, *, left: bool) -> tuple[float, float]:
        """Return where an arm comes from: a player's, or the dealer's left or right one."""
        if seat is not None:
            return self.places[Spot(Area.HAND, seat)].at(70.0, -620.0)
        return (300.0, 1000.0) if left else (-190.0, 1000.0)


DEMO_TABLE = Table(PLACES)
"""The table of the demo clip."""


@dataclass(frozen=True)
class Camera:
    """A pinhole camera above the table."""

    width: int = 1280
    height: int = 720
    tilt: float = math.radians(23)
    """How far it looks off the vertical."""
    distance: float = 2250.0
    """From the point of the felt that it looks at."""
    scale: float = 0.808
    """Pixels a millimetre at that point."""
    look_at: tuple[float, float] = (0.0, -52.0)
    roll: float = 0.0
    """How far it is turned about the way it looks; pi shows the table from the dealer's side."""

    @cached_property
    def position(self) -> tuple[float, float, float]:
        """Where the camera is."""
        x, y = self.look_at
        return x, y - self.distance * math.sin(self.tilt), self.distance * math.cos(self.tilt)

    @cached_property
    def matrix(self) -> Points:
        """The projection: Float64 (3, 4), from millimetres to homogeneous pixels."""
        s, c = math.sin(self.tilt), math.cos(self.tilt)
        focal = self.scale * self.distance
        turn = np.array([[1, 0, 0], [0, -c, -s], [0, s, -c]])
        lens = np.array([[focal, 0, self.width / 2], [0, focal, self.height / 2], [0, 0, 1]])
        rs, rc = math.sin(self.roll), math.cos(self.roll)
        turn = np.array([[rc, -rs, 0], [rs, rc, 0], [0, 0, 1]]) @ turn
        shift = -turn @ np.array(self.position)
        return np.asarray(lens @ np.column_stack([turn, shift]), np.float64)

    @cached_property
    def homography(self) -> Points:
        """The projection of the felt itself: Float64 (3, 3)."""
        return np.asarray(self.matrix[:, [0, 1, 3]], np.float64)

    def project(self, points: Points) -> Points:
        """Return where points, Float64 (N, 2) on the felt or (N, 3), are seen: Float64 (N, 2)."""
        if points.shape[1] == 2:
            points = np.column_stack([points, np.zeros(len(points))])
        seen = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)


def layout_toml(camera: Camera, *, table: Table, name: str, margin: float = 7.0) -> str:
    """Return the layout file of a table as the camera sees it."""
    lines = [f'table = "{name}"', f'game = "{table.game}"',
             f"frame = [{camera.width}, {camera.height}]"]  # fmt: skip
    for spot, place in table.places.items():
        points = camera.project(place.corners(margin)).round().astype(int)
        points[:, 0] = points[:, 0].clip(0, camera.width)
        points[:, 1] = points[:, 1].clip(0, camera.height)
        polygon = ", ".join(f"[{x}, {y}]" for x, y in points.tolist())
        lines += ["", "[[spot]]", f'name = "{spot}"', f"polygon = [{polygon}]"]
    return "\n".join(lines) + "\n"
