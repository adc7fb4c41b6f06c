"""A night at the tables: random rounds, judged by the rules, with what goes wrong in real ones."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from audit.store import JudgedRound, Step, Store
from audit.tables import TableStart
from rules.cards import PACK
from rules.check import judge, result_to_json
from rules.events import FeedBack, FeedLost, Sighting
from rules.house import default_house
from rules.record_json import record_from_json
from tests.audit.record_builders import see, start_table, stop_table

Json = dict[str, Any]

EVENING = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)


def whist_round(chance: random.Random, name: str, table: str) -> Json:
    """Return the record of a random round of Three Card Whist, most often played by the rules."""
    cards = [str(card) for card in chance.sample(PACK, 4 + 3 * 6)]
    trump, dealer, rest = cards[0], cards[1:4], cards[4:]
    seats = {
        str(seat): _whist_seat(chance, rest[3 * seat - 3 : 3 * seat], dealer, trump[1])
        for seat in sorted(chance.sample(range(1, 7), chance.randint(2, 6)))
    }
    record: Json = {
        "round": name,
        "game": "three-card-whist",
        "table": table,
        "trump": trump,
        "dealer": dealer,
        "seats": seats,
    }
    if chance.random() < 0.03:
        record["exposed"] = [{"spot": "dealer", "card": dealer[0]}]
    if chance.random() < 0.05:  # a card that nobody could read
        seat = chance.choice(list(seats.values()))
        lost = seat["hand"][0]
        for where in ("hand", "plays"):
            seat[where] = [None if card == lost else card for card in seat[where]]
    return record


def _whist_seat(chance: random.Random, hand: list[str], dealer: list[str], trump: str) -> Json:
    ante = chance.choice((500, 1000, 2500, 10000))
    wagers = {"ante": ante}
    if chance.random() < 0.4:
        wagers["bonus"] = 500
    if chance.random() < 0.4:
        return {"wagers": wagers, "decision": "fold", "hand": hand, "plays": []}
    left, plays = list(hand), []
    for led in dealer:
        suited = [card for card in left if card[1] == led[1]]
        trumps = [card for card in left if card[1] == trump]
        allowed = suited or trumps or left
        card = chance.choice(left if chance.random() < 0.03 else allowed)
        left.remove(card)
        plays.append(card)
    return {"wagers": wagers | {"play": ante}, "decision": "play", "hand": hand, "plays": plays}


def judged_round(chance: random.Random, name: str, table: str) -> tuple[Json, Json]:
    """Return a round's record, with its payouts, and what the check makes of it."""
    record = whist_round(chance, name, table)
    result = result_to_json(judge(record_from_json(record)))
    for seat, came in result["seats"].items():
        due = came["due"]
        if due is not None and None not in due.values():
            record["seats"][seat]["paid"] = _paid(chance, due)
    return record, result_to_json(judge(record_from_json(record)))


def _paid(chance: random.Random, due: dict[str, int]) -> dict[str, int]:
    paid = dict(due)
    if chance.random() < 0.02:
        wager = chance.choice(list(paid))
        paid[wager] += chance.choice((-500, 500, 1000))
    return paid


def rounds(seed: int, count: int, table: str) -> Iterator[tuple[Json, Json]]:
    """Yield some rounds of a table, always the same for a seed."""
    chance = random.Random(seed)  # noqa: S311  # no secret
    for number in range(1, count + 1):
        yield judged_round(chance, f"{table}-20261128-{number:04d}", table)


def play_night(store: Store, count: int = 40, tables: tuple[str, ...] = ("T1", "T2")) -> None:
    """Put a night into the record: some tables, a lost camera, alerts that people looked at."""
    house = default_house().version
    for place, table in enumerate(tables):
        start = TableStart("three-card-whist", "rtsp://camera/1", "l", house, "m", "0.1.0")
        start_table(store, table, start, at=EVENING)
        for number, (record, result) in enumerate(rounds(7 + place, count, table)):
            at = 90.0 * (number + 1)
            record["started"] = (EVENING + timedelta(seconds=at - 60)).isoformat()
            step = Step(rounds=(JudgedRound(record, result, at=at),))
            store.record(table, step, anchor=EVENING)
        lost = EVENING + timedelta(seconds=90 * count + 60)
        gap = (
            Sighting(FeedLost("no frames for 10 s"), lost.timestamp()),
            Sighting(FeedBack(), lost.timestamp() + 300),
        )
        see(store, table, gap)
        stop_table(store, table, at=lost + timedelta(seconds=600), reason="closed")
    for alert in list(reversed(store.alerts()))[:6]:
        store.acknowledge(alert.number, user="kim", at=alert.opened + timedelta(seconds=20))
