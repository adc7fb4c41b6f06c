"""The law: a breach that rests on a card which was hardly read is left unsure (TCW-12)."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from rules.cards import Card
from rules.check import judge
from rules.events import CardTurned, Cents, Seat, Sighting, Wager
from rules.round import judge_round, record_of
from tests.rules.live import codes, deal, follow
from tests.rules.tables import DEALER, cards, hand_of

LEADS = cards("6H 7C 8D")


def seen(answers: str, sure: Mapping[str, float] | None = None) -> list[Sighting]:
    """Return a round in which cards are read as surely as said, else beyond doubt."""
    acts = deal(1)
    for lead, answer in zip(LEADS, cards(answers), strict=True):
        acts += [CardTurned(DEALER, lead), CardTurned(hand_of(1), answer)]
    return [
        Sighting(act, at, (sure or {}).get(str(getattr(act, "card", "")), 1.0))
        for at, act in enumerate(acts)
    ]


@pytest.mark.parametrize("doubted", ["6H", "QC", "9H"])
def test_tcw_12a_a_lead_a_play_or_a_proof_that_was_hardly_read_accuses_nobody(doubted: str) -> None:
    assert "failed-to-follow-suit" in codes(follow(seen("QC 9H 9D"))[1])
    state, told = follow(seen("QC 9H 9D", {doubted: 0.991}))
    record, result = judge_round(state)
    assert told == []
    assert record.confidence == {Card.parse(doubted): 0.991}
    assert (result.seats[Seat(1)].status.value, result.seats[Seat(1)].watch) == ("unsure", False)
    assert record.seats[Seat(1)].plays == cards("QC 9H 9D")


def test_tcw_12b_a_trump_card_that_was_hardly_read_accuses_nobody() -> None:
    assert "failed-to-trump" in codes(follow(seen("KC 9S 9D"))[1])
    assert follow(seen("KC 9S 9D", {"4S": 0.991}))[1] == []


def test_tcw_12_what_holds_whatever_the_card_was_is_told_all_the_same() -> None:
    told = codes(follow(seen("QC 9H 9D", {"8D": 0.991, "9D": 0.991}))[1])
    assert told == ["failed-to-follow-suit"]


def test_tcw_12_a_card_that_is_read_well_later_is_believed_then() -> None:
    again = Sighting(CardTurned(hand_of(1), Card.parse("QC")), 30.0)
    state, told = follow([*seen("QC 9H 9D", {"QC": 0.991}), again])
    assert codes(told) == ["failed-to-follow-suit"]
    assert record_of(state).confidence == {}


def test_tcw_13_a_payout_for_a_trick_that_was_hardly_read_is_not_told_to_be_wrong() -> None:
    record = record_of(follow(seen("9H 9C 9D"))[0])
    paid = replace(
        record.seats[Seat(1)], wagers={Wager.ANTE: Cents(5)}, paid={Wager.ANTE: Cents(2)}
    )
    wrong = replace(record, seats={Seat(1): paid})
    assert [each.code.value for each in judge(wrong).findings] == ["underpaid"]
    doubt = dict.fromkeys(cards("9H 9C"), 0.99)
    assert judge(replace(wrong, confidence=doubt)).findings == ()


def test_tcw_12_a_doubt_about_one_seat_leaves_the_breach_of_another() -> None:
    state, _ = follow(seen("QC 9H 9D"))
    record = record_of(state)
    other = replace(record.seats[Seat(1)], plays=cards("QS TH TD"), hand=cards("QS TH TD"))
    both = replace(
        record, seats={**record.seats, Seat(2): other}, confidence={Card.parse("QS"): 0.99}
    )
    found = [(each.code.value, each.seat) for each in judge(both).findings]
    assert found == [("failed-to-follow-suit", 1)]
