"""Law: a report on staged clips counts every act once, and never counts a doubt as a claim."""

import json
from pathlib import Path
from typing import Any

import pytest

from audit.cli.eval import EvalOptions, evaluate
from audit.errors import SettingsError
from audit.watch.compare import Fault, Score, Told, ToldEvent, ToldFinding, ToldRound, compare
from audit.watch.truth import Truth

SEAT: dict[str, Any] = {"wagers": {"ante": 1000}, "hand": ["5C", "KH"], "plays": ["5C", "KH"]}
RECORD = {"trump": "2D", "dealer": ["9C", "3H"], "seats": {"1": SEAT}, "exposed": []}


def event(kind: str, spot: str, card: str | None, at: float) -> dict[str, Any]:
    return {"kind": kind, "spot": spot, "card": card, "at": at}


def truth(**changes: object) -> Truth:
    whole: dict[str, Any] = {
        "video": {"file": "a.mp4", "seconds": 12.0, "fps": 10},
        "rounds": [{"started_at": 0.0, "record": RECORD}],
        "findings": [],
        "events": [
            event("card-placed", "seat-1", None, 1.0),
            event("card-turned", "seat-1", "5C", 5.0),
            event("card-turned", "seat-1", "KH", 8.0),
        ],
    }
    return Truth.model_validate(whole | changes)


BREACH = {"round": 1, "code": "failed-to-follow-suit", "seat": 1, "trick": 1, "at": 8.0}


def told(
    *, card: str = "5C", status: str = "settled", findings: tuple[ToldFinding, ...] = ()
) -> Told:
    record = {**RECORD, "seats": {"1": {**SEAT, "plays": [card, "KH"]}}}
    result = {"seats": {"1": {"status": status}}}
    return Told(
        events=[
            ToldEvent("card-placed", "seat-1", None, 1.1, 1.3),
            ToldEvent("card-turned", "seat-1", card, 5.1, 5.2),
            ToldEvent("card-turned", "seat-1", "KH", 8.1, 8.2),
        ],
        findings=list(findings),
        rounds=[ToldRound(record, result, 11.0)],
    )


def claim(
    code: str = "failed-to-follow-suit", severity: str = "high", at: float = 8.3
) -> ToldFinding:
    return ToldFinding(code, 1, 1, severity, "Seat 1 …", at)


def faults(score: Score) -> list[Fault]:
    return [failure.fault for failure in score.failures]


def test_a_round_told_as_it_was_has_no_fault() -> None:
    score = compare(truth(), told())
    assert not score.failures
    assert (score.right, score.plays, score.plays_right, score.clean) == (3, 2, 2, 1)


def test_a_misread_play_is_one_wrong_event_and_one_wrong_play() -> None:
    score = compare(truth(), told(card="5S"))
    assert faults(score) == [Fault.EVENT_WRONG, Fault.PLAY_WRONG]
    assert score.plays_right == 1
    assert score.clean == 0


def test_what_was_not_told_is_missed_and_what_was_told_besides_is_extra() -> None:
    said = told()
    said.events[1] = ToldEvent("card-turned", "seat-2", "5C", 5.1, 5.2)
    assert faults(compare(truth(), said)) == [Fault.EVENT_MISSED, Fault.EVENT_EXTRA]


def test_a_found_breach_counts_with_the_time_from_its_proof() -> None:
    score = compare(truth(findings=[BREACH]), told(findings=(claim(),)))
    assert (score.planted, score.found, score.latencies) == (1, 1, [0.3])


@pytest.mark.parametrize(
    ("status", "fault"), [("settled", Fault.MISSED), ("unsure", Fault.DOUBTED)]
)
def test_a_breach_not_found_is_missed_unless_the_hand_was_left_unsure(
    status: str, fault: Fault
) -> None:
    assert faults(compare(truth(findings=[BREACH]), told(status=status))) == [fault]


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (claim(), [Fault.FALSE_BREACH]),
        (claim("late-wager"), [Fault.FALSE_OTHER]),
        (claim("card-exposed", "info"), []),  # information accuses nobody
        (claim("unreadable", "low"), []),  # nor does a doubt
    ],
)
def test_a_finding_that_was_not_planted_is_false(
    finding: ToldFinding, expected: list[Fault]
) -> None:
    assert faults(compare(truth(), told(findings=(finding,)))) == expected


def test_a_seat_that_could_not_be_seen_may_be_unsure() -> None:
    row = {"started_at": 0.0, "record": RECORD, "unsure": [1]}
    said = told(status="unsure")
    said.rounds[0].record["seats"]["1"]["plays"] = [None, "KH"]
    score = compare(truth(rounds=[row]), said)
    assert (score.plays, score.plays_right, score.unsure) == (1, 1, 0)


def test_a_round_that_was_not_told_is_lost() -> None:
    said = told()
    said.rounds.clear()
    assert Fault.ROUND_LOST in faults(compare(truth(), said))


def test_a_folder_without_clips_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"found no clip, expected files named \*\.truth\.json"):
        evaluate(EvalOptions(tmp_path))


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "found no JSON"), ('{"video": 3}', "field 'video'")],
)
def test_a_truth_that_cannot_be_understood_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.truth.json").write_text(text)
    with pytest.raises(SettingsError, match=said):
        evaluate(EvalOptions(tmp_path))


def test_a_clip_without_its_video_is_named(tmp_path: Path) -> None:
    whole = truth().model_dump(mode="json")
    (tmp_path / "a.truth.json").write_text(json.dumps(whole))
    with pytest.raises(SettingsError, match=r"a\.mp4: not found"):
        evaluate(EvalOptions(tmp_path))
