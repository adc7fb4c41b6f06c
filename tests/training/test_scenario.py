"""A staged scenario keeps the laws of a table: what is shown could happen, and is told once."""

import math
from itertools import pairwise

import pytest

from rules.cards import PACK, Card
from rules.events import Area, Cents, Seat, Spot, Wager
from vision.training.scenario import (
    Answer,
    Deal,
    Fold,
    Habit,
    Misdeal,
    Raise,
    Round,
    Scenario,
    Show,
    Staged,
    Stake,
    Sweep,
    Wait,
    hand,
)
from vision.training.scenario_chips import WORTH, chips_for, stacks
from vision.training.scenario_motion import FACE_UP, Arm, Motion, Pose, Track
from vision.training.scenario_stage import stage
from vision.training.scenario_table import DEMO_TABLE, PLACES, Camera
from vision.training.scenario_truth import covered, events, record, truth

_FPS = 25


def _short() -> Scenario:
    """One seat that turns its cards in place, one that moves them, one that folds."""
    acts = (
        Wait(0.5),
        Stake(Seat(2), {Wager.ANTE: Cents(1000)}),
        Stake(Seat(4), {Wager.ANTE: Cents(1000)}),
        Stake(Seat(6), {Wager.ANTE: Cents(500)}),
        Deal({Seat(2): hand("2S 3S 4S"), Seat(4): hand("2H 3H 4H"), Seat(6): hand("2D 3D 4D")},
             dealer=hand("2C 3C 4C"), trump=Card.parse("AS")),
        Raise(Seat(2), Cents(1000)),
        Raise(Seat(4), Cents(1000)),
        Fold(Seat(6)),
        Show(Card.parse("3C")),
        Answer(Seat(2), Card.parse("2S"), Habit.TURN),
        Answer(Seat(4), Card.parse("4H"), Habit.MOVE),
        Sweep(),
        Wait(1.0),
    )  # fmt: skip
    return Scenario("T9", 1, (Round(acts),))


@pytest.fixture(scope="module")
def staged() -> Staged:
    return stage(_short())


def test_the_same_scenario_is_staged_the_same_way_twice(staged: Staged) -> None:
    assert truth(stage(_short())) == truth(staged)


def test_each_dealt_card_is_told_as_placed_once_and_taken_away_once(staged: Staged) -> None:
    told = events(staged)
    placed = [event.really for event in told if event.kind == "card-placed"]
    taken = [event.really for event in told if event.kind == "card-removed"]
    assert len(placed) == len(set(placed)) == 13
    assert sorted(map(str, taken)) == sorted(map(str, placed))


def test_only_the_trump_card_is_dealt_face_up(staged: Staged) -> None:
    shown = [event for event in events(staged) if event.kind == "card-placed" and event.card]
    assert [(str(event.spot), str(event.card)) for event in shown] == [("trump", "AS")]


def test_both_habits_of_play_are_told_by_their_own_events(staged: Staged) -> None:
    rows = [event.row() for event in events(staged)]
    plays = {row["card"]: (row["kind"], row["spot"], row.get("from")) for row in rows
             if row["kind"] in ("card-turned", "card-moved") and row["card"]}  # fmt: skip
    assert plays == {
        "3C": ("card-turned", "dealer", None),
        "2S": ("card-turned", "seat-2", None),
        "4H": ("card-moved", "seat-4.play", "seat-4"),
    }


def test_a_fold_is_told_by_three_cards_that_go_to_the_discard_spot(staged: Staged) -> None:
    moves = [e for e in events(staged) if e.kind == "card-moved" and str(e.spot) == "discard"]
    assert [(str(event.source), event.card) for event in moves] == [("seat-6", None)] * 3


def test_a_record_holds_what_could_be_seen_and_nothing_more(staged: Staged) -> None:
    told = record(staged, 1)
    assert told["dealer"] == ["3C"]
    assert told["seats"]["2"]["hand"] == ["2S", None, None]
    assert told["seats"]["6"] == {"wagers": {"ante": 500}, "decision": "fold",
                                  "hand": [None] * 3, "plays": []}  # fmt: skip


def test_a_card_exposed_in_the_deal_is_turned_and_hidden_again() -> None:
    acts = (Wait(0.5), Stake(Seat(3), {Wager.ANTE: Cents(1000)}),
            Misdeal({Seat(3): hand("2S 3S")}, dealer=hand("2C 3C")), Sweep())  # fmt: skip
    staged = stage(Scenario("T9", 1, (Round(acts),)))
    mine = [event for event in events(staged) if event.really == Card.parse("3C")]
    assert [event.kind for event in mine] == [
        "card-placed", "card-turned", "card-hidden", "card-removed",
    ]  # fmt: skip
    assert record(staged, 1)["exposed"] == [{"spot": "dealer", "card": "3C"}]
    assert 0.4 <= mine[2].at - mine[1].at <= 1.5


def test_no_arm_is_in_two_places_at_once(staged: Staged) -> None:
    arms: dict[tuple[Arm, Seat | None], list[tuple[float, float]]] = {}
    for gesture in staged.gestures:
        arms.setdefault((gesture.arm, gesture.seat), []).append((gesture.start, gesture.end))
    for spans in arms.values():
        for (_, end), (start, _) in pairwise(sorted(spans)):
            assert start >= end - 1e-9


def test_no_card_jumps_between_two_frames(staged: Staged) -> None:
    for each in staged.cards:
        poses = [each.track.at(index / _FPS) for index in range(round(staged.seconds * _FPS))]
        for a, b in pairwise(poses):
            if a is not None and b is not None:
                assert math.hypot(b.x - a.x, b.y - a.y) < 200


def test_a_card_is_told_when_no_arm_is_over_it_any_more(staged: Staged) -> None:
    for event in events(staged):
        if event.kind in ("card-turned", "card-moved"):
            track = next(c.track for c in staged.cards if c.card == event.really)
            pose = track.at(event.at)
            assert pose is not None
            assert not covered(staged, pose, event.at)


def test_a_track_refuses_a_motion_that_begins_before_the_last_one_ended() -> None:
    track = Track(0.0, Pose(0, 0))
    track.move(Motion(1.0, 2.0, Pose(10, 0)))
    with pytest.raises(ValueError, match="before the last one ended"):
        track.move(Motion(1.5, 3.0, Pose(20, 0)))


def test_a_track_rests_moves_and_is_gone() -> None:
    track = Track(1.0, Pose(0, 0), gone=4.0)
    track.move(Motion(2.0, 3.0, Pose(10, 0, flip=FACE_UP)))
    assert track.at(0.9) is None
    assert track.at(1.5) == Pose(0, 0)
    middle = track.at(2.5)
    assert middle is not None
    assert middle.x == pytest.approx(5)
    assert track.at(3.5) == Pose(10, 0, flip=FACE_UP)
    assert track.at(4.0) is None


@pytest.mark.parametrize("amount", [500, 1000, 2500, 3000, 12_500, 23_000])
def test_a_stack_of_chips_is_worth_its_amount(amount: int) -> None:
    assert sum(WORTH[colour] * count for colour, count in chips_for(amount)) == amount


def test_chips_that_cannot_make_up_an_amount_are_refused() -> None:
    with pytest.raises(ValueError, match="can't be made up"):
        chips_for(1234)


@pytest.mark.parametrize("count", range(1, 40))
def test_every_stack_is_drawn_of_the_stacks_that_there_are_pictures_of(count: int) -> None:
    parts = stacks(count, (1, 2, 4))
    assert sum(parts) == count
    assert parts == sorted(parts, reverse=True)


def test_a_stack_of_which_no_single_chip_is_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="left over"):
        stacks(3, (2,))


def test_every_card_slot_lies_inside_its_own_spot_and_no_other() -> None:
    cards = [
        s
        for s in PLACES
        if s.area in (Area.HAND, Area.PLAYED, Area.DEALER, Area.TRUMP, Area.DISCARD)
    ]
    for spot in cards:
        for index in range(3):
            x, y = DEMO_TABLE.slot(spot, index)
            assert [other for other in cards if PLACES[other].holds(x, y)] == [spot]


def test_all_six_seats_lie_inside_the_picture() -> None:
    camera = Camera()
    for place in PLACES.values():
        seen = camera.project(place.corners())
        assert (seen >= 0).all()
        assert (seen <= [camera.width, camera.height]).all()


def test_the_pack_has_a_place_for_every_card_that_a_text_names() -> None:
    assert hand(" ".join(map(str, PACK))) == PACK


def test_a_spot_of_the_layout_is_a_spot_of_the_contract() -> None:
    assert {str(Spot.parse(str(spot))) for spot in PLACES} == {str(spot) for spot in PLACES}
