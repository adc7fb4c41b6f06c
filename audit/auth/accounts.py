"""Accounts, keys and what was done with them, as they follow from the entries of the record.

Passwords, session tokens and links are no part of the record, since nothing can ever be taken out
of it: only digests are in it, from which nobody can work back. So a password hash that somebody put
into the database by hand is found out (`Account.secret`).
"""

import re
from dataclasses import dataclass
from datetime import datetime

from audit.auth.permissions import Action, Role, Scope, allowed
from audit.chain import JsonObject
from audit.errors import AuditError

_NAME = re.compile(r"[a-z][a-z0-9._-]{1,31}")

_TAKEN = frozenset({"terminal", "demo"})
_SCREENS = "screen-"
"""The names under which the command line, the demonstration and dealers' screens act."""

MAX_SUBJECT = 500
"""Characters of an address or name that the access log keeps."""


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may sign in."""

    name: str
    roles: str
    """As `Role` writes them, with blanks between."""
    table: str | None
    """The one table that the account sees; None for accounts of people."""
    display: str
    """The person's name, as the person writes it."""
    enabled: bool
    secret: str | None
    """SHA-256 of the stored password hash; None while no password is set."""
    added: datetime
    changed: datetime
    last_login: datetime | None
    entry: int
    """The entry that changed it last, sign-ins aside."""

    @property
    def role_set(self) -> tuple[Role, ...]:
        """What the account is here for."""
        return tuple(Role(name) for name in self.roles.split())

    def may(self, action: Action) -> bool:
        """Say whether the account's roles allow an action."""
        return self.enabled and action in allowed(self.role_set)


@dataclass(frozen=True, slots=True)
class MachineKey:
    """A key with which a machine asks, without its secret."""

    key: str
    """The public half, which names it."""
    name: str
    scopes: str
    """As `Scope` writes them, with blanks between."""
    digest: str
    """SHA-256 of the secret half."""
    made: datetime
    made_by: str
    revoked: datetime | None
    entry: int

    @property
    def scope_set(self) -> tuple[Scope, ...]:
        """What it may be used for."""
        return tuple(Scope(name) for name in self.scopes.split())


@dataclass(frozen=True, slots=True)
class AccessLine:
    """One line of the access log: who did or looked at what, and when."""

    entry: int
    at: datetime
    user: str
    """Who; empty when nobody was signed in."""
    act: str
    """`round.view`, `session.opened`, `account.changed` …"""
    subject: str
    """What: a path, an account, a key."""
    detail: str
    address: str
    """Where from; empty for what was done at the command line."""


def check_account_name(name: str) -> str:
    """Return an account's name unchanged.

    Raises:
        AuditError: It has another form.
    """
    if name in _TAKEN or name.startswith(_SCREENS):
        raise AuditError(f"account: {name!r} already names who acts without one; choose another")
    if _NAME.fullmatch(name) is None:
        raise AuditError(
            f"account: found {name[:40]!r} (expected 2 to 32 small letters, digits, '.', '_' or "
            "'-', beginning with a letter)"
        )
    return name


def account_body(account: Account) -> JsonObject:
    """Return what an entry about an account says: all of it but the password."""
    return {
        "account": account.name,
        "roles": account.roles,
        "table": account.table,
        "display": account.display,
        "enabled": account.enabled,
    }
