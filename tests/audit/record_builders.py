"""Builds what the record's tests write."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from audit.merkle import Frontier
from audit.rounds import RecordedRound
from audit.store import EPOCH, JudgedRound, ProvedFinding, Step, Store, Written
from audit.store.delivery import Act, Sent, Started, Stopped
from audit.tables import StepMark, TableStart
from rules.cards import Card
from rules.events import CardTurned, FeedBack, FeedLost, Sighting, Spot

NOW = datetime(2026, 11, 30, 5, 33, tzinfo=UTC)

START = TableStart(
    game="three-card-whist",
    source="rtsp://***@10.0.0.7/main",
    layout="sha256:1",
    house="sha256:2",
    model="sha256:3",
    software="0.1.0",
)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def record_round(
    store: Store, table: str, told: JudgedRound, *, anchor: datetime = EPOCH
) -> RecordedRound:
    """Record a round; return it as the record then has it."""
    store.record(table, Step(rounds=(told,)), anchor=anchor)
    return store.round(told.record["round"])


def see(
    store: Store, table: str, sightings: Iterable[Sighting], *, anchor: datetime = EPOCH
) -> Written:
    """Record what was observed at a table, in one transaction."""
    return store.record(table, Step(sightings=tuple(sightings)), anchor=anchor)


def deliver(store: Store, table: str, act: Act, mark: StepMark) -> bool:
    """Record one act of a watcher, as its courier does; say whether it was new."""
    return store.deliver_all(table, [Sent(mark, act)]) == 1


def start_table(store: Store, table: str, start: TableStart, *, at: datetime) -> None:
    """Begin watching a table, as its watcher does."""
    deliver(store, table, Started(start, at), StepMark(uuid4().hex, 1))


def stop_table(store: Store, table: str, *, at: datetime, reason: str = "") -> None:
    """End watching a table, as its watcher does."""
    deliver(store, table, Stopped(reason, at), StepMark(uuid4().hex, 1))


def root_of(leaves: Iterable[bytes]) -> str:
    """Return the root of the Merkle tree over some leaves."""
    tree = Frontier()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root()


def turned(card: str = "KD", at: float = 1.0, spot: str = "dealer") -> Sighting:
    return Sighting(CardTurned(Spot.parse(spot), Card.parse(card)), at, 0.999, round(at * 25))


def finding(code: str = "failed-to-follow-suit", **fields: object) -> dict[str, Any]:
    return {
        "code": code,
        "seat": 1,
        "trick": 1,
        "rule": "TCW-12a",
        "severity": "high",
        "text": "Observed: 5D on a heart.",
        "proved_by": "9S at trick 3",
    } | fields


def proved(code: str = "failed-to-follow-suit", **fields: object) -> ProvedFinding:
    return ProvedFinding(finding(code, **fields), at=3.0, round="T1-1", frame=75)


def judged(round_id: str = "T1-1", paid: int = -1000, **result: object) -> JudgedRound:
    seats = {"1": {"wagers": {"ante": 1000, "play": 1000}, "paid": {"ante": paid, "play": -1000}}}
    record = {
        "round": round_id,
        "game": "three-card-whist",
        "table": "T1",
        "seats": seats,
        "started": "2026-11-30T05:33:00.000Z",
    }
    due = {"1": {"status": "settled", "due": {"ante": -1000, "play": -1000}}}
    judgement = {"round": round_id, "outcome": "complete", "seats": due, "findings": []}
    return JudgedRound(record, judgement | result, at=20.0)


def gap(store: Store, table: str, since: datetime, until: datetime) -> None:
    """Record a time that is over in which nothing could be seen."""
    lost = Sighting(FeedLost("dark"), at=since.timestamp())
    see(store, table, (lost, Sighting(FeedBack(), at=until.timestamp())))


def busy_table(store: Store, table: str = "T1", rounds: int = 2) -> None:
    """Write a bit of everything."""
    start_table(store, table, START, at=NOW)
    for number in range(1, rounds + 1):
        name = f"{table}-{number}"
        see(store, table, [turned("KD", 1.0 + number), turned("9S", 2.0 + number)], anchor=NOW)
        told = ProvedFinding(finding(seat=number), at=3.0 + number, round=name)
        store.record_finding(table, told, anchor=NOW)
        record_round(store, table, judged(name, findings=[finding(seat=number)]), anchor=NOW)


def kinds(store: Store, table: str = "T1") -> list[str]:
    """The kinds of a table's entries, in order."""
    return [entry.kind.value for entry in store.entries_after(table=table, limit=1000)]
