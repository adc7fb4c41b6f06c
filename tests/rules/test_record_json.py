"""The law: a record written is read back the same, and what is not a record is refused plainly."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import PACK, Card
from rules.errors import RecordFormatError
from rules.events import SEATS, UNREADABLE, Area, Cents, Decision, Seat, Spot, Wager
from rules.record import Change, Correction, Exposure, Gap, RoundRecord, SeatRecord, When
from rules.record_json import read_record, record_from_json, record_to_json
from rules.schema import round_schema

cards = st.sampled_from(PACK)
faces = st.one_of(st.none(), st.just(UNREADABLE), cards)
face_lists = st.lists(faces, max_size=4).map(tuple)
amounts = st.integers(0, 10**9).map(Cents)
seconds = st.one_of(st.none(), st.floats(0, 1e6))
texts = st.text(min_size=1, max_size=20)
moments = st.datetimes().map(lambda moment: f"{moment.isoformat()}Z")
spots = st.one_of(
    st.sampled_from([Spot(Area.DEALER), Spot(Area.TRUMP), Spot(Area.DISCARD)]),
    st.builds(Spot, st.sampled_from([Area.HAND, Area.PLAYED, Area.RNB]), st.sampled_from(SEATS)),
)
seat_records = st.builds(
    SeatRecord,
    wagers=st.dictionaries(st.sampled_from(Wager), amounts),
    decision=st.one_of(st.none(), st.sampled_from(Decision)),
    hand=face_lists,
    plays=face_lists,
    paid=st.one_of(
        st.none(), st.dictionaries(st.sampled_from(Wager), st.integers(-999, 999).map(Cents))
    ),
    corrections=st.lists(
        st.builds(Correction, st.integers(1, 3), faces, st.one_of(st.none(), st.integers(0, 3))),
        max_size=2,
    ).map(tuple),
    changes=st.lists(st.builds(Change, st.sampled_from(Wager), amounts, amounts), max_size=2).map(
        tuple
    ),
    gap=st.booleans(),
)
exposures = st.builds(
    Exposure, spots, st.one_of(st.just(UNREADABLE), cards), st.sampled_from(When), seconds
)
records = st.builds(
    RoundRecord,
    round=texts,
    game=texts,
    seats=st.dictionaries(st.sampled_from(SEATS), seat_records, max_size=3),
    table=st.one_of(st.none(), texts),
    trump=faces,
    dealer=face_lists,
    exposed=st.lists(exposures, max_size=2).map(tuple),
    started=st.one_of(st.none(), moments),
    dealer_cards=st.one_of(st.none(), st.integers(0, 9)),
    sequence=st.lists(spots, max_size=3).map(tuple),
    loose=st.lists(st.tuples(spots, cards), max_size=2).map(tuple),
    confidence=st.dictionaries(cards, st.floats(0, 1), max_size=2),
    gaps=st.lists(st.builds(Gap, seconds), max_size=2).map(tuple),
)

CONTRACT = """
{"round": "T1-20261130-0042", "game": "three-card-whist", "table": "T1",
 "trump": "4H", "dealer": ["6D", "5H", "KD"],
 "seats": {"1": {"wagers": {"ante": 1000, "play": 1000, "bonus": 500}, "decision": "play",
                 "hand": ["9S", "5D", "2D"], "plays": ["5D", "2D", "9S"],
                 "paid": {"ante": -1000, "play": -1000, "bonus": -500}}},
 "exposed": [{"spot": "dealer", "card": "6D"}],
 "started": "2026-11-30T05:33:00.000Z"}
"""


@given(records)
def test_a_record_survives_being_written_and_read(record: RoundRecord) -> None:
    assert read_record(json.dumps(record_to_json(record))) == record


def test_the_published_example_is_read_and_written_verbatim() -> None:
    assert record_to_json(read_record(CONTRACT)) == json.loads(CONTRACT)


def test_other_ways_to_write_a_card_are_read() -> None:
    record = record_from_json(
        {"round": "a", "game": "g", "seats": {}, "trump": "10♦", "dealer": ["th", "10S"]}
    )
    assert record.trump == Card.parse("TD")
    assert record.dealer == (Card.parse("TH"), Card.parse("TS"))


def test_what_is_left_out_and_what_is_null_is_unknown() -> None:
    record = record_from_json({"round": "a", "game": "g", "seats": {"1": {}}})
    assert record.seats[Seat(1)] == SeatRecord()
    null = {"decision": None, "paid": None}
    more = {"table": None, "started": None, "dealer_cards": None, "trump": None}
    assert record_from_json({"round": "a", "game": "g", "seats": {"1": null}} | more) == record
    exposed = record_from_json(
        {"round": "a", "game": "g", "seats": {}, "exposed": [{"spot": "dealer", "seconds": None}]}
    )
    assert exposed.exposed == (Exposure(Spot(Area.DEALER), UNREADABLE),)


@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_a_byte_order_mark_before_a_line_says_nothing(mark: str) -> None:
    line = mark + '{"round": "a", "game": "g", "seats": {}}'
    assert read_record(line) == read_record(line.encode()) == RoundRecord("a", "g", {})


@pytest.mark.parametrize(
    "moment", ["2026-11-30T05:33:00Z", "2026-11-30T05:33:00.123456+09:00", None]
)
def test_a_moment_with_its_zone_is_kept_as_it_was_written(moment: str | None) -> None:
    read = record_from_json({"round": "a", "game": "g", "seats": {}, "started": moment})
    assert read.started == moment


def with_seat(**fields: object) -> dict[str, Any]:
    return {"round": "a", "game": "g", "seats": {"1": fields}}


def with_round(**fields: object) -> dict[str, Any]:
    return {"round": "a", "game": "g", "seats": {}} | fields


BAD: list[tuple[object, str]] = [
    ([], "the record: found [], expected an object"),
    ({"round": "a", "game": "g"}, "seats: missing"),
    (with_round(tromp="4H"), "tromp: not a field here (expected round, game"),
    (with_round(round=""), "round: found '', expected a text of 1 to 200 characters"),
    (with_round(started="yesterday"), "started: found 'yesterday', expected an RFC 3339 date"),
    (with_round(started="2026-11-30T05:33:00"), "with its zone"),
    (with_round(started="2026-02-30T05:33:00Z"), "started: found '2026-02-30T05:33:00Z'"),
    (with_round(started="2026-11-30"), "started: found '2026-11-30'"),
    (with_round(started=1780000000), "started: found 1780000000"),
    (with_round(round=7), "round: found 7, expected a text"),
    (with_round(trump="1X"), "trump: not a card: '1X'"),
    (with_round(trump=4), "trump: found 4, expected a card"),
    (with_round(dealer="6D"), "dealer: found '6D', expected a list of at most 60"),
    (with_round(dealer=["6D", "xx"]), "dealer[1]: not a card: 'xx'"),
    (with_round(dealer=[["6D"]]), "dealer[0]: found ['6D'], expected a card"),
    (with_round(dealer=["6D"] * 61), "expected a list of at most 60"),
    (with_round(seats={"7": {}}), "seats.7: not a seat (expected 1 to 6)"),
    (with_round(seats={"1": []}), "seats.1: found [], expected an object"),
    (with_round(exposed=[{"card": "6D"}]), "exposed[0].spot: missing"),
    (with_round(exposed=[{"spot": "seat-9"}]), "exposed[0].spot: not a spot: 'seat-9'"),
    (with_round(exposed=[{"spot": "dealer", "when": "x"}]), "exposed[0].when: found 'x', expected"),
    (
        with_round(exposed=[{"spot": "dealer", "seconds": -1}]),
        "seconds: found -1, expected seconds",
    ),
    (with_round(loose=[{"spot": "dealer", "card": None}]), "loose[0].card: found None, expected a"),
    (with_round(confidence={"6D": 2}), "confidence.6D: found 2, expected a number from 0 to 1"),
    (
        with_round(dealer_cards=True),
        "dealer_cards: found True, expected a whole number from 0 to 52",
    ),
    (with_seat(hands=[]), "seats.1.hands: not a field here (expected wagers, decision"),
    (
        with_seat(decision="stand"),
        "seats.1.decision: found 'stand', expected one of play, raise, fold",
    ),
    (
        with_seat(wagers={"ante": -1}),
        "seats.1.wagers.ante: found -1, expected a whole number from 0",
    ),
    (with_seat(wagers={"ante": 1.5}), "seats.1.wagers.ante: found 1.5, expected a whole number"),
    (with_seat(wagers={"jackpot": 1}), "seats.1.wagers: found 'jackpot', expected one of ante"),
    (with_seat(paid=[]), "seats.1.paid: found [], expected an object"),
    (with_seat(gap="yes"), "seats.1.gap: found 'yes', expected true or false"),
    (
        with_seat(corrections=[{"trick": 4, "card": "6D"}]),
        "corrections[0].trick: found 4, expected",
    ),
    (with_seat(changes=[{"wager": "ante"}]), "seats.1.changes[0].before: missing"),
    (with_round(table="x" * 300), "table: found 'xxx"),
]


@pytest.mark.parametrize(("value", "message"), BAD)
def test_what_is_not_a_record_is_refused_with_the_field(value: object, message: str) -> None:
    with pytest.raises(RecordFormatError) as told:
        record_from_json(value)
    assert message in str(told.value)
    assert len(str(told.value)) < 300


@pytest.mark.parametrize("text", ["", "{", "nonsense", "[" * 100_000, b"\xff\xfe{"])
def test_what_is_not_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(RecordFormatError, match="not JSON"):
        read_record(text)


@given(st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.text()), st.lists))
def test_no_value_ever_fails_otherwise(value: object) -> None:
    for record in (value, {"round": "a", "game": "g", "seats": value}, with_seat(hand=value)):
        try:
            record_from_json(record)
        except RecordFormatError:
            continue


def test_the_schema_names_the_very_fields_that_are_read() -> None:
    schema = round_schema()
    with pytest.raises(RecordFormatError) as told:
        record_from_json({"?": 1, "round": "a", "game": "g", "seats": {}})
    fields = str(told.value).split("expected ")[1].rstrip(")").split(", ")
    assert fields == list(schema["properties"])
    with pytest.raises(RecordFormatError) as told:
        record_from_json(with_seat(unknown=1))
    fields = str(told.value).split("expected ")[1].rstrip(")").split(", ")
    assert fields == list(schema["$defs"]["seat"]["properties"])


@given(records)
def test_the_schema_knows_every_field_that_is_written(record: RoundRecord) -> None:
    schema, written = round_schema(), record_to_json(record)
    assert set(written) <= set(schema["properties"])
    for seat in written["seats"].values():
        assert set(seat) <= set(schema["$defs"]["seat"]["properties"])


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"round": "a", "round": "b", "game": "g", "seats": {}}', "round"),
        ('{"round": "a", "game": "g", "seats": {"1": {"hand": []}, "1": {"hand": []}}}', "1"),
    ],
)
def test_a_field_told_twice_is_refused_instead_of_one_of_them_taken(text: str, field: str) -> None:
    with pytest.raises(RecordFormatError, match=f"^{field}: found twice"):
        read_record(text)


def test_half_a_character_is_refused_since_nothing_can_write_it() -> None:
    with pytest.raises(RecordFormatError, match=r"^round: found .*ud800.*, expected whole"):
        read_record('{"round": "\\ud800", "game": "g", "seats": {}}')


def test_a_byte_order_mark_is_passed_over_and_bytes_of_another_kind_are_told() -> None:
    assert read_record(b'\xef\xbb\xbf{"round": "a", "game": "g", "seats": {}}').round == "a"
    with pytest.raises(RecordFormatError, match="not UTF-8"):
        read_record('{"round": "ä", "game": "g", "seats": {}}'.encode("latin-1"))
