"""The law: a second camera is recorded beside the first, at its moments, and judged by nobody."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from audit.cli.main import main
from audit.cli.places import demo_footage
from audit.settings import Settings
from audit.store import NewHold, SegmentQuery, Store, open_store
from audit.verify import Outside, verify
from tests.vision.films import even, film

SHAPE = (320, 180)


@contextmanager
def opened(data: Path) -> Iterator[Store]:
    store = open_store(Settings(data_dir=data).database_url, data)
    yield store
    store.close()


def watch(first: Path, second: object, data: Path, *more: str) -> int:
    layout = str(demo_footage().layout)
    words = ["watch", str(first), "--layout", layout, "--second", str(second)]
    return main([*words, "--data", str(data), *more])


def test_a_second_camera_is_recorded_beside_the_first_and_held_with_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    first = film(tmp_path / "first.mp4", even(1.2, 5), size=SHAPE)
    second = film(tmp_path / "second.mp4", even(2.4, 5), size=SHAPE)
    assert watch(first, second, data) == 0
    with opened(data) as store:
        (one,) = store.segments(SegmentQuery("T1"))
        beside = store.segments(SegmentQuery("T1.2"))
        assert abs(one.started - beside[0].started).total_seconds() < 0.01
        assert sum(segment.frames for segment in beside) == 12
        assert [state.table for state in store.tables()] == ["T1"]
        store.place_hold(NewHold("T1", one.started, one.ended, "a dispute"), user="kim")
        assert store.delete_footage("T1.2", beside[:1], reason="too old") == []
        assert verify(store, Outside(data)).holds


@pytest.mark.parametrize(
    ("second", "more", "told"),
    [
        ("1", (), "--second: found '1'"),
        ("none.mp4", (), "none.mp4: found nothing there"),
        ("none.mp4", ("--no-record",), "leave --no-record out"),
    ],
)
def test_what_cannot_be_recorded_beside_is_refused_before_anything_is_watched(
    second: str,
    more: tuple[str, ...],
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = film(tmp_path / "first.mp4", even(1, 5), size=SHAPE)
    assert watch(first, second, tmp_path / "data", *more) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "data").exists()
