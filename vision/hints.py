"""Which indices hint at a card that nobody found, and which only show a card again.

Many decks print an index in all four corners. The two further ones stand where no card has its
own, and tell of a card beside the one on which they are.
"""

from collections.abc import Sequence

from vision.detector import Box
from vision.geometry import Quad, inside
from vision.indices import Index
from vision.reader import BACK
from vision.reading import belongs, lies_as

_HINTING = 0.4
"""How surely an index has to name a card to hint at it."""
_WELL_READ = 0.85
"""How surely a card has to be read for an index in its further corners to be its own."""


def hints(spare: Sequence[Index], there: Sequence[Box]) -> tuple[Index, ...]:
    """Return those indices that hint at a card of which none is there.

    Args:
        spare: Indices that lie as no card tells.
        there: The cards that were found, read or known.
    """
    kept: list[Index] = []
    for index in sorted(spare, key=lambda index: -float(index.cards.max())):
        shown = float(index.cards.max()) < _HINTING or any(_shows(index, box) for box in there)
        if not shown and not any(_of_one_card(index, other) for other in kept):
            kept.append(index)
    return tuple(kept)


def _shows(index: Index, box: Box) -> bool:
    """Say whether an index is one of a card's own, the further corners' among them."""
    if lies_as(index, box.corners):
        return True
    if not inside(box.corners, index.at):
        return False
    if box.row is None:
        return belongs(index, _mirrored(box.corners))
    face, sure = int(box.row[:BACK].argmax()), float(box.row[:BACK].max())
    alike = face == int(index.cards.argmax()) and sure >= _HINTING
    return alike or (sure >= _WELL_READ and belongs(index, _mirrored(box.corners)))


def _of_one_card(index: Index, other: Index) -> bool:
    """Say whether an index stands on the card that another of the same name tells of."""
    same = int(index.cards.argmax()) == int(other.cards.argmax())
    return same and inside(other.corners, index.at)


def _mirrored(corners: Quad) -> Quad:
    """Return a card's corners as its mirror image has them: what is left lies right."""
    return corners[[1, 0, 3, 2]]
