"""Walking the whole record and finding the first entry or checkpoint that does not hold."""

import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from audit.chain import (
    GENESIS,
    SYSTEM,
    Entry,
    EntryKind,
    Head,
    hash_text,
    utc_moment,
)
from audit.checkpoint import Checkpoint, first_previous
from audit.faults import Fault, FaultFound, FaultKind
from audit.keys import ROTATION_PREFIX, fingerprint, signature_holds
from audit.merkle import Frontier


@dataclass(frozen=True, slots=True)
class Stored:
    """An entry as it lies in the database, not yet believed."""

    id: int
    chain: str
    number: int
    at: str
    """As `utc_text` writes it."""
    kind: str
    body: str
    previous: str
    hash: str


class Index(Protocol):
    """Looks entries up, once a fault is found, to say which one it is."""

    def chains(self) -> list[str]:
        """Return the names of all chains."""
        ...

    def follower(self, head: Head) -> int | None:
        """Return the id of the entry that names this head as the one before it."""
        ...

    def numbered(self, chain: str, number: int) -> int | None:
        """Return the id of the entry with a number in a chain."""
        ...

    def hashed(self, value: str) -> str | None:
        """Return the chain of the entry with a hash."""
        ...


@dataclass(frozen=True, slots=True)
class Anchors:
    """What is known from outside the database."""

    checkpoints: tuple[Checkpoint, ...] = ()
    """All known checkpoints by number: of the file, the database, and any kept elsewhere."""
    first_key: str | None = None
    """The fingerprint or public key that the record must name first, as somebody wrote it down."""
    marks: Mapping[int, tuple[object, object]] = field(default_factory=dict)
    """What the database says beside a checkpoint: the id of the last entry that it covers, and the
    roots of its perfect subtrees as JSON. The next checkpoint would go on from there."""


class Walk:
    """Takes the entries of all chains in the order of their ids, and stops at the first fault."""

    def __init__(self, index: Index, anchors: Anchors) -> None:
        self._index = index
        self._anchors = anchors
        self._heads: dict[str, Head] = {}
        self._due = deque(sorted(anchors.checkpoints, key=lambda one: (one.size, one.number)))
        self.tree = Frontier()
        self.key: str | None = None
        """The public key that the record names last, so far."""
        self.sealed: Checkpoint | None = None
        """The last checkpoint that held."""

    @property
    def heads(self) -> tuple[Head, ...]:
        """The end of every chain so far, by name."""
        return tuple(head for _, head in sorted(self._heads.items()))

    def take(self, stored: Stored) -> None:
        """Take the next entry.

        Raises:
            FaultFound: It does not hold, or a checkpoint over the entries up to it does not.
        """
        head = self._heads.get(stored.chain) or Head(stored.chain, 0, GENESIS)
        if (
            stored.number != head.number + 1
            or stored.previous != head.hash
            or hash_text(head, stored.at, stored.kind, stored.body) != stored.hash
        ):
            raise FaultFound(self._told(stored, head))
        self._heads[stored.chain] = Head(stored.chain, stored.number, stored.hash)
        self.tree.add(bytes.fromhex(stored.hash))
        if stored.chain == SYSTEM:
            self._take_key(stored)
        while self._due and self._due[0].size == self.tree.size:
            self._check(self._due.popleft(), stored.id)

    def finish(self) -> None:
        """Check what can only be said at the end.

        Raises:
            FaultFound: A checkpoint covers more entries than there were.
        """
        if self._due:
            checkpoint = self._due[0]
            short = [
                f"{chain} ends at {self._number(chain)} instead of {number}"
                for chain, (number, _) in sorted(checkpoint.heads.items())
                if self._number(chain) < number
            ]
            raise FaultFound(
                Fault(
                    FaultKind.TAIL_CUT,
                    f"checkpoint {checkpoint.number}",
                    f"covers {checkpoint.size} entries, found {self.tree.size}"
                    + (f": {'; '.join(short)}" if short else ""),
                )
            )

    def _number(self, chain: str) -> int:
        head = self._heads.get(chain)
        return 0 if head is None else head.number

    def _take_key(self, stored: Stored) -> None:
        if stored.kind not in (EntryKind.KEY_CREATED, EntryKind.KEY_ROTATED):
            return
        try:
            body = json.loads(stored.body)
            public, known = str(body["public"]), self.key
            bytes.fromhex(public)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            text = f"not an entry of its kind: {error}"
            raise FaultFound(Fault(FaultKind.MALFORMED, _where(stored), text, stored.id)) from None
        expected = self._anchors.first_key
        if known is None:
            fits = expected in (None, public, fingerprint(public))
        else:
            message = ROTATION_PREFIX + bytes.fromhex(public)
            fits = signature_holds(known, str(body.get("signature", "")), message)
            expected = known
        if not fits:
            text = f"names key {fingerprint(public)}, which {expected} does not vouch for"
            raise FaultFound(Fault(FaultKind.KEY_REPLACED, _where(stored), text, stored.id))
        self.key = public

    def _check(self, checkpoint: Checkpoint, last_id: int) -> None:
        """Check a checkpoint against the entries that it covers."""
        where = f"checkpoint {checkpoint.number}"
        if checkpoint.key != self.key:
            named = "no key" if self.key is None else f"key {fingerprint(self.key)}"
            text = f"signed with key {fingerprint(checkpoint.key)}, the record names {named}"
            raise FaultFound(Fault(FaultKind.KEY_REPLACED, where, text))
        if not checkpoint.is_signed_by(checkpoint.key):
            text = "its signature is not one over what it says"
            raise FaultFound(Fault(FaultKind.SIGNATURE, where, text))
        found = {chain: (head.number, head.hash) for chain, head in self._heads.items()}
        for chain, head in sorted(checkpoint.heads.items()):
            if found.get(chain) != head:
                text = f"entry {head[0]} of {chain} is another than the one it covers"
                raise FaultFound(Fault(FaultKind.REWRITTEN, where, text))
        if checkpoint.root != self.tree.root():
            text = f"its root over {checkpoint.size} entries is another than the one found"
            raise FaultFound(Fault(FaultKind.REWRITTEN, where, text))
        roots = json.dumps([root.hex() for root in self.tree.roots])
        if self._anchors.marks.get(checkpoint.number, (last_id, roots)) != (last_id, roots):
            text = "the database says another place or other subtrees of it"
            raise FaultFound(Fault(FaultKind.REWRITTEN, where, text))
        self.sealed = checkpoint

    def _told(self, stored: Stored, head: Head) -> Fault:
        try:
            return self._fault(stored, head)
        except TypeError:
            text = "one of its columns holds a value of another kind"
            return Fault(FaultKind.MALFORMED, f"the entry with id {stored.id}", text, stored.id)

    def _fault(self, stored: Stored, head: Head) -> Fault:
        """Say what is wrong with an entry that does not follow the head of its chain."""
        where, own = _where(stored), Head(stored.chain, stored.number - 1, stored.previous)
        expected = head.number + 1
        # 1. The true next entry stands elsewhere, so the order was changed or entries are missing.
        follower = self._index.follower(head)
        if follower is not None and follower != stored.id:
            text = f"found where entry {expected} should stand, which is at id {follower}"
            return Fault(FaultKind.REORDERED, where, text, stored.id)
        if not _holds(own, stored):
            # 2. The content is that of an entry of another chain.
            for chain in self._index.chains():
                if chain != stored.chain and _holds(Head(chain, own.number, own.hash), stored):
                    text = f"it was written to chain {chain}"
                    return Fault(FaultKind.SPLICED, where, text, stored.id)
            # 3. It is the next entry under another number.
            if _holds(Head(head.chain, head.number, own.hash), stored):
                text = f"it was written as entry {expected}"
                return Fault(FaultKind.REORDERED, where, text, stored.id)
            # 4. The content is not the one that was hashed.
            return Fault(FaultKind.EDITED, where, "its content is not what was hashed", stored.id)
        return _misplaced(self._index, stored, head)


def _misplaced(index: Index, stored: Stored, head: Head) -> Fault:
    """Say what is wrong with an entry that holds by itself and does not follow its head."""
    where, expected = _where(stored), head.number + 1
    if stored.number > expected:
        missing = index.numbered(stored.chain, expected)
        if missing is not None:
            text = f"stands before entry {expected}"
            return Fault(FaultKind.REORDERED, where, text, stored.id)
        last = stored.number - 1
        which = f"entry {expected}" if last == expected else f"entries {expected} to {last}"
        return Fault(FaultKind.DELETED, f"{which} of {stored.chain}", "missing", stored.id)
    if stored.number < expected:
        return Fault(FaultKind.REORDERED, where, f"stands after entry {head.number}", stored.id)
    other = index.hashed(stored.previous)
    if other not in (None, stored.chain):
        text = f"it follows an entry of chain {other}"
        return Fault(FaultKind.SPLICED, where, text, stored.id)
    if head.number == 0:
        text = "it names an entry before it, and is the first"
        return Fault(FaultKind.DELETED, where, text, stored.id)
    text = f"entry {expected} follows another one than stands there now"
    return Fault(FaultKind.REWRITTEN, f"entry {head.number} of {stored.chain}", text, stored.id)


def _holds(before: Head, stored: Stored) -> bool:
    return hash_text(before, stored.at, stored.kind, stored.body) == stored.hash


def _where(stored: Stored) -> str:
    return f"entry {stored.number} of {stored.chain}"


def believed(stored: Stored) -> Entry:
    """Return an entry whose hash held.

    Raises:
        ValueError: Its kind or time is none that this program writes.
    """
    return Entry(
        id=stored.id,
        chain=stored.chain,
        number=stored.number,
        at=utc_moment(stored.at),
        kind=EntryKind(stored.kind),
        body=json.loads(stored.body),
        previous=stored.previous,
        hash=stored.hash,
    )


def check_sequence(checkpoints: Iterable[Checkpoint], place: str) -> None:
    """Check that checkpoints follow one another.

    Raises:
        FaultFound: One stands twice, is missing, was put in, or points at another one before it.
    """
    before: Checkpoint | None = None
    for checkpoint in checkpoints:
        number = 1 if before is None else before.number + 1
        where = f"checkpoint {checkpoint.number} in {place}"
        if checkpoint.number != number:
            text = f"stands where checkpoint {number} should"
            raise FaultFound(Fault(FaultKind.CHECKPOINT_REPLAYED, where, text))
        if checkpoint.previous != first_previous(before):
            text = "does not follow the checkpoint before it"
            raise FaultFound(Fault(FaultKind.CHECKPOINT_REPLAYED, where, text))
        if before is not None and checkpoint.size < before.size:
            text = f"covers {checkpoint.size} entries, the one before it {before.size}"
            raise FaultFound(Fault(FaultKind.CHECKPOINT_REPLAYED, where, text))
        before = checkpoint
