"""Carrying retention out: every deletion is an entry first, and only then are the files deleted."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from audit.errors import StoreError
from audit.evidence.files import footage_path
from audit.evidence.footage import Clip, Segment
from audit.evidence.retention import (
    GB,
    Deletion,
    Forecast,
    RetentionRules,
    deletions,
    disk_of,
    forecast,
)
from audit.store import ProvedFinding, Store


@dataclass(frozen=True, slots=True)
class Enforced:
    """What retention led to."""

    deleted: int
    """How many files were deleted."""
    freed: int
    """Bytes."""


def enforce(store: Store, data_dir: Path, rules: RetentionRules, now: datetime) -> Enforced:
    """Delete what must go.

    Raises:
        StoreError: The record cannot be written, or a file cannot be deleted.
    """
    deleted, freed = 0, 0
    for one in deletions(store, data_dir, rules, disk_of(data_dir), now):
        gone = _carry_out(store, data_dir, one, now)
        deleted += len(gone)
        freed += sum(each.size or 0 for each in gone)
    return Enforced(deleted, freed)


def _carry_out(store: Store, data_dir: Path, one: Deletion, now: datetime) -> list[Segment | Clip]:
    gone = store.delete_footage(one.table, one.footage, reason=one.reason, at=now)
    unlink(data_dir, gone)
    return gone


def unlink(data_dir: Path, footage: Iterable[Segment | Clip]) -> int:
    """Delete the files of footage whose deletion is recorded; return how many were there.

    Also for what a crash left between the entry and the file.

    Raises:
        StoreError: A file cannot be deleted.
    """
    count = 0
    for one in footage:
        path = footage_path(data_dir, one)
        if not path.is_file():
            continue
        try:
            path.unlink()
        except OSError as error:
            raise StoreError(f"{path}: cannot be deleted: {error.strerror}") from None
        count += 1
    return count


def warn_in_time(store: Store, data_dir: Path, rules: RetentionRules, now: datetime) -> Forecast:
    """Raise an alert at every watched table when the promise will be broken soon; one a day.

    Returns:
        The forecast that it went by.
    """
    told = forecast(store, rules, disk_of(data_dir), now)
    if told.broken_in is None or told.broken_in > rules.warn:
        return told
    for state in store.tables():
        if state.watching:
            finding = _finding(told, rules, now)
            store.record_finding(state.table, ProvedFinding(finding, now.timestamp()))
    return told


def _finding(told: Forecast, rules: RetentionRules, now: datetime) -> dict[str, object]:
    days = (told.broken_in or timedelta(0)) / timedelta(days=1)
    return {
        "code": "retention-at-risk",
        "seat": None,
        "trick": None,
        "subject": f"{now:%F}",
        "rule": "",
        "severity": "high",
        "text": (
            f"The disk is full in {days:.1f} days at {told.per_day / GB:.1f} GB a day: routine "
            f"footage could then not be kept for {rules.routine.days} days"
        ),
        "proved_by": None,
    }
