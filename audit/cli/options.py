"""The options that many commands share."""

from pathlib import Path
from typing import Annotated

import typer

MOST_NUMBER = 2**63 - 1
"""The largest number that a database holds."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON lines, for programs.")]
HouseFile = Annotated[
    Path | None,
    typer.Option(
        "--house",
        metavar="HOUSE.toml",
        help="The house rules in force (PITWATCH_HOUSE_RULES; default: the shipped ones).",
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="Where the record lies (PITWATCH_DATA_DIR; default: data)."
    ),
]
Models = Annotated[
    Path | None,
    typer.Option(
        "--models",
        metavar="DIR",
        help="Where the card model lies (PITWATCH_MODELS; default: the bundled one).",
    ),
]
Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A video, a folder of images, rtsp://… or a number.",
        envvar="PITWATCH_SOURCE",
    ),
]
Layout = Annotated[
    Path,
    typer.Option("--layout", metavar="L.layout.toml", help="Where its spots are: docs/layout.md."),
]
