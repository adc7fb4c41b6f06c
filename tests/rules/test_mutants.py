"""The law: what mutation testing could change unnoticed is pinned here, each where it matters."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.cards import Card
from rules.check import MOST_LINE, BadLine, check_lines
from rules.errors import HouseRulesError, RecordFormatError, shown
from rules.events import (
    MAX_CENTS,
    UNREADABLE,
    Area,
    CardEvent,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Decision,
    DecisionMade,
    FeedBack,
    FeedEvent,
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
from rules.findings import Finding, FindingCode, Severity
from rules.fits import check_event_fits
from rules.games.rummy import RUMMY
from rules.games.whist import WHIST
from rules.games.whist_pay import bonus_category
from rules.house import describe_house, parse_house
from rules.record import Gap
from rules.record_json import record_from_json
from rules.round import Phase, Round, Setting, advance, starts_next
from rules.round_deal import DEAL_PAUSE
from rules.round_feed import cloud, see_payout
from rules.schema import round_schema
from rules.wire import event_json, feed_faults, parse_event
from tests.rules.live import ANTE, C7, D8, H6, S4, deal, ended, follow, live_codes
from tests.rules.records import finding, judged, seat, whist
from tests.rules.tables import (
    DEALER,
    TRUMP,
    Player,
    cards,
    hand_of,
    played_at,
    whist_round,
)


def test_tcw_14_a_void_round_tells_its_proof_and_leaves_the_watched_seats_on_watch() -> None:
    exposed = [{"spot": "dealer", "card": "6H"}]
    void = judged(whist(seats={"1": seat(), "2": seat()}, exposed=exposed), watched=(1,))
    assert finding(void, "misdeal")["proved_by"] == "6H face up at dealer"
    assert [one.get("watch") for one in void["seats"].values()] == [True, None]


def test_tcw_b5_without_the_trump_card_only_three_cards_of_one_suit_leave_the_bonus_open() -> None:
    for text in ("2H 9S 5H", "2S 9H 5H", "2H 9H 5S"):
        assert bonus_category([Card.parse(word) for word in text.split()], None) == "none"
    assert bonus_category([Card.parse(word) for word in ("2H", "9H", "5H")], None) is None


def test_tcw_1_a_wager_taken_back_before_the_deal_is_none() -> None:
    placed, taken = (WagerPlaced(Seat(1), ANTE, Cents(amount)) for amount in (1000, 0))
    state, told = follow([placed, taken, *deal(1)])
    assert (state.hand(Seat(1)).wagers, told) == ({Wager.ANTE: 0}, [])


def test_a_minimum_may_equal_the_maximum() -> None:
    limits = "[three-card-whist.limits]\nante = { minimum = 500, maximum = 500 }"
    only = judged(whist(seats={"1": {"wagers": {"ante": 500}}}), limits)
    assert only["findings"] == []


def test_a_line_as_long_as_a_line_may_be_is_judged() -> None:
    line = json.dumps(whist())
    longest, longer = (line + " " * (MOST_LINE - len(line) + more) for more in (0, 1))
    judged_line, refused = check_lines([longest, longer])
    assert not isinstance(judged_line, BadLine)
    assert isinstance(refused, BadLine)


def test_an_own_table_is_confirmed_unless_the_house_says_otherwise() -> None:
    pays = '{ player = "3:1", player-and-dealer = "4:1", player-dealer-and-trump = "5:1" }'
    own = f'[three-card-whist.rnb]\ntable = "own"\npays = {pays}\n'
    assert parse_house(own).options["three-card-whist"].unverified == ()
    doubted = parse_house(f"{own}confirmed = false")
    assert doubted.options["three-card-whist"].unverified == (Wager.RNB,)


EVERY_OPTION = """
[three-card-whist]
reconstruction = { triggers = "follow-suit" }
bonus = { without_ante = false }
[three-card-whist.misdeal]
dealer_cards = 2
player_count_over = "seat"
void = "seat"
window = "until-decisions"
[vegas-three-card-rummy]
bonus = { without_ante = false, after_fold = false }
[tri-card-poker]
tie_break = "highest-card"
"""


def test_the_house_options_are_told_in_these_very_words() -> None:
    shipped, other = (describe_house(parse_house(text)) for text in ("", EVERY_OPTION))
    changed = [pair for pair in zip(shipped[3:], other[3:], strict=True) if pair[0] != pair[1]]
    assert [(one.strip(), two.strip()) for one, two in changed] == [
        ("One exposed dealer card voids the round.", "2 exposed dealer cards void the round."),
        (
            "2 exposed player cards, counted over the whole table, void the round.",
            "2 exposed player cards, counted over one seat, void the hands they belong to.",
        ),
        (
            "Exposures count until the trump card lies face up.",
            "Exposures count until the dealer turns the first card.",
        ),
        (
            "A hand that did not follow suit or did not trump is reconstructed.",
            "A hand that did not follow suit is reconstructed.",
        ),
        ("A Bonus may stand without an Ante.", "A Bonus may not stand without an Ante."),
        ("A Bonus may stand without an Ante.", "A Bonus may not stand without an Ante."),
        ("After a fold the Bonus is still resolved.", "After a fold the Bonus is lost."),
        (
            "Hands of one class are compared by all three cards in order.",
            "Hands of one class are compared by the first card alone; equal ones push.",
        ),
    ]
    paying = [text.split(" pays by table ")[0].strip() for text in shipped if " pays " in text]
    tables = ["Main game", "Bonus", "RnB", "The Raise", "The Bonus", "Pair Plus", "The Ante Bonus"]
    assert paying == tables
    assert "  The dealer qualifies with queen high or better." in shipped
    assert "  An RnB needs: ante or bonus." in shipped


@pytest.mark.parametrize(
    ("pays", "told"),
    [
        ("", "line 1: three-card-whist.main.pays: expected a table with the odds of "),
        (
            "pays = { five = 1 }",
            "line 3: three-card-whist.main.pays.five: not a line of this table (expected ",
        ),
    ],
)
def test_odds_that_an_own_table_lacks_or_should_not_have_are_named(pays: str, told: str) -> None:
    with pytest.raises(HouseRulesError) as found:
        parse_house(f'[three-card-whist.main]\ntable = "own"\n{pays}')
    assert told in str(found.value)
    assert "ante-2, play-2, ante-3, play-3" in str(found.value)


def test_a_line_may_tell_the_least_and_the_most_amounts_that_there_are() -> None:
    for amount, fits in ((-1, False), (0, True), (MAX_CENTS, True), (MAX_CENTS + 1, False)):
        record = whist(seats={"1": {"wagers": {"ante": amount}}})
        (found,) = check_lines([json.dumps(record)])
        assert isinstance(found, BadLine) is not fits


SPOT, ACE = Spot(Area.HAND, Seat(2)), Card.parse("AS")
PUBLISHED: list[tuple[TableEvent, dict[str, object]]] = [
    (CardPlaced(SPOT, ACE), {"kind": "card-placed", "spot": "seat-2", "card": "AS"}),
    (CardTurned(SPOT, ACE), {"kind": "card-turned", "spot": "seat-2", "card": "AS"}),
    (CardHidden(SPOT, ACE), {"kind": "card-hidden", "spot": "seat-2", "card": "AS"}),
    (CardRemoved(SPOT, None), {"kind": "card-removed", "spot": "seat-2", "card": None}),
    (
        CardMoved(SPOT, Spot(Area.DISCARD), UNREADABLE),
        {"kind": "card-moved", "from": "seat-2", "spot": "discard", "card": "?"},
    ),
    (SpotCleared(SPOT), {"kind": "spot-cleared", "spot": "seat-2"}),
    (
        WagerPlaced(Seat(2), Wager.RNB, Cents(500)),
        {"kind": "wager", "seat": 2, "wager": "rnb", "amount": 500},
    ),
    (
        PayoutMade(Seat(2), Wager.RNB, Cents(-500)),
        {"kind": "payout", "seat": 2, "wager": "rnb", "amount": -500},
    ),
    (DecisionMade(Seat(2), Decision.FOLD), {"kind": "decision", "seat": 2, "decision": "fold"}),
    (FeedLost("dark"), {"kind": "feed-lost", "reason": "dark"}),
    (FeedBack(), {"kind": "feed-back"}),
]


@pytest.mark.parametrize(("event", "published"), PUBLISHED)
def test_an_event_is_written_and_read_by_its_published_names(
    event: TableEvent, published: dict[str, object]
) -> None:
    assert event_json(event) == published
    assert parse_event(published) == event


def test_what_was_seen_of_the_next_round_is_told_when_that_round_begins() -> None:
    house = parse_house("[three-card-whist.limits]\nante = { minimum = 500 }")
    played = [*whist_round(S4, (H6, C7, D8), {1: Player(cards("9H 9C 9D"), {}, {})})]
    swept = next(place for place, event in enumerate(played) if isinstance(event, SpotCleared))
    low = WagerPlaced(Seat(2), ANTE, Cents(100))
    found, (over,) = ended(
        [*played[:swept], low, CardPlaced(hand_of(1), None)], Setting(WHIST, house)
    )
    assert live_codes(found) == ["wager-below-minimum"]
    assert over.result.findings == ()


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            WagerPlaced(Seat(1), Wager.RAISE, Cents(5)),
            "wager: found 'raise', expected one of ante, play, bonus, rnb in three-card-whist",
        ),
        (
            PayoutMade(Seat(1), Wager.PAIR_PLUS, Cents(5)),
            "wager: found 'pair-plus', expected one of ante, play, bonus, rnb in three-card-whist",
        ),
        (
            DecisionMade(Seat(1), Decision.RAISE),
            "decision: found 'raise', expected play or fold in three-card-whist",
        ),
    ],
)
def test_what_a_feed_tells_of_another_game_is_refused_in_these_very_words(
    event: FeedEvent, told: str
) -> None:
    with pytest.raises(RecordFormatError) as found:
        check_event_fits(event, WHIST)
    assert str(found.value) == told


def test_only_what_is_raised_once_a_card_is_told_apart_by_spot_and_card() -> None:
    place: dict[str, Any] = {"severity": Severity.HIGH, "spot": SPOT, "card": ACE}
    keys = [
        Finding(FindingCode.CARD_EXPOSED, "TCW-14", **place).key,
        Finding(FindingCode.CARD_EXPOSED, "TCW-14", Severity.HIGH).key,
        Finding(FindingCode.MISDEAL, "TCW-14", **place).key,
    ]
    assert keys == [
        ("card-exposed", None, None, None, "seat-2AS"),
        ("card-exposed", None, None, None, ""),
        ("misdeal", None, None, None, ""),
    ]


def test_a_card_played_twice_out_of_a_hand_that_was_laid_open_is_told() -> None:
    twice = judged(whist(seats={"1": seat("9H 9H 3D", hand=["9H", "2C", "3D"])}))
    assert finding(twice, "card-seen-twice")["places"] == ["seat-1"]


def test_seconds_are_read_from_none_to_less_than_ten_million() -> None:
    times = (0, 9_999_999.5, 10**7, -0.5)
    lines = [json.dumps(whist(gaps=[{"seconds": time}])) for time in times]
    refused = [isinstance(found, BadLine) for found in check_lines(lines)]
    assert refused == [False, False, True, True]


@pytest.mark.parametrize("field", ["exposed", "loose", "gaps", "corrections", "changes"])
def test_the_schema_names_the_fields_of_every_row_that_is_read(field: str) -> None:
    schema = round_schema()
    of_seat = field in schema["$defs"]["seat"]["properties"]
    fields = (schema["$defs"]["seat"] if of_seat else schema)["properties"]
    wrong: dict[str, Any] = {field: [{"?": 1}]}
    record = whist(seats={"1": seat("9H 2C 3D", **wrong)}) if of_seat else whist(**wrong)
    with pytest.raises(RecordFormatError) as told:
        record_from_json(record)
    expected = str(told.value).split("expected ")[1].rstrip(")").split(", ")
    assert expected == list(fields[field]["items"]["properties"])
    named = re.findall('"#/[$]defs/([a-zX]+)"', json.dumps(schema))
    assert set(named) == {"card", "face", "spot", "seat"} == set(schema["$defs"])


def test_the_published_schema_of_a_round_changes_only_on_purpose() -> None:
    pinned = Path(__file__).with_name("round.schema.json").read_text(encoding="utf-8")
    assert round_schema() == json.loads(pinned)


def test_texts_are_read_up_to_their_length_and_no_longer() -> None:
    assert parse_house(f'name = "{"n" * 80}"').name == "n" * 80
    with pytest.raises(HouseRulesError, match="expected a text of 1 to 80 characters"):
        parse_house(f'name = "{"n" * 81}"')
    assert shown("x" * 58) == repr("x" * 58)
    assert shown("x" * 59) == f"'{'x' * 56}..."
    for length, named in ((40, "k" * 40), (41, repr("k" * 41))):
        with pytest.raises(RecordFormatError) as told:
            record_from_json({"round": "a", "game": "g", "seats": {}, "k" * length: 1})
        assert str(told.value).startswith(f"{named}: not a field here")
    with pytest.raises(RecordFormatError, match=r"^the record: found 3, expected an object$"):
        record_from_json(3)


def test_a_good_wager_and_a_good_payout_have_no_faults() -> None:
    for kind in ("wager", "payout"):
        told = {"kind": kind, "seat": 1, "wager": "ante", "amount": 100}
        assert list(feed_faults(told)) == []


def test_a_payout_is_of_the_round_from_the_first_card_on_and_a_gap_until_the_sweep() -> None:
    paid = PayoutMade(Seat(1), ANTE, Cents(500))
    for phase, of_it in ((Phase.BETTING, {}), (Phase.DEALING, {ANTE: 500})):
        assert see_payout(Round(Setting(WHIST), phase=phase), paid).hand(Seat(1)).paid == of_it
    for phase, gaps in ((Phase.BETTING, ()), (Phase.DEALING, (Gap(2.0),)), (Phase.SWEPT, ())):
        assert cloud(Round(Setting(WHIST), phase=phase), Gap(2.0)).gaps == gaps


def test_a_card_dealt_to_a_seat_that_is_done_is_of_the_next_round() -> None:
    events = deal(1, 2)
    for lead, first, second in (cards("6H 9H KH"), cards("7C 9C KC"), cards("8D 9D KD")):
        events += [CardTurned(DEALER, lead), CardTurned(hand_of(1), first)]
        events += [CardTurned(hand_of(2), second)]
    over, open_still = follow(events)[0], follow(events[:-1])[0]
    cases: list[tuple[Round, CardEvent, bool]] = [
        (over, CardPlaced(hand_of(1), None), True),
        (open_still, CardPlaced(hand_of(1), None), True),
        (open_still, CardPlaced(hand_of(2), None), False),
        (over, CardPlaced(hand_of(1), ACE), False),
        (over, CardTurned(hand_of(1), ACE), False),
        (over, CardPlaced(played_at(1), None), False),
        (over, CardPlaced(TRUMP, None), False),
        (follow(events[:-3])[0], CardPlaced(hand_of(1), None), False),
    ]
    for state, event, next_one in cases:
        after, _ = advance(state, Sighting(event, 99.0))
        assert bool(after.upcoming) is next_one
    raising = replace(over, setting=Setting(RUMMY), hands={})
    dealt = Sighting(CardPlaced(hand_of(1), None), 99.0)
    assert advance(raising, dealt)[0].upcoming
    assert not advance(replace(raising, dealer=raising.dealer[:2]), dealt)[0].upcoming


def test_a_dealer_card_turned_a_pause_after_the_last_card_dealt_begins_the_reveal() -> None:
    dealt, _ = follow(deal(1)[:-1])
    last = dealt.placed_at or 0.0
    for pause, reveals in ((DEAL_PAUSE - 0.1, False), (DEAL_PAUSE, True)):
        after, _ = advance(dealt, Sighting(CardTurned(DEALER, H6), last + pause))
        assert bool(after.dealer) is reveals


def test_tcw_15_a_play_put_wrong_is_proved_by_the_card_that_was_put_there() -> None:
    wrong = seat("9H 2C 9H", corrections=[{"trick": 1, "card": "5C", "seen": 1}])
    found = finding(judged(whist("4S", "KH 7D 8D", seats={"1": wrong})), "failed-to-follow-suit")
    assert (found["note"], found["proved_by"]) == ("put-wrong", "5C put right at trick 1")


def test_after_the_sweep_a_card_dealt_or_a_wager_begins_the_next_round() -> None:
    swept = Round(Setting(WHIST), phase=Phase.SWEPT)
    begins: list[tuple[TableEvent, bool]] = [
        (CardPlaced(hand_of(1), None), True),
        (CardPlaced(played_at(1), ACE), False),
        (WagerPlaced(Seat(1), ANTE, Cents(500)), True),
        (WagerPlaced(Seat(1), ANTE, Cents(0)), False),
    ]
    for event, next_one in begins:
        assert starts_next(swept, Sighting(event, 9.0)) is next_one


def test_a_card_seen_after_the_picture_was_lost_ends_the_gap() -> None:
    state, _ = follow([*deal(1), FeedLost("covered"), CardTurned(DEALER, H6)])
    assert (state.lost_at, state.gaps) == (None, (Gap(0.5),))


def test_tcw_15_a_card_moved_back_face_down_into_the_hand_is_the_play_that_lay_there() -> None:
    played = [*deal(1), CardTurned(DEALER, H6), CardPlaced(played_at(1), C7)]
    for face in (None, C7):
        state, _ = follow([*played, CardMoved(played_at(1), hand_of(1), face)])
        assert state.hand(Seat(1)).taken_back


def test_a_card_that_is_turned_again_where_it_was_played_is_played_once() -> None:
    once = [*deal(1), CardTurned(DEALER, H6), CardTurned(hand_of(1), C7)]
    assert follow([*once, CardTurned(hand_of(1), C7)])[0].hand(Seat(1)).counted == (C7,)
