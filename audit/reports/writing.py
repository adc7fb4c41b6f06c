"""Writing a report: what every format carries, counts, hashes and may be stopped by."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import islice
from operator import attrgetter

from audit.chain import JsonObject, utc_text
from audit.reports.kinds import TITLES, Paper
from audit.reports.shape import Report, Section
from audit.reports.words import Words
from audit.web.language import N_

TOGETHER = 1000
"""How many rows are read and hashed together; after them the progress is told, and a wish to stop
is heard."""

SHOWN = 200
"""How many rows of a long list paper and pages show; spreadsheets and lines hold them all."""

Progress = Callable[[int, int], None]
"""Called with how many rows were written, and how many there are. To stop the writing, it raises
`ReportCancelledError`."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a file tells of itself: who made it, when, of what, and what it rests on."""

    report: str
    """The report's name."""
    made: datetime
    user: str
    software: str
    checkpoint: int
    """The number of the checkpoint that covers all that the report rests on."""
    checkpoint_hash: str
    key: str
    """The fingerprint of the key that signs checkpoints and reports."""
    words: Words
    paper: Paper = Paper.A4
    schedule: str | None = None


class Rows:
    """Gives a report's rows to a format, counting and hashing what passes."""

    def __init__(self, report: Report, progress: Progress | None, limit: int | None = None) -> None:
        self._progress = progress
        self._limit = limit
        self._hash = hashlib.sha256()
        self.total = sum(self.shown(section) for section in report.sections)
        self.count = 0

    def shown(self, section: Section) -> int:
        """Return how many rows of a section are written."""
        if self._limit is None or not section.detail:
            return section.count
        return min(section.count, self._limit)

    def of(self, section: Section) -> Iterator[tuple[object, ...]]:
        """Yield the rows of a section, each as the values of its columns."""
        values = _values_of(section)
        rows = islice(section.rows(), self.shown(section))
        while batch := [values(row) for row in islice(rows, TOGETHER)]:
            self._take(section, "rows", batch)
            self.count += len(batch)
            self._tell()
            yield from batch
        self._tell()

    def total_of(self, section: Section) -> tuple[object, ...] | None:
        """Return the sums of a section, as the values of its columns."""
        if section.total is None:
            return None
        values = _values_of(section)(section.total)
        self._take(section, "total", [values])
        return values

    @property
    def content(self) -> str:
        """SHA-256 of the rows so far: 64 hexadecimal digits."""
        return self._hash.hexdigest()

    def _take(self, section: Section, kind: str, batch: list[tuple[object, ...]]) -> None:
        # A thousand rows in one line of JSON: a line a row would take longer than all the rest.
        line = _encode([section.key, kind, [list(map(plain, row)) for row in batch]])
        self._hash.update(line.encode("utf-8", "surrogatepass") + b"\n")

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self.count, self.total)


def _values_of(section: Section) -> Callable[[object], tuple[object, ...]]:
    """Return what takes the values of a section's columns from a row."""
    names = [column.name for column in section.columns]
    if len(names) == 1:
        return lambda row: (getattr(row, names[0]),)
    return attrgetter(*names)


def json_row(section: Section, values: tuple[object, ...], kind: str) -> str:
    """Return a row as its line of JSON."""
    fields = {
        column.name: plain(value) for column, value in zip(section.columns, values, strict=True)
    }
    return _encode({"type": kind, "section": section.key, **fields})


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def plain(value: object) -> object:
    """Return a value as JSON holds it: moments as UTC text, shares as exact fractions."""
    if value is None or value.__class__ is str or value.__class__ is int:
        return value
    if isinstance(value, datetime):
        return utc_text(value)
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    return value


ALL_TABLES = N_("All tables")
TOTAL = N_("Total")

ABOUT: Mapping[str, str] = {
    "report": N_("Report number"),
    "kind": N_("Report"),
    "span": N_("Range"),
    "since": N_("From"),
    "until": N_("To"),
    "zone": N_("Time zone"),
    "tables": N_("Tables"),
    "user": N_("Made by"),
    "made": N_("Made at"),
    "software": N_("Program"),
    "rules": N_("House rules in force"),
    "last_entry": N_("Last entry of the record"),
    "checkpoint": N_("Rests on checkpoint"),
    "key": N_("Signing key"),
    "schedule": N_("Schedule"),
    "rows": N_("Rows"),
    "content": N_("Hash of the content (SHA-256)"),
}
"""What each thing that a file tells of itself is called."""


def about(report: Report, sheet: Sheet) -> list[tuple[str, str]]:
    """Return what a file tells of itself, each under its name in `ABOUT`."""
    words, span = sheet.words, report.span
    found = {
        "report": sheet.report,
        "kind": words.text(TITLES[report.kind]),
        "span": span.name,
        "since": words.moment(span.since),
        "until": words.moment(span.until),
        "zone": words.zone.key,
        "tables": ", ".join(report.request.tables) or words.text(ALL_TABLES),
        "user": sheet.user,
        "made": words.moment(sheet.made),
        "software": f"pitwatch {sheet.software}",
        "rules": ", ".join(report.rules) or "–",
        "last_entry": str(report.last_entry),
        "checkpoint": f"{sheet.checkpoint} · {sheet.checkpoint_hash}",
        "key": sheet.key,
    }
    if sheet.schedule:
        found["schedule"] = sheet.schedule
    return list(found.items())


def about_json(report: Report, sheet: Sheet) -> JsonObject:
    """Return the same for programs."""
    span = report.span
    return {
        "type": "report",
        "report": sheet.report,
        "kind": report.kind.value,
        "span": str(span),
        "since": utc_text(span.since),
        "until": utc_text(span.until),
        "zone": sheet.words.zone.key,
        "tables": list(report.request.tables),
        "user": sheet.user,
        "made": utc_text(sheet.made),
        "software": sheet.software,
        "rules": list(report.rules),
        "last_entry": report.last_entry,
        "checkpoint": sheet.checkpoint,
        "checkpoint_hash": sheet.checkpoint_hash,
        "key": sheet.key,
        "schedule": sheet.schedule,
        "facts": [
            {"title": fact.title, "value": plain(fact.value), "kind": fact.kind.value}
            for fact in report.facts
        ],
        "notices": [said.text % dict(said.values) for said in report.notices],
        "sections": {section.key: section.count for section in report.sections},
    }
