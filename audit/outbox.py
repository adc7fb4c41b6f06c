"""The outbox: what other systems may want to be told of, drawn from the entries themselves.

A row is written in the transaction of its entry, by whichever process writes the entry, and says
nothing of who is told; `audit.webhooks` looks after that, in its own time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from audit.chain import Entry, EntryKind, JsonObject, utc_text
from rules.findings import Severity

EVENT_TYPES: Mapping[EntryKind, str] = {
    EntryKind.FINDING_RAISED: "alert.opened",
    EntryKind.ALERT_MOVED: "alert.moved",
    EntryKind.ALERT_ASSIGNED: "alert.assigned",
    EntryKind.ALERT_COMMENTED: "alert.commented",
    EntryKind.ALERT_ANSWERED: "alert.answered",
    EntryKind.ALERT_ESCALATED: "alert.escalated",
    EntryKind.ALERT_MUTED: "alert.muted",
    EntryKind.ALERT_VOIDED: "alert.voided",
    EntryKind.CASE_OPENED: "case.opened",
    EntryKind.CASE_CLOSED: "case.closed",
    EntryKind.APPROVAL_ASKED: "approval.asked",
    EntryKind.APPROVAL_DECIDED: "approval.decided",
}
"""The published name of each kind of entry that others are told of."""


@dataclass(frozen=True, slots=True)
class OutboxEvent:
    """One thing to tell."""

    entry: int
    """The entry that it tells of; later events have higher ones."""
    event: str
    """Its name for ever, however often it is told: receivers know by it what they have had."""
    type: str
    """A value of `EVENT_TYPES`."""
    at: datetime
    table: str | None
    severity: Severity | None
    """That of the alert that it is about."""
    subject: str
    """What it is about, such as `alert 7` or `case 3`."""


def event_id(entry: Entry) -> str:
    """Return the stable name of what an entry tells: drawn from its hash, so one for ever.

    A copy of the record that was restored elsewhere gives the same names.
    """
    return f"evt_{entry.hash[:32]}"


def payload(event: OutboxEvent, entry: Entry) -> JsonObject:
    """Return what is sent: the same at every try, since nothing in it is the state of now."""
    return {
        "id": event.event,
        "type": event.type,
        "at": utc_text(entry.at),
        "table": event.table,
        "severity": event.severity.value if event.severity else None,
        "subject": event.subject,
        "entry": {
            "id": entry.id,
            "chain": entry.chain,
            "number": entry.number,
            "kind": entry.kind.value,
            "hash": entry.hash,
        },
        "data": entry.body,
    }
