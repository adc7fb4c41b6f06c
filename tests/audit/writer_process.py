"""A process that appends to the record; tests start several, and kill some.

Usage: writer_process.py DATABASE DATA_DIR TABLE COUNT

Prints the id of every entry once it is kept.
"""

import sys
from pathlib import Path

from audit.store import open_store
from tests.audit.record_builders import NOW, turned


def main(database: str, data_dir: str, table: str, count: str) -> None:
    store = open_store(database, Path(data_dir))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for number in range(int(count)):
        written = store.record_events(table, [turned(at=float(number))], anchor=NOW)
        sys.stdout.write(f"{written.entries[0].id}\n")
        sys.stdout.flush()
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
