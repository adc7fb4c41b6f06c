"""The law: the whist expectimax plays by the very functions that judge live play."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import PACK, Card, Suit
from rules.check import judge
from rules.edge_enumeration import all_hands, representatives
from rules.edge_report import Edges, percent
from rules.edge_store import stored_edges
from rules.edge_tricks import TRUMPS, hand_worth
from rules.edge_whist import WhistTables, main_rules
from rules.events import Cents, Decision, Seat, Wager
from rules.games.whist_options import MAIN_TABLES
from rules.pay import Odds, PayTable
from rules.record import RoundRecord, SeatRecord
from rules.result import Status, Verdict

ANTE = 100
LIVE, SCALE = main_rules(MAIN_TABLES["source"], duty=True)


@pytest.fixture(scope="module")
def enumerated() -> Edges:
    """The edges from a full enumeration of 1 082 900 hands and trump cards; some seconds."""
    return WhistTables().edges()


def test_the_main_game_is_worth_the_published_figure(enumerated: Edges) -> None:
    assert enumerated.figure("main").gain == Fraction(-13483573, 720378400)
    assert dict(enumerated.tally("decision").counts) == {"play": 639808, "fold": 443092}
    assert percent(enumerated.figure("main-without-duty").gain, 3) == "20.003"


def test_what_is_stored_of_whist_is_what_the_enumeration_gives(enumerated: Edges) -> None:
    assert stored_edges(WhistTables()) == enumerated


def test_every_hand_and_trump_card_is_counted_once() -> None:
    counted = sum(
        count * (13 - sum(card.suit is TRUMPS for card in hand))
        for hand, count in representatives(TRUMPS)
    )
    assert 4 * counted == 22100 * 49 == 1_082_900


def judged(hand: tuple[Card, ...], plays: tuple[Card, ...]) -> SeatRecord:
    return SeatRecord(
        wagers={Wager.ANTE: Cents(ANTE), Wager.PLAY: Cents(ANTE)},
        decision=Decision.PLAY,
        hand=hand,
        plays=plays,
    )


def play_out(hand: tuple[Card, ...], leads: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Give every way in which the expectimax may answer three leads."""

    def answer(held: tuple[Card, ...], left: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        if not left:
            yield ()
            return
        for card in LIVE.answers(held, left[0], TRUMPS):
            kept = tuple(other for other in held if other != card)
            for later in answer(kept, left[1:]):
                yield (card, *later)

    return answer(hand, leads)


@settings(max_examples=500)
@given(
    st.lists(st.sampled_from(PACK), min_size=7, max_size=7, unique=True).filter(
        lambda cards: cards[6].suit is TRUMPS
    )
)
def test_live_play_judges_as_legal_what_the_expectimax_may_play_and_pays_the_same(
    cards: list[Card],
) -> None:
    hand, leads, trump = tuple(cards[:3]), tuple(cards[3:6]), cards[6]
    allowed = set(play_out(hand, leads))
    for plays in permutations(hand):
        seat = judged(hand, plays)
        record = RoundRecord("r", "three-card-whist", {Seat(1): seat}, trump=trump, dealer=leads)
        result = judge(record).seats[Seat(1)]
        legal = all(play.verdict is Verdict.LEGAL for play in result.plays)
        assert legal == (plays in allowed)
        if legal:
            assert result.status is Status.SETTLED
            assert result.due is not None
            gain = sum(amount or 0 for amount in result.due.values())
            assert result.tricks is not None
            assert Fraction(gain, ANTE) == Fraction(LIVE.payoff[result.tricks], SCALE)


def plainly(hand: tuple[Card, ...], trump: Card) -> Fraction:
    """Play a hand as well as can be by going through every order of the dealer's cards."""
    unseen = [card for card in PACK if card not in (*hand, trump)]

    def best(held: tuple[Card, ...], gone: tuple[Card, ...], tricks: int) -> Fraction:
        if not held:
            return Fraction(LIVE.payoff[tricks])
        leads = [card for card in unseen if card not in gone]
        if len(held) == 1:
            won = sum(LIVE.wins(held[0], lead, TRUMPS) for lead in leads)
            lost = len(leads) - won
            return Fraction(won * LIVE.payoff[tricks + 1] + lost * LIVE.payoff[tricks], len(leads))
        worth = Fraction(0)
        for lead in leads:
            worth += max(
                best(
                    tuple(card for card in held if card != answer),
                    (*gone, lead),
                    tricks + LIVE.wins(answer, lead, TRUMPS),
                )
                for answer in LIVE.answers(held, lead, TRUMPS)
            )
        return worth / len(leads)

    return best(hand, (), 0)


@pytest.mark.parametrize(
    "cards", ["2S 7H KD AS", "9S 5D 2D 4S", "QH KH AH 2S", "2H 3D 4C KS", "3S 9S JS TS"]
)
def test_a_hand_is_worth_what_going_through_every_order_gives(cards: str) -> None:
    first, second, third, trump = map(Card.parse, cards.split())
    assert hand_worth((first, second, third), trump, LIVE) == plainly((first, second, third), trump)


def test_a_hand_is_worth_the_same_when_other_suits_change_names() -> None:
    trump = Card.parse("5S")
    for hand in all_hands()[3::733]:
        if trump in hand:
            continue
        first, second, third = (
            Card(card.rank, Suit("SDCH"["SHDC".index(card.suit)])) for card in hand
        )
        assert hand_worth(hand, trump, LIVE) == hand_worth((first, second, third), trump, LIVE)


def test_without_the_duty_any_card_may_be_played() -> None:
    rules, _ = main_rules(MAIN_TABLES["source"], duty=False)
    hand = tuple(Card.parse(text) for text in ("9S", "5D", "2D"))
    for lead, trumps in product(PACK, Suit):
        assert rules.answers(hand, lead, trumps) == hand


def test_broken_odds_are_counted_exactly() -> None:
    """Three for two on the Play is one and a half, in units of half an Ante."""
    lines = {**MAIN_TABLES["source"].lines, "play-2": Odds(3, 2)}
    rules, scale = main_rules(PayTable("own", lines), duty=True)
    assert (rules.payoff, rules.fold, scale) == ((-4, -4, 5, 8), -2, 2)
