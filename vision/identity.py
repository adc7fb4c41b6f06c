"""Which card it is: many uncertain reads made into one calibrated answer, for all cards jointly."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from rules.cards import PACK, Card
from vision.geometry import Floats
from vision.reader import BACK
from vision.settings import Settings

Scores = NDArray[np.float64]
"""Float64 (52,): log-probabilities of the cards in the order of `PACK`, up to a constant."""

_SIDE_LIMIT = 3.0
"""Log-odds at which the vote on the side that is up is full: some doubt is always left."""
_SIDE_STEP = 2.5
"""Log-odds that one frame can add: a full vote is turned by the second frame that disagrees with it
clearly, never by the first."""
_SIDE_TOLD = 1.5
"""Log-odds at which a side is believed."""
_DUPLICATE_READS = 8
"""After so many reads a card that another one is believed to be may be told twice all the same:
a foreign card on the table is a fact, not a misread."""


@dataclass(slots=True)
class Votes:
    """The reads of one physical card so far."""

    settings: Settings
    scores: Scores = field(default_factory=lambda: np.zeros(len(PACK)))
    reads: int = 0
    """Reads of its face."""
    side: float = 0.0
    """Log-odds that it lies face up."""
    up: bool | None = None
    """Whether it lies face up; None while nothing is known."""

    def add(self, row: Floats, weight: float = 1.0) -> None:
        """Add one read.

        Args:
            row: Calibrated probabilities, Float32 (54,).
            weight: 1 for a card that lies still and open, less for one in motion.
        """
        faces = row[:BACK].astype(np.float64)
        mass = float(faces.sum())
        # A back is easy to read: what is no back and cannot be read is a face, sooner than not.
        doubt = float(row[BACK + 1])
        up, down = mass + 0.7 * doubt + 0.02, float(row[BACK]) + 0.3 * doubt + 0.02
        self.lean(float(np.log(up / down)) * weight)
        if mass < 0.3:
            return
        floor = self.settings.read_floor
        told = np.log(np.maximum(faces / mass, floor)) * weight * mass
        self.scores = self.settings.memory * self.scores + told
        self.reads += 1

    def lean(self, log_odds: float) -> None:
        """Add one frame's evidence for the face being up."""
        step = float(np.clip(log_odds, -_SIDE_STEP, _SIDE_STEP))
        self.side = float(np.clip(self.side + step, -_SIDE_LIMIT, _SIDE_LIMIT))
        if self.side >= _SIDE_TOLD:
            self.up = True
        elif self.side <= -_SIDE_TOLD:
            self.up = False

    @property
    def is_side_firm(self) -> bool:
        """Whether nothing has spoken against the side that is up since the vote was full."""
        return abs(self.side) >= _SIDE_LIMIT

    def shares(self) -> Scores:
        """Return each card's share of the vote, adding up to 1."""
        powers = np.exp(self.scores - self.scores.max())
        return np.asarray(powers / powers.sum(), dtype=np.float64)

    def side_confidence(self) -> float:
        """Return how sure the side is, 0 to 1."""
        return float(1 / (1 + np.exp(-1.6 * abs(self.side))))


@dataclass(frozen=True, slots=True)
class Named:
    """The best joint answer for one card."""

    card: Card
    confidence: float
    """Its share of the vote when the cards that others are have been taken out, 0 to 1."""


def name_cards(votes: Mapping[int, Votes]) -> dict[int, Named]:
    """Name all cards in view at once, given that they come from one pack.

    The assignment with the greatest joint probability is taken; a card's confidence is its share
    among the cards that no other is. Two cards of which both are beyond doubt the same are both
    named so: that is for the rules to judge, not for the eyes to hide.

    Args:
        votes: The votes of each card that lies face up, by any key.
    """
    keys = [key for key, vote in votes.items() if vote.reads > 0]
    if not keys:
        return {}
    shares = np.stack([votes[key].shares() for key in keys])
    rows, columns = linear_sum_assignment(-np.log(np.maximum(shares, 1e-9)))
    chosen = {int(row): int(column) for row, column in zip(rows, columns, strict=True)}
    named = {}
    for row, key in enumerate(keys):
        own = int(shares[row].argmax())
        twice = votes[key].reads >= _DUPLICATE_READS and shares[row, own] > 0.999
        if row not in chosen or (own != chosen[row] and twice):
            named[key] = Named(PACK[own], float(shares[row, own]))
            continue
        left = shares[row].copy()
        for other, column in chosen.items():
            if other != row:
                left[column] *= 1 - shares[other, column]
        best = chosen[row]
        named[key] = Named(PACK[best], float(left[best] / max(left.sum(), 1e-12)))
    return named
