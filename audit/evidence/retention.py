"""Retention: how long footage is kept, by class and jurisdiction, and what goes for want of room.

Routine footage and footage of flagged hands have a time each. A legal hold overrides every
deletion. When there is no room, the oldest unflagged footage goes first, then the oldest flagged.
"""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from audit.errors import NotInRecord
from audit.evidence.files import footage_path
from audit.evidence.footage import Clip, ClipState, Segment
from audit.evidence.holds import Hold
from audit.store import Reader, SegmentQuery
from audit.toml_lines import parse_toml, read_text

SHIPPED = Path(__file__).with_name("retention.toml")
"""The times that hold where the settings name none."""

FRESH = timedelta(hours=1)
"""Footage of the last hour is not deleted to make room: its hands may still be judged."""

LEAST_KNOWN = timedelta(hours=1)
"""From less than this much time nothing is foretold."""

BATCH = 200
"""How many files one entry tells the deletion of."""

GB = 1e9

_Days = Annotated[int, Field(ge=1, le=36_500, strict=True)]


class _Preset(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    routine_days: _Days
    flagged_days: _Days


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    routine_days: _Days = 30
    flagged_days: _Days = 365
    jurisdiction: str = ""
    keep_free_gb: Annotated[float, Field(ge=0, le=1e6)] = 5.0
    warn_days: Annotated[int, Field(ge=0, le=365, strict=True)] = 7
    preset: dict[str, _Preset] = {}

    @model_validator(mode="after")
    def _above_the_floor(self) -> Self:
        if not self.jurisdiction:
            return self
        floor = self.preset.get(self.jurisdiction)
        if floor is None:
            known = ", ".join(sorted(self.preset)) or "none"
            raise ValueError(f"jurisdiction {self.jurisdiction!r}: expected one of {known}")
        for name in ("routine_days", "flagged_days"):
            if getattr(self, name) < getattr(floor, name):
                raise ValueError(
                    f"{name}: found {getattr(self, name)}, expected at least "
                    f"{getattr(floor, name)} ({floor.name})"
                )
        return self


@dataclass(frozen=True, slots=True)
class RetentionRules:
    """How long footage is kept."""

    routine: timedelta
    flagged: timedelta
    jurisdiction: str
    """The preset that is the floor; empty for none."""
    keep_free: int
    """Bytes of the disk that stay free."""
    warn: timedelta
    """How long before the promise is broken an alert is raised."""


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk that footage lies on, in bytes."""

    total: int
    free: int


@dataclass(frozen=True, slots=True)
class Deletion:
    """Footage of one table that goes, for one reason."""

    table: str
    footage: tuple[Segment | Clip, ...]
    reason: str

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(one.size or 0 for one in self.footage)


@dataclass(frozen=True, slots=True)
class Forecast:
    """How long the disk will do."""

    kept: int
    """Bytes of footage that are kept now."""
    per_day: float
    """Bytes of footage that a day brings, by the last day; 0 while too little is known to say."""
    room: int
    """Bytes that more footage may take."""
    broken_in: timedelta | None
    """When footage must go before it is as old as promised; None when the promise holds."""


def load_retention(path: Path | None = None) -> RetentionRules:
    """Return the rules in a file, or the shipped ones.

    Raises:
        SettingsError: The file cannot be used; the line names it and the key.
    """
    file = path or SHIPPED
    told = parse_toml(read_text(file, "how long footage is kept"), str(file), _File)
    return RetentionRules(
        routine=timedelta(days=told.routine_days),
        flagged=timedelta(days=told.flagged_days),
        jurisdiction=told.jurisdiction,
        keep_free=round(told.keep_free_gb * GB),
        warn=timedelta(days=told.warn_days),
    )


def disk_of(data_dir: Path) -> Disk:
    """Return the disk that a data folder lies on, whether or not the folder is there yet."""
    there = data_dir.absolute()
    while not there.exists():
        there = there.parent
    usage = shutil.disk_usage(there)
    return Disk(usage.total, usage.free)


def deletions(
    reader: Reader, data_dir: Path, rules: RetentionRules, disk: Disk, now: datetime
) -> list[Deletion]:
    """Return what must go now: what is older than promised, and what the disk has no room for.

    Only what lies on this machine is looked at; what is under a hold is never in it.
    """
    choice = _Choice(reader.holds(active=True), data_dir)
    old = list(choice.aged(reader, rules, now))
    freed = sum(one.size or 0 for one, _ in old)
    short = rules.keep_free - disk.free - freed
    if short > 0:
        old += choice.crowded(reader, short, now - FRESH)
    return list(_grouped(old))


def forecast(reader: Reader, rules: RetentionRules, disk: Disk, now: datetime) -> Forecast:
    """Say how long the disk will do at the present rate."""
    kept = reader.footage_size()
    day = timedelta(days=1)
    lately = reader.footage_lately(now - day)
    room = max(0, disk.free - rules.keep_free)
    if lately is None or now - lately.since < LEAST_KNOWN:
        return Forecast(kept, 0.0, room, None)
    # A table that was watched for an hour of this day is taken to be watched as much tomorrow; on
    # the first day, as much in every hour as in those since it began.
    per_day = lately.size * (day / (now - lately.since))
    share = lately.flagged / lately.size
    # The clip of a flagged hand is as large again as what it stands on.
    days = (1 - share) * (rules.routine / day) + share * 2 * (rules.flagged / day)
    if kept + room >= per_day * days:
        return Forecast(kept, per_day, room, None)
    return Forecast(kept, per_day, room, day * (room / per_day))


class _Choice:
    """Chooses what goes."""

    def __init__(self, holds: Sequence[Hold], data_dir: Path) -> None:
        self._holds, self._data_dir = holds, data_dir
        self._chosen: set[int | str] = set()

    def aged(
        self, reader: Reader, rules: RetentionRules, now: datetime
    ) -> Iterator[tuple[Segment | Clip, str]]:
        """Yield what is older than promised, with the reason."""
        for flagged, age in ((False, rules.routine), (True, rules.flagged)):
            kind = "flagged" if flagged else "routine"
            reason = f"kept for {age.days} days ({kind})"
            until = now - age
            query = SegmentQuery(until=until, flagged=flagged, limit=10 * BATCH)
            old = (one for one in reader.segments(query) if one.ended <= until)
            yield from ((one, reason) for one in self._free(old))
        reason = f"kept for {rules.flagged.days} days (clip)"
        ready = (ClipState.READY,)
        stale = reader.clips(states=ready, ended=now - rules.flagged, limit=10 * BATCH)
        yield from ((one, reason) for one in self._free(stale))

    def crowded(
        self, reader: Reader, short: int, until: datetime
    ) -> Iterator[tuple[Segment | Clip, str]]:
        """Yield the oldest footage, unflagged before flagged, until there is room enough."""
        for flagged in (False, True):
            kind = "flagged" if flagged else "unflagged"
            query = SegmentQuery(until=until, flagged=flagged, limit=None)
            for one in self._free(one for one in reader.segments(query) if one.ended <= until):
                if short <= 0:
                    return
                short -= one.size or 0
                yield one, f"no room on the disk (oldest {kind} first)"

    def _free(self, footage: Iterable[Segment | Clip]) -> Iterator[Segment | Clip]:
        """Pass on what is not held, not chosen before, and lies on this machine."""
        for one in footage:
            name: int | str = one.entry if isinstance(one, Segment) else one.name
            if name in self._chosen or one.deleted is not None or self._is_held(one):
                continue
            try:
                here = footage_path(self._data_dir, one).is_file()
            except NotInRecord:
                here = False
            if here:
                self._chosen.add(name)
                yield one

    def _is_held(self, one: Segment | Clip) -> bool:
        since, until = (
            (one.started, one.ended) if isinstance(one, Segment) else (one.since, one.until)
        )
        if since is None or until is None:
            return True
        return any(hold.covers(one.table, since, until) for hold in self._holds)


def _grouped(old: Sequence[tuple[Segment | Clip, str]]) -> Iterator[Deletion]:
    groups: dict[tuple[str, str], list[Segment | Clip]] = {}
    for one, reason in old:
        groups.setdefault((one.table, reason), []).append(one)
    for (table, reason), footage in groups.items():
        for first in range(0, len(footage), BATCH):
            yield Deletion(table, tuple(footage[first : first + BATCH]), reason)
