"""The law: one card missed, put away late or read at last accuses nobody of anything."""

from collections.abc import Sequence

from rules.events import (
    UNREADABLE,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    PayoutMade,
    Seat,
    Sighting,
    SpotCleared,
    TableEvent,
    Wager,
    WagerPlaced,
)
from rules.round import advance, finish, record_of, starts_next
from tests.rules.live import C7, D8, H6, S4, codes, deal, ended, follow
from tests.rules.tables import DEALER, DISCARD, TRUMP, cards, hand_of

BACK = CardPlaced(DEALER, None)


def lead(card: str) -> TableEvent:
    (face,) = cards(card)
    return CardTurned(DEALER, face)


def answer(card: str, seat: int = 1) -> TableEvent:
    (face,) = cards(card)
    return CardTurned(hand_of(seat), face)


def tricks(seat: int = 1) -> list[TableEvent]:
    """Return three tricks in which a seat follows suit."""
    pairs = (("6H", "9H"), ("7C", "9C"), ("8D", "9D"))
    return [act for led, card in pairs for act in (lead(led), answer(card, seat))]


def all_codes(events: Sequence[TableEvent]) -> list[str]:
    """Return what is told live and at the end of the round."""
    state, told = follow(events)
    return [*codes(told), *(live.finding.code.value for live in finish(state, 90.0)[1])]


def test_tcw_11_a_card_that_could_not_be_read_and_is_read_at_last_is_no_second_card() -> None:
    unread, read = CardTurned(hand_of(1), UNREADABLE), answer("9H")
    seen = [*tricks()[:1], unread, read, *tricks()[2:5]]
    assert set(all_codes([*deal(1), *seen])) == {"unreadable"}
    assert set(all_codes([*deal(1), *seen, answer("9D")])) <= {"unreadable"}


def test_tcw_12b_an_unread_play_read_at_last_before_the_third_card_accuses_nobody() -> None:
    # The king was read only after the third lead; the seven is the answer to that lead.
    seen = [lead("7D"), CardTurned(hand_of(1), UNREADABLE), lead("4D"), answer("5H")]
    events = [*deal(1)[:-1], CardPlaced(TRUMP, cards("TH")[0]), *seen, lead("3H")]
    events += [answer("KH"), answer("7C")]
    assert set(all_codes(events)) == {"unreadable"}
    assert record_of(follow(events)[0]).seats[Seat(1)].plays == (None, None, None)


def test_tcw_12a_an_unread_lead_read_at_last_before_the_third_card_accuses_nobody() -> None:
    seen = [CardTurned(DEALER, UNREADABLE), answer("AD"), lead("JH"), answer("5H")]
    events = [*deal(1), *seen, lead("8D"), lead("KH"), answer("8H")]
    assert set(all_codes(events)) == {"unreadable"}
    assert record_of(follow(events)[0]).dealer == (None, None, None)


def test_tcw_12a_an_answer_to_a_lead_that_was_missed_is_not_judged_by_the_next_one() -> None:
    flash: list[TableEvent] = [
        CardTurned(hand_of(1), cards("9S")[0]),
        CardHidden(hand_of(1), cards("9S")[0]),
    ]
    dealt = [*deal(1)[:-1], *flash, CardPlaced(TRUMP, cards("6D")[0])]
    # The ace of hearts, led first, was not seen: the jack answered it.
    seen = [answer("JH"), lead("3S"), answer("9S"), lead("TH"), answer("4D")]
    assert all_codes([*dealt, *seen]) == ["card-exposed"]


def test_tcw_12a_a_fold_that_is_told_of_late_hides_no_breach() -> None:
    state, _ = follow([*deal(1, 2), CardMoved(hand_of(2), DISCARD, None)])
    at = state.last or 0.0
    late = Sighting(CardMoved(hand_of(2), DISCARD, None), at + 0.5)
    acts = [lead("6H"), answer("9C"), lead("7C"), answer("9H")]
    seen = [Sighting(act, at + 2.0 + place) for place, act in enumerate(acts)]
    told = []
    for sighting in (seen[0], late, *seen[1:]):
        state, found = advance(state, sighting)
        told += [live.finding.code.value for live in found]
    assert told == ["failed-to-follow-suit"]


def test_tcw_14_a_back_that_is_not_there_in_the_last_trick_begins_no_deal() -> None:
    two_seats = [*deal(1, 2), lead("6H"), answer("9H"), answer("TH", 2), lead("7C"), answer("9C")]
    two_seats += [answer("TC", 2), lead("8D"), answer("9D")]
    state, again = follow(two_seats)[0], Sighting(BACK, 60.0)
    assert not starts_next(state, again)
    state, told = follow([*two_seats, BACK, answer("TD", 2)])
    assert (set(codes(told)), state.dealer) == ({"feed-gap"}, (H6, C7, D8))
    answered = [*two_seats, answer("TD", 2)]
    assert not starts_next(follow([*answered, BACK, CardRemoved(DEALER, None)])[0], again)
    for card in (BACK, CardPlaced(hand_of(1), None)):
        assert starts_next(follow([*answered, card])[0], again)


def test_a_back_that_is_not_there_after_the_last_trick_leaves_the_payouts_to_the_round() -> None:
    bet = WagerPlaced(Seat(1), Wager.ANTE, Cents(500))
    paid = PayoutMade(Seat(1), Wager.ANTE, Cents(500))
    swept = [SpotCleared(spot) for spot in (DEALER, hand_of(1), TRUMP)]
    found, rounds = ended([bet, *deal(1), *tricks(), BACK, paid, CardRemoved(DEALER, None), *swept])
    assert (found, [over.record.seats[Seat(1)].paid for over in rounds]) == (
        [],
        [{Wager.ANTE: 500}],
    )


def test_a_back_that_is_not_there_ends_no_round_though_a_seat_has_bet_again() -> None:
    bets = [WagerPlaced(Seat(seat), Wager.ANTE, Cents(500)) for seat in (1, 2)]
    paid = [PayoutMade(Seat(seat), Wager.ANTE, Cents(500)) for seat in (1, 2)]
    played = [*deal(1, 2), lead("6H"), answer("9H"), answer("TH", 2), lead("7C"), answer("9C")]
    played += [answer("TC", 2), lead("8D"), answer("9D"), answer("TD", 2)]
    state, _ = follow([*bets, *played, paid[0], bets[0]])
    assert state.upcoming
    assert not starts_next(state, Sighting(BACK, 60.0))


def test_tcw_14_the_reveal_after_a_fold_when_the_trump_was_missed_is_no_misdeal() -> None:
    folded: list[TableEvent] = [CardMoved(hand_of(1), DISCARD, None)] * 3
    assert all_codes([*deal(1)[:-1], *folded, lead("6H"), lead("7C")]) == []


def test_tcw_2_a_back_that_was_not_there_and_goes_in_the_deal_is_not_counted() -> None:
    gone: list[TableEvent] = [BACK, CardRemoved(DEALER, None)]
    assert all_codes([*deal(1)[:2], *gone, *deal(1)[2:], *tricks()[:1]]) == []
    four: list[TableEvent] = [*[CardPlaced(hand_of(1), None)] * 4, CardRemoved(hand_of(1), None)]
    assert all_codes([*four, *[BACK] * 3, CardPlaced(TRUMP, S4), *tricks()[:1]]) == []
    taken_up = [*deal(1)[:-1], CardRemoved(hand_of(1), None), CardPlaced(TRUMP, S4)]
    assert all_codes([*taken_up, lead("6H")]) == []


def test_tcw_2_a_back_that_was_out_of_sight_till_after_the_deal_counts_as_dealt() -> None:
    for place in (0, 1):
        missing = [act for number, act in enumerate(deal(1)) if number != place]
        assert all_codes([*missing, deal(1)[place], lead("6H")]) == []
    laid_again: list[TableEvent] = [
        CardRemoved(hand_of(1), None),
        CardPlaced(hand_of(1), None),
        BACK,
    ]
    assert follow([*deal(1), *laid_again])[0].dealer_dealt == 3
