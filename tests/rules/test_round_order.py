"""The law: what is told late is put in its place, and what was out of sight accuses nobody."""

from dataclasses import replace
from itertools import permutations

import pytest

from rules.cards import Card
from rules.events import (
    UNREADABLE,
    CardHidden,
    CardMoved,
    CardPlaced,
    CardRemoved,
    CardTurned,
    Cents,
    Seat,
    Sighting,
    SpotCleared,
    TableEvent,
    Wager,
    WagerPlaced,
)
from rules.games.rummy import RUMMY
from rules.round import Setting, advance, finish, record_of
from rules.round_deal import DEAL_PAUSE
from rules.round_order import LATEST
from tests.rules.live import C7, D8, H6, S4, codes, deal, follow
from tests.rules.tables import DEALER, TRUMP, cards, hand_of, played_at

D2, D6, HK = cards("2D 6D KH")
H2, S9 = cards("2H 9S")
DEALT: list[TableEvent] = deal(1)
OVER = len(DEALT) / 2
"""The first moment after the deal, at which the next event of `follow` would come."""


def dealt_at_once() -> list[Sighting]:
    return [Sighting(event, place / 2) for place, event in enumerate(DEALT)]


def turned(face: Card, at: float, since: float | None = None) -> Sighting:
    return Sighting(CardTurned(DEALER, face), at, since=since)


def played(card: Card, at: float, since: float | None = None) -> Sighting:
    return Sighting(CardTurned(hand_of(1), card), at, since=since)


def test_tcw_12a_a_lead_that_was_out_of_sight_while_another_came_up_accuses_nobody() -> None:
    # The king led and was followed; it was seen only after the next card had been turned.
    seen = [turned(C7, 10.0), played(H2, 10.3), turned(HK, 12.0, since=7.0), played(D6, 13.0)]
    seen += [turned(D8, 14.0), played(cards("9C")[0], 15.0)]
    state, told = follow([*dealt_at_once(), *seen])
    assert "failed-to-follow-suit" not in codes(told)
    assert record_of(state).dealer == (None, None, D8)
    assert {card for _, card in record_of(state).loose} == {C7, HK}
    assert finish(state, 60.0)[1] == ()


def test_tcw_12a_a_lead_that_was_seen_to_come_up_in_its_turn_does_accuse() -> None:
    seen = [turned(C7, 10.0), played(H2, 10.3), turned(HK, 12.0, since=11.0), played(S9, 13.0)]
    seen += [turned(D8, 14.0), played(cards("9C")[0], 15.0)]
    assert "failed-to-follow-suit" in codes(follow([*dealt_at_once(), *seen])[1])


def test_tcw_12a_a_lead_told_of_late_may_have_come_after_one_that_was_out_of_sight() -> None:
    seen = [turned(H6, 10.0), played(cards("9H")[0], 10.5), turned(HK, 14.0, since=11.0)]
    seen += [turned(C7, 12.0), played(H2, 12.5), played(D6, 15.0)]
    state, told = follow([*dealt_at_once(), *seen])
    assert (codes(told), finish(state, 60.0)[1], state.gaps) == ([], (), ())
    assert record_of(state).dealer == (H6, None, None)
    assert record_of(state).sequence == ()


def test_tcw_12a_two_answers_of_which_one_was_out_of_sight_accuse_nobody() -> None:
    seen = [turned(C7, 10.0), turned(HK, 12.0), played(H2, 12.5), played(D6, 13.0, since=10.5)]
    state, told = follow([*dealt_at_once(), *seen])
    assert told == []
    assert record_of(state).seats[Seat(1)].plays == (None, None)


def test_tcw_11_a_lead_that_was_out_of_sight_while_it_was_answered_accuses_nobody() -> None:
    seen = [played(cards("9H")[0], 9.0), turned(H6, 11.0, since=7.0)]
    for lead, answer, at in ((C7, "9C", 13.0), (D8, "9D", 15.0)):
        seen += [turned(lead, at), played(cards(answer)[0], at + 1)]
    state, told = follow([*dealt_at_once(), *seen])
    assert (told, finish(state, 60.0)[1], record_of(state).sequence) == ([], (), ())
    in_sight = [replace(act, since=None) for act in seen]
    assert "played-out-of-turn" in codes(follow([*dealt_at_once(), *in_sight])[1])


LEADS = [(H6, 10.0), (C7, 12.0), (D8, 14.0)]
ANSWERS = [(card, at) for card, at in zip(cards("9H 9C 9D"), (11.0, 13.0, 15.0), strict=True)]


@pytest.mark.parametrize("order", list(permutations(range(6)))[::9])
def test_tricks_told_in_any_order_make_the_round_that_was_played(order: tuple[int, ...]) -> None:
    acts = [turned(card, at) for card, at in LEADS] + [played(card, at) for card, at in ANSWERS]
    close = [replace(act, at=10 + (act.at - 10) * 0.6) for act in acts]
    state, told = follow([*dealt_at_once(), *(close[place] for place in order)])
    record = record_of(state)
    assert (told, state.gaps) == ([], ())
    assert record.dealer == tuple(card for card, _ in LEADS)
    assert record.seats[Seat(1)].plays == tuple(card for card, _ in ANSWERS)
    assert record.sequence == (DEALER, hand_of(1)) * 3


def test_a_card_moved_to_the_play_spot_and_told_of_late_answers_the_lead_of_its_time() -> None:
    late = Sighting(CardMoved(hand_of(1), played_at(1), cards("9H")[0]), 11.0)
    state, told = follow([*dealt_at_once(), turned(H6, 10.0), turned(C7, 12.0), late])
    assert (told, state.gaps) == ([], ())
    assert record_of(state).seats[Seat(1)].plays == cards("9H")
    assert record_of(state).sequence == (DEALER, hand_of(1), DEALER)


def test_what_is_told_of_too_late_leaves_the_order_unsure() -> None:
    late = turned(H6, 20.0 - LATEST - 0.1)
    state, told = follow([*dealt_at_once(), turned(C7, 20.0), late])
    assert (codes(told), len(state.gaps)) == (["feed-gap"], 1)


def test_backs_taken_up_and_told_of_late_cloud_nothing() -> None:
    late = [
        Sighting(CardRemoved(hand_of(1), None), OVER + 1),
        Sighting(SpotCleared(hand_of(1)), OVER + 1),
    ]
    state, told = follow([*dealt_at_once(), turned(H6, OVER + 3), *late])
    assert (told, state.gaps) == ([], ())
    face_up = Sighting(CardRemoved(hand_of(1), C7), OVER + 1)
    assert follow([*dealt_at_once(), turned(H6, OVER + 3), face_up])[0].gaps


def test_a_trump_card_told_of_late_clouds_nothing() -> None:
    late = Sighting(CardPlaced(TRUMP, UNREADABLE), OVER - 0.5)
    play = [turned(H6, OVER + DEAL_PAUSE), late, played(cards("9H")[0], OVER + 3)]
    state, told = follow([*dealt_at_once()[:-1], *play])
    assert (codes(told), state.gaps) == (["unreadable"], ())
    assert record_of(state).seats[Seat(1)].plays == cards("9H")


ANTE, PLAY = (WagerPlaced(Seat(1), wager, Cents(500)) for wager in (Wager.ANTE, Wager.PLAY))


@pytest.mark.parametrize("wagers", [(), (Sighting(PLAY, OVER - 0.2),)])
def test_tcw_11_a_reveal_that_was_known_for_one_later_keeps_its_time(
    wagers: tuple[Sighting, ...],
) -> None:
    """No trump was seen: that the six was the reveal is told by what comes up next."""
    seen = [turned(H6, OVER), *wagers, turned(C7, OVER + 3), played(cards("9H")[0], OVER + 1)]
    seen += [played(cards("9C")[0], OVER + 4), turned(D8, OVER + 5)]
    staked = [Sighting(ANTE, 0.0), *dealt_at_once()[:-1]]
    state, told = follow([*staked, *seen, played(cards("9D")[0], OVER + 6)])
    assert (codes(told), finish(state, 60.0)[1]) == ([], ())
    assert record_of(state).dealer == (H6, C7, D8)
    assert record_of(state).sequence == (DEALER, hand_of(1)) * 3


def test_tcw_14_a_turn_after_the_last_card_of_a_deal_that_a_wager_ended_is_no_misdeal() -> None:
    seen = [*dealt_at_once()[:-2], Sighting(PLAY, 20.0), turned(H6, 20.5), turned(C7, 18.0)]
    state, told = follow(seen)
    assert "misdeal" not in codes(told)
    assert record_of(state).dealer == (C7, H6)


def test_a_lead_told_of_late_after_a_play_was_taken_back_leaves_the_order_unsure() -> None:
    laid = Sighting(CardPlaced(played_at(1), H2), 12.5)
    seen = [turned(H6, 10.0), laid, Sighting(CardHidden(played_at(1), H2), 13.0)]
    seen.append(turned(C7, 12.0))
    assert follow([*dealt_at_once(), *seen])[0].gaps


def test_a_taking_back_that_is_told_of_late_leaves_the_order_unsure() -> None:
    laid = Sighting(CardPlaced(played_at(1), H2), 12.0)
    back = Sighting(CardMoved(played_at(1), hand_of(1), H2), 12.5)
    assert follow([*dealt_at_once(), turned(H6, 10.0), laid, turned(C7, 13.0), back])[0].gaps


def test_a_card_told_of_late_is_believed_only_as_surely_as_it_was_read() -> None:
    flash = Sighting(CardTurned(DEALER, S4), OVER - 1.5, confidence=0.6)
    assert record_of(follow([*dealt_at_once(), flash])[0]).confidence == {S4: 0.6}


def test_a_card_told_of_late_in_the_deal_makes_the_newest_one_no_older() -> None:
    told = [Sighting(CardPlaced(hand_of(1), card), at) for card, at in ((C7, 1.0), (D8, 2.0))]
    late = Sighting(CardPlaced(hand_of(1), H6), 1.5)
    assert follow([*told, late], Setting(RUMMY))[0].placed_at == 2.0


@pytest.mark.parametrize("trump_at", [OVER - 0.1, None])
def test_tcw_14_the_reveal_before_a_trump_that_was_missed_is_no_misdeal(
    trump_at: float | None,
) -> None:
    """The last back came to lie at OVER - 1; the first turn comes when a trump still might."""
    seen: list[TableEvent | Sighting] = [*dealt_at_once()[:-1], turned(H6, OVER)]
    if trump_at is not None:
        seen.append(Sighting(CardPlaced(TRUMP, S4), trump_at))
    seen += [played(cards("9H")[0], OVER + 1), turned(C7, OVER + 3)]
    state, told = follow(seen)
    assert "misdeal" not in codes(told)
    assert record_of(state).dealer == (H6, C7)


def test_tcw_14_a_card_turned_before_the_trump_was_seen_to_come_is_a_misdeal() -> None:
    seen = [*dealt_at_once()[:-1], turned(H6, OVER - 0.6), Sighting(CardPlaced(TRUMP, S4), OVER)]
    assert codes(follow(seen)[1])[:1] == ["misdeal"]
    hidden = [*seen[:-1], Sighting(CardHidden(DEALER, H6), OVER - 0.2)]
    assert codes(follow(hidden)[1])[:1] == ["misdeal"]


def test_tcw_14_a_flash_in_the_deal_that_is_told_of_after_the_deal_is_a_misdeal() -> None:
    flash = [turned(H6, OVER - 1.5), Sighting(CardHidden(DEALER, H6), OVER - 1.1)]
    state, told = follow([*dealt_at_once(), *flash])
    assert codes(told)[:1] == ["misdeal"]
    assert (state.gaps, record_of(state).exposed[0].seconds) == ((), 0.4)


def test_vtr_2_a_card_dealt_open_that_was_read_after_the_deal_counts_as_dealt() -> None:
    two = [Sighting(CardPlaced(hand_of(1), card), 1.0) for card in (C7, D8)]
    down = [Sighting(CardPlaced(DEALER, None), 1.5)] * 3
    raised = WagerPlaced(Seat(1), Wager.RAISE, Cents(500))
    unread = Sighting(CardPlaced(hand_of(1), UNREADABLE), 1.2)
    state, _ = follow([*two, *down, Sighting(raised, 3.0), unread], Setting(RUMMY))
    assert (state.hand(Seat(1)).dealt, state.gaps) == (3, ())
    assert "wrong-card-count" not in [each.finding.code.value for each in finish(state, 9.0)[1]]
    read, _ = follow(
        [*two, *down, Sighting(raised, 3.0), replace(unread, event=CardPlaced(hand_of(1), H6))],
        Setting(RUMMY),
    )
    assert set(record_of(read).seats[Seat(1)].hand) == {C7, D8, H6}


def test_tcw_14_a_dealers_card_dealt_open_that_is_told_of_late_is_a_misdeal() -> None:
    without_one = [*dealt_at_once()[:1], *dealt_at_once()[2:]]
    state, _ = follow(without_one)
    late = Sighting(CardPlaced(DEALER, H6), 0.5)
    after, told = advance(state, late)
    assert [each.finding.code.value for each in told][:1] == ["misdeal"]
    assert after.dealer_dealt == 3


@pytest.mark.parametrize("kind", [CardPlaced, CardTurned])
def test_tcw_14_what_was_not_seen_to_be_a_face_is_no_exposure(
    kind: type[CardPlaced] | type[CardTurned],
) -> None:
    backs = dealt_at_once()[: -1 if kind is CardTurned else -2]
    for sure, told in ((0.6, []), (0.95, ["misdeal"])):
        unread = Sighting(kind(DEALER, UNREADABLE), OVER - 1, sure)
        trump = Sighting(CardPlaced(TRUMP, S4), OVER - 0.5)
        state, found = follow([*backs, unread, trump])
        assert codes(found)[:1] == told
        assert state.dealer_dealt == 3
        _, found = follow([*backs, trump, replace(unread, at=OVER - 1.2)])
        assert codes(found)[:1] == told


def test_tcw_14_the_reveal_before_a_trump_that_was_covered_for_long_is_no_misdeal() -> None:
    """The trump card lay under a hand: that it was laid before the turn can't be ruled out."""
    trump = Sighting(CardPlaced(TRUMP, S4), OVER + 2, since=OVER - 0.6)
    seen: list[TableEvent | Sighting] = [*dealt_at_once()[:-1], turned(H6, OVER + 0.4), trump]
    state, told = follow([*seen, played(cards("9H")[0], OVER + 3), turned(C7, OVER + 4)])
    assert "misdeal" not in codes(told)
    assert record_of(state).dealer == (H6, C7)
    in_sight = [*seen[:-1], replace(trump, since=OVER + 1)]
    assert codes(follow(in_sight)[1])[:1] == ["misdeal"]


@pytest.mark.parametrize("pause", [0.5, DEAL_PAUSE])
def test_tcw_12a_a_first_lead_that_was_hardly_seen_when_the_trump_was_missed_keeps_its_trick(
    pause: float,
) -> None:
    at = OVER - 1 + pause
    unread = Sighting(CardTurned(DEALER, UNREADABLE), at, 0.6)
    trump = Sighting(CardPlaced(TRUMP, S4), at + 0.4, since=at - 0.4)
    seen = [*dealt_at_once()[:-1], unread, trump, played(cards("9H")[0], at + 1)]
    seen += [turned(C7, at + 2), played(cards("9C")[0], at + 3), turned(D8, at + 4)]
    state, told = follow([*seen, played(cards("9D")[0], at + 5)])
    assert codes(told) == ["unreadable"]
    assert record_of(state).dealer == (UNREADABLE, C7, D8)
    assert record_of(state).seats[Seat(1)].plays == cards("9H 9C 9D")


def test_tcw_11_a_card_that_may_have_come_up_in_the_deal_is_not_played_out_of_turn() -> None:
    """A card of seat 1 was exposed in the deal under a hand, and was seen only after the trump."""
    shown = [played(D6, OVER + 0.5, since=OVER - 2), Sighting(CardHidden(hand_of(1), D6), OVER + 1)]
    seen = [*shown]
    for lead, answer, at in ((H6, "9H", 9.0), (C7, "9C", 11.0), (D8, "6D", 13.0)):
        seen += [turned(lead, at), played(cards(answer)[0], at + 1)]
    state, told = follow([*dealt_at_once(), *seen])
    assert ("played-out-of-turn" in codes(told), record_of(state).sequence) == (False, ())
    in_sight = [replace(act, since=None) for act in seen]
    assert "played-out-of-turn" in codes(follow([*dealt_at_once(), *in_sight])[1])


@pytest.mark.parametrize("face", [None, H6])
def test_tcw_3_a_card_of_the_dealer_that_is_found_after_the_deal_counts_as_dealt(
    face: Card | None,
) -> None:
    dealt = [each for each in dealt_at_once() if each.event != CardPlaced(DEALER, None)]
    dealt += [Sighting(CardPlaced(DEALER, None), 1.0)] * 2
    found = Sighting(CardPlaced(DEALER, face), OVER + 1, since=1.0)
    state, _ = follow([*sorted(dealt, key=lambda each: each.at), found])
    assert state.dealer_dealt == 3
    told = [each.finding.code.value for each in finish(state, 60.0)[1]]
    assert "wrong-card-count" not in told


@pytest.mark.parametrize("answered_at", [12.0, 10.0])
def test_tcw_11_a_lead_and_an_answer_that_came_to_light_in_one_frame_accuse_nobody(
    answered_at: float,
) -> None:
    """A hand lay over the cards: nobody can say which of the two came first."""
    seen = [turned(H6, 9.0), played(cards("9H")[0], answered_at), played(H2, 12.0)]
    seen += [turned(HK, 12.0, since=10.5), turned(D8, 13.0), played(D6, 14.0)]
    state, told = follow([*dealt_at_once(), *seen])
    assert (codes(told), record_of(state).sequence) == ([], ())
    if answered_at < 12:
        assert record_of(state).seats[Seat(1)].plays == cards("9H 2H 6D")
    apart = [replace(act, at=act.at + (act.event == CardTurned(DEALER, HK)) / 5) for act in seen]
    in_sight = [replace(act, since=None) for act in apart]
    assert "played-out-of-turn" in codes(follow([*dealt_at_once(), *in_sight])[1])
