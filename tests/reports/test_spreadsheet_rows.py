"""The law: a row put whole is, to the byte, what the library writes cell by cell, and only text."""

from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import openpyxl
import xlsxwriter
from xlsxwriter.format import Format

from audit.reports.shape import Column, ColumnKind
from audit.reports.words import Words
from audit.reports.xlsx_cells import RowSheet, cell_of, fit, text_cell
from tests.reports.test_hostile import HOSTILE

TEXTS = (*HOSTILE, "", " a", "a\u3000", "b\r", "_x0041_", "T1-0042", "가" * 32_767, "½-²", "\ufffe")
AT = datetime(2026, 11, 1, 5, 3, 2, 250_000, tzinfo=UTC)
NUMBERS: list[tuple[ColumnKind, object, float]] = [
    (ColumnKind.COUNT, -3, -3),
    (ColumnKind.COUNT, 10**20, 10**20),
    (ColumnKind.MONEY, 123_455, 1234.55),
    (ColumnKind.SECONDS, 86_460, 86_460 / 86_400),
    (ColumnKind.SHARE, Fraction(1, 3), 1 / 3),
    (ColumnKind.RATE, Fraction(22, 7), 22 / 7),
    (ColumnKind.MOMENT, AT, 46_327 + (14 * 3600 + 3 * 60 + 2.25) / 86_400),
]
WORDS = Words("en", ZoneInfo("Asia/Seoul"))
Fill = Callable[[RowSheet, Format, Format], object]


def sheet(path: Path, fill: Fill) -> bytes:
    """Return the XML of a sheet that was filled with a plain and a bold look."""
    book = xlsxwriter.Workbook(str(path), {"constant_memory": True, "tmpdir": str(path.parent)})
    page = book.add_worksheet("a", RowSheet)
    assert isinstance(page, RowSheet)
    page.write_string(0, 0, "heading")
    fill(page, book.add_format({"align": "left"}), book.add_format({"bold": True}))
    book.close()
    with ZipFile(path) as file:
        return file.read("xl/worksheets/sheet1.xml")


def test_rows_put_whole_are_to_the_byte_what_the_library_writes(tmp_path: Path) -> None:
    def whole(page: RowSheet, plain: Format, bold: Format) -> None:
        for line, text in enumerate(TEXTS, start=1):
            page.put(line, (text_cell(0, plain), text_cell(1, bold)), (None, text))
        page.put(40, (text_cell(0, plain),), (None,))
        columns = [Column("", "", kind) for kind, _, _ in NUMBERS]
        cells = [cell_of(at, column, WORDS, plain) for at, column in enumerate(columns)]
        page.put(50, cells, [value for _, value, _ in NUMBERS])

    def by_cells(page: RowSheet, plain: Format, bold: Format) -> None:
        for line, text in enumerate(TEXTS, start=1):
            page.write_string(line, 1, fit(text), bold)
        for place, (_, _, number) in enumerate(NUMBERS):
            page.write_number(50, place, number, plain)

    assert sheet(tmp_path / "a.xlsx", whole) == sheet(tmp_path / "b.xlsx", by_cells)


def test_a_text_that_looks_like_markup_stays_a_text_and_one_cut_says_so(tmp_path: Path) -> None:
    texts = ("<r><t>x</t></r>", "<r></is></r>", "𝔸" * 20_000)

    def fill(page: RowSheet, plain: Format, _bold: Format) -> None:
        for line, text in enumerate(texts, start=1):
            page.put(line, (text_cell(0, plain),), (text,))

    sheet(tmp_path / "a.xlsx", fill)
    read = openpyxl.load_workbook(tmp_path / "a.xlsx").worksheets[0]
    assert [cell.value for cell in read["A"][1:]] == [*texts[:2], "𝔸" * 16_383 + "…"]
