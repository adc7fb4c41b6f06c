"""Reports as CSV: sections one below the other, each with its heading, columns and sums.

A text can never become a formula in a spreadsheet; an amount stays a number that can be added up.
"""

import csv
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Protocol

from audit.reports.coverage import clock_text
from audit.reports.shape import Column, ColumnKind, Report, Section
from audit.reports.words import Words, decimal
from audit.reports.writing import ABOUT, TOTAL, Rows, Sheet, about
from rules.events import Cents
from rules.explain import money

_STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet may take for the beginning of a formula (OWASP, CSV Injection); the wide
forms, too, where it is set for an East Asian language."""

BYTE_ORDER_MARK = "\ufeff"
"""Without it spreadsheets take Korean for another encoding."""


class Lines(Protocol):
    """What writes lines of CSV: a `csv.writer`."""

    def writerow(self, row: Iterable[object], /) -> object:
        """Write one line."""
        ...

    def writerows(self, rows: Iterable[Iterable[object]], /) -> object:
        """Write some lines."""
        ...


def write_csv(path: Path, report: Report, sheet: Sheet, rows: Rows) -> None:
    """Write a report as CSV (RFC 4180, UTF-8).

    Raises:
        ReportCancelledError: It is no longer wanted.
        OSError: The file cannot be written.
    """
    words = sheet.words
    with path.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        file.write(BYTE_ORDER_MARK)
        lines = csv.writer(file)
        for name, value in about(report, sheet):
            lines.writerow([words.text(ABOUT[name]), safe_text(value)])
        for said in report.notices:
            lines.writerow([safe_text(words.sentence(said))])
        lines.writerow([])
        for fact in report.facts:
            column = Column("", fact.title, fact.kind)
            lines.writerow([words.text(fact.title), _encoder(column, words)(fact.value)])
        for section in report.sections:
            lines.writerow([])
            lines.writerow([words.text(section.title)])
            write_section(lines, section, words, rows)
        lines.writerow([])
        lines.writerow([words.text(ABOUT["rows"]), rows.count])
        lines.writerow([words.text(ABOUT["content"]), rows.content])


def write_table(path: Path, section: Section, words: Words, rows: Rows) -> None:
    """Write one section alone, with nothing above or below it, for programs that load tables.

    Raises:
        ReportCancelledError: It is no longer wanted.
        OSError: The file cannot be written.
    """
    with path.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
        lines = csv.writer(file)
        lines.writerow([column.name for column in section.columns])
        encoders = [_encoder(column, words) for column in section.columns]
        lines.writerows(
            [encode(value) for encode, value in zip(encoders, row, strict=True)]
            for row in rows.of(section)
        )


def write_section(lines: Lines, section: Section, words: Words, rows: Rows) -> None:
    """Write a section's columns, rows and sums."""
    lines.writerow([words.text(column.title) for column in section.columns])
    encoders = [_encoder(column, words) for column in section.columns]
    lines.writerows(
        [encode(value) for encode, value in zip(encoders, row, strict=True)]
        for row in rows.of(section)
    )
    total = rows.total_of(section)
    if total is not None:
        cells = [encode(value) for encode, value in zip(encoders, total, strict=True)]
        cells[0] = words.text(TOTAL)
        lines.writerow(cells)


def safe_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    What begins with a sign that could start one gets an apostrophe before it, as spreadsheets
    themselves mark a text. NUL, which some readers stop at, is written out.

    >>> safe_text("=1+1"), safe_text("Kim")
    ("'=1+1", 'Kim')
    """
    shown = text.replace("\x00", "\\x00")
    return f"'{shown}" if shown.lstrip(" ").startswith(_STARTS_FORMULA) else shown


Encoder = Callable[[object], object]


def _encoder(column: Column, words: Words) -> Encoder:
    """Return what writes the cells of a column: None is an empty cell."""
    if column.kind is ColumnKind.LABEL:
        return _label_encoder(column, words)
    if column.kind is ColumnKind.MOMENT:
        return _moment_encoder(words)
    return _ENCODERS[column.kind]


def _label_encoder(column: Column, words: Words) -> Encoder:
    known: dict[object, str] = {None: ""}

    def label(value: object) -> str:
        if value not in known:
            known[value] = safe_text(words.label(str(value), column.labels))
        return known[value]

    return label


def _moment_encoder(words: Words) -> Encoder:
    zone = words.zone

    def moment(value: object) -> str:
        if not isinstance(value, datetime):
            return ""
        return value.astimezone(zone).isoformat(timespec="seconds")

    return moment


def _share(value: object) -> str:
    return f"{decimal(100 * value, 3)}%" if isinstance(value, Fraction) else ""


_ENCODERS: Mapping[ColumnKind, Encoder] = {
    ColumnKind.TEXT: lambda value: "" if value is None else safe_text(str(value)),
    ColumnKind.COUNT: lambda value: int(value) if isinstance(value, int) else "",
    ColumnKind.MONEY: lambda value: money(Cents(value)) if isinstance(value, int) else "",
    ColumnKind.SECONDS: lambda value: clock_text(value) if isinstance(value, int) else "",
    ColumnKind.SHARE: _share,
    ColumnKind.RATE: lambda value: decimal(value, 2) if isinstance(value, Fraction) else "",
}
