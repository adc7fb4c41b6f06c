"""Law: what can be no card by place or size is none, and the layout tells a first size."""

import cv2
import numpy as np
import pytest

from rules.events import Area, Seat, Spot
from vision.detector import Box
from vision.geometry import Quad, height, oriented_box, quad
from vision.layout import SpotPlace, TableLayout
from vision.outlines import OutlineDetector
from vision.sieve import Sieve
from vision.sizes import Sizes

ROW = quad(np.array([[200, 200], [380, 200], [380, 300], [200, 300]]))
"""A spot about three cards that lie side by side."""
CIRCLE = quad(np.array([[300, 320], [340, 320], [340, 360], [300, 360]]))


def table(*places: SpotPlace) -> TableLayout:
    return TableLayout("T1", "three-card-whist", 640, 480, places)


def with_a_row() -> TableLayout:
    return table(SpotPlace(Spot(Area.HAND, Seat(1)), ROW))


def card(x: float, y: float, tall: float) -> Box:
    return Box(oriented_box((x, y), (tall / 1.4, tall), 0.0), 0.9)


def test_before_any_card_was_seen_its_height_follows_from_the_spot_for_three() -> None:
    assert Sizes(with_a_row()).card_height == pytest.approx(85, abs=1)


def test_cards_that_were_seen_tell_their_height_better_than_the_layout() -> None:
    sizes = Sizes(with_a_row())
    sieve = Sieve(with_a_row(), sizes)
    for _ in range(5):
        sieve.cards_among([card(250, 250, 70)])
    assert sizes.card_height == pytest.approx(70, abs=1)


def test_a_layout_without_a_spot_for_three_tells_no_height() -> None:
    assert Sizes(table(SpotPlace(Spot(Area.TRUMP, None), CIRCLE))).card_height is None


def test_a_printed_box_about_three_cards_is_not_proposed_as_a_card() -> None:
    picture = np.full((480, 640, 3), (40, 80, 30), np.uint8)
    cv2.rectangle(picture, (200, 200), (380, 300), (200, 210, 205), 3)
    usual = Sizes(with_a_row()).card_height
    assert usual is not None
    boxed = OutlineDetector().find(picture)
    assert [box for box in boxed if _is_the_row(box.corners)], "the box is there to be mistaken"
    assert not OutlineDetector().find(picture, card_height_px=usual)


def _is_the_row(corners: Quad) -> bool:
    return 150 < height(corners) < 220
