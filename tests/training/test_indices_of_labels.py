"""A network is asked for the indices that are to be seen, and for no other."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import PACK, Card
from vision.geometry import oriented_box
from vision.indices import CHANNELS, GRID, PATCH, REACH, STRIDE, decoded
from vision.training.camera import Array
from vision.training.index_crops import index_crops
from vision.training.indices import RANKS, SUITS, IndexBatch, index_batch, marks, match_indices
from vision.training.scene import Label
from vision.training.sight import COVERED, SEEN, UNCLEAR, states

NINE, KING = Card.parse("9S"), Card.parse("KH")
SIZE = (300, 300)


def lying(x: float, y: float, angle: float = 0.0) -> Array:
    return oriented_box((x, y), (100, 140), angle).astype(np.float64)


def label(quad: Array, card: Card | None = NINE, visible: float = 1.0, index: float = 1.0) -> Label:
    return Label(quad, card, visible, index)


def test_both_indices_of_a_clear_card_are_seen() -> None:
    assert states([label(lying(150, 150))], 0, SIZE) == (SEEN, SEEN)


def test_an_index_under_another_card_is_covered() -> None:
    below = label(lying(120, 150), visible=0.6)
    assert states([below, label(lying(160, 150), KING)], 0, SIZE) == (SEEN, COVERED)


def test_the_card_above_is_not_covered_by_the_one_below() -> None:
    below = label(lying(120, 150), visible=0.6)
    assert states([below, label(lying(160, 150), KING)], 1, SIZE) == (SEEN, SEEN)


def test_an_index_outside_of_the_picture_is_covered() -> None:
    cut = label(lying(20, 150), visible=0.7)
    assert states([cut], 0, SIZE) == (COVERED, SEEN)


def test_nobody_can_tell_which_index_a_hand_covers() -> None:
    assert states([label(lying(150, 150), visible=0.7)], 0, SIZE) == (UNCLEAR, UNCLEAR)


def test_the_one_index_that_is_left_is_seen_though_a_hand_lies_on_the_card() -> None:
    below = label(lying(120, 150), visible=0.4, index=1.0)
    assert states([below, label(lying(160, 150), KING)], 0, SIZE) == (SEEN, COVERED)


def test_in_a_photograph_only_indices_free_of_every_other_card_are_sure() -> None:
    cards = [label(lying(120, 150)), label(lying(160, 150), KING)]
    assert states(cards, 0, SIZE) == (SEEN, UNCLEAR)


def test_a_card_face_down_has_no_indices() -> None:
    assert marks([label(lying(150, 150), None)], SIZE) == []


@pytest.fixture
def rows(tmp_path: Path) -> list[tuple[Path, tuple[Label, ...]]]:
    picture = np.full((300, 300, 3), 90, np.uint8)
    path = tmp_path / "0000.jpg"
    cv2.imwrite(str(path), picture)
    return [(path, (label(lying(110, 150)), label(lying(190, 150, 0.2), KING)))]


def perfect(batch: IndexBatch, number: int) -> NDArray[np.float32]:
    """Return the output of a network that has learned a batch by heart."""
    told = np.zeros((CHANNELS, GRID, GRID), np.float32)
    told[0] = np.where(batch.shown[number] == 1, 4.0, -8.0)
    for (patch, row, column), corners in zip(batch.cells, batch.corners, strict=True):
        if patch == number:
            told[1:, row, column] = corners
    return told


def test_a_network_that_says_what_it_is_asked_for_finds_every_index(
    rows: list[tuple[Path, tuple[Label, ...]]],
) -> None:
    batch = index_batch(rows * 6, np.random.default_rng(2))
    assert batch.patches.shape[1:] == (PATCH, PATCH, 3)
    total = sum(
        match_indices(decoded(perfect(batch, number)), batch, number)
        for number in range(len(batch.patches))
    )
    found, false, there = np.asarray(total).tolist()
    assert there > 12
    assert (found, false) == (there, 0)


def test_what_nobody_can_tell_is_not_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "0000.jpg"
    cv2.imwrite(str(path), np.full((300, 300, 3), 90, np.uint8))
    hidden = label(lying(150, 150), visible=0.7)
    batch = index_batch([(path, (hidden,))], np.random.default_rng(1))
    assert len(batch.cells) == 0
    assert batch.asked.min() == 0
    assert batch.shown.max() == 0


def test_every_cell_that_is_asked_says_which_card_it_is(
    rows: list[tuple[Path, tuple[Label, ...]]],
) -> None:
    batch = index_batch(rows * 3, np.random.default_rng(2))
    named = {(RANKS[rank], SUITS[suit]) for rank, suit in batch.cards.tolist()}
    assert named == {(NINE.rank, NINE.suit), (KING.rank, KING.suit)}


def test_an_index_is_cut_out_with_its_rank_and_suit_and_what_is_none_says_so(
    rows: list[tuple[Path, tuple[Label, ...]]],
) -> None:
    made = index_crops(rows * 8, np.random.default_rng(3))
    assert made.crops.shape[1:] == (96, 64, 3)
    assert 0 < made.shown.mean() < 1
    told = [PACK.index(Card(RANKS[r], SUITS[s])) for r, s in made.cards[made.shown == 1]]
    assert set(told) == {PACK.index(NINE), PACK.index(KING)}


def test_cards_too_small_to_be_read_give_no_crops_and_still_cover_others(tmp_path: Path) -> None:
    path = tmp_path / "0000.jpg"
    cv2.imwrite(str(path), np.full((300, 300, 3), 90, np.uint8))
    small = Label(oriented_box((70, 90), (20, 28), 0).astype(np.float64), KING, 1.0, 1.0)
    large = label(lying(110, 150), visible=0.96)
    made = index_crops([(path, (large, small))] * 8, np.random.default_rng(3))
    named = {SUITS[suit] for _, suit in made.cards[made.shown == 1].tolist()}
    assert named == {NINE.suit}


def test_an_index_where_none_is_counts_as_false(
    rows: list[tuple[Path, tuple[Label, ...]]],
) -> None:
    batch = index_batch(rows, np.random.default_rng(2))
    told = perfect(batch, 0)
    row, column = np.argwhere(batch.shown[0] == 0)[0]
    told[0, row, column] = 5
    corners = (lying(PATCH / 2, PATCH / 2) - (np.array([column, row]) + 0.5) * STRIDE) / REACH
    told[1:, row, column] = corners.ravel()
    assert match_indices(decoded(told), batch, 0)[1] == 1
