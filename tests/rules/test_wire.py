"""The law: what is written as JSON is read back as the same event, and bad lines are named."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.cards import PACK
from rules.errors import RulesError
from rules.events import (
    SEATS,
    UNREADABLE,
    Area,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Decision,
    DecisionMade,
    FeedBack,
    FeedLost,
    PayoutMade,
    Seat,
    Sighting,
    Spot,
    SpotCleared,
    TableEvent,
    Wager,
    WagerPlaced,
)
from rules.games import GAMES
from rules.games.whist import WHIST
from rules.wire import event_json, parse_event, parse_face, parse_feed_line, sighting_json

SHARED = (Area.DEALER, Area.TRUMP, Area.DISCARD)

spots = st.sampled_from(
    [Spot(area) for area in SHARED]
    + [Spot(area, seat) for area in Area if area not in SHARED for seat in SEATS]
)
up = st.sampled_from([*PACK, UNREADABLE])
faces = st.one_of(st.none(), up)
seats, wagers = st.sampled_from(SEATS), st.sampled_from(list(Wager))
cents = st.integers(-(10**9), 10**9).map(Cents)
events: st.SearchStrategy[TableEvent] = st.one_of(
    st.builds(CardPlaced, spots, faces),
    st.builds(CardTurned, spots, up),
    st.builds(CardHidden, spots, faces),
    st.builds(CardMoved, spots, spots, faces),
    st.builds(CardRemoved, spots, faces),
    st.builds(SpotCleared, spots),
    st.builds(WagerPlaced, seats, wagers, st.integers(0, 10**9).map(Cents)),
    st.builds(PayoutMade, seats, wagers, cents),
    st.builds(DecisionMade, seats, st.sampled_from(list(Decision))),
    st.builds(FeedLost, st.text()),
    st.builds(FeedBack),
)


@given(events)
@example(WagerPlaced(Seat(1), Wager.ANTE, Cents(1000)))
@example(PayoutMade(Seat(1), Wager.ANTE, Cents(-1000)))
@example(DecisionMade(Seat(1), Decision.FOLD))
@example(FeedLost("no frames"))
@example(FeedBack())
def test_an_event_written_and_read_back_is_the_same_event(event: TableEvent) -> None:
    assert parse_event(json.loads(json.dumps(event_json(event)))) == event


@given(spots)
def test_a_spot_written_and_read_back_is_the_same_spot(spot: Spot) -> None:
    assert Spot.parse(str(spot)) == spot


def test_a_sighting_carries_only_what_is_known_of_when_it_was() -> None:
    seen = Sighting(CardTurned(Spot(Area.DEALER), PACK[0]), 9.1234, 0.99987, frame=228)
    assert sighting_json(seen) == {
        "type": "event",
        "kind": "card-turned",
        "spot": "dealer",
        "card": "2S",
        "at": 9.123,
        "confidence": 0.9999,
        "frame": 228,
    }
    assert sighting_json(replace(seen, since=7.5))["hidden_since"] == 7.5
    assert sighting_json(Sighting(FeedBack(), 1.0)).keys() == {"type", "kind", "at", "confidence"}


def test_a_feed_line_tells_a_wager_at_its_time() -> None:
    line = {"at": 1.0, "kind": "wager", "seat": 1, "wager": "ante", "amount": 1000}
    assert parse_feed_line(line, WHIST) == Sighting(
        WagerPlaced(SEATS[0], Wager.ANTE, Cents(1000)), 1.0
    )


GOOD: dict[str, Any] = {"at": 1.0, "kind": "wager", "seat": 1, "wager": "ante", "amount": 1000}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"at": None}, "at:"),
        ({"at": True}, "at:"),
        ({"at": -1}, "at:"),
        ({"at": float("nan")}, "at:"),
        ({"at": float("inf")}, "at:"),
        ({"kind": "gift"}, "kind:"),
        ({"kind": ["wager"]}, "kind:"),
        ({"seat": 0}, "seat:"),
        ({"seat": 7}, "seat:"),
        ({"seat": True}, "seat:"),
        ({"seat": 1.5}, "seat:"),
        ({"seat": [1]}, "seat:"),
        ({"wager": "side"}, "wager:"),
        ({"wager": {}}, "wager:"),
        ({"amount": 10.0}, "amount:"),
        ({"amount": -5}, "amount:"),
        ({"amount": "1000"}, "amount:"),
        ({"amount": 10**30}, "amount:"),
        ({"kind": "decision", "decision": "stay"}, "decision:"),
    ],
)
def test_a_bad_feed_line_names_its_field(change: dict[str, Any], named: str) -> None:
    with pytest.raises(RulesError, match=named):
        parse_feed_line(GOOD | change, WHIST)


@pytest.mark.parametrize(
    ("game", "wrong", "message"),
    [
        (
            "three-card-whist",
            {"wager": "raise"},
            "wager: found 'raise', expected one of ante, play",
        ),
        ("tri-card-poker", {"wager": "ante-bonus"}, "wager: found 'ante-bonus', expected one of"),
        ("vegas-three-card-rummy", {"wager": "ante-bonus", "kind": "payout"}, "wager: found"),
        ("three-card-whist", {"kind": "decision", "decision": "raise"}, "expected play or fold in"),
        ("tri-card-poker", {"kind": "decision", "decision": "play"}, "expected raise or fold in"),
    ],
)
def test_what_the_game_of_the_table_does_not_have_is_no_line_of_its_feed(
    game: str, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(RulesError) as told:
        parse_feed_line(GOOD | wrong, GAMES[game])
    assert message in str(told.value)
    assert str(told.value).endswith(game)


def test_an_ante_bonus_may_be_paid_though_nobody_placed_it() -> None:
    line = GOOD | {"kind": "payout", "wager": "ante-bonus"}
    assert parse_feed_line(line, GAMES["tri-card-poker"]).at == 1.0


@pytest.mark.parametrize("line", [None, 1, "wager", ["wager"]])
def test_a_feed_line_that_is_no_object_is_refused(line: object) -> None:
    with pytest.raises(RulesError, match="expected an object"):
        parse_feed_line(line, WHIST)


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "card-placed", "spot": 3},
        {"kind": "card-placed", "spot": "seat-9"},
        {"kind": "card-placed", "spot": "seat-1.hand"},
        {"kind": "card-turned", "spot": "dealer", "card": None},
        {"kind": "card-moved", "spot": "seat-1"},
        {"kind": "card-placed", "spot": "dealer", "card": 7},
    ],
)
def test_a_bad_card_event_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        parse_event(fields)


@pytest.mark.parametrize("text", ["", "1S", "10", "TDD", "♦", "0D", "tenD"])
def test_a_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(RulesError, match="not a card"):
        parse_face(text)
