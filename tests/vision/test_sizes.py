"""Law: a few surely read cards of a table seen aslant tell the size of a card everywhere on it."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.events import Area, Seat, Spot
from vision.detector import Box
from vision.geometry import Quad, area, centre, oriented_box, quad
from vision.layout import SpotPlace, TableLayout
from vision.reader import CLASSES
from vision.sizes import Sizes

WIDE, TALL = 1280, 720
ASLANT = cv2.getPerspectiveTransform(
    np.array([[0, 0], [1000, 0], [1000, 600], [0, 600]], np.float32),
    np.array([[250, 80], [1030, 80], [1250, 700], [30, 700]], np.float32),
)
"""A table of 1000 by 600 mm whose far side is seen at two thirds of the near side's size."""
ROW = quad(np.array([[500, 300], [700, 300], [700, 400], [500, 400]]))


def on_table(x: float, y: float, angle: float = 0.0, *, grown: float = 1.0) -> Quad:
    """Return where a card of 63 by 88 mm lies in the picture."""
    flat = oriented_box((x, y), (63 * grown, 88 * grown), angle)
    seen: NDArray[np.generic] = cv2.perspectiveTransform(flat[None], ASLANT)[0]
    return quad(seen)


def read(corners: Quad, sure: float = 0.95) -> Box:
    row = np.full(CLASSES, (1 - sure) / (CLASSES - 1), np.float32)
    row[7] = sure
    return Box(corners, 0.9, row=row)


def sizes() -> Sizes:
    place = SpotPlace(Spot(Area.HAND, Seat(1)), ROW)
    return Sizes(TableLayout("T1", "three-card-whist", WIDE, TALL, (place,)))


def relative_error(known: Sizes, corners: Quad) -> float:
    told = known.area_at(centre(corners))
    assert told is not None
    return abs(told / area(corners) - 1)


FEW = [on_table(200, 480), on_table(520, 500, 0.4), on_table(820, 470, -0.5), on_table(430, 120)]


def test_nothing_is_told_before_cards_were_read_at_several_places() -> None:
    known = sizes()
    known.note([read(corners) for corners in FEW[:3]] * 10)
    assert known.area_at((640, 360)) is None


@pytest.mark.parametrize("angle", [0.0, 0.7, 1.57])
@pytest.mark.parametrize(("x", "y"), [(100, 80), (900, 80), (500, 300), (100, 520), (900, 520)])
def test_the_area_of_a_card_is_told_at_places_where_none_was_seen(
    x: float, y: float, angle: float
) -> None:
    known = sizes()
    known.note(map(read, FEW))
    assert relative_error(known, on_table(x, y, angle)) < 0.12


def test_a_place_whose_corners_were_wrong_hardly_changes_the_others() -> None:
    known = sizes()
    right = [*FEW, on_table(650, 150), on_table(300, 300), on_table(700, 320)]
    known.note(map(read, [*right, on_table(480, 330, grown=1.4)]))
    assert max(relative_error(known, corners) for corners in right) < 0.06


def test_a_card_that_lies_for_long_counts_no_more_than_others() -> None:
    known = sizes()
    known.note(map(read, FEW))
    known.note([read(on_table(520, 500, 0.4, grown=1.1))] * 500)
    assert relative_error(known, FEW[3]) < 0.12


def test_what_was_not_read_surely_tells_no_size() -> None:
    known = sizes()
    known.note(read(corners, 0.6) for corners in FEW)
    assert known.area_at((640, 360)) is None
