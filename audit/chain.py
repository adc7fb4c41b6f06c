"""The chain: entries linked by SHA-256, so that no earlier one can change unnoticed.

Each table has a chain of its own, and one more, `system`, keeps what users and the program do. An
entry's hash is SHA-256 over a prefix and the RFC 8785 canonical JSON of its chain, number, time,
kind, body and the hash of the entry before it. This module is pure: it knows no database.
"""

import hashlib
import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum, unique
from typing import Any

import rfc8785

from audit.errors import AuditError, ChainError

JsonObject = dict[str, Any]
"""A JSON object, as `json.loads` gives it."""

HASH_PREFIX = b"pitwatch entry v1\x00"
"""Keeps an entry's hash apart from every other use of SHA-256, as RFC 6962 does for its nodes."""

GENESIS = "0" * 64
"""What the first entry of a chain names as the hash before it."""

SYSTEM = "system"
"""The chain of user acts and of what the program does to its own record."""

CHAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What a chain, and so a table, may be called."""


@unique
class EntryKind(StrEnum):
    """What an entry records, written `source.subject.act`."""

    CARD_PLACED = "camera.card.placed"
    CARD_TURNED = "camera.card.turned"
    CARD_HIDDEN = "camera.card.hidden"
    CARD_MOVED = "camera.card.moved"
    CARD_REMOVED = "camera.card.removed"
    SPOT_CLEARED = "camera.spot.cleared"
    FEED_LOST = "camera.feed.lost"
    FEED_BACK = "camera.feed.back"
    WAGER_PLACED = "feed.wager.placed"
    PAYOUT_MADE = "feed.payout.made"
    DECISION_MADE = "feed.decision.made"
    FINDING_RAISED = "rules.finding.raised"
    FINDING_REPEATED = "rules.finding.repeated"
    ROUND_READ = "rules.round.read"
    ROUND_CORRECTED = "rules.round.corrected"
    TABLE_STARTED = "watch.table.started"
    TABLE_STOPPED = "watch.table.stopped"
    TABLE_BEHIND = "watch.table.behind"
    TABLE_CAUGHT_UP = "watch.table.caught-up"
    RECORD_AWAY = "watch.record.away"
    RECORD_BACK = "watch.record.back"
    CLOCK_STEPPED = "watch.clock.stepped"
    ALERT_MOVED = "user.alert.moved"
    ALERT_ASSIGNED = "user.alert.assigned"
    ALERT_COMMENTED = "user.alert.commented"
    ALERT_ANSWERED = "user.alert.answered"
    ALERT_ESCALATED = "user.alert.escalated"
    ALERT_MUTED = "user.alert.muted"
    ALERT_VOIDED = "user.alert.voided"
    CASE_OPENED = "user.case.opened"
    CASE_NOTED = "user.case.noted"
    CASE_LINKED = "user.case.linked"
    CASE_ASSIGNED = "user.case.assigned"
    CASE_CLOSED = "user.case.closed"
    CASE_REOPENED = "user.case.reopened"
    LOG_WRITTEN = "user.log.written"
    APPROVAL_ASKED = "user.approval.asked"
    APPROVAL_DECIDED = "user.approval.decided"
    PAYOUT_CONFIRMED = "user.payout.confirmed"
    DEALER_ON = "pit.dealer.on"
    DEALER_OFF = "pit.dealer.off"
    USER_ACTED = "user.record.used"
    REPORT_ISSUED = "user.report.issued"
    WEBHOOK_FAILED = "system.webhook.failed"
    SEGMENT_CLOSED = "recorder.segment.closed"
    SEGMENT_UNREADABLE = "recorder.segment.unreadable"
    RECORDING_LOST = "recorder.feed.lost"
    RECORDING_BACK = "recorder.feed.back"
    CLIP_CUT = "recorder.clip.cut"
    FOOTAGE_DELETED = "recorder.footage.deleted"
    CLIP_ASKED = "user.clip.asked"
    HOLD_PLACED = "user.hold.placed"
    HOLD_RELEASE_ASKED = "user.hold.release-asked"
    HOLD_RELEASED = "user.hold.released"
    BUNDLE_MADE = "user.bundle.made"
    SESSION_OPENED = "user.session.opened"
    SESSION_CLOSED = "user.session.closed"
    SESSION_FAILED = "user.session.failed"
    ACCOUNT_ADDED = "user.account.added"
    ACCOUNT_CHANGED = "user.account.changed"
    PASSWORD_SET = "user.password.set"  # noqa: S105  # a kind, no secret
    LINK_MADE = "user.link.made"
    MACHINE_KEY_MADE = "user.key.made"
    MACHINE_KEY_REVOKED = "user.key.revoked"
    RECORD_VIEWED = "user.record.viewed"
    RECORD_EXPORTED = "user.record.exported"
    REQUEST_REFUSED = "user.request.refused"
    ACCESS_REVIEWED = "user.access.reviewed"
    KEY_CREATED = "system.key.created"
    KEY_ROTATED = "system.key.rotated"


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain."""

    chain: str
    number: int
    """The number of the chain's last entry; 0 when it has none."""
    hash: str
    """The hash of the chain's last entry, 64 hexadecimal digits; `GENESIS` when it has none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the record."""

    id: int
    """Its place among all entries of all chains, ascending; holes mean nothing. Good as a
    `Last-Event-ID`. 0 while the entry is not yet in the record."""
    chain: str
    """The table's name, or `system`."""
    number: int
    """Its place in its own chain, from 1, without holes."""
    at: datetime
    """When what it records happened, in UTC."""
    kind: EntryKind
    body: JsonObject
    previous: str
    """The hash of the chain's entry before it."""
    hash: str
    """64 hexadecimal digits."""


def utc_text(at: datetime) -> str:
    """Return a moment as it is hashed and shown to machines: `2026-11-30T05:33:00.000000Z`.

    Raises:
        AuditError: The moment has no time zone.
    """
    if at.tzinfo is None:
        raise AuditError(f"a time without a zone was given: {at.isoformat()} (expected UTC)")
    return at.astimezone(UTC).isoformat(timespec="microseconds")[:26] + "Z"


def utc_moment(text: str) -> datetime:
    """Return the moment that `utc_text` wrote."""
    return datetime.fromisoformat(text)


def canonical(value: object) -> bytes:
    """Return a JSON value as RFC 8785 canonical bytes.

    Raises:
        ChainError: The value has no canonical form: NaN, an integer beyond 2^53, a key no text.
    """
    try:
        return rfc8785.dumps(value)  # type: ignore[arg-type]  # its own errors say what does not fit
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as error:
        raise ChainError(f"not fit for the record: {error}") from None


def check_chain_name(name: str) -> str:
    """Return a chain's or table's name unchanged.

    Raises:
        ChainError: The name has other characters than the record allows, which the hash relies on.
    """
    if CHAIN_NAME.fullmatch(name) is None:
        raise ChainError(
            f"not a name for a table: {name!r} (expected 1 to 64 letters, digits, '.', '_' or '-')"
        )
    return name


def hash_text(head: Head, at: str, kind: str, body: str) -> str:
    """Return the hash of the entry that follows `head`.

    The bytes are those that RFC 8785 gives for the whole entry: keys in order, and the body is
    canonical already. Names of chains and kinds need no escapes, so no two entries share bytes.

    Args:
        head: The chain, and the entry before.
        at: The time, as `utc_text` writes it.
        kind: The entry kind.
        body: The body as canonical JSON.
    """
    text = (
        f'{{"at":"{at}","body":{body},"chain":"{head.chain}","kind":"{kind}",'
        f'"number":{head.number + 1},"previous":"{head.hash}"}}'
    )
    return hashlib.sha256(HASH_PREFIX + text.encode()).hexdigest()


def link(head: Head, kind: EntryKind, body: JsonObject, at: datetime) -> Entry:
    """Return the entry that follows the head of a chain, not yet in the record.

    Raises:
        ChainError: The body has no canonical form, or the chain no proper name.
        AuditError: The time has no zone.
    """
    check_chain_name(head.chain)
    text = canonical(body).decode()
    read_back = json.loads(text)
    # A float such as 1e16 is written as an integer that could not be written itself.
    canonical(read_back)
    return Entry(
        id=0,
        chain=head.chain,
        number=head.number + 1,
        at=at.astimezone(UTC) if at.tzinfo else at,
        kind=kind,
        body=read_back,
        previous=head.hash,
        hash=hash_text(head, utc_text(at), kind, text),
    )


def head_of(entry: Entry) -> Head:
    """Return the head of a chain that ends with an entry."""
    return Head(entry.chain, entry.number, entry.hash)


def holds(entry: Entry) -> bool:
    """Say whether an entry's hash is that of its content."""
    before = Head(entry.chain, entry.number - 1, entry.previous)
    body = canonical(entry.body).decode()
    return hash_text(before, utc_text(entry.at), entry.kind, body) == entry.hash


def numbered(entry: Entry, entry_id: int) -> Entry:
    """Return an entry with the place that the record gave it."""
    return replace(entry, id=entry_id)
