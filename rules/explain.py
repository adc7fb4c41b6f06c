"""Findings explained in plain English and Korean, from the facts that each one carries."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum, unique

from rules.cards import Card
from rules.events import Cents, Spot
from rules.findings import Finding, FindingCode, Severity
from rules.words import (
    DURATION,
    INSTRUCT,
    KOREAN_PROOFS,
    NONE_SEEN,
    NOTES,
    PROOF,
    SENTENCES,
    SPOTS,
    UNKNOWN,
    WAGERS,
    WATCH,
)


@unique
class Language(StrEnum):
    """A language that findings are explained in."""

    ENGLISH = "en"
    KOREAN = "ko"


_BREACHES = (FindingCode.FAILED_TO_FOLLOW_SUIT, FindingCode.FAILED_TO_TRUMP)


def explain(
    finding: Finding,
    language: Language = Language.ENGLISH,
    own: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """Return what a finding says, in sentences that a person understands without the code.

    Args:
        finding: What was found.
        language: The language to say it in.
        own: A game's own sentences, language → code → template, which come first.

    >>> finding = Finding(FindingCode.PLAYED_OUT_OF_TURN, "TCW-11", Severity.LOW, 2, 1)
    >>> explain(finding)
    "Seat 2, trick 1: a card was played before the dealer's card was turned."
    """
    sentences = {**SENTENCES[language], **(own or {}).get(language, {})}
    parts = [sentences[finding.code.value].format_map(_facts(finding, language))]
    if finding.code in _BREACHES:
        parts.append(f"({finding.rule})")
        if finding.proved_by is not None:
            parts.append(PROOF[language].format(proof=_proof(finding.proved_by, language)))
    if finding.note is not None:
        parts.append(NOTES[language][finding.note])
    if finding.code in _BREACHES:
        parts.append((WATCH if finding.severity is Severity.CRITICAL else INSTRUCT)[language])
    return " ".join(parts)


def _facts(finding: Finding, language: Language) -> dict[str, str]:
    """Return every value that a sentence may name."""
    seconds = "" if finding.seconds is None else f"{finding.seconds:.1f}"
    return {
        "seat": str(finding.seat or ""),
        "trick": str(finding.trick or ""),
        "rule": finding.rule,
        "wager": WAGERS[language][finding.wager] if finding.wager else "",
        "lead": _card(finding.lead, language),
        "played": _card(finding.played, language),
        "card": _card(finding.card, language),
        "held": _cards(finding.held, language),
        "allowed": _cards(finding.allowed, language),
        "spot": "" if finding.spot is None else _place(finding.spot, language),
        "places": ", ".join(_place(Spot.parse(place), language) for place in finding.places),
        "expected": str(finding.expected),
        "found": str(finding.found),
        "expected_money": money(Cents(finding.expected or 0)),
        "found_money": money(Cents(finding.found or 0)),
        "due_money": money(finding.due or Cents(0), signed=True),
        "difference_money": money(finding.difference, signed=True),
        "paid_money": (
            NONE_SEEN[language] if finding.paid is None else money(finding.paid, signed=True)
        ),
        "duration": DURATION[language].format(seconds=seconds) if seconds else "",
    }


def money(amount: Cents, *, signed: bool = False, grouped: bool = False) -> str:
    """Return an amount as people write it: two decimals, and with the sign where it is net.

    >>> money(Cents(-1050)), money(Cents(500), signed=True)
    ('-10.50', '+5.00')
    >>> money(Cents(123456789), grouped=True)
    '1,234,567.89'
    """
    whole, cents = divmod(abs(amount), 100)
    sign = "-" if amount < 0 else "+" if signed and amount > 0 else ""
    return f"{sign}{whole:,}.{cents:02d}" if grouped else f"{sign}{whole}.{cents:02d}"


def _place(spot: Spot, language: Language) -> str:
    words = SPOTS[language]
    return words[spot.area] if spot.seat is None else words["seat"].format(seat=spot.seat)


def _card(card: Card | None, language: Language) -> str:
    return UNKNOWN[language] if card is None else str(card)


def _cards(cards: Iterable[Card], language: Language) -> str:
    return ", ".join(map(str, cards)) or UNKNOWN[language]


def _proof(proof: str, language: Language) -> str:
    if language is Language.ENGLISH:
        return proof
    for pattern, korean in KOREAN_PROOFS:
        if re.fullmatch(pattern, proof):
            return re.sub(pattern, korean, proof)
    return proof
