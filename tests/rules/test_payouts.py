"""The law: what was paid is told against what was due, per wager, with both amounts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import HouseRulesError
from rules.events import Cents
from rules.pay import Odds, PayTable
from rules.settlement import payout_code
from tests.rules.records import codes, finding, judged, seat, whist

WON, LOST = "9H 9C 9D", "2H 2C 2D"  # three tricks and none against 6H 7C 8D

CASES = [
    # due, paid, what is told
    (1000, 1000, None),
    (1000, 1500, "overpaid"),
    (1000, 500, "underpaid"),
    (1000, 0, "not-paid"),
    (1000, -1000, "not-paid"),
    (1000, None, "not-paid"),
    (-1000, -1000, None),
    (-1000, 0, "not-taken"),
    (-1000, -400, "not-taken"),
    (-1000, None, "not-taken"),
    (-1000, -1500, "underpaid"),
    (-1000, 1, "paid-when-lost"),
    (0, 0, None),
    (0, None, None),
    (0, 5, "paid-when-pushed"),
    (0, -5, "underpaid"),
]


@pytest.mark.parametrize(("due", "paid", "code"), CASES)
def test_each_difference_has_its_own_code(due: int, paid: int | None, code: str | None) -> None:
    assert payout_code(Cents(due), None if paid is None else Cents(paid)) == code


@given(st.integers(-5000, 5000), st.integers(-5000, 5000))
def test_something_is_told_exactly_when_the_amounts_differ(due: int, paid: int) -> None:
    assert (payout_code(Cents(due), Cents(paid)) is None) == (due == paid)


def test_a_payout_on_a_wager_that_was_not_placed_is_overpaid() -> None:
    result = judged(whist(seats={"1": seat(WON, paid={"ante": 1000, "play": 3000, "bonus": 50})}))
    found = finding(result, "overpaid")
    assert (found["wager"], found["due"], found["paid"]) == ("bonus", 0, 50)


def test_tcw_13_a_wrong_payout_names_both_amounts_and_the_difference() -> None:
    result = judged(whist(seats={"1": seat(WON, paid={"ante": 1000, "play": 2000})}))
    found = finding(result, "underpaid")
    assert (found["rule"], found["wager"], found["trick"]) == ("TCW-13", "play", None)
    assert (found["due"], found["paid"], found["difference"]) == (3000, 2000, -1000)
    assert "+20.00 observed, +30.00 due. Difference -10.00." in found["text"]


def test_tcw_b5_and_r5_side_bets_name_their_own_rules() -> None:
    wagers = {"ante": 1000, "play": 1000, "bonus": 100, "rnb": 100}
    paid = {"ante": 1000, "play": 3000, "bonus": 0, "rnb": 0}
    result = judged(whist(seats={"1": seat(WON, wagers=wagers, paid=paid)}))
    assert [(f["code"], f["rule"]) for f in result["findings"]] == [
        ("not-paid", "TCW-B5"),
        ("not-taken", "TCW-R5"),
    ]


def test_tcw_r5_an_rnb_is_judged_by_an_unverified_pay_table_and_says_so() -> None:
    wagers = {"ante": 1000, "play": 1000, "rnb": 100}
    paid = {"ante": 1000, "play": 3000, "rnb": 0}
    record = whist(seats={"1": seat(WON, wagers=wagers, paid=paid)})
    result = judged(record)
    assert result["rules"]["unverified"] == ["rnb"]
    found = finding(result, "not-taken")
    assert found["note"] == "unverified-pay-table"
    assert "unverified pay table" in found["text"]
    confirmed = judged(record, "[three-card-whist.rnb]\nconfirmed = true")
    assert "unverified" not in confirmed["rules"]
    assert "note" not in finding(confirmed, "not-taken")


def test_payouts_that_were_not_watched_are_not_missed() -> None:
    assert codes(judged(whist(seats={"1": seat(WON)}))) == []
    assert codes(judged(whist(seats={"1": seat(WON, paid={})}))) == ["not-paid", "not-paid"]
    assert codes(judged(whist(seats={"1": seat(LOST, paid={})}))) == ["not-taken", "not-taken"]


def test_a_payout_without_known_wagers_is_not_judged() -> None:
    assert codes(judged(whist(seats={"1": seat(WON, wagers={}, paid={"ante": 5})}))) == []


def test_a_wager_whose_due_is_not_certain_is_not_judged() -> None:
    result = judged(whist(seats={"1": seat("9C 9D -", paid={"ante": 5000, "play": 5000})}))
    assert codes(result) == []


def test_a_hand_lost_already_is_due_its_loss_before_the_last_card() -> None:
    one = judged(whist("4S", "6H 7C", {"1": seat("2H 2C")}))["seats"]["1"]
    assert (one["status"], one["due"]) == ("incomplete", {"ante": -1000, "play": -1000})
    one = judged(whist("4S", "6H 7C", {"1": seat("9H 2C")}))["seats"]["1"]
    assert one["due"] == {"ante": None, "play": None}


def test_a_folded_hand_with_a_play_wager_is_contradictory_and_not_settled() -> None:
    one = judged(whist(seats={"1": seat(decision="fold")}))["seats"]["1"]
    assert one["due"] == {"ante": -1000, "play": None}


@pytest.mark.parametrize(("paid", "severity"), [(10_999, "medium"), (11_000, "high")])
def test_a_difference_of_a_hundred_is_serious(paid: int, severity: str) -> None:
    result = judged(whist(seats={"1": seat(WON, paid={"ante": paid, "play": 3000})}))
    assert finding(result, "overpaid")["severity"] == severity


LIMITS = "[three-card-whist.limits]\nante = { minimum = 500, maximum = 2000 }"


@pytest.mark.parametrize(
    ("ante", "code", "bound"),
    [
        (499, "wager-below-minimum", 500),
        (500, None, None),
        (2000, None, None),
        (2001, "wager-above-maximum", 2000),
        (0, None, None),
    ],
)
def test_table_limits_are_kept(ante: int, code: str | None, bound: int | None) -> None:
    record = whist(seats={"1": {"wagers": {"ante": ante}, "decision": "fold"}})
    result = judged(record, LIMITS)
    assert codes(result) == ([] if code is None else [code])
    if code is not None:
        assert (finding(result, code)["expected"], finding(result, code)["found"]) == (bound, ante)


@given(st.integers(0, 10**9), st.integers(1, 99), st.integers(1, 99))
def test_winnings_are_whole_cents_and_never_more_than_the_odds(
    stake: int, win: int, per: int
) -> None:
    won = Odds(win, per).winnings(Cents(stake))
    assert won * per <= stake * win < (won + 1) * per


@given(st.integers(1, 99999), st.integers(1, 99999))
def test_odds_are_read_as_they_are_written(win: int, per: int) -> None:
    assert Odds.parse(str(Odds(win, per))) == Odds(win, per)


@pytest.mark.parametrize("text", ["", "1", "0:1", "1:0", "-1:1", "1:1.5", "a:b", "123456:1"])
def test_what_is_not_odds_is_refused(text: str) -> None:
    with pytest.raises(HouseRulesError, match="not odds"):
        Odds.parse(text)


def test_a_line_that_pays_wins_and_any_other_loses_the_stake() -> None:
    table = PayTable("t", {"pair": Odds(3, 2)})
    assert (table.due("pair", Cents(100)), table.due("none", Cents(100))) == (150, -100)
