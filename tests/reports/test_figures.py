"""The law: page, PDF, XLSX, CSV and JSON lines say the same figures, and they are the record's own,
counted here once more by other means."""

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from pypdf import PdfReader

from audit.chain import EntryKind
from audit.reports.drawing import draw
from audit.reports.kinds import Format, ReportKind
from audit.reports.shape import Report, Section
from audit.reports.writing import Rows, plain
from audit.store.reporting import snapshot
from audit.web.app import create_app
from audit.web.language import catalogue
from rules.events import Cents
from rules.explain import money
from tests.reports.conftest import Desk
from tests.web.asking import Client, session


def drawn(desk: Desk, kind: ReportKind) -> tuple[Report, dict[str, list[tuple[object, ...]]]]:
    request = desk.order(kind).request
    with snapshot(desk.store.engine) as seen:
        report = draw(seen, request, desk.house, datetime.now(UTC))
        rows = Rows(report, None)
        return report, {section.key: list(rows.of(section)) for section in report.sections}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def cells(values: tuple[object, ...]) -> list[object]:
    return [plain(value) for value in values]


@pytest.mark.parametrize("kind", list(ReportKind))
def test_every_format_holds_the_same_rows(night: Desk, kind: ReportKind) -> None:
    report, rows = drawn(night, kind)
    told = lines(night.issue(kind, Format.JSON_LINES).file)
    book = openpyxl.load_workbook(night.issue(kind, Format.XLSX).file)
    sheets = book.worksheets[1:]
    with night.issue(kind, Format.CSV).file.open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.reader(file))
    for section, sheet in zip(report.sections, sheets, strict=True):
        mine = rows[section.key]
        assert len(mine) == section.count
        names = [column.name for column in section.columns]
        in_lines = [
            [line[name] for name in names]
            for line in told
            if line["type"] == "row" and line["section"] == section.key
        ]
        assert in_lines == [cells(row) for row in mine]
        assert _of_sheet(sheet, section) == [_as_numbers(row, section) for row in mine]
        heading = [column.title for column in section.columns]
        start = table.index([section.title]) + 1
        assert table[start] == heading
        kept = table[start + 1 : start + 1 + len(mine)]
        assert [_csv_numbers(row, section) for row in kept] == [
            _as_numbers(row, section) for row in mine
        ]


def _as_numbers(row: tuple[object, ...], section: Section) -> list[object]:
    """What a spreadsheet and CSV should say of a row: numbers of counts and money only."""
    return [
        round(value / 100, 2) if column.kind == "money" else int(value)
        for value, column in zip(row, section.columns, strict=True)
        if column.kind in ("money", "count") and isinstance(value, int)
    ]


def _of_sheet(sheet: Any, section: Section) -> list[list[object]]:  # noqa: ANN401
    found = []
    for row in sheet.iter_rows(min_row=2, max_row=1 + section.count):
        if not section.count:
            break
        assert all(cell.data_type != "f" for cell in row)
        pairs = zip(row, section.columns, strict=True)
        found.append(
            [
                cell.value
                for cell, c in pairs
                if c.kind in ("money", "count") and cell.value is not None
            ]
        )
    return found


def _csv_numbers(row: list[str], section: Section) -> list[object]:
    pairs = zip(row, section.columns, strict=True)
    return [float(cell) for cell, c in pairs if c.kind in ("money", "count") and cell != ""]


def test_the_payout_totals_are_those_of_the_rounds_themselves(night: Desk) -> None:
    staked = due = paid = over = under = unknown = count = 0
    by_wager: dict[str, int] = defaultdict(int)
    for record, result in _rounds(night):
        for number, seat in record["seats"].items():
            owed = result["seats"][number]["due"]
            given = seat.get("paid")
            for wager in {*seat["wagers"], *(owed or {}), *(given or {})}:
                count += 1
                staked += seat["wagers"].get(wager, 0)
                if owed is None or given is None or owed.get(wager, 0) is None:
                    unknown += 1
                    continue
                due += owed.get(wager, 0)
                paid += given.get(wager, 0)
                off = given.get(wager, 0) - owed.get(wager, 0)
                over, under = over + max(0, off), under + max(0, -off)
                by_wager[wager] += given.get(wager, 0)
    told = lines(night.issue(ReportKind.PAYOUTS, Format.JSON_LINES).file)
    total = next(one for one in told if one["type"] == "total" and one["section"] == "tables")
    assert (total["wagers"], total["unknown"], total["staked"]) == (count, unknown, staked)
    assert (total["due"], total["paid"]) == (due, paid)
    assert (total["overpaid"], total["underpaid"], total["net"]) == (over, under, over - under)
    assert over > 0
    listed = {
        one["name"]: one["paid"] for one in told if one.get("section") == "wagers" and one["name"]
    }
    assert listed == dict(by_wager)
    differences = [one for one in told if one.get("section") == "differences"]
    assert sum(one["difference"] for one in differences) == over - under


def _rounds(desk: Desk) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for entry in desk.store.entries_after(kinds=[EntryKind.ROUND_READ], limit=10_000):
        yield entry.body["record"], entry.body["result"]


def test_the_audit_report_counts_what_the_entries_say(night: Desk) -> None:
    outcomes = Counter((record["table"], result["outcome"]) for record, result in _rounds(night))
    found = Counter(
        str(entry.body["finding"]["code"])
        for entry in night.store.entries_after(kinds=[EntryKind.FINDING_RAISED], limit=10_000)
        if entry.body["alert"] is not None
    )
    _, rows = drawn(night, ReportKind.AUDIT)
    for table, _, total, complete, void, *_ in rows["round-counts"]:
        assert total == sum(count for (name, _), count in outcomes.items() if name == table)
        assert (complete, void) == (outcomes[table, "complete"], outcomes[table, "void"])
    counted: Counter[str] = Counter()
    for code, _, count, *decided in rows["finding-counts"]:
        counted[str(code)] += int(str(count))
        assert sum(int(str(one)) for one in decided) == count  # every one stands somewhere
    assert counted == found
    assert len(rows["findings"]) == found.total()
    assert len(rows["rounds"]) == outcomes.total()


def test_findings_that_are_not_decided_are_headed_as_findings_and_not_as_cases(desk: Desk) -> None:
    report, _ = drawn(desk, ReportKind.AUDIT)
    title = next(section.title for section in report.sections if section.key == "open")
    assert title == "Open findings"
    assert catalogue("ko").gettext(title) == "미결 관찰 사항"


def test_page_and_paper_say_the_totals_of_the_file(night: Desk) -> None:
    told = lines(night.issue(ReportKind.PAYOUTS, Format.JSON_LINES).file)
    total = next(one for one in told if one["type"] == "total" and one["section"] == "tables")
    wanted = [money(Cents(total[name]), grouped=True) for name in ("staked", "due", "paid")]
    app = create_app(night.store, night.settings)
    page = Client(app, token=session(app)).get(f"/reports/payouts?range={told[0]['span'][4:]}").text
    paper = PdfReader(night.issue(ReportKind.PAYOUTS, Format.PDF).file).pages[0].extract_text()
    for amount in wanted:
        assert f'<td class="number">{amount}</td>' in page
        assert amount in paper
    assert Decimal(wanted[0].replace(",", "")) * 100 == total["staked"]


def test_a_paper_in_korean_reads_as_it_was_written_and_carries_its_fonts(night: Desk) -> None:
    reader = PdfReader(night.issue(ReportKind.COVERAGE, Format.PDF, "ko").file)
    text = "".join(page.extract_text() for page in reader.pages).replace("\n", "")
    assert "감시 범위" in text
    assert "감시하지 않음" in text
    fonts = [
        font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"]
        for page in reader.pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]  # as pypdf types it
    ]
    assert fonts
    assert all("/FontFile3" in font for font in fonts)
    metadata = reader.xmp_metadata
    assert metadata is not None
    assert "<pdfaid:part>2</pdfaid:part>" in metadata.stream.get_data().decode()
