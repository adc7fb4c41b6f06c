"""Judgements in the published form that `pitwatch check` prints: one JSON object a line."""

import json
from functools import lru_cache
from typing import Any

from rules.cards import PACK
from rules.events import UNREADABLE, Face, face_text
from rules.explain import explain
from rules.findings import Finding
from rules.games import GAMES
from rules.result import PlayResult, Result, RulesStamp, SeatResult

_ENCODER = json.JSONEncoder(ensure_ascii=False)
_FACES: dict[Face, str] = {face: json.dumps(face_text(face)) for face in (*PACK, None, UNREADABLE)}
_TRUTH = {True: "true", False: "false", None: "null"}


def result_line(result: Result) -> str:
    """Return a judgement as the line that `pitwatch check` prints for it.

    The line is put together out of its pieces, not out of nested objects: most of what `check` does
    is reading and writing, and whole nights are checked.

    >>> from rules.result import Outcome
    >>> stamp = RulesStamp("three-card-whist", "default", "sha256:0")
    >>> result_line(Result("a", Outcome.COMPLETE, {}, (), stamp))[:50]
    '{"round": "a", "outcome": "complete", "seats": {},'
    """
    seats = ", ".join([f'"{number}": {_seat(seat)}' for number, seat in result.seats.items()])
    findings = ""
    if result.findings:
        game = result.rules.game
        told = [_ENCODER.encode(finding_to_json(finding, game)) for finding in result.findings]
        findings = ", ".join(told)
    # `!s` writes a member of an enumeration as the text that it is, in a third of the time.
    return (
        f'{{"round": {_ENCODER.encode(result.round)}, "outcome": "{result.outcome!s}", '
        f'"seats": {{{seats}}}, "findings": [{findings}], "rules": {_stamp(result.rules)}}}'
    )


def result_to_json(result: Result) -> dict[str, Any]:
    """Return a judgement as JSON values: what its line says.

    >>> from rules.result import Outcome
    >>> stamp = RulesStamp("three-card-whist", "default", "sha256:0")
    >>> list(result_to_json(Result("a", Outcome.COMPLETE, {}, (), stamp)))
    ['round', 'outcome', 'seats', 'findings', 'rules']
    """
    values: dict[str, Any] = json.loads(result_line(result))
    return values


def finding_to_json(finding: Finding, game: str) -> dict[str, Any]:
    """Return a finding in its published form, explained in English.

    >>> from rules.findings import FindingCode, Severity
    >>> found = Finding(FindingCode.MISDEAL, "TCW-14", Severity.HIGH)
    >>> list(finding_to_json(found, "three-card-whist"))
    ['code', 'seat', 'trick', 'rule', 'severity', 'text', 'proved_by']
    """
    return {
        "code": finding.code.value,
        "seat": finding.seat,
        "trick": finding.trick,
        "rule": finding.rule,
        "severity": finding.severity.value,
        "text": explain(finding, own=GAMES[game].explanations),
        "proved_by": finding.proved_by,
        **finding.extras(),
    }


def _seat(seat: SeatResult) -> str:
    plays = ", ".join([_play(play) for play in seat.plays])
    category = ", ".join([f"{_text(kind)}: {_text(line)}" for kind, line in seat.category.items()])
    due = "null"
    if seat.due is not None:
        amounts = [f'"{w!s}": {"null" if c is None else c}' for w, c in seat.due.items()]
        due = f"{{{', '.join(amounts)}}}"
    watch = ', "watch": true' if seat.watch else ""
    return (
        f'{{"tricks": {_number(seat.tricks)}, "plays": [{plays}], "category": {{{category}}}, '
        f'"points": {_number(seat.points)}, "due": {due}, "status": "{seat.status!s}"{watch}}}'
    )


def _play(play: PlayResult) -> str:
    faces = _FACES
    legal = ", ".join([faces[card] for card in play.legal])
    put_right = "" if play.corrected is None else f', "corrected": {faces[play.corrected]}'
    return (
        f'{{"dealer": {faces[play.dealer]}, "card": {faces[play.card]}, "legal": [{legal}], '
        f'"verdict": "{play.verdict!s}", "won": {_TRUTH[play.won]}{put_right}}}'
    )


def _number(number: int | None) -> str:
    return "null" if number is None else str(number)


@lru_cache(maxsize=1024)
def _text(text: str | None) -> str:
    """Return one of the few texts that games write, as JSON."""
    return _ENCODER.encode(text)


@lru_cache(maxsize=1024)
def _stamp(rules: RulesStamp) -> str:
    stamp: dict[str, Any] = {"game": rules.game, "house": rules.house, "version": rules.version}
    if rules.unverified:
        stamp["unverified"] = [str(wager) for wager in rules.unverified]
    return _ENCODER.encode(stamp)
