"""Crowds, full and read-only disks, a server that is away, a clock set back: done for real.

Used by scripts/chaos_record.py. Each function returns what was found in one line, and whether
nothing was lost.
"""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path

from audit.chain import EntryKind
from audit.courier import Courier
from audit.spool import Spool, spool_file
from audit.store import Step, Store, open_store
from audit.store.delivery import Stepped
from audit.verify import Outside, verify
from tests.audit.chaos import Place, end, fork, media_times, tell
from tests.audit.postgresql_server import PostgreSQL
from tests.audit.record_builders import NOW, see, turned

WRITERS = 8


def crowd(place: Place, seconds: float) -> tuple[str, bool]:
    """Let eight writers write for a while, a table each, beside a reader that reads for long."""
    place.data_dir.mkdir(parents=True, exist_ok=True)
    os.waitpid(fork(lambda: place.open().close()), 0)
    until = time.monotonic() + seconds
    files = [place.data_dir / f"writer{number}.txt" for number in range(WRITERS)]
    works = [partial(_write, place, f"T{n}", until, file) for n, file in enumerate(files, 1)]
    writers = [fork(work) for work in works]
    reader = fork(partial(_read_long, place))
    for process in writers:
        os.waitpid(process, 0)
    end(reader)
    took = sorted(float(line) for file in files for line in file.read_text().splitlines())
    store = place.open()
    heads = {head.chain: head.number for head in store.chain_heads()}
    kept = sum(heads.get(f"T{number}", 0) for number in range(1, WRITERS + 1))
    store.checkpoint()
    held = verify(store, Outside(place.data_dir))
    store.close()
    p99 = took[int(len(took) * 0.99) - 1]
    fault = "" if held.fault is None else f"; DOES NOT HOLD: {held.fault}"
    told = (
        f"{WRITERS} writers and a long reader for {seconds:.0f} s: {len(took)} acknowledged, "
        f"{kept} kept ({len(took) / seconds:.0f} a second); "
        f"median {statistics.median(took) * 1e3:.0f} ms, p99 {p99 * 1e3:.0f} ms, "
        f"worst {took[-1] * 1e3:.0f} ms{fault}"
    )
    return told, kept == len(took) and held.holds


def _write(place: Place, table: str, until: float, file: Path) -> None:
    store = place.open()
    for number in count():
        begun = time.monotonic()
        if begun > until:
            break
        see(store, table, [turned(at=float(number))], anchor=NOW)
        tell(file, f"{time.monotonic() - begun}")
    store.close()


def _read_long(place: Place) -> None:
    """Hold one read transaction open for ten seconds at a time, reading all the while."""
    store = place.open()
    while True:
        with store.engine.connect() as connection:
            until = time.monotonic() + 10
            while time.monotonic() < until:
                connection.exec_driver_sql("SELECT count(*), max(hash) FROM entry").all()
                time.sleep(0.2)


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """Mount a small file system in memory.

    Raises:
        PermissionError: Only root may.
    """
    if os.geteuid() != 0:
        raise PermissionError("only root may mount a file system: run this as root")
    with tempfile.TemporaryDirectory(prefix="pitwatch-disk-") as folder:
        size = f"size={megabytes}m"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


def disk(seconds: float) -> tuple[str, bool]:
    """Fill the disk below a watcher and free it; make it read-only, and writable again."""
    with small_disk(16) as folder, tempfile.TemporaryDirectory() as elsewhere:
        store = open_store(f"sqlite:///{folder / 'record.db'}", folder)
        numbers = count()
        with _brief(store, spool_file(folder, "T1")) as courier:
            _keep(courier, numbers, 50)
            filler = folder / "filler"
            with suppress(OSError), filler.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))
            _keep(courier, numbers, int(seconds * 10))
            full = courier.store is None
            filler.unlink()
            back = courier.settle(60)
        with _brief(store, spool_file(Path(elsewhere), "T1")) as courier:
            _keep(courier, numbers, 50)
            store.engine.dispose()  # A disk with a file open for writing cannot be made read-only.
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
            _keep(courier, numbers, int(seconds * 10))
            read_only = courier.store is None
            subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
            back = courier.settle(60) and back
        outcome = _whole(store, next(numbers))
        store.close()
    told = (
        f"disk full: {'named and spooled' if full else 'NOT NOTICED'}; read-only: "
        f"{'named and spooled' if read_only else 'NOT NOTICED'}; back: {back}; {outcome[0]}"
    )
    return told, full and read_only and back and outcome[1]


def _brief(store: Store, path: Path) -> Courier:
    return Courier(store, Spool(path), "T1", patience_s=0.5, retry_s=0.2)


def away(server: PostgreSQL, folder: Path, seconds: float) -> tuple[str, bool]:
    """Stop the server for a while below a watcher that sees ten things a second."""
    store = open_store(server.fresh(), folder)
    numbers, slowest = count(), 0.0
    with Courier(store, Spool(spool_file(folder, "T1")), "T1") as courier:
        _keep(courier, numbers, 20)
        server.stop()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            begun = time.monotonic()
            _keep(courier, numbers, 1)
            slowest = max(slowest, time.monotonic() - begun)
            time.sleep(0.1)
        server.start()
        begun = time.monotonic()
        back = courier.settle(120)
        took = time.monotonic() - begun
        _keep(courier, numbers, 20)
    told, held = _whole(store, next(numbers))
    store.close()
    return (
        f"stopped for {seconds:.0f} s; the slowest act took {slowest * 1e3:.0f} ms meanwhile; "
        f"all was sent {took:.1f} s after it was back; {told}",
        back and held,
    )


def clock(place: Place, seconds: float) -> tuple[str, bool]:
    """Set a watcher's clock back by two hours."""
    del seconds
    place.data_dir.mkdir(parents=True, exist_ok=True)
    store, numbers, moved = place.open(), count(), [0.0]
    spool = Spool(spool_file(place.data_dir, "T1"))
    with Courier(store, spool, "T1", wall=lambda: time.time() + moved[0]) as courier:
        _keep(courier, numbers, 20)
        moved[0] = -7200.0
        _keep(courier, numbers, 20)
    store.checkpoint(at=datetime.now(UTC) - timedelta(hours=2))
    found = store.entries_after(table="T1", kinds=[EntryKind.CLOCK_STEPPED])
    named = [entry.body["by_s"] for entry in found]
    told, held = _whole(store, next(numbers))
    store.close()
    return f"set back two hours: named as {named} s; {told}", named == [-7200.0] and held


def _keep(courier: Courier, numbers: Iterator[int], how_many: int) -> None:
    for _ in range(how_many):
        courier.keep(Stepped(Step((turned(at=float(next(numbers))),)), NOW))


def _whole(store: Store, sent: int) -> tuple[str, bool]:
    """Say whether all that was sent is recorded, once and in order."""
    store.checkpoint()
    held = verify(store, Outside(store.data_dir))
    found = list(media_times(store))
    right = found == [float(number) for number in range(sent)]
    told = (
        f"{sent} acts acknowledged, {len(found)} recorded, "
        f"{'each once and in order' if right else 'NOT THE SAME'}; {held.fault or 'all hold'}"
    )
    return told, right and held.holds
