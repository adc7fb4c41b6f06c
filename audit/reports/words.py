"""How what a report says is written for people: in their language and the property's time zone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

from audit.reports.coverage import clock_text
from audit.reports.shape import Column, ColumnKind, Said
from audit.web.language import catalogue
from rules.events import Cents
from rules.explain import money

YES = "✓"
UNKNOWN = "–"
"""What stands for a value that is not known, or is not so, where people read."""


@dataclass(frozen=True, slots=True)
class Words:
    """One reader's language and time zone."""

    language: str
    zone: ZoneInfo

    def text(self, english: str) -> str:
        """Return a text of the program in the reader's language."""
        return catalogue(self.language).gettext(english) if english else ""

    def sentence(self, said: Said) -> str:
        """Return a sentence with its values."""
        return self.text(said.text) % dict(said.values)

    def label(self, code: str, labels: Mapping[str, str] | None) -> str:
        """Return the name of a stored code; one without a name is shown as it is stored."""
        return self.text((labels or {}).get(code, code))

    def moment(self, at: datetime) -> str:
        """Return a moment by the property's clock, with its distance from UTC."""
        return at.astimezone(self.zone).isoformat(sep=" ", timespec="seconds")

    def cell(self, value: object, column: Column) -> str:
        """Return what a cell says to people."""
        return self.value(value, column.kind, column.labels)

    def value(
        self, value: object, kind: ColumnKind, labels: Mapping[str, str] | None = None
    ) -> str:
        """Return a value of a kind as people read it."""
        if value is None:
            return UNKNOWN
        if kind is ColumnKind.LABEL:
            return self.label(str(value), labels)
        if isinstance(value, bool):
            return YES if value else UNKNOWN
        if isinstance(value, datetime):
            return f"{value.astimezone(self.zone):%Y-%m-%d %H:%M:%S}"
        return _SHOWN[kind](value)


def decimal(value: Fraction, places: int) -> Decimal:
    """Return a fraction as a decimal number, rounded half to even.

    >>> decimal(Fraction(1, 3), 4)
    Decimal('0.3333')
    """
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)


def _whole(value: object) -> int:
    return value if isinstance(value, int) else int(str(value))


def _fraction(value: object) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(str(value))


_SHOWN: Mapping[ColumnKind, Callable[[object], str]] = {
    ColumnKind.TEXT: str,
    ColumnKind.MOMENT: str,
    ColumnKind.COUNT: lambda value: f"{_whole(value):,d}",
    ColumnKind.MONEY: lambda value: money(Cents(_whole(value)), grouped=True),
    ColumnKind.SECONDS: lambda value: clock_text(_whole(value)),
    ColumnKind.SHARE: lambda value: f"{decimal(_fraction(value) * 100, 3)} %",
    ColumnKind.RATE: lambda value: f"{decimal(_fraction(value), 2)}",
}
