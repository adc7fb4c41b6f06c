"""`pitwatch doctor`: is this machine fit to watch a table, and if not, what to do."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum, unique
from pathlib import Path

import numpy as np

from audit.checkpoint import traces_in
from audit.cli.output import NOT_HELD, print_line
from audit.cli.places import SETTINGS_FILE, models_dir, settings_for
from audit.cli.retention import forecast_line
from audit.database import parse_url, place_of
from audit.errors import AuditError
from audit.evidence.retention import disk_of, forecast, load_retention
from audit.settings import Settings
from audit.spool import FOLDER, waiting_in
from audit.stamping import stamper_for, waiting_stamps
from audit.store import Reader, open_reader
from audit.store.opening import lost, version_at
from vision.errors import VisionError
from vision.geometry import oriented_box
from vision.model import CardModel, load_model
from vision.network import Engine, installed

LEAST_FREE_GB = 5.0
"""Below this a night of one camera's video (about 1.8 GB an hour at 4 Mbit/s) does not fit."""

SLOWEST_MS = 100.0
"""A table needs about ten looks a second while cards move."""

_SEATED = 8
"""Cards that are new in a frame at the busiest moment of a deal, about."""
_WORTH_IT = 1.15
"""How many times as fast another engine must be before it is advised: less is noise."""

BUILT = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock before this day is surely wrong: the program did not exist."""


MOST_UNSTAMPED = 10
"""So many checkpoints may wait for a time stamp before somebody should look why."""


@unique
class Health(StrEnum):
    """How something was found."""

    GOOD = "ok"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing looked at."""

    name: str
    health: Health
    found: str
    advice: str = ""
    """What to do about it; empty when it is good."""


def examine(*, data: Path | None, models: Path | None) -> int:
    """Print one line a thing looked at; exit code 1 when something must be put right."""
    worst = Health.GOOD
    for diagnosis in diagnoses(data=data, models=models):
        advice = f" -> {diagnosis.advice}" if diagnosis.advice else ""
        print_line(f"{diagnosis.health:8}{diagnosis.name:10}{diagnosis.found}{advice}")
        if diagnosis.health is Health.BAD:
            worst = Health.BAD
    return NOT_HELD if worst is Health.BAD else 0


def diagnoses(*, data: Path | None, models: Path | None) -> Iterator[Diagnosis]:
    """Look at the model, the record, its tables, the disk, the clock and the cameras, in turn."""
    settings = settings_for(data)
    yield from _guarded("model", lambda: _model(models_dir(models), Engine(settings.engine)))
    yield from _guarded("database", lambda: _database(settings))
    yield from _guarded("tables", lambda: _tables(settings))
    yield from _guarded("spool", lambda: _spool(settings.data_dir))
    yield from _guarded("stamps", lambda: _stamps(settings))
    yield _disk(settings.data_dir)
    yield from _guarded("footage", lambda: _footage(settings))
    yield _clock(datetime.now(UTC))
    yield _cameras(Path("/dev"))


def _guarded(name: str, look: Callable[[], Diagnosis]) -> Iterator[Diagnosis]:
    try:
        yield look()
    except (AuditError, VisionError) as error:
        yield Diagnosis(name, Health.BAD, str(error))


def _model(folder: Path, engine: Engine) -> Diagnosis:
    speeds = {each: _frame_ms(load_model(folder, each)) for each in Engine if installed(each)}
    # The engine in force may not be installed: loading it says so.
    used_ms = speeds[engine] if engine in speeds else _frame_ms(load_model(folder, engine))
    told = ", ".join(f"{each} {ms:.0f} ms" for each, ms in speeds.items())
    found = f"{folder}: hashes hold; a 1280x720 frame with {_SEATED} new cards takes {told}"
    best = min(speeds, key=speeds.__getitem__)
    if used_ms > _WORTH_IT * speeds[best]:
        advice = (
            f'set engine = "{best}" in {SETTINGS_FILE}: {used_ms / speeds[best]:.1f} times as fast'
        )
        return Diagnosis("model", Health.WARNING, found, advice)
    if used_ms > SLOWEST_MS:
        advice = f"too slow for a live table (expected under {SLOWEST_MS:.0f} ms): free a core"
        return Diagnosis("model", Health.WARNING, found, advice)
    return Diagnosis("model", Health.GOOD, found)


def _frame_ms(model: CardModel) -> float:
    """Return the least time of three frames in which cards are found and read, milliseconds."""
    table = np.full((720, 1280, 3), 90, np.uint8)
    quads = [oriented_box((120.0 * n + 100, 400.0), (50, 70), 0.1 * n) for n in range(_SEATED)]
    spent = []
    for _ in range(4):
        began = time.perf_counter()
        model.find(table, card_height_px=70)
        model.read(table, quads)
        spent.append(time.perf_counter() - began)
    return min(spent[1:]) * 1000


def _record(settings: Settings) -> Reader | None:
    """Open the record to read it; None where none was begun yet: looking must not begin one.

    Raises:
        StoreError: It is lost, of another version, or cannot be read.
    """
    if version_at(settings.database_url) is None:
        traces = traces_in(settings.data_dir)
        if traces:
            raise lost(_place(settings), traces)
        return None
    return open_reader(settings.database_url)


def _place(settings: Settings) -> str:
    return place_of(parse_url(settings.database_url))


def _database(settings: Settings) -> Diagnosis:
    reader = _record(settings)
    if reader is None:
        found = f"{_place(settings)}: no record yet; watch or serve begins one there"
        return Diagnosis(
            "database", Health.WARNING, found, "or name the record's folder with --data"
        )
    with closing(reader):
        entries, tables = reader.last_id(), len(reader.tables())
    where = "PostgreSQL" if "postgresql" in settings.database_url else settings.data_dir
    return Diagnosis("database", Health.GOOD, f"{where}: {entries} entries, {tables} tables")


def _tables(settings: Settings) -> Diagnosis:
    reader = _record(settings)
    if reader is None:
        return Diagnosis("tables", Health.GOOD, "no table was watched yet")
    with closing(reader):
        watched = [state for state in reader.tables() if state.watching]
    slow = [
        f"{state.table} is at least {state.late_s} s behind"
        if state.late_s
        else f"{state.table} leaves out {state.left_out} % of the frames"
        for state in watched
        if state.late_s or state.left_out
    ]
    if slow:
        advice = "free a core, watch fewer tables here, or let the camera send smaller pictures"
        return Diagnosis("tables", Health.WARNING, "; ".join(slow), advice)
    return Diagnosis("tables", Health.GOOD, f"{len(watched)} being watched; none falls behind")


def _spool(data_dir: Path) -> Diagnosis:
    folder = data_dir / FOLDER
    refused = sorted(path.name for path in folder.glob("*.refused"))
    if refused:
        advice = f"look at it and enter what is right by hand, then move it away ({folder})"
        return Diagnosis(
            "spool", Health.BAD, f"refused by the record: {', '.join(refused)}", advice
        )
    waiting = {path.stem: waiting_in(path) for path in sorted(folder.glob("*.spool"))}
    found = ", ".join(f"{count} acts of {table}" for table, count in waiting.items() if count)
    if found:
        advice = "they are recorded when the table's watcher runs and the database answers"
        return Diagnosis("spool", Health.WARNING, f"{found} wait to be recorded", advice)
    return Diagnosis("spool", Health.GOOD, "nothing waits to be recorded")


def _stamps(settings: Settings) -> Diagnosis:
    if stamper_for(settings) is None:
        return Diagnosis("stamps", Health.GOOD, "no time stamp authority is set")
    waiting = len(waiting_stamps(settings.data_dir))
    if waiting > MOST_UNSTAMPED:
        advice = f"see that {settings.timestamp_url} can be reached from here"
        return Diagnosis("stamps", Health.WARNING, f"{waiting} checkpoints wait", advice)
    return Diagnosis("stamps", Health.GOOD, f"{waiting} checkpoints wait for a time stamp")


def _disk(folder: Path) -> Diagnosis:
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    free_gb = shutil.disk_usage(there).free / 1e9
    found = f"{folder}: {free_gb:.1f} GB free"
    if free_gb < LEAST_FREE_GB:
        advice = f"make room or name another folder with --data (expected {LEAST_FREE_GB:.0f} GB)"
        return Diagnosis("disk", Health.BAD, found, advice)
    return Diagnosis("disk", Health.GOOD, found)


def _footage(settings: Settings) -> Diagnosis:
    rules = load_retention(settings.retention)
    reader = _record(settings)
    if reader is None:
        return Diagnosis("footage", Health.GOOD, "nothing is recorded yet")
    with closing(reader):
        told = forecast(reader, rules, disk_of(settings.data_dir), datetime.now(UTC))
    found = forecast_line(told)
    if told.broken_in is None:
        return Diagnosis("footage", Health.GOOD, found)
    advice = (
        f"make room, or keep routine footage for less than {rules.routine.days} days "
        "(pitwatch retention default)"
    )
    health = Health.BAD if told.broken_in <= rules.warn else Health.WARNING
    return Diagnosis("footage", health, found, advice)


def _clock(now: datetime) -> Diagnosis:
    found = f"{now:%Y-%m-%d %H:%M:%S} UTC"
    if now < BUILT:
        return Diagnosis("clock", Health.BAD, found, "set the clock: it is before this program")
    synchronised = [Path("/run/systemd/timesync/synchronized"), Path("/run/chrony")]
    if not any(mark.exists() for mark in synchronised):
        advice = "no time service seen; run chrony or systemd-timesyncd, so that recordings agree"
        return Diagnosis("clock", Health.WARNING, found, advice)
    return Diagnosis("clock", Health.GOOD, f"{found}, kept by a time service")


def _cameras(devices: Path) -> Diagnosis:
    found = sorted(path.name for path in devices.glob("video*"))
    if not found:
        return Diagnosis(
            "cameras", Health.GOOD, "no camera on this machine; network cameras are rtsp://…"
        )
    numbers = ", ".join(name.removeprefix("video") for name in found)
    return Diagnosis("cameras", Health.GOOD, f"devices {numbers} (pitwatch watch {numbers[0]} …)")
