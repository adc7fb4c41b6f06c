"""The law: what was not seen is never guessed; what is told of part of a round stays true."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import PACK, Card
from tests.rules.raising import due_of, judged, seat_of
from tests.rules.records import Json

WAGERS: dict[str, dict[str, int]] = {
    "vegas-three-card-rummy": {"ante": 1000, "raise": 1000, "bonus": 500},
    "tri-card-poker": {"ante": 1000, "raise": 1000, "pair-plus": 500},
}
SIX = st.lists(st.sampled_from(PACK), min_size=6, max_size=6, unique=True)


def seen(game: str, six: list[Card], hidden: set[int], decision: str | None) -> Json:
    """Return the judgement of a round of which some of the six cards were not seen."""
    shown = ["-" if place in hidden else str(card) for place, card in enumerate(six)]
    wagers = dict(WAGERS[game])
    if decision != "raise":
        del wagers["raise"]
    seat: Json = {"wagers": wagers, "hand": [None if c == "-" else c for c in shown[:3]]}
    if decision is not None:
        seat["decision"] = decision
    return judged(game, " ".join(shown[3:]), seat)


@pytest.mark.parametrize("game", WAGERS)
@given(SIX, st.sets(st.integers(0, 5), max_size=3))
def test_a_due_told_without_some_cards_is_the_due_with_them(
    game: str, six: list[Card], hidden: set[int]
) -> None:
    whole, half = (seen(game, six, cards, "raise") for cards in (set[int](), hidden))
    for wager, amount in due_of(half).items():
        assert amount in (None, due_of(whole).get(wager, 0))
    for name, told in seat_of(half)["category"].items():
        assert told in (None, seat_of(whole)["category"][name])
    assert seat_of(half)["points"] in (None, seat_of(whole)["points"])


@pytest.mark.parametrize("game", WAGERS)
@given(SIX, st.sampled_from(["raise", "fold"]))
def test_a_due_told_before_the_decision_stands_after_it(
    game: str, six: list[Card], decision: str
) -> None:
    before, after = (seen(game, six, set(), known) for known in (None, decision))
    for wager, amount in due_of(before).items():
        assert amount in (None, due_of(after).get(wager, 0))


@pytest.mark.parametrize("game", WAGERS)
@given(SIX, st.sets(st.integers(0, 5), min_size=1))
def test_a_round_with_unseen_cards_is_never_called_complete(
    game: str, six: list[Card], hidden: set[int]
) -> None:
    assert seen(game, six, hidden, "raise")["outcome"] == "unsure"
