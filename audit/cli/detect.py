"""`pitwatch detect`: the cards on photographs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

from audit.cli.output import WRONG_USE, print_json, print_line, say_error
from audit.cli.places import model_in
from audit.errors import SettingsError
from rules.events import UNREADABLE, face_text
from vision.annotate import annotate
from vision.errors import VisionError
from vision.geometry import Image
from vision.images import SUFFIXES, load_image
from vision.model import Detection

ANNOTATED = ".cards.jpg"
"""What the annotated picture beside an image is called: the image's name with this behind it."""


def detect_images(images: Sequence[str], *, models: Path | None, json: bool) -> int:
    """Read every image; one that cannot be read gives one line, and the rest are still read."""
    model = model_in(models)
    paths = list(_paths(images))
    table = Table(Column("image", overflow="fold"), "size", "cards", "read", "unsure")
    bad = 0
    for path in track(paths, "Reading", console=Console(stderr=True), disable=len(paths) < 2):
        try:
            image = load_image(path)
            found = model.detect(image)
            if json:
                print_json(_line(path, image, found))
            else:
                _write_annotated(path, image, found)
                table.add_row(*_row(path, image, found))
        except VisionError as error:
            bad += 1
            say_error(str(error))
    if table.row_count:
        _print(table)
        print_line(f"Annotated pictures: beside each image, as IMAGE{ANNOTATED}")
    return WRONG_USE if bad else 0


def _print(table: Table) -> None:
    """Print the table; paths are whole: a narrow terminal folds them, and a pipe has no width."""
    console = Console()
    width = max(console.width, console.measure(table).maximum) if not console.is_terminal else None
    console.print(table, width=width)


def _paths(images: Sequence[str]) -> Iterator[Path]:
    for name in images:
        path = Path(name)
        if not path.is_dir():
            yield path
            continue
        inside = sorted(
            entry
            for entry in path.rglob("*")
            if entry.suffix.lower() in SUFFIXES and not entry.name.endswith(ANNOTATED)
        )
        if not inside:
            raise SettingsError(f"{name}: found no picture in this folder")
        yield from inside


def _line(path: Path, image: Image, found: Sequence[Detection]) -> dict[str, object]:
    return {
        "image": str(path),
        "width": image.shape[1],
        "height": image.shape[0],
        "cards": [
            {
                "card": face_text(detection.face),
                "confidence": round(float(detection.confidence), 4),
                "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in detection.corners],
            }
            for detection in found
        ],
    }


def _row(path: Path, image: Image, found: Sequence[Detection]) -> tuple[str, ...]:
    read = [str(face_text(detection.face)) for detection in found if detection.face]
    read = [text for text in read if text != UNREADABLE.value]
    unsure = sum(detection.face is UNREADABLE for detection in found)
    backs = sum(detection.face is None for detection in found)
    cards = f"{len(found)}" + (f" ({backs} face down)" if backs else "")
    return str(path), f"{image.shape[1]}x{image.shape[0]}", cards, " ".join(read), str(unsure)


def _write_annotated(path: Path, image: Image, found: Sequence[Detection]) -> None:
    target = path.with_name(path.name + ANNOTATED)
    drawn = annotate(image, found)
    encoded, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 92])
    if not encoded:
        raise VisionError(f"{target}: the annotated picture could not be encoded")
    try:
        target.write_bytes(data.tobytes())
    except OSError as error:
        raise VisionError(
            f"{target}: cannot be written ({error.strerror}); --json needs no picture"
        ) from None
