"""Kills watchers and servers at any moment, and says whether anything acknowledged was lost.

Used by a short test and, for long, by scripts/chaos_record.py. Every process is forked, after the
slow imports, from one that has neither threads nor connections.
"""

import http.client
import json
import os
import random
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from audit.auth.permissions import Scope
from audit.auth.registry import By, Registry
from audit.chain import EntryKind
from audit.cli.output import log_to_stderr
from audit.courier import Courier
from audit.sealing import sealed_every
from audit.settings import Settings
from audit.spool import Spool, spool_file
from audit.store import Step, Store, open_store
from audit.store.access import AccessStore
from audit.store.delivery import Started, Stepped
from audit.verify import Outside, verify
from audit.web.app import create_app
from audit.web.server import run
from tests.audit.record_builders import (
    NOW,
    START,
    finding,
    judged,
    start_table,
    turned,
)
from tests.audit.record_builders import proved as proved_finding

TABLE = "T1"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the record lies, and where the processes say what they were told."""

    database: str
    data_dir: Path
    port: int

    @property
    def seen(self) -> Path:
        """What the watchers were told is kept, a number a line."""
        return self.data_dir / "seen.txt"

    @property
    def reported(self) -> Path:
        """What reporters were told is kept, a client id a line."""
        return self.data_dir / "reported.txt"

    def open(self) -> Store:
        """Open the record."""
        return open_store(self.database, self.data_dir)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of what was acknowledged."""

    kills: int
    seen: int
    """How many acts watchers were told are kept."""
    reported: int
    """How many reports the server said are kept."""
    lost: int
    """How many of those are not in the record."""
    twice: int
    """How many acts or reports are in the record more than once."""
    entries: int
    fault: str | None
    """What verification found; None when the record holds."""

    @property
    def holds(self) -> bool:
        """Whether nothing was lost, repeated or broken."""
        return not self.lost and not self.twice and self.fault is None


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def fork(work: Callable[[], None]) -> int:
    """Run something in a process of its own; return its id."""
    child = os.fork()
    if child:
        return child
    log_to_stderr()
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    with suppress(BaseException):  # A forked process never returns into its parent's code.
        work()
    os._exit(0)


def tell(path: Path, line: str) -> None:
    """Add a line to a file: one write, which a kill leaves whole or out."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{line}\n".encode())
    os.close(handle)


def act(number: int) -> Stepped:
    """Return an act that is known by its number: a card, and now and then a round."""
    cards = (turned(at=float(number)),)
    if number % 7:
        return Stepped(Step(cards), NOW)
    name = f"{TABLE}-{number}"
    told = finding(seat=number % 6 + 1)
    return Stepped(
        Step(cards, (proved_finding(trick=number),), (judged(name, findings=[told]),)), NOW
    )


def watch(place: Place, life: int) -> None:
    """Be a watcher until killed: keep acts, and say which are kept."""
    spool = Spool(spool_file(place.data_dir, TABLE))
    with Courier(place.open(), spool, TABLE, patience_s=0.5, retry_s=0.1) as courier:
        courier.settle(5)
        with sealed_every(courier, 0.1):
            courier.keep(Started(START, NOW))
            for number in count(life * 100_000):
                courier.keep(act(number))
                tell(place.seen, str(number))


def serve(place: Place) -> None:
    """Be a server until killed."""
    store = place.open()
    settings = Settings(data_dir=place.data_dir, database=place.database, port=place.port)
    with sealed_every(store, 0.1):
        run(create_app(store, settings), settings)


def report(place: Place, key: str, who: int) -> None:
    """Report payouts for ever, each until the server has said that it is kept."""
    for number in count():
        client_id = f"{who}-{number}"
        body = {"seat": 1, "wager": "ante", "amount": number, "client_id": client_id}
        while not _posted(place, key, body):
            time.sleep(0.02)
        tell(place.reported, client_id)


def _posted(place: Place, key: str, body: dict[str, object]) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=20)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    try:
        connection.request("POST", f"/api/v1/tables/{TABLE}/payouts", json.dumps(body), headers)
        return connection.getresponse().status == 201
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def kill_at_random(place: Place, kills: int, seed: int = 1) -> Outcome:
    """Kill watcher and server at random moments, start them again, and look at what is left."""
    chance = random.Random(seed)  # noqa: S311  # when to kill is no secret
    place.data_dir.mkdir(parents=True, exist_ok=True)
    key = _prepare(place)
    reporters = [fork(partial(report, place, key, who)) for who in range(2)]
    lives = {"watcher": fork(partial(watch, place, 1)), "server": fork(partial(serve, place))}
    try:
        for life in range(2, kills + 2):
            name = chance.choice(("watcher", "server"))
            if chance.random() < 0.7:  # Otherwise it has hardly begun.
                _wait_until_at_work(place, name)
            time.sleep(chance.uniform(0, 1))
            end(lives[name])
            again = partial(watch, place, life) if name == "watcher" else partial(serve, place)
            lives[name] = fork(again)
    finally:
        for process in (*reporters, *lives.values()):
            end(process)
    return _looked_at(place, kills)


def _wait_until_at_work(place: Place, name: str) -> None:
    """Wait until a watcher or server has acknowledged something more."""
    path = place.seen if name == "watcher" else place.reported
    before = path.stat().st_size if path.exists() else 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if path.exists() and path.stat().st_size > before:
            return
        time.sleep(0.01)


def end(process: int) -> None:
    """Kill a process and see it gone."""
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _prepare(place: Place) -> str:
    """Make the record and a reporter's key, in a process that leaves no threads here."""
    readable, writable = os.pipe()

    def work() -> None:
        store = place.open()
        registry = Registry(AccessStore(store))
        _, key = registry.make_key("tray", (Scope.PAYOUTS_WRITE,), By("local"))
        start_table(store, TABLE, START, at=NOW)
        store.close()
        os.write(writable, key.encode())

    os.waitpid(fork(work), 0)
    key = os.read(readable, 1000).decode()
    os.close(readable)
    os.close(writable)
    return key


def _looked_at(place: Place, kills: int) -> Outcome:
    store = place.open()
    with Courier(store, Spool(spool_file(place.data_dir, TABLE)), TABLE) as courier:
        # A busy machine may take long over what waits; what never arrives is counted as lost.
        courier.settle(900)
    store.checkpoint()
    seen = [float(line) for line in _lines(place.seen)]
    reported = list(_lines(place.reported))
    acts = Counter(media_times(store))
    reports = Counter(line.client_id for line in store.feed_lines(TABLE, limit=10_000_000))
    held = verify(store, Outside(place.data_dir))
    store.close()
    return Outcome(
        kills=kills,
        seen=len(seen),
        reported=len(reported),
        lost=sum(one not in acts for one in seen) + sum(one not in reports for one in reported),
        twice=sum(times > 1 for times in (*acts.values(), *reports.values())),
        entries=held.entries,
        fault=None if held.fault is None else str(held.fault),
    )


def _lines(path: Path) -> Iterator[str]:
    if path.exists():
        yield from path.read_text().splitlines()


def media_times(store: Store) -> Iterator[float]:
    """Yield the numbers of the cards at the table, in the order in which they were recorded."""
    last, kinds = 0, [EntryKind.CARD_TURNED]
    while page := store.entries_after(last, table=TABLE, kinds=kinds, limit=5000):
        yield from (entry.body["media_at"] for entry in page)
        last = page[-1].id
