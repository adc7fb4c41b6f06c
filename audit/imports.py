"""Wagers and payouts from a file of another system: read whole, every bad line named."""

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum, unique
from functools import partial
from io import StringIO
from typing import Any

from audit.chain import CHAIN_NAME, SYSTEM
from audit.errors import AuditError
from audit.payouts import FeedAct, FeedNote, FeedSource
from rules.errors import RulesError
from rules.events import PayoutMade, WagerPlaced
from rules.record_json import each_once
from rules.wire import feed_faults, parse_feed_event

MOST_LINES = 50_000
"""The most lines of one file: they are one transaction, which other writers wait for."""

MOST_BYTES = 32 * 1024 * 1024
"""The most bytes of one file."""

_NEEDED = ("at", "kind", "seat", "wager", "amount")

_TEXTS = ("round", "client_id", "user", "corrects")
FIELDS = ("table", *_NEEDED, *_TEXTS)
"""The fields of a line: keys in JSON lines, columns in CSV."""

_NUMBERS = ("seat", "amount")
_TEXT_LENGTH = 200


@unique
class ImportFormat(StrEnum):
    """How a file is written."""

    CSV = "csv"
    JSON_LINES = "jsonl"


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One line that can be used."""

    number: int
    """Its line in the file, from 1."""
    table: str
    at: datetime
    act: FeedAct
    note: FeedNote
    corrects: str | None
    """The client id of the report that this one puts right."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one line."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


@dataclass(frozen=True, slots=True)
class ImportFile:
    """A file as it was read."""

    name: str
    sha256: str
    lines: tuple[ImportLine, ...]
    problems: tuple[Problem, ...]


class ImportRefused(AuditError):  # noqa: N818  # named for what happened: nothing was imported
    """Nothing was imported; the problems say why."""

    def __init__(self, name: str, problems: tuple[Problem, ...]) -> None:
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{name}: {first}{more}; nothing was imported")
        self.problems = problems


def read_import(
    data: bytes, name: str, form: ImportFormat, *, table: str | None = None
) -> ImportFile:
    """Read a file of wagers and payouts.

    Every line that cannot be used is named, with all that is wrong with it. A line without a client
    id gets one drawn from its content (and from how often the same content stands before it), so
    that the same file, or one that has grown, adds nothing twice.

    Args:
        data: The file's bytes, in UTF-8.
        name: What messages call it.
        form: How it is written.
        table: The table of lines that name none.

    Raises:
        ImportRefused: It is too large, not UTF-8, or CSV without its columns.
    """
    if len(data) > MOST_BYTES:
        raise _refused(name, 1, f"found {len(data)} bytes, expected at most {MOST_BYTES}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _refused(name, line, "found bytes that are not UTF-8") from None
    lines: list[ImportLine] = []
    problems: list[Problem] = []
    seen: Counter[str] = Counter()
    rows = _csv_rows(text, name) if form is ImportFormat.CSV else _json_rows(text)
    for number, row in rows:
        if len(lines) + len(problems) >= MOST_LINES:
            raise _refused(name, number, f"expected at most {MOST_LINES} lines in one file")
        try:
            lines.append(_line(number, row, table, seen))
        except (RulesError, ValueError) as error:
            problems.append(Problem(number, str(error)))
    if not lines and not problems:
        raise _refused(name, 1, "found no lines, expected wagers or payouts")
    return ImportFile(name, hashlib.sha256(data).hexdigest(), tuple(lines), tuple(problems))


def _refused(name: str, line: int, text: str) -> ImportRefused:
    return ImportRefused(name, (Problem(line, text),))


Row = Mapping[str, Any] | str
"""A line's fields, or what is wrong with it."""


def _json_rows(text: str) -> Iterator[tuple[int, Row]]:
    # Only line feeds end a line: JSON may hold other characters that Python takes for line ends.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=each_once)
        except RulesError as error:
            yield number, str(error)
            continue
        except (ValueError, RecursionError):
            yield number, "not JSON (expected an object on one line)"
            continue
        yield number, row if isinstance(row, dict) else "not an object (expected {…})"


def _csv_rows(text: str, name: str) -> Iterator[tuple[int, Row]]:
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    try:
        columns = [column.strip() for column in next(reader, [])]
        _check_columns(columns, name)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(columns):
                yield reader.line_num, f"found {len(cells)} cells, expected {len(columns)}"
                continue
            yield reader.line_num, _typed(dict(zip(columns, cells, strict=True)))
    except csv.Error as error:
        raise _refused(name, reader.line_num, f"not CSV: {error}") from None


def _check_columns(columns: list[str], name: str) -> None:
    unknown = [column for column in columns if column not in FIELDS]
    needed = [field for field in _NEEDED if field not in columns]
    if unknown:
        known = ", ".join(FIELDS)
        raise _refused(name, 1, f"found column {unknown[0]!r}, expected some of {known}")
    if needed:
        raise _refused(name, 1, f"found no column {needed[0]!r}, expected it in the first line")
    if len(set(columns)) != len(columns):
        raise _refused(name, 1, "found a column twice")


def _typed(cells: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the cells of a CSV line as JSON would tell them; empty cells tell nothing."""
    row: dict[str, Any] = {}
    for column, cell in cells.items():
        told = cell.strip()
        if not told:
            continue
        digits = told.removeprefix("-")
        whole = column in _NUMBERS and digits.isascii() and digits.isdigit() and len(digits) < 16
        row[column] = int(told) if whole else told
    return row


def _line(number: int, row: Row, table: str | None, seen: Counter[str]) -> ImportLine:
    if isinstance(row, str):
        raise ValueError(row)  # noqa: TRY004  # the value is what is wrong
    faults = list(_faults(row, table))
    if faults:
        raise ValueError("; ".join(faults))
    event = parse_feed_event(row)
    if not isinstance(event, WagerPlaced | PayoutMade):
        raise ValueError(f"kind: found {row['kind']!r}, expected wager or payout")  # noqa: TRY004
    place = _place(row, table)
    at = _moment(row.get("at"))
    note = FeedNote(
        seat=event.seat,
        wager=event.wager.value,
        amount=event.amount,
        source=FeedSource.IMPORT,
        client_id=_text(row, "client_id") or _own_id(row, place, seen),
        round=_text(row, "round"),
        user=_text(row, "user"),
    )
    act = FeedAct.WAGER if isinstance(event, WagerPlaced) else FeedAct.PAYOUT
    return ImportLine(number, place, at, act, note, _text(row, "corrects"))


def _faults(row: Mapping[str, Any], table: str | None) -> Iterator[str]:
    """Give all that is wrong with a line, a text a field."""
    for key in row:
        if key not in FIELDS:
            yield f"{key!r}: unknown field (expected some of {', '.join(FIELDS)})"
    yield from feed_faults(row)
    checks: list[Callable[[], object]] = [
        lambda: _place(row, table),
        lambda: _moment(row.get("at")),
        *(partial(_text, row, name) for name in _TEXTS),
    ]
    for check in checks:
        try:
            check()
        except ValueError as error:
            yield str(error)


def _place(row: Mapping[str, Any], table: str | None) -> str:
    place = _text(row, "table") or table
    if place is None or CHAIN_NAME.fullmatch(place) is None or place == SYSTEM:
        raise ValueError(f"table: found {place!r}, expected the name of a table")
    return place


def _text(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not 0 < len(value) <= _TEXT_LENGTH:
        raise ValueError(f"{name}: expected a text of 1 to {_TEXT_LENGTH} characters")
    if not value.isprintable():
        raise ValueError(f"{name}: found {value!r}, expected printable characters")
    return value


def _moment(value: object) -> datetime:
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        at = None
    if at is None or at.tzinfo is None or not 2000 <= at.year < 2100:
        raise ValueError(
            f"at: found {value!r}, expected a moment with a zone such as 2026-11-30T05:33:00Z"
        )
    return at.astimezone(UTC)


def _own_id(row: Mapping[str, Any], table: str, seen: Counter[str]) -> str:
    told = json.dumps({**row, "table": table}, sort_keys=True, ensure_ascii=True)
    content = hashlib.sha256(told.encode()).hexdigest()[:32]
    seen[content] += 1
    return f"import:{content}:{seen[content]}"
