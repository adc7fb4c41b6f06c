"""Law: what is planted in a staged round is what the rules find in its truth, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from audit.watch.compare import Told, compare
from audit.watch.evaluate import keep
from audit.watch.feeds import FileFeed
from audit.watch.follow import Table, follow
from audit.watch.truth import Truth
from rules.check import judge
from rules.events import Area, Spot
from rules.games import GAMES
from rules.house import default_house
from rules.reader import Naming
from rules.record_json import record_from_json
from rules.round_state import Setting
from rules.wire import parse_feed_line
from vision.frames import Frame, SourceItem
from vision.layout import load_layout
from vision.training.scenario import Scenario, Staged
from vision.training.scenario_cases import Author, Kind
from vision.training.scenario_look import BACKS, DECKS, Look, Purpose, look
from vision.training.scenario_sight import TruthSight
from vision.training.scenario_stage import stage
from vision.training.scenario_table import layout_toml
from vision.training.scenario_truth import truth
from vision.training.scenarios import clip, feed_lines

WITHOUT_RECORD = {"dealer-ahead-of-play"}
"""What the plain record cannot show, since it has no order of acts."""


@pytest.mark.parametrize("number", [3, 7, 8, 12, 19, 24])
def test_the_rules_find_what_was_planted(number: int) -> None:
    told = truth(clip(Purpose.EVALUATION, number).staged)
    for index, row in enumerate(told["rounds"], start=1):
        result = judge(record_from_json(row["record"]), default_house())
        found = {(f.code.value, f.seat, f.trick) for f in result.findings if f.severity != "info"}
        planted = {
            (f["code"], f["seat"], f["trick"])
            for f in told["findings"]
            if f["round"] == index and f["code"] not in WITHOUT_RECORD
        }
        assert found == planted


def test_evaluation_and_development_share_no_deck_and_no_back() -> None:
    evaluation, development = Purpose.EVALUATION, Purpose.DEVELOPMENT
    assert not set(DECKS[evaluation]) & set(DECKS[development])
    assert not set(BACKS[evaluation]) & set(BACKS[development])


def test_a_clip_comes_out_the_same_twice() -> None:
    first, second = (clip(Purpose.EVALUATION, 5) for _ in range(2))
    assert truth(first.staged) == truth(second.staged)
    assert first.look == second.look


@pytest.mark.parametrize("number", range(0, 41, 4))
def test_every_spot_of_a_look_is_in_the_picture_and_holds_its_own_cards(number: int) -> None:
    view = look(Purpose.EVALUATION, number)
    for spot, place in view.table.places.items():
        seen = view.camera.project(place.corners())
        assert (seen >= 0).all()
        assert (seen <= [view.camera.width, view.camera.height]).all()
        if spot.area in (Area.HAND, Area.DEALER, Area.PLAYED):
            assert {view.table.spot_at(*view.table.slot(spot, n)) for n in range(3)} == {spot}


def test_no_arm_of_a_drawn_round_is_in_two_places_at_once() -> None:
    staged = clip(Purpose.DEVELOPMENT, 6).staged
    arms: dict[object, list[tuple[float, float]]] = {}
    for gesture in staged.gestures:
        arms.setdefault((gesture.arm, gesture.seat), []).append((gesture.start, gesture.end))
    for spans in arms.values():
        for (_, end), (start, _) in pairwise(sorted(spans)):
            assert start >= end - 0.3  # a hand that is called back turns round on its way


@dataclass
class Drawn:
    """Frames of a staged clip as plain shapes: enough for the eye that looks for changes."""

    staged: Staged
    view: Look
    name: str = "drawn"
    live: bool = False
    fps: float | None = None
    duration: float | None = None
    sight: TruthSight = field(init=False)

    def __post_init__(self) -> None:
        self.sight = TruthSight(self.staged, self.view.camera, seed=3)

    def __iter__(self) -> Iterator[SourceItem]:
        camera = self.view.camera
        noise = np.random.default_rng(1)
        felt = np.full((camera.height, camera.width, 3), (40, 90, 30), np.uint8)
        for place in self.view.table.places.values():
            outline = np.rint(camera.project(place.corners(8.0))).astype(np.int32)
            cv2.polylines(felt, [outline], True, (120, 170, 110), 2)
        for index in range(round(self.staged.seconds * self.view.fps)):
            at = index / self.view.fps
            image = felt.copy()
            for corners, up in self.sight.shapes(at):
                colour = (245, 245, 245) if up else (160, 70, 40)
                cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), colour)
            for tip, end in self.sight.arms(at):
                ends = [tuple(np.rint(p).astype(int).tolist()) for p in (tip, end)]
                cv2.line(image, ends[0], ends[1], (120, 150, 200), round(84 * camera.scale))
            image[0, :8] = noise.integers(0, 255, (8, 3))
            yield Frame(image, index, at)


@pytest.mark.parametrize("kind", [Kind.REVOKE, Kind.MISDEAL_DEALER, Kind.MISDEAL_PLAYERS])
def test_a_good_sight_is_enough_to_tell_whole_rounds_rightly(kind: Kind, tmp_path: Path) -> None:
    view = look(Purpose.DEVELOPMENT, 0)
    author = Author(view, payouts=False)
    rounds = (author.round(kind), author.round(Kind.CLEAN))
    staged = stage(Scenario("D00", 11, rounds), view.table)
    path = tmp_path / "d.layout.toml"
    path.write_text(layout_toml(view.camera, table=view.table, name="D00"))
    drawn = Drawn(staged, view)
    game = GAMES[view.table.game]
    feed = FileFeed([parse_feed_line(line, game) for line in feed_lines(staged)])
    setting = Setting(game, default_house(), "D00")
    source = drawn.sight.watching(drawn)
    told = Told()
    for moment in follow(Table(source, load_layout(path), drawn.sight, setting, Naming(), feed)):
        keep(moment, told)
    video = {"file": "", "seconds": staged.seconds, "fps": view.fps}
    score = compare(Truth.model_validate({"video": video, **truth(staged)}), told)
    assert not score.failures, [str(failure) for failure in score.failures]
    assert score.found == score.planted == 1
    assert score.plays_right == score.plays
    assert max(score.latencies) < 0.7


def test_a_spot_of_a_staged_table_is_named_as_in_the_contract() -> None:
    for spot in look(Purpose.EVALUATION, 3).table.places:
        assert Spot.parse(str(spot)) == spot
