"""Judges round records: the one implementation that live rounds and record files share."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from rules.common import PLAY_SURE, common_findings, is_plain, seen_twice, without
from rules.errors import RecordFormatError, RulesError, shown
from rules.events import Seat
from rules.findings import Finding, FindingCode
from rules.fits import check_record_fits
from rules.games import GAMES
from rules.games.base import AnyGame
from rules.house import HouseRules, default_house
from rules.record import RoundRecord
from rules.record_json import read_record
from rules.result import Judgement, Result, RulesStamp, outcome_of
from rules.result_json import finding_to_json, result_line, result_to_json
from rules.settlement import payout_findings, wager_findings

__all__ = [
    "MOST_LINE",
    "BadLine",
    "check_json",
    "check_lines",
    "finding_to_json",
    "judge",
    "result_line",
    "result_to_json",
    "watched_after",
]

_OF_PLAY = (FindingCode.FAILED_TO_FOLLOW_SUIT, FindingCode.FAILED_TO_TRUMP)
_IN_A_VOID_ROUND = (
    FindingCode.MISDEAL,
    FindingCode.VOID_HAND_SETTLED,
    FindingCode.CARD_SEEN_TWICE,
    FindingCode.FEED_GAP,
)
"""What is still said of a void round; the rest is only what the stopped deal left."""


def judge(
    record: RoundRecord, house: HouseRules | None = None, watched: Collection[Seat] = ()
) -> Result:
    """Return the judgement of one round record.

    Args:
        record: What was seen.
        house: The house rules in force, the shipped ones by default.
        watched: The seats on watch (TCW-15) after an earlier round of the session; a further
            breach by one of them is of raised severity.

    Raises:
        RecordFormatError: The record names an unknown game, or a wager or decision that the game
            does not have.

    >>> judge(RoundRecord("T1-20261130-0001", "three-card-whist", {})).outcome.value
    'complete'
    """
    house = house or default_house()
    game = GAMES.get(record.game)
    if game is None:
        known = ", ".join(GAMES)
        raise RecordFormatError(f"game: found {shown(record.game)}, expected one of {known}")
    check_record_fits(record, game)
    options = house.options[record.game]
    plain = is_plain(record)
    twice = {} if plain else seen_twice(record)
    findings = [] if plain else list(common_findings(record, game, twice))
    judged = game.judge(without(record, twice) if twice else record, options, watched)
    money = list(_money_findings(record, judged, game, options))
    doubted = {card for card, sure in record.confidence.items() if sure < PLAY_SURE}
    if doubted and (money or judged.findings):
        sure = game.judge(without(record, doubted.union(twice)), options, watched)
        judged = _as_far_as_sure(judged, sure)
        proved = {finding.key for finding in _money_findings(record, sure, game, options)}
        money = [finding for finding in money if finding.key in proved]
    findings += judged.findings
    findings += money
    if judged.void:
        findings = [finding for finding in findings if finding.code in _IN_A_VOID_ROUND]
    stamp = RulesStamp(record.game, house.name, house.version, judged.unverified)
    return Result(record.round, outcome_of(judged), judged.seats, tuple(findings), stamp)


def _as_far_as_sure(judged: Judgement, sure: Judgement) -> Judgement:
    """Return a judgement without the breaches of play that rest on a card which was hardly read.

    Args:
        judged: What all cards come to.
        sure: What comes of it without the cards that were hardly read.
    """
    proved = {finding.key for finding in sure.findings}
    doubted = {
        finding.seat
        for finding in judged.findings
        if finding.code in _OF_PLAY and finding.key not in proved and finding.seat is not None
    }
    if not doubted:
        return judged

    def stays(finding: Finding) -> bool:
        return not (finding.code in _OF_PLAY and finding.seat in doubted)

    kept = [finding for finding in judged.findings if stays(finding)]
    kept += [finding for finding in sure.findings if not stays(finding)]
    seats = {s: sure.seats[s] if s in doubted else seat for s, seat in judged.seats.items()}
    return replace(judged, seats=seats, findings=tuple(kept))


def _money_findings(
    record: RoundRecord, judged: Judgement, game: AnyGame, options: object
) -> Iterator[Finding]:
    limits = game.limits(options)
    for number, seat in record.seats.items():
        if limits or seat.changes:
            yield from wager_findings(game, limits, number, seat)
        for finding in payout_findings(game, number, seat, judged.seats[number]):
            doubtful = finding.wager in judged.unverified
            yield replace(finding, note="unverified-pay-table") if doubtful else finding


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of a record file that could not be judged."""

    number: int
    """From 1."""
    problem: str


MOST_LINE = 1_000_000
"""How long a line of a record file may be, in bytes or characters: many times any round."""
_MOST_TABLES = 10_000
"""More than any house has: beyond it the table whose seats were put on watch first is forgotten."""


def check_lines(
    lines: Iterable[str | bytes], house: HouseRules | None = None
) -> Iterator[Result | BadLine]:
    """Give the judgement of every line of a record file, in order, holding one line at a time.

    A bad line is told and the rest are still judged; empty lines are passed over. A seat that did
    not play to the rules is on watch for the rest of the file, a table at a time.

    >>> [type(found).__name__ for found in check_lines(["{}", ""])]
    ['BadLine']
    """
    house = house or default_house()
    watched: dict[str | None, set[Seat]] = {}
    for number, line in enumerate(lines, start=1):
        if len(line) > MOST_LINE:
            yield BadLine(number, f"longer than any round ({MOST_LINE:,} bytes at the most)")
            continue
        if not line.strip():
            continue
        try:
            record = read_record(line)
            result = judge(record, house, watched.get(record.table, ()))
        except RulesError as error:
            yield BadLine(number, str(error))
            continue
        now = watched_after(result)
        if now:
            watched.setdefault(record.table, set()).update(now)
            if len(watched) > _MOST_TABLES:
                del watched[next(iter(watched))]
        yield result


def watched_after(result: Result) -> tuple[Seat, ...]:
    """Return the seats that are on watch after a round (TCW-15).

    >>> watched_after(judge(RoundRecord("a", "three-card-whist", {})))
    ()
    """
    return tuple([number for number, seat in result.seats.items() if seat.watch])


def check_json(lines: Iterable[str | bytes], house: HouseRules | None = None) -> Iterator[str]:
    """Give what `pitwatch check` prints for every good line: one JSON object each.

    Raises nothing for bad lines, which it leaves out; use `check_lines` to tell them.

    >>> list(check_json(["nonsense"]))
    []
    """
    for found in check_lines(lines, house):
        if isinstance(found, Result):
            yield result_line(found)
