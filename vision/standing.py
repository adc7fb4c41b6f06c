"""What was found and lies there still: a look that misses a card does not take it off the table.

The networks find a card in most looks, not in all of them. As long as its place looks as it did
when the card was found there, it has not left.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from vision.detector import Box, distinct
from vision.geometry import Quad, overlap
from vision.scene import Look

_SELDOM = 4
"""A card that is found in fewer than one of so many looks at an unchanged place was imagined."""


class Places(Protocol):
    """What is asked about places: the scene's own words."""

    def look(self, corners: Quad) -> Look | None:
        """Return how a place looks now; None when it is too small to say."""

    def same(self, look: Look, over: Sequence[Quad]) -> bool:
        """Say whether a place still looks as it did, leaving out what lies over it."""


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """A box, how its place looked when it was found last, and how often it was."""

    box: Box
    look: Look | None
    """None where the place is too small to compare."""
    found: int = 1
    looked: int = 1

    def missed(self, places: Places, *, quick: bool) -> "Standing | None":
        """Return it after a look that did not find it; None when it can't be there any longer.

        A quick look, by outlines alone, misses most cards and so says nothing.
        """
        if self.look is None or not places.same(self.look, ()):
            return None
        missed = self if quick else replace(self, looked=self.looked + 1)
        return missed if missed.found * _SELDOM >= missed.looked else None


def after_look(
    before: Iterable[Standing], found: Sequence[Box], places: Places, *, quick: bool = False
) -> tuple[Standing, ...]:
    """Return what stands in a place that was looked at again.

    Args:
        before: What stood there.
        found: What this look found.
        places: The small picture of this frame.
        quick: Whether only outlines were looked for.
    """
    left = list(before)
    now = []
    for box in found:
        repeated = [old for old in left if _repeats(old.box, box)]
        again = max(repeated, key=lambda old: overlap(old.box.corners, box.corners), default=None)
        look = places.look(box.corners)
        if again is None:
            now.append(Standing(box, look))
            continue
        left.remove(again)
        now.append(Standing(box, look, again.found + 1, again.looked + 1))
    missed = [old.missed(places, quick=quick) for old in left]
    return *now, *(old for old in missed if old is not None)


def _repeats(old: Box, new: Box) -> bool:
    """Say whether two boxes show one card, by where they lie."""
    return len(distinct([old, new])) == 1
