"""Face and index are weighed as they proved right, and what is told is as sure as it is right."""

import numpy as np
import pytest

from rules.cards import PACK
from tests.vision.test_model import card, row
from tests.vision.test_reading import index
from vision.reading import Weighing, fused
from vision.training.weigh import Found, faces, fit, judged

CORNERS = card(100, 100).corners
WHICH = 7


def found(face: int, told: int, wanted: int) -> Found:
    return Found(row(face, 0.8), (index(CORNERS, told, 0.8),), wanted)


def test_where_the_index_is_always_right_it_counts_more_than_the_face() -> None:
    weighing = fit([found(3, WHICH, WHICH)] * 20)
    assert fused(row(3, 0.8), [index(CORNERS, WHICH, 0.8)], weighing).argmax() == WHICH


def test_where_the_face_is_always_right_it_counts_more_than_the_index() -> None:
    weighing = fit([found(WHICH, 3, WHICH)] * 20)
    assert fused(row(WHICH, 0.8), [index(CORNERS, 3, 0.8)], weighing).argmax() == WHICH


def test_faces_that_are_right_more_often_than_they_say_are_made_surer() -> None:
    weighing = fit([found(WHICH, WHICH, WHICH)] * 20)
    assert fused(row(WHICH, 0.8), [index(CORNERS, WHICH, 0.8)], weighing).max() > 0.99


def test_boxes_without_an_index_are_read_by_their_faces() -> None:
    sure, right = faces([Found(row(WHICH, 0.7), (), WHICH)], Weighing(1, 1, 0.3))
    assert sure.tolist() == pytest.approx([0.7])
    assert right.tolist() == [True]


def test_the_threshold_is_the_least_at_which_few_are_wrong() -> None:
    good = [Found(row(WHICH, 0.9), (), WHICH)] * 98
    bad = [Found(row(WHICH, 0.6), (), 3)] * 40
    told = judged([*good, *bad], Weighing(1, 1, 0.3), most_wrong=0.02)
    assert 0.6 < told.threshold <= 0.61
    assert told.wrong == 0
    assert told.kept == pytest.approx(98 / 138)


def test_a_reading_that_is_as_often_right_as_it_says_has_no_calibration_error() -> None:
    rows = [Found(row(WHICH, 0.75), (), WHICH if number % 4 else 3) for number in range(40)]
    assert judged(rows, Weighing(1, 1, 0.3), threshold=0.5).error == pytest.approx(0, abs=1e-6)


def test_every_index_of_the_pack_can_be_fused() -> None:
    for number in range(len(PACK)):
        told = fused(row(number, 0.8), [index(CORNERS, number, 0.8)], Weighing(0.5, 1, 0.3))
        assert int(np.argmax(told)) == number
