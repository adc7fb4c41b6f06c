"""How the command speaks: results on standard output, everything else on standard error."""

import json
import sys
from collections.abc import Mapping

import structlog

NOT_HELD = 1
"""Exit code: done, and the thing asked about does not hold."""

WRONG_USE = 2
"""Exit code: wrong use or bad input, said in one plain line."""


def print_json(line: Mapping[str, object]) -> None:
    """Print one JSON object on a line of its own, at once."""
    print_line(json.dumps(line, ensure_ascii=False))


class OutputClosed(Exception):  # noqa: N818  # no error: the reader has seen enough (`| head`)
    """Whoever read our results has gone."""


def print_line(text: str) -> None:
    """Print one line of a result, at once, so that a pipe sees it as it happens."""
    write_line(printable(text))
    flush_lines()


def write_line(text: str) -> None:
    """Print one line of a result, of many that need not be seen at once.

    Raises:
        OutputClosed: Nobody reads any longer.
    """
    try:
        sys.stdout.write(f"{text}\n")
    except BrokenPipeError:
        raise OutputClosed from None


def flush_lines() -> None:
    """Let all that was printed be seen.

    Raises:
        OutputClosed: Nobody reads any longer.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise OutputClosed from None


def say(text: str) -> None:
    """Tell the person something that is not the result."""
    sys.stderr.write(f"{printable(text)}\n")
    sys.stderr.flush()


def say_error(text: str) -> None:
    """Tell the person in one line what went wrong."""
    say(f"pitwatch: {' '.join(text.split())}")


def log_to_stderr() -> None:
    """Send what is logged to standard error: standard output is for results alone."""
    # Looked up at each line, since whoever runs the command may change it.
    structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))


def printable(text: str) -> str:
    r"""Return a text without control characters, which could steer a terminal.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(
        character if character >= " " and character != "\x7f" else repr(character)[1:-1]
        for character in text
    )
