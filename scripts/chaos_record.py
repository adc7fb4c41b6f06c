"""Does to the record what must not hurt it, for real, and says what became of it.

Run it from the repository's root, with the test tools installed:

    python scripts/chaos_record.py                       everything: an hour or so
    python scripts/chaos_record.py kill --kills 200      kill -9 of watcher and server at any moment
    python scripts/chaos_record.py crowd --seconds 60    eight writers and a long reader
    python scripts/chaos_record.py disk                  a full disk, then one that is read-only
    python scripts/chaos_record.py away                  PostgreSQL stopped for a minute
    python scripts/chaos_record.py clock                 a clock set back two hours

Each is done on SQLite and PostgreSQL (a server of its own, Debian's), except the disk, which is
SQLite's. `disk` mounts a small file system in memory and so needs to be run as root.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from audit.cli.output import log_to_stderr
from tests.audit.chaos import Place, free_port, kill_at_random
from tests.audit.hardship import away, clock, crowd, disk
from tests.audit.postgresql_server import running


def tell(line: str) -> None:
    """Write one line of the result."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@contextmanager
def places(databases: list[str]) -> Iterator[list[tuple[str, Place]]]:
    """Give an empty place on each database."""
    with tempfile.TemporaryDirectory(prefix="pitwatch-chaos-") as folder:
        found = []
        if "sqlite" in databases:
            data = Path(folder) / "sqlite"
            found.append(("SQLite", Place(f"sqlite:///{data / 'record.db'}", data, free_port())))
        if "postgresql" not in databases:
            yield found
            return
        with running(sync=True) as server:
            place = Place(server.fresh(), Path(folder) / "postgresql", free_port())
            yield [*found, ("PostgreSQL", place)]


def kill(arguments: argparse.Namespace) -> bool:
    """Kill watcher and server at random moments."""
    fine = True
    with places(arguments.databases) as found:
        for name, place in found:
            outcome = kill_at_random(place, arguments.kills, arguments.seed)
            fine = fine and outcome.holds
            tell(
                f"{name}: {outcome.kills} kills; {outcome.seen} acts of the watcher and "
                f"{outcome.reported} reports to the server acknowledged; {outcome.lost} lost, "
                f"{outcome.twice} recorded twice; {outcome.entries} entries, "
                f"{outcome.fault or 'all hold'}"
            )
    return fine


def on_each(work: Callable[[Place, float], tuple[str, bool]]) -> Callable[..., bool]:
    """Return a command that does something on each database."""

    def command(arguments: argparse.Namespace) -> bool:
        fine = True
        with places(arguments.databases) as found:
            for name, place in found:
                told, held = work(place, arguments.seconds)
                fine = fine and held
                tell(f"{name}: {told}")
        return fine

    return command


def on_disk(arguments: argparse.Namespace) -> bool:
    """Fill a disk, and make one read-only."""
    told, held = disk(arguments.seconds)
    tell(f"SQLite: {told}")
    return held


def on_server(arguments: argparse.Namespace) -> bool:
    """Stop PostgreSQL for a while."""
    with running(sync=True) as server, tempfile.TemporaryDirectory() as folder:
        told, held = away(server, Path(folder), arguments.seconds)
    tell(f"PostgreSQL: {told}")
    return held


COMMANDS: dict[str, Callable[..., bool]] = {
    "kill": kill,
    "crowd": on_each(crowd),
    "disk": on_disk,
    "away": on_server,
    "clock": on_each(clock),
}


def main() -> int:
    """Do what the arguments ask for; 1 when something was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", nargs="*", help="kill, crowd, disk, away, clock; default: all")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"])
    arguments = parser.parse_args()
    log_to_stderr()
    fine = True
    for name in arguments.what or COMMANDS:
        tell(f"-- {name}")
        fine = COMMANDS[name](arguments) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
