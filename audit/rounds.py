"""A round as the record keeps it: what was seen, and what the check made of it."""

from dataclasses import dataclass
from datetime import datetime

from audit.chain import JsonObject


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """A round in its newest version; earlier versions stay in the chain."""

    round: str
    """The round's name, one for the whole record, such as `T1-20261130-0042`."""
    table: str
    game: str
    outcome: str
    """`complete`, `void`, `reconstruct`, `unsure` or `incomplete`."""
    findings: int
    started: datetime | None
    recorded: datetime
    """When the round ended or was read, in UTC."""
    corrected: bool
    """Whether an earlier version says something else."""
    entry: int
    """The entry with this version."""
    record: JsonObject
    """The round record, in its published form."""
    result: JsonObject
    """What the check made of it, in its published form."""
