"""The law: counting by symmetry and by inclusion and exclusion gives what plain counting gives."""

from collections.abc import Callable
from itertools import combinations
from math import comb

import pytest

from rules.cards import PACK, Suit
from rules.edge_enumeration import (
    HANDS,
    RIVAL_HANDS,
    Hand,
    Rivals,
    Showdown,
    all_hands,
    representatives,
    shape,
)
from rules.poker import TieBreak, qualifying_worth, worth
from rules.totals import total


def rummy_strength(hand: Hand) -> int:
    return -total(hand).points


def tri_card_strength(hand: Hand) -> int:
    return worth(hand, TieBreak.ALL_RANKS)


def plainly(hand: Hand, strengths: dict[Hand, int], qualifying: int) -> Showdown:
    """Meet every hand that the dealer may hold, one by one."""
    unqualified = won = tied = lost = 0
    for rival in combinations([card for card in PACK if card not in hand], 3):
        worth = strengths[rival]
        if worth < qualifying:
            unqualified += 1
        elif worth < strengths[hand]:
            won += 1
        elif worth == strengths[hand]:
            tied += 1
        else:
            lost += 1
    return Showdown(unqualified, won, tied, lost)


def test_there_are_22_100_hands_and_18_424_for_an_opponent() -> None:
    assert comb(52, 3) == HANDS == len(set(all_hands()))
    assert comb(49, 3) == RIVAL_HANDS


@pytest.mark.parametrize("trumps", [None, *Suit])
def test_every_hand_is_counted_with_the_hand_of_its_shape(trumps: Suit | None) -> None:
    counted = {shape(hand, trumps): count for hand, count in representatives(trumps)}
    plain: dict[object, int] = {}
    for hand in all_hands():
        plain[shape(hand, trumps)] = plain.get(shape(hand, trumps), 0) + 1
    assert counted == plain


def test_renaming_suits_keeps_the_shape() -> None:
    for hand in all_hands()[5::43]:
        renamed = [type(card)(card.rank, Suit("HDCS"["SHDC".index(card.suit)])) for card in hand]
        assert shape(hand) == shape(renamed)


@pytest.mark.parametrize(
    ("strength", "qualifying"),
    [
        pytest.param(rummy_strength, -20, id="rummy"),
        pytest.param(tri_card_strength, qualifying_worth(TieBreak.ALL_RANKS), id="tri-card"),
    ],
)
def test_a_showdown_counts_as_meeting_every_hand_one_by_one_does(
    strength: Callable[[Hand], int], qualifying: int
) -> None:
    strengths = {hand: strength(hand) for hand in all_hands()}
    rivals = Rivals(strength, qualifying)
    for hand in all_hands()[11::877]:
        assert rivals.showdown(hand) == plainly(hand, strengths, qualifying)
