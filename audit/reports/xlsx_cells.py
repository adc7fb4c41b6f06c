"""The rows of a spreadsheet's sheets, each put together at once from what its columns hold.

The library can write every cell by itself; it then looks at each one's kind, look and text anew. In
a list of a million rows a column has one kind and one look, so what is the same for all its cells
is settled once. The result is the same to the byte. Texts of the record are hostile: none becomes a
formula, a link or markup.
"""

import html
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from audit.reports.shape import Column, ColumnKind
from audit.reports.words import Words

_TEXT_LIMIT = 32_767
"""What a cell holds, in units of UTF-16."""

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LIKE_AN_ESCAPE = re.compile("(_x[0-9a-fA-F]{4}_)")

Cell = Callable[[int, object], str]
"""Gives the XML of a column's cell: of the line, counted from 0, and of the value."""


class RowSheet(Worksheet):
    """A sheet that takes whole rows, from the top to the bottom, beside single cells.

    Its workbook keeps one row in memory and writes it when the next one begins.
    """

    fh: Any
    """The library's file of finished rows."""

    def put(self, line: int, cells: Sequence[Cell], values: Sequence[object]) -> None:
        """Write a row below all others; a cell without a value stays empty.

        Args:
            line: From 0, and larger than that of every row before.
            cells: From the first column on.
            values: As many.
        """
        if line > self.previous_row:
            self._write_single_row(line)
        row = [
            cell(line, value)
            for cell, value in zip(cells, values, strict=True)
            if value is not None
        ]
        if row and not self._check_dimensions(line, len(cells) - 1):
            self.fh.write(f'<row r="{line + 1}">{"".join(row)}</row>')


def cell_of(place: int, column: Column, words: Words, look: Format) -> Cell:
    """Return what gives the cells of a column, by its own kind: numbers, moments, or text.

    Args:
        place: Where the column stands, from 0.
        column: What it holds.
        words: The reader's language and the property's clock.
        look: The look of its cells.
    """
    match column.kind:
        case ColumnKind.TEXT:
            return text_cell(place, look)
        case ColumnKind.LABEL:
            return _label_cell(place, column, words, look)
        case ColumnKind.COUNT:
            convert: Callable[[object], float] = _count
        case ColumnKind.MOMENT:
            convert = _serial(words)
        case ColumnKind.MONEY:
            convert = _money
        case ColumnKind.SECONDS:
            convert = _days
        case _:
            convert = _float
    name, style = xl_col_to_name(place), _style(look)
    return lambda line, value: (
        f'<c r="{name}{line + 1}" s="{style()}"><v>{convert(value):.16G}</v></c>'
    )


def text_cell(place: int, look: Format) -> Cell:
    """Return what gives cells of text in a column: never a formula, a link or markup."""
    name, style = xl_col_to_name(place), _style(look)
    return lambda line, value: (
        f'<c r="{name}{line + 1}" s="{style()}" t="inlineStr"><is>{inline(str(value))}</is></c>'
    )


def _label_cell(place: int, column: Column, words: Words, look: Format) -> Cell:
    name, style = xl_col_to_name(place), _style(look)
    known: dict[object, str] = {}

    def label(line: int, value: object) -> str:
        text = known.get(value)
        if text is None:
            text = known[value] = inline(words.label(str(value), column.labels))
        return f'<c r="{name}{line + 1}" s="{style()}" t="inlineStr"><is>{text}</is></c>'

    return label


def _style(look: Format) -> Callable[[], int]:
    """Return what gives the number of a look: the library numbers those that are used."""
    number: Callable[[], int] = look._get_xf_index
    return number


def inline(text: str) -> str:
    """Return a text as the XML of a cell, as much of it as a cell can hold.

    >>> inline("T1-0042"), inline("<b> & ")
    ('<t>T1-0042</t>', '<t xml:space="preserve">&lt;b&gt; &amp; </t>')
    """
    # Letters, digits and dashes, such as the name of a round, need no care.
    if len(text) <= _TEXT_LIMIT // 2 and text.replace("-", "0").isalnum():
        return f"<t>{text}</t>"
    # What a spreadsheet would read as an escape is escaped itself.
    kept = _LIKE_AN_ESCAPE.sub(r"_x005F\1", fit(text)).replace("\r", "_x000D_")
    space = "" if kept == kept.strip() else ' xml:space="preserve"'
    return f"<t{space}>{html.escape(kept, quote=False)}</t>"


def fit(text: str) -> str:
    r"""Return a text as XML and a cell can hold it; what XML has no form for is written out.

    >>> fit("a" + chr(27))
    'a\\u001b'
    """
    if not text.isprintable():
        text = _NOT_IN_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    if len(text) <= _TEXT_LIMIT // 2:
        return text
    units = text.encode("utf-16-le")
    if len(units) <= 2 * _TEXT_LIMIT:
        return text
    return units[: 2 * (_TEXT_LIMIT - 1)].decode("utf-16-le", "ignore") + "…"


def _count(value: object) -> float:
    return value if isinstance(value, int) else 0


def _money(value: object) -> float:
    # Spreadsheets know no other number; two decimals stay exact up to 90 million million.
    return value / 100 if isinstance(value, int) else 0.0


def _days(value: object) -> float:
    return value / 86_400 if isinstance(value, int) else 0.0


def _float(value: object) -> float:
    return float(value) if isinstance(value, Fraction | int) else 0.0


_FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001  # a spreadsheet's days have no zone


def _serial(words: Words) -> Callable[[object], float]:
    """Return what gives a moment as a spreadsheet's day number by the property's clock."""
    zone = words.zone

    def serial(value: object) -> float:
        if not isinstance(value, datetime):
            return 0.0
        since = value.astimezone(zone).replace(tzinfo=None) - _FIRST_DAY
        return since.days + (since.seconds + since.microseconds / 1e6) / 86_400

    return serial
