"""Acts that need a second person: one asks, another approves or refuses."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique

from audit.chain import JsonObject


@unique
class SensitiveAct(StrEnum):
    """What nobody does alone (AGCO 5.2, NIST AU-9(5))."""

    VOID_FINDING = "finding.void"
    """Subject: the number of the alert."""
    CHANGE_HOUSE = "house.change"
    """Subject: the version of the house rules, `sha256:…`."""


@unique
class ApprovalState(StrEnum):
    """Where a request stands."""

    WAITING = "waiting"
    APPROVED = "approved"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    """By the person who had asked."""


def same_person(one: str, other: str) -> bool:
    """Say whether two names are one user's: capitals and blanks make no second person.

    >>> same_person("Kim", "kim ")
    True
    """
    return one.strip().casefold() == other.strip().casefold()


@dataclass(frozen=True, slots=True)
class NewApproval:
    """A request as somebody makes it."""

    act: SensitiveAct
    subject: str
    """What is to be acted on, such as the number of an alert."""
    reason: str
    detail: JsonObject
    """What the second person should see, and what the act needs."""


@dataclass(frozen=True, slots=True)
class Approval:
    """A request in its current state."""

    number: int
    """In sequence, without holes."""
    act: SensitiveAct
    subject: str
    reason: str
    detail: JsonObject
    state: ApprovalState
    asked: datetime
    asked_by: str
    decided: datetime | None
    decided_by: str | None
    note: str
    """What the second person said."""
    entry: int
    """The entry that asked."""
