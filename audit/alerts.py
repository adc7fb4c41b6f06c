"""Alerts: one a breach, however often the breach is seen, with a life that ends in a judgement."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import Any, Self

from audit.chain import JsonObject
from audit.errors import RecordConflict
from rules.findings import ONCE_A_CARD, Severity


@unique
class AlertState(StrEnum):
    """Where an alert stands."""

    NEW = "new"
    ACKNOWLEDGED = "acknowledged"
    UNDER_REVIEW = "under-review"
    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not-confirmed"
    UNREADABLE = "unreadable"
    CLOSED = "closed"


_JUDGED = frozenset({AlertState.CONFIRMED, AlertState.NOT_CONFIRMED, AlertState.UNREADABLE})
_SEEN = frozenset({AlertState.ACKNOWLEDGED, AlertState.UNDER_REVIEW})

MAY_COME_FROM: Mapping[AlertState, frozenset[AlertState]] = {
    AlertState.NEW: frozenset(),
    AlertState.ACKNOWLEDGED: frozenset({AlertState.NEW}),
    AlertState.UNDER_REVIEW: frozenset({AlertState.NEW, AlertState.ACKNOWLEDGED}) | _JUDGED,
    AlertState.CONFIRMED: _SEEN,
    AlertState.NOT_CONFIRMED: _SEEN,
    AlertState.UNREADABLE: _SEEN,
    AlertState.CLOSED: _JUDGED,
}
"""From which states each state may be reached."""

OPEN_STATES = frozenset(AlertState) - {AlertState.CLOSED} - _JUDGED
"""The states in which an alert still waits for a person."""

QUIET_SEVERITIES = frozenset({Severity.INFO})
"""Findings of these severities are kept and raise no alert: `card-exposed`, for one."""


def check_move(number: int, state: AlertState, to: AlertState) -> None:
    """Check that an alert may go from one state to another.

    Raises:
        RecordConflict: It may not.
    """
    if state not in MAY_COME_FROM[to]:
        allowed = ", ".join(sorted(MAY_COME_FROM[to])) or "none"
        raise RecordConflict(f"alert {number} is {state}; it becomes {to} only from: {allowed}")


@dataclass(frozen=True, slots=True)
class Breach:
    """What a finding says, in the form that tells the same breach from another one."""

    table: str
    round: str | None
    code: str
    seat: int | None
    trick: int | None
    subject: str
    """What else tells two breaches apart: the wager's name, or the card. May be empty."""
    rule: str
    severity: Severity
    text: str
    proved_by: str | None

    @classmethod
    def of(cls, table: str, round_id: str | None, finding: Mapping[str, Any]) -> Self:
        """Return the breach that a finding, in its published JSON form, describes."""
        return cls(
            table=table,
            round=round_id,
            code=str(finding["code"]),
            seat=finding.get("seat"),
            trick=finding.get("trick"),
            subject=_subject(finding),
            rule=str(finding.get("rule") or ""),
            severity=Severity(finding["severity"]),
            text=str(finding.get("text") or ""),
            proved_by=finding.get("proved_by"),
        )

    @property
    def key(self) -> str:
        """The name under which the same breach is known again, also after a restart."""
        parts = (self.table, self.round, self.code, self.seat, self.trick, self.subject or None)
        return "/".join("-" if part is None else str(part) for part in parts)

    @property
    def is_quiet(self) -> bool:
        """Whether it is information only and raises no alert."""
        return self.severity in QUIET_SEVERITIES


def _subject(finding: Mapping[str, Any]) -> str:
    parts = [finding.get("wager"), finding.get("subject")]
    if finding["code"] in ONCE_A_CARD:
        parts += [finding.get("spot"), finding.get("card")]
    return " ".join(str(part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class Seen:
    """Where in the pictures a finding was proved."""

    media_at: float | None = None
    """Seconds on the source's own line of time."""
    frame: int | None = None
    """The index of the frame, from 0."""

    def json(self) -> JsonObject:
        """Return the fields of an entry's body."""
        return {"media_at": self.media_at, "frame": self.frame}


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert in its current state."""

    number: int
    """Its incident number: in sequence over all tables, without holes."""
    key: str
    table: str
    round: str | None
    code: str
    seat: int | None
    trick: int | None
    subject: str
    rule: str
    severity: Severity
    text: str
    proved_by: str | None
    state: AlertState
    opened: datetime
    """When the breach was first proved, in UTC."""
    last_seen: datetime
    sightings: int
    """How often the same breach was reported."""
    media_at: float | None
    """Where in a recorded video it was proved, in seconds; for a live source, Unix seconds."""
    frame: int | None
    entry: int
    """The entry that opened it."""
    acknowledged_by: str | None
    acknowledged: datetime | None
    changed_by: str | None
    """Who moved it last."""
    changed: datetime | None
    assignee: str | None
    comments: int
    tone: str | None = None
    """The severity whose tone it sounds; None sounds none."""
    policy: str | None = None
    """The version of the policy that set severity, tone and escalation."""
    escalate_at: datetime | None = None
    """When it goes to `escalate_to` unless somebody takes it up before."""
    escalate_to: str | None = None
    escalated: datetime | None = None
    escalated_to: str | None = None
    muted_until: datetime | None = None
    """Until then it neither sounds nor escalates."""
    muted_by: str | None = None
    voided: datetime | None = None
    """When two people agreed that the finding does not count."""
    voided_by: str | None = None

    def is_muted(self, now: datetime) -> bool:
        """Say whether it is muted at a moment."""
        return self.muted_until is not None and now < self.muted_until


@dataclass(frozen=True, slots=True)
class AlertAct:
    """One thing that a user did to an alert."""

    entry: int
    alert: int
    at: datetime
    user: str
    act: str
    """`moved`, `assigned`, `commented`, `answered`, `escalated`, `muted` or `voided`."""
    detail: str
    """The new state, the new assignee, the cause (of an answer), to whom it went, until when it is
    muted (empty: it sounds again), or the number of the approval; empty for a comment."""
    note: str
