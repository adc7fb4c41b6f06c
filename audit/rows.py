"""The rows of current state: what there is, how each is named, and how to look one up."""

from dataclasses import fields
from typing import Any, Protocol, TypeVar

from audit.alerts import Alert, AlertAct
from audit.approvals import Approval
from audit.auth.accounts import AccessLine, Account, MachineKey
from audit.cases import CaseAct, CaseFile, CaseLink
from audit.evidence.footage import Clip, RecordingGap, Segment
from audit.evidence.holds import Hold
from audit.facts import RoundFacts
from audit.issued import IssuedReport
from audit.logbook import LogLine
from audit.outbox import OutboxEvent
from audit.payouts import FeedLine, PayoutLine, SpotReport
from audit.rounds import RecordedRound
from audit.stints import Stint
from audit.tables import Gap, TableState, WatchRun

Row = (
    TableState
    | WatchRun
    | Gap
    | RecordedRound
    | RoundFacts
    | PayoutLine
    | FeedLine
    | Alert
    | AlertAct
    | IssuedReport
    | SpotReport
    | Stint
    | OutboxEvent
    | CaseFile
    | CaseAct
    | CaseLink
    | LogLine
    | Approval
    | Segment
    | RecordingGap
    | Clip
    | Hold
    | Account
    | MachineKey
    | AccessLine
)

Key = tuple[str | int, ...]

R = TypeVar("R", bound=Row)

KEY_FIELDS: dict[type[object], tuple[str, ...]] = {
    TableState: ("table",),
    WatchRun: ("run",),
    Gap: ("entry",),
    RecordedRound: ("round",),
    RoundFacts: ("round",),
    PayoutLine: ("round", "seat", "wager"),
    FeedLine: ("entry",),
    Alert: ("number",),
    AlertAct: ("entry",),
    IssuedReport: ("entry",),
    SpotReport: ("table", "seat", "wager"),
    Stint: ("entry",),
    OutboxEvent: ("entry",),
    CaseFile: ("number",),
    CaseAct: ("entry",),
    CaseLink: ("case", "kind", "ref"),
    LogLine: ("number",),
    Approval: ("number",),
    Segment: ("entry",),
    RecordingGap: ("name",),
    Clip: ("name",),
    Hold: ("number",),
    Account: ("name",),
    MachineKey: ("key",),
    AccessLine: ("entry",),
}
"""The fields that name a row of each projection."""

ROW_KINDS: tuple[type[Row], ...] = (
    TableState,
    WatchRun,
    Gap,
    RecordedRound,
    RoundFacts,
    PayoutLine,
    FeedLine,
    Alert,
    AlertAct,
    IssuedReport,
    SpotReport,
    Stint,
    OutboxEvent,
    CaseFile,
    CaseAct,
    CaseLink,
    LogLine,
    Approval,
    Segment,
    RecordingGap,
    Clip,
    Hold,
    Account,
    MachineKey,
    AccessLine,
)
"""All projections, in the order in which verification compares them."""


class Known(Protocol):
    """The projections as they stand before an entry."""

    def find(self, kind: type[R], key: Key) -> R | None:
        """Return a row, or None when there is none."""
        ...


def key_of(row: Row) -> Key:
    """Return the values that name a row among those of its kind."""
    return tuple(getattr(row, name) for name in KEY_FIELDS[type(row)])


def values_of(row: Row) -> dict[str, Any]:
    """Return a row's fields by name."""
    return {field.name: getattr(row, field.name) for field in fields(row)}


def needed(kind: type[R], key: Key, known: Known) -> R:
    """Return a row that must be there.

    Raises:
        LookupError: It is not.
    """
    row = known.find(kind, key)
    if row is None:
        raise LookupError(f"no {kind.__name__} {key}")
    return row
