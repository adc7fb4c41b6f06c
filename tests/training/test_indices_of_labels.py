"""A network is asked for the indices that are to be seen, and for no other."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import Card, Rank, Suit
from vision.geometry import oriented_box
from vision.indices import CHANNELS, GRID, PATCH, REACH, STRIDE, decoded
from vision.training.camera import Array
from vision.training.indices import IndexBatch, index_batch, marks, match_indices
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
    for (patch, row, column), (rank, suit), corners in zip(
        batch.cells, batch.cards, batch.corners, strict=True
    ):
        if patch == number:
            told[1 + rank, row, column] = 9
            told[1 + len(Rank) + suit, row, column] = 9
            told[-8:, row, column] = corners
    return told


def test_a_network_that_says_what_it_is_asked_for_finds_and_reads_every_index(
    rows: list[tuple[Path, tuple[Label, ...]]],
) -> None:
    batch = index_batch(rows * 6, np.random.default_rng(2))
    assert batch.patches.shape[1:] == (PATCH, PATCH, 3)
    total = sum(
        match_indices(decoded(perfect(batch, number)), batch, number)
        for number in range(len(batch.patches))
    )
    found, right, false, there = np.asarray(total).tolist()
    assert there > 12
    assert (found, right, false) == (there, there, 0)


def test_what_nobody_can_tell_is_not_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "0000.jpg"
    cv2.imwrite(str(path), np.full((300, 300, 3), 90, np.uint8))
    hidden = label(lying(150, 150), visible=0.7)
    batch = index_batch([(path, (hidden,))], np.random.default_rng(1))
    assert len(batch.cells) == 0
    assert batch.asked.min() == 0
    assert batch.shown.max() == 0


def test_an_index_read_wrongly_is_found_and_not_right(
    rows: list[tuple[Path, tuple[Label, ...]]],
) -> None:
    batch = index_batch(rows, np.random.default_rng(2))
    told = perfect(batch, 0)
    told[1 + len(Rank) : 1 + len(Rank) + len(Suit)] = 0
    told[1 + len(Rank) + 3] = 9  # all clubs
    found, right, _, there = match_indices(decoded(told), batch, 0).tolist()
    assert found == there > 0
    assert right == 0


def test_an_index_where_none_is_counts_as_false(
    rows: list[tuple[Path, tuple[Label, ...]]],
) -> None:
    batch = index_batch(rows, np.random.default_rng(2))
    told = perfect(batch, 0)
    row, column = np.argwhere(batch.shown[0] == 0)[0]
    told[0, row, column] = 5
    corners = (lying(PATCH / 2, PATCH / 2) - (np.array([column, row]) + 0.5) * STRIDE) / REACH
    told[-8:, row, column] = corners.ravel()
    assert match_indices(decoded(told), batch, 0)[2] == 1
