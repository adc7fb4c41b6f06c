"""A label says exactly where a card is, whichever way the camera and the batch turn it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.training.batches import box, corners, jittered, rectify
from vision.training.boxes import overlap
from vision.training.camera import CARD_MM, Camera, project, random_camera


def test_a_card_in_the_middle_under_the_camera_has_the_height_asked_for() -> None:
    view = Camera(640, 384, tilt=0.0, turn=0.0, focal=700, card_px=50)
    ends = project(view.matrix(), np.array([[0.0, -CARD_MM / 2], [0.0, CARD_MM / 2]]))
    assert ends.ravel().tolist() == pytest.approx([320, 167, 320, 217])


def test_a_tilted_camera_sees_what_is_far_smaller_than_what_is_near() -> None:
    matrix = Camera(640, 384, tilt=0.8, turn=0.0, focal=700, card_px=50).matrix()

    def width(y: float) -> float:
        ends = project(matrix, np.array([[-30.0, y], [30.0, y]]))
        return float(ends[1, 0] - ends[0, 0])

    assert width(-200) < width(0) < width(200)


def test_random_cameras_never_see_the_horizon() -> None:
    rng = np.random.default_rng(1)
    frame = np.array([[0.0, 0.0], [640, 0], [640, 384], [0, 384]])
    for _ in range(200):
        matrix = random_camera(rng, (640, 384), (15, 200)).matrix()
        ground = project(np.asarray(np.linalg.inv(matrix), np.float64), frame)
        depths = np.column_stack([ground, np.ones(4)]) @ matrix[2]
        assert (depths > 0).all()


@given(
    st.floats(-0.7, 2.3),
    st.floats(20, 200),
    st.floats(1.1, 1.8),
    st.booleans(),
)
def test_a_box_gives_back_the_rectangle_that_it_was_made_of(
    angle: float, width: float, ratio: float, upside_down: bool
) -> None:
    quad = corners((100.0, 80.0, width, width * ratio, angle))
    found = box(np.roll(quad, 2 if upside_down else 0, axis=0))
    assert found[:4] == pytest.approx((100, 80, width, width * ratio), rel=1e-3)
    assert np.cos(2 * (found[4] - angle)) == pytest.approx(1, abs=1e-4)
    assert -np.pi / 4 <= found[4] < 3 * np.pi / 4


def test_the_width_of_a_box_runs_along_the_cards_top_even_when_it_looks_longer() -> None:
    low = np.array([[0.0, 0.0], [60, 0], [60, 40], [0, 40]])
    x, y, w, h, angle = box(low)
    assert (x, y, w, h) == pytest.approx((30, 20, 60, 40))
    assert angle == pytest.approx(0, abs=1e-6)


def test_rectifying_brings_the_first_corner_to_the_top_left() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[10:20, 70:80] = 255
    quad = np.array([[80.0, 10], [80, 60], [30, 60], [30, 10]])
    crop = rectify(picture, quad, (50, 50))
    assert crop.shape == (50, 50, 3)
    assert crop[2:8, 2:8].min() == 255
    assert crop[20:, 20:].max() == 0


def test_a_jittered_quad_still_lies_on_its_card() -> None:
    rng = np.random.default_rng(3)
    quad = corners((50.0, 50.0, 40.0, 60.0, 0.4))
    assert all(overlap(jittered(quad, rng, 0.02), quad) > 0.85 for _ in range(50))
