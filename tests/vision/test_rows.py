"""Law: a row of backs is told from one larger card by its height and by edges between the cards."""

import numpy as np
import pytest

from vision.detector import Box
from vision.geometry import Quad, height, oriented_box, overlap, width
from vision.rows import parts, without_rows

TALL, WIDE = 70.0, 50.0


def back(x: float, wide: float = WIDE, edges: float = 0.9, *, angle: float = 0.0) -> Box:
    corners = oriented_box((x, 100.0), (wide, TALL), angle)
    return Box(corners, 0.8, back=0.98, sides=(edges,) * 4)


def is_place(corners: Quad, x: float) -> bool:
    return overlap(corners, back(x).corners) > 0.9


@pytest.mark.parametrize("count", [2, 3])
def test_a_box_as_long_as_some_cards_is_cut_into_them(count: int) -> None:
    middles = [100 + WIDE * number for number in range(count)]
    row = back(float(np.mean(middles)), WIDE * count)
    cut = [box.corners for box in parts([row], TALL)]
    assert len(cut) == count
    assert all(any(is_place(corners, x) for corners in cut) for x in middles)
    assert all(height(corners) > width(corners) for corners in cut), "upright, as a card is read"


def test_a_card_of_the_usual_height_is_not_cut() -> None:
    assert not list(parts([back(100)], TALL))


def test_a_face_is_not_cut() -> None:
    face = Box(oriented_box((100.0, 100.0), (2 * WIDE, TALL), 0.0), 0.8, back=0.02)
    assert not list(parts([face], TALL))


def test_two_cards_with_edges_of_their_own_are_no_larger_card() -> None:
    cards = [back(100), back(150)]
    assert without_rows([back(125, 2 * WIDE), *cards]) == cards


def test_one_large_card_is_not_the_halves_that_it_could_be_cut_into() -> None:
    whole, halves = back(125, 2 * WIDE), [back(100, edges=0.3), back(150, edges=0.3)]
    assert whole in without_rows([whole, *halves])


def test_a_card_on_a_larger_one_does_not_make_it_a_row() -> None:
    whole = back(125, 2 * WIDE)
    assert whole in without_rows([whole, back(100)])
