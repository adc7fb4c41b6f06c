"""Measures the record: entries a second with one transaction each, and the speed of verification.

Run it from the repository's root:

    python scripts/bench_store.py                                  SQLite in a temporary folder
    python scripts/bench_store.py --folder /data                   SQLite on another disk
    python scripts/bench_store.py --postgresql                     PostgreSQL, a server of its own
    python scripts/bench_store.py --database postgresql://…        PostgreSQL, an empty database
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from sqlalchemy import insert

from audit.chain import GENESIS, EntryKind, Head, canonical, head_of, link
from audit.database import WRITING
from audit.records import EntryRecord
from audit.store import Step, Store, open_store
from audit.verify import Outside, verify
from rules.cards import PACK
from rules.events import CardTurned, Sighting, Spot
from rules.wire import event_json
from tests.audit.postgresql_server import running

ANCHOR = datetime(2026, 11, 30, tzinfo=UTC)
BATCH = 1000


def sighting(number: int) -> Sighting:
    """Return one event, another card every time."""
    event = CardTurned(Spot.parse("dealer"), PACK[number % len(PACK)])
    return Sighting(event, number / 25, 0.998, number)


def append_singly(store: Store, table: str, count: int) -> list[float]:
    """Append entries, each in a transaction of its own; return how long each took, in seconds."""
    taken = []
    for number in range(count):
        begun = time.perf_counter()
        store.record(table, Step(sightings=(sighting(number),)), anchor=ANCHOR)
        taken.append(time.perf_counter() - begun)
    return taken


def tell(line: str) -> None:
    """Write one line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def told(taken: list[float]) -> str:
    """Return a distribution of times in one line."""
    ordered = sorted(taken)
    middle, late = statistics.median(ordered), ordered[int(len(ordered) * 0.99) - 1]
    return (
        f"median {middle * 1e3:.2f} ms, p99 {late * 1e3:.2f} ms, worst {ordered[-1] * 1e3:.2f} ms"
    )


def bench_one(store: Store, count: int) -> None:
    """One writer, one transaction an entry."""
    append_singly(store, "T0", 20)
    begun, worked = time.perf_counter(), time.process_time()
    taken = append_singly(store, "T0", count)
    rate, worked = count / (time.perf_counter() - begun), time.process_time() - worked
    tell(
        f"1 writer: {rate:.0f} entries a second, one transaction each ({told(taken)}, "
        f"{worked / count * 1e3:.2f} ms of processor time)"
    )


def bench_many(arguments: argparse.Namespace, writers: int) -> None:
    """Several processes, a table each."""
    own = [sys.executable, __file__, "--database", arguments.database]
    common = [
        *own,
        "--folder",
        str(arguments.folder),
        "--entries",
        str(arguments.entries // writers),
    ]
    processes = [
        subprocess.Popen(  # noqa: S603  # this very script
            [*common, "--writer", f"T{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(1, writers + 1)
    ]
    for process in processes:
        if process.stdout is not None:
            process.stdout.readline()
    begun = time.perf_counter()
    taken: list[float] = []
    for process in processes:
        if process.stdin is not None:
            process.stdin.write("\n")
            process.stdin.flush()
    for process in processes:
        output, _ = process.communicate()
        taken += [float(line) for line in output.splitlines() if line]
    rate = len(taken) / (time.perf_counter() - begun)
    tell(f"{writers} writers: {rate:.0f} entries a second together ({told(taken)})")


def be_writer(arguments: argparse.Namespace) -> None:
    """Be one of several writers: wait for a line, append, tell the times."""
    store = open_store(arguments.database, arguments.folder)
    tell("ready")
    sys.stdin.readline()
    for seconds in append_singly(store, arguments.writer, arguments.entries):
        tell(f"{seconds}")


def fill_up(store: Store, count: int) -> None:
    """Add entries as they would be written, but past the store, which takes longer over each."""
    begun = time.perf_counter()
    head = Head("T0", 0, GENESIS)
    for known in store.chain_heads():
        head = known if known.chain == "T0" else head
    writing = store.engine.execution_options(**{WRITING: True})
    for start in range(0, count, BATCH):
        rows = []
        for number in range(start, min(count, start + BATCH)):
            seen = sighting(number)
            body = {**event_json(seen.event), "media_at": seen.at, "confidence": seen.confidence}
            at = ANCHOR + timedelta(seconds=seen.at)
            entry = link(head, EntryKind.CARD_TURNED, {**body, "frame": seen.frame}, at)
            head = head_of(entry)
            rows.append(
                {
                    "chain": entry.chain,
                    "number": entry.number,
                    "at": entry.at,
                    "kind": entry.kind.value,
                    "body": canonical(entry.body).decode(),
                    "previous": entry.previous,
                    "hash": entry.hash,
                }
            )
        with writing.begin() as connection:
            connection.execute(insert(EntryRecord), rows)
    if count > 0:
        tell(f"filled up with {count} entries in {time.perf_counter() - begun:.0f} s")


def bench_verify(store: Store, count: int) -> None:
    """Fill the record up, seal it, and verify it."""
    fill_up(store, count - sum(head.number for head in store.chain_heads()))
    begun = time.perf_counter()
    store.checkpoint()
    tell(f"checkpoint over all: {time.perf_counter() - begun:.2f} s")
    begun, worked = time.perf_counter(), time.process_time()
    result = verify(store, Outside(store.data_dir))
    taken, worked = time.perf_counter() - begun, time.process_time() - worked
    holds = "holds" if result.holds else f"DOES NOT HOLD: {result.fault}"
    rate = result.entries / taken
    tell(
        f"verify: {result.entries} entries in {taken:.1f} s, {rate:.0f} a second "
        f"({worked:.1f} s of processor time, {result.entries / worked:.0f} a second); {holds}"
    )


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--database", default="", help="default: SQLite in the folder")
    parser.add_argument("--postgresql", action="store_true", help="a server of its own")
    parser.add_argument("--folder", type=Path, help="default: a temporary one")
    parser.add_argument("--entries", type=int, default=2000, help="for each way of writing")
    parser.add_argument("--verify", type=int, default=100_000, help="how many entries to verify")
    parser.add_argument("--writer", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as ending:
        arguments.folder = arguments.folder or Path(temporary)
        if arguments.postgresql:
            arguments.database = ending.enter_context(running(sync=True)).fresh()
        arguments.database = arguments.database or f"sqlite:///{arguments.folder / 'bench.db'}"
        if arguments.writer:
            be_writer(arguments)
            return
        store = open_store(arguments.database, arguments.folder)
        tell(f"on {store.engine.dialect.name}")
        bench_one(store, arguments.entries)
        bench_many(arguments, 4)
        bench_many(arguments, 8)
        bench_verify(store, arguments.verify)
        store.close()


if __name__ == "__main__":
    main()
