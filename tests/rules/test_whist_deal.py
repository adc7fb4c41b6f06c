"""The law: exposed cards void a hand exactly where the house's thresholds say so (TCW-14)."""

import pytest

from tests.rules.records import Json, codes, finding, judged, seat, whist

PLAYED = {"1": seat("9H 9C 9D"), "2": seat("TH TC TD")}
UNPLAYED = {"1": {"wagers": {"ante": 1000, "bonus": 500}}, "2": {"wagers": {"ante": 1000}}}


def exposed(*places: str, **more: object) -> list[Json]:
    """Return exposures from texts such as `dealer 6D`."""
    found = []
    for place in places:
        spot, card = place.split()
        found.append({"spot": spot, "card": None if card == "-" else card} | more)
    return found


def test_tcw_14_one_dealer_card_voids_the_round_and_all_wagers_go_back() -> None:
    result = judged(whist(None, "", UNPLAYED, exposed=exposed("dealer 6D")))
    assert result["outcome"] == "void"
    assert codes(result) == ["misdeal"]
    found = finding(result, "misdeal")
    assert (found["seat"], found["spot"], found["card"]) == (None, "dealer", "6D")
    one = result["seats"]["1"]
    assert (one["status"], one["due"]) == ("void", {"ante": 0, "bonus": 0})


def test_tcw_14_the_misdeal_is_raised_at_the_exposure_that_reaches_the_threshold() -> None:
    faces = exposed("seat-1 2C", "seat-2 3C", "seat-2 4C")
    result = judged(whist(None, "", UNPLAYED, exposed=faces))
    assert codes(result) == ["misdeal"]
    assert finding(result, "misdeal")["card"] == "3C"


def test_tcw_14_one_player_card_is_information_and_play_goes_on() -> None:
    result = judged(whist(seats=PLAYED, exposed=exposed("seat-1 9H", seconds=1.2)))
    found = finding(result, "card-exposed")
    assert (found["severity"], found["spot"], found["seconds"]) == ("info", "seat-1", 1.2)
    assert "for 1.2 s" in found["text"]
    assert result["outcome"] == "complete"


def test_tcw_14_the_same_card_exposed_twice_is_one_card() -> None:
    result = judged(whist(seats=PLAYED, exposed=exposed("seat-1 9H", "seat-1 9H")))
    assert codes(result) == ["card-exposed", "card-exposed"]


def test_tcw_14_a_face_that_was_not_read_counts_as_exposed() -> None:
    result = judged(whist(None, "", UNPLAYED, exposed=exposed("dealer -")))
    assert "a card not seen lay face up" in finding(result, "misdeal")["text"]


def test_tcw_14_cards_at_other_places_are_logged_only() -> None:
    result = judged(whist(seats=PLAYED, exposed=exposed("discard 2C", "discard 3C")))
    assert codes(result) == ["card-exposed", "card-exposed"]


@pytest.mark.parametrize(
    ("house", "faces", "outcome"),
    [
        ("dealer_cards = 2", ["dealer 6H"], "complete"),
        ("dealer_cards = 2", ["dealer 6H", "dealer 7C"], "void"),
        ("player_cards = 1", ["seat-1 9H"], "void"),
        ("player_cards = 3", ["seat-1 9H", "seat-2 TH"], "complete"),
        ('player_count_over = "seat"', ["seat-1 9H", "seat-2 TH"], "complete"),
        ('player_count_over = "seat"', ["seat-1 9H", "seat-1 9C"], "void"),
    ],
)
def test_tcw_14_the_house_sets_the_thresholds(house: str, faces: list[str], outcome: str) -> None:
    options = f"[three-card-whist.misdeal]\n{house}"
    record = whist(seats=PLAYED, exposed=exposed(*faces))
    assert judged(record, options)["outcome"] == outcome


def test_tcw_14_a_house_may_void_only_the_hands_whose_cards_were_exposed() -> None:
    options = '[three-card-whist.misdeal]\nvoid = "seat"'
    seats = {**PLAYED, "3": seat("JH JC JD")}
    record = whist(seats=seats, exposed=exposed("seat-1 9H", "seat-2 TH", "seat-2 TC"))
    result = judged(record, options)
    status = {number: one["status"] for number, one in result["seats"].items()}
    assert status == {"1": "void", "2": "void", "3": "settled"}
    assert result["outcome"] == "complete"
    assert codes(result) == ["misdeal", "void-hand-settled", "void-hand-settled"]
    by_seat = options + '\nplayer_count_over = "seat"'
    result = judged(record, by_seat)
    status = {number: one["status"] for number, one in result["seats"].items()}
    assert status == {"1": "settled", "2": "void", "3": "settled"}
    assert codes(result) == ["misdeal", "card-exposed", "void-hand-settled"]
    dealer = judged(whist(seats=seats, exposed=exposed("dealer 6H")), options)
    assert dealer["outcome"] == "void"


def test_tcw_14_the_window_may_reach_until_the_decisions() -> None:
    faces = exposed("dealer 6H", when="decisions")
    record = whist(seats=PLAYED, exposed=faces)
    result = judged(record)
    found = finding(result, "dealer-card-shown-early")
    assert (found["rule"], result["outcome"]) == ("TCW-10", "complete")
    longer = '[three-card-whist.misdeal]\nwindow = "until-decisions"'
    assert judged(record, longer)["outcome"] == "void"


def test_tcw_14_the_first_threshold_reached_is_the_one_told() -> None:
    faces = exposed("seat-1 2C", "dealer 6D", "seat-2 3C")
    assert finding(judged(whist(None, "", UNPLAYED, exposed=faces)), "misdeal")["spot"] == "dealer"
    faces = exposed("seat-1 2C", "seat-2 3C", "dealer 6D")
    assert finding(judged(whist(None, "", UNPLAYED, exposed=faces)), "misdeal")["spot"] == "seat-2"


@pytest.mark.parametrize(
    ("more", "note"),
    [
        ({"paid": {"ante": -1000}}, None),
        ({"paid": {"ante": 0}}, "nothing"),
        ({"plays": ["9H"]}, "played-on"),
    ],
)
def test_tcw_14_a_void_hand_is_neither_played_on_nor_settled(more: Json, note: str | None) -> None:
    seats = {"1": {"wagers": {"ante": 1000}} | more}
    result = judged(whist(None, "", seats, exposed=exposed("dealer 6D")))
    if note == "nothing":
        assert codes(result) == ["misdeal"]
    else:
        assert finding(result, "void-hand-settled").get("note") == note


def test_tcw_14_a_void_round_does_not_also_tell_the_counts_of_the_stopped_deal() -> None:
    seats = {"1": {"wagers": {"ante": 1000}, "hand": [None]}}
    record = whist(None, "", seats, exposed=exposed("dealer 6D"), dealer_cards=1)
    assert codes(judged(record)) == ["misdeal"]
