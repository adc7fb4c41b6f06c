"""Measures how fast every page answers over a big record: 100 000 rounds, a million entries.

The record is made up in a few minutes: real rounds, judged by the rules, with true hashes and true
projections, written in bulk. Run it from the repository's root:

    python scripts/bench_pages.py                              in a temporary folder
    python scripts/bench_pages.py --folder /data --keep        keeps it, and takes it up again
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent)]

import httpx
from bench_check import paid_as_due, rounds
from sqlalchemy import insert

from audit.alerts import Alert
from audit.chain import GENESIS, SYSTEM, Entry, EntryKind, Head, JsonObject, hash_text, utc_text
from audit.database import WRITING
from audit.projections import project
from audit.records import RECORD_OF, EntryRecord
from audit.rows import Key, R, key_of, values_of
from audit.settings import Settings
from audit.store import Store, open_store
from audit.web.app import create_app
from rules.check import judge, result_to_json
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
OPEN_ALERTS = 40
"""Alerts that nobody has judged yet."""
BATCH = 500
"""Rounds written at a time."""
LIMIT_MS = 100.0
"""What every page has to keep, at the 95th percentile."""


class Chains:
    """Makes entries with true hashes, and the projections that follow from them."""

    def __init__(self, store: Store) -> None:
        self.id = store.last_id()
        self._heads = {chain: Head(chain, 0, GENESIS) for chain in TABLES}
        self._heads |= {head.chain: head for head in store.chain_heads()}
        self._known: dict[tuple[type[object], Key], object] = {}
        self._alerts = 0
        self.entries: list[dict[str, Any]] = []
        self.rows: dict[type[object], dict[Key, dict[str, Any]]] = {}

    def find(self, kind: type[R], key: Key) -> R | None:
        """Return a projection that stands already."""
        found = self._known.get((kind, key))
        return found if isinstance(found, kind) else None

    def append(self, chain: str, kind: EntryKind, body: JsonObject, at: datetime) -> None:
        """Add an entry. Bodies here are plain, so sorted compact JSON is their canonical form."""
        head, self.id = self._heads[chain], self.id + 1
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        value = hash_text(head, utc_text(at), kind.value, text)
        entry = Entry(self.id, chain, head.number + 1, at, kind, body, head.hash, value)
        self._heads[chain] = Head(chain, entry.number, value)
        stored = {"id": entry.id, "chain": chain, "number": entry.number, "at": at}
        stored |= {"kind": kind.value, "body": text, "previous": head.hash, "hash": value}
        self.entries.append(stored)
        for row in project(entry, self):
            self.rows.setdefault(type(row), {})[key_of(row)] = values_of(row)
            if isinstance(row, Alert):
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


def patterns() -> list[tuple[JsonObject, JsonObject]]:
    """Return rounds with their judgements; one in twenty is paid otherwise than is due."""
    made = []
    for number, told in enumerate(rounds(PATTERNS, SEATS)):
        record: JsonObject = json.loads(paid_as_due(told))
        paid = record["seats"]["1"].get("paid")
        if paid and number % 20 == 0:
            paid["play"] += 500
        made.append((record, result_to_json(judge(record_from_json(record)))))
    return made


def fill(store: Store, count: int) -> None:
    """Write rounds and the entries around them."""
    known = patterns()
    chains = Chains(store)
    start = {"game": "three-card-whist", "source": "rtsp://10.0.0.7/main", "layout": "sha256:1"}
    start |= {"house": known[0][1]["rules"]["version"], "model": "sha256:3", "software": "0.1.0"}
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


def add_round(
    chains: Chains, number: int, at: datetime, pattern: tuple[JsonObject, JsonObject]
) -> None:
    """Add a round with the cards seen before it."""
    table = TABLES[number % len(TABLES)]
    name = f"{table}-{at:%Y%m%d}-{number:06d}"
    record = pattern[0] | {"round": name, "table": table, "started": utc_text(at)}
    result = pattern[1] | {"round": name}
    for place in range(EACH - 1):
        seen = at + timedelta(seconds=3 * place)
        body = {"kind": "card-turned", "spot": "dealer", "card": record["dealer"][place % 3]}
        body |= {"media_at": seen.timestamp(), "confidence": 0.998, "frame": 25 * place}
        chains.append(table, EntryKind.CARD_TURNED, body, seen)
    end = at + timedelta(seconds=ROUND_S / 2)
    for finding in result["findings"]:
        chains.raise_finding(table, name, finding, end)
    body = {"record": record, "result": result, "corrects": None, "media_at": end.timestamp()}
    chains.append(table, EntryKind.ROUND_READ, body, end)


def write(store: Store, chains: Chains) -> None:
    """Write what has gathered, in one transaction."""
    with store.engine.execution_options(**{WRITING: True}).begin() as connection:
        if chains.entries:
            connection.execute(insert(EntryRecord), chains.entries)
        for kind, rows in chains.rows.items():
            into = insert(RECORD_OF[kind]).prefix_with("OR REPLACE")
            connection.execute(into, list(rows.values()))
    chains.entries.clear()
    chains.rows.clear()


def tell(line: str, end: str = "\n") -> None:
    """Write a line of the result."""
    sys.stdout.write(line + end)
    sys.stdout.flush()


def main() -> None:
    """Fill a record and measure every page over it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, help="default: a temporary one")
    parser.add_argument("--rounds", type=int, default=100_000, help="how many to make up")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        settings = Settings(data_dir=arguments.folder or Path(temporary))
        store = open_store(settings.database_url, settings.data_dir)
        if not store.rounds(limit=1):
            fill(store, arguments.rounds)
        tell(f"{store.last_id()} entries")
        store.close()


if __name__ == "__main__":
    main()
