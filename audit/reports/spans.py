"""Ranges of time as a house counts them: gaming days, shifts, weeks, months, any range.

Borders are moments of the property's own clock. A gaming day ends where the next one begins, so on
the nights on which the clock changes it has 23 or 25 hours, and none is lost or counted twice.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum, unique
from zoneinfo import ZoneInfo

from audit.errors import ReportError
from audit.settings import Settings

_DAY = r"\d{4}-\d{2}-\d{2}"
_EXPECTED = (
    "expected a gaming day 2026-11-30, a shift 2026-11-30/2, a week 2026-W49, a month 2026-11, "
    "or today or yesterday"
)


@unique
class SpanKind(StrEnum):
    """How a range was chosen."""

    DAY = "day"
    SHIFT = "shift"
    WEEK = "week"
    MONTH = "month"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class Span:
    """A range of time, from its first moment up to the one that is no longer in it."""

    kind: SpanKind
    name: str
    """Such as `2026-11-30`, `2026-11-30/2`, `2026-W49`, `2026-11`, `2026-11-01..2026-11-15`."""
    since: datetime
    until: datetime

    @property
    def seconds(self) -> int:
        """How long it is."""
        return int((self.until - self.since).total_seconds())

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Clock:
    """How the house counts time."""

    zone: ZoneInfo
    day_start: time
    """When a gaming day begins, by the property's own clock."""
    shifts: tuple[time, ...]
    """When the shifts begin; the first one with the gaming day."""

    @classmethod
    def of(cls, settings: Settings) -> "Clock":
        """Return the clock that the settings describe."""
        start = time.fromisoformat(settings.gaming_day_start)
        others = {time.fromisoformat(text) for text in settings.shifts} - {start}
        order = sorted(others, key=lambda at: (at < start, at))
        return cls(settings.zone, start, (start, *order))

    def day_of(self, moment: datetime) -> date:
        """Return the gaming day that a moment belongs to, by the date on which it began."""
        local = moment.astimezone(self.zone)
        day = local.date()
        # Compared as moments: by clock faces an hour that comes twice would be ambiguous.
        return day if moment >= self._at(day, self.day_start) else day - timedelta(days=1)

    def day(self, day: date) -> Span:
        """Return a gaming day."""
        return Span(SpanKind.DAY, day.isoformat(), self._begin(day), self._begin(day, 1))

    def shift(self, day: date, number: int) -> Span:
        """Return a shift of a gaming day, counted from 1.

        Raises:
            ReportError: The day has fewer shifts.
        """
        if not 1 <= number <= len(self.shifts):
            raise ReportError(
                f"shift {number}: the house has {len(self.shifts)} shifts a day (PITWATCH_SHIFTS)"
            )
        begins = [self._shift_at(day, at) for at in self.shifts]
        begins.append(self._begin(day, 1))
        name = f"{day.isoformat()}/{number}"
        return Span(SpanKind.SHIFT, name, begins[number - 1], begins[number])

    def week(self, year: int, week: int) -> Span:
        """Return an ISO week of gaming days, Monday to Sunday.

        Raises:
            ReportError: The year has no such week.
        """
        try:
            monday = date.fromisocalendar(year, week, 1)
        except ValueError:
            raise ReportError(f"{year}-W{week:02d}: the year has no such week") from None
        since, until = self._begin(monday), self._begin(monday, 7)
        return Span(SpanKind.WEEK, f"{year}-W{week:02d}", since, until)

    def month(self, year: int, month: int) -> Span:
        """Return a month of gaming days."""
        first = date(year, month, 1)
        after = date(year + month // 12, month % 12 + 1, 1)
        return Span(SpanKind.MONTH, f"{first:%Y-%m}", self._begin(first), self._begin(after))

    def between(self, since: str, until: str) -> Span:
        """Return any range, between gaming days (the last one whole) or moments.

        Raises:
            ReportError: One of them is neither, or the end is not after the beginning.
        """
        begin, end = self._moment("from", since), self._moment("to", until, last=True)
        if begin >= end:
            raise ReportError(f"to: found {until!r}, expected a time after {since!r}")
        return Span(SpanKind.RANGE, f"{since}..{until}", begin, end)

    def span(self, text: str, now: datetime) -> Span:
        """Return the range that a person names.

        Raises:
            ReportError: It is none; the line says what is expected.
        """
        today = self.day_of(now)
        named = {"today": today, "yesterday": today - timedelta(days=1)}
        if text in named:
            return self.day(named[text])
        try:
            if ".." in text:
                return self.between(*text.split("..", 1))
            if re.fullmatch(_DAY, text):
                return self.day(date.fromisoformat(text))
            if found := re.fullmatch(rf"({_DAY})/(\d{{1,2}})", text):
                return self.shift(date.fromisoformat(found[1]), int(found[2]))
            if found := re.fullmatch(r"(\d{4})-W(\d{2})", text):
                return self.week(int(found[1]), int(found[2]))
            if found := re.fullmatch(r"(\d{4})-(\d{2})", text):
                return self.month(int(found[1]), int(found[2]))
        except (ValueError, OverflowError):
            raise ReportError(f"range: found {text!r}, {_EXPECTED}") from None
        raise ReportError(f"range: found {text!r}, {_EXPECTED}")

    def days(self, span: Span) -> list[Span]:
        """Return the gaming days of a range, the first and last cut to it."""
        found = []
        day = self.day_of(span.since)
        while (whole := self.day(day)).since < span.until:
            since, until = max(whole.since, span.since), min(whole.until, span.until)
            found.append(Span(SpanKind.DAY, whole.name, since, until))
            day += timedelta(days=1)
        return found

    def before(self, kind: SpanKind, now: datetime) -> Span:
        """Return the last range of a kind that is over."""
        day = self.day_of(now)
        match kind:
            case SpanKind.DAY | SpanKind.RANGE:
                return self.day(day - timedelta(days=1))
            case SpanKind.SHIFT:
                spans = [
                    self.shift(day - timedelta(days=back), number)
                    for back in (1, 0)
                    for number in range(1, len(self.shifts) + 1)
                ]
                return [span for span in spans if span.until <= now][-1]
            case SpanKind.WEEK:
                year, week, _ = (day - timedelta(days=7)).isocalendar()
                return self.week(year, week)
            case SpanKind.MONTH:
                last = day.replace(day=1) - timedelta(days=1)
                return self.month(last.year, last.month)

    def _begin(self, day: date, plus: int = 0) -> datetime:
        return self._at(day + timedelta(days=plus), self.day_start)

    def _shift_at(self, day: date, at: time) -> datetime:
        return self._at(day + timedelta(days=at < self.day_start), at)

    def _at(self, day: date, at: time) -> datetime:
        # An hour that the clock leaves out counts by the time before; one that comes twice is the
        # first of the two. So borders never change their order.
        return datetime.combine(day, at, tzinfo=self.zone).astimezone(UTC)

    def _moment(self, name: str, text: str, *, last: bool = False) -> datetime:
        try:
            if re.fullmatch(_DAY, text):
                return self._begin(date.fromisoformat(text), int(last))
            found = datetime.fromisoformat(text)
            if found.tzinfo is None:
                found = found.replace(tzinfo=self.zone)
            return found.astimezone(UTC)
        except (ValueError, OverflowError):
            raise ReportError(
                f"{name}: found {text!r}, expected a gaming day such as 2026-11-30 or a time such "
                "as 2026-11-30T22:00"
            ) from None
