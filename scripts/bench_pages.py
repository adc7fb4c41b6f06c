"""Measures how fast every page answers over a big record: 100 000 rounds, a million entries.

The record is made up in a few minutes: real rounds, judged by the rules, with true hashes and true
projections, written in bulk. The pages are asked of `pitwatch serve`, a process of its own. Run it
from the repository's root:

    python scripts/bench_pages.py                              in a temporary folder
    python scripts/bench_pages.py --folder /data               there; what lies there is taken up
"""

import argparse
import json
import math
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench_check import paid_as_due, rounds
from bench_server import Serving

from audit.chain import GENESIS, SYSTEM, Entry, EntryKind, Head, JsonObject, hash_text, utc_text
from audit.database import WRITING
from audit.projections import project
from audit.records import RECORD_OF
from audit.rows import Key, R, Row, key_of, values_of
from audit.settings import Settings
from audit.store import RoundSearch, Store, open_store
from rules.check import judge, result_to_json
from rules.house import default_house
from rules.record_json import record_from_json

BEGIN = datetime(2026, 9, 1, 5, 0, tzinfo=UTC)
TABLES = tuple(f"T{number}" for number in range(1, 9))
SEATS = 3
EACH = 10
"""Entries a round, of which one is the round itself."""
ROUND_S = 60.0
"""From one round of all tables to the next, in seconds."""
PATTERNS = 400
"""Different rounds; they come again under new names."""
ROUND, TABLE = "@round@", "@table@"
"""Marks in a pattern where rounds differ."""
OPEN_ALERTS = 40
"""Alerts that nobody has judged yet."""
BATCH = 500
"""Rounds written at a time."""
LIMIT_MS = 100.0
"""What every page has to keep, at the 95th percentile."""


class Chains:
    """Makes entries with true hashes, and gathers the rows that follow from them."""

    def __init__(self, store: Store) -> None:
        self.id = store.last_id()
        self._heads = {chain: Head(chain, 0, GENESIS) for chain in TABLES}
        self._heads |= {head.chain: head for head in store.chain_heads()}
        self._known: dict[tuple[type[object], Key], object] = {}
        self._alerts = 0
        self.rows: dict[str, list[dict[str, Any]]] = {}

    def find(self, kind: type[R], key: Key) -> R | None:
        """Return a projection that stands already; only alerts are asked for again."""
        found = self._known.get((kind, key))
        return found if isinstance(found, kind) else None

    def add(self, chain: str, kind: EntryKind, text: str, at: datetime) -> Entry:
        """Add an entry whose body is canonical JSON already; return it without its body."""
        head, self.id = self._heads[chain], self.id + 1
        moment = utc_text(at)
        value = hash_text(head, moment, kind.value, text)
        self._heads[chain] = Head(chain, head.number + 1, value)
        stored = {"id": self.id, "chain": chain, "number": head.number + 1, "at": moment}
        stored |= {"kind": kind.value, "body": text, "previous": head.hash, "hash": value}
        self.rows.setdefault("entry", []).append(stored)
        return Entry(self.id, chain, head.number + 1, at, kind, {}, head.hash, value)

    def append(self, chain: str, kind: EntryKind, body: JsonObject, at: datetime) -> None:
        """Add an entry and what follows from it."""
        entry = replace(self.add(chain, kind, plain(body), at), body=body)
        for row in project(entry, self):
            table, values = stored_row(row)
            self.rows.setdefault(table, []).append(values)
            self._known[type(row), key_of(row)] = row

    def raise_finding(self, chain: str, round_id: str, finding: JsonObject, at: datetime) -> None:
        """Add a finding and its alert, and what the pit does with an earlier one."""
        self._alerts += 1
        body = {"alert": self._alerts, "round": round_id, "finding": finding}
        seen = {"media_at": at.timestamp(), "frame": 1}
        self.append(chain, EntryKind.FINDING_RAISED, body | seen, at)
        judged = self._alerts - OPEN_ALERTS
        if judged < 1:
            return
        for to in ("acknowledged", "confirmed" if judged % 3 else "not-confirmed"):
            act = {"alert": judged, "to": to, "user": "kim", "note": ""}
            self.append(SYSTEM, EntryKind.ALERT_MOVED, act, at)


def plain(body: JsonObject) -> str:
    """Return a body as JSON. Bodies here are plain, so this is their canonical form."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def stored_row(row: Row) -> tuple[str, dict[str, Any]]:
    """Return the table of a projection, and the row as SQLite keeps it."""
    values: dict[str, Any] = {}
    for name, value in values_of(row).items():
        match value:
            case datetime():
                values[name] = utc_text(value)
            case dict() | list():
                values[name] = plain({"": value})[4:-1]
            case Enum():
                values[name] = value.value
            case _:
                values[name] = value
    return str(RECORD_OF[type(row)].__tablename__), values


@dataclass(frozen=True, slots=True)
class Pattern:
    """A judged round, and the rows that follow from it, with marks where rounds differ."""

    record: JsonObject
    body: str
    findings: list[JsonObject]
    rows: list[tuple[str, dict[str, Any]]]

    @classmethod
    def of(cls, record: JsonObject) -> Self:
        """Return the pattern of a round record."""
        result = result_to_json(judge(record_from_json(record)))
        marked = record | {"round": ROUND, "table": TABLE, "started": utc_text(BEGIN)}
        body: JsonObject = {"record": marked, "result": result | {"round": ROUND}}
        body |= {"corrects": None, "media_at": BEGIN.timestamp()}
        entry = Entry(0, TABLE, 1, BEGIN, EntryKind.ROUND_READ, body, GENESIS, GENESIS)
        rows = [stored_row(row) for row in project(entry, Nothing())]
        return cls(record, plain(body), result["findings"], rows)

    def filled(self, values: dict[str, Any], name: str, entry: Entry) -> dict[str, Any]:
        """Return one of its rows for a round of a name."""
        at = utc_text(entry.at)
        told = {"round": name, "table": entry.chain, "entry": entry.id, "at": at}
        told |= {"recorded": at, "started": at}
        row = values | {key: value for key, value in told.items() if key in values}
        if "record" in row:
            row["record"] = row["record"].replace(ROUND, name).replace(TABLE, entry.chain)
            row["result"] = row["result"].replace(ROUND, name)
        return row


class Nothing:
    """What is known before the first entry."""

    def find(self, kind: type[R], key: Key) -> R | None:  # noqa: ARG002 - it knows nothing
        """Return nothing."""
        return None


def patterns() -> list[Pattern]:
    """Return rounds with their judgements; one in twenty is paid otherwise than is due."""
    made = []
    for number, told in enumerate(rounds(PATTERNS, SEATS)):
        record: JsonObject = json.loads(paid_as_due(told))
        paid = record["seats"]["1"].get("paid")
        if paid and number % 20 == 0:
            paid["play"] += 500
        made.append(Pattern.of(record))
    return made


def fill(store: Store, count: int) -> None:
    """Write rounds and the entries around them."""
    known = patterns()
    chains = Chains(store)
    start = {"game": "three-card-whist", "source": "rtsp://10.0.0.7/main", "layout": "sha256:1"}
    start |= {"house": default_house().version, "model": "sha256:3", "software": "0.1.0"}
    for table in TABLES:
        body = start | {"since": None, "unwatched_from": None}
        chains.append(table, EntryKind.TABLE_STARTED, body, BEGIN)
    for number in range(count):
        at = BEGIN + timedelta(seconds=ROUND_S * (number // len(TABLES)) + number % len(TABLES))
        add_round(chains, number, at, known[number % len(known)])
        if number % BATCH == BATCH - 1:
            write(store, chains)
            tell(f"\r{number + 1} rounds, {chains.id} entries", end="")
    write(store, chains)
    tell("")


def add_round(chains: Chains, number: int, at: datetime, pattern: Pattern) -> None:
    """Add a round with the cards seen before it."""
    table = TABLES[number % len(TABLES)]
    name = f"{table}-{at:%Y%m%d}-{number:06d}"
    for place in range(EACH - 1):
        seen = at + timedelta(seconds=3 * place)
        body = {
            "kind": "card-turned",
            "spot": "dealer",
            "card": pattern.record["dealer"][place % 3],
        }
        body |= {"media_at": seen.timestamp(), "confidence": 0.998, "frame": 25 * place}
        chains.add(table, EntryKind.CARD_TURNED, plain(body), seen)
    end = at + timedelta(seconds=ROUND_S / 2)
    for finding in pattern.findings:
        chains.raise_finding(table, name, finding, end)
    text = pattern.body.replace(ROUND, name).replace(TABLE, table)
    entry = chains.add(table, EntryKind.ROUND_READ, text, end)
    for kind, values in pattern.rows:
        chains.rows.setdefault(kind, []).append(pattern.filled(values, name, entry))


def write(store: Store, chains: Chains) -> None:
    """Write what has gathered, in one transaction."""
    with store.engine.execution_options(**{WRITING: True}).begin() as connection:
        for table, rows in chains.rows.items():
            names = list(rows[0])
            columns, marks = ", ".join(f'"{n}"' for n in names), ", ".join("?" for _ in names)
            into = f'INSERT OR REPLACE INTO "{table}" ({columns}) VALUES ({marks})'  # noqa: S608 - our own names
            connection.exec_driver_sql(into, [tuple(row[n] for n in names) for row in rows])
    chains.rows.clear()


def tell(line: str, end: str = "\n") -> None:
    """Write a line of the result."""
    sys.stdout.write(line + end)
    sys.stdout.flush()


def pages(store: Store) -> list[str]:
    """Return the addresses that are measured: every page, and the searches that find least."""
    flagged = store.search_rounds(RoundSearch(flagged=True, limit=1))[0].round
    old = store.search_rounds(RoundSearch(until=BEGIN + timedelta(hours=1), limit=1))[0]
    return [
        "/",
        "/fragments/tiles",
        "/fragments/alerts",
        "/tables/T1/dealer",
        "/rounds",
        f"/rounds?before={old.entry}",
        "/rounds?table=T3&seat=2",
        "/rounds?card=2S&card=3S&card=4S&card=5S",
        "/rounds?finding=overpaid&table=T5",
        "/rounds?amount=123.45",
        "/rounds?since=2026-09-02T10:00&until=2026-09-02T11:00",
        f"/rounds/{flagged}",
        f"/replay/{flagged}",
        "/payouts",
        "/payouts?amount=123.45&of=paid",
        "/payouts?amount=15&of=paid&least=1",
        "/payouts?unsettled=1&table=T2",
        "/payouts?since=2026-09-02T10:00&until=2026-09-02T11:00",
        "/audit",
        "/audit?kind=user.alert.moved&chain=system",
        "/audit?until=2026-09-02T10:00",
        f"/audit/entries/{old.entry}",
        "/cases",
        "/log",
        "/approvals",
        "/access",
    ]


def measure(serving: Serving, paths: list[str], times: int) -> bool:
    """Ask for every page again and again, tell how long each took; say whether all keep the limit.

    What is kept is judged by the server's own time: on a busy machine the clock on the wall says
    more about the others.
    """
    tell(f"{'ms':64}  by the clock: p50    p95    max   of its own: p50    p95    max   load")
    kept = True
    for path in paths:
        serving.ask(path)  # The first answer also compiles the page's template.
        taken = [serving.ask(path) for _ in range(times)]
        told = []
        for part in (0, 1):
            one = sorted(row[part] for row in taken)
            late = one[max(0, math.ceil(len(one) * 0.95) - 1)]
            told += [statistics.median(one), late, one[-1]]
        kept = kept and told[4] < LIMIT_MS
        clock, own = ("".join(f"{value:7.1f}" for value in told[at : at + 3]) for at in (0, 3))
        tell(f"{path[:64]:64}{clock:>27}{own:>32}{os.getloadavg()[0]:7.1f}")
    return kept


def main() -> int:
    """Fill a record and measure every page over it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, help="default: a temporary one")
    parser.add_argument("--rounds", type=int, default=100_000, help="how many to make up")
    parser.add_argument("--times", type=int, default=40, help="how often to ask for each page")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        settings = Settings(data_dir=arguments.folder or Path(temporary))
        store = open_store(settings.database_url, settings.data_dir)
        if not store.rounds(limit=1):
            fill(store, arguments.rounds)
        store.checkpoint()
        tell(f"{store.last_id()} entries")
        paths = pages(store)
        store.close()
        with Serving(settings) as serving:
            kept = measure(serving, paths, arguments.times)
        tell(f"every page under {LIMIT_MS:.0f} ms of its own at p95: {'yes' if kept else 'NO'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
