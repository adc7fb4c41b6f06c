"""The law: what was missed, unread or doubted on the way leaves hands unsure and shifts nothing."""

from rules.cards import Card
from rules.events import (
    UNREADABLE,
    Area,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    FeedBack,
    FeedLost,
    Seat,
    Sighting,
    Spot,
    SpotCleared,
    TableEvent,
)
from rules.games import GAMES
from rules.round import Setting, advance
from tests.rules.live import C7, D8, H6, S4, codes, deal, ended, follow, live_codes
from tests.rules.tables import (
    DEALER,
    DISCARD,
    TRUMP,
    Player,
    cards,
    hand_of,
    played_at,
    whist_round,
)


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
    soon = Sighting(CardTurned(DEALER, H6), 3.5)
    assert follow([*events, soon])[1] == []  # the trump card alone can tell, once it is seen
    _, told = follow([*events, soon, Sighting(CardPlaced(TRUMP, S4), 3.9)])
    assert codes(told) == ["misdeal"]


def test_a_dealer_turn_that_was_missed_does_not_shift_the_answers() -> None:
    events = [*deal(1), CardTurned(hand_of(1), Card.parse("9C")), CardTurned(DEALER, H6)]
    events += [CardTurned(hand_of(1), Card.parse("2H"))]
    _, told = follow(events)
    assert told == []  # Told with the round's end alone: a turn that was missed looks the same.
    _, (over,) = ended(events)
    assert over.record.dealer == (None,)
    assert over.record.loose == ((DEALER, H6),)


def test_a_play_that_was_missed_does_not_shift_the_others() -> None:
    events = [*deal(1), CardTurned(DEALER, H6), CardTurned(DEALER, C7)]
    events += [CardTurned(hand_of(1), Card.parse("2C"))]
    _, (over,) = ended(events)
    assert over.record.seats[Seat(1)].plays == (None,)
    assert over.record.seats[Seat(1)].hand == (Card.parse("2C"), None, None)


def test_a_seat_that_seems_to_catch_up_may_have_played_a_card_that_was_missed() -> None:
    # The answer to the first card was missed, and the last one came before the dealer's third.
    events = [*deal(1), CardTurned(DEALER, Card.parse("9D")), CardTurned(DEALER, H6)]
    events += [CardTurned(hand_of(1), card) for card in cards("9C 5D")]
    _, told = follow(events)
    assert "failed-to-follow-suit" not in codes(told)
    # Which of the two came first stays open; but neither answers the heart with a spade in hand.
    events += [CardTurned(DEALER, D8), CardTurned(hand_of(1), Card.parse("2S"))]
    _, told = follow(events)
    assert codes(told) == ["failed-to-trump", "dealer-ahead-of-play"]
    _, (over,) = ended(events)
    assert over.record.seats[Seat(1)].plays == (None, None, Card.parse("2S"))
    told_last = over.result.findings[0]
    assert (told_last.trick, told_last.lead, told_last.played) == (2, H6, None)


def test_a_card_that_moves_in_the_deal_counts_where_it_goes() -> None:
    events = [*deal(1), *(CardTurned(DEALER, card) for card in (H6, C7, D8))]
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


def test_a_card_after_an_unread_play_may_be_that_play_read_at_last() -> None:
    # The clubs were played first and not read; the last play was missed; then the clubs are read.
    events = [*deal(1), CardTurned(DEALER, Card.parse("9S")), CardTurned(hand_of(1), UNREADABLE)]
    events += [CardTurned(DEALER, C7), CardTurned(hand_of(1), Card.parse("9H"))]
    events += [CardTurned(DEALER, D8), CardTurned(hand_of(1), Card.parse("6C"))]
    _, told = follow(events)
    assert codes(told) == ["unreadable"]


def test_the_order_in_which_cards_are_swept_says_nothing() -> None:
    player = Player(cards("9H 9C 9D"), {}, {})
    played = list(whist_round(S4, (H6, C7, D8), {1: player}))
    told = [Sighting(event, place / 2) for place, event in enumerate(played)]
    last = told[-1].at
    swept = [
        Sighting(CardRemoved(TRUMP, S4), last + 2.0),
        Sighting(CardRemoved(DEALER, H6), last + 1.2),
        Sighting(SpotCleared(DEALER), last + 1.2),
    ]
    state, found = follow([*told, *swept])
    assert (codes(found), state.gaps) == ([], ())


def test_two_unreadable_cards_exposed_at_one_seat_are_told_as_one() -> None:
    once: list[TableEvent] = [
        CardPlaced(hand_of(1), UNREADABLE),
        CardHidden(hand_of(1), UNREADABLE),
    ]
    dealt = [CardPlaced(hand_of(1), None), *[CardPlaced(DEALER, None)] * 3]
    events: list[TableEvent] = [*once, *once, *dealt]
    found, _ = ended(events, Setting(GAMES["tri-card-poker"]))
    assert live_codes(found).count("card-exposed") == 1


def test_a_round_of_which_something_was_told_is_told_as_a_round() -> None:
    seen: list[TableEvent] = [CardPlaced(DEALER, None), FeedLost("covered"), FeedBack()]
    found, rounds = ended([*seen, SpotCleared(DEALER)])
    assert live_codes(found) == ["feed-gap"]
    assert [over.result.findings[0].code.value for over in rounds] == ["feed-gap"]
