"""The law: a layout can be looked at, and what keeps it from being a whole table is named."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from audit.cli.main import main
from audit.cli.places import ROOT
from audit.watch.layouts import game_of, layout_faults
from rules.games import GAMES
from vision.images import load_image
from vision.layout import load_layout

DEMO = ROOT / "datasets" / "demo"
HEAD = 'table = "T1"\ngame = "three-card-whist"\nframe = [640, 480]\n'
DEALER, TRUMP, HAND = ((10, 10, 200, 90), (250, 10, 60, 90), (10, 300, 200, 90))


def spot(name: str, place: tuple[int, int, int, int]) -> str:
    x, y, wide, tall = place
    corners = [[x, y], [x + wide, y], [x + wide, y + tall], [x, y + tall]]
    return f'[[spot]]\nname = "{name}"\npolygon = {corners}\n'


WHOLE = spot("dealer", DEALER) + spot("trump", TRUMP) + spot("seat-1", HAND)


def faults(folder: Path, text: str) -> list[str]:
    path = folder / "t.layout.toml"
    path.write_text(text)
    layout = load_layout(path)
    return list(layout_faults(layout, game_of(path, layout)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + WHOLE, []),
        # A wager's spot may lie among cards, and wagers may touch.
        (HEAD + WHOLE + spot("seat-1.ante", (20, 310, 60, 60)), []),
        (HEAD + spot("seat-1", HAND), ["dealer: found no such spot", "trump: found no such spot"]),
        (HEAD + spot("dealer", DEALER) + spot("trump", TRUMP), ["seats: found none"]),
        (
            HEAD + WHOLE + spot("seat-2.ante", (400, 300, 60, 60)),
            ["seat-2: found no spot where its hand lies"],
        ),
        (
            HEAD + WHOLE + spot("seat-1.play", (10, 260, 200, 90)),
            ["seat-1 and seat-1.play: found spots that share 56%"],
        ),
        (
            HEAD.replace("three-card-whist", "tri-card-poker")
            + WHOLE
            + spot("seat-1.rnb", (400, 300, 60, 60))
            + spot("seat-1.play", (400, 10, 200, 90)),
            [
                "trump: found a spot that tri-card-poker has no use for",
                "seat-1.play: found a spot for played cards",
                "seat-1.rnb: found a wager that tri-card-poker does not have",
            ],
        ),
    ],
)
def test_what_keeps_a_layout_from_being_a_whole_table_is_named(
    tmp_path: Path, text: str, said: list[str]
) -> None:
    found = faults(tmp_path, text)
    assert [line[: len(start)] for line, start in zip(found, said, strict=True)] == said


def test_the_page_shows_a_whole_layout_of_every_game(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "layout.md").read_text()
    examples = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert [faults(tmp_path, example) for example in examples] == [[]] * len(GAMES)
    assert [game for example in examples for game in GAMES if f'"{game}"' in example] == [*GAMES]


def test_a_layout_is_drawn_over_the_frame(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame, out = tmp_path / "frame.png", tmp_path / "plan.png"
    cv2.imwrite(str(frame), np.full((720, 1280, 3), 90, np.uint8))
    layout = DEMO / "whist.layout.toml"
    assert main(["layout", str(frame), "--layout", str(layout), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "39 spots of table T1, three-card-whist" in said
    assert "seats: 1, 2, 3, 4, 5, 6" in said
    assert "cards: about " in said
    changed = np.any(load_image(out) != 90, axis=2)
    assert changed[175, 624]  # the dealer's spot
    assert changed[5, 100]  # a ruler
    assert not changed[430, 640]  # the cloth between


def test_without_a_layout_the_frame_has_rulers_and_its_size_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "frame.jpg"
    assert main(["layout", str(DEMO / "whist.mp4"), "--at", "0.2", "--out", str(out)]) == 0
    assert "frame = [1280, 720]" in capsys.readouterr().out
    assert load_image(out).shape == (720, 1280, 3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--at", "9999"), "found its end before 9999 s"),
        (("--out", "plan.layout"), "--out: found 'plan.layout', expected a picture"),
        (("--out", "none/plan.png"), "none/plan.png: cannot be written"),
        (("--layout", "none.toml"), "none.toml: cannot be read"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "night").mkdir()
    cv2.imwrite(str(tmp_path / "night" / "1.png"), np.full((48, 64, 3), 90, np.uint8))
    assert main(["layout", "night", *words]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert len(captured.err.splitlines()) == 1


def test_a_camera_that_does_not_answer_is_not_waited_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["layout", "rtsp://me:secret@127.0.0.1:9/live", "--out", "x.png"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("pitwatch: rtsp://***@127.0.0.1:9/live: ")
    assert "secret" not in said
