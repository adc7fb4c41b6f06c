"""What a report is made of: sections of typed rows, headline figures, notices, charts, hands.

A report is drawn once and written in any format; what a cell holds is decided here, and how it
looks by each format.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique
from fractions import Fraction
from typing import Self

from audit.reports.kinds import ReportKind
from audit.reports.spans import Span
from audit.rounds import RecordedRound


@unique
class ColumnKind(StrEnum):
    """What the cells of a column hold; None in any of them is "not known"."""

    TEXT = "text"
    """A text from the record: hostile until escaped."""
    LABEL = "label"
    """A stored code, shown by its name in the reader's language."""
    COUNT = "count"
    MONEY = "money"
    """Minor units; shown with two decimals."""
    MOMENT = "moment"
    SECONDS = "seconds"
    """A length of time; shown as hours, minutes and seconds."""
    SHARE = "share"
    """A fraction of one, exact; shown in percent."""
    RATE = "rate"
    """An exact fraction; shown with two decimals."""


NUMBERS = frozenset(ColumnKind) - {ColumnKind.TEXT, ColumnKind.LABEL, ColumnKind.MOMENT}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a section."""

    name: str
    """The attribute of a row, and the field in JSON lines."""
    title: str
    """Its heading in English, marked for translation."""
    kind: ColumnKind = ColumnKind.TEXT
    labels: Mapping[str, str] | None = None
    """For labels: the name of each code in English."""
    width: int = 10
    """About how many characters it takes."""

    @property
    def is_number(self) -> bool:
        """Whether its cells stand to the right and can be added up."""
        return self.kind in NUMBERS


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence for people, translated when it is shown."""

    text: str
    """In English, with `%(name)s` for what is filled in."""
    values: Mapping[str, str | int] = field(default_factory=dict)
    grave: bool = False
    """Whether it limits what the report can tell, so that it is said before anything else."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A headline figure."""

    title: str
    value: object
    kind: ColumnKind = ColumnKind.COUNT
    note: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart: a value, and where there is one the band that it is expected in."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    expected: float | None = None
    labels: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of a few values: bars from zero, or, with bands, points on a line."""

    title: str
    unit: str
    """What is written behind a value, such as ` %`."""
    bars: tuple[Bar, ...]

    @property
    def is_banded(self) -> bool:
        """Whether the values are shown against bands."""
        return any(bar.low is not None for bar in self.bars)


@dataclass(frozen=True, slots=True)
class Section:
    """One table of a report."""

    key: str
    """Its name in JSON lines and for `--section`."""
    title: str
    columns: tuple[Column, ...]
    rows: Callable[[], Iterable[object]]
    """Gives the rows from the first to the last, read from the record as they are asked for."""
    count: int
    """How many rows there are."""
    total: object | None = None
    """A row of the same kind with the sums; None where sums mean nothing."""
    note: Said | None = None
    detail: bool = False
    """Whether it is a long list, of which paper and pages show the beginning."""
    chart: Chart | None = None

    def with_total(self, total: object) -> Self:
        """Return the section with a row of sums."""
        return replace(self, total=total)

    def with_note(self, note: Said) -> Self:
        """Return the section with a remark below its title."""
        return replace(self, note=note)

    def with_chart(self, chart: Chart | None) -> Self:
        """Return the section with a chart."""
        return replace(self, chart=chart)


def fixed(key: str, title: str, columns: tuple[Column, ...], rows: Iterable[object]) -> Section:
    """Return a section whose few rows are at hand."""
    kept = tuple(rows)
    return Section(key, title, columns, lambda: kept, len(kept))


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for."""

    kind: ReportKind
    span: Span
    tables: tuple[str, ...] = ()
    """Only these; all when empty."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report as it is drawn from the record, before it is written in a format."""

    request: Request
    facts: tuple[Fact, ...]
    notices: tuple[Said, ...]
    """What the reader has to know first."""
    sections: tuple[Section, ...]
    rules: tuple[str, ...]
    """The versions of the house rules that were in force."""
    last_entry: int
    """The id of the last entry that it rests on."""
    hands: tuple[RecordedRound, ...] = ()
    """Rounds whose cards are drawn on paper and pages."""
    hands_left_out: int = 0
    """How many more there would be to draw."""

    @property
    def kind(self) -> ReportKind:
        """What it is about."""
        return self.request.kind

    @property
    def span(self) -> Span:
        """The range that it is about."""
        return self.request.span

    def section(self, key: str) -> Section | None:
        """Return the section with a key, if there is one."""
        return next((section for section in self.sections if section.key == key), None)


def share(part: int, whole: int) -> Fraction | None:
    """Return an exact share; None of nothing.

    >>> share(1, 4), share(0, 0)
    (Fraction(1, 4), None)
    """
    return Fraction(part, whole) if whole else None
