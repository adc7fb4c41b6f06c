"""A round and events for the tests of the web interface."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from audit.store import JudgedRound, ProvedFinding, Step, Store
from audit.tables import TableStart
from rules.cards import Card
from rules.events import (
    CardMoved,
    CardPlaced,
    CardTurned,
    Cents,
    Seat,
    Sighting,
    Spot,
    TableEvent,
    Wager,
    WagerPlaced,
)
from tests.audit import record_builders

START = datetime(2026, 11, 30, 5, 33, tzinfo=UTC)

FOLLOW: dict[str, Any] = {
    "code": "failed-to-follow-suit",
    "seat": 1,
    "trick": 1,
    "rule": "TCW-12a",
    "severity": "high",
    "text": "Seat 1 held JD when 6D was led, and 3C was observed.",
    "proved_by": "JD at trick 3",
}

OVERPAID: dict[str, Any] = {
    "code": "overpaid",
    "seat": 2,
    "trick": None,
    "wager": "play",
    "rule": "TCW-13",
    "severity": "medium",
    "text": "Play of seat 2: due 50.00, paid 75.00.",
    "proved_by": None,
    "due": 5000,
    "paid": 7500,
    "difference": 2500,
}


def record(round_id: str = "T1-0001") -> dict[str, Any]:
    return {
        "round": round_id,
        "game": "three-card-whist",
        "table": "T1",
        "trump": "4H",
        "dealer": ["6D", "5H", "KD"],
        "seats": {
            "1": {
                "wagers": {"ante": 1000, "play": 1000},
                "decision": "play",
                "hand": ["3C", "7H", "JD"],
                "plays": ["3C", "7H", "JD"],
            },
            "2": {
                "wagers": {"ante": 2500, "play": 2500},
                "decision": "play",
                "hand": ["QD", "AH", "TC"],
                "plays": ["QD", "AH", "TC"],
                "paid": {"ante": 2500, "play": 7500},
            },
        },
    }


def result(round_id: str = "T1-0001") -> dict[str, Any]:
    return {
        "round": round_id,
        "outcome": "reconstruct",
        "seats": {
            "1": {
                "tricks": 1,
                "plays": [
                    played("6D", "3C", ["JD"], "breach", won=False),
                    played("5H", "7H", ["7H"], "legal", won=True),
                    played("KD", "JD", ["JD"], "legal", won=False),
                ],
                "category": {},
                "points": None,
                "due": None,
                "status": "reconstruct",
            },
            "2": {
                "tricks": 2,
                "plays": [
                    played("6D", "QD", ["QD"], "legal", won=True),
                    played("5H", "AH", ["AH"], "legal", won=True),
                    played("KD", "TC", ["TC"], "legal", won=False),
                ],
                "category": {},
                "points": None,
                "due": {"ante": 2500, "play": 5000},
                "status": "settled",
            },
        },
        "findings": [FOLLOW, OVERPAID],
        "rules": {"game": "three-card-whist", "house": "default", "version": "sha256:00ff"},
    }


def played(dealer: str, card: str, legal: list[str], verdict: str, *, won: bool) -> dict[str, Any]:
    return {"dealer": dealer, "card": card, "legal": legal, "verdict": verdict, "won": won}


def start_table(store: Store, table: str = "T1") -> None:
    record_builders.start_table(store, table, TableStart("three-card-whist", "clip.mp4"), at=START)


def see(store: Store, events: Iterable[TableEvent], table: str = "T1") -> None:
    # Time goes on from call to call.
    now = store.last_id()
    sightings = tuple(Sighting(event, at=float(now + count)) for count, event in enumerate(events))
    record_builders.see(store, table, sightings, anchor=START)


def find(store: Store, finding: dict[str, Any], table: str = "T1") -> None:
    store.record_finding(table, ProvedFinding(finding, at=14.8, round="T1-0001"), anchor=START)


def end_round(store: Store, *round_ids: str) -> None:
    names = round_ids or ("T1-0001",)
    judged = tuple(JudgedRound(record(name), result(name), at=20.0) for name in names)
    store.record("T1", Step(rounds=judged), anchor=START)


def spot(name: str) -> Spot:
    return Spot.parse(name)


def card(name: str) -> Card:
    return Card.parse(name)


def deal(seats: Iterable[int] = (1, 2), trump: str = "4H") -> list[TableEvent]:
    """Wagers and a whole deal."""
    numbers = list(seats)
    events: list[TableEvent] = [
        WagerPlaced(Seat(number), Wager.ANTE, Cents(1000)) for number in numbers
    ]
    for _ in range(3):
        events += [CardPlaced(spot(f"seat-{number}"), None) for number in numbers]
        events.append(CardPlaced(spot("dealer"), None))
    return [*events, CardPlaced(spot("trump"), card(trump))]


def tricks() -> list[TableEvent]:
    """A whole round: seat 1 discards a club on a diamond at trick 1 and shows one at trick 3."""
    return [
        *deal(),
        *(WagerPlaced(Seat(number), Wager.PLAY, Cents(1000)) for number in (1, 2)),
        *(lead("6D"), answer(2, "QD"), answer(1, "3C")),
        *(lead("5H"), answer(2, "AH"), answer(1, "7S")),
        *(lead("KD"), answer(2, "TC"), answer(1, "JD")),
    ]


def lead(name: str) -> TableEvent:
    return CardTurned(spot("dealer"), card(name))


def answer(seat: int, name: str) -> TableEvent:
    return CardMoved(spot(f"seat-{seat}"), spot(f"seat-{seat}.play"), card(name))
