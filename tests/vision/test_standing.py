"""Law: a look that misses a card does not take it off the table; a changed place does."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.detector import Box
from vision.geometry import Quad, oriented_box
from vision.scene import Look
from vision.standing import Standing, after_look


@dataclass(frozen=True)
class Picture:
    """A picture that looks the same or does not."""

    unchanged: bool

    def look(self, corners: Quad) -> Look | None:
        return Look(corners, np.zeros((9, 3), np.uint8))

    def same(self, look: Look, over: Sequence[Quad]) -> bool:
        return self.unchanged and len(look.pixels) > 0 and not over


STILL, CHANGED = Picture(unchanged=True), Picture(unchanged=False)


def card(x: float) -> Box:
    return Box(oriented_box((x, 100.0), (50.0, 70.0), 0.0), 0.9)


def found(boxes: list[Box], before: Sequence[Standing] = ()) -> tuple[Standing, ...]:
    return after_look(before, boxes, STILL)


def test_a_card_that_one_look_misses_stands_as_long_as_its_place_looks_the_same() -> None:
    one = card(100)
    first = found([one])
    assert [each.box for each in after_look(first, [], STILL)] == [one]
    assert after_look(first, [], CHANGED) == ()


def test_a_card_that_is_found_again_is_the_new_box_and_better_known() -> None:
    again = card(102)
    (now,) = found([again], found([card(100)]))
    assert (now.box is again, now.found, now.looked) == (True, 2, 2)


def test_what_is_found_seldom_was_imagined() -> None:
    standing = found([card(100)])
    looks = 0
    while standing:
        standing = after_look(standing, [], STILL)
        looks += 1
        assert looks < 10
    assert looks == 4


def test_a_card_of_a_fan_is_found_again_at_its_own_place() -> None:
    under, over = card(100), card(111)
    again = card(101)
    now = found([again], found([over, under]))
    assert [(each.box, each.found) for each in now] == [(again, 2), (over, 1)]


def test_a_look_for_outlines_alone_makes_nothing_imagined() -> None:
    standing = found([card(100)])
    for _ in range(20):
        standing = after_look(standing, [], STILL, quick=True)
    assert len(standing) == 1


def test_a_neighbour_is_another_card() -> None:
    assert len(found([card(160)], found([card(100)]))) == 2
