"""Law: what is printed on the felt is cloth, and a card is none, whatever its colour."""

import cv2
import numpy as np
import pytest

from vision.geometry import Image, oriented_box
from vision.scene import Scene

PLACE = oriented_box((480.0, 270.0), (60.0, 84.0), 0.1)


def table() -> Image:
    noise = np.random.default_rng(1).normal(0, 3, (540, 960, 3))
    return np.clip(np.array([40, 90, 30]) + noise, 0, 255).astype(np.uint8)


def scene_of(image: Image) -> Scene:
    scene = Scene(960, 540)
    scene.update(image, 0.0)
    return scene


def test_a_printed_outline_of_a_cards_size_is_print() -> None:
    image = table()
    cv2.polylines(image, [np.rint(PLACE).astype(np.int32)], True, (120, 200, 210), 3)
    assert scene_of(image).is_print(PLACE)


@pytest.mark.parametrize("colour", [(245, 245, 245), (150, 40, 30), (60, 60, 25)])
def test_a_card_is_no_print(colour: tuple[int, int, int]) -> None:
    image = table()
    cv2.fillConvexPoly(image, np.rint(PLACE).astype(np.int32), colour)
    assert not scene_of(image).is_print(PLACE)


def test_a_back_in_the_cloths_own_colour_is_told_by_its_border() -> None:
    image = table()
    cv2.fillConvexPoly(image, np.rint(PLACE).astype(np.int32), (245, 245, 245))
    inner = oriented_box((480.0, 270.0), (42.0, 64.0), 0.1)
    cv2.fillConvexPoly(image, np.rint(inner).astype(np.int32), (40, 90, 30))
    assert not scene_of(image).is_print(PLACE)
