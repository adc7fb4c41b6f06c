"""Law: a card is named by many reads, and no two cards of one pack are named the same in doubt."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import PACK, Card
from vision.geometry import Floats
from vision.identity import Votes, name_cards
from vision.reader import BACK, CLASSES, REJECT
from vision.settings import Settings

NINE, EIGHT = Card.parse("9S"), Card.parse("8S")


def read(**shares: float) -> Floats:
    """A read; `card_9S=0.9` gives that card that probability, the rest is spread."""
    row = np.zeros(CLASSES, dtype=np.float32)
    for name, share in shares.items():
        place = {"back": BACK, "reject": REJECT}.get(name)
        row[PACK.index(Card.parse(name[-2:])) if place is None else place] = share
    row += (1 - row.sum()) / CLASSES
    return row


def voted(*rows: Floats) -> Votes:
    votes = Votes(Settings())
    for row in rows:
        votes.add(row)
    return votes


def test_agreeing_reads_make_a_name_sure() -> None:
    named = name_cards({1: voted(*[read(card_9S=0.8)] * 4)})[1]
    assert named.card == NINE
    assert named.confidence > 0.99


@pytest.mark.parametrize("wrong_at", range(60))
def test_one_misread_in_sixty_changes_no_name(wrong_at: int) -> None:
    votes = Votes(Settings())
    for number in range(60):
        votes.add(read(card_8S=0.99) if number == wrong_at else read(card_9S=0.95))
        if number >= 3 and votes.reads >= 3:
            named = name_cards({1: votes})[1]
            assert named.card == NINE or named.confidence < 0.99
    assert name_cards({1: votes})[1].card == NINE


def test_the_vote_is_saturated() -> None:
    few, many = (voted(*[read(card_9S=0.6, card_8S=0.3)] * n) for n in (20, 2000))
    assert few.scores == pytest.approx(many.scores, rel=0.06)


def test_a_pack_has_each_card_once() -> None:
    sure, unsure = voted(*[read(card_9S=0.95)] * 5), voted(*[read(card_9S=0.5, card_8S=0.4)] * 5)
    named = name_cards({1: sure, 2: unsure})
    assert named[1].card == NINE
    assert named[2].card == EIGHT


def test_the_assignment_is_joint_not_first_come_first_served() -> None:
    first, second = voted(read(card_9S=0.5, card_8S=0.45)), voted(read(card_9S=0.6, card_8S=0.01))
    named = name_cards({1: first, 2: second})
    assert (named[1].card, named[2].card) == (EIGHT, NINE)


def test_a_card_that_is_beyond_doubt_there_twice_is_named_twice() -> None:
    both = {key: voted(*[read(card_9S=0.99)] * 20) for key in (1, 2)}
    assert [named.card for named in name_cards(both).values()] == [NINE, NINE]


def test_a_card_without_reads_has_no_name() -> None:
    assert name_cards({1: Votes(Settings())}) == {}


def test_a_side_is_turned_by_the_second_clear_frame_never_by_the_first() -> None:
    votes = voted(*[read(back=0.99)] * 5)
    assert votes.up is False
    votes.add(read(card_9S=0.99))
    assert votes.up is False
    votes.add(read(card_9S=0.99))
    assert votes.up is True


def test_what_cannot_be_read_names_nothing() -> None:
    votes = voted(*[read(reject=0.97)] * 10)
    assert votes.reads == 0


@given(st.lists(st.integers(0, CLASSES - 1), min_size=1, max_size=30))
def test_shares_are_probabilities_whatever_was_read(classes: list[int]) -> None:
    votes = Votes(Settings())
    for number in classes:
        votes.add(np.eye(CLASSES, dtype=np.float32)[number])
    shares = votes.shares()
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    assert 0.5 <= votes.side_confidence() < 1
