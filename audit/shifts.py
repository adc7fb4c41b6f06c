"""The shifts of a property: the hours at which one ends and the next begins."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Shift:
    """One shift of one day."""

    name: str
    """The day and hour at which it began, such as `2026-11-30 14:00`, in the property's zone."""
    started: datetime
    ended: datetime


def shifts_between(
    begins: tuple[time, ...], zone: ZoneInfo, since: datetime, until: datetime
) -> list[Shift]:
    """Return the shifts that have a part in a time, in order.

    Days follow the property's own clock, so that a shift over a change to summer time is an hour
    shorter.

    Args:
        begins: When shifts begin, in the property's zone; at least one.
        zone: The property's zone.
        since: The beginning of the time, with a zone.
        until: Its end, not included.

    >>> day = datetime(2026, 11, 30, tzinfo=UTC)
    >>> hours = (time(6), time(18))
    >>> for shift in shifts_between(hours, ZoneInfo("UTC"), day, day + timedelta(hours=7)):
    ...     print(shift.name, shift.ended.hour)
    2026-11-29 18:00 6
    2026-11-30 06:00 18
    """
    hours = sorted(set(begins))
    day = since.astimezone(zone).date() - timedelta(days=1)
    last = until.astimezone(zone).date() + timedelta(days=1)
    marks: list[datetime] = []
    while day <= last:
        marks += [datetime.combine(day, hour, zone) for hour in hours]
        day += timedelta(days=1)
    return [
        Shift(f"{begin:%Y-%m-%d %H:%M}", begin.astimezone(UTC), end.astimezone(UTC))
        for begin, end in pairwise(marks)
        if begin < until and end > since
    ]
