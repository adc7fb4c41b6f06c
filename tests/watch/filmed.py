"""A record with video: what the tests of footage and evidence share."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from audit.courier import Courier
from audit.evidence.retention import load_retention
from audit.spool import Spool, spool_file
from audit.store import JudgedRound, ProvedFinding, Store
from audit.tables import TableStart
from audit.watch.filming import Filming
from audit.watch.keeping import Keeper
from tests.audit.record_builders import (
    finding,
    judged,
    record_round,
    see,
    start_table,
    turned,
)
from vision.sources import open_recorder, open_source

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)

MILLI = timedelta(milliseconds=1)


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def filmed(store: Store, data: Path, source: Path | str, table: str = "T1") -> None:
    """Record a source to its end, as `pitwatch watch` does beside watching it."""
    recorder = open_recorder(str(source), open_source(str(source), realtime=False))
    with Courier(store, Spool(spool_file(data, table)), table) as courier:
        keeper = Keeper(lambda: courier.store, data, load_retention(), table)
        with Filming(recorder, courier, data, table, NOON, keeper=keeper).rolling():
            pass


def flagged_round(store: Store, began: float, ended: float | None, name: str = "T1-1") -> None:
    """A hand with something found in it; the line of time begins at noon."""
    start_table(store, "T1", TableStart("three-card-whist", "a film"), at=NOON)
    see(store, "T1", [turned("KD", began)], anchor=NOON)
    store.record_finding("T1", ProvedFinding(finding(), at=began + 1, round=name), anchor=NOON)
    if ended is not None:
        told = judged(name, findings=[finding()])
        record_round(store, "T1", JudgedRound(told.record, told.result, at=ended), anchor=NOON)
