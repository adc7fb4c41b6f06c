"""Measures reports over many rounds: CSV and XLSX as they stream, a month as PDF, memory and time.

Run it from the repository's root:

    python scripts/bench_reports.py                      1 000 000 rounds in a temporary folder
    python scripts/bench_reports.py --rounds 100000      fewer
    python scripts/bench_reports.py --folder /data/b     keeps the record, and takes it up again

The rounds are a few hundred judged ones, repeated; they are written straight into the tables that
reports read, without their entries, since it is the reading that is measured.
"""

import argparse
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from audit.chain import utc_text
from audit.payouts import RoundEntry, payout_lines
from audit.reports.drawing import House
from audit.reports.issue import Order, issue
from audit.reports.kinds import Format, ReportKind
from audit.reports.shape import Request
from audit.settings import Settings
from audit.store import Store, open_store
from audit.tables import TableStart
from rules.house import default_house
from tests.audit.record_builders import start_table
from tests.reports.night import judged_round

MONTH = datetime(2026, 11, 1, 6, tzinfo=UTC)
SECONDS = 30 * 24 * 3600
TABLES = [f"T{number}" for number in range(1, 41)]
BATCH = 5000
SAMPLES = 400

_ROUND = (
    'INSERT INTO round (round, "table", game, outcome, findings, started, recorded, corrected, '
    "entry, record, result) VALUES (?, ?, ?, ?, ?, NULL, ?, 0, ?, ?, ?)"
)
_LINE = (
    'INSERT INTO payout_line (round, seat, wager, "table", at, staked, due, paid, difference, '
    "settlement, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def fill(store: Store, count: int, *, payouts: bool) -> None:
    """Put rounds, and their payout lines when asked for, straight into the tables."""
    chance = random.Random(1)  # noqa: S311  # no secret
    samples = [judged_round(chance, "x", "T1") for _ in range(SAMPLES)]
    texts = [(json.dumps(record), json.dumps(result)) for record, result in samples]
    raw = store.engine.raw_connection()
    try:
        cursor = raw.cursor()
        for start in range(0, count, BATCH):
            numbers = range(start, min(count, start + BATCH))
            cursor.executemany(_ROUND, [_round(n, count, samples, texts) for n in numbers])
            if payouts:
                cursor.executemany(
                    _LINE, [row for n in numbers for row in _lines(n, count, samples)]
                )
            raw.commit()
    finally:
        raw.close()


def _when(number: int, count: int) -> datetime:
    return MONTH + timedelta(seconds=SECONDS * number / count)


def _round(
    number: int,
    count: int,
    samples: list[tuple[dict[str, object], dict[str, object]]],
    texts: list[tuple[str, str]],
) -> tuple[object, ...]:
    place = number % SAMPLES
    result = samples[place][1]
    findings = result["findings"]
    return (
        f"{TABLES[number % len(TABLES)]}-{number:07d}",
        TABLES[number % len(TABLES)],
        "three-card-whist",
        result["outcome"],
        len(findings) if isinstance(findings, list) else 0,
        utc_text(_when(number, count)),
        number + 10,
        *texts[place],
    )


def _lines(
    number: int, count: int, samples: list[tuple[dict[str, object], dict[str, object]]]
) -> Iterator[tuple[object, ...]]:
    record, result = samples[number % SAMPLES]
    table, name = TABLES[number % len(TABLES)], f"{TABLES[number % len(TABLES)]}-{number:07d}"
    at = _when(number, count)
    for line in payout_lines(RoundEntry(table, at, number + 10, {**record, "round": name}, result)):
        yield (
            *(line.round, line.seat, line.wager, line.table, utc_text(at), line.staked),
            *(line.due, line.paid, line.difference, line.settlement.value, line.entry),
        )


def measure(store: Store, house: House, order: Order, folder: Path) -> None:
    """Issue a report, and tell how long it took and what memory it needed."""
    before, begun, cpu = _peak(), time.perf_counter(), time.process_time()
    issued = issue(store, house, order, folder)
    taken, worked = time.perf_counter() - begun, time.process_time() - cpu
    told = issued.handover
    tell(
        f"{told.kind:8} {told.format:5} {told.rows:9,} rows  {taken:6.1f} s ({worked:.1f} s CPU)  "
        f"{told.size / 1e6:7.1f} MB  peak memory {_peak()} MB (before: {before} MB)  "
        f"load {os.getloadavg()[0]:.1f}"
    )
    issued.file.unlink()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def tell(line: str) -> None:
    """Write one line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="default: a temporary one")
    parser.add_argument("--payouts", action="store_true", help="with payout lines (much longer)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        store = open_store(f"sqlite:///{folder / 'bench.db'}", folder)
        if not store.rounds(limit=1):
            begun = time.perf_counter()
            start = TableStart("three-card-whist", "bench", house=default_house().version)
            for table in TABLES:
                start_table(store, table, start, at=MONTH)
            fill(store, arguments.rounds, payouts=arguments.payouts)
            tell(f"{arguments.rounds:,} rounds put in, {time.perf_counter() - begun:.0f} s")
        house = House.of(Settings(data_dir=folder))
        order = Order(Request(ReportKind.AUDIT, house.clock.month(2026, 11)), Format.PDF, "bench")
        forms = (Format.PDF, Format.CSV, Format.XLSX, Format.JSON_LINES)
        for form in forms:
            measure(store, house, replace(order, format=form), folder / "out")
        if arguments.payouts:
            request = Request(ReportKind.PAYOUTS, house.clock.month(2026, 11))
            for form in (Format.PDF, Format.CSV):
                measure(store, house, replace(order, request=request, format=form), folder / "out")
        store.close()


if __name__ == "__main__":
    main()
