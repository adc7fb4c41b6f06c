"""Law: an index is found once, where it is, and says which card it names and where that lies."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.cards import PACK, Card, Rank, Suit
from vision.errors import ModelError
from vision.geometry import Floats, Image, Quad, height, oriented_box, overlap, quad, turned
from vision.index_reader import OnnxIndexReader, card_probabilities, index_corners
from vision.indices import (
    CARD,
    CHANNELS,
    GRID,
    PATCH,
    REACH,
    STRIDE,
    OnnxIndexFinder,
    decoded,
    framed,
    place_of,
)
from vision.model import load_model
from vision.reading import belongs, sureness
from vision.weights import Weights, load_weights

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
NINE = Card.parse("9S")
UPRIGHT = oriented_box((PATCH / 2, PATCH / 2), CARD, 0)


def told(*marks: Quad) -> Floats:
    """Return the output of a network that sees indices in a patch, given their cards' corners."""
    made = np.zeros((CHANNELS, GRID, GRID), dtype=np.float32)
    made[0] = -8
    for corners in marks:
        x, y = place_of(corners)
        row, column = int(y // STRIDE), int(x // STRIDE)
        middle = np.array([column + 0.5, row + 0.5], dtype=np.float32) * STRIDE
        made[0, row, column] = 4
        made[1:, row, column] = ((corners - middle) / REACH).ravel()
    return made


@pytest.mark.parametrize("card", PACK)
def test_every_card_is_named_by_its_rank_and_its_suit(card: Card) -> None:
    logits = np.zeros((1, len(Rank) + len(Suit)), dtype=np.float32)
    logits[0, tuple(Rank).index(card.rank)] = 9
    logits[0, len(Rank) + tuple(Suit).index(card.suit)] = 9
    (row,) = card_probabilities(logits)
    assert PACK[int(row.argmax())] == card
    assert row.sum() == pytest.approx(1, abs=1e-5)


def test_a_suit_in_doubt_leaves_both_cards_of_the_rank_likely() -> None:
    logits = np.zeros((1, len(Rank) + len(Suit)), dtype=np.float32)
    logits[0, tuple(Rank).index(Rank.NINE)] = 9
    logits[0, [len(Rank), len(Rank) + 3]] = 9
    (row,) = card_probabilities(logits)
    assert row[PACK.index(NINE)] == pytest.approx(row[PACK.index(Card.parse("9C"))])
    assert row[PACK.index(NINE)] < 0.5


def test_an_index_tells_where_its_card_lies() -> None:
    (index,) = decoded(told(UPRIGHT))
    assert np.allclose(index.corners, UPRIGHT, atol=1e-3)
    assert index.at == pytest.approx(place_of(UPRIGHT), abs=1e-3)


def test_both_indices_of_a_card_are_found_and_name_each_its_own_corner_first() -> None:
    found = decoded(told(UPRIGHT, turned(UPRIGHT, 2)))
    assert len(found) == 2
    assert np.allclose(found[0].corners, turned(found[1].corners, 2), atol=1e-3)


def test_a_patch_without_indices_shows_none() -> None:
    assert decoded(told()) == []


def test_corners_that_cross_each_other_are_no_card() -> None:
    crossed = UPRIGHT[[0, 1, 3, 2]]
    made = told(UPRIGHT)
    row, column = np.unravel_index(int(made[0].argmax()), (GRID, GRID))
    made[1:, row, column] = ((crossed - UPRIGHT.mean(axis=0)) / REACH).ravel()
    assert decoded(made) == []


def test_a_patch_holds_its_card_upright_in_the_middle() -> None:
    lying = oriented_box((300, 200), (63, 88), 0.7)
    frame = framed(lying)
    way = cv2.getPerspectiveTransform(
        frame, np.array([[0, 0], [PATCH, 0], [PATCH, PATCH], [0, PATCH]], np.float32)
    )
    shown = quad(cv2.perspectiveTransform(lying[None], way)[0])
    assert overlap(shown, UPRIGHT) > 0.99
    assert np.abs(shown - UPRIGHT).max() < 1


def _table() -> Image:
    """Return a frame of the bundled clip in which cards lie face up."""
    clip = cv2.VideoCapture(str(ROOT / "datasets/demo/whist.mp4"))
    clip.set(cv2.CAP_PROP_POS_MSEC, 16_000)
    read, image = clip.read()
    assert read
    return np.asarray(image, dtype=np.uint8)


def _clear_faces(image: Image) -> dict[Card, Quad]:
    """Return the faces that lie open on the bundled clip's table, with their corners."""
    found = load_model(MODELS).detect(image)
    return {each.face: each.corners for each in found if isinstance(each.face, Card)}


def test_the_indices_of_the_bundled_clip_name_the_cards_that_lie_there() -> None:
    image = _table()
    faces = _clear_faces(image)
    weights = load_weights(MODELS)
    finder = OnnxIndexFinder(weights["indices"], OnnxIndexReader(weights["index_reader"]))
    found = finder.find(image, list(faces.values()))
    named = {
        card: {PACK[int(index.cards.argmax())] for index in found if belongs(index, corners)}
        for card, corners in faces.items()
    }
    assert len(named) >= 9
    assert all(told == {card} for card, told in named.items())


def test_a_card_is_read_of_which_only_an_index_looks_out() -> None:
    image = _table()
    card, corners = max(_clear_faces(image).items(), key=lambda each: height(each[1]))
    covered = image.copy()
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    hidden = corners + 0.3 * across + 0.02 * down
    cv2.fillConvexPoly(covered, np.rint(hidden).astype(np.int32), (70, 90, 120))
    told = load_model(MODELS).read(covered, [corners])[0]
    assert PACK[int(told.argmax())] == card


def test_what_is_no_card_has_no_index() -> None:
    image = _table()
    cloth = oriented_box((640, 360), (60, 84), 0)
    weights = load_weights(MODELS)
    finder = OnnxIndexFinder(weights["indices"], OnnxIndexReader(weights["index_reader"]))
    plain = np.full_like(image, image[360, 640])
    assert all(sureness(index) < 0.3 for index in finder.find(plain, [cloth]))
    assert finder.find(image, []) == ()


def test_a_network_of_another_form_is_refused_by_name() -> None:
    other = Weights("other", MODELS / "refiner.onnx", {})
    reader = OnnxIndexReader(load_weights(MODELS)["index_reader"])
    with pytest.raises(ModelError, match=r"refiner\.onnx: found an input .*, expected \(N, 3, 224"):
        OnnxIndexFinder(other, reader)
    with pytest.raises(ModelError, match=r"refiner\.onnx: found an input .*, expected \(N, 3, 96"):
        OnnxIndexReader(other)


def test_an_index_is_cut_out_of_its_cards_own_corner() -> None:
    lying = oriented_box((100, 100), (50, 70), 0)
    cut = index_corners(lying)
    assert cut[0].tolist() == pytest.approx([75 - 2, 65 - 2.8])
    assert cut[2].tolist() == pytest.approx([75 + 19, 65 + 29.4])
