"""The law: what was not seen of a hand of Vegas Three Card Rummy is never guessed (VTR-1 … 18)."""

import pytest

from rules.check import judge, result_to_json
from rules.record_json import record_from_json
from tests.rules.raising import due_of, judged, seat, seat_of
from tests.rules.records import Json, codes, words

GAME = "vegas-three-card-rummy"


def test_a_missing_decision_leaves_open_what_it_decides() -> None:
    result = judged(GAME, "2H 5C 9D", seat("AS 2S 4C", None))
    assert (seat_of(result)["status"], due_of(result)) == ("incomplete", {"ante": None})


def test_an_ante_that_is_lost_either_way_is_told_without_a_decision() -> None:
    assert due_of(judged(GAME, "2H 5C 9D", seat("KS QC JD", None))) == {"ante": -1000}


def test_a_raise_that_was_placed_is_a_decision() -> None:
    wagers = {"ante": 1000, "raise": 1000}
    result = judged(GAME, "2H 5C 9D", seat("QS KS AD", None, wagers=wagers))
    assert (seat_of(result)["status"], due_of(result)["raise"]) == ("settled", 3000)


def test_a_raise_beside_a_fold_is_left_open() -> None:
    wagers = {"ante": 1000, "raise": 1000}
    result = judged(GAME, "2H 5C 9D", seat("QS KS AD", "fold", wagers=wagers))
    assert due_of(result) == {"ante": -1000, "raise": None}
    assert codes(result) == []


@pytest.mark.parametrize(
    ("dealer", "status"),
    [("", "incomplete"), ("2H 5C", "incomplete"), ("2H - -", "unsure"), ("2H 5C ?", "unsure")],
)
def test_a_dealers_hand_that_was_not_seen_decides_nothing(dealer: str, status: str) -> None:
    result = judged(GAME, dealer, seat("5S 2D 9C"))
    assert seat_of(result)["status"] == status
    assert due_of(result) == {"ante": None, "raise": None}
    assert seat_of(result)["points"] == 16


def test_a_wager_is_due_what_every_possible_third_card_agrees_on() -> None:
    """The dealer's pair of kings leaves at most ten points, or none: 28 points lose to each."""
    result = judged(GAME, "KH KC -", seat("QS JC 8D"))
    assert due_of(result) == {"ante": -1000, "raise": -1000}
    assert seat_of(result)["status"] == "unsure"


def test_a_bonus_is_due_when_every_possible_card_agrees_on_it() -> None:
    """With three of the aces, and more, seen elsewhere the hand's third card cannot help."""
    wagers = {"ante": 1000, "raise": 1000, "bonus": 500}
    result = judged(GAME, "2H 5C 9D", seat("KS - -", wagers=wagers))
    assert due_of(result)["bonus"] is None
    assert seat_of(result)["category"] == {"hand": None, "bonus": None}
    assert seat_of(result)["points"] is None


def test_too_many_cards_in_a_hand_decide_nothing() -> None:
    result = judged(GAME, "2H 5C 9D", seat("QS KS AD 3C"))
    assert due_of(result) == {"ante": None, "raise": None}
    assert seat_of(result)["status"] == "unsure"


def test_a_gap_leaves_the_main_game_unsure_and_the_bonus_due() -> None:
    wagers = {"ante": 1000, "raise": 1000, "bonus": 500}
    result = judged(GAME, "2H 5C 9D", seat("QS KS AD", wagers=wagers, gap=True))
    assert seat_of(result)["status"] == "unsure"
    assert due_of(result) == {"ante": None, "raise": None, "bonus": 1000}


def unseen_third_card(exposed: list[Json], loose: list[Json]) -> Json:
    """Return the dues of king and queen with a card that was not seen, against 16 points.

    Whatever would make 20 points and more fewer by a pair or a run lies at other seats, but for
    the jack of clubs and the king of clubs.
    """
    record: Json = {
        "round": "a",
        "game": GAME,
        "dealer": words("2H 5C 9D"),
        "seats": {"1": seat("KH QC -"), "2": seat("KS 4D KD"), "3": seat("QS QH QD")},
        "exposed": exposed,
        "loose": loose,
    }
    return dict(result_to_json(judge(record_from_json(record)))["seats"]["1"]["due"])


def at(spot: str, card: str) -> Json:
    return {"spot": spot, "card": card}


def test_cards_seen_at_other_seats_are_not_the_unseen_one() -> None:
    lost = {"ante": -1000, "raise": -1000}
    assert unseen_third_card([at("seat-4", "JC")], [at("seat-4", "KC")]) == lost


@pytest.mark.parametrize("spot", ["dealer", "seat-1", "discard"])
def test_a_card_seen_before_where_one_is_unseen_now_may_be_that_one(spot: str) -> None:
    exposed = [at("seat-4", "JC")]
    open_due = {"ante": None, "raise": None}
    assert unseen_third_card(exposed, []) == open_due
    assert unseen_third_card(exposed, [at(spot, "KC")]) == open_due
    assert unseen_third_card([*exposed, at(spot, "KC")], []) == open_due
