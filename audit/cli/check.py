"""`pitwatch check`: judging round records from a file, in constant memory."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from audit.cli.output import WRONG_USE, flush_lines, say_error, write_line
from audit.cli.places import house_in
from rules.check import MOST_LINE, BadLine, check_lines, result_line

STANDARD_INPUT = "-"


def check_records(file: str, *, house: Path | None) -> int:
    """Print one result a line; a bad line is told with its number and the rest are still judged."""
    rules = house_in(house)
    bad = 0
    with _opened(file) as stream:
        for found in check_lines(_bounded(stream), rules):
            if isinstance(found, BadLine):
                bad += 1
                say_error(f"{file}: line {found.number}: {found.problem}")
            else:
                write_line(result_line(found))
    flush_lines()
    return WRONG_USE if bad else 0


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with Path(file).open("rb") as stream:
        yield stream


def _bounded(stream: BinaryIO) -> Iterator[bytes]:
    """Give the lines of a stream; of one that no round can be, just enough to tell that."""
    while line := stream.readline(MOST_LINE + 1):
        yield line
        while len(line) > MOST_LINE and not line.endswith(b"\n"):
            line = stream.readline(MOST_LINE + 1)
