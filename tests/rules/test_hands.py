"""The law: all 22 100 three-card hands fall into the classes as often as mathematics says."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import PACK, Card, Suit
from rules.games.whist_pay import bonus_category, bonus_line, rnb_category, rnb_line
from rules.hands import HAND_RANKS, HandRank, hand_rank, strength
from tests.rules.tables import cards

# Tri Card Poker, counts of 22 100.
GOLDEN = {
    HandRank.STRAIGHT_FLUSH: 48,
    HandRank.THREE_OF_A_KIND: 52,
    HandRank.STRAIGHT: 720,
    HandRank.FLUSH: 1096,
    HandRank.PAIR: 3744,
    HandRank.HIGH_CARD: 16440,
}
# Three Card Whist's Bonus, counts of 1 082 900 hands with a trump card.
GOLDEN_BONUS = {
    "straight-flush-of-trumps": 480,
    "straight-flush": 1872,
    "three-of-a-kind": 2548,
    "flush-of-trumps": 10960,
    "straight": 35280,
    "flush": 42744,
    "pair": 183456,
    "none": 805560,
}


def test_every_hand_is_of_one_class_in_the_golden_counts() -> None:
    assert Counter(hand_rank(hand) for hand in combinations(PACK, 3)) == GOLDEN


def test_tcw_b5_every_hand_with_every_trump_card_is_of_one_line_in_the_golden_counts() -> None:
    counts: Counter[str] = Counter()
    for hand in combinations(PACK, 3):
        for suit in Suit:
            left = 13 - sum(card.suit is suit for card in hand)
            counts[bonus_line(hand, suit)] += left
    assert counts == GOLDEN_BONUS


ORDER = [
    # worst first
    ("2H 3D 5C", HandRank.HIGH_CARD),
    ("AH KD JC", HandRank.HIGH_CARD),
    ("2H 2D 3C", HandRank.PAIR),
    ("2H 2D AC", HandRank.PAIR),
    ("AH AD KC", HandRank.PAIR),
    ("2H 3H 5H", HandRank.FLUSH),
    ("AH KH JH", HandRank.FLUSH),
    ("AH 2D 3C", HandRank.STRAIGHT),
    ("2H 3D 4C", HandRank.STRAIGHT),
    ("QH KD AC", HandRank.STRAIGHT),
    ("2H 2D 2C", HandRank.THREE_OF_A_KIND),
    ("AH AD AC", HandRank.THREE_OF_A_KIND),
    ("AH 2H 3H", HandRank.STRAIGHT_FLUSH),
    ("QH KH AH", HandRank.STRAIGHT_FLUSH),
]


def test_hands_are_ordered_by_class_and_then_by_all_ranks() -> None:
    hands = [cards(text) for text, _ in ORDER]
    assert [hand_rank(hand) for hand in hands] == [rank for _, rank in ORDER]
    strengths = [strength(hand) for hand in hands]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == len(strengths)
    assert HAND_RANKS[0] is HandRank.STRAIGHT_FLUSH


@given(st.permutations(cards("AH 2D 3C")), st.permutations(cards("KH KD 2C")))
def test_the_order_of_the_cards_has_no_meaning(one: list[Card], two: list[Card]) -> None:
    assert strength(one) == (4, 3, 2, 1)
    assert strength(two) == (2, 13, 13, 2)


@given(st.permutations(PACK))
def test_tcw_r5_what_is_certain_of_an_rnb_is_what_it_comes_to(deck: list[Card]) -> None:
    hand, dealer, trump = deck[:3], deck[3:6], deck[6]
    whole = rnb_line(hand, dealer, trump)
    assert rnb_category(hand, dealer, trump) == whole
    for seen in (hand[:2], hand):
        for faces in ((), dealer[:1], dealer):
            assert rnb_category(seen, faces, None) in (None, whole)


@pytest.mark.parametrize("size", [0, 1, 2])
def test_tcw_b5_a_bonus_is_not_certain_before_all_three_cards(size: int) -> None:
    assert bonus_category(cards("2H 2D 2C")[:size], Suit.HEARTS) is None
    assert bonus_category(cards("2H 4H 7H"), None) is None
    assert bonus_category(cards("2H 4H 7D"), None) == "none"
