"""Law: a source gives real times, says in one line what is wrong with it, and always comes back."""

import itertools
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from tests.vision.films import image, video
from vision.errors import SourceError
from vision.frames import Clock, Frame, SourceBack, SourceItem, SourceLost, redacted
from vision.geometry import Image
from vision.live import LiveSource
from vision.recordings import Paced
from vision.settings import Settings
from vision.sources import open_source


def frames(items: Iterator[SourceItem]) -> list[Frame]:
    return [item for item in items if isinstance(item, Frame)]


def test_a_video_has_the_times_of_its_frames_not_those_of_its_rate(tmp_path: Path) -> None:
    times = [0.0, 0.04, 0.08, 0.3, 0.34, 1.0]
    source = open_source(str(video(tmp_path / "a.mp4", times)), realtime=False)
    read = frames(iter(source))
    assert [frame.at for frame in read] == pytest.approx(times, abs=0.002)
    assert [frame.index for frame in read] == list(range(6))
    assert read[0].image.shape == (48, 64, 3)
    assert not source.live


def test_a_video_can_be_read_twice(tmp_path: Path) -> None:
    source = open_source(str(video(tmp_path / "a.mp4", [0.0, 0.04])), realtime=False)
    assert len(frames(iter(source))) == len(frames(iter(source))) == 2


def test_a_folder_is_read_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        cv2.imwrite(str(tmp_path / f"f{number}.png"), image(number))
    (tmp_path / "notes.txt").write_text("no picture")
    read = frames(iter(open_source(str(tmp_path), realtime=False)))
    assert [int(frame.image[5, 5, 0]) for frame in read] == [1, 9, 10]
    assert [frame.at for frame in read] == pytest.approx([0.0, 0.04, 0.08])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.mp4", None, "found nothing there"),
        ("words.mp4", b"these are words", "found no video"),
        ("empty.mp4", b"", "found no video"),
    ],
)
def test_a_source_that_is_none_is_refused_in_one_line(
    tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=said) as refused:
        open_source(str(tmp_path / name), realtime=False)
    assert "\n" not in str(refused.value)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="found no picture in the folder"):
        open_source(str(tmp_path), realtime=False)


def test_a_video_that_is_cut_short_gives_its_frames_then_says_so(tmp_path: Path) -> None:
    whole = video(tmp_path / "whole.mp4", [n / 25 for n in range(100)])
    moved = tmp_path / "faststart.mp4"
    with (
        av.open(str(whole)) as source,
        av.open(str(moved), "w", options={"movflags": "faststart"}) as target,
    ):
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(source.streams.video[0]):
            if packet.dts is not None:
                packet.stream = stream
                target.mux(packet)
    cut = tmp_path / "cut.mp4"
    content = moved.read_bytes()
    cut.write_bytes(content[: len(content) * 3 // 5])
    seen: list[SourceItem] = []
    with pytest.raises(SourceError, match=r"cut short|cannot be read further"):
        seen.extend(open_source(str(cut), realtime=False))
    assert len(seen) > 10


@dataclass
class FakeTime:
    """A clock that only runs when somebody sleeps."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def clock(self) -> Clock:
        return Clock(wall=lambda: 1000.0 + self.now, monotonic=lambda: self.now, sleep=self.sleep)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def test_a_paced_recording_waits_and_leaves_nothing_out(tmp_path: Path) -> None:
    time = FakeTime()
    source = Paced(
        open_source(str(video(tmp_path / "a.mp4", [n / 25 for n in range(10)])), realtime=False),
        time.clock(),
    )
    seen, late = [], []
    for item in source:
        assert isinstance(item, Frame)
        seen.append(item.at)
        late.append(item.late_s)
        if len(seen) == 3:
            time.now += 0.2  # a slow reader
    assert seen == pytest.approx([n / 25 for n in range(10)], abs=0.002)
    assert late == pytest.approx([0, 0, 0, 0.16, 0.12, 0.08, 0.04, 0, 0, 0], abs=0.01)
    assert time.now == pytest.approx(0.36, abs=0.01)


def test_a_camera_that_fails_is_lost_once_and_comes_back() -> None:
    time = FakeTime()
    tries = itertools.count()

    def connect() -> Iterator[Image]:
        attempt = next(tries)
        if attempt in (1, 2, 3):
            raise SourceError("rtsp://***@cam/live: connection refused")
        for number in range(3):
            time.now += 0.04
            yield image(80, attempt * 10 + number)

    source = LiveSource("cam", connect, clock=time.clock())
    items = []
    for item in source:
        items.append(item)
        if len([each for each in items if isinstance(each, SourceBack)]) == 1 and isinstance(
            item, Frame
        ):
            break
    kinds = [type(item) for item in items if not isinstance(item, Frame)]
    assert kinds == [SourceLost, SourceBack]
    assert time.slept == [0.5, 1.0, 2.0, 4.0]
    ats = [item.at for item in items]
    assert ats == sorted(ats)
    assert ats[0] >= 1000


def test_a_slow_reader_of_a_camera_gets_the_newest_frame_and_numbers_that_tell_of_the_rest() -> (
    None
):
    sent, taken = threading.Semaphore(0), threading.Semaphore(1)

    def connect() -> Iterator[Image]:
        for number in range(3):
            taken.acquire()
            yield image(80, number)
        sent.release()  # Whoever asks for the next picture has put the last one down.
        taken.acquire()
        yield image(80, 99)

    source = iter(LiveSource("cam", connect, clock=FakeTime().clock()))
    first = next(source)
    taken.release(2)
    assert sent.acquire(timeout=10)
    newest = next(source)
    assert isinstance(first, Frame)
    assert isinstance(newest, Frame)
    assert newest.index == 2
    taken.release()
    after = next(source)
    assert isinstance(after, Frame)
    assert after.index == 3


def test_a_silent_camera_is_lost() -> None:
    time = FakeTime()

    def connect() -> Iterator[Image]:
        threading.Event().wait(5)
        yield image(1)

    source = LiveSource("cam", connect, clock=time.clock(), settings=Settings(silent_s=0.05))
    first = next(iter(source))
    assert isinstance(first, SourceLost)
    assert "no frames" in first.reason


def test_a_frozen_picture_is_lost_within_ten_seconds() -> None:
    time = FakeTime()

    def connect() -> Iterator[Image]:
        while True:
            yield image(80)

    source = LiveSource("cam", connect, clock=time.clock())
    for item in source:
        time.now += 0.5
        if isinstance(item, SourceLost):
            assert "frozen" in item.reason
            assert time.now < 11.5
            return


def test_credentials_never_show() -> None:
    assert redacted("rtsp://me:secret@10.0.0.7/live") == "rtsp://***@10.0.0.7/live"
    assert "secret" not in redacted("http://cam/live?user=me&password=secret")
    for password in ("se/cret", "se?cret", "se#cret", "se@cret", "1/secret", "[secret"):
        assert redacted(f"rtsp://me:{password}@h:554/live") == "rtsp://***@h:554/live"
    for plain in ("rtsp://[bad", "rtsp://[::1]:554/live", "/videos/kim@home.mp4", "0", ""):
        assert redacted(plain) == plain
    assert open_source("rtsp://me:secret@10.0.0.7/live", realtime=False).name.count("secret") == 0


def test_a_digit_that_is_no_number_in_a_name_is_a_letter_like_others(tmp_path: Path) -> None:
    for name in ("1²2.png", "1.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((16, 16, 3), np.uint8))
    assert len(list(open_source(str(tmp_path), realtime=False))) == 2
