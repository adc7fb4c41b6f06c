"""Reports as spreadsheets: a sheet a section, real numbers and times, never a formula."""

import re
from collections.abc import Callable
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from audit.errors import ReportError
from audit.reports.kinds import TITLES, Paper
from audit.reports.shape import Column, ColumnKind, Report, Section
from audit.reports.words import Words
from audit.reports.writing import ABOUT, TOTAL, Rows, Sheet, about
from audit.web.language import N_

ROWS_A_SHEET = 1_000_000
"""Below what a spreadsheet can hold (1 048 576 rows); a longer list goes on in another sheet."""

_TEXT_LIMIT = 32_767
"""What a cell holds, in characters."""

_ABOUT_SHEET = N_("About")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_PAPERS = {Paper.A4: 9, Paper.LETTER: 1}

Put = Callable[[int, int, object], object]


class _Looks:
    """The looks of cells, made once a workbook."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        base = {"font_name": "Calibri", "font_size": 11, "valign": "top"}
        self.title = book.add_format({**base, "bold": True, "font_size": 16})
        self.name = book.add_format({**base, "font_color": "#51606b"})
        self.text = book.add_format({**base, "text_wrap": True})
        self.grave = book.add_format(
            {**base, "text_wrap": True, "bold": True, "bg_color": "#fdf3df"}
        )
        self.heading = book.add_format(
            {**base, "bold": True, "bg_color": "#e3ebee", "bottom": 1, "text_wrap": True}
        )
        self._of = {
            kind: book.add_format({**base, **_NUMBER_FORMS.get(kind, {})}) for kind in ColumnKind
        }
        self._total = {
            kind: book.add_format({**base, **_NUMBER_FORMS.get(kind, {}), "bold": True, "top": 1})
            for kind in ColumnKind
        }

    def of(self, kind: ColumnKind, *, total: bool = False) -> Format:
        """Return the look of a kind of cell."""
        return (self._total if total else self._of)[kind]


_NUMBER_FORMS: dict[ColumnKind, dict[str, Any]] = {
    ColumnKind.COUNT: {"num_format": "#,##0"},
    ColumnKind.MONEY: {"num_format": "#,##0.00;[Red]-#,##0.00"},
    ColumnKind.MOMENT: {"num_format": "yyyy-mm-dd hh:mm:ss", "align": "left"},
    ColumnKind.SECONDS: {"num_format": "[h]:mm:ss"},
    ColumnKind.SHARE: {"num_format": "0.000%"},
    ColumnKind.RATE: {"num_format": "0.00"},
}


def write_xlsx(path: Path, report: Report, sheet: Sheet, rows: Rows) -> None:
    """Write a report as a spreadsheet, in memory that does not grow with its rows.

    Raises:
        ReportCancelledError: It is no longer wanted.
        ReportError: The file cannot be put together.
        OSError: The file cannot be written.
    """
    # A folder of its own: what the library leaves in it when it is stopped goes with it.
    with TemporaryDirectory(prefix=".xlsx-", dir=path.parent) as scratch:
        options = {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_numbers": False,
            "strings_to_urls": False,
            "tmpdir": scratch,
        }
        book = xlsxwriter.Workbook(str(path), options)
        try:
            _fill(book, report, (sheet, rows))
        finally:
            try:
                book.close()
            except XlsxWriterException as error:
                raise ReportError(f"{path}: {error}") from None


def _fill(book: xlsxwriter.Workbook, report: Report, told: tuple[Sheet, Rows]) -> None:
    sheet, _ = told
    looks = _Looks(book)
    front = book.add_worksheet(sheet.words.text(_ABOUT_SHEET))
    for section in report.sections:
        _write_section(book, looks, section, told)
    _write_about(front, looks, report, told)
    book.set_properties(
        {
            "title": sheet.words.text(TITLES[report.kind]),
            "author": _fit(sheet.user),
            "comments": f"{sheet.report}, pitwatch {sheet.software}",
            "created": sheet.made.replace(tzinfo=None),
        }
    )


def _write_about(front: Worksheet, looks: _Looks, report: Report, told: tuple[Sheet, Rows]) -> None:
    sheet, rows = told
    words = sheet.words
    front.set_column(0, 0, 34)
    front.set_column(1, 1, 90)
    front.set_paper(_PAPERS[sheet.paper])
    front.write_string(0, 0, words.text(TITLES[report.kind]), looks.title)
    line = 2
    for said in report.notices:
        front.write_string(
            line, 1, _fit(words.sentence(said)), looks.grave if said.grave else looks.text
        )
        line += 1
    line += 1
    for fact in report.facts:
        front.write_string(line, 0, words.text(fact.title), looks.name)
        column = Column("", fact.title, fact.kind)
        if fact.value is not None:
            _putter(front, column, words, looks.of(fact.kind))(line, 1, fact.value)
        line += 1
    line += 1
    told_of_itself = [
        *about(report, sheet),
        ("rows", f"{rows.count}"),
        ("content", rows.content),
    ]
    for name, value in told_of_itself:
        front.write_string(line, 0, words.text(ABOUT[name]), looks.name)
        front.write_string(line, 1, _fit(value), looks.text)
        line += 1


def _write_section(
    book: xlsxwriter.Workbook, looks: _Looks, section: Section, told: tuple[Sheet, Rows]
) -> None:
    sheet, rows = told
    name = sheet.words.text(section.title)
    page, line, part = _new_page(book, looks, section, (sheet, name)), 0, 1
    puts = _putters(page, section, sheet.words, looks)
    last = len(section.columns) - 1
    for values in rows.of(section):
        if line == ROWS_A_SHEET:
            page.autofilter(0, 0, line, last)
            part += 1
            page, line = _new_page(book, looks, section, (sheet, f"{name} {part}")), 0
            puts = _putters(page, section, sheet.words, looks)
        line += 1
        for place, value in enumerate(values):
            if value is not None:
                puts[place](line, place, value)
    page.autofilter(0, 0, max(line, 1), last)
    total = rows.total_of(section)
    if total is not None:
        _write_total(page, line + 1, total, (section, sheet.words, looks))


def _write_total(
    page: Worksheet, line: int, total: tuple[object, ...], told: tuple[Section, Words, _Looks]
) -> None:
    section, words, looks = told
    puts = _putters(page, section, words, looks, total=True)
    page.write_string(line, 0, words.text(TOTAL), looks.of(ColumnKind.TEXT, total=True))
    for place, value in enumerate(total[1:], start=1):
        if value is not None and value != "":
            puts[place](line, place, value)


def _new_page(
    book: xlsxwriter.Workbook, looks: _Looks, section: Section, told: tuple[Sheet, str]
) -> Worksheet:
    sheet, name = told
    page = book.add_worksheet(_sheet_name(name))
    page.freeze_panes(1, 0)
    page.set_landscape()
    page.set_paper(_PAPERS[sheet.paper])
    page.repeat_rows(0)
    page.set_footer("&L&A&R&P / &N")
    for place, column in enumerate(section.columns):
        page.set_column(place, place, max(9, min(60, column.width * 1.15 + 2)))
        page.write_string(0, place, sheet.words.text(column.title), looks.heading)
    return page


def _sheet_name(name: str) -> str:
    return re.sub(r"[\[\]:*?/\\']", " ", name)[:31]


def _putters(
    page: Worksheet, section: Section, words: Words, looks: _Looks, *, total: bool = False
) -> list[Put]:
    return [
        _putter(page, column, words, looks.of(column.kind, total=total))
        for column in section.columns
    ]


def _putter(page: Worksheet, column: Column, words: Words, look: Format) -> Put:
    """Return what writes a cell of a column by its own type: never as a formula or a link."""
    number = page.write_number
    match column.kind:
        case ColumnKind.TEXT:
            text = page.write_string
            return lambda line, place, value: text(line, place, _fit(str(value)), look)
        case ColumnKind.LABEL:
            return _label_putter(page, column, words, look)
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
    return lambda line, place, value: number(line, place, convert(value), look)


def _label_putter(page: Worksheet, column: Column, words: Words, look: Format) -> Put:
    known: dict[object, str] = {}

    def label(line: int, place: int, value: object) -> object:
        name = known.get(value)
        if name is None:
            name = known[value] = _fit(words.label(str(value), column.labels))
        return page.write_string(line, place, name, look)

    return label


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


def _fit(text: str) -> str:
    """Return a text as XML and a cell can hold it; what XML has no form for is written out."""
    if not text.isprintable():
        text = _NOT_IN_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text if len(text) <= _TEXT_LIMIT else text[: _TEXT_LIMIT - 1] + "…"
