"""Reports on paper: PDF/A, tagged, with fonts embedded, set by typst.

The typesetter gets values, never markup: a text from the record cannot become anything else.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Literal

import typst

from audit.errors import ReportError
from audit.reports.glyphs import FONTS, breakable, settable
from audit.reports.hands import drawn
from audit.reports.kinds import TITLES
from audit.reports.shape import Chart, Column, Report, Section
from audit.reports.words import Words
from audit.reports.writing import ABOUT, ALL_TABLES, TOTAL, Rows, Sheet, about
from audit.web.language import N_

STANDARD: Literal["a-2a"] = "a-2a"
"""PDF/A-2a (ISO 19005-2): made to be kept, with its structure tagged for readers' tools."""

_WIDE = 125
"""A report with a table of more characters than this is set on paper turned on its side."""

_TEXT_PT = {False: 510.0, True: 705.0}
"""How wide the text is on the narrower paper, upright and on its side, in points."""

_INSET_PT = 5.2
_DIGIT_PT = 4.15
"""The width of a digit at the size of tables."""

_TEMPLATE = Path(__file__).parent / "paper"

_WORDS = {
    "page": N_("Page"),
    "nothing": N_("Nothing in this range."),
    "hands": N_("Hands"),
    "about": N_("About this report"),
    "verify": N_(
        "pitwatch report verify FILE says whether this file is one that was issued, byte for byte, "
        "and whether the record under it still holds."
    ),
}
_RANGE = N_("%(since)s to %(until)s, %(zone)s")
_MADE = N_("made by %(user)s, %(made)s")
_MORE = N_(
    "%(shown)s of %(count)s rows are shown. XLSX, CSV and JSON lines of this report hold them all."
)
_MORE_HANDS = N_("%(count)s more hands with findings are in the record.")
_LEGEND = N_("Grey: the band that holds the true value in 95 of 100 cases. Line: the exact value.")


def write_pdf(path: Path, report: Report, sheet: Sheet, rows: Rows) -> None:
    """Write a report as PDF/A-2a.

    Long lists are shown as far as paper is good for; the sums are those of all rows.

    Raises:
        ReportCancelledError: It is no longer wanted.
        ReportError: It cannot be set.
        OSError: The file cannot be written.
    """
    text = json.dumps(_data(report, sheet, rows), ensure_ascii=False)
    try:
        made = typst.compile(
            _TEMPLATE / "report.typ",
            root=_TEMPLATE,
            font_paths=[FONTS],
            ignore_system_fonts=True,
            format="pdf",
            sys_inputs={"data": text},
            pdf_standards=[STANDARD],
            timestamp=int(sheet.made.timestamp()),
        )
    except RuntimeError as error:
        raise ReportError(f"{path.name}: cannot be set: {error}") from None
    if not isinstance(made, bytes):
        raise ReportError(f"{path.name}: the typesetter gave no file")
    path.write_bytes(made)


def _data(report: Report, sheet: Sheet, rows: Rows) -> dict[str, object]:
    words, span, made = sheet.words, report.span, sheet.made.astimezone(sheet.words.zone)
    wide = any(_width(section.columns) > _WIDE for section in report.sections)
    sections = [_section(section, words, rows, wide=wide) for section in report.sections]
    hands = [asdict(drawn(recorded, words)) for recorded in report.hands]
    tables = ", ".join(report.request.tables) or words.text(ALL_TABLES)
    title = words.text(TITLES[report.kind])
    told = [(words.text(ABOUT[name]), value) for name, value in about(report, sheet)]
    told += [(words.text(ABOUT["content"]), rows.content)]
    limits = {
        "since": words.moment(span.since),
        "until": words.moment(span.until),
        "zone": words.zone.key,
    }
    found: dict[str, object] = {
        "title": title,
        "span": span.name,
        "report": sheet.report,
        "author": sheet.user,
        "language": words.language,
        "paper": sheet.paper.value,
        "wide": wide,
        "date": {"year": made.year, "month": made.month, "day": made.day},
        "range": words.text(_RANGE) % limits,
        "tables": tables,
        "made": words.text(_MADE) % {"user": sheet.user, "made": words.moment(sheet.made)},
        "foot": f"pitwatch {sheet.software} · {words.moment(sheet.made)} · {words.zone.key}",
        "notices": [{"text": words.sentence(s), "grave": s.grave} for s in report.notices],
        "facts": [
            {"title": words.text(fact.title), "value": words.value(fact.value, fact.kind)}
            for fact in report.facts
        ],
        "hands": hands,
        "hands_more": words.text(_MORE_HANDS) % {"count": report.hands_left_out}
        if report.hands_left_out
        else "",
        "about": told,
        "words": {name: words.text(english) for name, english in _WORDS.items()},
    }
    return {name: _clean(value) for name, value in found.items()} | {"sections": sections}


def _section(section: Section, words: Words, rows: Rows, *, wide: bool) -> dict[str, object]:
    columns = section.columns
    rooms = _rooms(columns, _TEXT_PT[wide])

    def cells(values: tuple[object, ...]) -> list[str]:
        trio = zip(values, columns, rooms, strict=True)
        return [breakable(settable(words.cell(v, column)), room) for v, column, room in trio]

    shown = [cells(values) for values in rows.of(section)]
    total = rows.total_of(section)
    sums = None if total is None else [words.text(TOTAL), *cells(total)[1:]]
    more = ""
    if len(shown) < section.count:
        more = words.text(_MORE) % {"shown": f"{len(shown):,}", "count": f"{section.count:,}"}
    return {
        "title": words.text(section.title),
        "columns": [
            {"title": words.text(c.title), "number": c.is_number, "width": c.width} for c in columns
        ],
        "rows": shown,
        "total": sums,
        "note": words.sentence(section.note) if section.note else "",
        "more": more,
        "chart": _chart(section.chart, words) if section.chart else None,
    }


def _width(columns: tuple[Column, ...]) -> int:
    return sum(column.width for column in columns)


def _rooms(columns: tuple[Column, ...], text_pt: float) -> list[float]:
    """Return how many digits fit into each column of a table as wide as the page."""
    for_one = text_pt / _width(columns)
    return [max(1.0, (for_one * column.width - _INSET_PT) / _DIGIT_PT) for column in columns]


def _chart(chart: Chart, words: Words) -> dict[str, object]:
    return {
        "title": words.text(chart.title),
        "banded": chart.is_banded,
        "legend": words.text(_LEGEND),
        "bars": [
            {
                "name": settable(words.label(bar.name, bar.labels)),
                "value": bar.value,
                "low": bar.low,
                "high": bar.high,
                "expected": bar.expected,
                "text": f"{bar.value:,.2f}{chart.unit}"
                if chart.unit or bar.value % 1
                else f"{bar.value:,.0f}",
            }
            for bar in chart.bars
        ],
    }


def _clean(value: object) -> object:
    """Return JSON values of which every text can be set."""
    match value:
        case str():
            return settable(value)
        case dict():
            return {name: _clean(one) for name, one in value.items()}
        case list() | tuple():
            return [_clean(one) for one in value]
        case _:
            return value
