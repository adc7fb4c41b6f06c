"""TOML files with lists of tables (`[[rule]]`), read so that a mistake is told with its line."""

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from audit.errors import SettingsError

_TABLE = re.compile(r"\s*\[\[\s*([A-Za-z0-9_-]+)\s*\]\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")

M = TypeVar("M", bound=BaseModel)


def read_text(path: Path, expected: str) -> str:
    """Return the text of a file.

    Raises:
        SettingsError: It cannot be read, or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}; expected {expected}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: found bytes that are not UTF-8 (expected TOML)") from None


def parse_toml(text: str, source: str, model: type[M]) -> M:
    """Return the content of a TOML text in the form of a model.

    Raises:
        SettingsError: It is not TOML, or a key is unknown or holds something else than expected.
            The line names the file, the line and the key; never the value of a secret.
    """
    try:
        values: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # Also numbers and nesting beyond all use.
        raise SettingsError(f"{source}: not a TOML file: {error}") from None
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise SettingsError(f"{source}{_line(text, first['loc'])}: {_problem(first)}") from None


def _problem(first: Any) -> str:  # noqa: ANN401  # a TypedDict of pydantic's own
    where = first["loc"]
    named = [str(part) if isinstance(part, str) else f"[{part + 1}]" for part in where]
    key = ".".join(named).replace(".[", "[") or "file"
    if first["type"] == "extra_forbidden":
        return f"{key}: unknown key"
    if first["type"] == "missing":
        return f"{key}: missing"
    reason = first["msg"].removeprefix("Value error, ")
    said = f"{reason[0].lower()}{reason[1:]}"
    # Addresses of webhooks often hold a token, or even a password.
    hidden = any(isinstance(part, str) and ("secret" in part or part == "url") for part in where)
    found = first["input"]
    if hidden or not isinstance(found, str | int | float | bool):
        return f"{key}: {said}"
    return f"{key}: found {found!r}: {said}"


def _line(text: str, where: tuple[str | int, ...]) -> str:
    """Return where a key stands, for a message; its table's line when it is missing."""
    best: int | None = None
    seen: dict[str, int] = {}
    table: tuple[str | int, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _TABLE.match(line):
            name = header[1]
            seen[name] = seen.get(name, -1) + 1
            table = (name, seen[name])
            if where[:2] == table:
                best = number
        elif (key := _KEY.match(line)) and where[: len(table) + 1] == (*table, key[1]):
            return f", line {number}"
    return "" if best is None else f", line {best}"
