"""Traces: where the recognised cards lay in the picture, moment by moment, for drawing them again.

A trace is no part of the record, which says what was seen; it only says where in the picture. Files
are one an hour and table, a JSON object a line:

    {"at": "2026-11-30T05:33:00.200000Z", "whole": true, "size": [1280, 720],
     "set": {"7": ["9S", 0.998, [[x, y], …], false]}, "gone": [3]}

`whole` means that cards not set here are not there; `set` gives a card by the number under which it
is followed: face (null face down, `?` not readable), confidence, its corners in pixels clockwise
from its own top left, and whether something covers it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from audit.chain import check_chain_name, utc_moment

TRACES = "traces"
"""The folder of traces in the data folder."""

HOUR = timedelta(hours=1)

LINES = 20_000
"""More lines than an hour of watching has; no more are given to a page."""


@dataclass(frozen=True, slots=True)
class TracedCard:
    """A card as it was believed to be at a moment."""

    face: str | None
    """As records write it; None face down, `?` not readable."""
    confidence: float
    corners: tuple[tuple[float, float], ...]
    """Clockwise from its own top left, as parts of the picture's width and height, 0 to 1."""
    covered: bool


@dataclass(frozen=True, slots=True)
class Glimpse:
    """All cards that were believed to lie on the table from a moment on."""

    at: datetime
    cards: tuple[TracedCard, ...]


def trace_file(data_dir: Path, table: str, at: datetime) -> Path:
    """Return the file that holds the trace of a moment.

    Raises:
        ChainError: The name is not one for a table.
    """
    return data_dir / TRACES / check_chain_name(table) / f"{at:%Y%m%d}" / f"{at:%H}.jsonl"


def glimpses(data_dir: Path, table: str, since: datetime, until: datetime) -> list[Glimpse]:
    """Return what was believed to lie on a table in a time, the state at its beginning included.

    Files that are missing or lines that were cut off by a crash leave a hole in what is drawn.
    """
    found: list[Glimpse] = []
    before: Glimpse | None = None
    for glimpse in _read(data_dir, table, since, until):
        if glimpse.at <= since:
            before = glimpse
        elif glimpse.at <= until:
            found.append(glimpse)
    return [*([before] if before else []), *found]


def _read(data_dir: Path, table: str, since: datetime, until: datetime) -> Iterator[Glimpse]:
    cards: dict[str, TracedCard] = {}
    hour = since.replace(minute=0, second=0, microsecond=0)
    while hour <= until:
        for line in _lines(trace_file(data_dir, table, hour)):
            at = utc_moment(line["at"])
            if at > until:
                return
            if line.get("whole"):
                cards = {}
            for number in line.get("gone") or ():
                cards.pop(str(number), None)
            cards = cards | {
                number: _card(told, line["size"]) for number, told in line["set"].items()
            }
            yield Glimpse(at, tuple(cards.values()))
        hour += HOUR


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for _, text in zip(range(LINES), file, strict=False):
                if text.endswith("\n"):
                    yield json.loads(text)
    except (OSError, ValueError):
        return


def _card(told: list[Any], size: list[int]) -> TracedCard:
    face, confidence, corners, covered = told
    width, height = size
    placed = tuple((round(x / width, 5), round(y / height, 5)) for x, y in corners)
    return TracedCard(face, confidence, placed, covered)
