"""Law: what is watched is recorded whole, a flagged hand has its clip, and nothing is made up."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import cast

import av
import pytest

from audit.courier import Courier
from audit.evidence.files import RECORDINGS, footage_path, new_segment_name
from audit.evidence.footage import ClipState, Making
from audit.settings import Settings
from audit.store import Store, open_store
from audit.store.delivery import Noted, Stepped
from audit.verify import Outside, verify
from audit.watch.clips import cut_due_clips
from audit.watch.filming import Filming
from tests.vision.films import brightness, even, film, images, joined
from tests.watch.filmed import MILLI, NOON, filmed, flagged_round, later
from vision.frames import SourceLost
from vision.recorder import Recorder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def store(data: Path) -> Iterator[Store]:
    opened = open_store(Settings(data_dir=data).database_url, data)
    yield opened
    opened.close()


def test_a_film_is_recorded_to_its_end_by_the_real_times_of_its_frames(
    store: Store, data: Path, tmp_path: Path
) -> None:
    # Declared 25 frames a second and sent at 12.5: no gap. Nothing at all for two seconds: one.
    times = [at + 2 * (at >= 7) for at in even(12)]
    filmed(store, data, film(tmp_path / "film.mp4", times))
    segments = store.segments()
    assert sum(one.frames for one in segments) == len(times)
    assert {one.making for one in segments} == {Making.COPIED}
    assert all(one.codec.startswith("avc1.") for one in segments)
    assert segments[0].started == NOON
    assert abs(segments[-1].ended - later(14)) < 2 * MILLI
    assert all(abs(after.started - before.ended) < MILLI for before, after in pairwise(segments))
    (gap,) = store.recording_gaps("T1")
    assert gap.ended is not None
    assert abs(gap.started - later(7.04)) < 2 * MILLI
    assert abs(gap.ended - later(9.04)) < 2 * MILLI
    assert verify(store, Outside(data)).holds


def test_the_pictures_of_the_segments_are_those_of_the_source(
    store: Store, data: Path, tmp_path: Path
) -> None:
    source = film(tmp_path / "film.mp4", even(7))
    filmed(store, data, source)
    recorded = [picture for one in store.segments() for picture in images(footage_path(data, one))]
    assert recorded == images(source)


def test_a_clip_is_pending_while_the_hand_is_played_then_exact(
    store: Store, data: Path, tmp_path: Path
) -> None:
    source = film(tmp_path / "film.mp4", even(40))
    filmed(store, data, source)
    flagged_round(store, 12.0, None)
    assert cut_due_clips(store, data) == []
    clip = store.clip_of("T1-1")
    assert clip is not None
    assert clip.state is ClipState.PENDING
    # The first segment begins at 0, the next ones every 3.2 s: the clip from 2 s to 29 s begins in
    # one and ends in another.
    flagged_round(store, 12.0, 19.0)
    (clip,) = cut_due_clips(store, data)
    assert (clip.since, clip.until, clip.state) == (later(2), later(29), ClipState.READY)
    overlapping = [one for one in store.segments() if one.ended > later(2)]
    overlapping = [one for one in overlapping if one.started < later(29)]
    assert clip.segments == [{"entry": one.entry, "sha256": one.sha256} for one in overlapping]
    assert clip.holes == []
    shown = images(footage_path(data, clip))
    assert shown == images(source)[25:363]  # 12.5 frames a second, from 2 s to before 29 s
    assert all(store.segment(one.entry).flagged for one in overlapping)
    assert verify(store, Outside(data)).holds


def test_a_clip_tells_what_of_its_time_nobody_recorded(
    store: Store, data: Path, tmp_path: Path
) -> None:
    filmed(store, data, film(tmp_path / "film.mp4", even(15)))
    clip = store.ask_clip("T1", later(-5), later(10), user="kim")
    (ready,) = cut_due_clips(store, data)
    assert ready.name == clip.name
    assert [(hole["since"], hole["reason"]) for hole in ready.holes] == [
        ("2026-11-30T11:59:55.000000Z", "not recorded")
    ]
    nothing = store.ask_clip("T9", later(0), later(10), user="kim")
    over = Event()
    over.set()
    assert cut_due_clips(store, data, over=over) == []  # Whoever is to end cuts no more.
    assert [one.state for one in cut_due_clips(store, data)] == [ClipState.MISSING]
    assert store.clip(nothing.name).holes[0]["until"] == "2026-11-30T12:00:10.000000Z"


def test_a_change_of_the_pictures_size_begins_a_new_segment(
    store: Store, data: Path, tmp_path: Path
) -> None:
    small = film(tmp_path / "small.ts", even(5))
    large = film(tmp_path / "large.ts", [5 + at for at in even(5)], size=(128, 96))
    filmed(store, data, joined(tmp_path / "both.ts", small, large))
    sizes = [(one.width, one.height) for one in store.segments()]
    assert sizes == sorted(sizes)
    assert set(sizes) == {(64, 48), (128, 96)}
    assert sum(one.frames for one in store.segments()) == 124
    for one in store.segments():
        with av.open(str(footage_path(data, one))) as container:
            frame = next(container.decode(video=0))
            assert (frame.width, frame.height) == (one.width, one.height)


def test_what_a_browser_cannot_play_is_encoded_once_and_said_to_be(
    store: Store, data: Path, tmp_path: Path
) -> None:
    source = film(tmp_path / "film.avi", even(5), codec="mjpeg")
    filmed(store, data, source)
    segments = store.segments()
    assert {one.making for one in segments} == {Making.ENCODED}
    assert sum(one.frames for one in segments) == 62
    recorded = [shade for one in segments for shade in brightness(footage_path(data, one))]
    assert recorded == pytest.approx(brightness(source), abs=3)


class _Kept:
    """Stands in for the courier, and keeps what it is told."""

    def __init__(self) -> None:
        self.acts: list[object] = []

    def keep(self, act: object) -> None:
        self.acts.append(act)


def test_the_alert_comes_also_where_the_picture_is_back_late_and_the_recording_is_not(
    monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    monkeypatch.setattr("audit.watch.filming.ALARM_S", 0.05)
    kept = _Kept()
    filming = Filming(cast(Recorder, None), cast(Courier, kept), data, "T1", NOON)
    filming._take(SourceLost("no route", 1.0))  # as the recorder's thread does
    Event().wait(0.3)
    assert [type(act) for act in kept.acts] == [Noted]
    filming.see()
    Event().wait(0.5)
    assert [type(act) for act in kept.acts] == [Noted, Stepped]


KILLED = """
import sys
from pathlib import Path
from threading import Event
from vision.recorder import Plan
from vision.sources import open_recorder, open_source
source, names = sys.argv[1], iter(sys.argv[2:])
recorder = open_recorder(source, open_source(source, realtime=False))
for segment in recorder.run(Plan(lambda start: Path(next(names)), Event(), paced=True)):
    print(segment.path, flush=True)
"""


def test_a_recorder_that_is_killed_leaves_whole_segments_and_the_half_one_is_adopted(
    store: Store, data: Path, tmp_path: Path
) -> None:
    source = film(tmp_path / "film.mp4", even(30))
    names = [data / RECORDINGS / new_segment_name("T1", later(3.2 * n)) for n in range(9)]
    command = [sys.executable, "-c", KILLED, str(source), *map(str, names)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline().decode().strip() == str(names[0])
        Event().wait(1.6)
        killed.kill()
    junk = data / RECORDINGS / new_segment_name("T1", later(40))
    junk.with_suffix(".part").write_bytes(b"nothing that can be played")
    filmed(store, data, film(tmp_path / "after.mp4", even(1)))
    adopted = [one for one in store.segments() if one.adopted]
    assert [one.started for one in adopted] == [NOON, later(3.2)]
    assert adopted[0].frames == 40
    assert adopted[1].frames >= 6
    assert len(images(footage_path(data, adopted[1]))) == adopted[1].frames
    assert [path.suffix for path in junk.parent.glob(f"{junk.stem}*")] == [".broken"]
    assert verify(store, Outside(data)).holds
