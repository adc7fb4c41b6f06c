"""The law: Vegas Three Card Rummy is counted, compared and paid by VTR-1 … VTR-18."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import PACK, Card, Suit
from rules.check import result_to_json
from rules.edge_enumeration import all_hands
from rules.errors import HouseRulesError, RecordFormatError
from rules.events import Wager
from rules.findings import FindingCode
from rules.games.rummy import RUMMY
from rules.house import default_house, house_warnings, parse_house
from rules.totals import Meld, bonus_line, total
from tests.rules.raising import (
    cards,
    due_of,
    judged,
    live_round,
    seat,
    seat_of,
    seen_live,
)
from tests.rules.records import Json, codes

GAME = "vegas-three-card-rummy"
COUNTS = [
    *(96, 472, 444, 440, 440, 440, 476, 488, 536, 588, 1980, 272, 372, 592, 704, 900, 960, 1104),
    *(1140, 1232, 1216, 1428, 1184, 1072, 868, 768, 576, 516, 336, 292, 168),
]


# Counting.


def test_all_22_100_hands_count_as_published() -> None:
    points = Counter(total(hand).points for hand in all_hands())
    assert [points[number] for number in range(31)] == COUNTS


@pytest.mark.parametrize(
    ("hand", "points", "meld"),
    [
        ("AS 5H KD", 16, Meld.NONE),  # VTR-4: an ace is one, a king ten
        ("2S 9H TD", 21, Meld.NONE),  # VTR-4: a ten is ten
        ("7S 7H 4D", 4, Meld.PAIR),  # VTR-5: the third card still counts
        ("7S 7H 7D", 0, Meld.THREE_OF_A_KIND),  # VTR-5
        ("KS KH KD", 0, Meld.THREE_OF_A_KIND),  # VTR-5
        ("AS 2S 9D", 9, Meld.RUN_OF_TWO),  # VTR-6: ace and deuce are a run
        ("KS AS 9D", 20, Meld.NONE),  # VTR-6: king and ace are none
        ("TS JS 9D", 9, Meld.RUN_OF_TWO),  # VTR-6: ten and jack
        ("JS QS 9D", 9, Meld.RUN_OF_TWO),  # VTR-6: jack and queen
        ("QS KS 9D", 9, Meld.RUN_OF_TWO),  # VTR-6: queen and king
        ("4S 5H 6D", 15, Meld.NONE),  # VTR-6: a run is of one suit
        ("4S 5S 6S", 0, Meld.RUN_OF_THREE),  # VTR-6
        ("AS 2S 3S", 0, Meld.RUN_OF_THREE),  # VTR-6
        ("QD KD AD", 1, Meld.RUN_OF_TWO),  # VTR-6: no run of three goes through the ace
        ("5S 5H 6S", 5, Meld.RUN_OF_TWO),  # VTR-7: the run leaves less than the pair
        ("AS AH 2S", 1, Meld.RUN_OF_TWO),  # VTR-7: the run leaves less than the pair
        ("6S 6H 5S", 5, Meld.PAIR),  # VTR-7: the pair leaves less than the run
        ("JS JH QS", 10, Meld.RUN_OF_TWO),  # VTR-7: the same either way, the run is named
        ("TS TH JS", 10, Meld.RUN_OF_TWO),  # VTR-7
        ("2S 3S 4D", 4, Meld.RUN_OF_TWO),  # VTR-6
        ("8S 9S JS", 10, Meld.RUN_OF_TWO),  # VTR-6
    ],
)
def test_vtr_4_to_7_a_hand_counts_its_lowest_total(hand: str, points: int, meld: Meld) -> None:
    counted = total(cards(hand))
    assert (counted.points, counted.meld) == (points, meld)


@given(st.permutations(range(3)), st.permutations(list(Suit)), st.sampled_from(all_hands()))
def test_neither_the_order_of_cards_nor_the_names_of_suits_change_a_total(
    order: list[int], suits: list[Suit], hand: tuple[Card, Card, Card]
) -> None:
    renamed = [Card(card.rank, suits[list(Suit).index(card.suit)]) for card in hand]
    first, second, third = (renamed[place] for place in order)
    assert total((first, second, third)) == total(hand)


# Wagers.


def test_vtr_8_a_fold_loses_the_ante() -> None:
    result = judged(GAME, "2H 5C 9D", seat("KS QH 9C", "fold"))
    assert due_of(result) == {"ante": -1000}
    assert seat_of(result)["status"] == "folded"


def test_vtr_9_a_raise_that_differs_from_the_ante_is_found() -> None:
    wagers = {"ante": 1000, "raise": 1500}
    result = judged(GAME, "2H 5C 9D", seat("AS 2S 4C", wagers=wagers))
    (found,) = result["findings"]
    assert (found["code"], found["rule"]) == ("raise-wager-not-equal-ante", "VTR-9")
    assert (found["seat"], found["wager"]) == (1, "raise")
    assert "15.00" in found["text"]
    assert "10.00" in found["text"]


@pytest.mark.parametrize("wagers", [{"raise": 1500}, {"ante": 1000}])
def test_vtr_9_nothing_is_found_while_one_of_the_two_is_not_known(wagers: Json) -> None:
    assert codes(judged(GAME, "2H 5C 9D", seat("AS 2S 4C", wagers=wagers))) == []


def test_vtr_10_a_dealer_card_seen_before_the_decisions_end_is_found() -> None:
    early = [{"spot": "dealer", "card": "2H", "when": "decisions", "seconds": 1.5}]
    (found,) = judged(GAME, "2H 5C 9D", seat("AS 2S 4C"), exposed=early)["findings"]
    assert (found["code"], found["rule"]) == ("dealer-card-shown-early", "VTR-10")
    assert found["proved_by"] == "2H face up at dealer"


def test_vtr_2_a_dealer_card_seen_in_the_deal_is_information() -> None:
    exposed = [{"spot": "dealer", "card": "?"}]
    result = judged(GAME, "2H 5C 9D", seat("AS 2S 4C"), exposed=exposed)
    (found,) = result["findings"]
    assert (found["code"], found["rule"], found["severity"]) == ("card-exposed", "VTR-2", "info")
    assert found["proved_by"] == "a card face up at dealer"
    assert result["outcome"] == "complete"


def test_vtr_2_a_hand_of_two_cards_is_found() -> None:
    result = judged(GAME, "2H 5C 9D", seat("AS 2S"))
    assert [(found["code"], found["rule"]) for found in result["findings"]] == [
        ("wrong-card-count", "VTR-2")
    ]


# Settlement.


@pytest.mark.parametrize(
    ("dealer", "hand", "due"),
    [
        # VTR-12: 21 points do not qualify, whatever the player has
        ("KH 9C 2D", "KS QC JD", {"ante": 1000, "raise": 0}),
        # VTR-11, VTR-16: 20 points qualify
        ("KH 8C 2D", "KS QC JD", {"ante": -1000, "raise": -1000}),
        # VTR-13: equal totals push
        ("2H 5C 9D", "3S 4C 9H", {"ante": 0, "raise": 0}),
        # VTR-13: zero against zero, however different the hands
        ("7H 7C 7D", "AS 2S 3S", {"ante": 0, "raise": 0}),
        # VTR-14, VTR-15: zero points win 4:1
        ("2H 5C 9D", "7S 7C 7D", {"ante": 1000, "raise": 4000}),
        # VTR-15: one and five points win 3:1
        ("2H 5C 9D", "QS KS AD", {"ante": 1000, "raise": 3000}),
        ("2H 5C 9D", "QS KS 5D", {"ante": 1000, "raise": 3000}),
        # VTR-15: six points win 1:1
        ("2H 5C 9D", "QS KS 6D", {"ante": 1000, "raise": 1000}),
        # VTR-16: a higher total loses both
        ("2H 5C 9D", "QS KC 6D", {"ante": -1000, "raise": -1000}),
    ],
)
def test_vtr_11_to_16_a_raised_hand_meets_the_dealers(dealer: str, hand: str, due: Json) -> None:
    result = judged(GAME, dealer, seat(hand))
    assert due_of(result) == due
    assert (seat_of(result)["status"], result["outcome"]) == ("settled", "complete")


def test_a_result_tells_points_meld_and_bonus_line() -> None:
    told = seat_of(judged(GAME, "2H 5C 9D", seat("QS KS AD")))
    assert told["points"] == 1
    assert told["category"] == {"hand": "run-of-two", "bonus": "1-to-6"}
    assert told["tricks"] is None


@pytest.mark.parametrize(
    ("hand", "net"),
    [
        ("AS 2S 3S", 50000),  # ace-deuce-three of one suit, 100:1
        ("4S 5S 6S", 12500),  # any other zero, 25:1
        ("7S 7H 7C", 12500),
        ("QS KS AC", 1000),  # one point, 2:1
        ("QS KS 6C", 1000),  # six points
        ("QS KS 7C", 500),  # seven points, 1:1
        ("QS KS TC", 500),  # ten points
        ("2S 8H AC", 2000),  # eleven points, 4:1
        ("2S 7H 3C", 2000),  # twelve points
        ("2S 8H 3C", -500),  # thirteen points lose
        ("KS QH JC", -500),
    ],
)
def test_vtr_18_the_bonus_is_paid_by_the_players_total(hand: str, net: int) -> None:
    wagers = {"ante": 1000, "raise": 1000, "bonus": 500}
    result = judged(GAME, "2H 5C 9D", seat(hand, wagers=wagers))
    assert due_of(result)["bonus"] == net


def test_vtr_18_bonus_lines_count_as_the_points_do() -> None:
    lines = Counter(bonus_line(hand) for hand in all_hands())
    assert lines["ace-deuce-three"] == 4
    assert lines["zero"] == COUNTS[0] - 4
    assert lines["1-to-6"] == sum(COUNTS[1:7])
    assert lines["7-to-10"] == sum(COUNTS[7:11])
    assert lines["11-to-12"] == sum(COUNTS[11:13])
    assert lines["none"] == sum(COUNTS[13:])


# House options.


def test_the_common_raise_table_pays_less_for_one_to_five_points() -> None:
    house = f'[{GAME}.raise]\ntable = "common"'
    assert due_of(judged(GAME, "2H 5C 9D", seat("QS KS 5D"), house))["raise"] == 2000


def test_an_own_raise_table_is_paid() -> None:
    pays = '{ zero = "5:1", 1-to-5 = "3:2", 6-or-more = "1:1" }'
    house = f'[{GAME}.raise]\ntable = "own"\npays = {pays}'
    assert due_of(judged(GAME, "2H 5C 9D", seat("QS KS 5D"), house))["raise"] == 1500


def test_the_dealer_qualifies_by_the_houses_threshold() -> None:
    house = f"[{GAME}]\ndealer_qualifies = 21"
    assert due_of(judged(GAME, "KH 9C 2D", seat("KS QC JD"), house))["ante"] == -1000


def test_vtr_17_the_bonus_of_a_folded_hand_is_still_resolved_by_default() -> None:
    folded = seat("AS 2S 3S", "fold", wagers={"ante": 1000, "bonus": 500})
    assert due_of(judged(GAME, "2H 5C 9D", folded)) == {"ante": -1000, "bonus": 50000}
    house = f"[{GAME}.bonus]\nafter_fold = false"
    assert due_of(judged(GAME, "2H 5C 9D", folded, house)) == {"ante": -1000, "bonus": -500}


def test_vtr_17_a_bonus_without_an_ante_stands_unless_the_house_forbids_it() -> None:
    alone = seat("QS KS 7C", None, wagers={"bonus": 500})
    free = judged(GAME, "", alone)
    assert (due_of(free), codes(free), free["outcome"]) == ({"bonus": 500}, [], "complete")
    forbidden = judged(GAME, "", alone, f"[{GAME}.bonus]\nwithout_ante = false")
    (found,) = forbidden["findings"]
    assert (found["code"], found["rule"]) == ("bonus-without-ante", "VTR-17")


def test_the_options_are_told_in_words_with_the_limits() -> None:
    house = parse_house(
        f"[{GAME}]\ndealer_qualifies = 19\n"
        f"[{GAME}.bonus]\nwithout_ante = false\nafter_fold = false\n"
        f"[{GAME}.limits]\nante = {{ minimum = 500, maximum = 100000 }}"
    )
    told = RUMMY.describe(house.options[GAME])
    assert told[0] == "The dealer qualifies with 19 points or fewer."
    assert "A Bonus may not stand without an Ante." in told
    assert "After a fold the Bonus is lost." in told
    assert told[-2:] == (
        "The ante wager is at least 500 cents.",
        "The ante wager is at most 100000 cents.",
    )


def test_the_house_is_warned_that_the_source_table_favours_the_player() -> None:
    warning = "main: the pay tables in force give the player an edge of 2.88450 % of the ante"
    assert f"Vegas Three Card Rummy: {warning}" in house_warnings(default_house())
    common = parse_house(f'[{GAME}.raise]\ntable = "common"')
    assert not any("Rummy" in told for told in house_warnings(common))


def test_an_impossible_threshold_is_refused_with_its_line() -> None:
    with pytest.raises(HouseRulesError, match=r"line 2: .*dealer_qualifies: found 31"):
        parse_house(f"[{GAME}]\ndealer_qualifies = 31")


# Payouts.


@pytest.mark.parametrize(
    ("paid", "code", "rule"),
    [
        ({"ante": 1000, "raise": 3000, "bonus": 1000}, None, None),
        ({"ante": 1000, "raise": 4000, "bonus": 1000}, "overpaid", "VTR-14"),
        ({"ante": 1000, "raise": 1000, "bonus": 1000}, "underpaid", "VTR-14"),
        ({"ante": 0, "raise": 3000, "bonus": 1000}, "not-paid", "VTR-14"),
        ({"ante": 1000, "raise": 3000, "bonus": 0}, "not-paid", "VTR-18"),
    ],
)
def test_what_was_paid_is_held_against_what_was_due(
    paid: Json, code: str | None, rule: str | None
) -> None:
    wagers = {"ante": 1000, "raise": 1000, "bonus": 500}
    result = judged(GAME, "2H 5C 9D", seat("QS KS AD", wagers=wagers, paid=paid))
    assert [(found["code"], found["rule"]) for found in result["findings"]] == (
        [] if code is None else [(code, rule)]
    )


@pytest.mark.parametrize(
    ("dealer", "paid", "code"),
    [
        ("2H 5C 9D", {"ante": 1000, "raise": -1000}, "paid-when-lost"),
        ("2H 5C 9D", {"ante": -1000, "raise": 0}, "not-taken"),
        ("KH 9C 2D", {"ante": 1000, "raise": 1000}, "paid-when-pushed"),
    ],
)
def test_a_lost_or_pushed_wager_that_was_paid_is_found(dealer: str, paid: Json, code: str) -> None:
    assert codes(judged(GAME, dealer, seat("KS QC JD", paid=paid))) == [code]


def test_common_findings_name_this_games_rules() -> None:
    assert RUMMY.rule(FindingCode.LATE_WAGER, Wager.BONUS) == "VTR-17"
    assert RUMMY.rule(FindingCode.LATE_WAGER, Wager.ANTE) == "VTR-1"
    assert RUMMY.rule(FindingCode.WAGER_CHANGED, Wager.ANTE) == "VTR-1"
    assert RUMMY.rule(FindingCode.CARD_SEEN_TWICE, None) == "COM-1"


def test_a_wager_of_another_game_is_refused() -> None:
    with pytest.raises(RecordFormatError, match="pair-plus"):
        judged(GAME, "", seat("QS KS AD", wagers={"pair-plus": 500}))


# Live.


def test_a_round_seen_live_is_judged_as_its_record_is() -> None:
    wagers = {Wager.ANTE: 1000, Wager.RAISE: 1000, Wager.BONUS: 500}
    paid = {Wager.ANTE: 1000, Wager.RAISE: 4000, Wager.BONUS: 1000}
    events = live_round("QS KS AD", "2H 5C 9D", wagers, paid, face_up=True)
    result, told = seen_live(GAME, events)
    (hand,) = result.seats.values()
    assert hand.due == {Wager.ANTE: 1000, Wager.RAISE: 3000, Wager.BONUS: 1000}
    assert hand.points == 1
    assert told == ["overpaid"]


@given(st.lists(st.sampled_from(PACK), min_size=6, max_size=6, unique=True))
def test_live_and_record_agree_on_any_hands(six: list[Card]) -> None:
    hand, dealer = (" ".join(map(str, part)) for part in (six[:3], six[3:]))
    wagers = {Wager.ANTE: 1000, Wager.RAISE: 1000, Wager.BONUS: 500}
    result, told = seen_live(GAME, live_round(hand, dealer, wagers, {}, face_up=True))
    told_by_record = judged(
        GAME, dealer, seat(hand, wagers={wager.value: amount for wager, amount in wagers.items()})
    )
    assert seat_of(result_to_json(result)) == seat_of(told_by_record)
    assert told == []
