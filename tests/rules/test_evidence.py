"""The law: doubted, missing and unreadable evidence makes a hand unsure and is never a breach."""

import json

import pytest

from rules.check import BadLine, check_json, check_lines, judge, result_line, result_to_json
from rules.errors import RecordFormatError
from rules.house import default_house
from rules.record_json import record_from_json
from rules.result import Result
from tests.rules.records import Json, codes, finding, judged, seat, verdicts, whist

GOOD = {"1": seat("9H 9C 9D")}
BREACH = whist(seats={"1": seat("9C 2H 9D")})


def test_com_2_a_card_in_two_hands_is_doubted_in_both() -> None:
    result = judged(whist(seats={"1": seat("9C 2H 9D"), "2": seat("TH 2H TD")}))
    found = finding(result, "card-seen-twice")
    assert (found["rule"], found["card"], found["places"]) == ("COM-2", "2H", ["seat-1", "seat-2"])
    assert found["severity"] == "medium"
    assert [one["status"] for one in result["seats"].values()] == ["unsure", "unsure"]
    assert codes(result) == ["card-seen-twice"]


@pytest.mark.parametrize(
    ("record", "places"),
    [
        (whist("6H", "6H 7C 8D"), ["dealer", "trump"]),
        (whist(dealer="6H 6H 8D"), ["dealer"]),
        (whist(seats={"1": seat("9C 9C 9D")}), ["seat-1"]),
        (whist(seats={"1": seat(hand=["9C", "9C", None])}), ["seat-1"]),
        (whist(seats={"1": seat("6H")}), ["dealer", "seat-1"]),
        (whist(seats=GOOD, loose=[{"spot": "seat-2", "card": "9H"}]), ["seat-1", "seat-2"]),
        (whist(seats=GOOD, exposed=[{"spot": "seat-2", "card": "9H"}]), ["seat-1", "seat-2"]),
        (whist(seats=GOOD, loose=[{"spot": "discard", "card": "9H"}]), ["seat-1", "discard"]),
    ],
)
def test_com_2_every_pair_of_places_is_found(record: Json, places: list[str]) -> None:
    assert finding(judged(record), "card-seen-twice")["places"] == places


def test_com_2_a_card_played_again_after_a_correction_is_one_card() -> None:
    put_right = [{"trick": 1, "card": "9H"}]
    result = judged(whist(seats={"1": seat("9C 9C 9D", corrections=put_right)}))
    assert "card-seen-twice" not in codes(result)
    twice = judged(whist(seats={"1": seat("9C 9D 9D", corrections=put_right)}))
    assert "card-seen-twice" in codes(twice)


@pytest.mark.parametrize(("confidence", "severity"), [(0.995, "high"), (0.9, "low")])
def test_com_2_the_severity_follows_the_confidence(confidence: float, severity: str) -> None:
    record = whist("6H", "6H 7C 8D", confidence={"6H": confidence})
    assert finding(judged(record), "card-seen-twice")["severity"] == severity


def test_com_2_a_doubted_card_is_told_in_a_void_round_too() -> None:
    exposed = [{"spot": "dealer", "card": "2C"}]
    assert codes(judged(whist("6H", "6H", exposed=exposed))) == ["card-seen-twice", "misdeal"]


def test_com_6_an_unreadable_card_is_told_with_its_place_and_leaves_the_hand_unsure() -> None:
    result = judged(whist(seats={"1": seat("9C ? 9D"), "2": seat("TH TC TD")}))
    found = finding(result, "unreadable")
    assert (found["rule"], found["severity"], found["spot"]) == ("COM-6", "low", "seat-1")
    assert [one["status"] for one in result["seats"].values()] == ["unsure", "settled"]


def test_com_6_an_unread_trump_leaves_open_only_what_depends_on_it() -> None:
    result = judged(whist("?", seats={"1": seat("9H 9C 9D"), "2": seat("TS TC TD")}))
    assert [one["status"] for one in result["seats"].values()] == ["settled", "unsure"]
    assert verdicts(result, 2) == ["open", "legal", "legal"]  # diamonds may be trumps
    assert result["seats"]["2"]["plays"][0]["won"] is None


def test_com_6_a_gap_leaves_the_hands_it_touched_unsure() -> None:
    seats = {"1": seat("9H 9C 9D", gap=True), "2": seat("TH TC TD")}
    result = judged(whist(seats=seats, gaps=[{"seconds": 2.5}, {}]))
    found = finding(result, "feed-gap")
    assert (found["seat"], found["seconds"]) == (None, 2.5)
    assert [one["status"] for one in result["seats"].values()] == ["unsure", "settled"]
    assert result["seats"]["1"]["due"] == {"ante": None, "play": None}
    assert codes(judged(whist(seats={"1": seat("9H 9C 9D", gap=True)}))) == ["feed-gap"]


def test_com_6_a_gap_also_keeps_the_dealer_from_being_ahead_of_a_hand() -> None:
    order = ["dealer", "dealer", "seat-1", "dealer"]
    seats = {"1": seat("9H 9C 9D", gap=True)}
    assert codes(judged(whist(seats=seats, sequence=order))) == ["feed-gap"]


def test_com_3_more_known_cards_than_a_hand_has_are_a_wrong_count() -> None:
    result = judged(whist(seats={"1": seat("9H 9C 9D", hand=["2H", None, None])}))
    assert finding(result, "wrong-card-count")["found"] == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "baccarat"}, "game: found 'baccarat', expected one of three-card-whist"),
        (
            {"seats": {"1": {"wagers": {"pair-plus": 5}}}},
            "seats.1.wagers: found 'pair-plus', expected one of ante, play, bonus, rnb",
        ),
        ({"seats": {"1": {"decision": "raise"}}}, "expected play or fold in three-card-whist"),
    ],
)
def test_what_a_game_does_not_have_is_bad_input(change: Json, message: str) -> None:
    with pytest.raises(RecordFormatError) as told:
        judge(record_from_json(whist() | change))
    assert message in str(told.value)


def test_one_bad_line_is_told_with_its_number_and_the_rest_are_judged() -> None:
    lines = [json.dumps(whist(seats=GOOD)), "", "nonsense", json.dumps(whist(seats=GOOD))]
    found = list(check_lines(lines))
    assert [isinstance(one, Result) for one in found] == [True, False, True]
    assert isinstance(found[1], BadLine)
    assert found[1].number == 3
    assert found[1].problem.startswith("not JSON")
    assert len(list(check_json(lines))) == 2


def test_tcw_15_a_seat_stays_on_watch_for_the_rest_of_the_file_at_its_own_table() -> None:
    line, other = json.dumps(BREACH), json.dumps(BREACH | {"table": "T2"})
    severities = [
        one.findings[0].severity.value
        for one in check_lines([line, other, line, other], default_house())
        if isinstance(one, Result)
    ]
    assert severities == ["high", "high", "critical", "critical"]


def test_lines_are_judged_one_at_a_time() -> None:
    taken = 0

    def endless() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield json.dumps(whist(seats=GOOD))

    results = check_lines(endless())  # type: ignore[arg-type]
    for number in range(1, 4):
        assert isinstance(next(results), Result)
        assert taken == number


def test_the_outcome_is_the_gravest_of_the_seats() -> None:
    unsure, broken, short = seat("9C 9D -"), seat("9C 2H 9D"), seat("TH")
    assert judged(whist(seats={"1": broken, "2": seat("TC - -")}))["outcome"] == "reconstruct"
    assert judged(whist(seats={"1": unsure, "2": short}))["outcome"] == "unsure"
    assert judged(whist(seats={"2": short}))["outcome"] == "incomplete"
    assert judged(whist(seats=GOOD))["outcome"] == "complete"


def test_a_result_is_plain_json() -> None:
    text = json.dumps(result_to_json(judge(record_from_json(BREACH))))
    assert json.loads(text)["seats"]["1"]["due"] is None


@pytest.mark.parametrize(
    "record",
    [
        BREACH | {"round": 'a "round"\\\n\u2028쓰리\x7f'},
        whist(seats={"1": seat("9C - ?"), "6": {"decision": "fold", "wagers": {"ante": 5}}}),
        whist(seats={"2": seat("9C 2H 9D") | {"corrections": [{"trick": 1, "card": "2H"}]}}),
        whist("?", "? - 3D", {"1": {"wagers": {"ante": 5, "rnb": 5}, "gap": True}}),
        {"round": "r", "game": "vegas-three-card-rummy", "seats": {"1": {"hand": ["AS", "2S"]}}},
        {"round": "r", "game": "tri-card-poker", "seats": {"1": {"wagers": {"pair-plus": 5}}}},
    ],
)
def test_a_line_is_written_as_json_writes_it(record: Json) -> None:
    line = result_line(judge(record_from_json(record)))
    assert line == json.dumps(json.loads(line), ensure_ascii=False)


def test_a_seat_that_went_on_without_any_card_seen_is_incomplete() -> None:
    one = judged(whist(seats={"1": {"decision": "play"}}))["seats"]["1"]
    assert (one["status"], one["due"]) == ("incomplete", {})
