"""Checkpoints: signed statements of what the record held at a moment.

A checkpoint names the number of entries, the root of their Merkle tree and the head of every chain,
and the checkpoint before it. It is signed with Ed25519 and written outside the database too, so
whoever cuts off the end of the record, or puts an older copy in its place, is found out.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.chain import GENESIS, JsonObject, canonical, utc_moment, utc_text
from audit.errors import AuditError, ChainError
from audit.keys import key_file, public_text, signature_holds

CHECKPOINT_PREFIX = b"pitwatch checkpoint v1\x00"
"""What comes before a checkpoint's content when it is signed or hashed."""

CHECKPOINT_FILE = "checkpoints.jsonl"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What the record held at a moment, signed."""

    number: int
    """From 1, without holes."""
    at: datetime
    size: int
    """How many entries it covers."""
    root: str
    """The root of the Merkle tree over their hashes: 64 hexadecimal digits."""
    heads: Mapping[str, tuple[int, str]]
    """The number and hash of every chain's last entry, by chain."""
    previous: str
    """The hash of the checkpoint before it; `GENESIS` for the first."""
    key: str
    """The public key that it is signed with: 64 hexadecimal digits."""
    signature: str = ""
    """Ed25519 over the prefix and the canonical JSON of all the above: 128 hexadecimal digits."""

    def content(self) -> JsonObject:
        """Return what is signed."""
        return {
            "number": self.number,
            "at": utc_text(self.at),
            "size": self.size,
            "root": self.root,
            "heads": {chain: [number, entry] for chain, (number, entry) in self.heads.items()},
            "previous": self.previous,
            "key": self.key,
        }

    def message(self) -> bytes:
        """Return the bytes that are signed."""
        return CHECKPOINT_PREFIX + canonical(self.content())

    @property
    def sealed(self) -> bytes:
        """All of it with its signature: what a time stamp is over."""
        return self.message() + bytes.fromhex(self.signature)

    @property
    def hash(self) -> str:
        """The name under which the next checkpoint points at this one."""
        return hashlib.sha256(self.sealed).hexdigest()

    def is_signed_by(self, key: str) -> bool:
        """Say whether a public key signed it."""
        return self.key == key and signature_holds(key, self.signature, self.message())

    def line(self) -> str:
        """Return it as one line of JSON, without the line's end."""
        return canonical({**self.content(), "signature": self.signature}).decode()


def sign(checkpoint: Checkpoint, key: Ed25519PrivateKey) -> Checkpoint:
    """Return a checkpoint signed with a key, which it names."""
    named = replace(checkpoint, key=public_text(key))
    return replace(named, signature=key.sign(named.message()).hex())


def parse_checkpoint(line: str) -> Checkpoint:
    """Return the checkpoint that a line of JSON holds.

    Raises:
        ChainError: The line is not one that `Checkpoint.line` writes.
    """
    try:
        fields: dict[str, Any] = json.loads(line)
        heads = {
            str(chain): (int(head[0]), str(head[1])) for chain, head in fields["heads"].items()
        }
        checkpoint = Checkpoint(
            number=int(fields["number"]),
            at=utc_moment(fields["at"]),
            size=int(fields["size"]),
            root=str(fields["root"]),
            heads=heads,
            previous=str(fields["previous"]),
            key=str(fields["key"]),
            signature=str(fields["signature"]),
        )
        rewritten = checkpoint.line()
        bytes.fromhex(checkpoint.signature)
        bytes.fromhex(checkpoint.key)
    except (
        AuditError,
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        RecursionError,
    ):
        raise ChainError(f"not a checkpoint: {str(line)[:60]!r}") from None
    if rewritten != line:
        raise ChainError(f"not a checkpoint in its canonical form: {line[:60]!r}")
    return checkpoint


def read_checkpoints(path: Path) -> list[Checkpoint]:
    """Return the checkpoints of a file, in order; none when there is no file.

    A last line without its end was cut short by a crash, before its checkpoint counted.

    Raises:
        ChainError: A line is not a checkpoint; the message names it.
    """
    if not path.exists():
        return []
    found = []
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines[:-1], start=1):
        try:
            found.append(parse_checkpoint(line))
        except ChainError as error:
            raise ChainError(f"{path}: line {number}: {error}") from None
    return found


def traces_in(data_dir: Path) -> str:
    """Say what in a data folder shows that there was a record; nothing when nothing does."""
    path = data_dir / CHECKPOINT_FILE
    try:
        lines = path.read_bytes().count(b"\n") if path.is_file() else 0
    except OSError:
        lines = 0
    if lines:
        return f"{path} has {lines} checkpoints of one"
    return f"{key_file(data_dir)} is the key of one" if key_file(data_dir).exists() else ""


def first_previous(before: Checkpoint | None) -> str:
    """Return what the checkpoint after `before` names as the one before it."""
    return GENESIS if before is None else before.hash
