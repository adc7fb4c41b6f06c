"""The review of accounts: who is there, who left, and when somebody last looked through them.

25 CFR 543.16 asks for unique accounts, for leavers to be disabled within 72 hours, and for a review
of all accounts every quarter.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from audit.auth.accounts import AccessLine, Account
from audit.auth.door import now_utc
from audit.auth.registry import By
from audit.chain import EntryKind
from audit.store.access import AccessQuery, AccessStore, Look

EVERY = timedelta(days=91)
"""A quarter."""

UNUSED = timedelta(days=30)
"""An account that nobody used for so long may be a leaver's."""


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """One account, and what to look at."""

    account: Account
    used: datetime | None
    remarks: tuple[str, ...]
    """`unused`, `never-used`, `no-password`, `disabled`."""


@dataclass(frozen=True, slots=True)
class AccountReview:
    """All accounts, with the last review of them."""

    lines: tuple[ReviewLine, ...]
    last: AccessLine | None
    now: datetime

    @property
    def next(self) -> datetime:
        """When the next review is due."""
        return self.last.at + EVERY if self.last else self.now

    @property
    def due(self) -> bool:
        """Whether a review is due."""
        return self.next <= self.now


def review_accounts(access: AccessStore) -> AccountReview:
    """Return what a review looks at, what asks for a look first."""
    now, uses = now_utc(), access.last_uses()
    lines = []
    for account in access.accounts():
        moments = [at for at in (account.last_login, uses.get(account.name)) if at is not None]
        used = max(moments, default=None)
        lines.append(ReviewLine(account, used, _remarks(account, used, now)))
    lines.sort(key=lambda line: (not line.account.enabled, not line.remarks, line.account.name))
    last = access.log(AccessQuery(act="access.reviewed", limit=1))
    return AccountReview(tuple(lines), last[0] if last else None, now)


def mark_reviewed(access: AccessStore, by: By, note: str) -> None:
    """Record that somebody looked through all accounts."""
    body = by.body(subject=f"{len(access.accounts())} accounts", note=" ".join(note.split())[:500])
    access.append(Look(EntryKind.ACCESS_REVIEWED, body, now_utc()))


def _remarks(account: Account, used: datetime | None, now: datetime) -> tuple[str, ...]:
    if not account.enabled:
        return ("disabled",)
    remarks = []
    if used is None and now - account.added > timedelta(days=3):
        remarks.append("never-used")
    if used is not None and now - used > UNUSED:
        remarks.append("unused")
    if account.secret is None:
        remarks.append("no-password")
    return tuple(remarks)
