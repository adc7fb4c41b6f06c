"""The law: what mutation testing could change unnoticed is pinned here, each where it matters."""

import json

from rules.cards import Card
from rules.check import MOST_LINE, BadLine, check_lines
from rules.events import Cents, Seat, Wager, WagerPlaced
from rules.games.whist_pay import bonus_category
from rules.house import parse_house
from tests.rules.live import ANTE, deal, follow
from tests.rules.records import finding, judged, seat, whist


def test_tcw_14_a_void_round_tells_its_proof_and_leaves_the_watched_seats_on_watch() -> None:
    exposed = [{"spot": "dealer", "card": "6H"}]
    void = judged(whist(seats={"1": seat(), "2": seat()}, exposed=exposed), watched=(1,))
    assert finding(void, "misdeal")["proved_by"] == "6H face up at dealer"
    assert [one.get("watch") for one in void["seats"].values()] == [True, None]


def test_tcw_b5_without_the_trump_card_only_three_cards_of_one_suit_leave_the_bonus_open() -> None:
    for text in ("2H 9S 5H", "2S 9H 5H", "2H 9H 5S"):
        assert bonus_category([Card.parse(word) for word in text.split()], None) == "none"
    assert bonus_category([Card.parse(word) for word in ("2H", "9H", "5H")], None) is None


def test_tcw_1_a_wager_taken_back_before_the_deal_is_none() -> None:
    placed, taken = (WagerPlaced(Seat(1), ANTE, Cents(amount)) for amount in (1000, 0))
    state, told = follow([placed, taken, *deal(1)])
    assert (state.hand(Seat(1)).wagers, told) == ({Wager.ANTE: 0}, [])


def test_a_minimum_may_equal_the_maximum() -> None:
    limits = "[three-card-whist.limits]\nante = { minimum = 500, maximum = 500 }"
    only = judged(whist(seats={"1": {"wagers": {"ante": 500}}}), limits)
    assert only["findings"] == []


def test_a_line_as_long_as_a_line_may_be_is_judged() -> None:
    line = json.dumps(whist())
    longest, longer = (line + " " * (MOST_LINE - len(line) + more) for more in (0, 1))
    judged_line, refused = check_lines([longest, longer])
    assert not isinstance(judged_line, BadLine)
    assert isinstance(refused, BadLine)


def test_an_own_table_is_confirmed_unless_the_house_says_otherwise() -> None:
    pays = '{ player = "3:1", player-and-dealer = "4:1", player-dealer-and-trump = "5:1" }'
    own = f'[three-card-whist.rnb]\ntable = "own"\npays = {pays}\n'
    assert parse_house(own).options["three-card-whist"].unverified == ()
    doubted = parse_house(f"{own}confirmed = false")
    assert doubted.options["three-card-whist"].unverified == (Wager.RNB,)
