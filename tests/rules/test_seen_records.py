"""The law: a record says what was seen of a round, each card where it is certain, and no more."""

import json

import pytest

from rules.events import (
    CardHidden,
    CardPlaced,
    CardTurned,
    Cents,
    Decision,
    DecisionMade,
    FeedBack,
    FeedLost,
    Seat,
    TableEvent,
    WagerPlaced,
)
from rules.games.rummy import RUMMY
from rules.record_json import record_to_json
from rules.round import Setting
from rules.round_record import record_of
from tests.rules.live import ANTE, BONUS, C7, D8, H6, PLAY, S4, deal, ended, follow
from tests.rules.tables import DEALER, TRUMP, Player, cards, hand_of, whist_round


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


GAP: list[TableEvent] = [FeedLost("covered"), FeedBack()]
KS, H9 = cards("KS 9H")


def written(events: list[TableEvent], part: str, setting: Setting | None = None) -> object:
    """Return a part of the record of what was seen; None where it is left out."""
    return record_to_json(record_of(follow(events, setting)[0])).get(part)


def seat_one(events: list[TableEvent], part: str, setting: Setting | None = None) -> object:
    """Return a part of what the record says of seat 1; None where it is left out."""
    seats = written(events, "seats", setting)
    assert isinstance(seats, dict)
    return seats["1"].get(part)


def test_the_last_card_seen_after_a_gap_is_loose_though_the_dealers_hand_is_whole() -> None:
    before = [*deal(1), *turned("6H", "9H"), *turned("7C", "9C"), *turned("8D", "")]
    events = [*before, *GAP, *turned("", "9D")]
    assert written(events, "dealer") == ["6H", "7C", "8D"]
    assert seat_one(events, "hand") == ["9H", "9C", None]
    assert written(events, "loose") == [{"spot": "seat-1", "card": "9D"}]


def test_a_hand_on_the_bonus_alone_is_known_once_the_dealers_hand_is_whole() -> None:
    bonus = WagerPlaced(Seat(1), BONUS, Cents(500))
    events = [bonus, *deal(1), *turned("6H 7C 8D", "9H KS 2C")]
    assert seat_one(events, "hand") == ["9H", "KS", "2C"]
    assert written(events, "loose") is None


def test_a_folded_hand_laid_open_is_known_before_the_dealers_hand_is_whole() -> None:
    events = [*deal(1), DecisionMade(Seat(1), Decision.FOLD), *turned("6H", "9H KS")]
    assert seat_one(events, "hand") == ["9H", "KS", None]
    assert written(events, "loose") is None


@pytest.mark.parametrize(("dealt", "told"), [(0, None), (1, 1), (2, 2), (3, None), (4, 4)])
def test_tcw_2_a_wrong_count_of_the_dealers_cards_is_written_and_none_at_all_is_not_a_count(
    dealt: int, told: int | None
) -> None:
    to_the_seat: list[TableEvent] = [CardPlaced(hand_of(1), None)] * 3
    to_the_dealer: list[TableEvent] = [CardPlaced(DEALER, None)] * dealt
    events = [*to_the_seat, *to_the_dealer, CardPlaced(TRUMP, S4)]
    assert written(events, "dealer_cards") == told


def test_tcw_2_a_hand_of_four_is_not_counted_where_the_camera_missed_some_of_it() -> None:
    four = [CardPlaced(hand_of(1), None), *deal(1)]
    shown = turned("", "9H")
    fold = DecisionMade(Seat(1), Decision.FOLD)
    assert seat_one([*four, fold, *shown], "hand") == ["9H", None, None, None]
    assert seat_one([*four, *GAP, fold, *shown], "hand") == ["9H", None, None]


def test_the_one_dealer_card_that_comes_up_behind_a_seat_is_certain_and_of_two_neither_is() -> None:
    one = [*deal(1), *turned("6H", "9H KS"), *turned("7C", "")]
    assert written(one, "dealer") == ["6H", "7C"]
    assert written(one, "loose") is None
    two = [*deal(1), *turned("6H", "9H KS 2C"), *turned("7C 8D", "")]
    assert written(two, "dealer") == ["6H", None, None]
    assert written(two, "loose") == [{"spot": "dealer", "card": c} for c in ("7C", "8D")]


def test_tcw_15_a_correction_is_written_where_the_play_that_it_puts_right_is_certain() -> None:
    put_right = [*turned("6H", "KS"), CardHidden(hand_of(1), KS), CardTurned(hand_of(1), H9)]
    events = [*deal(1), *put_right, *turned("7C 8D", "2C KS")]
    assert seat_one(events, "plays") == ["KS", None, None]
    assert seat_one(events, "corrections") == [{"trick": 1, "card": "9H", "seen": 1}]


def test_vtr_2_a_face_up_hand_is_written_while_the_deal_goes_on() -> None:
    assert seat_one([CardPlaced(hand_of(1), H9)], "hand", Setting(RUMMY)) == ["9H", None, None]
    assert seat_one([CardPlaced(hand_of(1), H9)], "hand") is None
