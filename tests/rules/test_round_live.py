"""The law: the live reader tells a finding at the first sighting that proves it, and only once."""

from collections.abc import Iterable

import pytest

from rules.cards import Card
from rules.check import judge
from rules.events import (
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
from rules.house import parse_house
from rules.reader import FinishedRound, Naming, Reader, read
from rules.record_json import record_from_json, record_to_json
from rules.round import LiveFinding, Phase, Round, Setting, advance, finish, starts_next
from tests.rules.tables import (
    DEALER,
    DISCARD,
    TRUMP,
    Player,
    cards,
    clock,
    hand_of,
    played_at,
    whist_round,
)

S4, H6, C7, D8 = cards("4S 6H 7C 8D")
ANTE, PLAY, BONUS = Wager.ANTE, Wager.PLAY, Wager.BONUS
Told = list[tuple[str, Seat | None, float]]


def follow(
    events: Iterable[TableEvent | Sighting], setting: Setting | None = None
) -> tuple[Round, Told]:
    """Advance a fresh round through events half a second apart; give it and what was told when."""
    state, told = Round(setting or Setting(WHIST)), []
    for place, event in enumerate(events):
        sighting = event if isinstance(event, Sighting) else Sighting(event, place / 2)
        state, found = advance(state, sighting)
        told += [(live.finding.code.value, live.finding.seat, live.at) for live in found]
    return state, told


def codes(told: Told) -> list[str]:
    return [code for code, _, _ in told]


def deal(*seats: int) -> list[TableEvent]:
    """Return the deal of a round of whist to some seats, trump four of spades."""
    events: list[TableEvent] = []
    for _ in range(3):
        events += [CardPlaced(hand_of(seat), None) for seat in seats]
        events.append(CardPlaced(DEALER, None))
    return [*events, CardPlaced(TRUMP, S4)]


def ended(
    events: Iterable[TableEvent], setting: Setting | None = None
) -> tuple[list[LiveFinding], list[FinishedRound]]:
    found = list(read(clock(iter(events)), setting or Setting(WHIST)))
    return (
        [one for one in found if isinstance(one, LiveFinding)],
        [one for one in found if isinstance(one, FinishedRound)],
    )


def live_codes(found: list[LiveFinding]) -> list[str]:
    return [live.finding.code.value for live in found]


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


def test_tcw_11_the_reveal_before_an_answer_is_told_at_that_card() -> None:
    events = [WagerPlaced(Seat(1), ANTE, Cents(1000)), *deal(1)]
    events += [WagerPlaced(Seat(1), PLAY, Cents(1000)), CardTurned(DEALER, H6)]
    _, told = follow([*events, CardTurned(DEALER, C7)])
    assert told == [("dealer-ahead-of-play", 1, 5.0)]


def test_tcw_11_a_card_before_the_dealers_is_told_and_still_answers_the_first() -> None:
    events = [*deal(1), CardTurned(hand_of(1), Card.parse("9H")), CardTurned(DEALER, H6)]
    state, told = follow(events)
    assert told == [("played-out-of-turn", 1, 3.5)]
    assert state.hand(Seat(1)).counted == cards("9H")


def test_tcw_8_an_unequal_play_wager_is_told_once_the_dealer_reveals() -> None:
    events = [WagerPlaced(Seat(1), ANTE, Cents(1000)), *deal(1)]
    events += [WagerPlaced(Seat(1), PLAY, Cents(500))]
    assert follow(events)[1] == []
    _, told = follow([*events, CardTurned(DEALER, H6)])
    assert codes(told) == ["play-wager-not-equal-ante"]


def test_tcw_1_a_wager_after_the_first_card_is_late() -> None:
    events = [
        WagerPlaced(Seat(1), ANTE, Cents(1000)),
        *deal(1),
        WagerPlaced(Seat(1), BONUS, Cents(500)),
    ]
    _, told = follow(events)
    assert codes(told) == ["late-wager"]


def test_a_wager_that_only_repeats_its_amount_is_not_late() -> None:
    wager = WagerPlaced(Seat(1), ANTE, Cents(1000))
    assert follow([wager, *deal(1), wager])[1] == []


def test_a_play_wager_that_grows_after_the_reveal_is_late() -> None:
    events = [WagerPlaced(Seat(1), ANTE, Cents(1000)), *deal(1)]
    events += [WagerPlaced(Seat(1), PLAY, Cents(1000)), CardTurned(DEALER, H6)]
    events += [CardTurned(hand_of(1), Card.parse("9H")), WagerPlaced(Seat(1), PLAY, Cents(1500))]
    _, told = follow(events)
    assert sorted(codes(told)) == ["late-wager", "play-wager-not-equal-ante"]


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


def test_an_unreadable_card_leaves_exactly_that_hand_unsure() -> None:
    events = [*deal(1, 2), CardTurned(DEALER, H6), CardTurned(hand_of(1), UNREADABLE)]
    events += [CardTurned(hand_of(2), Card.parse("9H"))]
    for lead, one, two in zip(cards("7C 8D"), cards("9C 9D"), cards("TC TD"), strict=True):
        events += [CardTurned(DEALER, lead), CardTurned(hand_of(1), one)]
        events += [CardTurned(hand_of(2), two)]
    found, (over,) = ended(events)
    assert live_codes(found) == ["unreadable"]
    statuses = {seat: result.status.value for seat, result in over.result.seats.items()}
    assert statuses == {1: "unsure", 2: "settled"}


def test_an_unreadable_card_that_is_read_later_counts_as_read() -> None:
    heart = Card.parse("9H")
    events = [*deal(1), CardTurned(DEALER, UNREADABLE), CardTurned(DEALER, C7)]
    state, _ = follow([*events, CardTurned(DEALER, D8), CardTurned(DEALER, H6)])
    assert state.dealer == (H6, C7, D8)
    events = [*deal(1), CardTurned(DEALER, H6), CardPlaced(played_at(1), UNREADABLE)]
    state, _ = follow([*events, CardTurned(played_at(1), heart)])
    assert state.hand(Seat(1)).counted == (heart,)
    state, _ = follow([*deal(1)[:-1], CardPlaced(TRUMP, UNREADABLE), CardTurned(TRUMP, S4)])
    assert state.trump == S4


def test_a_feed_gap_touches_the_hands_that_were_not_done() -> None:
    events = [*deal(1), CardTurned(DEALER, H6), FeedLost("covered"), FeedBack()]
    events += [CardTurned(DEALER, C7), CardTurned(hand_of(1), Card.parse("9H"))]
    found, (over,) = ended(events)
    assert live_codes(found) == ["feed-gap"]
    assert found[0].finding.seconds == 0.5
    assert over.result.seats[Seat(1)].status.value == "unsure"
    assert over.record.dealer == (H6,)


def test_a_gap_outside_a_round_or_after_the_last_answer_touches_nothing() -> None:
    player = Player(cards("9H 9C 9D"), {}, {})
    played = list(whist_round(S4, (H6, C7, D8), {1: player}))
    found, (over,) = ended([FeedLost("dark"), FeedBack(), *played[:-4], FeedLost("dark")])
    assert (found, over.result.outcome.value) == ([], "complete")


def test_a_card_event_while_the_camera_is_lost_ends_the_gap() -> None:
    events = [*deal(1), FeedLost("frozen"), FeedLost("frozen"), CardTurned(DEALER, H6), FeedBack()]
    assert codes(follow(events)[1]) == ["feed-gap"]


def test_sightings_out_of_order_leave_the_hands_unsure() -> None:
    events = [*map(Sighting, deal(1), range(1, 9)), Sighting(CardTurned(DEALER, H6), 3.0)]
    state, told = follow(events)
    assert codes(told) == ["feed-gap"]
    assert state.blind


def test_a_round_without_any_card_of_the_dealer_ends_when_the_next_is_dealt() -> None:
    events = [*deal(1), SpotCleared(hand_of(1)), SpotCleared(DEALER), SpotCleared(TRUMP), *deal(1)]
    _, rounds = ended(events)
    assert [over.result.outcome.value for over in rounds] == ["incomplete", "incomplete"]


def test_payouts_are_waited_for_after_the_sweep_and_then_the_round_is_over() -> None:
    player = Player(cards("9H 9C 9D"), {ANTE: 1000, PLAY: 1000}, {})
    events = list(whist_round(S4, (H6, C7, D8), {1: player}))
    state, _ = follow(events)
    assert (state.phase, state.finished) == (Phase.SWEPT, False)
    payouts = [PayoutMade(Seat(1), ANTE, Cents(1500)), PayoutMade(Seat(1), PLAY, Cents(3000))]
    state, told = follow([*events, *payouts])
    assert codes(told) == ["overpaid"]
    assert state.finished


def test_a_payout_that_never_comes_is_told_only_at_the_end() -> None:
    player = Player(cards("9H 9C 9D"), {ANTE: 1000, PLAY: 1000}, {ANTE: 1000})
    events = list(whist_round(S4, (H6, C7, D8), {1: player}))
    assert follow(events)[1] == []
    found, _ = ended(events)
    assert live_codes(found) == ["not-paid"]


def test_without_a_payout_feed_nothing_is_told_of_payouts() -> None:
    player = Player(cards("9H 9C 9D"), {ANTE: 1000, PLAY: 1000}, {})
    found, (over,) = ended(whist_round(S4, (H6, C7, D8), {1: player}))
    assert (found, over.record.seats[Seat(1)].paid) == ([], None)


def test_a_payout_before_any_card_is_of_no_round_here() -> None:
    state, _ = follow([PayoutMade(Seat(1), ANTE, Cents(1000))])
    assert (state.phase, state.hands) == (Phase.EMPTY, {})


def test_the_next_wager_of_a_seat_already_settled_waits_for_the_next_round() -> None:
    player = Player(cards("9H 9C 9D"), {ANTE: 1000, PLAY: 1000}, {ANTE: 1000, PLAY: 3000})
    events = list(whist_round(S4, (H6, C7, D8), {1: player}))
    early = WagerPlaced(Seat(1), ANTE, Cents(2000))
    found, rounds = ended([*events[:-4], early, *events[-4:], *deal(1)])
    assert found == []
    assert [over.record.seats[Seat(1)].wagers[ANTE] for over in rounds] == [1000, 2000]


def test_chips_that_leave_after_the_last_card_change_no_wager() -> None:
    player = Player(cards("9H 9C 9D"), {ANTE: 1000, PLAY: 1000}, {})
    events = list(whist_round(S4, (H6, C7, D8), {1: player}))
    gone = WagerPlaced(Seat(1), ANTE, Cents(0))
    found, (over,) = ended([*events[:-4], gone, *events[-4:], gone])
    assert (found, over.record.seats[Seat(1)].wagers[ANTE]) == ([], 1000)


def test_a_deal_on_to_an_uncleared_table_begins_the_next_round() -> None:
    player = Player(cards("9H 9C 9D"), {}, {})
    events = list(whist_round(S4, (H6, C7, D8), {1: player}))[:-4]
    found, rounds = ended([*events, *deal(1)])
    assert (live_codes(found), len(rounds)) == ([], 2)
    assert rounds[1].record.seats[Seat(1)].hand == ()


def test_a_swept_deal_of_which_nothing_was_learned_is_no_round() -> None:
    found, rounds = ended([CardPlaced(hand_of(1), None), SpotCleared(hand_of(1))])
    assert (found, rounds) == ([], [])


def test_a_card_seen_at_two_seats_is_doubted_at_both() -> None:
    nine = Card.parse("9H")
    events = [*deal(1, 2), CardTurned(DEALER, H6), CardTurned(hand_of(1), nine)]
    _, told = follow([*events, CardTurned(hand_of(2), nine)])
    assert codes(told) == ["card-seen-twice"]


def test_the_severity_of_a_card_seen_twice_follows_the_confidence() -> None:
    nine = Card.parse("9H")
    events = [*deal(1, 2), CardTurned(DEALER, H6), CardTurned(hand_of(1), nine)]
    sure = Sighting(CardTurned(hand_of(2), nine), 9.0, 0.999)
    doubtful = Sighting(CardTurned(hand_of(2), nine), 9.0, 0.8)
    for sighting, severity in ((sure, "high"), (doubtful, "low")):
        state, _ = follow([*(Sighting(e, n / 2) for n, e in enumerate(events))])
        _, (alert,) = advance(state, sighting)
        assert alert.finding.severity.value == severity


def test_two_trump_cards_are_both_not_believed() -> None:
    state, told = follow([*deal(1), CardPlaced(TRUMP, H6)])
    assert state.trump is UNREADABLE
    assert codes(told) == ["unreadable"]
    state, _ = follow([*deal(1), CardPlaced(TRUMP, H6), CardTurned(TRUMP, S4)])
    assert state.trump is UNREADABLE


def test_the_same_sighting_told_twice_counts_once() -> None:
    turn = Sighting(CardTurned(hand_of(1), UNREADABLE), 9.0, 0.9, 225)
    events = [*(Sighting(e, n / 2) for n, e in enumerate([*deal(1), CardTurned(DEALER, H6)]))]
    state, _ = follow([*events, turn, turn])
    assert state.hand(Seat(1)).counted == (UNREADABLE,)


def test_a_trump_card_that_was_not_seen_does_not_make_the_reveal_a_misdeal() -> None:
    events = [Sighting(e, n / 2) for n, e in enumerate(deal(1)[:-1])]
    state, told = follow([*events, Sighting(CardTurned(DEALER, H6), 30.0)])
    assert (told, state.dealer, state.trump) == ([], (H6,), None)
    _, told = follow([*events, Sighting(CardTurned(DEALER, H6), 4.0)])
    assert codes(told) == ["misdeal"]


def test_a_play_wager_shows_that_the_deal_is_over() -> None:
    events = [*deal(1)[:-1], WagerPlaced(Seat(1), PLAY, Cents(1000)), CardTurned(DEALER, H6)]
    assert follow(events)[0].dealer == (H6,)
    events = [*deal(1)[:-1], DecisionMade(Seat(1), Decision.PLAY), CardTurned(DEALER, H6)]
    assert follow(events)[0].dealer == (H6,)


def test_a_dealer_turn_that_was_missed_does_not_shift_the_answers() -> None:
    events = [*deal(1), CardTurned(hand_of(1), Card.parse("9C")), CardTurned(DEALER, H6)]
    events += [CardTurned(hand_of(1), Card.parse("2H"))]
    _, told = follow(events)
    assert codes(told) == ["played-out-of-turn", "played-out-of-turn"]
    _, (over,) = ended(events)
    assert over.record.dealer == (None,)
    assert over.record.loose == ((DEALER, H6),)


def test_a_play_that_was_missed_does_not_shift_the_others() -> None:
    events = [*deal(1), CardTurned(DEALER, H6), CardTurned(DEALER, C7)]
    events += [CardTurned(hand_of(1), Card.parse("2C"))]
    _, (over,) = ended(events)
    assert over.record.seats[Seat(1)].plays == (None,)
    assert over.record.seats[Seat(1)].hand == (Card.parse("2C"), None, None)


def test_a_seat_with_only_a_bonus_shows_its_cards_without_playing() -> None:
    events = [WagerPlaced(Seat(1), BONUS, Cents(500)), *deal(1), CardTurned(DEALER, H6)]
    events += [CardTurned(hand_of(1), card) for card in cards("9C 2H 3D")]
    state, told = follow(events)
    assert (told, state.hand(Seat(1)).plays) == ([], ())


def test_wagers_and_payouts_that_the_game_does_not_have_are_passed_over() -> None:
    state, _ = follow([WagerPlaced(Seat(1), Wager.PAIR_PLUS, Cents(5))])
    assert state.phase is Phase.EMPTY


def test_cards_on_the_discard_and_on_wagers_begin_no_round() -> None:
    state, _ = follow([CardPlaced(DISCARD, H6), CardPlaced(Spot(Area.ANTE, Seat(1)), None)])
    assert state.phase is Phase.EMPTY


def test_the_reader_names_and_dates_the_rounds_and_keeps_the_watch() -> None:
    player = Player(cards("9C 2H 9D"), {}, {})
    script = [*whist_round(S4, (H6, C7, D8), {1: player})]
    naming = Naming(lambda n: f"T1-20261130-{n:04d}", lambda at: f"2026-11-30T00:00:{at:04.1f}Z")
    setting = Setting(WHIST, table="T1")
    found = list(read(clock(iter([*script, *script])), setting, naming))
    rounds = [one for one in found if isinstance(one, FinishedRound)]
    alerts = [one for one in found if isinstance(one, LiveFinding)]
    assert [over.record.round for over in rounds] == ["T1-20261130-0001", "T1-20261130-0002"]
    assert rounds[0].record.started == "2026-11-30T00:00:00.0Z"
    assert rounds[0].record.table == "T1"
    assert [live.finding.severity.value for live in alerts] == ["high", "critical"]


def test_a_finished_round_takes_nothing_more() -> None:
    over, _ = finish(follow([*deal(1), FeedLost("dark")])[0], at=9.0)
    assert over.finished
    assert advance(over, Sighting(CardTurned(DEALER, H6), 10.0)) == (over, ())
    assert starts_next(over, Sighting(CardPlaced(DEALER, None), 10.0))
    assert starts_next(over, Sighting(WagerPlaced(Seat(1), ANTE, Cents(5)), 10.0))
    assert not starts_next(over, Sighting(WagerPlaced(Seat(1), ANTE, Cents(0)), 10.0))


def test_a_seat_that_seems_to_catch_up_may_have_played_a_card_that_was_missed() -> None:
    # The answer to the first card was missed, and the last one came before the dealer's third.
    events = [*deal(1), CardTurned(DEALER, Card.parse("9D")), CardTurned(DEALER, H6)]
    events += [CardTurned(hand_of(1), card) for card in cards("9C 5D")]
    _, told = follow(events)
    assert "failed-to-follow-suit" not in codes(told)
    # Which of the two came first stays open; but neither answers the heart with a spade in hand.
    events += [CardTurned(DEALER, D8), CardTurned(hand_of(1), Card.parse("2S"))]
    _, told = follow(events)
    assert codes(told) == ["dealer-ahead-of-play", "failed-to-trump"]
    _, (over,) = ended(events)
    assert over.record.seats[Seat(1)].plays == (None, None, Card.parse("2S"))
    told_last = over.result.findings[0]
    assert (told_last.trick, told_last.lead, told_last.played) == (2, H6, None)


def test_a_card_that_moves_in_the_deal_counts_where_it_goes() -> None:
    events = [*deal(1), CardTurned(DEALER, H6)]
    slid: list[TableEvent] = [CardPlaced(hand_of(2), None), CardMoved(hand_of(2), hand_of(1), None)]
    _, told = follow([*events[:4], *slid, *events[4:]])
    assert [(code, seat) for code, seat, _ in told] == [("wrong-card-count", 1)]
    pushed: list[TableEvent] = [CardPlaced(DEALER, None), CardMoved(DEALER, DISCARD, None)]
    assert follow([*events[:4], *pushed, *events[4:]])[1] == []
    burned: list[TableEvent] = [CardPlaced(DISCARD, None), CardMoved(DISCARD, DISCARD, None)]
    assert follow([*events[:4], *burned, *events[4:]])[1] == []


def test_after_a_gap_the_dealers_cards_are_known_but_not_their_order() -> None:
    gap: list[TableEvent] = [FeedLost("covered"), FeedBack()]
    events = [*deal(1), CardTurned(DEALER, H6), *gap, CardTurned(DEALER, C7)]
    state, _ = follow([*events, CardTurned(DEALER, UNREADABLE), CardTurned(DEALER, H6)])
    assert state.dealer == (H6,)
    assert state.loose == ((DEALER, C7),)


def test_a_hand_card_read_at_last_takes_the_place_of_the_unread_play() -> None:
    events = [*deal(1), CardTurned(DEALER, H6), CardTurned(hand_of(1), UNREADABLE)]
    for lead, card in ((C7, Card.parse("9C")), (D8, Card.parse("9D"))):
        events += [CardTurned(DEALER, lead), CardTurned(hand_of(1), card)]
    state, _ = follow([*events, CardTurned(hand_of(1), Card.parse("9H"))])
    assert state.hand(Seat(1)).counted == cards("9H 9C 9D")
    shown_twice = [CardTurned(hand_of(1), Card.parse("KS"))] * 2
    state, _ = follow([*events, CardTurned(hand_of(1), Card.parse("9H")), *shown_twice])
    assert state.hand(Seat(1)).shown == cards("KS")


def test_an_exposure_that_is_seen_again_is_the_same_one() -> None:
    events: list[TableEvent] = [CardPlaced(hand_of(1), H6), CardTurned(hand_of(1), H6)]
    state, _ = follow(events)
    assert len(state.exposing) == 1
    hidden: list[TableEvent] = [CardHidden(hand_of(1), H6), CardTurned(hand_of(1), H6)]
    assert len(follow([*events, *hidden])[0].exposing) == 1
    unread: list[TableEvent] = [
        CardPlaced(hand_of(1), UNREADABLE),
        CardTurned(hand_of(1), UNREADABLE),
    ]
    assert len(follow(unread)[0].exposing) == 1


def test_a_dealer_card_turned_down_after_an_answer_stays_turned() -> None:
    events = [*deal(1), CardTurned(DEALER, H6), CardTurned(hand_of(1), Card.parse("9H"))]
    state, told = follow([*events, CardHidden(DEALER, H6)])
    assert (state.dealer, told) == ((H6,), [])


def test_table_limits_are_told_with_the_first_card() -> None:
    house = parse_house("[three-card-whist.limits]\nante = { minimum = 500 }")
    setting = Setting(WHIST, house)
    wager = WagerPlaced(Seat(1), ANTE, Cents(100))
    assert follow([wager], setting)[1] == []
    _, told = follow([wager, CardPlaced(hand_of(1), None)], setting)
    assert codes(told) == ["wager-below-minimum"]


def test_a_deal_on_to_an_emptied_dealers_place_begins_the_next_round() -> None:
    events = [*deal(1), SpotCleared(DEALER), CardPlaced(DEALER, None)]
    _, rounds = ended(events)
    assert len(rounds) == 1
    reader = Reader(Setting(WHIST), Naming())
    for sighting in clock(iter(events)):
        list(reader.see(sighting))
    assert (reader.round.phase, reader.round.miscounted) == (Phase.DEALING, True)


def test_what_moves_after_the_sweep_changes_nothing() -> None:
    player = Player(cards("9H 9C 9D"), {ANTE: 1000, PLAY: 1000}, {})
    events = list(whist_round(S4, (H6, C7, D8), {1: player}))
    state, _ = follow(events)
    after, told = advance(state, Sighting(CardRemoved(DISCARD, None), 99.0))
    assert (after.hands, after.phase, told) == (state.hands, Phase.SWEPT, ())


def test_a_card_taken_up_that_was_not_a_play_changes_no_play() -> None:
    events = [*deal(1), CardTurned(DEALER, H6), CardRemoved(Spot(Area.ANTE, Seat(1)), None)]
    state, told = follow(events)
    assert (state.hand(Seat(1)).plays, told) == ((), [])


def test_a_trump_spot_means_nothing_in_a_game_without_trumps() -> None:
    game = GAMES["tri-card-poker"]
    state, _ = follow([CardPlaced(TRUMP, S4)], Setting(game))
    assert state.trump is None


def test_four_cards_of_the_dealer_are_in_no_certain_order() -> None:
    events = [*deal(1), *[CardTurned(DEALER, card) for card in cards("6H 7C 8D 9D")]]
    found, (over,) = ended(events)
    assert over.record.dealer == (None, None, None, None)
    assert live_codes(found) == ["wrong-card-count"]
