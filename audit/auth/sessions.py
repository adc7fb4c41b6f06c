"""Sessions and links: what the server remembers of who is signed in, and for how long."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique

from audit.auth.accounts import MachineKey
from audit.auth.permissions import Action, Role, allowed, scoped


@unique
class How(StrEnum):
    """How somebody came in."""

    PASSWORD = "password"  # noqa: S105  # a word, not a secret
    SCREEN = "screen"
    """A dealer's screen, bound to its table by a one-time link."""
    DEMO = "demo"


@unique
class Purpose(StrEnum):
    """What a one-time link is for."""

    SETUP = "setup"
    """Makes the first administrator."""
    PASSWORD = "password"  # noqa: S105  # a word, not a secret
    """Lets the owner of an account set a password."""
    SCREEN = "screen"
    DEMO = "demo"


@dataclass(frozen=True, slots=True)
class Limits:
    """How long sessions and links last."""

    idle: timedelta = timedelta(minutes=30)
    """Without anybody doing anything (SP 800-63B-4 section 2.2.3 recommends an hour at most)."""
    absolute: timedelta = timedelta(hours=12)
    """In all: a shift. After it everybody signs in again."""
    screen: timedelta = timedelta(days=30)
    """For a dealer's screen, which is a device at its table and not a person."""
    link: timedelta = timedelta(hours=24)
    """For a one-time link that nobody used."""


WATCHING = frozenset({Role.PIT, Role.DEALER_SCREEN})
"""Roles whose screens are looked at and not touched: for them, what an open page asks for by itself
counts as use, so that a wall does not go dark during a shift."""

TOUCH = timedelta(seconds=60)
"""How often at most the last use of a session is written down."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session as the server keeps it; only the browser has its token."""

    digest: str
    label: str
    """How the access log names it: it opens nothing."""
    user: str
    roles: tuple[Role, ...]
    table: str | None
    how: How
    address: str
    opened: datetime
    used: datetime
    ends: datetime

    def over(self, now: datetime, limits: Limits) -> bool:
        """Say whether it has ended by itself."""
        idle = self.how is not How.SCREEN and now - self.used > limits.idle
        return now >= self.ends or idle


@dataclass(frozen=True, slots=True)
class Link:
    """What a one-time link opens."""

    purpose: Purpose
    account: str
    """Whose password, or the name of the screen; empty for the first administrator."""
    table: str | None
    ends: datetime


@dataclass(frozen=True, slots=True)
class Who:
    """Who sends a request, and what they may do."""

    name: str
    roles: tuple[Role, ...]
    actions: frozenset[Action]
    table: str | None = None
    """The only table that they see; None: all."""
    session: Session | None = None
    key: str | None = None

    def may(self, action: str) -> bool:
        """Say whether they may do something; pages ask so before they show a way there."""
        return action == Action.PUBLIC or action in self.actions

    @property
    def demo(self) -> bool:
        """Whether this is a demonstration's visitor, who has no password."""
        return self.session is not None and self.session.how is How.DEMO

    @property
    def watching(self) -> bool:
        """Whether an open page counts as use; see `WATCHING`."""
        return bool(WATCHING.intersection(self.roles))


def of_session(session: Session) -> Who:
    """Return who has a session."""
    return Who(
        session.user, session.roles, allowed(session.roles), table=session.table, session=session
    )


def of_key(key: MachineKey) -> Who:
    """Return what a machine with a key is."""
    return Who(f"key:{key.key}", (), scoped(key.scope_set), key=key.key)
