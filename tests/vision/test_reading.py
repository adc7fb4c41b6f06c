"""Law: a card is read by its whole face and its indices; what they disagree about is not told."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from rules.cards import PACK, Card
from rules.events import UNREADABLE
from tests.vision.test_model import IMAGE, ByPlace, Listed, Same, card, row
from vision.detector import Box
from vision.geometry import Floats, Image, Quad, oriented_box, turned
from vision.indices import Index, place_of
from vision.model import CardModel, Finders
from vision.reader import BACK, REJECT
from vision.reading import CardReader, Weighing, belongs, fused

NINE, KING = PACK.index(Card.parse("9S")), PACK.index(Card.parse("KH"))
WEIGHING = Weighing(0.6, 1.0, 0.3)


def index(corners: Quad, which: int, share: float = 0.98, score: float = 0.9) -> Index:
    cards = np.full(len(PACK), (1 - share) / (len(PACK) - 1), dtype=np.float32)
    cards[which] = share
    return Index(place_of(corners), corners, score, cards)


@dataclass
class Printed:
    """A list of indices is what finds them, wherever one looks."""

    indices: Sequence[Index] = ()
    searched: list[Quad] = field(default_factory=list)

    def find(self, image: Image, quads: Sequence[Quad]) -> tuple[Index, ...]:
        del image
        self.searched += quads
        return tuple(self.indices) if quads else ()


def reader(rows: dict[tuple[int, int], Floats], *indices: Index) -> CardReader:
    return CardReader(ByPlace(rows), Printed(indices), WEIGHING)


def test_a_covered_card_is_read_by_the_index_that_looks_out() -> None:
    lying = card(100, 100).corners
    (told,) = reader({(100, 100): row(REJECT)}, index(lying, NINE)).read(IMAGE, [lying])
    assert told.argmax() == NINE
    assert told.sum() == pytest.approx(1, abs=1e-5)


def test_face_and_index_that_agree_are_surer_than_either() -> None:
    lying = card(100, 100).corners
    face, own = row(NINE, 0.7), index(lying, NINE, 0.7)
    assert fused(face, [own], Weighing(1.0, 1.0, 0.3))[NINE] > 0.9


def test_face_and_index_that_disagree_leave_the_card_unread() -> None:
    lying = card(100, 100).corners
    told = fused(row(KING), [index(lying, NINE)], Weighing(1.0, 1.0, 0.3))
    assert told.max() < 0.77


def test_two_indices_of_one_card_that_disagree_leave_it_unread() -> None:
    lying = card(100, 100).corners
    both = [index(lying, NINE), index(turned(lying, 2), KING)]
    assert fused(row(REJECT), both, WEIGHING).max() < 0.77


def test_a_back_stays_one_whatever_its_pattern_looks_like() -> None:
    lying = card(100, 100).corners
    told = fused(row(BACK), [index(lying, NINE, share=0.5, score=0.35)], Weighing(1.0, 1.0, 0.3))
    assert told.argmax() == BACK


def test_what_surely_lies_face_down_is_not_searched() -> None:
    lying, printed = card(100, 100).corners, Printed()
    CardReader(ByPlace({(100, 100): row(BACK)}), printed, WEIGHING).read(IMAGE, [lying])
    assert printed.searched == []


def test_places_that_lie_alike_are_searched_once() -> None:
    printed = Printed()
    quads = [card(100, 100).corners, card(101, 101).corners, card(200, 100).corners]
    rows = {(100, 100): row(NINE), (200, 100): row(KING)}
    CardReader(ByPlace(rows), printed, WEIGHING).read(IMAGE, quads)
    assert len(printed.searched) == 2


def test_a_card_seen_square_is_searched_on_its_side_too() -> None:
    square = oriented_box((100, 100), (50, 52), 0)
    printed = Printed()
    CardReader(ByPlace({(100, 100): row(NINE)}), printed, WEIGHING).read(IMAGE, [square])
    assert len(printed.searched) == 2


@pytest.mark.parametrize("quarters", range(4))
def test_an_index_belongs_to_its_card_whichever_corner_comes_first(quarters: int) -> None:
    lying = card(100, 100, 0.4).corners
    assert belongs(index(lying, NINE), turned(lying, quarters))


def test_an_index_of_the_next_card_in_a_fan_belongs_to_that_card_alone() -> None:
    lying, beside = card(100, 100).corners, card(112, 102, 0.15).corners
    assert not belongs(index(beside, NINE), lying)


def test_an_index_that_stands_across_belongs_to_no_upright_card() -> None:
    lying = card(100, 100).corners
    across = turned(card(100, 100, np.pi / 2).corners, 1)
    moved = across + np.array(place_of(lying)) - np.array(place_of(across))
    own = index(moved.astype(np.float32), NINE)
    assert own.at == pytest.approx(place_of(lying), abs=1e-3)
    assert not belongs(own, lying)


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_an_index_of_another_size_belongs_to_no_such_card(size: float) -> None:
    lying = card(100, 100).corners
    other = lying * size
    moved = other + np.array(place_of(lying)) - np.array(place_of(other))
    assert not belongs(index(moved.astype(np.float32), NINE), lying)


def sight(detector: Sequence[Box], rows: dict[tuple[int, int], Floats], *found: Index) -> CardModel:
    return CardModel(
        Finders(Listed(detector), Listed(), Same()), reader(rows, *found), threshold=0.8
    )


def test_an_index_alone_is_a_card_that_the_detector_missed() -> None:
    lying, hidden = card(100, 100), card(112, 98, 0.5)
    rows = {(100, 100): row(NINE)}
    found = sight([lying], rows, index(hidden.corners, KING)).detect(IMAGE)
    assert {str(each.face) for each in found} == {"9S", "KH"}


def test_a_card_of_a_closed_fan_counts_by_the_index_that_looks_out() -> None:
    lying, below = card(100, 100), card(105, 94, 0.05)
    rows = {(100, 100): row(NINE)}
    found = sight([lying, below], rows, index(below.corners, KING)).detect(IMAGE)
    assert {str(each.face) for each in found} == {"9S", "KH"}


def test_one_card_found_twice_is_not_two_by_an_index_that_both_have() -> None:
    lying, again = card(100, 100), card(103, 101)
    rows = {(100, 100): row(NINE, 0.9), (103, 101): row(REJECT)}
    model = sight([lying, again], rows, index(lying.corners, KING, 0.75))
    assert len(model.find(IMAGE)) == 1


def test_one_hint_leads_to_the_next() -> None:
    lying, second, third = card(100, 100), card(125, 98, 0.5), card(165, 100, 0.7)
    far = index(third.corners, PACK.index(Card.parse("2C")))

    class Near(Printed):
        """Finds the third card's index only about the second and the third card."""

        def find(self, image: Image, quads: Sequence[Quad]) -> tuple[Index, ...]:
            near = any(corners.mean(axis=0)[0] > 115 for corners in quads)
            return (*super().find(image, quads), *((far,) if near else ()))

    cards = CardReader(
        ByPlace({(100, 100): row(NINE)}), Near([index(second.corners, KING)]), WEIGHING
    )
    model = CardModel(Finders(Listed([lying]), Listed(), Same()), cards, threshold=0.8)
    assert {str(each.face) for each in model.detect(IMAGE)} == {"9S", "KH", "2C"}


def test_an_index_on_a_known_card_proposes_nothing() -> None:
    known, new = card(100, 100).corners, card(200, 100)
    rows = {(200, 100): row(NINE)}
    model = sight([card(100, 100), new], rows, index(known, KING))
    found = model.find(IMAGE, known=[known])
    assert len(found) == 2


@pytest.mark.parametrize(("x", "quarters"), [(139, 0), (61, 2)])
def test_an_index_in_the_further_corners_is_no_second_card(x: float, quarters: int) -> None:
    lying, told = card(100, 100), index(turned(card(x, 100).corners, quarters), KING)
    found = sight([lying], {(100, 100): row(NINE)}, told).detect(IMAGE)
    assert [str(each.face) for each in found] == ["9S"]


def test_four_indices_of_a_card_that_was_missed_are_one_card() -> None:
    lying = card(100, 100).corners
    left, right = card(61, 100).corners, card(139, 100).corners
    four = [
        index(lying, KING),
        index(turned(lying, 2), KING, 0.97),
        index(right, KING, 0.96),
        index(turned(left, 2), KING, 0.96),
    ]
    found = sight([card(250, 100)], {(250, 100): row(NINE)}, *four).detect(IMAGE)
    assert [str(each.face) for each in found] == ["9S", "KH"]


def test_a_hint_that_is_not_well_read_is_no_card() -> None:
    lying, hidden = card(100, 100), card(112, 98, 0.5)
    found = sight([lying], {(100, 100): row(NINE)}, index(hidden.corners, KING, 0.6)).detect(IMAGE)
    assert [str(each.face) for each in found] == ["9S"]


def test_an_index_read_in_doubt_gives_an_unread_card() -> None:
    lying = card(100, 100)
    found = sight([lying], {(100, 100): row(REJECT)}, index(lying.corners, NINE, 0.6)).detect(IMAGE)
    assert [each.face for each in found] == [UNREADABLE]
