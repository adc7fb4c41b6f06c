"""The door: signing in and out, one-time links, and telling who a token belongs to."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from audit.auth import secrets
from audit.auth.accounts import Account
from audit.auth.permissions import Role
from audit.auth.sessions import (
    TOUCH,
    How,
    Limits,
    Link,
    Purpose,
    Session,
    Who,
    of_key,
    of_session,
)
from audit.auth.throttle import SignInThrottle, Sparing
from audit.chain import EntryKind, JsonObject
from audit.errors import AuditError
from audit.store.access import AccessStore, Look

KEY_PREFIX = "pw"
"""What every machine's key begins with, so that a scanner of leaked secrets knows it."""


class NotLetIn(AuditError):  # noqa: N818  # named for what happened
    """A sign-in failed. What exactly did not fit is not told."""


class MustWait(AuditError):  # noqa: N818  # named for what to do
    """Too many sign-ins failed."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many sign-ins failed; try again in {int(seconds) + 1} s")
        self.seconds = int(seconds) + 1


class LinkUsedUp(AuditError):  # noqa: N818  # named for what happened
    """A one-time link was used, has ended, or never was."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A new session, with the token that only the browser keeps."""

    token: str
    session: Session


def now_utc() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)


@dataclass
class Door:
    """Lets people, screens and machines in, and out."""

    access: AccessStore
    limits: Limits = field(default_factory=Limits)
    demo: bool = False
    """Whether visitors of the demonstration come in without a password."""

    def __post_init__(self) -> None:
        self._throttle = SignInThrottle(time.monotonic)
        self._told = Sparing(60.0, time.monotonic)
        self._key_touched = Sparing(TOUCH.total_seconds(), time.monotonic)

    def sign_in(self, name: str, password: str, address: str) -> Opened:
        """Let the owner of an account in.

        Raises:
            NotLetIn: The name or password is wrong, or the account is disabled.
            MustWait: Too many sign-ins failed.
        """
        account = self.access.account(name)
        typed = name if account else ""  # What is no account may be a password typed too early.
        known = account is not None and self.access.was_here(name, address)
        wait = self._throttle.begin(name[:64], address, known=known)
        if wait > 0:
            if self._told.first((typed, address)):
                self._failed(typed, address, "too many failures")
            raise MustWait(wait)
        try:
            kept = self.access.credential(name) if account else None
        except AuditError:
            self._throttle.took_back(name[:64], address)
            raise
        if account is None or not self._is_owner(account, kept, password):
            reason = "no such account" if account is None else "wrong password"
            if account is not None and not account.enabled:
                reason = "account disabled"
            self._failed(typed, address, reason)
            raise NotLetIn("sign-in: name or password is wrong")
        self._throttle.passed(name[:64], address)
        return self.open(account.name, account.role_set, How.PASSWORD, address, account.table)

    def _is_owner(self, account: Account, kept: str | None, password: str) -> bool:
        # A hash that the record does not know was put there by hand.
        genuine = kept is not None and secrets.digest(kept) == account.secret
        return secrets.matches(password, kept if genuine else None) and account.enabled

    def _failed(self, name: str, address: str, reason: str) -> None:
        body = {"user": name, "address": address, "reason": reason}
        self.access.append(Look(EntryKind.SESSION_FAILED, body, now_utc()))

    def open(
        self, user: str, roles: tuple[Role, ...], how: How, address: str, table: str | None
    ) -> Opened:
        """Open a session for somebody who has been found to be who they say."""
        token, now = secrets.new_token(), now_utc()
        lasts = self.limits.screen if how is How.SCREEN else self.limits.absolute
        digest = secrets.digest(token)
        session = Session(
            digest=digest,
            label=digest[:12],
            user=user,
            roles=roles,
            table=table,
            how=how,
            address=address,
            opened=now,
            used=now,
            ends=now + lasts,
        )
        body: JsonObject = {
            "user": user,
            "roles": " ".join(roles),
            "table": table,
            "session": session.label,
            "how": how.value,
            "address": address,
        }
        self.access.open_session(session, Look(EntryKind.SESSION_OPENED, body, now))
        return Opened(token, session)

    def who(self, token: str) -> Who | None:
        """Return who has a session's token; None when it is none or the session is over."""
        session = self.access.session(secrets.digest(token))
        if session is None:
            return None
        if session.over(now_utc(), self.limits):
            self._close(session, session.user, "timed out", session.address)
            return None
        return of_session(session)

    def alive(self, who: Who) -> bool:
        """Say whether a session or key still holds, for what lasts longer than one answer."""
        if who.session is not None:
            session = self.access.session(who.session.digest)
            return session is not None and not session.over(now_utc(), self.limits)
        key = self.access.machine_key(who.key) if who.key else None
        return key is not None and key.revoked is None

    def machine(self, key: str, address: str) -> Who | None:
        """Return the machine that a key belongs to; None when it is none or was revoked."""
        prefix, _, rest = key.partition("_")
        public, _, secret = rest.partition("_")
        found = self.access.machine_key(public) if prefix == KEY_PREFIX and public else None
        if found is None or found.revoked is not None:
            return None
        if not secrets.same(secrets.digest(secret), found.digest):
            return None
        if self._key_touched.first(public):
            self.access.touch_key(public, now_utc(), address)
        return of_key(found)

    def used(self, session: Session) -> None:
        """Count a request as a sign that somebody is there."""
        now = now_utc()
        if now - session.used >= TOUCH:
            self.access.touch(session.digest, now)

    def sign_out(self, session: Session, address: str) -> None:
        """End a session."""
        self._close(session, session.user, "signed out", address)

    def end_sessions(self, user: str, by: str, address: str | None) -> int:
        """End all sessions of somebody; return how many there were."""
        found = [session.digest for session in self.access.sessions(user)]
        body = {"user": by, "reason": "ended", "address": address}
        self.access.close_sessions(found, Look(EntryKind.SESSION_CLOSED, body, now_utc()))
        return len(found)

    def _close(self, session: Session, by: str, reason: str, address: str) -> None:
        body = {"user": by, "reason": reason, "address": address}
        look = Look(EntryKind.SESSION_CLOSED, body, now_utc())
        self.access.close_sessions([session.digest], look)

    def make_link(
        self, purpose: Purpose, by: str, *, account: str = "", table: str | None = None
    ) -> str:
        """Return the token of a new one-time link; an earlier one for the same ends.

        Args:
            purpose: What it opens.
            by: Who makes it.
            account: Whose password it sets, or the name of the screen.
            table: The table of a screen.
        """
        token, now = secrets.new_token(), now_utc()
        link = Link(purpose, account, table, now + self.limits.link)
        body: JsonObject = {
            "user": by,
            "how": purpose.value,
            "account": account or None,
            "table": table,
        }
        look = Look(EntryKind.LINK_MADE, body, now)
        self.access.save_link(secrets.digest(token), link, look)
        return token

    def peek(self, token: str, *purposes: Purpose) -> Link:
        """Return what a one-time link opens, without using it up.

        Raises:
            LinkUsedUp: It opens nothing of these.
        """
        link = self.access.link(secrets.digest(token))
        if link is None or link.ends <= now_utc() or link.purpose not in purposes:
            raise LinkUsedUp("this link was used already, or has ended; ask for a new one")
        return link

    def use(self, token: str, *purposes: Purpose) -> Link:
        """Use a one-time link up.

        Raises:
            LinkUsedUp: It opens nothing of these.
        """
        self.peek(token, *purposes)
        link = self.access.use_link(secrets.digest(token), now_utc())
        if link is None:
            raise LinkUsedUp("this link was used already, or has ended; ask for a new one")
        return link

    def open_screen(self, token: str, address: str) -> Opened:
        """Bind a device to its table as its dealer's screen.

        Raises:
            LinkUsedUp: The link opens no screen.
        """
        link = self.use(token, Purpose.SCREEN)
        return self.open(link.account, (Role.DEALER_SCREEN,), How.SCREEN, address, link.table)

    def open_demo(self, roles: tuple[Role, ...], address: str, table: str | None = None) -> Opened:
        """Let a visitor of the demonstration in.

        Raises:
            NotLetIn: This is no demonstration.
        """
        if not self.demo:
            raise NotLetIn("this is no demonstration")
        return self.open("demo", roles, How.DEMO, address, table)
