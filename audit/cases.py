"""Case folders: an incident or a patron's dispute, with notes that only ever grow."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique

from audit.chain import JsonObject, utc_text


@unique
class CaseKind(StrEnum):
    """What a folder is about."""

    INCIDENT = "incident"
    DISPUTE = "dispute"
    """A patron does not agree with what was played or paid."""


@unique
class CaseTopic(StrEnum):
    """What an incident or dispute is over."""

    PLAY = "play"
    PAYOUT = "payout"
    WAGER = "wager"
    CARDS = "cards"
    PROCEDURE = "procedure"
    OTHER = "other"


@unique
class CaseState(StrEnum):
    """Where a folder stands."""

    OPEN = "open"
    CLOSED = "closed"


@unique
class CaseOutcome(StrEnum):
    """What came of it."""

    FOR_PATRON = "for-patron"
    FOR_HOUSE = "for-house"
    SETTLED = "settled"
    WITHDRAWN = "withdrawn"
    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not-confirmed"
    UNREADABLE = "unreadable"
    """The pictures do not tell."""


_INQUIRY = frozenset({CaseOutcome.CONFIRMED, CaseOutcome.NOT_CONFIRMED, CaseOutcome.UNREADABLE})

OUTCOMES: Mapping[CaseKind, frozenset[CaseOutcome]] = {
    CaseKind.INCIDENT: _INQUIRY,
    CaseKind.DISPUTE: frozenset(CaseOutcome) - {CaseOutcome.CONFIRMED, CaseOutcome.NOT_CONFIRMED},
}
"""What may come of each kind."""


@unique
class LinkKind(StrEnum):
    """What a folder may point at."""

    ROUND = "round"
    ALERT = "alert"
    BUNDLE = "bundle"
    LOG = "log"
    CASE = "case"
    ENTRY = "entry"


@dataclass(frozen=True, slots=True)
class NewCase:
    """A folder as somebody opens it."""

    title: str
    kind: CaseKind = CaseKind.INCIDENT
    topic: CaseTopic = CaseTopic.OTHER
    table: str | None = None
    occurred: datetime | None = None
    """When the thing happened that it is about."""
    patron: str = ""
    """The patron as the house names them; empty when none is concerned."""
    note: str = ""

    def json(self) -> JsonObject:
        """Return the body of its entry, but for number and user."""
        return {
            "title": self.title,
            "kind": self.kind.value,
            "topic": self.topic.value,
            "table": self.table,
            "occurred": None if self.occurred is None else utc_text(self.occurred),
            "patron": self.patron,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A folder in its current state."""

    number: int
    """In sequence over all tables, without holes."""
    kind: CaseKind
    topic: CaseTopic
    title: str
    state: CaseState
    table: str | None
    occurred: datetime | None
    patron: str
    opened: datetime
    opened_by: str
    assignee: str | None
    outcome: CaseOutcome | None
    """None while it is open."""
    closed: datetime | None
    closed_by: str | None
    changed: datetime
    """When something was last added to it."""
    notes: int
    links: int
    entry: int
    """The entry that opened it."""


@dataclass(frozen=True, slots=True)
class CaseAct:
    """One thing that a user did in a folder; none is ever changed."""

    entry: int
    case: int
    at: datetime
    user: str
    act: str
    """`opened`, `noted`, `linked`, `assigned`, `closed` or `reopened`."""
    detail: str
    """What was linked, the new assignee, or the outcome; otherwise empty."""
    note: str


@dataclass(frozen=True, slots=True)
class CaseLink:
    """What a folder points at."""

    case: int
    kind: LinkKind
    ref: str
    """A round's or bundle's name, or the number of an alert, log line, case or entry."""
    entry: int
    at: datetime
    user: str
