"""The law: one object a card, ordered by rank, and every way to write a card is read."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import PACK, Card, Colour, Rank, Suit
from rules.errors import CardFormatError, SpotFormatError
from rules.events import Area, Seat, Spot

cards = st.sampled_from(PACK)


def test_the_pack_has_fifty_two_different_cards() -> None:
    assert len(set(PACK)) == 52
    assert len({str(card) for card in PACK}) == 52


@given(cards)
def test_a_card_is_one_object_however_it_is_made(card: Card) -> None:
    copies = [
        Card(card.rank, card.suit),
        Card.parse(str(card)),
        copy.deepcopy(card),
        pickle.loads(pickle.dumps(card)),  # noqa: S301 - our own bytes
    ]
    assert all(other is card for other in copies)


@pytest.mark.parametrize("text", ["TD", "td", "10D", "10d", "10♦", "10♦\ufe0f", " TD "])
def test_every_way_to_write_a_ten_is_read(text: str) -> None:
    assert str(Card.parse(text)) == "TD"


@pytest.mark.parametrize("text", ["", "T", "1D", "TX", "D10", "11D", "?"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(CardFormatError, match="not a card"):
        Card.parse(text)


@given(cards, cards)
def test_cards_are_ordered_by_rank_first(one: Card, two: Card) -> None:
    if one.rank != two.rank:
        assert (one < two) == (one.rank < two.rank)
    assert (one <= two) == (one < two or one == two)


def test_a_card_is_not_ordered_against_anything_else() -> None:
    with pytest.raises(TypeError):
        assert PACK[0] < 3


def test_hearts_and_diamonds_are_red() -> None:
    red = {suit for suit in Suit if suit.colour is Colour.RED}
    assert red == {Suit.HEARTS, Suit.DIAMONDS}
    assert [rank.letter for rank in (Rank.TWO, Rank.TEN, Rank.ACE)] == ["2", "T", "A"]
    assert "".join(suit.symbol for suit in Suit) == "♠♥♦♣"


@pytest.mark.parametrize(
    "text", ["dealer", "trump", "discard", "seat-1", "seat-6.play", "seat-2.rnb"]
)
def test_a_spot_is_written_as_it_is_read(text: str) -> None:
    assert str(Spot.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "seat-0", "seat-7", "seat-1.hand", "seat-1.x", "hand", "play"]
)
def test_what_is_no_spot_is_refused(text: str) -> None:
    with pytest.raises(SpotFormatError, match="not a spot"):
        Spot.parse(text)


def test_a_seats_hand_lies_on_the_seat_itself() -> None:
    assert Spot.parse("seat-3") == Spot(Area.HAND, Seat(3))
