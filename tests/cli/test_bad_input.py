"""The law: bad input gives one plain line and exit code 2, never a traceback, and loses nothing."""

import json
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np
import pytest

from audit.chain import EntryKind
from audit.cli.main import main
from audit.cli.places import ROOT
from audit.store import open_reader, open_store
from audit.verify import Outside, verify

DEMO = ROOT / "datasets" / "demo"
CLIP, LAYOUT = DEMO / "whist.mp4", DEMO / "whist.layout.toml"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run `pitwatch` in an empty folder; return exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str | Path) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


def refused(result: tuple[int, str, str], *named: str) -> None:
    code, out, err = result
    assert code == 2
    assert out == ""
    assert len(err.splitlines()) == 1, err
    assert err.startswith("pitwatch: ")
    for word in named:
        assert word in err


@pytest.fixture
def layout(tmp_path: Path) -> Callable[[str, str], Path]:
    """Return the demo's layout with one text in it replaced by another."""

    def changed(old: str, new: str) -> Path:
        text = LAYOUT.read_text()
        assert old in text
        path = tmp_path / "changed.layout.toml"
        path.write_text(text.replace(old, new, 1))
        return path

    return changed


def test_a_missing_video_is_named(run: Run) -> None:
    refused(run("watch", "none.mp4", "--layout", LAYOUT), "none.mp4", "expected")


def test_a_missing_folder_of_clips_is_named(run: Run, tmp_path: Path) -> None:
    refused(run("eval", "none"), "none: found no such folder", "expected")
    (tmp_path / "empty").mkdir()
    refused(run("eval", "empty"), "empty: found no clip", "expected files named *.truth.json")


def test_a_broken_video_is_named(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"\x00\x00\x00\x18ftypmp42" + b"rubbish" * 100)
    refused(run("watch", broken, "--layout", LAYOUT), "broken.mp4")


def test_a_video_cut_short_keeps_what_was_seen_and_says_so(run: Run, tmp_path: Path) -> None:
    # The index of this clip stands at its beginning; what follows an eighth of it is not there.
    begun = tmp_path / "begun.mp4"
    whole = CLIP.read_bytes()
    begun.write_bytes(whole[: len(whole) // 8])
    code, _, err = run("watch", begun, "--layout", LAYOUT, "--json", "--data", "rec")
    assert code == 2
    assert "begun.mp4" in err
    assert "Traceback" not in err
    reader = open_reader(f"sqlite:///{tmp_path / 'rec' / 'pitwatch.db'}")
    kinds = [entry.kind for entry in reader.entries_after(table="T1", limit=1000)]
    held = verify(reader, Outside(data_dir=tmp_path / "rec"))
    reader.close()
    assert kinds.count(EntryKind.CARD_PLACED) >= 6, "a deal of six hands had begun"
    assert (held.fault, held.sealed) == (None, held.entries)


def test_a_missing_layout_is_named(run: Run) -> None:
    refused(run("watch", CLIP, "--layout", "none.toml"), "none.toml")


def test_an_unknown_spot_of_a_layout_is_named(run: Run, layout: Callable[..., Path]) -> None:
    path = layout('name = "trump"', 'name = "trumpet"')
    refused(run("watch", CLIP, "--layout", path), "changed.layout.toml", "trumpet", "expected")


def test_a_polygon_outside_the_frame_is_named(run: Run, layout: Callable[..., Path]) -> None:
    path = layout("polygon = [[", "polygon = [[9000, 9000], [")
    refused(run("watch", CLIP, "--layout", path), "changed.layout.toml", "9000")


def test_a_layout_of_an_unknown_game_is_named(run: Run, layout: Callable[..., Path]) -> None:
    path = layout('game = "three-card-whist"', 'game = "snap"')
    refused(run("watch", CLIP, "--layout", path), "snap", "three-card-whist")


def test_a_broken_feed_line_is_named(run: Run, tmp_path: Path) -> None:
    feed = tmp_path / "feed.jsonl"
    feed.write_text('{"at": 1.0, "kind": "wager", "seat": 9, "wager": "ante", "amount": 5}\n')
    refused(run("watch", CLIP, "--layout", LAYOUT, "--feed", feed), "feed.jsonl", "line 1", "seat")


def test_a_feed_number_without_end_is_named(run: Run, tmp_path: Path) -> None:
    feed = tmp_path / "feed.jsonl"
    line = '{"at": 1.0, "kind": "wager", "seat": 1, "wager": "ante", "amount": %s}'
    feed.write_text(line % ("9" * 5000))
    refused(run("watch", CLIP, "--layout", LAYOUT, "--feed", feed), "feed.jsonl", "line 1")


def test_a_table_name_that_leads_elsewhere_is_named(run: Run, layout: Callable[..., Path]) -> None:
    path = layout(LAYOUT.read_text().splitlines()[0], 'table = "../../elsewhere"')
    refused(run("watch", CLIP, "--layout", path, "--no-record"), "changed.layout.toml", "table")


def test_a_table_that_bears_the_name_of_a_second_camera_is_named(
    run: Run, layout: Callable[..., Path]
) -> None:
    path = layout(LAYOUT.read_text().splitlines()[0], 'table = "T1.2"')
    refused(run("watch", CLIP, "--layout", path), "changed.layout.toml", "'T1.2'", "second camera")


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = 1" + "0" * 5000])
def test_toml_beyond_all_use_is_told_as_broken(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text)
    refused(run("watch", CLIP, "--layout", path), "broken.toml")
    refused(run("house", "check", path), "broken.toml")
    (tmp_path / "pitwatch.toml").write_text(text)
    refused(run("verify"), "pitwatch.toml")


def test_a_changed_model_is_refused(run: Run, tmp_path: Path) -> None:
    models = tmp_path / "models"
    shutil.copytree(ROOT / "models", models)
    for weights in models.glob("*.onnx"):
        weights.write_bytes(weights.read_bytes() + b"\x00")
    refused(run("watch", CLIP, "--layout", LAYOUT, "--models", models), "SHA-256")
    refused(run("detect", DEMO / "whist.jpg", "--models", models), "SHA-256")


def test_a_folder_without_a_model_is_named(run: Run, tmp_path: Path) -> None:
    refused(run("detect", DEMO / "whist.jpg", "--models", tmp_path), "manifest.toml")


def test_a_database_that_cannot_be_written_is_named(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "pitwatch.db").write_text("this is no database, it is a letter")
    refused(run("watch", CLIP, "--layout", LAYOUT, "--data", data), "pitwatch.db")
    refused(run("verify", "--data", data), "pitwatch.db")
    assert (data / "pitwatch.db").read_text() == "this is no database, it is a letter"


def test_somebody_elses_database_is_left_alone(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with sqlite3.connect(data / "pitwatch.db") as theirs:
        theirs.execute("CREATE TABLE recipes (name TEXT)")
    theirs.close()
    refused(run("watch", CLIP, "--layout", LAYOUT, "--data", data), "pitwatch.db")


def test_a_port_in_use_is_named_with_another(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        refused(run("serve", "--port", port), port, "--port")
        refused(run("demo", "--port", port), port, "--port")


def test_an_image_that_is_no_image_is_named_and_the_others_are_read(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "no.jpg").write_text("no picture")
    shutil.copy(DEMO / "whist.jpg", tmp_path / "yes.jpg")
    code, out, err = run("detect", tmp_path / "no.jpg", tmp_path / "yes.jpg", "--json")
    assert code == 2
    assert [Path(json.loads(line)["image"]).name for line in out.splitlines()] == ["yes.jpg"]
    assert "no.jpg" in err


def test_a_place_that_cannot_be_written_is_named_and_the_others_are_read(
    run: Run, tmp_path: Path
) -> None:
    for name in ("a.jpg", "b.jpg"):
        shutil.copy(DEMO / "whist.jpg", tmp_path / name)
    (tmp_path / "a.jpg.cards.jpg").mkdir()
    code, out, err = run("detect", "a.jpg", "b.jpg")
    assert code == 2
    assert "a.jpg.cards.jpg: cannot be written" in err
    assert "b.jpg" in out
    assert "beside each image, as IMAGE.cards.jpg" in out
    assert (tmp_path / "b.jpg.cards.jpg").is_file()


def test_an_image_that_is_a_mere_line_is_named(run: Run, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "line.png"), np.zeros((1, 3000, 3), np.uint8))
    refused(run("detect", "line.png", "--json"), "line.png", "3000 by 1")


def test_an_empty_folder_of_images_is_named(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    refused(run("detect", folder), "photos")


def test_a_broken_line_of_a_round_file_is_named_and_the_rest_checked(
    run: Run, tmp_path: Path
) -> None:
    rounds = tmp_path / "a.rounds.jsonl"
    good = '{"round": "R1", "game": "three-card-whist", "seats": {"1": {}}}'
    rounds.write_text(f"{good}\n{{broken\n\n[]\n{good.replace('R1', 'R2')}\n")
    code, out, err = run("check", rounds)
    assert code == 2
    assert [json.loads(line)["round"] for line in out.splitlines()] == ["R1", "R2"]
    assert [line.split(":")[2].strip() for line in err.splitlines()] == ["line 2", "line 4"]


def test_a_missing_round_file_is_named(run: Run) -> None:
    refused(run("check", "none.rounds.jsonl"), "none.rounds.jsonl")


def test_a_broken_house_file_is_named_with_its_line(run: Run, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('name = "h"\n\n[three-card-whist]\nmisdeel = 1\n')
    rounds = tmp_path / "a.rounds.jsonl"
    rounds.write_text("")
    refused(run("check", rounds, "--house", house), "house.toml", "misdeel", "4")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["fly"], "fly"),
        (["watch"], "SOURCE"),
        (["watch", "a.mp4", "--fast"], "--fast"),
        (["serve", "--port", "http"], "--port"),
        (["serve", "--port", "99999"], "99999"),
        (["serve", "--port", "0"], "port 0"),
        (["serve", "--host", ""], "127.0.0.1"),
        (["schema", "spoon"], "spoon"),
        (["edge", "snap"], "snap"),
    ],
)
def test_wrong_use_is_told_in_one_line(run: Run, words: list[str], named: str) -> None:
    refused(run(*words), named)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["check", "a\0b"], "null byte"),
        (["check", "."], "directory"),
        (["check", "a" * 300], "too long"),
        (["house", "check", "."], "directory"),
        (["alerts", "check", "."], "directory"),
        (["db", "check", "."], "directory"),
        (["eval", "/dev/null"], "no such folder"),
        (["verify", "--data", "new\nline"], "no record here"),
        (["report", "audit", "--json", "--data", "rec", "--table", "\udcff"], "not UTF-8"),
        (["report", "audit", "--data", "rec", "--range", "2026-13"], "2026-13"),
        (["report", "audit", "--data", "rec", "--from", "9" * 30], "9" * 30),
        (["hold", "release", "9" * 20, "--user", "kim", "--data", "rec"], "NUMBER"),
        (["payouts", "balance", "--days", "-1"], "--days"),
        (["serve", "--port", "-1"], "-1"),
        (["bundle", "쓰리", "--data", "rec"], "쓰리"),
    ],
)
def test_odd_input_is_told_in_one_line(
    run: Run, words: list[str], named: str, tmp_path: Path
) -> None:
    if "rec" in words:
        open_store(f"sqlite:///{tmp_path / 'rec' / 'pitwatch.db'}", tmp_path / "rec").close()
    refused(run(*words), named)


@pytest.mark.parametrize("words", [["schema", "round"], ["--help"], ["user", "roles"]])
def test_a_closed_pipe_ends_a_command_silently_and_is_not_success(words: list[str]) -> None:
    command = [sys.executable, "-m", "audit.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


GROUPS = ("", "house", "db", "key", "user", "payouts", "alerts", "hold", "retention")


@pytest.mark.parametrize("group", GROUPS)
def test_without_arguments_the_help_is_printed_as_help_prints_it(run: Run, group: str) -> None:
    words = [group] if group else []
    code, page, _ = run(*words, "--help")
    assert code == 0
    assert len(page.splitlines()) > 5
    assert run(*words) == (2, "", page)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["key", "rotate"], "(see: pitwatch key rotate --help)"),
        (["key", "none"], "(see: pitwatch key --help)"),
        (["db", "backup"], "(see: pitwatch db backup --help)"),
        (["edge"], "(see: pitwatch edge --help)"),
        (["--none"], "(see: pitwatch --help)"),
    ],
)
def test_wrong_use_names_the_help_of_the_command_that_was_used(
    run: Run, words: list[str], named: str
) -> None:
    refused(run(*words), named)


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version") == (0, f"pitwatch {version('pitwatch')}\n", "")
