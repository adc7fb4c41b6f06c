"""The law: every numbered rule of Three Card Whist is judged as the rules page words it."""

import pytest

from tests.rules.records import Json, codes, finding, judged, seat, verdicts, whist


def test_contract_example_of_a_round_is_judged_as_published() -> None:
    record: Json = {
        "round": "T1-20261130-0042",
        "game": "three-card-whist",
        "table": "T1",
        "trump": "4H",
        "dealer": ["6D", "5H", "KD"],
        "seats": {
            "1": {
                "wagers": {"ante": 1000, "play": 1000, "bonus": 500},
                "decision": "play",
                "hand": ["9S", "5D", "2D"],
                "plays": ["5D", "2D", "9S"],
                "paid": {"ante": -1000, "play": -1000, "bonus": -500},
            }
        },
        "started": "2026-11-30T05:33:00.000Z",
    }
    result = judged(record, 'name = "default"')
    assert result["round"] == "T1-20261130-0042"
    assert result["outcome"] == "complete"
    one = result["seats"]["1"]
    assert one["tricks"] == 0
    assert one["plays"][0] == {
        "dealer": "6D",
        "card": "5D",
        "legal": ["2D", "5D"],
        "verdict": "legal",
        "won": False,
    }
    assert one["category"] == {"bonus": "none"}
    assert one["points"] is None
    assert one["due"] == {"ante": -1000, "play": -1000, "bonus": -500}
    assert one["status"] == "settled"
    assert result["findings"] == []
    assert result["rules"]["game"] == "three-card-whist"
    assert result["rules"]["house"] == "default"
    assert result["rules"]["version"].startswith("sha256:")
    # With the exposure that the published record also shows, the same deal is void (TCW-14).
    void = judged(record | {"exposed": [{"spot": "dealer", "card": "6D"}]})
    assert void["outcome"] == "void"
    assert codes(void) == ["misdeal", "void-hand-settled"]


def test_contract_findings_have_the_published_keys_in_order() -> None:
    result = judged(whist(seats={"1": seat("9S 2H 5D")}, dealer="6H 7C 8D"))
    found = finding(result, "failed-to-follow-suit")
    assert list(found)[:7] == ["code", "seat", "trick", "rule", "severity", "text", "proved_by"]
    assert found["rule"] == "TCW-12a"
    assert found["severity"] == "high"
    assert (found["seat"], found["trick"], found["proved_by"]) == (1, 1, "2H at trick 2")


def test_tcw_1_a_wager_that_appears_after_the_deal_began_is_late() -> None:
    changes = [{"wager": "bonus", "before": 0, "after": 500}]
    result = judged(whist(seats={"1": seat("9H 9C 9D", changes=changes)}))
    late = finding(result, "late-wager")
    assert (late["rule"], late["wager"], late["expected"], late["found"]) == (
        "TCW-1",
        "bonus",
        0,
        500,
    )


def test_tcw_1_a_wager_that_shrinks_after_the_deal_began_has_changed() -> None:
    changes = [{"wager": "ante", "before": 1000, "after": 500}]
    assert codes(judged(whist(seats={"1": seat("9H 9C 9D", changes=changes)}))) == ["wager-changed"]


@pytest.mark.parametrize("hand", ["9H 9C", "9H 9C 9D 2D"])
def test_tcw_2_a_hand_of_other_than_three_cards_is_a_wrong_count(hand: str) -> None:
    result = judged(whist(seats={"1": seat(hand=hand.split())}))
    found = finding(result, "wrong-card-count")
    assert (found["rule"], found["expected"], found["found"]) == ("TCW-2/3", 3, len(hand.split()))


def test_tcw_3_a_dealer_with_four_cards_is_a_wrong_count() -> None:
    assert codes(judged(whist(dealer="6H 7C 8D 9D"))) == ["wrong-card-count"]
    assert codes(judged(whist(dealer="6H 7C", dealer_cards=2))) == ["wrong-card-count"]


def test_tcw_6_a_fold_forfeits_the_ante() -> None:
    one = judged(whist(seats={"1": {"wagers": {"ante": 1000}, "decision": "fold"}}))["seats"]["1"]
    assert (one["status"], one["due"], one["tricks"]) == ("folded", {"ante": -1000}, None)


def test_tcw_7_a_folded_hand_stays_live_under_its_side_bets() -> None:
    folded = {
        "wagers": {"ante": 1000, "bonus": 500, "rnb": 200},
        "decision": "fold",
        "hand": ["2H", "9H", "KH"],
    }
    one = judged(whist("4S", "6H 7C 8D", {"1": folded}))["seats"]["1"]
    assert one["due"] == {"ante": -1000, "bonus": 1500, "rnb": 600}
    assert one["category"] == {"bonus": "flush", "rnb": "player"}


def test_tcw_7_an_rnb_is_not_certain_before_the_dealer_reveals() -> None:
    folded = {
        "wagers": {"ante": 1000, "rnb": 200},
        "decision": "fold",
        "hand": ["2H", "9H", "KH"],
    }
    one = judged(whist("4S", "6H 8D", {"1": folded}))["seats"]["1"]
    assert one["due"] == {"ante": -1000, "rnb": None}


def test_tcw_8_the_play_wager_equals_the_ante() -> None:
    unequal = seat("9H 9C 9D", wagers={"ante": 1000, "play": 900})
    found = finding(judged(whist(seats={"1": unequal})), "play-wager-not-equal-ante")
    assert (found["rule"], found["expected"], found["found"]) == ("TCW-8", 1000, 900)
    assert codes(judged(whist(seats={"1": seat("9H 9C 9D")}))) == []
    assert codes(judged(whist(seats={"1": seat("9H 9C 9D", wagers={"ante": 1000})}))) == []


def test_tcw_11_a_card_played_before_the_dealers_is_out_of_turn() -> None:
    early = ["seat-1", "dealer", "dealer", "seat-1", "dealer", "seat-1"]
    result = judged(whist(seats={"1": seat("9H 9C 9D")}, sequence=early))
    assert [(f["code"], f["trick"]) for f in result["findings"]] == [("played-out-of-turn", 1)]


def test_tcw_11_a_dealer_card_turned_before_every_seat_answered_is_ahead_of_play() -> None:
    seats = {"1": seat("9H 9C 9D"), "2": seat("TH TC TD")}
    order = ["dealer", "seat-1", "dealer", "seat-2", "seat-1", "seat-2", "dealer", "seat-1"]
    result = judged(whist(seats=seats, sequence=[*order, "seat-2"]))
    assert [(f["code"], f["seat"], f["trick"], f["rule"]) for f in result["findings"]] == [
        ("dealer-ahead-of-play", 2, 1, "TCW-11")
    ]
    # An answer of the second seat was not seen, or a turn of the dealer's: it may be the first one.
    assert codes(judged(whist(seats=seats, sequence=order))) == []
    assert codes(judged(whist(seats=seats, sequence=[*order[:6], *order[7:], "seat-2"]))) == []


def test_tcw_11_the_dealer_waits_for_no_seat_that_folded_or_only_has_a_side_bet() -> None:
    seats = {
        "1": seat("9H 9C 9D"),
        "2": {"wagers": {"ante": 1000}, "decision": "fold"},
        "3": {"wagers": {"bonus": 1000}},
    }
    order = ["dealer", "seat-1", "dealer", "seat-1", "dealer", "seat-1"]
    assert codes(judged(whist(seats=seats, sequence=order))) == []


FOLLOWING = [
    # trump, dealer, plays, verdicts of the three plays
    ("4S", "6H 7C 8D", "9H 9C 9D", "legal legal legal"),  # follows each time
    ("4S", "6H 7C 8D", "9H 2H 9D", "legal legal legal"),  # nothing to follow with, no trump
    ("4S", "6H 7C 8D", "9C 2H 9D", "breach legal legal"),  # 12a: the heart was held
    ("4S", "6H 7C 8D", "9C 9S 9D", "breach legal legal"),  # 12b: the spade was held
    ("4S", "6H 7C 8D", "9S 2H 9D", "breach legal legal"),  # 12a: trumping is no excuse
    ("4S", "6H 7C 8D", "9H 9D 2S", "legal breach legal"),  # 12b at the second trick
    ("4S", "6H 7S 8D", "9H 9D 2S", "legal breach legal"),  # 12a: a trump was led
    ("4S", "6H 7S 8D", "9H 9D 2D", "legal legal legal"),  # a trump was led, none held
    ("4H", "6H 7C 8D", "9C 2D 9D", "legal legal legal"),  # trump led, nothing held: any card
    ("4S", "6H 7C 8D", "2S 3S 4C", "legal breach legal"),  # 12a: trumped with a club in hand
]


@pytest.mark.parametrize(("trump", "dealer", "plays", "expected"), FOLLOWING)
def test_tcw_12_each_play_is_judged_by_what_was_held(
    trump: str, dealer: str, plays: str, expected: str
) -> None:
    assert verdicts(judged(whist(trump, dealer, {"1": seat(plays)}))) == expected.split()


def test_tcw_12a_the_second_play_of_a_table_is_proved_by_the_third() -> None:
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("2S 3S 4C")}))
    found = finding(result, "failed-to-follow-suit")
    assert (found["trick"], found["proved_by"]) == (2, "4C at trick 3")
    assert "Could have been played: 4C" in found["text"]


def test_tcw_12a_the_suit_led_may_be_followed_with_any_card_of_it() -> None:
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("9H 2H 9S")}))
    assert result["seats"]["1"]["plays"][0]["legal"] == ["2H", "9H"]


def test_tcw_12b_a_held_trump_must_be_played_and_wins() -> None:
    result = judged(whist("4S", "6H 7C 8D", {"1": seat("2S 9C 9D")}))
    play = result["seats"]["1"]["plays"][0]
    assert (play["legal"], play["won"]) == (["2S"], True)


def test_tcw_12b_a_discard_with_a_trump_in_hand_is_failed_to_trump() -> None:
    found = finding(judged(whist(seats={"1": seat("9D 2S 2D")})), "failed-to-trump")
    assert (found["rule"], found["trick"], found["proved_by"]) == ("TCW-12b", 1, "2S at trick 2")


def test_tcw_12c_a_free_discard_loses_the_trick() -> None:
    play = judged(whist(seats={"1": seat("AD KD 9C")}))["seats"]["1"]["plays"][0]
    assert (play["legal"], play["verdict"], play["won"]) == (["9C", "KD", "AD"], "legal", False)


@pytest.mark.parametrize(
    ("plays", "tricks", "ante", "play"),
    [
        ("2H 2C 2D", 0, -1000, -1000),
        ("9H 2C 2D", 1, -1000, -1000),
        ("9H 9C 2D", 2, 1000, 2000),
        ("9H 9C 9D", 3, 1000, 3000),
    ],
)
def test_tcw_13_pays_by_the_tricks_won(plays: str, tricks: int, ante: int, play: int) -> None:
    one = judged(whist(seats={"1": seat(plays)}))["seats"]["1"]
    assert (one["tricks"], one["due"]) == (tricks, {"ante": ante, "play": play})


def test_tcw_15_a_breach_leaves_the_hand_to_be_reconstructed_and_the_seat_on_watch() -> None:
    result = judged(whist(seats={"1": seat("9C 2H 9D"), "2": seat("TH TC TD")}))
    one = result["seats"]["1"]
    assert (one["status"], one["due"], one["watch"]) == ("reconstruct", None, True)
    assert "watch" not in result["seats"]["2"]
    assert result["outcome"] == "reconstruct"
    assert finding(result, "failed-to-follow-suit")["note"] == "not-rebuildable"


def test_tcw_15_what_is_paid_on_a_hand_to_be_reconstructed_is_not_judged() -> None:
    result = judged(whist(seats={"1": seat("9C 2H 9D", paid={"ante": 5000, "play": 1})}))
    assert codes(result) == ["failed-to-follow-suit"]


def test_tcw_15_a_play_put_right_in_time_is_settled_and_both_plays_are_kept() -> None:
    put_right = [{"trick": 1, "card": "9H", "seen": 1}]
    result = judged(whist(seats={"1": seat("9C 9C 9D", corrections=put_right)}))
    one = result["seats"]["1"]
    assert one["status"] == "settled"
    assert one["due"] == {"ante": 1000, "play": 3000}
    assert one["plays"][0] | {"legal": []} == {
        "dealer": "6H",
        "card": "9C",
        "legal": [],
        "verdict": "breach",
        "won": True,
        "corrected": "9H",
    }
    found = finding(result, "failed-to-follow-suit")
    assert (found["note"], found["proved_by"]) == ("put-right", "9H put right at trick 1")
    assert one["watch"] is True


def test_tcw_15_a_play_put_right_after_later_dealer_cards_says_so() -> None:
    late = [{"trick": 1, "card": "9H", "seen": 2}]
    result = judged(whist(seats={"1": seat("9C 9C 9D", corrections=late)}))
    assert finding(result, "failed-to-follow-suit")["note"] == "put-right-late"


def test_tcw_15_a_correction_that_breaks_the_rule_again_does_not_settle() -> None:
    wrong = [{"trick": 1, "card": "9D", "seen": 1}]
    result = judged(whist(seats={"1": seat("9C 9C 2H", corrections=wrong)}))
    assert result["seats"]["1"]["status"] == "reconstruct"
    assert finding(result, "failed-to-follow-suit")["note"] == "put-wrong"


def test_tcw_15_a_legal_play_changed_for_an_illegal_one_is_a_breach() -> None:
    changed = [{"trick": 1, "card": "9C", "seen": 1}]
    result = judged(whist(seats={"1": seat("9H 9H 9D", corrections=changed)}))
    found = finding(result, "failed-to-follow-suit")
    assert (found["note"], result["seats"]["1"]["status"]) == ("put-wrong", "reconstruct")


def test_tcw_15_a_further_breach_by_a_seat_on_watch_is_of_raised_severity() -> None:
    result = judged(whist(seats={"1": seat("9C 2H 9D")}), watched=(1,))
    found = finding(result, "failed-to-follow-suit")
    assert found["severity"] == "critical"
    assert "already on watch" in found["text"]


def test_tcw_15_a_house_may_reconstruct_for_following_suit_alone() -> None:
    house = '[three-card-whist.reconstruction]\ntriggers = "follow-suit"'
    record = whist(seats={"1": seat("9D 2S TD")})
    assert judged(record)["seats"]["1"]["status"] == "reconstruct"
    one = judged(record, house)["seats"]["1"]
    assert (one["status"], one["due"]) == ("settled", {"ante": 1000, "play": 2000})
    assert codes(judged(record, house)) == ["failed-to-trump"]
    follow = whist(seats={"1": seat("9C 2H 9D")})
    assert judged(follow, house)["seats"]["1"]["status"] == "reconstruct"


BONUS = [
    ("AH 2H 3H", "4H", "straight-flush-of-trumps", 50000),
    ("AH 2H 3H", "4S", "straight-flush", 15000),
    ("9C 9D 9S", "4H", "three-of-a-kind", 10000),
    ("2H 9H KH", "4H", "flush-of-trumps", 5000),
    ("AC 2H 3D", "4H", "straight", 2500),
    ("2H 9H KH", "4S", "flush", 1500),
    ("2H 2D KS", "4S", "pair", 500),
    ("KH AH 2D", "4S", "none", -500),  # K-A-2 is no run
]


@pytest.mark.parametrize(("hand", "trump", "category", "due"), BONUS)
def test_tcw_b5_the_bonus_pays_the_highest_line_only(
    hand: str, trump: str, category: str, due: int
) -> None:
    bonus = {"wagers": {"bonus": 500}, "hand": hand.split()}
    one = judged(whist(trump, "6C 7C 8C", {"1": bonus}))["seats"]["1"]
    assert one["category"]["bonus"] == category
    assert (one["status"], one["due"]) == ("settled", {"bonus": due})


def test_tcw_b1_a_house_may_refuse_a_bonus_without_an_ante() -> None:
    record = whist(seats={"1": {"wagers": {"bonus": 500}, "hand": ["2H", "9H", "KH"]}})
    assert codes(judged(record)) == []
    house = "[three-card-whist.bonus]\nwithout_ante = false"
    assert codes(judged(record, house)) == ["bonus-without-ante"]


RNB = [
    ("2H 9D KH", "6C 7C 8D", "4S", "player", 600),
    ("2H 9D KH", "6H 7D 8D", "4S", "player-and-dealer", 800),
    ("2H 9D KH", "6H 7D 8D", "4D", "player-dealer-and-trump", 1000),
    ("2C 9D KH", "6H 7D 8D", "4D", "none", -200),
]


@pytest.mark.parametrize(("hand", "dealer", "trump", "category", "due"), RNB)
def test_tcw_r5_the_rnb_pays_the_highest_line_only(
    hand: str, dealer: str, trump: str, category: str, due: int
) -> None:
    rnb = {"wagers": {"ante": 100, "rnb": 200}, "decision": "fold", "hand": hand.split()}
    one = judged(whist(trump, dealer, {"1": rnb}))["seats"]["1"]
    assert (one["category"]["rnb"], one["due"]["rnb"]) == (category, due)


@pytest.mark.parametrize(
    ("requires", "wagers", "expected"),
    [
        ("ante-or-bonus", {"rnb": 1}, ["rnb-without-main-or-bonus"]),
        ("ante-or-bonus", {"rnb": 1, "bonus": 1}, []),
        ("ante-or-bonus", {"rnb": 1, "ante": 1}, []),
        ("ante", {"rnb": 1, "bonus": 1}, ["rnb-without-main-or-bonus"]),
        ("ante", {"rnb": 1, "ante": 1}, []),
        ("nothing", {"rnb": 1}, []),
    ],
)
def test_tcw_r1_an_rnb_stands_beside_what_the_house_asks_for(
    requires: str, wagers: dict[str, int], expected: list[str]
) -> None:
    house = f'[three-card-whist.rnb]\nrequires = "{requires}"'
    record = whist(seats={"1": {"wagers": wagers, "hand": ["2C", "9D", "KH"]}})
    assert codes(judged(record, house)) == expected
