"""The law: days, shifts, weeks and months follow the property's clock and tile time, also when the
clock changes: no moment is lost, and none is counted twice."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from audit.errors import ReportError
from audit.reports.spans import Clock, SpanKind

SHIFTS = (time(6), time(14), time(22))
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def clock(zone: str, start: time = time(6), shifts: tuple[time, ...] = SHIFTS) -> Clock:
    return Clock(ZoneInfo(zone), start, shifts)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/London", date(2026, 3, 28), 23),  # clocks go forward on 29 March at 01:00
        ("Europe/London", date(2026, 3, 29), 24),
        ("Europe/London", date(2026, 10, 24), 25),  # and back on 25 October at 02:00
        ("America/New_York", date(2026, 3, 7), 23),  # 8 March, 02:00
        ("America/New_York", date(2026, 10, 31), 25),  # 1 November, 02:00
        ("Asia/Seoul", date(2026, 3, 28), 24),
    ],
)
def test_the_night_on_which_the_clock_changes_has_its_own_length(
    zone: str, day: date, hours: int
) -> None:
    whole = clock(zone).day(day)
    assert whole.seconds == hours * 3600
    parts = [clock(zone).shift(day, number) for number in (1, 2, 3)]
    assert sum(part.seconds for part in parts) == whole.seconds
    assert parts[2].seconds == (hours - 16) * 3600  # the night shift is the one that changes


@pytest.mark.parametrize("zone", ["Europe/London", "America/New_York", "Australia/Lord_Howe"])
@pytest.mark.parametrize("start", [time(0), time(2, 30), time(6)])
def test_days_follow_one_another_and_every_moment_is_in_the_day_that_is_told(
    zone: str, start: time
) -> None:
    house = clock(zone, start, (start,))
    days = [house.day(date(2026, 1, 1) + timedelta(days=count)) for count in range(370)]
    for before, after in pairwise(days):
        assert before.until == after.since
        assert before.since < before.until
    for day in days:
        assert house.day_of(day.since).isoformat() == day.name
        assert house.day_of(day.until - timedelta(microseconds=1)).isoformat() == day.name


def test_an_hour_that_comes_twice_is_in_one_day() -> None:
    london = clock("Europe/London")
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)  # 01:30 in summer time
    second = first + timedelta(hours=1)  # 01:30 once more
    assert london.day_of(first) == london.day_of(second) == date(2026, 10, 24)


def test_weeks_and_months_are_made_of_gaming_days() -> None:
    seoul = clock("Asia/Seoul")
    week = seoul.span("2026-W49", NOW)
    assert week.since == seoul.day(date(2026, 11, 30)).since
    assert week.until == seoul.day(date(2026, 12, 6)).until
    month = seoul.span("2026-12", NOW)
    assert month.since == seoul.day(date(2026, 12, 1)).since
    assert month.until == seoul.day(date(2026, 12, 31)).until
    assert [day.name for day in seoul.days(week)][::6] == ["2026-11-30", "2026-12-06"]


def test_a_range_takes_its_last_day_whole_and_any_moments() -> None:
    seoul = clock("Asia/Seoul")
    days = seoul.between("2026-11-01", "2026-11-02")
    assert days.seconds == 48 * 3600
    hours = seoul.between("2026-11-01T22:00", "2026-11-02T04:00+09:00")
    assert hours.since == datetime(2026, 11, 1, 13, tzinfo=UTC)
    assert hours.seconds == 6 * 3600


@pytest.mark.parametrize(
    "text",
    [
        *("", "tomorrow", "2026-13", "2026-02-30", "2026-W54", "2026-11-30/4", "2026-11-30/0"),
        *("2026-11-30..2026-11-29", "..", "9999-12-31", "x" * 60),
    ],
)
def test_what_is_no_range_is_told_in_one_line(text: str) -> None:
    with pytest.raises(ReportError) as refused:
        clock("UTC").span(text, NOW)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("kind", [SpanKind.DAY, SpanKind.SHIFT, SpanKind.WEEK, SpanKind.MONTH])
def test_the_range_before_is_the_last_one_that_is_over(kind: SpanKind) -> None:
    london = clock("Europe/London")
    for hours in range(0, 24 * 70, 5):
        now = datetime(2026, 10, 1, tzinfo=UTC) + timedelta(hours=hours)
        span = london.before(kind, now)
        assert span.until <= now
        assert span == london.span(span.name, now)
        assert now - span.until < timedelta(days=32)
