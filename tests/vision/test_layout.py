"""Law: a layout that cannot be right is refused in one line: file, field, found, expected."""

from pathlib import Path

import numpy as np
import pytest

from rules.events import Area, Seat, Spot
from vision.errors import LayoutError
from vision.layout import load_layout

HEAD = 'table = "T1"\ngame = "three-card-whist"\nframe = [640, 480]\n'
SQUARE = "[[10, 10], [60, 10], [60, 60], [10, 60]]"


def spot(name: str, polygon: str = SQUARE) -> str:
    return f'[[spot]]\nname = "{name}"\npolygon = {polygon}\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "t.layout.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_layout_is_read(tmp_path: Path) -> None:
    layout = load_layout(written(tmp_path, HEAD + spot("dealer") + spot("seat-2.play")))
    assert (layout.table, layout.game, layout.width, layout.height) == (
        "T1",
        "three-card-whist",
        640,
        480,
    )
    assert [place.spot for place in layout.places] == [
        Spot(Area.DEALER),
        Spot(Area.PLAYED, Seat(2)),
    ]


def test_the_smallest_spot_holds_a_point(tmp_path: Path) -> None:
    big = "[[0, 0], [100, 0], [100, 100], [0, 100]]"
    layout = load_layout(written(tmp_path, HEAD + spot("seat-1", big) + spot("seat-1.bonus")))
    assert layout.spot_at((30, 30)) == Spot(Area.BONUS, Seat(1))
    assert layout.spot_at((90, 90)) == Spot(Area.HAND, Seat(1))
    assert layout.spot_at((300, 300)) is None


def test_a_layout_scales_to_the_frames(tmp_path: Path) -> None:
    layout = load_layout(written(tmp_path, HEAD + spot("dealer"))).scaled(1280, 960)
    assert np.allclose(layout.places[0].polygon[2], (120, 120))


def test_a_layout_of_another_shape_is_refused(tmp_path: Path) -> None:
    layout = load_layout(written(tmp_path, HEAD + spot("dealer")))
    with pytest.raises(LayoutError, match=r"'frame': found \[640, 480\]"):
        layout.scaled(1280, 720)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # no TOML at all
        ("table = ", "found broken TOML"),
        # keys that are missing or of another kind
        (spot("dealer"), "field 'frame': found nothing"),
        (HEAD, "field 'spot': found nothing, expected at least one"),
        (HEAD.replace('"T1"', "7") + spot("dealer"), "field 'table': found 7, expected a text"),
        (HEAD.replace("[640, 480]", "[640]") + spot("dealer"), r"field 'frame': found \[640\]"),
        (HEAD + "[[spot]]\nname = 'dealer'\n", r"field 'spot 1.polygon \(dealer\)': found nothing"),
        (HEAD + f"[[spot]]\npolygon = {SQUARE}\n", "field 'spot 1.name': found nothing"),
        # spots that do not exist, or twice
        (HEAD + spot("seat-9"), "field 'spot 1.name': not a spot: 'seat-9'"),
        (HEAD + spot("dealer") * 2, "field 'spot 2.name': found 'dealer', expected each spot only"),
        # polygons that are none
        (
            HEAD + spot("dealer", "[[10, 10], [700, 10], [60, 60]]"),
            r"found \[700, 10\], expected a point inside the frame \[640, 480\]",
        ),
        (HEAD + spot("dealer", "[[10, 10], [60, 10]]"), "expected at least three points"),
        (HEAD + spot("dealer", "[[1, 1], [3, 1], [3, 3]]"), "expected an area of at least 64"),
        (
            HEAD + spot("dealer", "[[10, 10], [90, 60], [90, 10], [10, 90]]"),
            "expected sides that do not cross",
        ),
        (HEAD + spot("dealer", '[[1, 1], ["x", 1], [3, 3]]'), r"expected a point \[x, y\]"),
        (HEAD + spot("dealer", "[[true, 1], [90, 1], [3, 90]]"), r"expected a point \[x, y\]"),
    ],
)
def test_a_bad_layout_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said) as refused:
        load_layout(written(tmp_path, text))
    assert "\n" not in str(refused.value)
    assert "t.layout.toml" in str(refused.value)


def test_a_missing_layout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="cannot be read"):
        load_layout(tmp_path / "none.layout.toml")


def test_a_layout_saved_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.layout.toml"
    path.write_text(HEAD + spot("dealer"), encoding="utf-8-sig")
    assert load_layout(path).table == "T1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('camera = "north"\n' + HEAD + spot("dealer"), "field 'camera': found an unknown field"),
        (HEAD + spot("dealer") + "angle = 3\n", r"field 'spot 1\.angle': found an unknown field"),
    ],
)
def test_a_field_that_no_layout_has_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said):
        load_layout(written(tmp_path, text))
