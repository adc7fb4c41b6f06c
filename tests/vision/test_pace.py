"""Law: a watcher that falls behind says so, again when that doubles, and when it is over."""

from collections.abc import Iterator

import numpy as np

from vision.frames import Frame
from vision.pace import Lag, Pace

PICTURE = np.zeros((1, 1, 3), np.uint8)


def told(frames: Iterator[tuple[float, int, float]]) -> list[tuple[int, Lag]]:
    """Return what a pace tells of frames (time, index, seconds late), each with its second."""
    pace = Pace()
    news = [(at, pace.update(Frame(PICTURE, index, at, late_s))) for at, index, late_s in frames]
    return [(round(at), lag) for at, lag in news if lag is not None]


def test_a_recording_that_is_told_late_is_behind_until_it_has_caught_up() -> None:
    late = [0.0, 0.5, 1.9, 2.0, 3.0, 3.9, 4.1, 9.0, 5.0, 1.5, 0.9, 0.0, 1.9, 2.5]
    assert told((second, second, seconds) for second, seconds in enumerate(late)) == [
        (3, Lag(2.0)),
        (6, Lag(4.1)),
        (7, Lag(9.0)),
        (10, Lag()),
        (13, Lag(2.5)),
    ]


def looks(*spells: tuple[float, int]) -> Iterator[tuple[float, int, float]]:
    """Give frames of a camera with 25 a second: for so many seconds one of so many."""
    at, index = 1.79e9, 0
    for seconds, step in spells:
        for _ in range(round(seconds * 25 / step)):
            yield at, index, 0.0
            at, index = at + step / 25, index + step


def test_a_camera_of_which_too_few_frames_are_looked_at_is_behind() -> None:
    (since, lag), (until, over) = told(looks((30, 1), (30, 5), (30, 1)))
    assert 30 < since - 1.79e9 < 45
    assert lag.left_out > 0.3
    assert 60 < until - 1.79e9 < 75
    assert over.is_over


def test_frames_left_out_matter_only_below_ten_looks_a_second_and_over_more_than_a_deal() -> None:
    assert told(looks((60, 2))) == []
    assert told(looks((20, 1), (5, 5), (20, 1))) == []
    assert told((second / 5, second, 0.0) for second in range(300)) == []  # a slow camera


def test_a_watcher_that_gets_slower_and_slower_says_so_again() -> None:
    news = told(looks((30, 4), (60, 25), (60, 100)))
    assert [lag.left_out for _, lag in news] == sorted(lag.left_out for _, lag in news)
    assert 3 <= len(news) <= 6
    assert news[-1][1].left_out > 0.95
