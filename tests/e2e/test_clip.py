"""The law: the demo, run for real, tells exactly what was planted in its clip, once each and live.

While it runs, the pit, surveillance and the dealer do at their pages what they are there for.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import pytest
from playwright.sync_api import Browser, expect

from audit.alerts import AlertState
from audit.cli.main import INTERRUPTED, main
from audit.cli.places import demo_footage
from audit.evidence import standalone
from audit.evidence.footage import ClipState
from audit.store import AlertQuery, open_reader
from tests.e2e.running import CLOTH, LONGEST_S, Demo, demo, first_picture_ms, frames_played, visitor

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1200)]

LATEST_S = 0.7
"""How long after its proof a finding may be told, in seconds of media time."""


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    """What the script that made the clip planted in it."""
    loaded: dict[str, Any] = json.loads(
        demo_footage().video.with_name("whist.truth.json").read_text()
    )
    return loaded


@dataclass(frozen=True)
class Live:
    """What people saw and did at their pages while the demo ran."""

    demo: Demo
    reloaded: bool
    """Whether the pit's wall was loaded again until the finding stood on it."""
    round: str
    frames: int
    """Pictures of the film that the replay played."""
    cloth: float
    """How much of its picture was as green as the cloth."""
    opened_ms: int
    """From the opening of the replay to its first picture, while the table was watched."""
    calm_ms: int
    """The same after the footage had ended."""
    settlement: str
    """What the dealer's screen said at the end."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Live]:
    """The demo's whole run, and what was done meanwhile."""
    with demo(tmp_path_factory.mktemp("demo")) as running:
        wall = visitor(browser, running.url, "Pit")
        wall.evaluate("window.sameDocument = true")
        alert = wall.locator(".queue .alert", has_text="Suit not followed")
        expect(alert).to_be_visible(timeout=1000 * LONGEST_S)
        same = wall.evaluate("window.sameDocument === true")
        alert.get_by_role("button", name="Acknowledge").click()
        expect(wall.locator(".taken .alert", has_text="Suit not followed")).to_be_visible()

        desk = visitor(browser, running.url, "Surveillance")
        taken = desk.locator(".taken .alert", has_text="Suit not followed")
        taken.get_by_role("link", name="Replay").click()  # It opens when the round is over.
        expect(desk.locator("#video")).to_be_visible(timeout=1000 * LONGEST_S)
        desk.reload()
        opened_ms = first_picture_ms(desk)
        desk.keyboard.press("Space")
        frames = frames_played(desk, at_least=20)
        cloth = desk.evaluate(CLOTH)
        desk.keyboard.press("Space")
        desk.keyboard.press("a")
        dialog = desk.get_by_role("dialog", name="Confirmed")
        dialog.get_by_label("Reason").fill("The three of hearts lay in the hand.")
        dialog.get_by_role("button", name="Mark as confirmed").click()
        expect(desk.locator(".story")).to_contain_text("The three of hearts lay in the hand.")

        running.wait_for("The footage has ended")
        screen = visitor(browser, running.url, "Dealer's screen of table T1")
        expect(screen.locator(".settlement")).to_be_visible()
        settlement = screen.locator(".settlement").inner_text()
        desk.reload()
        yield Live(
            demo=running,
            reloaded=not same,
            round=desk.locator("h1").inner_text(),
            frames=frames,
            cloth=cloth,
            opened_ms=opened_ms,
            calm_ms=first_picture_ms(desk),
            settlement=settlement,
        )
        for page in (wall, desk, screen):
            page.context.close()
    assert running.process.returncode == INTERRUPTED


@pytest.fixture(scope="module")
def data(live: Live) -> Path:
    return live.demo.data


@pytest.fixture(scope="module")
def lines(live: Live) -> list[dict[str, Any]]:
    """What `pitwatch demo --json` printed for the clip."""
    return live.demo.lines()


def of_type(lines: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == kind]


def key(finding: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(finding[name] for name in ("code", "seat", "trick", "rule"))


def test_a_finding_reaches_the_open_wall_and_is_taken_up_replayed_and_judged(
    live: Live, data: Path
) -> None:
    took = f"{live.opened_ms} ms, {live.calm_ms} ms once the footage had ended"
    sys.stdout.write(f"replay: first picture after {took}\n")
    assert not live.reloaded
    assert live.frames > 20
    assert live.cloth > 0.3
    with closing(open_reader(f"sqlite:///{data / 'pitwatch.db'}")) as reader:
        (alert,) = reader.alerts(AlertQuery(round=live.round))
        acts = [(act.act, act.user, act.note) for act in reader.alert_acts(alert.number)]
    assert alert.code == "failed-to-follow-suit"
    assert alert.state is AlertState.CONFIRMED
    assert acts[-1] == ("moved", "demo", "The three of hearts lay in the hand.")


def test_the_dealer_is_shown_what_is_due_on_every_wager(
    live: Live, lines: list[dict[str, Any]]
) -> None:
    last = of_type(lines, "round")[-1]["result"]
    for seat, told in last["seats"].items():
        assert f"Seat {seat}" in live.settlement
        for due in (told["due"] or {}).values():
            word = "Pay" if due > 0 else "Take" if due < 0 else "Give back"
            amount = f" {abs(due) / 100:.2f}" if due else ""
            assert f"{word}{amount}" in live.settlement


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
