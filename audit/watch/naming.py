"""How rounds are called: the table, the day, and a number that goes on after the record's last."""

from datetime import UTC, datetime

from audit.store import EPOCH, Store
from audit.store.acts import moment
from rules.reader import Naming

_LOOK_BACK = 200
"""How many of the newest rounds are asked for: some may have names of another form."""


def rounds_of(
    table: str, store: Store | None, *, now: datetime, live: bool, run: str = ""
) -> Naming:
    """Return the names of a table's rounds, such as `T1-20261130-0042`.

    Args:
        table: The table's name.
        store: The record, to go on after the day's rounds in it; None begins with 1.
        now: The day of the names, UTC.
        live: Whether the source's line of time is Unix seconds; a recording has no date.
        run: Put before the numbers while the record cannot be asked for the last one, so that
            no other round has the name.
    """
    prefix = f"{table}-{now.astimezone(UTC):%Y%m%d}-{f'{run}-' if run else ''}"
    known = _last_number(table, prefix, store) if store else 0

    def round_id(number: int) -> str:
        return f"{prefix}{known + number:04d}"

    def started(at: float) -> str | None:
        if not live:
            return None
        return f"{moment(EPOCH, at):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"

    return Naming(round_id, started)


def _last_number(table: str, prefix: str, store: Store) -> int:
    known = (row.round.removeprefix(prefix) for row in store.rounds(table, limit=_LOOK_BACK))
    return next((int(number) for number in known if number.isdecimal()), 0)
