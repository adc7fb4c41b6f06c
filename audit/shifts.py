"""The shifts that have a part in a time, for balances."""

from datetime import datetime, timedelta

from audit.reports.spans import Clock
from audit.store.asking_desk import Shift


def shifts_between(clock: Clock, since: datetime, until: datetime) -> list[Shift]:
    """Return the shifts that have a part in a time, each whole, in order.

    Args:
        clock: How the house counts days and shifts.
        since: The beginning of the time, with a zone.
        until: Its end, not included.
    """
    found = []
    day = clock.day_of(since)
    while clock.day(day).since < until:
        for number in range(1, len(clock.shifts) + 1):
            span = clock.shift(day, number)
            if span.since < until and span.until > since:
                found.append(Shift(span.name, span.since, span.until))
        day += timedelta(days=1)
    return found
