"""The law: every published edge and count comes out of the enumeration to the last digit."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.edge import all_warnings, edge, edge_tables
from rules.edge_enumeration import Hand, Rivals, Showdown
from rules.edge_report import EdgeReport, Edges, EdgeTables, edge_warnings, percent
from rules.edge_rummy import RummyTables
from rules.edge_shipped import SHIPPED, store_text
from rules.edge_showdown import raise_worth
from rules.edge_store import known_edges, stored_edges, tables_hash
from rules.edge_tri_card import TriCardTables
from rules.edge_whist import WhistTables, bonus_tally, rnb_tally
from rules.errors import RulesError
from rules.games.whist_options import BONUS_TABLES, RNB_TABLES
from rules.hands import HandRank, hand_rank
from rules.house import default_house, parse_house
from rules.pay import Odds, PayTable
from rules.poker import ANTE_BONUS_TABLES, PAIR_PLUS_TABLES
from rules.totals import RAISE_LINES, RAISE_TABLES

RUMMY_POINTS = (
    "96 472 444 440 440 440 476 488 536 588 1980 272 372 592 704 900 960 1104 1140 1232 1216 1428 "
    "1184 1072 868 768 576 516 336 292 168"
)


def gains(edges: Edges) -> dict[str, Fraction]:
    return {figure.name: figure.gain for figure in edges.figures}


# What is stored is looked at here and enumerated afresh below; whist's own enumeration is in
# test_edge_whist.py.

# Three Card Whist.


def test_the_stored_whist_edges_are_the_published_ones() -> None:
    report = edge("three-card-whist")
    assert report.stored
    assert gains(report.edges) == {
        "main": Fraction(-13483573, 720378400),
        "bonus": Fraction(-1884, 38675),
        "rnb": Fraction(-295, 11186),
        "main-without-duty": Fraction(28819443, 144075680),
    }
    percentages = {figure.name: percent(figure.gain) for figure in report.edges.figures}
    assert percentages["main"] == "-1.87173477"
    assert percentages["bonus"] == "-4.87136393"
    assert percent(report.edges.figure("rnb").gain, 5) == "-2.63723"
    assert percent(report.edges.figure("main-without-duty").gain, 3) == "20.003"
    assert percent(report.edges.element_of_risk, 6) == "1.176579"


def test_whist_folds_as_published() -> None:
    decision = edge("three-card-whist").edges.tally("decision")
    assert dict(decision.counts) == {"play": 639808, "fold": 443092}
    assert percent(decision.share("fold"), 6) == "40.917167"


def test_the_whist_bonus_counts_are_the_published_ones() -> None:
    tally = bonus_tally(BONUS_TABLES["standard"])
    assert tally.total == 1_082_900
    assert dict(tally.counts) == {
        "straight-flush-of-trumps": 480,
        "straight-flush": 1872,
        "three-of-a-kind": 2548,
        "flush-of-trumps": 10960,
        "straight": 35280,
        "flush": 42744,
        "pair": 183456,
        "none": 805560,
    }
    assert tally == edge("three-card-whist").edges.tally("bonus")


def test_the_rnb_counts_cover_every_deal_of_seven_cards() -> None:
    tally = rnb_tally(RNB_TABLES["colours-3-4-5"])
    assert tally.total == 22100 * 18424 * 46
    assert tally == edge("three-card-whist").edges.tally("rnb")


# Vegas Three Card Rummy.


@pytest.mark.parametrize(
    ("table", "gain", "shown"),
    [
        ("source", Fraction(587241, 20358520), "2.88450"),
        ("common", Fraction(-7745, 239512), "-3.23366"),
    ],
)
def test_the_rummy_edges_are_the_published_ones(table: str, gain: Fraction, shown: str) -> None:
    edges = known_edges(RummyTables(RAISE_TABLES[table]))
    assert gains(edges) == {"main": gain, "bonus": Fraction(-191, 5525)}
    assert percent(gain, 5) == shown
    assert percent(edges.figure("bonus").gain, 5) == "-3.45701"
    assert edges.strategy == "raise 20 points or fewer, fold the rest"
    assert " ".join(str(count) for _, count in edges.tally("points").counts) == RUMMY_POINTS


# Tri Card Poker.


@pytest.mark.parametrize(
    ("table", "main", "pair_plus"),
    [
        ("1", Fraction(-870929, 20358520), Fraction(-253, 5525)),
        ("2", Fraction(-778809, 20358520), Fraction(-193, 5525)),
        ("3", Fraction(-686689, 20358520), Fraction(-128, 5525)),
    ],
)
def test_the_tri_card_edges_are_the_published_ones(
    table: str, main: Fraction, pair_plus: Fraction
) -> None:
    edges = known_edges(TriCardTables(PAIR_PLUS_TABLES[table], ANTE_BONUS_TABLES[table]))
    assert gains(edges) == {"main": main, "pair-plus": pair_plus}
    assert edges.strategy == "raise Q-6-4 or better, fold the rest"


def test_tri_card_hands_count_as_published() -> None:
    assert dict(edge("tri-card-poker").edges.tally("hand").counts) == {
        "straight-flush": 48,
        "three-of-a-kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high-card": 16440,
    }


# The store.


@pytest.mark.parametrize("title", [title for title in SHIPPED if title != "Three Card Whist"])
def test_what_is_stored_is_what_an_enumeration_gives(title: str) -> None:
    tables = SHIPPED[title]
    assert stored_edges(tables) == tables.edges()


@pytest.mark.parametrize("tables", SHIPPED.values(), ids=SHIPPED)
def test_every_shipped_pay_table_has_stored_edges(tables: EdgeTables) -> None:
    assert stored_edges(tables) is not None


def test_the_store_is_written_by_the_hash_of_what_the_edges_depend_on() -> None:
    tables = RummyTables()
    assert f'"{tables_hash(tables)}"' in store_text({"a title": tables})


def test_whatever_changes_the_edges_changes_the_hash() -> None:
    own = PayTable("own", dict(zip(RAISE_LINES, map(Odds, (5, 2, 1)), strict=True)))
    tables: list[EdgeTables] = [
        *SHIPPED.values(),
        RummyTables(own),
        RummyTables(qualifying=19),
        WhistTables(bonus=PayTable("own", {"pair": Odds(2)})),
    ]
    assert len({tables_hash(each) for each in tables}) == len(tables)


def test_a_name_or_a_confirmation_does_not_change_the_hash() -> None:
    named = replace(RAISE_TABLES["source"], name="own", confirmed=False)
    assert tables_hash(RummyTables(named)) == tables_hash(RummyTables())
    assert RummyTables(named).unverified() == ("main",)


def test_a_pay_table_that_is_not_shipped_is_enumerated() -> None:
    report = edge(
        "vegas-three-card-rummy", parse_house("[vegas-three-card-rummy]\ndealer_qualifies = 21")
    )
    assert not report.stored
    assert report.to_json()["source"] == "enumerated"
    assert "(enumerated for sha256:" in report.text()
    assert report.edges.strategy == "raise 20 points or fewer, fold the rest"


def test_a_stored_result_can_be_enumerated_again() -> None:
    again = edge("tri-card-poker", enumerate_again=True)
    assert not again.stored
    assert again.edges == edge("tri-card-poker").edges


# The report.


def test_a_report_survives_json() -> None:
    for game in ("three-card-whist", "vegas-three-card-rummy", "tri-card-poker"):
        edges = edge(game).edges
        assert Edges.from_json(edges.to_json()) == edges


def test_the_report_warns_of_a_table_that_favours_the_player() -> None:
    report = edge("vegas-three-card-rummy")
    assert report.warnings == (
        "main: the pay tables in force give the player an edge of 2.88450 % of the ante",
    )
    assert f"warning: {report.warnings[0]}" in report.text()
    common = parse_house('[vegas-three-card-rummy.raise]\ntable = "common"')
    assert edge("vegas-three-card-rummy", common).warnings == ()


def test_the_report_warns_of_the_unverified_rnb_table_until_it_is_confirmed() -> None:
    assert edge("three-card-whist").warnings == ("rnb: unverified pay table",)
    confirmed = parse_house("[three-card-whist.rnb]\nconfirmed = true")
    report = edge("three-card-whist", confirmed)
    assert (report.warnings, report.stored) == ((), True)


def test_the_report_compares_the_other_shipped_tables_of_the_game() -> None:
    report = edge("vegas-three-card-rummy")
    ((title, other),) = report.others
    assert title == "Vegas Three Card Rummy, raise table common"
    assert other.figure("main").gain == Fraction(-7745, 239512)
    assert f"for comparison, {title}: main -3.23365844 %, exactly -7745/239512" in report.text()
    assert len(edge("tri-card-poker").others) == 5
    assert edge("three-card-whist").others == ()


def test_a_comparison_that_is_not_in_force_warns_of_nothing() -> None:
    edges = edge("three-card-whist").edges
    assert edges.figure("main-without-duty").gain > 0
    assert edge_warnings(edges) == ()
    assert (
        "(for comparison, not in force)" in EdgeReport("g", "h", "t", edges, (), stored=True).text()
    )


def test_all_warnings_are_those_of_the_house_and_those_of_the_edges_once() -> None:
    assert [warning.split(":")[0] for warning in all_warnings(default_house())] == [
        "Three Card Whist",
        "Vegas Three Card Rummy",
    ]


def test_a_game_without_edges_is_told_by_name() -> None:
    with pytest.raises(RulesError, match=r"no exact edges for the game 'war' \(expected one of"):
        edge_tables("war", default_house())


# Decisions that no shipped table leads to.


def highest(hand: Hand) -> int:
    return max(card.rank for card in hand)


def test_a_game_that_is_never_worth_a_raise_is_folded_whole() -> None:
    hopeless = raise_worth(Rivals(highest, 0), lambda *_: Fraction(-2))
    assert (hopeless.gain, hopeless.raised) == (Fraction(-1), 0)
    assert hopeless.strategy(str) == "fold every hand"


def test_decisions_without_a_threshold_are_told_by_how_many_hands_are_raised() -> None:
    """Pairs are raised and nothing else, so that some better hands are folded."""

    def gain(hand: Hand, _: Showdown) -> Fraction:
        return Fraction(0) if hand_rank(hand) is HandRank.PAIR else Fraction(-2)

    odd = raise_worth(Rivals(highest, 0), gain)
    assert not odd.threshold
    assert odd.strategy(lambda _: "a deuce or better") == (
        "raise 3744 of 22100 hands, all of a deuce or better"
    )
