"""Processes that append to the record; tests let them go, and kill some.

Usage: writer_process.py DATABASE DATA_DIR COUNT TABLE...

One process a table is forked, after the slow imports. Each says `ready PID` once it has opened the
record, waits for a byte on standard input, and then tells the id of every entry once it is kept.
"""

import os
import sys
from pathlib import Path

from audit.store import open_store
from tests.audit.record_builders import NOW, see, turned


def write(database: str, data_dir: str, count: int, table: str) -> None:
    store = open_store(database, Path(data_dir))
    tell(f"ready {os.getpid()}")
    os.read(0, 1)
    for number in range(count):
        written = see(store, table, [turned(at=float(number))], anchor=NOW)
        tell(str(written.entries[0].id))
    store.close()


def tell(line: str) -> None:
    # One write each, so that a killed process leaves no half line.
    os.write(1, f"{line}\n".encode())


def main(database: str, data_dir: str, count: str, *tables: str) -> None:
    for table in tables:
        if os.fork() == 0:
            write(database, data_dir, int(count), table)
            os._exit(0)
    for _ in tables:
        os.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
