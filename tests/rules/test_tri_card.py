"""The law: Tri Card Poker is ranked, compared and paid by TCP-1 … TCP-17."""

import hashlib
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import PACK, Card, Rank
from rules.check import result_to_json
from rules.edge_enumeration import all_hands
from rules.errors import HouseRulesError
from rules.events import Wager
from rules.findings import FindingCode
from rules.games.tri_card import TRI_CARD
from rules.hands import HandRank, hand_rank, strength
from rules.house import default_house, house_warnings, parse_house
from rules.poker import TieBreak, qualifying_worth, worth
from tests.rules.raising import (
    cards,
    due_of,
    judged,
    live_round,
    seat,
    seat_of,
    seen_live,
)
from tests.rules.records import Json, codes, words

GAME = "tri-card-poker"
QUEEN_HIGH = "QH 3C 2D"
JACK_HIGH = "JH TC 8D"


# Ranking.


def test_tcp_17_all_22_100_hands_count_as_published() -> None:
    assert Counter(hand_rank(hand) for hand in all_hands()) == {
        HandRank.STRAIGHT_FLUSH: 48,
        HandRank.THREE_OF_A_KIND: 52,
        HandRank.STRAIGHT: 720,
        HandRank.FLUSH: 1096,
        HandRank.PAIR: 3744,
        HandRank.HIGH_CARD: 16440,
    }


def test_tcp_17_the_order_of_all_22_100_hands_is_pinned() -> None:
    """Every hand with its worth, weakest first and equal ones in the order of the pack."""
    ordered = sorted(all_hands(), key=lambda hand: worth(hand, TieBreak.ALL_RANKS))
    places = {value: place for place, value in enumerate(sorted({strength(h) for h in ordered}))}
    text = "\n".join(f"{places[strength(hand)]} {' '.join(map(str, hand))}" for hand in ordered)
    assert len(places) == 741
    assert hashlib.sha256(text.encode()).hexdigest() == (
        "5aecac3d76b2c0ff9e0ae881028f464529600e59838334f0cdb14ba210fbc928"
    )


@pytest.mark.parametrize(
    ("better", "worse"),
    list(
        pairwise(
            [
                "AS KS QS",  # the best straight flush
                "4H 3H 2H",
                "3S 2S AS",  # the lowest straight flush: the ace is low
                "AS AH AD",
                "2S 2H 2D",
                "AS KH QD",
                "4S 3H 2D",
                "3S 2H AD",  # the lowest straight
                "AS KS JS",
                "5S 3S 2S",
                "AS AH KD",
                "AS AH 2D",
                "KH KD AS",
                "KH KD 2S",
                "2H 2D 3S",
                "AS KH JD",
                "AS KH TD",
                "KS AH 2D",  # king, ace and deuce are no straight
                "QS 6H 4D",
                "QS 3H 2D",
                "JS TH 8D",
                "5S 3H 2D",  # the weakest hand
            ]
        )
    ),
)
def test_tcp_17_hands_rank_in_this_order(better: str, worse: str) -> None:
    assert worth(cards(better), TieBreak.ALL_RANKS) > worth(cards(worse), TieBreak.ALL_RANKS)
    assert strength(cards(better)) > strength(cards(worse))


def test_tcp_8_queen_high_or_better_qualifies_under_either_comparison() -> None:
    for tie_break in TieBreak:
        least = qualifying_worth(tie_break)
        for hand in all_hands()[::7]:
            high = max(card.rank for card in hand)
            qualifies = hand_rank(hand) is not HandRank.HIGH_CARD or high >= Rank.QUEEN
            assert (worth(hand, tie_break) >= least) == qualifies


# Wagers and decisions.


def test_tcp_1_pair_plus_may_stand_alone() -> None:
    alone = seat("7S 7D 4H", None, wagers={"pair-plus": 500})
    result = judged(GAME, "", alone)
    assert (due_of(result), codes(result)) == ({"pair-plus": 500}, [])
    assert result["outcome"] == "complete"


def test_tcp_5_a_fold_loses_ante_and_pair_plus() -> None:
    folded = seat("7S 7D 4H", "fold", wagers={"ante": 1000, "pair-plus": 500})
    result = judged(GAME, QUEEN_HIGH, folded)
    assert due_of(result) == {"ante": -1000, "pair-plus": -500}
    assert seat_of(result)["status"] == "folded"


def test_tcp_5_a_fold_is_told_even_when_the_hand_was_never_seen() -> None:
    folded = seat("", "fold", wagers={"ante": 1000, "pair-plus": 500})
    assert due_of(judged(GAME, "", folded)) == {"ante": -1000, "pair-plus": -500}


def test_tcp_6_a_raise_that_differs_from_the_ante_is_found() -> None:
    uneven = seat("AS KS JD", wagers={"ante": 1000, "raise": 500})
    (found,) = judged(GAME, QUEEN_HIGH, uneven)["findings"]
    assert (found["code"], found["rule"]) == ("raise-wager-not-equal-ante", "TCP-6")


def test_tcp_7_a_dealer_card_seen_before_the_decisions_end_is_found() -> None:
    early = [{"spot": "dealer", "card": "QH", "when": "decisions"}]
    (found,) = judged(GAME, QUEEN_HIGH, seat("AS KS JD"), exposed=early)["findings"]
    assert (found["code"], found["rule"]) == ("dealer-card-shown-early", "TCP-7")


def test_tcp_2_a_player_card_seen_in_the_deal_is_information() -> None:
    exposed = [{"spot": "seat-1", "card": "AS", "seconds": 0.5}]
    (found,) = judged(GAME, QUEEN_HIGH, seat("AS KS JD"), exposed=exposed)["findings"]
    assert (found["code"], found["rule"], found["seat"]) == ("card-exposed", "TCP-2", 1)


def test_tcp_2_a_dealers_hand_of_four_cards_is_found() -> None:
    result = judged(GAME, QUEEN_HIGH, seat("AS KS JD"), dealer_cards=4)
    assert [(found["code"], found["rule"]) for found in result["findings"]] == [
        ("wrong-card-count", "TCP-2")
    ]


# Settlement.


@pytest.mark.parametrize(
    ("dealer", "hand", "due"),
    [
        # TCP-9: jack high does not qualify, whatever the player has
        (JACK_HIGH, "5S 3H 2C", {"ante": 1000, "raise": 0}),
        (JACK_HIGH, "AS AH 2C", {"ante": 1000, "raise": 0}),
        # TCP-8, TCP-10: queen high qualifies and wins
        (QUEEN_HIGH, "JS TH 8C", {"ante": -1000, "raise": -1000}),
        # TCP-11: the better hand wins even money on both
        (QUEEN_HIGH, "QS 4H 2C", {"ante": 1000, "raise": 1000}),
        ("KH KC 2D", "KS KD 3C", {"ante": 1000, "raise": 1000}),
        ("TH TC AD", "KS KD 3C", {"ante": 1000, "raise": 1000}),
        # TCP-12: all three ranks are compared
        ("AH KC 3D", "AS KD 2C", {"ante": -1000, "raise": -1000}),
        # TCP-13: equal hands push both
        ("AH KC 3D", "AS KD 3C", {"ante": 0, "raise": 0}),
        # TCP-17: ace-deuce-three is the lowest straight
        ("4H 3C 2D", "AS 2C 3H", {"ante": -1000, "raise": -1000, "ante-bonus": 1000}),
    ],
)
def test_tcp_8_to_13_a_raised_hand_meets_the_dealers(dealer: str, hand: str, due: Json) -> None:
    result = judged(GAME, dealer, seat(hand))
    assert due_of(result) == due
    assert (seat_of(result)["status"], result["outcome"]) == ("settled", "complete")


@pytest.mark.parametrize(
    ("hand", "table_1", "table_2", "table_3"),
    [
        ("7S 6S 5S", 17500, 20000, 20000),
        ("7S 7D 7C", 12500, 12500, 15000),
        ("7D 6S 5H", 3000, 3000, 3000),
        ("9D 7D 4D", 2000, 2000, 2000),
        ("KS KD 3C", 500, 500, 500),
        ("AH KS TD", -500, -500, -500),
    ],
)
def test_tcp_15_pair_plus_pays_by_table(
    hand: str, table_1: int, table_2: int, table_3: int
) -> None:
    wagers = {"ante": 1000, "raise": 1000, "pair-plus": 500}
    for table, net in (("1", table_1), ("2", table_2), ("3", table_3)):
        house = f'[{GAME}.pair-plus]\ntable = "{table}"'
        for dealer in (JACK_HIGH, "AC KC QC"):
            result = judged(GAME, dealer, seat(hand, wagers=wagers), house)
            assert due_of(result)["pair-plus"] == net


@pytest.mark.parametrize(
    ("hand", "table_1", "table_2", "table_3"),
    [
        ("7S 6S 5S", 3000, 4000, 5000),
        ("7S 7D 7C", 2000, 3000, 4000),
        ("7D 6S 5H", 1000, 1000, 1000),
        ("9D 7D 4D", None, None, None),
        ("KS KD 3C", None, None, None),
    ],
)
def test_tcp_14_and_16_the_ante_bonus_pays_by_table_whoever_wins(
    hand: str, table_1: int | None, table_2: int | None, table_3: int | None
) -> None:
    for table, net in (("1", table_1), ("2", table_2), ("3", table_3)):
        house = f'[{GAME}.ante-bonus]\ntable = "{table}"'
        for dealer in (JACK_HIGH, "AC KC QC"):
            assert due_of(judged(GAME, dealer, seat(hand), house)).get("ante-bonus") == net


def test_tcp_14_a_folded_hand_gets_no_ante_bonus() -> None:
    assert due_of(judged(GAME, JACK_HIGH, seat("7S 6S 5S", "fold"))) == {"ante": -1000}


def test_tcp_17_a_result_tells_the_hands_class() -> None:
    told = seat_of(judged(GAME, JACK_HIGH, seat("7S 6S 5S")))
    assert told["category"] == {"hand": "straight-flush"}
    assert told["points"] is None


# House options.


@pytest.mark.parametrize(
    ("dealer", "hand"),
    [("AH KC 3D", "AS QD 2C"), ("KH KC AD", "KS KD 3C"), ("QH 3C 2D", "QS JD 9C")],
)
def test_tcp_12_the_literal_text_compares_the_highest_card_alone(dealer: str, hand: str) -> None:
    house = f'[{GAME}]\ntie_break = "highest-card"'
    assert due_of(judged(GAME, dealer, seat(hand), house)) == {"ante": 0, "raise": 0}
    assert due_of(judged(GAME, dealer, seat(hand)))["ante"] != 0


def test_tcp_12_a_pair_of_kings_beats_a_pair_of_tens_by_the_literal_text_too() -> None:
    house = f'[{GAME}]\ntie_break = "highest-card"'
    result = judged(GAME, "TH TC AD", seat("KS KD 3C"), house)
    assert due_of(result) == {"ante": 1000, "raise": 1000}


def test_the_options_are_told_in_words() -> None:
    literal = parse_house(f'[{GAME}]\ntie_break = "highest-card"').options[GAME]
    assert "by the first card alone; equal ones push" in TRI_CARD.describe(literal)[1]
    assert "by all three cards" in TRI_CARD.describe(default_house().options[GAME])[1]


def test_no_shipped_table_favours_the_player() -> None:
    assert not any("Tri Card" in warning for warning in house_warnings(default_house()))


def test_a_table_that_favours_the_player_is_warned_of() -> None:
    pays = (
        '{ straight-flush = "40:1", three-of-a-kind = "30:1", straight = "6:1", flush = "4:1", '
        'pair = "2:1" }'
    )
    generous = parse_house(f'[{GAME}.pair-plus]\ntable = "own"\nconfirmed = false\npays = {pays}')
    assert TRI_CARD.warnings(generous.options[GAME]) == (
        "pair-plus: the pay tables in force give the player an edge of 14.62443 % of the pair-plus",
        "pair-plus: unverified pay table",
    )


def test_an_unknown_table_is_refused_with_its_line() -> None:
    with pytest.raises(HouseRulesError, match=r"line 2: .*table: found '4', expected one of 1, 2"):
        parse_house(f'[{GAME}.pair-plus]\ntable = "4"')


# Payouts.


@pytest.mark.parametrize(
    ("paid", "code", "rule"),
    [
        ({"ante": 1000, "raise": 1000, "ante-bonus": 1000}, None, None),
        ({"ante": 1000, "raise": 1000, "ante-bonus": 3000}, "overpaid", "TCP-16"),
        ({"ante": 1000, "raise": 1000, "ante-bonus": 0}, "not-paid", "TCP-16"),
        ({"ante": 1000, "raise": 1000}, "not-paid", "TCP-16"),
        ({"ante": 1000, "raise": 500, "ante-bonus": 1000}, "underpaid", "TCP-11"),
    ],
)
def test_what_was_paid_is_held_against_what_was_due(
    paid: Json, code: str | None, rule: str | None
) -> None:
    result = judged(GAME, QUEEN_HIGH, seat("7D 6S 5H", paid=paid))
    assert [(found["code"], found["rule"]) for found in result["findings"]] == (
        [] if code is None else [(code, rule)]
    )


def test_an_ante_bonus_that_was_not_due_is_found() -> None:
    paid = {"ante": 1000, "raise": 1000, "ante-bonus": 1000}
    result = judged(GAME, QUEEN_HIGH, seat("KS KD 4C", paid=paid))
    assert codes(result) == ["overpaid"]
    assert due_of(result)["ante-bonus"] == 0


def test_pair_plus_paid_after_a_fold_is_found() -> None:
    folded = seat(
        "7S 7D 4H",
        "fold",
        wagers={"ante": 1000, "pair-plus": 500},
        paid={"ante": -1000, "pair-plus": 500},
    )
    (found,) = judged(GAME, QUEEN_HIGH, folded)["findings"]
    assert (found["code"], found["rule"]) == ("paid-when-lost", "TCP-15")


def test_common_findings_name_this_games_rules() -> None:
    assert TRI_CARD.rule(FindingCode.LATE_WAGER, Wager.PAIR_PLUS) == "TCP-1"
    assert TRI_CARD.rule(FindingCode.CARD_SEEN_TWICE, None) == "COM-1"


# What was not seen.


def test_a_missing_ante_leaves_the_ante_bonus_open() -> None:
    """No wager is known: whether there is an Ante, and how much of it, cannot be told."""
    unknown = {"hand": words("7D 6S 5H"), "decision": "raise"}
    assert due_of(judged(GAME, QUEEN_HIGH, unknown)) == {"ante-bonus": None}


def test_before_the_decision_only_what_is_the_same_either_way_is_due() -> None:
    waiting = seat("AH KS TD", None, wagers={"ante": 1000, "pair-plus": 500})
    assert due_of(judged(GAME, "", waiting)) == {"ante": None, "pair-plus": -500}
    straight = seat("7D 6S 5H", None)
    assert due_of(judged(GAME, "", straight)) == {"ante": None, "ante-bonus": None}


def test_a_hand_that_was_not_seen_is_unsure() -> None:
    result = judged(GAME, QUEEN_HIGH, seat("- - -"))
    assert (seat_of(result)["status"], result["outcome"]) == ("unsure", "unsure")
    assert due_of(result) == {"ante": None, "raise": None, "ante-bonus": None}


def test_a_wager_is_due_what_every_possible_card_agrees_on() -> None:
    """A pair of aces with any third card is beaten by three kings or a straight, never equalled."""
    result = judged(GAME, "KH KC KD", seat("AS AH -", wagers={"ante": 1000, "raise": 1000}))
    assert due_of(result)["raise"] is None  # the third ace would win
    result = judged(GAME, "KH KC KD", seat("AS QH -", wagers={"ante": 1000, "raise": 1000}))
    assert due_of(result)["raise"] == -1000


def test_a_gap_leaves_the_main_game_unsure() -> None:
    result = judged(GAME, QUEEN_HIGH, seat("7D 6S 5H", gap=True))
    assert seat_of(result)["status"] == "unsure"
    assert due_of(result) == {"ante": None, "raise": None, "ante-bonus": None}


# Live.


def test_a_round_seen_live_is_judged_as_its_record_is() -> None:
    wagers = {Wager.ANTE: 1000, Wager.RAISE: 1000, Wager.PAIR_PLUS: 500}
    paid = {Wager.ANTE: 1000, Wager.RAISE: 1000, Wager.PAIR_PLUS: 3000}
    events = live_round("7D 6S 5H", QUEEN_HIGH, wagers, paid, face_up=False)
    result, told = seen_live(GAME, events)
    (hand,) = result.seats.values()
    assert hand.due == {**paid, Wager.ANTE_BONUS: 1000}
    assert told == ["not-paid"]


@given(st.lists(st.sampled_from(PACK), min_size=6, max_size=6, unique=True))
def test_live_and_record_agree_on_any_hands(six: list[Card]) -> None:
    hand, dealer = (" ".join(map(str, part)) for part in (six[:3], six[3:]))
    wagers = {Wager.ANTE: 1000, Wager.RAISE: 1000, Wager.PAIR_PLUS: 500}
    result, told = seen_live(GAME, live_round(hand, dealer, wagers, {}, face_up=False))
    told_by_record = judged(
        GAME, dealer, seat(hand, wagers={wager.value: amount for wager, amount in wagers.items()})
    )
    assert seat_of(result_to_json(result)) == seat_of(told_by_record)
    assert told == []
