"""One table of a house rules file, read key by key, so that every mistake is told with its line."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from rules.errors import HouseRulesError, shown
from rules.events import MAX_CENTS, Cents, Wager
from rules.pay import Odds, PayTable

Choice = TypeVar("Choice", bound=StrEnum)

OWN_TABLE = "own"
"""The name under which a house writes a pay table of its own."""

_HEADER = re.compile(r"\s*\[([^\[\]]+)\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"'-]+)\s*=")


@dataclass(frozen=True, slots=True)
class Limits:
    """The least and the most that may be staked on a wager, in cents; None is no limit."""

    minimum: Cents | None
    maximum: Cents | None


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed house rules file, which knows on what line a key stands."""

    source: str
    values: dict[str, Any]
    lines: Mapping[tuple[str, ...], int]

    @classmethod
    def parse(cls, text: str, source: str) -> "Document":
        """Return the document of a TOML text.

        Raises:
            HouseRulesError: The text is not TOML.

        >>> Document.parse("a = 1", "x.toml").values
        {'a': 1}
        """
        try:
            values = tomllib.loads(text.removeprefix("\ufeff"))  # Some editors begin with it.
        except (ValueError, RecursionError) as error:  # Also numbers and nesting beyond all use.
            raise HouseRulesError(f"{source}: not a TOML file: {error}") from error
        return cls(source, values, _key_lines(text))

    def error(self, path: tuple[str, ...], problem: str) -> HouseRulesError:
        """Return the error to raise about a key: file, line, key, problem.

        >>> str(Document.parse("a = 1", "x.toml").error(("a",), "expected true or false"))
        'x.toml, line 1: a: expected true or false'
        """
        known = [path[:size] for size in range(len(path), 0, -1) if path[:size] in self.lines]
        line = f", line {self.lines[known[0]]}" if known else ""
        return HouseRulesError(f"{self.source}{line}: {'.'.join(path)}: {problem}")


def _key_lines(text: str) -> dict[tuple[str, ...], int]:
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = _path(header[1])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *_path(key[1])), number)
    return lines


def _path(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


@dataclass(slots=True)
class Section:
    r"""Reads one table of the file; what was read, defaults included, is kept for the version.

    Every getter takes the default that holds where the file is silent.

    >>> section = Section(Document.parse("[g]\nseats = 4", "x.toml"), ("g",))
    >>> section.integer("seats", 6, least=1, most=6)
    4
    >>> section.finish()
    >>> section.settled
    {'seats': 4}
    """

    document: Document
    path: tuple[str, ...]
    settled: dict[str, Any] = field(default_factory=dict)
    """Every value read so far: what the house rules come to, defaults filled in."""
    _children: list["Section"] = field(default_factory=list)

    def _values(self) -> dict[str, Any]:
        values: Any = self.document.values
        for size, part in enumerate(self.path, start=1):
            values = values.get(part, {})
            if not isinstance(values, dict):
                raise self.document.error(
                    self.path[:size], f"expected a table, found {shown(values)}"
                )
        found: dict[str, Any] = values
        return found

    def error(self, key: str, problem: str) -> HouseRulesError:
        """Return the error to raise about one key of this section."""
        return self.document.error((*self.path, key), problem)

    def integer(self, key: str, default: int, *, least: int, most: int) -> int:
        """Return a whole number.

        Raises:
            HouseRulesError: It is not a whole number from `least` to `most`.
        """
        value = self._values().get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.error(
                key, f"found {shown(value)}, expected a whole number from {least} to {most}"
            )
        self.settled[key] = value
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """Return a yes or no.

        Raises:
            HouseRulesError: It is neither true nor false.
        """
        value = self._values().get(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"found {shown(value)}, expected true or false")
        self.settled[key] = value
        return value

    def text(self, key: str, default: str) -> str:
        """Return a text of one line.

        Raises:
            HouseRulesError: It is not a text, or it is empty or too long.
        """
        value = self._values().get(key, default)
        if not isinstance(value, str) or not 0 < len(value) <= 80 or "\n" in value:
            raise self.error(key, f"found {shown(value)}, expected a text of 1 to 80 characters")
        self.settled[key] = value
        return value

    def choice(self, key: str, default: Choice) -> Choice:
        """Return a member of the default's closed set.

        Raises:
            HouseRulesError: It is not one of them.
        """
        value = self._values().get(key, default.value)
        allowed = [member.value for member in type(default)]
        if value not in allowed:
            raise self.error(key, f"found {shown(value)}, expected one of {', '.join(allowed)}")
        self.settled[key] = value
        return type(default)(value)

    def section(self, key: str) -> "Section":
        """Return the reader of a table inside this one; `finish` checks it too."""
        child = Section(self.document, (*self.path, key))
        self.settled[key] = child.settled
        self._children.append(child)
        return child

    def pay_table(self, shipped: Mapping[str, PayTable], default: str) -> PayTable:
        """Return the pay table that this section names with `table`.

        `table` is the name of a shipped table, or `own`; then `pays` holds the odds of every line.
        `confirmed` says that the house has confirmed a table that was only inferred.

        Raises:
            HouseRulesError: An unknown table, or a line that is missing, unknown or not odds.
        """
        names = [*shipped, OWN_TABLE]
        name = self.text("table", default)
        if name not in names:
            raise self.error("table", f"found {shown(name)}, expected one of {', '.join(names)}")
        if name != OWN_TABLE and "pays" in self._values():
            raise self.error("pays", f'only a table = "{OWN_TABLE}" has odds of its own')
        if name == OWN_TABLE:
            lines = self._own_lines(tuple(shipped[default].lines))
            confirmed = self.flag("confirmed", default=True)
        else:
            lines = dict(shipped[name].lines)
            confirmed = self.flag("confirmed", default=shipped[name].confirmed)
        self.settled["pays"] = {line: str(odds) for line, odds in lines.items()}
        return PayTable(name, lines, confirmed)

    def _own_lines(self, expected: tuple[str, ...]) -> dict[str, Odds]:
        found = self._values().get("pays")
        if not isinstance(found, dict):
            raise self.error("pays", f"expected a table with the odds of {', '.join(expected)}")
        unknown = [line for line in found if line not in expected]
        if unknown:
            raise self.document.error(
                (*self.path, "pays", unknown[0]),
                f"not a line of this table (expected {', '.join(expected)})",
            )
        return {line: self._odds(line, found.get(line)) for line in expected}

    def _odds(self, line: str, value: object) -> Odds:
        path = (*self.path, "pays", line)
        if not isinstance(value, str):
            found = "nothing" if value is None else repr(value)
            raise self.document.error(path, f'found {found}, expected odds such as "5:1"')
        try:
            return Odds.parse(value)
        except HouseRulesError as error:
            raise self.document.error(path, str(error)) from error

    def limits(self, wagers: tuple[Wager, ...]) -> dict[Wager, Limits]:
        """Return the table limits in `limits.WAGER.minimum` and `.maximum`, in cents; 0 is none.

        A wager without limits is left out.

        Raises:
            HouseRulesError: Not a whole number of cents, or a minimum above the maximum.
        """
        table = self.section("limits")
        limits = {}
        for wager in wagers:
            row = table.section(wager.value)
            least = row.integer("minimum", 0, least=0, most=MAX_CENTS)
            most = row.integer("maximum", 0, least=0, most=MAX_CENTS)
            if most and least > most:
                raise row.error("minimum", f"found {least}, expected no more than maximum {most}")
            if least or most:
                limits[wager] = Limits(Cents(least) or None, Cents(most) or None)
        return limits

    def finish(self) -> None:
        """Refuse what nobody asked for, so that a misspelt key never passes for a default.

        Raises:
            HouseRulesError: The table or one inside it has an unknown key.
        """
        values = self._values()
        unknown = [key for key in values if key not in self.settled]
        if unknown:
            raise self.error(
                unknown[0], f"not a house option (expected one of {', '.join(self.settled)})"
            )
        for child in self._children:
            child.finish()
