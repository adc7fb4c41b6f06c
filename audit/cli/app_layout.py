"""The command that draws a table layout, and its options."""

from pathlib import Path
from typing import Annotated

import typer


def layout(
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="A picture, video, folder, rtsp://… or a number."),
    ],
    file: Annotated[
        Path | None,
        typer.Option(
            "--layout", metavar="L.layout.toml", help="The layout; without one, rulers only."
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="PICTURE", help="The picture, .png or .jpg.")
    ] = Path("layout.png"),
    at: Annotated[
        float, typer.Option("--at", min=0, metavar="SECONDS", help="A later frame of a recording.")
    ] = 0.0,
) -> int:
    """Draw a table layout over a frame, to look at it, and say what is doubtful about it.

    The picture has rulers that count pixels as the layout's polygons do. Without --layout it is the
    frame with rulers: to read the positions off it. Exit code 0: a whole table of its game. 1:
    a spot is missing, of no use, or shares its place with another. 2: the layout cannot be read.

    \b
    Examples:
      pitwatch layout rtsp://camera.local/stream --out frame.png
      pitwatch layout datasets/demo/whist.mp4 --layout datasets/demo/whist.layout.toml
      pitwatch layout night.mp4 --layout T1.layout.toml --at 90 --out T1.layout.jpg
    """
    from audit.cli.layout import LayoutOptions, draw_layout

    return draw_layout(LayoutOptions(source, file, out, at))
