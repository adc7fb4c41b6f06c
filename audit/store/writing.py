"""What the parts of the store that write have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from sqlmodel import Session

from audit.errors import ChainError
from audit.store.reading import Reader
from audit.store.unit import Unit

T = TypeVar("T")

NOTE_LENGTH = 4000
"""The most characters of a comment, note or summary."""

NAME_LENGTH = 200
"""The most characters of a name, title or place."""


class Writer(Reader, ABC):
    """A reader that also writes, each act in one transaction on one chain."""

    @abstractmethod
    def _transact(self, work: Callable[[Session], T]) -> T:
        """Run one write transaction, again when another writer got in its way."""

    @abstractmethod
    def _write(self, chain: str, work: Callable[[Unit], T]) -> T:
        """Run one write transaction on a chain."""


def now_or(at: datetime | None) -> datetime:
    """Return a moment, or this one."""
    return at or datetime.now(UTC)


def fit(name: str, text: str, *, most: int = NOTE_LENGTH, least: int = 1) -> str:
    """Return a person's text without blanks around it.

    Raises:
        ChainError: It is too short or too long; the line names it.
    """
    kept = text.strip()
    if not least <= len(kept) <= most:
        raise ChainError(
            f"{name}: found {len(kept)} characters, expected {least} to {most} characters"
        )
    return kept
