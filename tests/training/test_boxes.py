"""The detector's raw output becomes one box a card, and is counted fairly."""

import numpy as np

from vision.training.batches import corners
from vision.training.boxes import decode, match, overlap


def _raw(*rows: tuple[float, ...]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.array(rows, np.float32).T


def test_two_boxes_on_one_card_are_one_card() -> None:
    raw = _raw((50, 50, 20, 30, 0.9, 0.1, 0.0), (51, 50, 20, 30, 0.8, 0.1, 0.0))
    assert len(decode(raw)) == 1


def test_crossed_cards_stay_two() -> None:
    raw = _raw((50, 50, 20, 30, 0.9, 0.1, 0.0), (50, 50, 20, 30, 0.8, 0.1, np.pi / 2))
    assert len(decode(raw)) == 2


def test_a_weak_box_is_left_out() -> None:
    assert decode(_raw((50, 50, 20, 30, 0.1, 0.2, 0.0)), least=0.35) == []


def test_the_surer_side_is_taken() -> None:
    ((_, kind, score),) = decode(_raw((50, 50, 20, 30, 0.3, 0.75, 0.0)))
    assert (kind, score) == (1, 0.75)


def test_overlap_of_a_quad_with_itself_is_one_and_with_a_far_one_none() -> None:
    quad = corners((50.0, 50.0, 20.0, 30.0, 0.3))
    assert round(overlap(quad, quad), 3) == 1
    assert overlap(quad, quad + 200) == 0


def test_matching_counts_right_wrong_missed_and_extra() -> None:
    one, two, three = (corners((x, 50.0, 20.0, 30.0, 0.0)) for x in (50.0, 150.0, 250.0))
    found = [(one, 0, 0.9), (two, 1, 0.8), (three + 100, 0, 0.7)]
    wanted = [(one, 0), (two, 0), (three, 0)]
    assert match(found, wanted)[:4].tolist() == [1, 1, 1, 1]
