"""The bundled demo clip is what its script says, and shows what its truth file claims."""

import json
import tomllib
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from rules.cards import Card
from vision.training.demo import write_texts
from vision.training.demo_script import DEMO
from vision.training.scenario_stage import stage
from vision.training.scenario_table import Camera

_DEMO = Path("datasets/demo")
_TEXTS = ("whist.layout.toml", "whist.feed.jsonl", "whist.truth.json")


def _truth() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((_DEMO / "whist.truth.json").read_text())
    return read


def _legal(lead: Card, trump: Card, holding: list[Card]) -> list[Card]:
    """TCW-12, written down once more and independently."""
    following = [card for card in holding if card.suit is lead.suit]
    trumping = [card for card in holding if card.suit is trump.suit]
    return following or trumping or holding


def _won(lead: Card, trump: Card, card: Card) -> bool:
    if card.suit is lead.suit:
        return card.rank > lead.rank
    return card.suit is trump.suit


def _complete() -> list[dict[str, Any]]:
    return [row["record"] for row in _truth()["rounds"] if not row["void"]]


def test_the_committed_texts_are_what_the_script_makes(tmp_path: Path) -> None:
    write_texts(stage(DEMO), Camera(), tmp_path)
    for name in _TEXTS:
        assert (tmp_path / name).read_text() == (_DEMO / name).read_text(), name


def test_the_clip_is_as_long_and_as_large_as_its_truth_says() -> None:
    video = _truth()["video"]
    with av.open(str(_DEMO / "whist.mp4")) as container:
        stream = container.streams.video[0]
        assert stream.frames == video["frames"]
        assert [stream.width, stream.height] == video["size"]
        assert stream.average_rate == video["fps"] == 25
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
    assert video["seconds"] == pytest.approx(video["frames"] / video["fps"])
    assert 45 <= video["seconds"] <= 58


def test_the_clip_and_its_poster_are_small() -> None:
    assert (_DEMO / "whist.mp4").stat().st_size < 8_000_000
    assert (_DEMO / "whist.jpg").stat().st_size < 300_000


def test_the_layout_lies_inside_the_picture() -> None:
    layout = tomllib.loads((_DEMO / "whist.layout.toml").read_text())
    width, height = layout["frame"]
    names = [spot["name"] for spot in layout["spot"]]
    assert {"dealer", "trump", "discard", *(f"seat-{n}" for n in range(1, 7))} <= set(names)
    assert len(names) == len(set(names))
    for spot in layout["spot"]:
        for x, y in spot["polygon"]:
            assert 0 <= x <= width, spot["name"]
            assert 0 <= y <= height, spot["name"]


def test_no_card_is_dealt_twice_in_a_round() -> None:
    for row in _truth()["rounds"]:
        cards = [card for dealt in row["dealt"].values() for card in dealt]
        assert len(cards) == len(set(cards))


def test_every_play_is_legal_but_the_planted_ones() -> None:
    broken = []
    for number, row in enumerate(_truth()["rounds"], start=1):
        told = row["record"]
        for seat, held in told["seats"].items():
            holding = [Card.parse(card) for card in row["dealt"][f"seat-{seat}"]]
            for trick, played in enumerate(held["plays"], start=1):
                lead, card = Card.parse(told["dealer"][trick - 1]), Card.parse(played)
                if card not in _legal(lead, Card.parse(told["trump"]), holding):
                    broken.append((number, int(seat), trick))
                holding.remove(card)
    planted = [(f["round"], f["seat"], f["trick"]) for f in _truth()["findings"] if f["trick"]]
    assert broken == planted


def test_every_payout_is_due_but_the_planted_one() -> None:
    planted = [f for f in _truth()["findings"] if f["code"] == "overpaid"]
    breached = {(f["round"], f["seat"]) for f in _truth()["findings"] if f["trick"]}
    wrong = []
    for number, row in enumerate(_truth()["rounds"], start=1):
        if row["void"]:
            assert all(not any(s["paid"].values()) for s in row["record"]["seats"].values())
            continue
        for seat, held in row["record"]["seats"].items():
            if held["decision"] == "play" and (number, int(seat)) not in breached:
                due = _due(row["record"], held)
                wrong += [(number, int(seat), k) for k in due if due[k] != held["paid"][k]]
    assert wrong == [(f["round"], f["seat"], f["proved_by"]) for f in planted]


def _due(told: dict[str, Any], held: dict[str, Any]) -> dict[str, int]:
    """TCW-13 and the Bonus as far as the demo's hands need it: a pair or nothing."""
    leads, trump = [Card.parse(card) for card in told["dealer"]], Card.parse(told["trump"])
    plays = [Card.parse(card) for card in held["plays"]]
    tricks = sum(_won(lead, trump, card) for lead, card in zip(leads, plays, strict=True))
    wagers = held["wagers"]
    play = {2: 2, 3: 3}.get(tricks, -1) * wagers["play"]
    due = {"ante": wagers["ante"] * (1 if tricks >= 2 else -1), "play": play}
    if "bonus" in wagers:
        pair = len({card.rank for card in plays}) == 2
        assert len({card.suit for card in plays}) > 1
        due["bonus"] = wagers["bonus"] * (1 if pair else -1)
    return due


def test_each_kind_of_finding_is_planted_once() -> None:
    codes = [finding["code"] for finding in _truth()["findings"]]
    assert sorted(codes) == ["failed-to-follow-suit", "failed-to-trump", "misdeal", "overpaid"]


def test_a_breach_is_proved_later_than_it_was_played() -> None:
    events = _truth()["events"]
    for finding in _truth()["findings"]:
        if finding["trick"]:
            told = _truth()["rounds"][finding["round"] - 1]["record"]
            played = told["seats"][str(finding["seat"])]["plays"][finding["trick"] - 1]
            shown = next(e["at"] for e in events if e["card"] == played)
            assert finding["at"] > shown + 1


def test_every_seat_plays_in_some_round() -> None:
    assert {seat for row in _truth()["rounds"] for seat in row["record"]["seats"]} == set("123456")


def test_the_table_is_empty_for_a_second_before_each_deal_and_at_the_end() -> None:
    starts = [row["started_at"] for row in _truth()["rounds"]] + [_truth()["video"]["seconds"]]
    wanted = sorted({0, *(round((at - back) * 25) for at in starts[1:] for back in (0.8, 0.1))})
    frames = _frames(wanted)
    empty = frames[0]
    for index in wanted[1:]:
        assert float(np.abs(frames[index] - empty).max()) < 14, index


def _frames(wanted: list[int]) -> dict[int, np.ndarray[Any, np.dtype[np.float32]]]:
    """Return some frames, made small so that noise is averaged away."""
    made = {}
    with av.open(str(_DEMO / "whist.mp4")) as container:
        for index, frame in enumerate(container.decode(video=0)):
            if index in wanted:
                small = frame.reformat(width=160, height=90).to_ndarray(format="rgb24")
                made[index] = small.astype(np.float32)
    return made


def test_complete_rounds_show_every_card_that_was_played() -> None:
    for told in _complete():
        for held in told["seats"].values():
            assert len(held["plays"]) == (3 if held["decision"] == "play" else 0)
