"""Which proposals are cards, and which of several places proposed for one card is the right one.

Detector and outlines propose, the reader says what it sees there; here the two are weighed, and
where a card lies under another only what is to be seen of it counts.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.cloth import ALIKE, DOUBTFUL, is_cloth
from vision.detector import FANNED, SAME, Box, same_card
from vision.geometry import Floats, Image, Quad, area, hidden_part, inside
from vision.reader import BACK, REJECT
from vision.reading import belongs, sureness
from vision.refine import side_support

_MOST_REJECT = 0.5
"""What the reader takes for no card with more than this probability is none."""
_PROPOSED_BACK, _PROPOSED_FACE = 0.95, 0.4
"""How sure the reader must be of a back or of one face before an outline counts as a card: seen on
rendered tables, chips and letters reach 0.85 as a back."""
_FOUND = 0.6
"""The score from which the detector has found something; an outline alone has less."""
_FOUND_BACK, _READ_BACK = 0.75, 0.8
"""When detector and reader are both this sure of a back there is one, though its edges hardly stand
out from the cloth: dark backs on dark felts."""
_HIDDEN = 0.3
"""A candidate of which a surer card covers more than this part is that card again, badly placed,
unless it is read well for itself."""
_WELL_FOUND = 0.9
"""The detector's confidence from which there is a card though it cannot be read."""
_WELL_PLACED = 0.7
"""Edge support from which a back counts for itself: misplaced ones reach 0.5 on rendered tables,
well placed ones 0.9."""
_LOOSE = 0.4
"""Edge support under which nothing counts as a back: chips and letters have less."""
_PRINTED_ON, _MUCH_LARGER, _WITHIN = 0.6, 2.5, 0.85
"""A face read this surely makes prints of what lies within it for this part and is so much smaller:
cards of one pack seen by one camera differ less."""
_WELL_READ = 0.85
"""The reader's certainty from which a candidate counts for itself."""
_NAMED = 0.6
"""How surely an index names a card that counts for itself by it."""
_FAN_CLOSED = 0.95
"""The cards of a closed fan, each of which is named by its own index, share up to this part."""

_COVERED, _ALONG = 0.3, (0.1, 0.3, 0.5, 0.7, 0.9)
"""A side is covered when this part of some points along it lies under another card."""
_LEAST_SIDES = 2
"""So many sides have to be seen to tell where a card lies."""


def agreed(image: Image, box: Box, row: Floats) -> Box | None:
    """Return a proposal as the reader sees it, None where the two agree on no card.

    Args:
        image: The picture, UInt8 (H, W, 3), BGR.
        box: What was proposed.
        row: What the reader says of it, Float32 (54,).
    """
    both = box.back > 0.5 and box.score >= _FOUND_BACK and row[BACK] >= _READ_BACK
    if not (_looks_like_a_card(row) or both or box.score >= _WELL_FOUND):
        return None
    if box.hinted and row[:BACK].max() < _WELL_READ:  # many a thing looks like an index
        return None
    near = ALIKE if box.score >= _FOUND else DOUBTFUL
    if row[:BACK].max() < _PROPOSED_FACE and is_cloth(image, box.corners, near):
        return None
    return replace(
        box,
        score=max(box.score, _sure(row)),
        back=float(row[BACK]),
        row=row,
        sides=side_support(image, box.corners),
        surely_back=both,
    )


def without_prints(boxes: list[Box]) -> list[Box]:
    """Return the boxes without those that are the pips and pictures printed on a card.

    Cards of one pack are of one size, so nothing that lies within a much larger card is one.
    """
    cards = [
        (box, area(box.corners))
        for box in boxes
        if box.row is not None and float(box.row[:BACK].max()) >= _PRINTED_ON
    ]
    return [
        box
        for box in boxes
        if not any(
            size > _MUCH_LARGER * area(box.corners)
            and hidden_part(box.corners, card.corners) > _WITHIN
            for card, size in cards
        )
    ]


def best_placed(boxes: list[Box]) -> tuple[Box, ...]:
    """Return one box a card, that at which it is read best."""
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda box: -_sureness(box)):
        support = _seen_support(box, kept)
        if _is_loose(box, support) or any(_shows_again(box, known, support) for known in kept):
            continue
        kept.append(box)
    return tuple(kept)


def _seen_support(box: Box, kept: Sequence[Box]) -> float:
    """Return how well those sides lie on edges over which no surer card lies, 0 to 1.

    Where one is covered, nobody can tell how well it lies; two have to be seen at least.
    """
    seen = [
        support
        for side, support in enumerate(box.sides)
        if not any(_covers(known.corners, box.corners, side) for known in kept)
    ]
    return min(seen) if len(seen) >= _LEAST_SIDES else 0.0


def _covers(over: Quad, under: Quad, side: int) -> bool:
    """Say whether a card lies over much of another's side."""
    start, end = under[side], under[(side + 1) % 4]
    points = [start + (end - start) * np.float32(share) for share in _ALONG]
    hidden = sum(inside(over, (float(x), float(y))) for x, y in points)
    return hidden >= _COVERED * len(points)


def _shows_again(box: Box, known: Box, support: float) -> bool:
    """Say whether a box shows the card of a surer one, only worse placed."""
    covered = hidden_part(box.corners, known.corners)
    if not _are_two(box, known):
        hidden = 2 * _HIDDEN if _is_certain(box, support) else _HIDDEN
        return covered > hidden or same_card(box, known, SAME)
    if _is_named(box, known):  # it looks out from under the other, however little
        return covered > _FAN_CLOSED
    return covered > FANNED or same_card(box, known, FANNED)


def _are_two(first: Box, second: Box) -> bool:
    """Say whether two boxes are surely read as two cards, so that they may lie over each other."""
    if first.row is None or second.row is None:
        return False
    faces = int(first.row[:BACK].argmax()), int(second.row[:BACK].argmax())
    sure = [
        float(box.row[:BACK].max()) >= _WELL_READ or _is_named(box, other)
        for box, other in ((first, second), (second, first))
        if box.row is not None
    ]
    return faces[0] != faces[1] and all(sure)


def _is_named(box: Box, other: Box) -> bool:
    """Say whether a box is named by an index that is not the other's own."""
    index = box.named
    return index is not None and sureness(index) >= _NAMED and not belongs(index, other.corners)


def _is_loose(box: Box, support: float) -> bool:
    """Say whether a box looks like a back and has not a back's edges, as chips and letters do."""
    return box.back >= _WELL_READ and support < _LOOSE and not box.surely_back


def _is_certain(box: Box, support: float) -> bool:
    """Say whether a box counts for itself although other cards lie over part of it."""
    if box.row is None or box.row[BACK] >= _WELL_READ:
        return support >= _WELL_PLACED
    return _sure(box.row) >= _WELL_READ


def _looks_like_a_card(row: Floats) -> bool:
    """Say whether the reader sees a card in an outline: many things are square and patterned."""
    face, back = float(row[:BACK].max()), float(row[BACK])
    return row[REJECT] < _MOST_REJECT and (back >= _PROPOSED_BACK or face >= _PROPOSED_FACE)


def _sureness(box: Box) -> float:
    """Return how surely a card lies just there: it is read well, and its sides lie on edges.

    Every part of a back reads as a back, so for a back the edges alone tell the place. Differences
    under a hundredth are noise, by which no two machines should tell another card.
    """
    return round((box.score if box.row is None else _sure(box.row)) + min(box.sides), 2)


def _sure(row: Floats) -> float:
    return float(row[:REJECT].max())
