"""A new index is printed where the old one is to be seen, nowhere else, and the label says so."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rules.cards import PACK, Card, Suit
from tests.training.test_indices_of_labels import KING, NINE, label, lying
from vision.training import fonts, reprint
from vision.training.batches import Pixels
from vision.training.drawn import HEIGHT, WIDTH
from vision.training.reprint import Printer, Style, index
from vision.training.scene import Label

STYLE = Style(
    letters=Path("letters.ttf"),
    signs=Path("signs.ttf"),
    rank=0.1,
    suit=0.08,
    wide=0.9,
    inset=0.03,
    gap=0.01,
    red=(212, 0, 0),
    black=(0, 0, 0),
    four_colours=False,
)
SEEDS = range(12)


@pytest.fixture(autouse=True)
def plain_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every letter is a full block, so that no type face is needed."""

    def block(file: Path, text: str) -> Pixels:
        del file
        return np.full((40, 30 * len(text)), 255, np.uint8)

    faces: Callable[[Path], list[Path]] = lambda cache: [cache / "face.ttf"]  # noqa: E731
    monkeypatch.setattr(fonts, "sign", block)
    monkeypatch.setattr(fonts, "type_faces", faces)
    monkeypatch.setattr(fonts, "suit_faces", faces)


def reprinted(labels: tuple[Label, ...], seed: int) -> tuple[Pixels, tuple[Label, ...]]:
    picture = np.full((300, 300, 3), 200, np.uint8)
    return Printer(Path()).reprinted(picture, labels, np.random.default_rng(seed))


@pytest.mark.parametrize("suit", Suit)
def test_an_index_has_its_suits_colour_and_lies_in_the_upper_left_corner(suit: Suit) -> None:
    card = next(card for card in PACK if card.suit is suit)
    corner = index(STYLE, card)
    assert corner.shape == (HEIGHT, WIDTH, 4)
    ink = (corner[..., 3] == 255) & (corner[..., :3].min(axis=2) < 100)
    rows, columns = np.nonzero(ink)
    assert 0 < rows.max() < HEIGHT / 3
    assert 0 < columns.max() < WIDTH / 3
    assert tuple(corner[rows[0], columns[0], :3]) == STYLE.ink(suit)


def test_what_is_printed_lies_in_the_corners_of_the_card_alone() -> None:
    for seed in SEEDS:
        picture, labels = reprinted((label(lying(150, 150)),), seed)
        changed = np.argwhere((picture != 200).any(axis=2))
        if labels[0].card == NINE and not len(changed):
            continue
        assert changed.min() >= 75
        assert changed.max() <= 225
        middle = picture[130:170, 135:165]
        assert (middle == 200).all()


def test_about_every_other_picture_is_printed_anew_and_then_its_label_changes() -> None:
    told = [reprinted((label(lying(150, 150)),), seed) for seed in SEEDS]
    new = [labels[0].card != NINE for _, labels in told]
    assert 2 <= sum(new) <= 10
    assert all(
        (picture != 200).any() for (picture, _), changed in zip(told, new, strict=True) if changed
    )


def test_nothing_is_printed_over_the_card_above() -> None:
    above = lying(165, 150)
    labels = (label(lying(120, 150), visible=0.55), label(above, None))
    for seed in SEEDS:
        picture, _ = reprinted(labels, seed)
        assert (picture[85:215, 120:210] == 200).all()


def test_a_card_of_which_an_index_is_in_doubt_keeps_its_own() -> None:
    for seed in SEEDS:
        picture, labels = reprinted((label(lying(150, 150), visible=0.7),), seed)
        assert labels[0].card == NINE
        assert (picture == 200).all()


def test_the_cards_of_one_picture_are_printed_in_one_style(monkeypatch: pytest.MonkeyPatch) -> None:
    styles: list[Style] = []

    def kept(style: Style, card: Card) -> Pixels:
        styles.append(style)
        return index(style, card)

    monkeypatch.setattr(reprint, "index", kept)
    for seed in SEEDS:
        styles.clear()
        reprinted((label(lying(80, 150)), label(lying(220, 150), KING)), seed)
        assert len(set(styles)) <= 1
