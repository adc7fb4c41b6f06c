"""A stake that was put right: what is due follows, by judging the round again with it."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, func, select

from audit.chain import EntryKind, JsonObject
from audit.payouts import LATE, FeedAct, FeedLine, PayoutLine
from audit.records import EntryRecord, FeedLineRecord, PayoutLineRecord
from audit.rounds import RecordedRound
from audit.store.unit import Unit, view
from rules.check import judge, result_to_json
from rules.errors import RulesError
from rules.events import Seat
from rules.findings import Severity
from rules.house import default_house
from rules.record_json import record_from_json

_ROUNDS = (EntryKind.ROUND_READ.value, EntryKind.ROUND_CORRECTED.value)


@dataclass(frozen=True, slots=True)
class Restaked:
    """A round as it is judged with other stakes."""

    record: JsonObject
    result: JsonObject
    media_at: float
    """Of the round as it was first read, in seconds."""


def restaked(unit: Unit, round_id: str, stakes: Iterable[FeedLine]) -> Restaked | None:
    """Return a round with the stakes that reports give; None where it stays as it is.

    The record holds no house rules but the shipped ones, so that a round under others is not judged
    here: what is due on it stays open until its watcher judges it again.

    Args:
        unit: The unit of work, on the table's chain.
        round_id: The round's name.
        stakes: The newest reports of wagers of the round.
    """
    known = unit.find(RecordedRound, (round_id,))
    if known is None or known.table != unit.chain:
        return None
    if known.result.get("rules", {}).get("version") != default_house().version:
        return None
    record = _with_stakes(known.record, stakes)
    if record == known.record:
        return None
    for line in _put_right(unit, round_id):
        paid = record.get("seats", {}).get(str(line.seat), {}).get("paid")
        if paid is not None:
            paid[line.wager] = line.paid
    try:
        result = judge(record_from_json(record), watched=_on_watch(known))
    except RulesError:
        return None
    media_at = float(_body(unit, known.entry)["media_at"])
    return Restaked(record, result_to_json(result), media_at)


def _with_stakes(record: JsonObject, stakes: Iterable[FeedLine]) -> JsonObject:
    """Return a round record with other stakes; a stake of nothing is no wager."""
    changed: dict[str, Any] = json.loads(json.dumps(record))
    for stake in stakes:
        wagers = changed.get("seats", {}).get(str(stake.seat), {}).get("wagers")
        if wagers is not None and wagers.get(stake.wager, 0) != stake.amount:
            wagers.pop(stake.wager, None)
            wagers |= {stake.wager: stake.amount} if stake.amount else {}
    return changed


def _on_watch(known: RecordedRound) -> frozenset[Seat]:
    """Return the seats whose findings were raised because they were on watch."""
    found = known.result.get("findings") or ()
    return frozenset(
        Seat(one["seat"])
        for one in found
        if one.get("seat") and one["severity"] == Severity.CRITICAL
    )


def _put_right(unit: Unit, round_id: str) -> list[PayoutLine]:
    """Return the lines of a round whose payout a late report says."""
    rows = unit.session.scalars(
        select(PayoutLineRecord).where(
            col(PayoutLineRecord.round) == round_id,
            col(PayoutLineRecord.source).in_(LATE),
            col(PayoutLineRecord.paid).is_not(None),
        )
    )
    return [view(PayoutLine, row) for row in rows]


def _body(unit: Unit, entry: int) -> JsonObject:
    query = select(col(EntryRecord.body)).where(col(EntryRecord.id) == entry)
    body: JsonObject = json.loads(unit.session.scalars(query).one())
    return body


def round_that_took(unit: Unit, line: FeedLine) -> str | None:
    """Return the round that took a reported wager in: the table's first one read after it.

    None while the round is played, and where the round knows another amount.
    """
    first = line
    while first.corrects is not None:
        before = unit.find(FeedLine, (first.corrects,))
        if before is None:
            return None
        first = before
    query = (
        select(col(EntryRecord.body))
        .where(
            col(EntryRecord.chain) == unit.chain,
            col(EntryRecord.id) > first.entry,
            col(EntryRecord.kind) == EntryKind.ROUND_READ.value,
        )
        .order_by(col(EntryRecord.id))
        .limit(1)
    )
    body = unit.session.scalars(query).first()
    if body is None:
        return None
    record = json.loads(body)["record"]
    wagers = record.get("seats", {}).get(str(line.seat), {}).get("wagers") or {}
    return str(record["round"]) if wagers.get(line.wager) == first.amount else None


def stakes_put_right(unit: Unit, known: RecordedRound) -> Iterator[FeedLine]:
    """Yield the newest stakes of a round, put right while it was played or since.

    Args:
        unit: The unit of work, on the table's chain.
        known: The round, as it was just read or judged again.
    """
    last = select(func.max(col(EntryRecord.id))).where(
        col(EntryRecord.chain) == unit.chain,
        col(EntryRecord.kind).in_(_ROUNDS),
        col(EntryRecord.id) < _first_reading(unit, known.entry),
    )
    before = unit.session.scalars(last).one() or 0
    rows = unit.session.scalars(
        select(FeedLineRecord)
        .where(
            col(FeedLineRecord.table) == unit.chain,
            col(FeedLineRecord.entry) > before,
            col(FeedLineRecord.act) == FeedAct.WAGER,
            col(FeedLineRecord.corrects).is_not(None),
            col(FeedLineRecord.corrected_by).is_(None),
        )
        .order_by(col(FeedLineRecord.entry))
    )
    for line in [view(FeedLine, row) for row in rows]:
        if (line.round or round_that_took(unit, line)) == known.round:
            yield line


def _first_reading(unit: Unit, entry: int) -> int:
    """Return the entry in which a round was read first, before it was judged again."""
    while (earlier := _body(unit, entry).get("corrects")) is not None:
        entry = int(earlier)
    return entry
