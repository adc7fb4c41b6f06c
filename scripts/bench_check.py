"""Measures how many whist hands `check` judges a second on one core, JSON in and out included.

A hand is one seat of one round. The rounds are random, with a fixed seed; 98 hands in 100 are
played to the rules and paid as due, the rest lay any card. Run it from the root:
`python scripts/bench_check.py`. With the word `memory` it measures how much memory `pitwatch check`
needs for 10,000, 100,000 and 1,000,000 lines, and for a line of 3 GB.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rules.cards import PACK, Card, Suit
from rules.check import check_json, judge
from rules.games.whist_play import legal_cards
from rules.record_json import record_from_json

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 20_000
SLICE = 120
"""Hands measured at a time."""
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


def measure_speed() -> None:
    """Print how many hands are judged a second, for one seat a round and for a full table.

    A busy machine gives other figures from one second to the next. So the lines are taken in short
    slices: the quietest slice is told beside the whole, and as a ratio to what Python's own JSON
    reader and writer take for the same lines.
    """
    for seats in (1, 6):
        lines = [paid_as_due(record) for record in rounds(ROUNDS // seats, seats)]
        taken, plain = [], []
        for first in range(0, len(lines), SLICE // seats):
            part = lines[first : first + SLICE // seats]
            taken.append(_seconds(lambda part=part: sum(map(len, check_json(part)))) / len(part))
            plain.append(_seconds(lambda part=part: _through_json(part)) / len(part))
        whole, quiet = sum(taken) / len(taken), min(taken)
        sys.stdout.write(
            f"{seats} seat(s) a round: {seats / whole:,.0f} hands a second of CPU time, "
            f"{seats / quiet:,.0f} in the quietest slice; "
            f"{quiet / min(plain):.1f} times what json.loads and json.dumps take\n"
        )


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _through_json(lines: list[str]) -> int:
    return sum(len(json.dumps(json.loads(line))) for line in lines)


def measure_memory() -> None:
    """Print the peak memory of `pitwatch check` for ever longer files, and for one endless line."""
    block = "".join(f"{paid_as_due(record)}\n" for record in rounds(1000, 1)).encode()
    for count in (10_000, 100_000, 1_000_000):
        _tell(f"{count:,} lines", (block for _ in range(count // 1000)))
    _tell("one line of 3 GB, then 1,000 good ones", _endless(block))


def _endless(block: bytes) -> Iterator[bytes]:
    piece = b"x" * 1_000_000
    yield from (piece for _ in range(3000))
    yield b"\n" + block


def _tell(what: str, blocks: Iterator[bytes]) -> None:
    """Send blocks to `pitwatch check -` and print what it took."""
    command = [sys.executable, "-m", "audit.cli", "check", "-"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(  # noqa: S603 - this very project
        command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, cwd=ROOT
    ) as child:
        if child.stdin is not None:
            for block in blocks:
                child.stdin.write(block)
            child.stdin.close()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    sys.stdout.write(
        f"{what}: at most {used.ru_maxrss / 1024:,.1f} MiB, exit code {child.returncode}, "
        f"{used.ru_utime + used.ru_stime:,.0f} s of CPU time\n"
    )
    sys.stdout.flush()


def main() -> None:
    """Print the speed, or with `memory` the memory."""
    if sys.argv[1:] == ["memory"]:
        measure_memory()
    else:
        measure_speed()


if __name__ == "__main__":
    main()
