"""The law: a play is a breach, or legal, only if it is so in every completion of what is unseen."""

from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import PACK, Card, Suit
from rules.check import judge
from rules.events import Area, Decision, Face, Seat, Spot
from rules.findings import FindingCode
from rules.games.whist_play import (
    breach_of,
    legal_cards,
    outcomes,
    unseen_suits,
    verdict_of,
)
from rules.record import RoundRecord, SeatRecord
from rules.result import Verdict
from tests.rules.records import codes, finding, judged, seat, verdicts, whist

FOLLOW, TRUMP = FindingCode.FAILED_TO_FOLLOW_SUIT, FindingCode.FAILED_TO_TRUMP


def by_the_text(
    played: Card, held: tuple[Card, ...], lead: Card, trump: Card
) -> FindingCode | None:
    """Judge one play of known cards straight from the words of TCW-12."""
    if any(card.suit is lead.suit for card in held):
        return None if played.suit is lead.suit else FOLLOW
    if lead.suit is not trump.suit and any(card.suit is trump.suit for card in held):
        return None if played.suit is trump.suit else TRUMP
    return None


def completions(
    record: RoundRecord, unseen: list[Card]
) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...], Card]]:
    """Give every way to fill in the hand in playing order, the dealer's cards and the trump."""
    hand = record.seats[Seat(1)]
    known = [c for c in hand.hand if isinstance(c, Card) and c not in hand.plays]
    slots = [*hand.plays, *[None] * (3 - len(hand.plays))]
    faces: list[Face] = [*slots, *record.dealer, record.trump]
    holes = [place for place, face in enumerate(faces) if face is None]
    for filling in permutations([*known, *unseen], len(holes)):
        own = [card for place, card in zip(holes, filling, strict=True) if place < 3]
        others = [card for place, card in zip(holes, filling, strict=True) if place >= 3]
        if any(card not in own for card in known) or any(card in known for card in others):
            continue
        whole = list(faces)
        for place, card in zip(holes, filling, strict=True):
            whole[place] = card
        cards = tuple(card for card in whole if isinstance(card, Card))
        yield cards[:3], cards[3:6], cards[6]


def expected(record: RoundRecord, unseen: list[Card]) -> list[str]:
    hand = record.seats[Seat(1)]
    found: list[set[FindingCode | None]] = [set() for _ in hand.plays]
    for cards, dealer, trump in completions(record, unseen):
        for trick, answers in enumerate(found):
            answers.add(by_the_text(cards[trick], cards[trick:], dealer[trick], trump))
    names = []
    for answers in found:
        if None in answers:
            names.append("legal" if len(answers) == 1 else "open")
        else:
            names.append("breach" if answers else "open")
    return names


@st.composite
def partly_seen(draw: st.DrawFn) -> tuple[RoundRecord, list[Card]]:
    """Draw a hand of which something is unseen, and the few cards that were seen nowhere."""
    deck = draw(st.permutations(PACK))
    plays: list[Face] = list(deck[:3])
    rest = list(deck[7:])
    laid = draw(st.integers(1, 3))
    hidden = draw(st.sets(st.integers(0, 2), max_size=2))
    shown = [plays[place] for place in sorted(hidden) if draw(st.booleans())]
    after = draw(st.booleans())
    kept = [*plays[laid:]] if after else []
    seen = tuple(None if place in hidden else card for place, card in enumerate(plays[:laid]))
    dealer: list[Face] = list(deck[3:6])
    for place in draw(st.sets(st.integers(0, 2), max_size=1)):
        dealer[place] = None
    trump = draw(st.sampled_from([deck[6], None]))
    hand = tuple(dict.fromkeys([*(c for c in seen if c is not None), *shown, *kept]))
    told = {*hand, *dealer, trump}
    rare = draw(st.integers(4, 6))
    unseen = [card for card in [*deck[:7], *rest[:rare]] if card not in told]
    loose = tuple((Spot(Area.DISCARD), card) for card in PACK if card not in {*told, *unseen})
    padded = (*hand, *[None] * (3 - len(hand))) if hand else ()
    seats = {Seat(1): SeatRecord(decision=Decision.PLAY, hand=padded, plays=seen)}
    record = RoundRecord(
        "a", "three-card-whist", seats, trump=trump, dealer=tuple(dealer), loose=loose
    )
    return record, unseen


@given(partly_seen())
def test_tcw_12_judging_by_suits_equals_going_through_every_completion(
    drawn: tuple[RoundRecord, list[Card]],
) -> None:
    record, unseen = drawn
    result = judge(record)
    found = [play.verdict.value for play in result.seats[Seat(1)].plays]
    assert found == expected(record, unseen)


@given(st.permutations(PACK), st.integers(1, 3))
def test_tcw_12_a_play_is_legal_exactly_when_it_is_among_the_legal_cards(
    deck: list[Card], size: int
) -> None:
    held, lead, trump = tuple(deck[:size]), deck[4], deck[5].suit
    for card in held:
        kept = [other.suit for other in held if other is not card]
        legal = breach_of(card.suit, kept, lead.suit, trump) is None
        assert legal == (card in legal_cards(held, lead.suit, trump))


@given(st.permutations(PACK))
def test_a_wholly_seen_hand_is_judged_alike_with_and_without_filling_in(deck: list[Card]) -> None:
    names = [str(card) for card in deck]
    plays = " ".join(names[:3])
    record = whist(names[3], " ".join(names[4:7]), {"1": seat(plays)})
    # A card seen in the deal takes the long way; the hand and its plays are the same.
    long_way = record | {"exposed": [{"spot": "seat-1", "card": names[0]}]}
    short, long = judged(record)["seats"]["1"], judged(long_way)["seats"]["1"]
    assert short == long


def test_tcw_12_the_proof_comes_with_the_card_that_shows_it() -> None:
    open_yet = judged(whist("4S", "6H", {"1": seat("9C")}))
    assert (verdicts(open_yet), open_yet["outcome"], codes(open_yet)) == (["open"], "unsure", [])
    still_open = judged(whist("4S", "6H 7C", {"1": seat("9C 9D")}))
    assert (verdicts(still_open), codes(still_open)) == (["open", "open"], [])
    proved = judged(whist("4S", "6H 7C 8D", {"1": seat("9C 9D 2H")}))
    assert verdicts(proved)[0] == "breach"
    assert finding(proved, "failed-to-follow-suit")["proved_by"] == "2H at trick 3"


def test_tcw_12_a_trump_shown_later_proves_a_breach_before_the_duty_is_certain() -> None:
    early = judged(whist("4S", "6H 7S", {"1": seat("9C 2S")}))
    found = finding(early, "failed-to-trump")
    assert (found["trick"], found["proved_by"]) == (1, "2S at trick 2")
    graver = judged(whist("4S", "6H 7S 8D", {"1": seat("9C 2S 2H")}))
    found = finding(graver, "failed-to-follow-suit")
    assert (found["trick"], found["proved_by"]) == (1, "2H at trick 3")


def test_tcw_12_a_hand_never_wholly_seen_ends_unsure_and_never_as_a_breach() -> None:
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("9C 9D -")}))
    one = result["seats"]["1"]
    assert (one["status"], one["due"]) == ("unsure", {"ante": None, "play": None})
    assert codes(result) == []


def test_tcw_12_a_card_shown_at_the_end_proves_what_was_kept() -> None:
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("9C", hand=["9C", "2H", None])}))
    assert finding(result, "failed-to-follow-suit")["proved_by"] == "2H in the hand"


def test_tcw_12_a_card_seen_in_the_deal_proves_the_breach_at_once() -> None:
    exposed = [{"spot": "seat-1", "card": "2H"}]
    result = judged(whist("4S", "6H", {"1": seat("9C")}, exposed=exposed))
    found = finding(result, "failed-to-follow-suit")
    assert (found["proved_by"], found["note"]) == ("9C at trick 1", "rebuildable")


def test_tcw_12_a_card_seen_in_the_deal_that_does_not_fit_the_hand_is_left_aside() -> None:
    exposed = [{"spot": "seat-1", "card": "2H"}]
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("9C 9D TD")}, exposed=exposed))
    assert verdicts(result) == ["legal", "legal", "legal"]


def test_tcw_12_the_last_card_is_legal_whatever_the_dealer_turned() -> None:
    result = judged(whist(None, "6H 7C -", {"1": seat("9H 9C 2S")}))
    assert verdicts(result) == ["legal", "legal", "legal"]
    assert result["seats"]["1"]["plays"][2] == {
        "dealer": None,
        "card": "2S",
        "legal": ["2S"],
        "verdict": "legal",
        "won": None,
    }
    assert result["seats"]["1"]["status"] == "unsure"


def test_tcw_12_a_seen_card_that_is_legal_in_every_completion_is_told_as_legal() -> None:
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("9H", hand=["9H", "2H", None])}))
    assert result["seats"]["1"]["plays"][0]["legal"] == ["2H", "9H"]


def test_tcw_12_without_the_dealers_card_nothing_is_decided() -> None:
    assert verdicts(judged(whist("4S", "", {"1": seat("9C")}))) == ["open"]


def test_a_hand_of_more_cards_than_it_can_have_is_left_open() -> None:
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("9C 9D 2H", hand=["KH", "QH", None])}))
    assert verdicts(result) == ["open", "open", "open"]
    assert codes(result) == ["wrong-card-count"]
    assert result["seats"]["1"]["plays"][0]["legal"] == []


def test_plays_behind_a_gap_in_the_hand_are_judged_by_all_that_they_may_have_been() -> None:
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("- 9C", hand=["9C", "2H", None])}))
    assert verdicts(result) == ["open", "legal"]
    assert result["seats"]["1"]["plays"][1]["legal"] == ["9C"]


def test_a_suit_that_is_all_seen_elsewhere_can_prove_a_play_legal() -> None:
    spades = [f"{rank}S" for rank in "23456789TJQKA"]
    loose = [{"spot": "discard", "card": card} for card in spades[2:]]
    one = {"1": seat("9C")}
    assert verdicts(judged(whist("2S", "3S 7C 8D", one))) == ["open"]
    assert verdicts(judged(whist("2S", "3S 7C 8D", one, loose=loose))) == ["legal"]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_only_as_many_unseen_cards_are_filled_in_as_the_pack_has(count: int) -> None:
    hearts = [card for card in PACK if card.suit is Suit.HEARTS]
    unseen = unseen_suits(hearts[: 13 - count])
    assert unseen == (5, count, 5, 5)
    found = outcomes(Suit.CLUBS, (None, None), Suit.HEARTS, Suit.HEARTS, unseen)
    assert set(found) == ({None} if count == 0 else {None, FOLLOW})
    assert outcomes(Suit.HEARTS, (), Suit.HEARTS, Suit.CLUBS, unseen_suits([])) == {None}


def test_without_any_way_to_fill_it_in_a_play_is_open() -> None:
    nothing = outcomes(None, (None,), Suit.HEARTS, Suit.SPADES, (0, 0, 0, 0))
    assert verdict_of(nothing) == (Verdict.OPEN, None)


def test_a_correction_of_a_play_that_was_not_seen_is_passed_over() -> None:
    late = [{"trick": 3, "card": "9D"}]
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("9H 9C", corrections=late)}))
    assert verdicts(result) == ["legal", "legal"]
