"""What rounds are searched by: a few small columns, so that a search reads no round as a whole."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from audit.payouts import RoundEntry, payout_lines
from rules.cards import PACK

_BIT_OF = {str(card): 1 << place for place, card in enumerate(PACK)}


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round as searches see it, in its newest version."""

    round: str
    entry: int
    """The entry with this version."""
    table: str
    at: datetime
    """When the round ended or was read, in UTC."""
    outcome: str
    seats: int
    """A bit a seat that took part: 2 for seat 1, 4 for seat 2 and so on."""
    cards: int
    """A bit a card that was seen face up; see `card_bits`."""
    findings: str
    """The codes of what was found, each between spaces; empty when there is nothing."""
    amounts: str
    """Every stake, amount due, amount paid and difference but zero, without sign, between spaces.
    """


_SEATS = frozenset("123456")
"""A record of an odd form is kept and shown; it is found by what of it can be understood."""


def card_bits(cards: Iterable[object]) -> int:
    """Return the set of some cards as bits; what is no card of the pack counts for nothing.

    >>> card_bits(["TD"]) == card_bits(["TD", "?"]) != 0
    True
    """
    bits = 0
    for card in cards:
        bits |= _BIT_OF.get(card, 0) if isinstance(card, str) else 0
    return bits


def facts_of(judged: RoundEntry, outcome: str) -> RoundFacts:
    """Return what a round is searched by.

    Args:
        judged: The round with the entry that it stands in.
        outcome: How the round ended, as its row says.
    """
    record = judged.record
    seats = record.get("seats") or {}
    codes = dict.fromkeys(str(found["code"]) for found in judged.result.get("findings") or ())
    return RoundFacts(
        round=record["round"],
        entry=judged.entry,
        table=judged.table,
        at=judged.at,
        outcome=outcome,
        seats=sum(1 << int(number) for number in seats if str(number) in _SEATS),
        cards=card_bits(_cards(record)),
        findings=_between_spaces(codes),
        amounts=_between_spaces(dict.fromkeys(map(str, _amounts(judged)))),
    )


def _between_spaces(words: Iterable[str]) -> str:
    text = " ".join(words)
    return f" {text} " if text else ""


def _cards(record: Mapping[str, Any]) -> Iterator[str]:
    for seat in (record.get("seats") or {}).values():
        for name in ("hand", "plays"):
            yield from filter(None, seat.get(name) or ())
    yield from filter(None, (record.get("trump"), *(record.get("dealer") or ())))
    for seen in record.get("exposed") or ():
        if seen.get("card"):
            yield seen["card"]


def _amounts(judged: RoundEntry) -> Iterator[int]:
    for line in payout_lines(judged):
        for amount in (line.staked, line.due, line.paid, line.difference):
            if isinstance(amount, int) and amount:
                yield abs(amount)
