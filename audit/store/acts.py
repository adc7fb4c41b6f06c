"""What is written into the record, each act as entries of one transaction."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import col, select

from audit.alerts import Alert, Breach, Seen
from audit.chain import Entry, EntryKind, JsonObject, canonical, utc_text
from audit.errors import ChainError, RecordConflict
from audit.payouts import FeedLine, FeedNote
from audit.records import AlertRecord, EntryRecord, GapRecord
from audit.rounds import RecordedRound
from audit.store.approval_acts import is_house_approved
from audit.store.stakes import restaked, stakes_put_right
from audit.store.unit import Unit
from audit.tables import TableStart, TableState
from rules.events import Sighting
from rules.wire import event_json

EVENT_KINDS: Mapping[str, EntryKind] = {
    "card-placed": EntryKind.CARD_PLACED,
    "card-turned": EntryKind.CARD_TURNED,
    "card-hidden": EntryKind.CARD_HIDDEN,
    "card-moved": EntryKind.CARD_MOVED,
    "card-removed": EntryKind.CARD_REMOVED,
    "spot-cleared": EntryKind.SPOT_CLEARED,
    "feed-lost": EntryKind.FEED_LOST,
    "feed-back": EntryKind.FEED_BACK,
    "wager": EntryKind.WAGER_PLACED,
    "payout": EntryKind.PAYOUT_MADE,
    "decision": EntryKind.DECISION_MADE,
}
"""The entry kind of each event, by the event's published name."""


@dataclass(frozen=True, slots=True)
class ProvedFinding:
    """A finding at the moment of its proof."""

    finding: JsonObject
    """In its published form."""
    at: float
    """When its proof lay readable, in seconds on the source's own line of time."""
    round: str | None = None
    frame: int | None = None


@dataclass(frozen=True, slots=True)
class JudgedRound:
    """A round that ended, and what the check made of it."""

    record: JsonObject
    result: JsonObject
    at: float
    """When it ended, in seconds on the source's own line of time."""


@dataclass(frozen=True, slots=True)
class Step:
    """All that one frame, or one line of a feed, led to: recorded whole or not at all."""

    sightings: tuple[Sighting, ...] = ()
    findings: tuple[ProvedFinding, ...] = ()
    rounds: tuple[JudgedRound, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """What a step added to the record."""

    entries: tuple[Entry, ...]
    alerts: tuple[Alert, ...] = field(default=())
    """The alerts that it opened."""


def moment(anchor: datetime, seconds: float) -> datetime:
    """Return the moment at some seconds of a source's line of time that began at `anchor`."""
    return anchor + timedelta(seconds=seconds)


def write_step(unit: Unit, step: Step, anchor: datetime) -> tuple[Alert, ...]:
    """Write sightings, findings and rounds, in this order; return the alerts that they opened."""
    opened: list[Alert | None] = []
    for sighting in step.sightings:
        opened.append(write_sighting(unit, sighting, anchor))
    for proved in step.findings:
        breach = Breach.of(unit.chain, proved.round, proved.finding)
        seen = Seen(proved.at, proved.frame)
        alert, new = write_finding(unit, breach, proved.finding, (moment(anchor, proved.at), seen))
        opened.append(alert if new else None)
    for judged in step.rounds:
        opened.extend(write_round(unit, judged, anchor))
        opened.extend(write_stakes(unit, judged.record["round"]))
    return tuple(alert for alert in opened if alert is not None)


def write_sighting(unit: Unit, sighting: Sighting, anchor: datetime) -> Alert | None:
    """Write one observed event; the loss of the camera also opens an alert, which is returned."""
    event = event_json(sighting.event)
    kind = EVENT_KINDS[str(event["kind"])]
    at = moment(anchor, sighting.at)
    body: JsonObject = {
        **event,
        "media_at": sighting.at,
        "confidence": round(sighting.confidence, 4),
        "frame": sighting.frame,
    }
    if sighting.since is not None:
        body["hidden_since"] = sighting.since
    match kind:
        case EntryKind.WAGER_PLACED | EntryKind.PAYOUT_MADE:
            note = FeedNote(body["seat"], body["wager"], body["amount"])
            body = note.json() | body
        case EntryKind.FEED_LOST | EntryKind.FEED_BACK:
            body["since"] = open_gap(unit)
        case _:
            pass
    entry = unit.append(kind, body, at)
    if kind is not EntryKind.FEED_LOST or body["since"] is not None:
        return None
    return _camera_alert(unit, entry, Seen(sighting.at, sighting.frame))


def _camera_alert(unit: Unit, entry: Entry, seen: Seen) -> Alert | None:
    finding = {
        "code": "camera-lost",
        "seat": None,
        "trick": None,
        "subject": utc_text(entry.at),
        "rule": "",
        "severity": "high",
        "text": f"Nothing can be seen: {entry.body['reason']}",
        "proved_by": None,
    }
    return write_finding(unit, Breach.of(unit.chain, None, finding), finding, (entry.at, seen))[0]


def open_gap(unit: Unit) -> int | None:
    """Return the entry that opened the table's gap, while it lasts."""
    query = (
        select(col(GapRecord.entry))
        .where(col(GapRecord.table) == unit.chain, col(GapRecord.ended).is_(None))
        .order_by(col(GapRecord.entry).desc())
        .limit(1)
    )
    return unit.session.scalars(query).first()


def write_finding(
    unit: Unit, breach: Breach, finding: Mapping[str, Any], when: tuple[datetime, Seen]
) -> tuple[Alert | None, bool]:
    """Write a finding; return its alert (None for information only), and whether it is new.

    The same breach again, also after a restart, joins the alert that is there.
    """
    at, seen = when
    body: JsonObject = {
        "alert": None,
        "round": breach.round,
        "finding": dict(finding),
        **seen.json(),
    }
    if breach.is_quiet:
        unit.append(EntryKind.FINDING_RAISED, body, at)
        return None, False
    number = find_alert(unit, breach)
    kind = EntryKind.FINDING_RAISED if number is None else EntryKind.FINDING_REPEATED
    if number is None:
        body["handling"] = unit.policy.handling(breach, finding).json()
    body["alert"] = unit.next_alert_number() if number is None else number
    unit.append(kind, body, at)
    return unit.find(Alert, (body["alert"],)), number is None


def find_alert(unit: Unit, breach: Breach) -> int | None:
    """Return the number of the alert for a breach, when there is one."""
    query = select(col(AlertRecord.number)).where(col(AlertRecord.key) == breach.key)
    return unit.session.scalars(query).first()


def write_round(unit: Unit, judged: JudgedRound, anchor: datetime) -> Iterator[Alert]:
    """Write a round; yield the alerts for those of its findings that were not raised before.

    The same round with the same content is not written again; with another content it is a
    correction that points at the entry before.

    Raises:
        RecordConflict: A round of this name belongs to another table.
        ChainError: The record has no name or game.
    """
    record, result = _plain(judged.record), _plain(judged.result)
    if not all(isinstance(record.get(name), str) for name in ("round", "game")):
        raise ChainError("round and game: expected texts in the round record")
    round_id = record["round"]
    before = unit.find(RecordedRound, (round_id,))
    if before is not None and before.table != unit.chain:
        raise RecordConflict(f"round {round_id!r} is one of table {before.table}, not {unit.chain}")
    at = moment(anchor, judged.at)
    if before is None or (before.record, before.result) != (record, result):
        kind = EntryKind.ROUND_READ if before is None else EntryKind.ROUND_CORRECTED
        corrects = None if before is None else before.entry
        body = {"record": record, "result": result, "corrects": corrects, "media_at": judged.at}
        unit.append(kind, body, at)
    for finding in result.get("findings") or ():
        breach = Breach.of(unit.chain, round_id, finding)
        if not breach.is_quiet and find_alert(unit, breach) is None:
            alert, _ = write_finding(unit, breach, finding, (at, Seen(judged.at)))
            if alert is not None:
                yield alert


def write_stakes(unit: Unit, round_id: str, *stakes: FeedLine) -> list[Alert]:
    """Judge a round again with stakes that were put right, as a correction that points at it.

    It keeps the round's own time; who put the stake right, and when, stands in the entry before.

    Args:
        unit: The unit of work, on the table's chain.
        round_id: The round's name.
        stakes: The reports that put stakes right; without any, all of that round's.

    Returns:
        The alerts that it opened.
    """
    known = unit.find(RecordedRound, (round_id,))
    if known is None:
        return []
    again = restaked(unit, round_id, stakes or tuple(stakes_put_right(unit, known)))
    if again is None:
        return []
    anchor = known.recorded - timedelta(seconds=again.media_at)
    return list(write_round(unit, JudgedRound(again.record, again.result, again.media_at), anchor))


def _plain(value: JsonObject) -> JsonObject:
    """Return a JSON object as the record will give it back, for comparison."""
    plain: JsonObject = json.loads(canonical(value))
    return plain


def write_start(unit: Unit, start: TableStart, at: datetime) -> Entry:
    """Write that a table is watched from now on.

    When the watcher before ended without saying so, the time since its last entry is a gap.
    """
    state = unit.find(TableState, (unit.chain,))
    last = None
    if state is not None and state.watching:
        query = (
            select(col(EntryRecord.at))
            .where(col(EntryRecord.chain) == unit.chain)
            .order_by(col(EntryRecord.number).desc())
            .limit(1)
        )
        last = unit.session.scalars(query).first()
    body = {
        "game": start.game,
        "source": start.source,
        "layout": start.layout,
        "house": start.house,
        "model": start.model,
        "software": start.software,
        "since": open_gap(unit),
        "unwatched_from": utc_text(last) if last is not None and last < at else None,
    }
    entry = unit.append(EntryKind.TABLE_STARTED, body, at)
    if state is not None and state.house and start.house not in ("", state.house):
        _check_house(unit, (state.house, start.house), at)
    return entry


def _check_house(unit: Unit, versions: tuple[str, str], at: datetime) -> None:
    """Open an alert when a table runs under other house rules, and no two people agreed to them."""
    before, now = versions
    if is_house_approved(unit, now):
        return
    finding = {
        "code": "house-not-approved",
        "seat": None,
        "trick": None,
        "subject": now,
        "rule": "",
        "severity": "high",
        "text": f"House rules {now} instead of {before}, not approved by a second person",
        "proved_by": None,
    }
    write_finding(unit, Breach.of(unit.chain, None, finding), finding, (at, Seen()))
