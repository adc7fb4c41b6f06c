"""Reports as spreadsheets: a sheet a section, real numbers and times, never a formula."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException
from xlsxwriter.format import Format

from audit.errors import ReportError
from audit.reports.kinds import TITLES, Paper
from audit.reports.shape import Column, ColumnKind, Report, Section
from audit.reports.words import Words
from audit.reports.writing import ABOUT, TOTAL, Rows, Sheet, about
from audit.reports.xlsx_cells import Cell, RowSheet, cell_of, fit, text_cell
from audit.web.language import N_

ROWS_A_SHEET = 1_000_000
"""Below what a spreadsheet can hold (1 048 576 rows); a longer list goes on in another sheet."""

_ABOUT_SHEET = N_("About")
_PAPERS = {Paper.A4: 9, Paper.LETTER: 1}


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
    front = _new_sheet(book, sheet.words.text(_ABOUT_SHEET))
    for section in report.sections:
        _write_section(book, looks, section, told)
    _write_about(front, looks, report, told)
    book.set_properties(
        {
            "title": sheet.words.text(TITLES[report.kind]),
            "author": fit(sheet.user),
            "comments": f"{sheet.report}, pitwatch {sheet.software}",
            "created": sheet.made.replace(tzinfo=None),
        }
    )


def _write_about(front: RowSheet, looks: _Looks, report: Report, told: tuple[Sheet, Rows]) -> None:
    sheet, rows = told
    words = sheet.words
    front.set_column(0, 0, 34)
    front.set_column(1, 1, 90)
    front.set_paper(_PAPERS[sheet.paper])
    front.write_string(0, 0, words.text(TITLES[report.kind]), looks.title)
    line = 2
    name = text_cell(0, looks.name)
    text, grave = text_cell(1, looks.text), text_cell(1, looks.grave)
    for said in report.notices:
        front.put(line, (name, grave if said.grave else text), (None, words.sentence(said)))
        line += 1
    line += 1
    for fact in report.facts:
        value = cell_of(1, Column("", fact.title, fact.kind), words, looks.of(fact.kind))
        front.put(line, (name, value), (words.text(fact.title), fact.value))
        line += 1
    line += 1
    told_of_itself = [
        *about(report, sheet),
        ("rows", f"{rows.count}"),
        ("content", rows.content),
    ]
    for key, told_of_it in told_of_itself:
        front.put(line, (name, text), (words.text(ABOUT[key]), told_of_it))
        line += 1


def _write_section(
    book: xlsxwriter.Workbook, looks: _Looks, section: Section, told: tuple[Sheet, Rows]
) -> None:
    sheet, rows = told
    name = sheet.words.text(section.title)
    page, line, part = _new_page(book, looks, section, (sheet, name)), 0, 1
    cells = _cells(section, sheet.words, looks)
    last = len(cells) - 1
    for values in rows.of(section):
        if line == ROWS_A_SHEET:
            page.autofilter(0, 0, line, last)
            part += 1
            page, line = _new_page(book, looks, section, (sheet, f"{name} {part}")), 0
        line += 1
        page.put(line, cells, values)
    page.autofilter(0, 0, max(line, 1), last)
    total = rows.total_of(section)
    if total is not None:
        _write_total(page, line + 1, total, (section, sheet.words, looks))


def _write_total(
    page: RowSheet, line: int, total: tuple[object, ...], told: tuple[Section, Words, _Looks]
) -> None:
    section, words, looks = told
    name = text_cell(0, looks.of(ColumnKind.TEXT, total=True))
    sums = [None if value == "" else value for value in total[1:]]
    cells = [name, *_cells(section, words, looks, total=True)[1:]]
    page.put(line, cells, [words.text(TOTAL), *sums])


def _new_page(
    book: xlsxwriter.Workbook, looks: _Looks, section: Section, told: tuple[Sheet, str]
) -> RowSheet:
    sheet, name = told
    page = _new_sheet(book, _sheet_name(name))
    page.freeze_panes(1, 0)
    page.set_landscape()
    page.set_paper(_PAPERS[sheet.paper])
    page.repeat_rows(0)
    page.set_footer("&L&A&R&P / &N")
    for place, column in enumerate(section.columns):
        page.set_column(place, place, max(9, min(60, column.width * 1.15 + 2)))
        page.write_string(0, place, sheet.words.text(column.title), looks.heading)
    return page


def _new_sheet(book: xlsxwriter.Workbook, name: str) -> RowSheet:
    return cast(RowSheet, book.add_worksheet(name, RowSheet))


def _sheet_name(name: str) -> str:
    return re.sub(r"[\[\]:*?/\\']", " ", name)[:31]


def _cells(section: Section, words: Words, looks: _Looks, *, total: bool = False) -> list[Cell]:
    return [
        cell_of(place, column, words, looks.of(column.kind, total=total))
        for place, column in enumerate(section.columns)
    ]
