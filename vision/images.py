"""Loading one picture from a file, whatever it is, or saying in one line why not."""

from pathlib import Path

import cv2
import numpy as np

from vision.errors import SourceError
from vision.geometry import Image

SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".jp2", ".ppm", ".pgm"}
)
"""What is taken for a picture when a folder is searched; a file named outright may have any."""

_MOST_PIXELS = 200_000_000
"""Above this a picture would need gigabytes to read: no table camera makes one."""

_LONGEST = 100
"""A strip so thin holds no card, and shrinks to nothing when it is searched."""

_NAMES = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"%PDF", "PDF"),
    (b"GIF8", "GIF"),
    (b"RIFF", "RIFF"),
    (b"BM", "BMP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
)


def load_image(path: Path) -> Image:
    """Return the picture in a file, turned upright as its EXIF data asks.

    Grey, 16-bit, CMYK and transparent pictures become 8-bit colour; the suffix does not matter.

    Returns:
        UInt8 (H, W, 3), BGR.

    Raises:
        SourceError: The file is missing, is no picture, or is cut short.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror})") from error
    if not raw:
        raise SourceError(f"{path}: found an empty file, expected a picture")
    kind = next((name for magic, name in _NAMES if raw.startswith(magic)), None)
    if _cut_short(raw, kind):
        raise SourceError(f"{path}: found a {kind} picture that is cut short, expected a whole one")
    image = _decode(path, raw)
    if image is None:
        found = f"a {kind} file that cannot be decoded" if kind else "a file of another kind"
        raise SourceError(f"{path}: found {found}, expected a picture (JPEG, PNG, WebP, BMP, TIFF)")
    return image


def _decode(path: Path, raw: bytes) -> Image | None:
    quiet = cv2.utils.logging.LOG_LEVEL_SILENT
    before = cv2.utils.logging.setLogLevel(quiet)
    try:
        decoded = cv2.imdecode(np.frombuffer(raw, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise SourceError(
            f"{path}: found a picture that cannot be decoded ({error.err})"
        ) from error
    finally:
        cv2.utils.logging.setLogLevel(before)
    if decoded is None:
        return None
    if decoded.shape[0] * decoded.shape[1] > _MOST_PIXELS:
        raise SourceError(
            f"{path}: found {decoded.shape[1]} by {decoded.shape[0]} pixels, "
            f"expected at most {_MOST_PIXELS // 1_000_000} million"
        )
    if max(decoded.shape[:2]) > _LONGEST * min(decoded.shape[:2]):
        raise SourceError(
            f"{path}: found {decoded.shape[1]} by {decoded.shape[0]} pixels, expected a picture "
            f"no more than {_LONGEST} times as long as wide"
        )
    return np.ascontiguousarray(decoded, dtype=np.uint8)


def _cut_short(raw: bytes, kind: str | None) -> bool:
    """Say whether the end mark is missing: the decoders would fill the rest with grey."""
    match kind:
        case "JPEG":
            return raw.rfind(b"\xff\xd9") <= raw.rfind(b"\xff\xda")
        case "PNG":
            return b"IEND" not in raw[-64:]
        case _:
            return False
