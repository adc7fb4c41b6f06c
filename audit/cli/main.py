"""Runs the command and turns whatever goes wrong into one plain line and an exit code."""

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

import typer

from audit.cli.app import app, command_names
from audit.cli.output import NOT_HELD, WRONG_USE, OutputClosed, log_to_stderr, say_error
from audit.errors import AuditError
from rules.errors import RulesError
from vision.errors import VisionError

_NULL_BYTE = "embedded null byte"
"""What Python says when it is to open such a name, as a settings file may hold one."""
INTERRUPTED = 130
"""What a shell expects of a program ended by Ctrl-C: 128 + SIGINT."""
UNREAD = 141
"""What a shell expects of a program whose reader has gone (`| head`): 128 + SIGPIPE. It is not 0:
nobody has read to the end, where a verification says that something does not hold."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `pitwatch` and return its exit code; no traceback reaches the user.

    0 done · 1 done, and the thing asked about does not hold · 2 wrong use or bad input.
    `PITWATCH_DEBUG=1` shows the traceback of an error that nobody foresaw.
    """
    if arguments is None:
        # A service manager's SIGTERM ends the command as Ctrl-C does: what is open is closed, and
        # the record says that watching stopped, and is sealed.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        # A terminal or pipe that knows no pips gets them escaped.
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    log_to_stderr()
    try:
        code = _run(words)
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OutputClosed:
        # Nothing more to say; what Python still holds for the pipe must not fail at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except Exception as error:
        # The border of the process: the one place where everything is caught, so that a person
        # always gets a line and never a traceback.
        page = _asked_help(error)
        if page is not None:
            sys.stderr.write(f"{page}\n")
            return WRONG_USE
        line = _told(error, words)
        if line is None:
            return _unforeseen(error)
        say_error(line)
        return WRONG_USE
    return code if isinstance(code, int) else 0


def _run(words: list[str]) -> object:
    """Run the command; return its exit code.

    Raises:
        OutputClosed: Nobody reads any longer.
    """
    try:
        return app(args=words, prog_name="pitwatch", standalone_mode=False)
    except BrokenPipeError:
        raise OutputClosed from None
    except SystemExit as ended:
        # So typer and rich end when a help page or a table meets a closed pipe.
        if isinstance(ended.__context__, BrokenPipeError):
            raise OutputClosed from None
        raise


def _told(error: Exception, words: Sequence[str]) -> str | None:
    """Return the line for wrong use or bad input; None for an error that nobody foresaw."""
    match error:
        case typer.TyperException():
            return _usage(error, words)
        case AuditError() | RulesError() | VisionError():
            return str(error)
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            return f"{where}{(error.strerror or str(error)).lower()}"
        case UnicodeEncodeError():
            return f"{error.object!r}: found bytes that are not UTF-8, expected text"
        case ValueError() if str(error) == _NULL_BYTE:
            return "a file's name holds a null byte, expected one without"
        case _:
            return None


def _usage(error: typer.TyperException, words: Sequence[str]) -> str:
    text = getattr(error, "format_message", lambda: str(error))().strip().replace("\n", " ")
    used = getattr(getattr(error, "ctx", None), "command_path", None)
    if used:
        return f"{text} (see: {used} --help)"
    command = next((word for word in words if not word.startswith("-")), None)
    known = command in command_names()
    return f"{text} (see: pitwatch {f'{command} ' if known else ''}--help)"


def _asked_help(error: Exception) -> str | None:
    """Return the help that a command or group without arguments prints; None for other errors."""
    # The class of that error is no public name of typer's: it is told by its message.
    get_help = getattr(getattr(error, "ctx", None), "get_help", None)
    text = str(get_help()) if callable(get_help) else None
    return text if text == getattr(error, "message", None) else None


def _unforeseen(error: Exception) -> int:
    if os.environ.get("PITWATCH_DEBUG"):
        traceback.print_exc()
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    say_error(
        f"an error that should not happen: {type(error).__name__} in {where}: {error} "
        "(please report it; PITWATCH_DEBUG=1 shows more)"
    )
    return NOT_HELD
