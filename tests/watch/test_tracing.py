"""The law: what is drawn over a recorded video is where the cards were believed to be then."""

from datetime import timedelta
from pathlib import Path

import numpy as np

from audit.store import EPOCH
from audit.traces import glimpses, trace_file
from audit.watch.tracing import WHOLE_S, Trace
from rules.cards import Card
from rules.events import UNREADABLE, Face
from vision.frames import Frame
from vision.pipeline import Observation, SeenCard

BEGIN = EPOCH + timedelta(hours=5)
WIDTH, HEIGHT = 200, 100


def card(number: int, face: Face, left: float, *, covered: bool = False) -> SeenCard:
    corners = np.array([[left, 10], [left + 20, 10], [left + 20, 40], [left, 40]], np.float32)
    return SeenCard(number, corners, face, 0.987654, None, covered)


def seen(at: float, *cards: SeenCard) -> Observation:
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    return Observation(Frame(picture, round(at * 25), at), cards, ())


def test_a_trace_gives_back_every_card_at_its_place_and_time(tmp_path: Path) -> None:
    trace = Trace(tmp_path, "T1", BEGIN)
    trace.note(seen(0.0, card(1, None, 20)))
    trace.note(seen(0.04, card(1, None, 60)))  # too soon after the line before
    trace.note(seen(1.0, card(1, Card.parse("9S"), 60), card(2, UNREADABLE, 100, covered=True)))
    trace.note(seen(2.0, card(2, UNREADABLE, 100, covered=True)))
    first, second, third = glimpses(tmp_path, "T1", BEGIN, BEGIN + timedelta(seconds=9))
    assert [told.face for told in first.cards] == [None]
    assert [told.face for told in second.cards] == ["9S", "?"]
    assert second.at == BEGIN + timedelta(seconds=1)
    assert second.cards[0].corners[0] == (0.3, 0.1)
    assert second.cards[0].confidence == 0.988
    assert second.cards[1].covered
    assert [told.face for told in third.cards] == ["?"]


def test_a_table_that_lies_still_writes_next_to_nothing(tmp_path: Path) -> None:
    trace = Trace(tmp_path, "T1", BEGIN)
    for frame in range(int(WHOLE_S) * 10):
        trace.note(seen(frame / 10, card(1, None, 20 + frame % 2)))
    lines = trace_file(tmp_path, "T1", BEGIN).read_text().splitlines()
    assert len(lines) == 1


def test_a_trace_that_begins_later_gives_the_state_before_and_a_cut_line_is_left_out(
    tmp_path: Path,
) -> None:
    trace = Trace(tmp_path, "T1", BEGIN)
    trace.note(seen(1.0, card(1, Card.parse("KD"), 20)))
    path = trace_file(tmp_path, "T1", BEGIN)
    path.write_text(path.read_text() + '{"at": "cut')
    since = BEGIN + timedelta(minutes=5)
    found = glimpses(tmp_path, "T1", since, since + timedelta(seconds=9))
    assert [[told.face for told in glimpse.cards] for glimpse in found] == [["KD"]]
    assert glimpses(tmp_path, "T2", since, since) == []
