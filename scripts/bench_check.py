"""Measures how many whist hands `check` judges a second on one core, JSON in and out included.

A hand is one seat of one round. The rounds are random, with a fixed seed; 98 hands in 100 are
played to the rules and paid as due, the rest lay any card. Run it from the root:
`python scripts/bench_check.py`.
"""

import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rules.cards import PACK, Card, Suit
from rules.check import check_json, judge
from rules.games.whist_play import legal_cards
from rules.record_json import record_from_json

ROUNDS = 20_000
SEED = 20_261_130


def rounds(count: int, seats: int) -> Iterator[dict[str, Any]]:
    """Give random round records."""
    dice = random.Random(SEED)  # noqa: S311 - a measurement, not a secret
    for number in range(count):
        pack = dice.sample(PACK, 4 + 3 * seats)
        trump, dealer, rest = pack[0], pack[1:4], pack[4:]
        hands = [rest[3 * seat : 3 * seat + 3] for seat in range(seats)]
        record: dict[str, Any] = {
            "round": f"B1-20261130-{number:06d}",
            "game": "three-card-whist",
            "table": "B1",
            "trump": str(trump),
            "dealer": [str(card) for card in dealer],
            "seats": {
                str(seat): _seat(hand, dealer, trump, dice)
                for seat, hand in enumerate(hands, start=1)
            },
        }
        yield record


def paid_as_due(record: dict[str, Any]) -> str:
    """Return a record as a line, with what was due as what was paid."""
    result = judge(record_from_json(record))
    for number, seat in result.seats.items():
        if seat.due is not None:
            record["seats"][str(number)]["paid"] = {str(w): due for w, due in seat.due.items()}
    return json.dumps(record)


def _seat(hand: list[Card], dealer: list[Card], trump: Card, dice: random.Random) -> dict[str, Any]:
    plays = _plays(list(hand), dealer, trump.suit, dice)
    return {
        "wagers": {"ante": 1000, "play": 1000, "bonus": 500},
        "decision": "play",
        "hand": [str(card) for card in hand],
        "plays": [str(card) for card in plays],
    }


def _plays(held: list[Card], dealer: list[Card], trump: Suit, dice: random.Random) -> list[Card]:
    plays = []
    by_the_rules = dice.random() < 0.98
    for lead in dealer:
        card = dice.choice(legal_cards(held, lead.suit, trump) if by_the_rules else held)
        held.remove(card)
        plays.append(card)
    return plays


def main() -> None:
    """Print the figures for one seat a round and for a full table."""
    for seats in (1, 6):
        lines = [paid_as_due(record) for record in rounds(ROUNDS // seats, seats)]
        began = time.process_time()
        size = sum(len(text) for text in check_json(lines))
        seconds = time.process_time() - began
        hands = len(lines) * seats
        sys.stdout.write(
            f"{seats} seat(s) a round: {hands / seconds:,.0f} hands a second of CPU time "
            f"({hands:,} hands, {size / 1e6:.1f} MB out)\n"
        )


if __name__ == "__main__":
    main()
