"""The law: no text from the record becomes anything but text, in any format, in either language."""

import csv
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import openpyxl
import pytest
from pypdf import PdfReader

from audit.cases import CaseKind, NewCase
from audit.logbook import LogNote
from audit.reports.csv_file import safe_text
from audit.reports.glyphs import BREAK, breakable, settable
from audit.reports.kinds import Format, ReportKind
from audit.store import JudgedRound, ProvedFinding, Step
from audit.tables import TableStart
from audit.web.app import create_app
from rules.events import FeedBack, FeedLost, Sighting
from tests.audit.record_builders import start_table
from tests.reports.conftest import MEMORY, Desk, open_desk
from tests.reports.night import EVENING, rounds
from tests.web.asking import Client, session

HOSTILE = (
    '=HYPERLINK("http://x.test","pay")',
    "+1+1",
    "-2+3",
    "@SUM(A1:A9)",
    "\tcmd|' /C calc'!A0",
    "</td><script>alert(1)</script>",
    "{{ 7 * 7 }} %(user)s {x}",
    '#eval("1") $x$ *bold* \\u{41} @ref <label>',
    "김하늘 \u202egnirts\u202c 中文 \U0001f0a1",
    "a\x00b\x1bc\ud83d".encode("utf-8", "replace").decode(),
    'quo"te, and\nnew line',
    "x" * 150,
)


@pytest.fixture(scope="module")
def hostile() -> Iterator[Desk]:
    """A record in which every text that people or machines enter is one of these."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        desk = open_desk(Path(name))
        _fill(desk)
        yield desk
        desk.store.close()


def _fill(desk: Desk) -> None:
    store, at = desk.store, EVENING + timedelta(minutes=5)
    start_table(store, "T1", TableStart("three-card-whist", "c", house="=1+1"), at=EVENING)
    (record, result), *_ = rounds(3, 1, "T1")
    for number, text in enumerate(HOSTILE):
        store.write_log(
            LogNote(at, text, text, text, text, text), user=text.strip() or "kim", at=at
        )
        case = NewCase(text, CaseKind.DISPUTE, patron=text, note=text, occurred=at)
        store.open_case(case, user=text, at=at)
        named = record | {"round": f"T1-{number} {text}"}
        found = {"code": f"code {text}", "seat": 1, "trick": None, "rule": text, "severity": "high"}
        told = result | {"round": named["round"], "findings": [found | {"text": text}]}
        step = Step(
            sightings=(
                Sighting(FeedLost(text), at.timestamp() + number),
                Sighting(FeedBack(), at.timestamp() + number + 0.5),
            ),
            rounds=(JudgedRound(named, told, at=at.timestamp() + number),),
            findings=(ProvedFinding(found | {"text": text}, at.timestamp(), named["round"]),),
        )
        store.record("T1", step)


KINDS = (
    ReportKind.AUDIT,
    ReportKind.LOG,
    ReportKind.DISPUTES,
    ReportKind.COVERAGE,
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_spreadsheet_gets_text_and_numbers_and_no_formula(
    hostile: Desk, kind: ReportKind
) -> None:
    with hostile.issue(kind, Format.CSV).file.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.reader(file):
            for cell in row:
                number = re.fullmatch(r"-?\d+(\.\d\d)?", cell)
                assert number or not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))
    book = openpyxl.load_workbook(hostile.issue(kind, Format.XLSX).file)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert all(cell.data_type in ("s", "n", "d") and cell.hyperlink is None for cell in cells)


def test_a_payout_below_zero_stays_a_number_that_can_be_added(hostile: Desk) -> None:
    issued = hostile.issue(ReportKind.PAYOUTS, Format.CSV, section="payouts")
    with issued.file.open(newline="") as file:
        due = [row["due"] for row in csv.DictReader(file) if row["due"]]
    assert min(map(float, due)) < 0
    assert all(re.fullmatch(r"-?\d+\.\d\d", amount) for amount in due)


def test_json_lines_give_every_text_back(hostile: Desk) -> None:
    file = hostile.issue(ReportKind.LOG, Format.JSON_LINES).file
    told = [json.loads(line) for line in file.read_text().split("\n") if line]
    summaries = [one["summary"] for one in told if one["type"] == "row"]
    assert summaries == [one.strip() for one in HOSTILE]  # as the log keeps them


@pytest.mark.parametrize(("kind", "language"), [(ReportKind.LOG, "en"), (ReportKind.AUDIT, "ko")])
def test_paper_sets_every_text_as_text(hostile: Desk, kind: ReportKind, language: str) -> None:
    text = re.sub(rf"\s|{BREAK}", "", _text(hostile.issue(kind, Format.PDF, language).file))
    for one in HOSTILE:
        assert re.sub(r"\s", "", settable(one)) in text


def _text(path: Path) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(path).pages)


def test_a_page_escapes_every_text(hostile: Desk) -> None:
    app = create_app(hostile.store, hostile.settings)
    client = Client(app, token=session(app))
    for kind in KINDS:
        page = client.get(f"/reports/{kind}?range=2026-11-28")
        assert page.status_code == 200
        assert "<script>alert" not in page.text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1", "'=1"),
        ("  =1", "'  =1"),
        ("-5", "'-5"),
        ("\r=1", "'\r=1"),
        ("＝1", "'＝1"),  # wide forms start formulas in East Asian settings
        ("Kim - pit", "Kim - pit"),
        ("", ""),
    ],
)
def test_what_could_begin_a_formula_is_marked_as_text(text: str, shown: str) -> None:
    assert safe_text(text) == shown


def test_what_no_font_has_is_written_out_and_nothing_is_dropped() -> None:
    assert settable("김\u202e中\u200b") == "김<U+202E><U+4E2D><U+200B>"
    word = "T1-20261130-0042"
    assert breakable(word, 5).replace(BREAK, "") == word
