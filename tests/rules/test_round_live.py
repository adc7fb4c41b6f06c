"""The law: the live reader tells a finding at the first sighting that proves it, and only once."""

import pytest

from rules.cards import Card
from rules.check import judge
from rules.events import (
    Area,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Decision,
    DecisionMade,
    Seat,
    Sighting,
    Spot,
    WagerPlaced,
)
from rules.record_json import record_from_json, record_to_json
from rules.round import Phase, advance, finish
from tests.rules.live import (
    ANTE,
    BONUS,
    C7,
    D8,
    H6,
    PLAY,
    S4,
    codes,
    deal,
    ended,
    follow,
    live_codes,
)
from tests.rules.tables import (
    DEALER,
    DISCARD,
    Player,
    cards,
    hand_of,
    played_at,
    whist_round,
)


def test_tcw_12a_the_alert_fires_with_the_card_that_proves_it() -> None:
    events = [
        *deal(1),
        CardTurned(DEALER, H6),
        CardTurned(hand_of(1), Card.parse("9C")),
        CardTurned(DEALER, C7),
    ]
    state, told = follow(events)
    assert told == []
    sighting = Sighting(CardTurned(hand_of(1), Card.parse("2H")), at=20.0, frame=500)
    state, (alert,) = advance(state, sighting)
    assert (alert.at, alert.frame) == (20.0, 500)
    assert alert.finding.code.value == "failed-to-follow-suit"
    assert alert.finding.proved_by == "2H at trick 2"
    _, again = advance(state, Sighting(CardTurned(DEALER, D8), at=21.0))
    assert again == ()


def test_tcw_12b_a_graver_duty_shown_later_is_told_after_the_first_alert() -> None:
    lead = Card.parse("7S")
    events = [*deal(1), CardTurned(DEALER, H6), CardTurned(hand_of(1), Card.parse("9C"))]
    events += [CardTurned(DEALER, lead), CardTurned(hand_of(1), Card.parse("2S"))]
    events += [CardTurned(DEALER, D8), CardTurned(hand_of(1), Card.parse("2H"))]
    _, told = follow(events)
    assert codes(told) == ["failed-to-trump", "failed-to-follow-suit"]


@pytest.mark.parametrize("in_place", [True, False])
def test_both_ways_to_play_a_card_are_plays(in_place: bool) -> None:
    player = Player(cards("9H 9C 9D"), {ANTE: 1000, PLAY: 1000}, {}, in_place)
    found, (over,) = ended(whist_round(S4, (H6, C7, D8), {1: player}))
    assert found == []
    assert over.record.seats[Seat(1)].plays == cards("9H 9C 9D")
    assert over.result.seats[Seat(1)].due == {ANTE: 1000, PLAY: 3000}
    assert record_from_json(record_to_json(over.record)) == over.record
    assert judge(over.record) == over.result


def test_a_card_moved_face_up_to_where_played_cards_go_is_a_play() -> None:
    events = [*deal(1), CardTurned(DEALER, H6)]
    state, _ = follow([*events, CardMoved(hand_of(1), played_at(1), Card.parse("9H"))])
    assert state.hand(Seat(1)).counted == cards("9H")


def test_tcw_14_a_dealer_card_exposed_in_the_deal_is_a_misdeal_at_once() -> None:
    events = [CardPlaced(hand_of(1), None), CardPlaced(DEALER, H6)]
    state, told = follow(events)
    assert told == [("misdeal", None, 0.5)]
    assert state.void


def test_tcw_14_an_exposure_below_the_threshold_is_told_with_its_length() -> None:
    start = [CardPlaced(hand_of(1), H6), CardPlaced(hand_of(1), None)]
    state, told = follow(start)
    assert told == []
    state, (alert,) = advance(state, Sighting(CardHidden(hand_of(1), H6), at=2.5))
    assert (alert.finding.code.value, alert.finding.seconds) == ("card-exposed", 2.5)


def test_tcw_14_an_exposure_that_lasts_is_told_when_the_deal_is_over() -> None:
    events = deal(1)
    events[0] = CardPlaced(hand_of(1), H6)
    _, told = follow(events)
    assert told == [("card-exposed", 1, 3.0)]


def test_tcw_14_the_second_exposed_player_card_is_the_misdeal() -> None:
    events = [CardPlaced(hand_of(1), H6), CardPlaced(hand_of(2), C7), CardPlaced(DEALER, D8)]
    _, told = follow(events)
    assert told == [("misdeal", 2, 0.5)]


def test_tcw_14_hands_laid_open_after_a_misdeal_are_not_played_on() -> None:
    events = deal(1)
    events[3] = CardPlaced(DEALER, H6)
    events += [CardTurned(hand_of(1), card) for card in cards("9C 2H 3D")]
    state, told = follow(events)
    assert codes(told) == ["misdeal"]
    assert state.hand(Seat(1)).plays == ()
    events += [CardTurned(DEALER, C7), CardTurned(hand_of(1), Card.parse("TC"))]
    _, told = follow(events)
    assert codes(told) == ["misdeal", "void-hand-settled"]


def test_tcw_10_a_dealer_card_shown_and_turned_down_before_the_reveal_was_shown_early() -> None:
    events = [*deal(1), CardTurned(DEALER, H6), CardHidden(DEALER, H6)]
    state, told = follow(events)
    assert codes(told) == ["dealer-card-shown-early"]
    assert (state.phase, state.dealer, state.sequence) == (Phase.DECISIONS, (), ())
    state, told = follow([*events, CardTurned(DEALER, H6), CardTurned(hand_of(1), C7)])
    assert codes(told) == ["dealer-card-shown-early"]
    assert state.dealer == (H6,)


def test_tcw_11_the_reveal_before_an_answer_is_told_once_all_cards_are_out() -> None:
    events = [WagerPlaced(Seat(1), ANTE, Cents(1000)), *deal(1)]
    events += [WagerPlaced(Seat(1), PLAY, Cents(1000)), CardTurned(DEALER, H6)]
    events += [CardTurned(DEALER, C7)]
    assert follow(events)[1] == []  # The answer may have been missed.
    nine_h, nine_c, nine_d = (CardTurned(hand_of(1), card) for card in cards("9H 9C 9D"))
    _, told = follow([*events, nine_h, nine_c, CardTurned(DEALER, D8), nine_d])
    assert told == [("dealer-ahead-of-play", 1, 7.0)]


@pytest.mark.parametrize("missed", range(6))
def test_tcw_11_a_turn_or_an_answer_that_was_missed_accuses_nobody_at_the_end(missed: int) -> None:
    answers = zip((H6, C7, D8), cards("9H 9C 9D"), strict=True)
    acts = [CardTurned(*act) for led, own in answers for act in ((DEALER, led), (hand_of(1), own))]
    state, told = follow([*deal(1), *acts[:missed], *acts[missed + 1 :]])
    assert (told, finish(state, 60.0)[1]) == ([], ())


def test_tcw_11_a_card_before_the_dealers_is_told_once_all_are_out_and_answers_the_first() -> None:
    nine_h, nine_c, nine_d = (CardTurned(hand_of(1), card) for card in cards("9H 9C 9D"))
    events = [*deal(1), nine_h, CardTurned(DEALER, H6)]
    state, told = follow(events)
    assert (told, state.hand(Seat(1)).counted) == ([], cards("9H"))
    rest = [CardTurned(DEALER, C7), nine_c, CardTurned(DEALER, D8), nine_d]
    _, told = follow([*events, *rest])
    assert codes(told) == ["played-out-of-turn"]


def test_tcw_6_cards_that_go_to_the_discard_are_a_fold() -> None:
    state, _ = follow([*deal(1), CardMoved(hand_of(1), DISCARD, None)])
    assert state.hand(Seat(1)).decision is Decision.FOLD


def test_tcw_7_cards_slid_under_a_side_bet_are_a_fold_and_shown_there_are_the_hand() -> None:
    under = Spot(Area.BONUS, Seat(1))
    events = [
        WagerPlaced(Seat(1), ANTE, Cents(1000)),
        WagerPlaced(Seat(1), BONUS, Cents(500)),
        *deal(1),
        *[CardMoved(hand_of(1), under, None) for _ in range(3)],
        *[CardTurned(DEALER, card) for card in (H6, C7, D8)],
        *[CardTurned(under, card) for card in cards("2H 9H KH")],
    ]
    state, told = follow(events)
    assert told == []
    assert state.hand(Seat(1)).decision is Decision.FOLD
    _, (over,) = ended(events)
    assert over.result.seats[Seat(1)].due == {ANTE: -1000, BONUS: 1500}


def test_tcw_7_cards_placed_face_down_under_a_side_bet_are_a_fold_too() -> None:
    under = Spot(Area.RNB, Seat(1))
    state, _ = follow([*deal(1), CardRemoved(hand_of(1), None), CardPlaced(under, None)])
    assert state.hand(Seat(1)).decision is Decision.FOLD


def test_cards_swept_to_the_discard_after_the_plays_are_no_fold() -> None:
    events = [*deal(1), CardTurned(DEALER, H6), CardTurned(hand_of(1), Card.parse("9H"))]
    state, _ = follow([*events, CardMoved(hand_of(1), DISCARD, Card.parse("9H"))])
    assert state.hand(Seat(1)).decision is None


def test_a_fold_told_by_the_feed_is_one() -> None:
    state, _ = follow([*deal(1), DecisionMade(Seat(1), Decision.FOLD)])
    assert state.hand(Seat(1)).decision is Decision.FOLD
    state, _ = follow([*deal(1), DecisionMade(Seat(1), Decision.RAISE)])
    assert state.hand(Seat(1)).decision is None


def test_tcw_15_a_play_taken_back_before_the_next_dealer_card_is_put_right() -> None:
    events = [*deal(1), CardTurned(DEALER, H6), CardTurned(hand_of(1), Card.parse("9C"))]
    events += [CardHidden(hand_of(1), Card.parse("9C")), CardTurned(hand_of(1), Card.parse("9H"))]
    state, told = follow(events)
    assert codes(told) == ["failed-to-follow-suit"]
    assert state.hand(Seat(1)).counted == cards("9H")
    events += [CardTurned(DEALER, C7), CardTurned(hand_of(1), Card.parse("9C"))]
    events += [CardTurned(DEALER, D8), CardTurned(hand_of(1), Card.parse("9D"))]
    found, (over,) = ended(events)
    assert live_codes(found) == ["failed-to-follow-suit"]
    assert found[0].finding.note == "put-right"
    assert over.result.seats[Seat(1)].status.value == "settled"


def test_tcw_15_a_card_laid_down_again_is_the_same_play() -> None:
    nine = Card.parse("9H")
    events = [*deal(1), CardTurned(DEALER, H6), CardTurned(hand_of(1), nine)]
    state, _ = follow([*events, CardHidden(hand_of(1), nine), CardTurned(hand_of(1), nine)])
    assert state.hand(Seat(1)).corrections == ()
    assert state.hand(Seat(1)).counted == (nine,)


def test_tcw_15_a_card_laid_on_the_play_spot_can_be_taken_back_to_the_hand() -> None:
    club, heart = cards("9C 9H")
    events = [*deal(1), CardTurned(DEALER, H6), CardPlaced(played_at(1), club)]
    events += [CardMoved(played_at(1), hand_of(1), club), CardPlaced(played_at(1), heart)]
    state, _ = follow(events)
    assert state.hand(Seat(1)).counted == (heart,)


def test_cards_turned_up_after_the_last_answer_are_not_plays() -> None:
    player = Player(cards("9H 9C 9D"), {}, {}, in_place=False)
    events = list(whist_round(S4, (H6, C7, D8), {1: player}))[:-4]
    events += [CardTurned(hand_of(1), card) for card in cards("9H 9C 9D")]
    state, told = follow(events)
    assert told == []
    assert state.hand(Seat(1)).counted == cards("9H 9C 9D")


def test_a_seat_with_only_a_bonus_shows_its_cards_without_playing() -> None:
    events = [WagerPlaced(Seat(1), BONUS, Cents(500)), *deal(1), CardTurned(DEALER, H6)]
    events += [CardTurned(hand_of(1), card) for card in cards("9C 2H 3D")]
    state, told = follow(events)
    assert (told, state.hand(Seat(1)).plays) == ([], ())
