"""Card art has a licence and one split, and what is drawn here is whole."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rules.cards import PACK, Card, Suit
from vision.training import drawn
from vision.training.art import deck, decks, rounded
from vision.training.backs import back
from vision.training.sources import SOURCES, ArtError, Split, run


def test_no_font_is_in_both_splits() -> None:
    assert not set(drawn.FONTS[Split.TRAIN]) & set(drawn.FONTS[Split.VALIDATION])


@pytest.mark.parametrize("split", list(Split))
def test_a_drawn_deck_has_an_index_at_both_ends_of_every_card(split: Split) -> None:
    for seed in range(12):
        look = replace(drawn.style(split, seed), ornate=False)
        text = drawn.sheet(look, courts={})
        indices = 4 if look.corners == 4 else 2
        big_letters = 3 * len(Suit)
        assert text.count("<text") == len(PACK) * indices + big_letters
        assert look.font in drawn.FONTS[split]


def test_a_pip_card_has_as_many_pips_as_its_rank() -> None:
    look = replace(drawn.style(Split.TRAIN, 0), ornate=False)
    text = drawn.sheet(look, courts={})
    pips = 4 * sum(range(2, 11)) + 4
    assert text.count("<path") == pips + len(PACK) * (4 if look.corners == 4 else 2)


def test_an_ornate_ace_of_spades_has_a_pattern_and_writing() -> None:
    plain = replace(drawn.style(Split.TRAIN, 0), ornate=False)
    text, ornate = (drawn.sheet(look, courts={}) for look in (plain, replace(plain, ornate=True)))
    assert ornate.count("<text") == text.count("<text") + 2
    assert ornate.count("<path") == text.count("<path") + 4


@pytest.mark.parametrize("split", list(Split))
def test_a_wide_ten_lies_on_the_card(split: Split) -> None:
    for seed in range(12):
        look = drawn.style(split, seed)
        text = drawn.sheet(look, courts={})
        ten = re.search(r'translate\(([\d.]+),[^)]*\) scale\(([\d.]+),1\)"[^>]*>10<', text)
        assert ten is not None
        # Two digits of the narrowest of these fonts are about as wide as the type is high.
        half = look.index * drawn.HEIGHT * float(ten[2]) * 0.5
        assert float(ten[1]) - half >= 0, seed


def test_the_same_seed_draws_the_same_back_and_another_seed_another() -> None:
    assert np.array_equal(back(Split.TRAIN, 3), back(Split.TRAIN, 3))
    assert not np.array_equal(back(Split.TRAIN, 3), back(Split.TRAIN, 4))
    assert not np.array_equal(back(Split.TRAIN, 3), back(Split.VALIDATION, 3))


def test_corners_of_a_card_are_cut_round() -> None:
    card = rounded(np.full((100, 70, 3), 9, np.uint8))
    assert card.shape == (420, 300, 4)
    assert card[0, 0, 3] == 0
    assert card[210, 150].tolist() == [9, 9, 9, 255]


def test_a_deck_knows_its_faces_its_back_and_its_licence(art: Path) -> None:
    plain = deck("plain-train", art)
    assert plain.licence == "CC0-1.0"
    assert plain.face(Card.parse("AS"))[40, 30, 0] == PACK.index(Card.parse("AS"))
    assert plain.back(0)[40, 30, 0] == 52
    assert np.array_equal(plain.back(1), plain.back(4))


def test_an_unknown_deck_is_told(art: Path) -> None:
    with pytest.raises(ArtError, match="no deck 'nothing'"):
        deck("nothing", art)


def test_a_cache_that_was_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(ArtError, match=r"vision\.training\.art"):
        decks(tmp_path)


def test_every_source_names_its_licence_and_its_author() -> None:
    assert all(source.licence and source.credit for source in SOURCES)


def test_a_program_that_fails_or_is_missing_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ArtError, match="failed with"):
        run(["ls", "nothing-here"], tmp_path)
    with pytest.raises(ArtError, match="not installed"):
        run(["no-such-program"], tmp_path)
