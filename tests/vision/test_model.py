"""Law: the detector and the outlines propose, the reader decides, and one card is one entry."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from rules.cards import PACK, Card
from rules.events import UNREADABLE
from vision.annotate import annotate
from vision.detector import Box, distinct
from vision.geometry import Floats, Image, Quad, centre, distance, oriented_box, overlap
from vision.model import CardModel, Detection, Finders
from vision.outlines import OutlineDetector
from vision.reader import BACK, CLASSES, REJECT, cut_out
from vision.reading import CardReader
from vision.refine import EdgeRefiner

NINE, KING = Card.parse("9S"), Card.parse("KH")
FELT = (60, 110, 40)


def row(what: int, share: float = 0.98) -> Floats:
    made = np.full(CLASSES, (1 - share) / (CLASSES - 1), dtype=np.float32)
    made[what] = share
    return made


@dataclass
class Listed:
    """A list of boxes is a detector."""

    boxes: Sequence[Box] = ()

    def find(self, image: Image, *, card_height_px: float | None = None) -> tuple[Box, ...]:
        del image, card_height_px
        return tuple(self.boxes)


@dataclass
class Same:
    """Leaves the corners as they are."""

    def refine(self, image: Image, quads: Sequence[Quad]) -> list[Quad]:
        del image
        return list(quads)


@dataclass
class ByPlace:
    """Reads by where a card is: the nearest place within ten pixels tells."""

    rows: dict[tuple[int, int], Floats] = field(default_factory=dict)
    asked: int = 0

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        del image
        self.asked += len(quads)
        found = [self._row(corners) for corners in quads]
        return np.stack(found) if found else np.empty((0, CLASSES), dtype=np.float32)

    def _row(self, corners: Quad) -> Floats:
        x, y = centre(corners)
        for place, told in self.rows.items():
            if np.hypot(place[0] - x, place[1] - y) < 10:
                return told
        return row(REJECT)


def model(
    detector: Sequence[Box], rows: dict[tuple[int, int], Floats], outlines: Sequence[Box] = ()
) -> CardModel:
    finders = Finders(Listed(detector), Listed(outlines), Same())
    return CardModel(finders, CardReader(ByPlace(rows)), threshold=0.9)


def card(x: float, y: float, angle: float = 0.0, score: float = 0.95) -> Box:
    return Box(oriented_box((x, y), (50, 70), angle), score, 0.1)


IMAGE: Image = np.zeros((200, 300, 3), dtype=np.uint8)


def test_a_card_is_read() -> None:
    (found,) = model([card(100, 100)], {(100, 100): row(PACK.index(NINE))}).detect(IMAGE)
    assert found.face == NINE
    assert found.confidence == pytest.approx(0.98)
    assert found.corners.shape == (4, 2)


def test_two_finds_of_one_card_are_one_card() -> None:
    rows = {(100, 100): row(PACK.index(NINE)), (117, 108): row(PACK.index(NINE), 0.6)}
    assert len(model([card(100, 100), card(117, 108)], rows).detect(IMAGE)) == 1


def test_the_best_read_place_wins() -> None:
    outline = Box(oriented_box((103, 101), (48, 68), 0), 0.5, 0.5)
    rows = {(93, 100): row(PACK.index(KING), 0.5), (103, 101): row(PACK.index(NINE))}
    (found,) = model([card(93, 100, 0.2)], rows, [outline]).detect(IMAGE)
    assert found.face == NINE
    assert distance(found.corners, outline.corners) < 1


def test_a_card_face_down_is_none() -> None:
    lying = card(100, 100)
    image = np.full((200, 300, 3), FELT, dtype=np.uint8)
    cv2.fillConvexPoly(image, np.rint(lying.corners).astype(np.int32), (190, 90, 40))
    cv2.polylines(image, [np.rint(lying.corners).astype(np.int32)], True, (250, 250, 250), 3)
    (found,) = model([lying], {(100, 100): row(BACK)}).detect(image)
    assert found.face is None


def test_a_back_without_edges_is_no_card() -> None:
    assert model([card(100, 100)], {(100, 100): row(BACK)}).detect(IMAGE) == ()


def test_a_box_printed_on_the_cloth_is_no_back_however_sure_both_networks_are() -> None:
    printed = Box(oriented_box((100, 100), (50, 70), 0), 0.95, 0.95)
    image = np.full((200, 300, 3), FELT, dtype=np.uint8)
    cv2.polylines(image, [np.rint(printed.corners).astype(np.int32)], True, (200, 220, 220), 2)
    told = {(100, 100): row(BACK)}
    assert model([printed], told).detect(image) == ()
    cv2.fillConvexPoly(image, np.rint(printed.corners).astype(np.int32), (190, 90, 40))
    assert len(model([printed], told).detect(image)) == 1


def test_a_back_that_detector_and_reader_both_see_needs_no_edges() -> None:
    both = Box(oriented_box((100, 100), (50, 70), 0), 0.8, 0.95)
    image = np.full((200, 300, 3), FELT, dtype=np.uint8)
    cv2.fillConvexPoly(image, np.rint(both.corners).astype(np.int32), (40, 40, 60))
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 8), dtype=np.uint8)
    (found,) = model([both], {(100, 100): row(BACK, 0.85)}).detect(image)
    assert found.face is None
    doubtful = Box(both.corners, 0.5, 0.95)
    assert model([doubtful], {(100, 100): row(BACK, 0.85)}).detect(image) == ()


@pytest.mark.parametrize(("x", "told"), [(150, 1), (25, 0)])
def test_a_back_without_edges_that_runs_out_of_the_picture_is_the_ground(x: int, told: int) -> None:
    both = Box(oriented_box((x, 100), (50, 70), 0), 0.8, 0.95)
    image = np.full((200, 300, 3), FELT, dtype=np.uint8)
    cv2.fillConvexPoly(image, np.rint(both.corners).astype(np.int32), (40, 40, 60))
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 8), dtype=np.uint8)
    assert len(model([both], {(x, 100): row(BACK, 0.85)}).detect(image)) == told


def test_a_back_that_lies_partly_under_a_card_counts_by_the_sides_that_are_seen() -> None:
    under, over = card(100, 100, score=0.55), card(130, 130)
    image = np.full((200, 300, 3), FELT, dtype=np.uint8)
    for lying, colour in ((under, (190, 90, 40)), (over, (250, 250, 250))):
        cv2.fillConvexPoly(image, np.rint(lying.corners).astype(np.int32), colour)
        cv2.polylines(image, [np.rint(lying.corners).astype(np.int32)], True, (250, 250, 250), 3)
    rows = {(100, 100): row(BACK), (130, 130): row(PACK.index(NINE))}
    faces = [found.face for found in model([under, over], rows).detect(image)]
    assert sorted(faces, key=str) == [NINE, None]
    alone = np.full((200, 300, 3), FELT, dtype=np.uint8)
    cv2.fillConvexPoly(alone, np.rint(over.corners).astype(np.int32), (250, 250, 250))
    assert [found.face for found in model([under, over], rows).detect(alone)] == [NINE]


@pytest.mark.parametrize(("second", "count"), [(KING, 2), (NINE, 1)])
def test_the_cards_of_a_fan_are_two_when_two_are_surely_read(second: Card, count: int) -> None:
    rows = {(100, 100): row(PACK.index(NINE)), (111, 100): row(PACK.index(second))}
    assert len(model([card(100, 100), card(111, 100)], rows).detect(IMAGE)) == count


def test_a_doubtful_reading_is_unreadable_never_a_guess() -> None:
    rows = {(100, 100): row(PACK.index(NINE), 0.7)}
    (found,) = model([card(100, 100)], rows).detect(IMAGE)
    assert found.face is UNREADABLE


def test_an_outline_in_which_nothing_is_read_is_no_card() -> None:
    assert model([], {}, [Box(card(50, 50).corners, 0.5, 0.5)]).detect(IMAGE) == ()


def test_the_pips_printed_on_a_card_are_no_cards() -> None:
    pip = Box(oriented_box((100, 80), (10, 14), 0.7), 0.95, 0.9)
    rows = {(100, 80): row(PACK.index(KING), 0.99), (100, 100): row(PACK.index(NINE), 0.95)}
    (found,) = model([pip, card(100, 100)], rows).detect(IMAGE)
    assert found.face == NINE


def test_a_small_card_beside_a_large_one_stays() -> None:
    far = Box(oriented_box((200, 60), (16, 22), 0.0), 0.95, 0.1)
    rows = {(200, 60): row(PACK.index(KING)), (100, 100): row(PACK.index(NINE))}
    assert len(model([far, card(100, 100)], rows).detect(IMAGE)) == 2


def test_a_picture_that_one_card_fills_is_that_card() -> None:
    upright: Image = np.zeros((280, 200, 3), dtype=np.uint8)
    (found,) = model([], {(100, 140): row(PACK.index(NINE))}).detect(upright)
    assert found.face == NINE
    assert found.corners.max() == 280
    assert model([], {(140, 100): row(PACK.index(NINE))}).detect(IMAGE) == (), "no card is so wide"


def test_cards_side_by_side_are_two_cards_even_of_one_name() -> None:
    rows = {(60, 100): row(PACK.index(NINE)), (120, 100): row(PACK.index(NINE))}
    assert len(model([card(60, 100), card(120, 100)], rows).detect(IMAGE)) == 2


def test_known_cards_are_not_read_again() -> None:
    reader = ByPlace({(100, 100): row(PACK.index(NINE))})
    finders = Finders(Listed([card(100, 100)]), Listed(), Same())
    sight = CardModel(finders, CardReader(reader), threshold=0.9)
    (box,) = sight.find(IMAGE, known=[card(101, 100).corners])
    assert box.row is None
    assert reader.asked == 0


@pytest.mark.parametrize(
    ("second", "count"),
    [
        # the same card found again, a little off
        (card(103, 102, 0.05, 0.8), 1),
        # the same card found again, turned by a quarter
        (card(101, 100, np.pi / 2, 0.8), 1),
        # a card beside it
        (card(155, 100, 0, 0.8), 2),
        # a card fanned over it
        (card(130, 110, 0.3, 0.8), 2),
    ],
)
def test_only_repeated_boxes_are_dropped(second: Box, count: int) -> None:
    assert len(distinct([card(100, 100), second])) == count


def table(*cards: tuple[float, float, float]) -> Image:
    image = np.full((300, 400, 3), FELT, dtype=np.uint8)
    for x, y, angle in cards:
        shape = np.rint(oriented_box((x, y), (60, 84), angle)).astype(np.int32)
        cv2.fillConvexPoly(image, shape, (245, 245, 245), cv2.LINE_AA)
    return image


def test_outlines_find_cards_and_their_corners() -> None:
    places = ((90.0, 90.0, 0.0), (250.0, 120.0, 0.5), (120.0, 220.0, -0.9))
    found = OutlineDetector().find(table(*places))
    for x, y, angle in places:
        truth = oriented_box((x, y), (60, 84), angle)
        assert max(overlap(box.corners, truth) for box in found) > 0.93


def test_edges_pull_rough_corners_onto_the_card() -> None:
    truth = oriented_box((200, 150), (60, 84), 0.3)
    rough = oriented_box((203, 147), (64, 80), 0.36)
    (better,) = EdgeRefiner().refine(table((200, 150, 0.3)), [rough])
    assert overlap(better, truth) > 0.95 > overlap(rough, truth)


def test_corners_stay_where_there_is_no_edge() -> None:
    rough = oriented_box((200, 150), (60, 84), 0.3)
    (same,) = EdgeRefiner().refine(table(), [rough])
    assert np.allclose(same, rough)


def test_a_cut_out_card_is_upright() -> None:
    image = table((200, 150, 0.7))
    corners = oriented_box((200, 150), (60, 84), 0.7)
    low, high = corners[0] * 0.8 + corners[2] * 0.2, corners[0] * 0.9 + corners[2] * 0.1
    cv2.circle(image, tuple(int(v) for v in (low + high) / 2), 4, (0, 0, 255), -1)
    crop = cut_out(image, corners)
    assert crop.shape == (192, 144, 3)
    redness = crop[..., 2].astype(int) - crop[..., 0]
    y, x = divmod(int(redness.argmax()), 144)
    assert x < 60
    assert y < 75


def test_a_picture_is_drawn_on_a_copy() -> None:
    image = table((100, 100, 0.2))
    before = image.copy()
    place = oriented_box((100, 100), (60, 84), 0.2)
    cards = [Detection(place, face, 0.9, row(BACK)) for face in (*PACK, None, UNREADABLE)]
    drawn = annotate(image, cards)
    assert np.array_equal(image, before)
    assert not np.array_equal(drawn, before)
    assert drawn.shape == image.shape


@pytest.mark.parametrize("size", [(1, 1), (8, 8), (40, 12)])
def test_tiny_pictures_can_be_drawn_on(size: tuple[int, int]) -> None:
    image = np.zeros((*size, 3), dtype=np.uint8)
    card = Detection(oriented_box((4, 4), (5, 7), 0), NINE, 0.9, row(0))
    assert annotate(image, [card]).shape == image.shape
