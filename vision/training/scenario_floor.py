"""What every act of a scenario needs: the time, the cards on the table, and hands that reach them.

Times inside an act are the pace of a brisk dealer. They are kept together here, so that a scenario
can be read without them.
"""

import math

import numpy as np

from rules.cards import Card
from rules.events import Area, Seat, Spot
from vision.training.scenario import Scenario, Staged
from vision.training.scenario_motion import Arm, CardTrack, Gesture, Grip, Pose
from vision.training.scenario_table import (
    DEALER_LEFT_HOME,
    DEALER_RIGHT_HOME,
    DEMO_TABLE,
    Table,
)

REACH = 0.28
"""Seconds for a hand to come into the picture, or to leave it."""
DEAL_EVERY = 0.28
DEAL_SLIDE = 0.24
SLIDE_SPEED = 2400.0
"""Millimetres a second of a dealt card, on average."""
TURN = 0.30
"""Seconds to turn a card over in place."""
CARRY = 0.44
"""Seconds to carry a card to the play spot."""
LOOK = 0.46
"""Seconds that a fresh card is left alone before the next hand comes near it."""
FLASH = 0.58
"""Seconds that an exposed card lies face up."""
TUCK = 0.18
"""Seconds to push the cards into the rack."""
SWEEP_SPEED = 1650.0
"""Millimetres a second of a sweeping hand."""

DEALER = Spot(Area.DEALER)
TRUMP = Spot(Area.TRUMP)
DISCARD = Spot(Area.DISCARD)


class Floor:
    """What has been played so far, and when it is."""

    def __init__(self, scenario: Scenario, table: Table = DEMO_TABLE) -> None:
        self.staged = Staged(scenario, table)
        self.table = table
        self.now = 0.0
        self.random = np.random.default_rng(scenario.seed)
        self._layer = 0

    def on_table(self, *spots: Spot) -> list[CardTrack]:
        """Return the cards of this round that were dealt to any of the spots and lie there yet."""
        return [
            each for each in self.staged.cards if each.home in spots and each.track.gone == math.inf
        ]

    def find(self, card: Card) -> CardTrack:
        """Return a card of the present round."""
        current = len(self.staged.starts)
        return next(c for c in self.staged.cards if c.card == card and c.round == current)

    def top(self) -> int:
        """Return a layer above all others."""
        self._layer += 1
        return self._layer

    def rest(self, spot: Spot, index: int) -> Pose:
        """Return a pose on a slot, a little off as a hand would leave it."""
        x, y = self.table.slot(spot, index)
        dx, dy = self.random.uniform(-1.1, 1.1, 2)
        tilt = self.random.normal(0, 0.011)
        heading = self.table.places[spot].heading + float(np.clip(tilt, -0.025, 0.025))
        return Pose(x + dx, y + dy, heading, layer=self.top())

    def touch(
        self, arm: Arm, seat: Seat | None, grip: Grip, points: list[tuple[float, float, float]]
    ) -> None:
        """Bring a hand in, along points, and out again."""
        home = self._home(arm, seat)
        path = ((points[0][0] - REACH, *home), *points, (points[-1][0] + REACH, *home))
        self.staged.gestures.append(Gesture(arm, seat, grip, path))

    def _home(self, arm: Arm, seat: Seat | None) -> tuple[float, float]:
        if seat is not None:
            return self.table.player_home(seat)
        return DEALER_LEFT_HOME if arm is Arm.DEALER_LEFT else DEALER_RIGHT_HOME


def beside(pose: Pose, right: float, up: float) -> tuple[float, float]:
    """Return the point that lies `right` and `up` of a card's middle, in its own axes."""
    c, s = math.cos(pose.heading), math.sin(pose.heading)
    return pose.x + right * c - up * s, pose.y + right * s + up * c
