"""The law: a record says what was seen of a round, each card where it is certain, and no more."""

import json

import pytest

from rules.events import (
    CardPlaced,
    CardTurned,
    Cents,
    FeedBack,
    FeedLost,
    Seat,
    TableEvent,
    WagerPlaced,
)
from rules.record_json import record_to_json
from rules.round_record import record_of
from tests.rules.live import ANTE, BONUS, C7, D8, H6, PLAY, S4, deal, ended, follow
from tests.rules.tables import DEALER, Player, cards, hand_of, whist_round


def turned(dealer: str, seat: str) -> list[TableEvent]:
    """Return cards turned in place: the dealer's, and then those of seat 1."""
    return [
        *(CardTurned(DEALER, card) for card in cards(dealer)),
        *(CardTurned(hand_of(1), card) for card in cards(seat)),
    ]


IN_TURN = [*turned("6H", "9H"), *turned("7C", "9C"), *turned("8D", "9D")]
FOUR_FOR_THE_DEALER = [*deal(1)[:-1], CardPlaced(DEALER, None), deal(1)[-1]]
SEEN: list[tuple[list[TableEvent], str]] = [
    (
        [*FOUR_FOR_THE_DEALER, *IN_TURN],
        '"dealer": ["6H", "7C", "8D"], "seats": {"1": {"decision": "play", '
        '"hand": ["9H", "9C", "9D"], "plays": ["9H", "9C", "9D"]}}, "dealer_cards": 4, '
        '"sequence": ["dealer", "seat-1", "dealer", "seat-1", "dealer", "seat-1"]',
    ),
    (
        [*deal(1), *turned("6H", "9H KS")],
        '"dealer": ["6H"], "seats": {"1": {"decision": "play", "hand": ["9H", "KS", null], '
        '"plays": [null, null]}}, "sequence": ["dealer", "seat-1", "seat-1"]',
    ),
    (
        [*deal(1), *turned("6H", "9H"), *turned("7C 8D", "KS 2C")],
        '"dealer": ["6H", "7C", "8D"], "seats": {"1": {"decision": "play", '
        '"hand": ["9H", "KS", "2C"], "plays": ["9H", null, null]}}, '
        '"sequence": ["dealer", "seat-1", "dealer", "dealer", "seat-1", "seat-1"]',
    ),
    (
        [*deal(1), FeedLost("covered"), FeedBack(), *turned("6H", "9H KS")],
        '"seats": {"1": {"gap": true}}, "loose": [{"spot": "dealer", "card": "6H"}, '
        '{"spot": "seat-1", "card": "9H"}, {"spot": "seat-1", "card": "KS"}], '
        '"gaps": [{"seconds": 0.5}]',
    ),
    (
        [WagerPlaced(Seat(1), BONUS, Cents(500)), *deal(1), *turned("6H", "9H KS")],
        '"dealer": ["6H"], "seats": {"1": {"wagers": {"bonus": 500}}}, "sequence": ["dealer"], '
        '"loose": [{"spot": "seat-1", "card": "9H"}, {"spot": "seat-1", "card": "KS"}]',
    ),
]


@pytest.mark.parametrize(("events", "told"), SEEN)
def test_what_is_certain_stands_in_its_place_and_what_is_not_is_loose(
    events: list[TableEvent], told: str
) -> None:
    state, _ = follow(events)
    outline = {"round": "live", "game": "three-card-whist", "trump": "4S"}
    assert record_to_json(record_of(state)) == outline | json.loads(f"{{{told}}}")


def test_a_round_seen_whole_is_written_whole() -> None:
    players = {
        1: Player(cards("9H 9C 9D"), {ANTE: 1000, PLAY: 1000, BONUS: 500}, {ANTE: 1000}),
        2: Player((), {ANTE: 500}, {ANTE: -500}),
        3: Player(cards("2H 3C KD"), {ANTE: 500, PLAY: 500}, {}, in_place=False),
    }
    _, (over,) = ended([*whist_round(S4, (H6, C7, D8), players)])
    written = record_to_json(over.record)
    assert written["seats"] == {
        "1": {
            "wagers": {"ante": 1000, "bonus": 500, "play": 1000},
            "decision": "play",
            "hand": ["9H", "9C", "9D"],
            "plays": ["9H", "9C", "9D"],
            "paid": {"ante": 1000},
        },
        "2": {"wagers": {"ante": 500}, "decision": "fold", "paid": {"ante": -500}},
        "3": {
            "wagers": {"ante": 500, "play": 500},
            "decision": "play",
            "hand": ["2H", "3C", "KD"],
            "plays": ["2H", "3C", "KD"],
            "paid": {},
        },
    }
    assert written["sequence"] == ["dealer", "seat-1", "seat-3"] * 3
    assert set(written) == {"round", "game", "trump", "dealer", "seats", "sequence"}
    (unpaid,) = ended([*whist_round(S4, (H6, C7, D8), {1: Player(cards("9H 9C 9D"))})])[1]
    assert unpaid.record.seats[Seat(1)].paid is None
