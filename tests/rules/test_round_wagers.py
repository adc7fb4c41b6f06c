"""The law: wagers and payouts belong to their own round, and a round ends when it is over."""

from collections.abc import Mapping
from dataclasses import replace

from rules.cards import Card
from rules.events import (
    Area,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Decision,
    DecisionMade,
    FeedLost,
    PayoutMade,
    Seat,
    Sighting,
    Spot,
    SpotCleared,
    Wager,
    WagerPlaced,
)
from rules.games.whist import WHIST
from rules.house import parse_house
from rules.reader import FinishedRound, Naming, Reader, read
from rules.round import LiveFinding, Phase, Setting, advance, finish, starts_next
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
    TRUMP,
    Player,
    cards,
    clock,
    hand_of,
    whist_round,
)


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


def test_a_play_wager_shows_that_the_deal_is_over() -> None:
    events = [*deal(1)[:-1], WagerPlaced(Seat(1), PLAY, Cents(1000)), CardTurned(DEALER, H6)]
    assert follow(events)[0].dealer == (H6,)
    events = [*deal(1)[:-1], DecisionMade(Seat(1), Decision.PLAY), CardTurned(DEALER, H6)]
    assert follow(events)[0].dealer == (H6,)


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


def test_a_spot_cleared_before_the_deal_sweeps_no_round() -> None:
    state, _ = follow([WagerPlaced(Seat(1), ANTE, Cents(1000)), SpotCleared(hand_of(1))])
    assert state.phase is Phase.BETTING


def test_tcw_14_after_a_misdeal_an_ante_is_of_the_deal_that_begins_anew() -> None:
    placed = WagerPlaced(Seat(1), ANTE, Cents(1000))
    misdealt, told = follow([placed, CardPlaced(hand_of(1), H6), CardPlaced(hand_of(2), C7)])
    assert codes(told) == ["misdeal"]
    anew = WagerPlaced(Seat(1), ANTE, Cents(500))
    state, _ = advance(misdealt, Sighting(anew, 9.0))
    assert ([one.event for one in state.upcoming], state.hand(Seat(1)).wagers[ANTE]) == (
        [anew],
        1000,
    )
    played, _ = advance(misdealt, Sighting(WagerPlaced(Seat(1), PLAY, Cents(1000)), 9.0))
    assert (played.upcoming, played.hand(Seat(1)).wagers[PLAY]) == ((), 1000)


def swept_round(*seats: int) -> list[Sighting]:
    """Return a round that was swept before anything was paid."""
    hands = {1: "9H 9C 9D", 2: "TH TC TD"}
    players = {seat: Player(cards(hands[seat]), {ANTE: 1000, PLAY: 1000}) for seat in seats}
    return clock(whist_round(S4, (H6, C7, D8), players))


def settled(
    found: list[LiveFinding | FinishedRound],
) -> list[dict[Seat, tuple[Mapping[Wager, Cents], Mapping[Wager, Cents] | None]]]:
    rounds = [one.record for one in found if isinstance(one, FinishedRound)]
    return [{seat: (s.wagers, s.paid) for seat, s in record.seats.items()} for record in rounds]


def test_a_wager_of_before_the_first_card_that_is_told_of_later_is_not_late() -> None:
    at_1 = Sighting(WagerPlaced(Seat(1), ANTE, Cents(1000)), 1.0)
    dealt = [Sighting(CardPlaced(hand_of(1), None), at) for at in (2.0, 3.0)]
    assert follow([*dealt, at_1])[1] == []
    assert codes(follow([*dealt, replace(at_1, at=2.0)])[1]) == ["late-wager"]


def test_a_seat_that_bets_again_after_the_sweep_takes_no_payout_from_another() -> None:
    over = swept_round(1, 2)
    paid = [PayoutMade(Seat(seat), ANTE, Cents(1000)) for seat in (1, 2)]
    paid += [PayoutMade(Seat(seat), PLAY, Cents(3000)) for seat in (1, 2)]
    again = WagerPlaced(Seat(1), ANTE, Cents(500))
    told = clock(iter([paid[0], paid[2], again, paid[1], paid[3]]), over[-1].at + 1)
    found = list(read([*over, *told], Setting(WHIST)))
    assert not any(isinstance(one, LiveFinding) for one in found)
    first, second = settled(found)
    whole = ({ANTE: 1000, PLAY: 1000}, {ANTE: 1000, PLAY: 3000})
    assert (first, second) == ({1: whole, 2: whole}, {1: ({ANTE: 500}, {})})


def test_a_payout_of_the_last_round_told_of_in_the_next_deal_is_not_judged_by_it() -> None:
    paid = Sighting(PayoutMade(Seat(1), ANTE, Cents(1000)), 1.0)
    dealt = [Sighting(event, 2.0 + place) for place, event in enumerate(deal(1))]
    for told in ([*dealt, paid], [*dealt[:2], replace(paid, at=4.0), *dealt[2:]]):
        assert follow(told)[0].hand(Seat(1)).paid == {}
    assert follow([*dealt, replace(paid, at=99.0)])[0].hand(Seat(1)).paid == {ANTE: 1000}


def test_a_play_wager_told_of_after_the_sweep_is_of_the_round_that_was_swept() -> None:
    over = swept_round(1)
    place = next(
        n for n, s in enumerate(over) if s.event == WagerPlaced(Seat(1), PLAY, Cents(1000))
    )
    late = over.pop(place)
    following = [replace(sighting, at=sighting.at + 60) for sighting in over]
    first, second = settled(list(read([*over, late, *following], Setting(WHIST))))
    assert first == {1: ({ANTE: 1000, PLAY: 1000}, None)}
    assert second == {1: ({ANTE: 1000}, None)}


def test_a_play_wager_told_of_when_its_round_is_over_is_of_no_round_and_makes_none() -> None:
    over = [s for s in swept_round(1) if not isinstance(s.event, WagerPlaced)]
    late = Sighting(WagerPlaced(Seat(1), PLAY, Cents(1000)), 4.0)
    ante = Sighting(WagerPlaced(Seat(1), ANTE, Cents(500)), over[-1].at + 5)
    assert settled(list(read([*over, late], Setting(WHIST)))) == [{1: ({}, None)}]
    following = [replace(sighting, at=sighting.at + 60) for sighting in over]
    _, second = settled(list(read([*over, ante, late, *following], Setting(WHIST))))
    assert second == {1: ({ANTE: 500}, None)}
    dealing = [Sighting(CardPlaced(hand_of(1), None), 9.0), late]
    assert follow(dealing)[0].hand(Seat(1)).wagers == {}


def test_a_play_wager_told_of_after_what_was_paid_on_it_is_of_the_same_round() -> None:
    over = swept_round(1)
    place = next(
        n for n, s in enumerate(over) if s.event == WagerPlaced(Seat(1), PLAY, Cents(1000))
    )
    late = over.pop(place)
    paid = Sighting(PayoutMade(Seat(1), PLAY, Cents(3000)), over[-1].at + 1)
    found = list(read([*over, paid, late], Setting(WHIST)))
    assert "overpaid" not in [one.finding.code for one in found if isinstance(one, LiveFinding)]
    (only,) = settled(found)
    assert only == {1: ({ANTE: 1000, PLAY: 1000}, {PLAY: 3000})}
