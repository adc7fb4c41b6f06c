"""Law: a file is either read as a picture, upright and in colour, or refused in one line."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import SourceError
from vision.geometry import Image
from vision.images import load_image


@pytest.fixture
def picture() -> Image:
    """Twice as wide as high, red on the left."""
    image = np.full((40, 80, 3), 90, dtype=np.uint8)
    image[:, :40] = (0, 0, 200)
    return image


def encoded(image: Image, suffix: str) -> bytes:
    return bytes(cv2.imencode(suffix, image)[1])


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp", ".tiff", ".webp"])
def test_the_usual_kinds_are_read(tmp_path: Path, picture: Image, suffix: str) -> None:
    (tmp_path / f"a{suffix}").write_bytes(encoded(picture, suffix))
    read = load_image(tmp_path / f"a{suffix}")
    assert read.shape == (40, 80, 3)
    assert read.dtype == np.uint8
    assert abs(int(read[20, 10, 2]) - 200) < 12


def test_a_wrong_suffix_does_not_matter(tmp_path: Path, picture: Image) -> None:
    (tmp_path / "a.jpg").write_bytes(encoded(picture, ".png"))
    assert load_image(tmp_path / "a.jpg").shape == (40, 80, 3)


def test_grey_becomes_colour(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((9, 7), 200, dtype=np.uint8))
    assert load_image(tmp_path / "a.png").tolist() == [[[200] * 3] * 7] * 9


def test_sixteen_bits_become_eight(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((9, 7, 3), 200 * 257, dtype=np.uint16))
    read = load_image(tmp_path / "a.png")
    assert read.dtype == np.uint8
    assert abs(int(read[4, 4, 0]) - 200) <= 1


def test_transparency_is_left_out(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((9, 7, 4), 120, dtype=np.uint8))
    assert load_image(tmp_path / "a.png").shape == (9, 7, 3)


def test_a_picture_taken_sideways_is_turned_upright(tmp_path: Path, picture: Image) -> None:
    plain = encoded(picture, ".jpg")
    exif = (
        b"Exif\0\0MM\0*\0\0\0\x08\0\x01"  # one entry, big-endian
        b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"  # orientation 6: turn a quarter clockwise
        b"\0\0\0\0"
    )
    marker = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    (tmp_path / "a.jpg").write_bytes(plain[:2] + marker + plain[2:])
    read = load_image(tmp_path / "a.jpg")
    assert read.shape == (80, 40, 3)
    assert read[10, 20, 2] > 150  # what was left is now on top


def test_one_pixel_is_a_picture(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((1, 1, 3), dtype=np.uint8))
    assert load_image(tmp_path / "a.png").shape == (1, 1, 3)


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_a_picture_that_is_cut_short_is_refused(
    tmp_path: Path, picture: Image, suffix: str
) -> None:
    whole = encoded(picture, suffix)
    (tmp_path / f"a{suffix}").write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(SourceError, match="cut short"):
        load_image(tmp_path / f"a{suffix}")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "found an empty file"),
        (b"just some words, no picture", "found a file of another kind"),
        (b"%PDF-1.7 nothing", "found a PDF file that cannot be decoded"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_line(
    tmp_path: Path, content: bytes, said: str
) -> None:
    (tmp_path / "a.jpg").write_bytes(content)
    with pytest.raises(SourceError, match=said) as refused:
        load_image(tmp_path / "a.jpg")
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        load_image(tmp_path / "none.jpg")
