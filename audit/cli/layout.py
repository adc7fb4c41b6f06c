"""`pitwatch layout`: a table layout drawn over a frame, and what is doubtful about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2

from audit.cli.output import NOT_HELD, print_line
from audit.errors import SettingsError
from audit.watch.layouts import game_of, layout_faults
from rules.events import Area
from vision.errors import SourceError, VisionError
from vision.frames import Frame
from vision.geometry import Image
from vision.images import SUFFIXES, load_image
from vision.layout import TableLayout, load_layout
from vision.plan import plan
from vision.sizes import Sizes
from vision.sources import open_source

LEAST_CARD_PX = 50
"""The height from which cards are read well; see docs/card-model.md."""


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """What the command was asked for."""

    source: str
    layout: Path | None
    out: Path
    at: float = 0.0
    """Which frame: the first one at or after so many seconds."""


def draw_layout(options: LayoutOptions) -> int:
    """Write the picture and say what stands in it; exit code 1 when something is doubtful.

    Raises:
        SettingsError: The game is unknown, or the picture cannot be written.
        VisionError: The source or the layout cannot be used.
    """
    layout = None if options.layout is None else load_layout(options.layout)
    game = None if layout is None or options.layout is None else game_of(options.layout, layout)
    image = _frame(options)
    _write(options.out, plan(image, layout))
    tall, wide = image.shape[:2]
    if layout is None or game is None:
        print_line(f"{options.out}: the frame with rulers; a layout of it begins with")
        print_line(f"frame = [{wide}, {tall}]")
        return 0
    print_line(f"{options.out}: {len(layout.places)} spots of table {layout.table}, {game.name}")
    for line in _told(layout, wide, tall):
        print_line(line)
    faults = tuple(layout_faults(layout, game))
    for fault in faults:
        print_line(f"doubtful: {fault}")
    return NOT_HELD if faults else 0


def _frame(options: LayoutOptions) -> Image:
    path = Path(options.source)
    if path.suffix.lower() in SUFFIXES and path.is_file():
        return load_image(path)
    for item in open_source(options.source, realtime=False):
        if not isinstance(item, Frame):
            # A live source would go on trying for ever: here nobody waits for it.
            raise SourceError(getattr(item, "reason", f"{options.source}: no frame came"))
        if options.at <= 0 or item.at >= options.at:
            return item.image
    raise SourceError(
        f"{options.source}: found its end before {options.at:g} s, expected a frame there"
    )


def _told(layout: TableLayout, wide: int, tall: int) -> Iterator[str]:
    seats = [place.spot.seat for place in layout.places if place.spot.area is Area.HAND]
    yield f"seats: {', '.join(str(seat) for seat in sorted(filter(None, seats))) or 'none'}"
    card = Sizes(layout.scaled(wide, tall)).card_height
    if card is not None:
        yield (
            f"cards: about {card:.0f} pixels high in this frame, to judge by the spots of hands "
            f"({LEAST_CARD_PX} and more are read well)"
        )


def _write(path: Path, picture: Image) -> None:
    try:
        encoded, data = cv2.imencode(path.suffix or ".png", picture)
    except cv2.error:
        encoded = False
    if not encoded:
        raise SettingsError(f"--out: found {str(path)!r}, expected a picture: .png or .jpg")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise VisionError(f"{path}: cannot be written ({error.strerror})") from None
