"""The law: the demo clip, watched for real, yields exactly what was planted in it, once each."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import av
import pytest

from audit.cli.main import main
from audit.cli.places import demo_footage
from audit.evidence import standalone
from audit.evidence.footage import ClipState
from audit.store import open_reader

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1200), pytest.mark.xdist_group("clip")]

LATEST_S = 0.7
"""How long after its proof a finding may be told, in seconds of media time."""


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    """What the script that made the clip planted in it."""
    loaded: dict[str, Any] = json.loads(
        demo_footage().video.with_name("whist.truth.json").read_text()
    )
    return loaded


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def lines(data: Path) -> list[dict[str, Any]]:
    """What `pitwatch watch --json` prints for the clip."""
    footage = demo_footage()
    output = data / "lines.jsonl"
    words = ["watch", footage.video, "--layout", footage.layout, "--feed", footage.feed]
    with pytest.MonkeyPatch.context() as patch, output.open("w") as stream:
        patch.setattr("sys.stdout", stream)
        assert main([str(word) for word in [*words, "--data", data, "--json"]]) == 0
    return [json.loads(line) for line in output.read_text().splitlines()]


def of_type(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == kind]


def key(finding: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(finding[name] for name in ("code", "seat", "trick", "rule"))


def test_the_planted_findings_are_told_once_each_and_nothing_else(
    lines: list[dict[str, Any]], truth: dict[str, Any]
) -> None:
    assert [key(line) for line in of_type(lines, "finding")] == [
        key(finding) for finding in truth["findings"]
    ]


def test_a_finding_is_told_as_soon_as_it_is_proved(
    lines: list[dict[str, Any]], truth: dict[str, Any]
) -> None:
    for line, planted in zip(of_type(lines, "finding"), truth["findings"], strict=True):
        assert abs(line["at"] - planted["at"]) <= LATEST_S, line


def test_every_round_is_read_card_by_card(
    lines: list[dict[str, Any]], truth: dict[str, Any]
) -> None:
    rounds = [line["record"] for line in of_type(lines, "round")]
    assert len(rounds) == len(truth["rounds"])
    for read, told_of in zip(rounds, truth["rounds"], strict=True):
        planted = told_of["record"]
        for name in ("game", "trump", "dealer"):
            assert (read.get(name) or None) == (planted.get(name) or None)
        assert set(read["seats"]) == set(planted["seats"])
        for seat, told in planted["seats"].items():
            seen = read["seats"][seat]
            for name in ("wagers", "decision", "plays", "paid"):
                assert (seen.get(name) or None) == (told.get(name) or None), (seat, name)


def test_the_record_of_the_clip_verifies(lines: list[dict[str, Any]], data: Path) -> None:
    assert lines
    assert main(["verify", "--data", str(data)]) == 0


def test_every_flagged_hand_has_its_clip_and_a_bundle_that_a_stranger_can_check(
    lines: list[dict[str, Any]], data: Path, tmp_path: Path
) -> None:
    findings = of_type(lines, "finding")
    flagged = {line["round"] for line in findings if line["severity"] != "info"}
    with closing(open_reader(f"sqlite:///{data / 'pitwatch.db'}")) as reader:
        clips = {clip.round: clip for clip in reader.clips()}
        recorded = sum(one.frames for one in reader.segments())
    assert set(clips) == flagged
    assert {clip.state for clip in clips.values()} == {ClipState.READY}
    with av.open(str(demo_footage().video)) as footage:
        assert recorded == footage.streams.video[0].frames
    bundle = str(tmp_path / "evidence.zip")
    assert main(["bundle", min(flagged), "--out", bundle, "--data", str(data)]) == 0
    said: list[str] = []
    assert standalone.main([bundle], said.append) == 0, said


def test_what_watch_printed_judges_the_same_when_checked(
    lines: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = of_type(lines, "round")
    file = tmp_path / "clip.rounds.jsonl"
    file.write_text("".join(json.dumps(line["record"]) + "\n" for line in rounds))
    assert main(["check", str(file)]) == 0
    checked = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert checked == [line["result"] for line in rounds]
