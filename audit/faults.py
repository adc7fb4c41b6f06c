"""What may be wrong with a record, and how it is told."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique

from audit.chain import Head


@unique
class FaultKind(StrEnum):
    """In which way a record does not hold."""

    EDITED = "edited"
    """The content of an entry is not what was hashed."""
    DELETED = "deleted"
    """Entries are missing from the middle of a chain."""
    REORDERED = "reordered"
    """Entries stand in another order than they were written."""
    SPLICED = "spliced"
    """An entry of one chain stands in another."""
    REWRITTEN = "rewritten"
    """An entry was replaced, hash and all, and what follows or a checkpoint knows another one."""
    TAIL_CUT = "tail-cut"
    """A checkpoint covers more entries than there are."""
    MALFORMED = "malformed"
    """An entry or checkpoint does not have the form that this program writes."""
    SIGNATURE = "signature"
    """A checkpoint's signature is not one over its content."""
    KEY_REPLACED = "key-replaced"
    """A checkpoint is signed with, or the record names, another key than it should."""
    CHECKPOINT_REPLAYED = "checkpoint-replayed"
    """Checkpoints do not follow one another: one stands twice, is missing or was put in."""
    CHECKPOINT_MISSING = "checkpoint-missing"
    """The checkpoint file and the database do not hold the same checkpoints."""
    PROJECTION = "projection"
    """A table of current state says something else than the entries that it follows from."""
    CLIP = "clip"
    """A stored recording is gone, or its bytes are others than the record says."""
    TIME_STAMP = "time-stamp"
    """A time stamp is not one over the checkpoint that it stands for."""
    RECORD_LOST = "record-lost"
    """The database holds no record, and the data folder shows that there was one."""
    DAMAGED = "damaged"
    """The database cannot be read as the one that this program made."""
    GUARD_MISSING = "guard-missing"
    """A trigger that refuses changes is gone."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that does not hold."""

    kind: FaultKind
    where: str
    """Such as `entry 5 of T1`, `checkpoint 3` or `alert 7`."""
    text: str
    """What was found and what was expected."""
    entry_id: int | None = None
    """The id of the entry at fault, when it is one."""

    def __str__(self) -> str:
        return f"{self.where}: {self.kind}: {self.text}"


class FaultFound(Exception):  # noqa: N818  # it carries a result, and ends a walk
    """Ends a verification at the first fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification read, and whether it holds."""

    entries: int
    checkpoints: int
    heads: tuple[Head, ...]
    """The end of every chain, as far as it was read."""
    sealed: int
    """How many of the entries the last checkpoint covers: no cut among them can go unnoticed."""
    sealed_at: datetime | None
    """When that checkpoint was signed."""
    key: str | None
    """The fingerprint of the key that the record names last."""
    fault: Fault | None
    """The first thing that does not hold; None when all does."""

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return self.fault is None
