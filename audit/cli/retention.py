"""`pitwatch retention`: how long footage is kept, what would go, and making it go."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from audit.cli.hold import open_record
from audit.cli.output import print_json, print_line, say
from audit.cli.places import settings_for
from audit.cli.verify import existing_record
from audit.evidence.enforcing import enforce, unlink
from audit.evidence.retention import (
    GB,
    SHIPPED,
    Deletion,
    Forecast,
    RetentionRules,
    deletions,
    disk_of,
    forecast,
    load_retention,
)

DAY = timedelta(days=1)


def print_rules() -> int:
    """Print the shipped rules."""
    for line in SHIPPED.read_text(encoding="utf-8").splitlines():
        print_line(line)
    return 0


def plan(*, data: Path | None, json: bool) -> int:
    """Say what would be deleted now, and how long the disk will do.

    Raises:
        AuditError: The rules cannot be used, or the record cannot be read.
    """
    settings = settings_for(data)
    rules = load_retention(settings.retention)
    now = datetime.now(UTC)
    with closing(existing_record(settings)) as reader:
        disk = disk_of(settings.data_dir)
        due = deletions(reader, settings.data_dir, rules, disk, now)
        told = forecast(reader, rules, disk, now)
    if json:
        for one in due:
            print_json({"type": "deletion", **_json(one)})
        print_json({"type": "forecast", **_forecast_json(told)})
        return 0
    for line in _lines(due, told, rules):
        print_line(line)
    return 0


def _lines(due: list[Deletion], told: Forecast, rules: RetentionRules) -> list[str]:
    floor = f", not below {rules.jurisdiction}" if rules.jurisdiction else ""
    lines = [
        f"Kept: routine footage {rules.routine.days} days, "
        f"flagged {rules.flagged.days} days{floor}."
    ]
    for one in due:
        lines.append(
            f"Would go: {len(one.footage)} files of {one.table}, {one.size / GB:.3f} GB: "
            f"{one.reason}"
        )
    if not due:
        lines.append("Nothing would go now.")
    return [*lines, forecast_line(told)]


def forecast_line(told: Forecast) -> str:
    """Return a forecast in words."""
    kept = f"{told.kept / GB:.2f} GB of footage"
    if not told.per_day:
        return f"{kept}; too little was recorded in the last day to foretell anything."
    rate = f"{kept}, {told.per_day / GB:.1f} GB a day, room for {told.room / GB:.1f} GB more"
    if told.broken_in is None:
        return f"{rate}: the promise holds."
    return f"{rate}: in {told.broken_in / DAY:.1f} days footage must go before its time"


def _json(one: Deletion) -> dict[str, object]:
    return {
        "table": one.table,
        "files": len(one.footage),
        "bytes": one.size,
        "reason": one.reason,
    }


def _forecast_json(told: Forecast) -> dict[str, object]:
    return {
        "kept": told.kept,
        "per_day": round(told.per_day),
        "room": told.room,
        "broken_in_days": None if told.broken_in is None else round(told.broken_in / DAY, 2),
    }


def run(*, data: Path | None, yes: bool) -> int:
    """Delete what must go; without `yes`, only say what.

    Raises:
        AuditError: The rules cannot be used, the record cannot be written, or a file not deleted.
    """
    if not yes:
        say("Nothing is deleted without --yes.")
        return plan(data=data, json=False)
    settings = settings_for(data)
    rules = load_retention(settings.retention)
    with closing(open_record(data)) as store:
        left = unlink(settings.data_dir, store.deleted_lately(None))
        done = enforce(store, settings.data_dir, rules, datetime.now(UTC))
    print_line(f"Deleted {done.deleted} files, {done.freed / GB:.3f} GB.")
    if left:
        print_line(f"Deleted {left} files more, which the record had told of before.")
    return 0
