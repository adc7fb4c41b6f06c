"""The law: what is seen late, or never, makes no misdeal, no wrong count and no wrong wager."""

from dataclasses import replace

import pytest

from rules.cards import Card
from rules.events import (
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Seat,
    Sighting,
    Spot,
    SpotCleared,
    TableEvent,
    Wager,
    WagerPlaced,
)
from rules.games.whist import WHIST
from rules.reader import FinishedRound, read
from rules.round import LONG_PAUSE, LiveFinding, Setting, advance, finish
from tests.rules.live import C7, D8, H6, S4, codes, deal, follow
from tests.rules.tables import DEALER, DISCARD, TRUMP, cards, clock, hand_of

LATE = Sighting(CardPlaced(DEALER, None), 1.2)


def played_out() -> list[TableEvent]:
    """Return three tricks in which seat 1 follows suit."""
    events: list[TableEvent] = []
    for lead, card in zip((H6, C7, D8), cards("9H 9C 9D"), strict=True):
        events += [CardTurned(DEALER, lead), CardTurned(hand_of(1), card)]
    return events


def read_all(events: list[Sighting]) -> tuple[list[str], list[FinishedRound]]:
    found = list(read(events, Setting(WHIST)))
    told = [one.finding.code.value for one in found if isinstance(one, LiveFinding)]
    return told, [one for one in found if isinstance(one, FinishedRound)]


def test_tcw_14_the_reveal_after_a_dealers_back_seen_late_is_no_misdeal() -> None:
    seen: list[TableEvent] = [*[CardPlaced(hand_of(1), None)] * 3, CardPlaced(TRUMP, S4)]
    before = list(clock(iter(seen)))
    for late in (1.2, before[-1].at + 0.1):  # told of after the trump, or truly seen after it
        back = Sighting(CardPlaced(DEALER, None), late)
        shown = Sighting(CardTurned(DEALER, H6), before[-1].at + 3)
        told, rounds = read_all([*before, back, shown])
        assert "misdeal" not in told
        assert [over.record.dealer for over in rounds] == [(H6,)]


@pytest.mark.parametrize("shown", [CardPlaced(TRUMP, S4), CardMoved(DISCARD, TRUMP, S4)])
def test_tcw_4_a_trump_card_ends_a_deal_of_which_little_was_seen(shown: TableEvent) -> None:
    for before in (deal(1)[:-1], []):
        state, told = follow([*before, shown, CardTurned(DEALER, H6)])
        assert (told, state.trump, state.dealer) == ([], S4, (H6,))


def test_tcw_2_a_back_told_of_late_counts_as_dealt_and_clouds_no_play() -> None:
    missing_one = [event for event in deal(1) if event != CardPlaced(DEALER, None)]
    dealt = [*missing_one[:-1], *[CardPlaced(DEALER, None)] * 2, missing_one[-1]]
    state, told = follow([*dealt, LATE, *played_out()])
    assert (codes(told), state.gaps, state.dealer_dealt) == ([], (), 3)


def test_tcw_2_too_few_cards_are_told_at_the_end_and_not_if_all_three_came_to_light() -> None:
    missing_one = deal(1)
    missing_one.remove(CardPlaced(hand_of(1), None))
    state, told = follow([*missing_one, CardTurned(DEALER, H6)])
    assert told == []
    _, at_the_end = finish(state, 60.0)
    assert [live.finding.code.value for live in at_the_end] == ["wrong-card-count"]
    state, told = follow([*missing_one, *played_out()])
    assert (told, finish(state, 60.0)[1]) == ([], ())


def test_tcw_2_what_lies_at_a_seat_that_did_not_bet_is_no_hand_of_two_cards() -> None:
    bet = WagerPlaced(Seat(1), Wager.ANTE, Cents(500))
    seen = [bet, *[CardPlaced(hand_of(2), None)] * 2, *deal(1), *played_out()]
    assert finish(follow(seen)[0], 60.0)[1] == ()
    at_the_end = finish(follow(seen[1:])[0], 60.0)[1]  # nothing is known of who bet
    assert [live.finding.code.value for live in at_the_end] == ["wrong-card-count"]


@pytest.mark.parametrize("spot", [DEALER, hand_of(1)])
def test_tcw_2_too_many_cards_are_told_once_the_dealers_have_come_up_and_none_proved_imagined(
    spot: Spot,
) -> None:
    one_more = [CardPlaced(spot, None), *deal(1)]
    assert follow([*one_more, *played_out()[:4]])[1] == []
    assert codes(follow([*one_more, *played_out()])[1]) == ["wrong-card-count"]
    state, told = follow([*one_more, *played_out()[:1], CardRemoved(spot, None), *played_out()[1:]])
    assert (told, finish(state, 60.0)[1]) == ([], ())
    swept = [SpotCleared(DEALER), SpotCleared(hand_of(1))]
    assert "wrong-card-count" in codes(
        follow([*one_more, *played_out(), CardRemoved(spot, None), *swept])[1]
    )


def test_tcw_2_cards_taken_up_and_laid_down_again_are_dealt_once() -> None:
    dealt, _ = follow(deal(1))
    seen: list[tuple[TableEvent, float]] = [
        (CardRemoved(hand_of(1), None), 1.0),
        (CardTurned(DEALER, H6), 3.0),
        (CardPlaced(hand_of(1), None), 2.0),  # told of late: it was seen before the dealer's turn
        (CardPlaced(DEALER, None), 2.5),
    ]
    state = dealt
    told: list[LiveFinding] = []
    for event, after in seen:
        state, found = advance(state, Sighting(event, (dealt.last or 0.0) + after))
        told += found
    assert (told, state.gaps) == ([], ())
    assert (state.hand(Seat(1)).dealt, state.dealer_dealt) == (3, 3)


def test_a_wager_before_the_sweep_was_seen_is_of_the_next_round() -> None:
    ante = Sighting(WagerPlaced(Seat(1), Wager.ANTE, Cents(500)), 0.0)
    first = list(clock(iter([*deal(1), *played_out()])))
    again = replace(ante, at=first[-1].at + 1.5)
    swept = [Sighting(SpotCleared(spot), first[-1].at + 1) for spot in (TRUMP, DEALER, hand_of(1))]
    later = [replace(each, at=each.at + 30) for each in first]
    _, rounds = read_all([ante, *first, again, *swept, *later])
    wagered = [over.record.seats[Seat(1)].wagers for over in rounds]
    assert wagered == [{Wager.ANTE: 500}, {Wager.ANTE: 500}]


def test_the_next_deal_on_to_a_hand_half_seen_is_no_proof_against_the_seat() -> None:
    half = [*deal(1), CardTurned(DEALER, H6), CardTurned(hand_of(1), Card.parse("9S"))]
    half += [CardTurned(DEALER, C7), CardTurned(hand_of(1), Card.parse("9C"))]
    # The third trick and the sweep are not seen; then a heart comes up in the next round.
    again = [*deal(1), CardTurned(DEALER, D8), CardTurned(hand_of(1), Card.parse("JH"))]
    found = list(read(clock(iter([*half, *again])), Setting(WHIST)))
    told = [one.finding.code.value for one in found if isinstance(one, LiveFinding)]
    rounds = [one.record for one in found if isinstance(one, FinishedRound)]
    assert told == ["feed-gap"]
    assert [record.dealer for record in rounds] == [(H6, C7), (D8,)]


def test_tcw_14_a_reveal_after_a_deal_half_seen_stood_still_is_no_misdeal() -> None:
    """A back and the trump card were missed: the first turn comes seconds after the last card."""
    assert LONG_PAUSE <= 2
    dealt = deal(1)[:-1]
    dealt.remove(CardPlaced(hand_of(1), None))
    sightings = clock(iter(dealt))
    last = sightings[-1].at
    for pause, told in ((LONG_PAUSE - 0.1, ["misdeal"]), (LONG_PAUSE, ["feed-gap"])):
        turned = Sighting(CardTurned(DEALER, H6), last + pause)
        assert codes(follow([*sightings, turned])[1]) == told
