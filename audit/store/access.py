"""Accounts, sessions, links, keys and the access log: every query on them.

What the record keeps (accounts, keys, the log) is written as entries with their projections; what
it must not keep (password hashes, sessions, links) goes into tables beside it, in the same
transaction. A token is looked up by its digest, so that its place in an index tells nothing.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import ColumnElement, Update, delete, func, select, update
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from audit.auth.accounts import AccessLine, Account, MachineKey, account_body
from audit.auth.permissions import Role
from audit.auth.records import (
    AccessLineRecord,
    AccountRecord,
    CredentialRecord,
    KeyUseRecord,
    MachineKeyRecord,
    OneTimeLinkRecord,
    WebSessionRecord,
)
from audit.auth.sessions import How, Link, Purpose, Session
from audit.chain import SYSTEM, EntryKind, JsonObject
from audit.errors import NotInRecord, RecordConflict
from audit.store.store import Store
from audit.store.unit import Unit

PAGE = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AccessQuery:
    """Which lines of the access log are asked for; what is None does not narrow."""

    user: str | None = None
    act: str | None = None
    """An act, or the beginning of several: `session` means all of `session.…`."""
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None
    """Only lines of entries below this one: the next page."""
    limit: int = PAGE


@dataclass(frozen=True, slots=True)
class Look:
    """An entry about somebody's doing, to be appended to the system chain."""

    kind: EntryKind
    body: JsonObject
    at: datetime


class AccessStore:
    """Reads and writes accounts, sessions, links and keys of a record."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def accounts(self) -> list[Account]:
        """Return all accounts, by name."""
        return self._store._rows(Account, order=col(AccountRecord.name))

    def account(self, name: str) -> Account | None:
        """Return one account, or None when there is none of this name."""
        found = self._store._rows(
            Account, col(AccountRecord.name) == name, order=col(AccountRecord.name)
        )
        return found[0] if found else None

    def machine_keys(self) -> list[MachineKey]:
        """Return all keys, the newest first, those revoked too."""
        return self._store._rows(MachineKey, order=col(MachineKeyRecord.entry).desc())

    def machine_key(self, key: str) -> MachineKey | None:
        """Return one key, or None."""
        found = self._store._rows(
            MachineKey, col(MachineKeyRecord.key) == key, order=col(MachineKeyRecord.key)
        )
        return found[0] if found else None

    def log(self, query: AccessQuery | None = None) -> list[AccessLine]:
        """Return lines of the access log, the newest first."""
        asked = query or AccessQuery()
        line = AccessLineRecord
        where: list[ColumnElement[bool]] = []
        if asked.user is not None:
            where.append(col(line.user) == asked.user)
        if asked.act is not None:
            where.append(col(line.act).startswith(asked.act, autoescape=True))
        if asked.since is not None:
            where.append(col(line.at) >= asked.since)
        if asked.until is not None:
            where.append(col(line.at) < asked.until)
        if asked.before is not None:
            where.append(col(line.entry) < asked.before)
        return self._store._rows(
            AccessLine, *where, order=col(line.entry).desc(), limit=asked.limit
        )

    def was_here(self, user: str, address: str) -> bool:
        """Say whether somebody signed in from an address before."""
        line = AccessLineRecord
        query = (
            select(col(line.entry))
            .where(
                col(line.user) == user,
                col(line.act) == "session.opened",
                col(line.address) == address,
            )
            .limit(1)
        )
        return self._ask(lambda session: session.scalars(query).first()) is not None

    def last_uses(self) -> dict[str, datetime]:
        """Return when each account's last session was used, and each key, by name."""
        sessions = select(
            col(WebSessionRecord.user), func.max(col(WebSessionRecord.used))
        ).group_by(col(WebSessionRecord.user))
        keys = select(col(KeyUseRecord.key), col(KeyUseRecord.used))

        def work(session: DatabaseSession) -> dict[str, datetime]:
            found = [*session.connection().execute(sessions), *session.connection().execute(keys)]
            return {str(name): used for name, used in found}

        return self._ask(work)

    def credential(self, name: str) -> str | None:
        """Return an account's password hash."""
        query = select(col(CredentialRecord.hash)).where(col(CredentialRecord.name) == name)
        return self._ask(lambda session: session.scalars(query).first())

    def session(self, digest: str) -> Session | None:
        """Return the session with a token, whether it is over or not."""
        query = select(WebSessionRecord).where(col(WebSessionRecord.digest) == digest)

        def work(session: DatabaseSession) -> Session | None:
            found = session.scalars(query).first()
            return None if found is None else _session(found)

        return self._ask(work)

    def sessions(self, user: str | None = None) -> list[Session]:
        """Return sessions that nobody ended, the one used last first."""
        query = select(WebSessionRecord).order_by(col(WebSessionRecord.used).desc())
        if user is not None:
            query = query.where(col(WebSessionRecord.user) == user)
        return self._ask(lambda session: [_session(row) for row in session.scalars(query)])

    def link(self, digest: str) -> Link | None:
        """Return what a one-time link opens, without using it."""
        query = select(OneTimeLinkRecord).where(col(OneTimeLinkRecord.digest) == digest)

        def work(session: DatabaseSession) -> Link | None:
            found = session.scalars(query).first()
            return None if found is None else _link(found)

        return self._ask(work)

    def append(self, look: Look) -> None:
        """Append an entry about somebody's doing."""
        self._store.append(SYSTEM, look.kind, look.body, at=look.at)

    def save_account(self, account: Account, look: Look, *, ends: bool) -> Account:
        """Write an account as it is to be, and end its sessions when they must not go on.

        Raises:
            RecordConflict: It was to be added, and there is one of this name.
        """

        def work(unit: Unit) -> Account:
            if look.kind is EntryKind.ACCOUNT_ADDED and unit.find(Account, (account.name,)):
                raise RecordConflict(f"account {account.name!r} is there already")
            unit.append(look.kind, {**account_body(account), **look.body}, look.at)
            if ends:
                self._end(unit, account.name, look)
                unit.session.connection().execute(
                    delete(OneTimeLinkRecord).where(col(OneTimeLinkRecord.account) == account.name)
                )
            return _needed(unit, account.name)

        return self._write(work)

    def save_password(self, name: str, kept: tuple[str, str] | None, look: Look) -> Account:
        """Write an account's password hash, or take it away; all its sessions and links end.

        Args:
            name: The account.
            kept: The hash and its digest; None takes the password away.
            look: The entry about it.
        """

        def work(unit: Unit) -> Account:
            body = {"account": name, "secret": kept[1] if kept else None, **look.body}
            unit.append(EntryKind.PASSWORD_SET, body, look.at)
            if kept:
                unit.session.merge(CredentialRecord(name=name, hash=kept[0]))
            else:
                unit.session.connection().execute(
                    delete(CredentialRecord).where(col(CredentialRecord.name) == name)
                )
            self._end(unit, name, look)
            unit.session.connection().execute(
                delete(OneTimeLinkRecord).where(col(OneTimeLinkRecord.account) == name)
            )
            return _needed(unit, name)

        return self._write(work)

    def open_session(self, session: Session, look: Look) -> None:
        """Write a session, and forget those that are long over."""

        def work(unit: Unit) -> None:
            unit.append(EntryKind.SESSION_OPENED, look.body, look.at)
            unit.session.connection().execute(
                delete(WebSessionRecord).where(
                    col(WebSessionRecord.ends) < look.at - timedelta(days=1)
                )
            )
            unit.session.add(
                WebSessionRecord(
                    digest=session.digest,
                    label=session.label,
                    user=session.user,
                    roles=" ".join(session.roles),
                    table=session.table,
                    how=session.how.value,
                    address=session.address,
                    opened=session.opened,
                    used=session.used,
                    ends=session.ends,
                )
            )

        self._write(work)

    def close_sessions(self, digests: Iterable[str], look: Look) -> None:
        """End sessions, each with an entry of its own."""
        wanted = list(digests)

        def work(unit: Unit) -> None:
            where = col(WebSessionRecord.digest).in_(wanted)
            self._close(unit, where, look)

        self._write(work)

    def touch(self, digest: str, used: datetime) -> None:
        """Write down when a session was used last."""
        record = WebSessionRecord
        self._change(update(record).where(col(record.digest) == digest).values(used=used))

    def touch_key(self, key: str, used: datetime, address: str) -> None:
        """Write down when a key was used last."""
        self._store._transact(
            lambda session: session.merge(KeyUseRecord(key=key, used=used, address=address))
        )

    def save_link(self, digest: str, link: Link, look: Look) -> None:
        """Write a one-time link; earlier ones for the same purpose and account end."""
        record = OneTimeLinkRecord

        def work(unit: Unit) -> None:
            unit.append(EntryKind.LINK_MADE, look.body, look.at)
            unit.session.connection().execute(
                delete(record).where(
                    (col(record.ends) < look.at)
                    | (
                        (col(record.purpose) == link.purpose.value)
                        & (col(record.account) == link.account)
                    )
                )
            )
            unit.session.add(
                record(
                    digest=digest,
                    purpose=link.purpose.value,
                    account=link.account,
                    table=link.table,
                    ends=link.ends,
                )
            )

        self._write(work)

    def use_link(self, digest: str, now: datetime) -> Link | None:
        """Use a one-time link up: of two who try at once, one gets it."""

        def work(session: DatabaseSession) -> Link | None:
            query = select(OneTimeLinkRecord).where(col(OneTimeLinkRecord.digest) == digest)
            found = session.scalars(query).first()
            if found is None:
                return None
            link = _link(found)
            gone = session.connection().execute(
                delete(OneTimeLinkRecord).where(col(OneTimeLinkRecord.digest) == digest)
            )
            return link if gone.rowcount == 1 and link.ends > now else None

        return self._store._transact(work)

    def _end(self, unit: Unit, user: str, look: Look) -> None:
        self._close(unit, col(WebSessionRecord.user) == user, look)

    def _close(self, unit: Unit, where: ColumnElement[bool], look: Look) -> None:
        for found in unit.session.scalars(select(WebSessionRecord).where(where)).all():
            body = {
                "user": found.user,
                "session": found.label,
                "reason": look.body.get("reason") or "ended",
                "by": look.body["user"],
                "address": look.body.get("address"),
            }
            unit.append(EntryKind.SESSION_CLOSED, body, look.at)
        unit.session.connection().execute(delete(WebSessionRecord).where(where))

    def _ask(self, work: Callable[[DatabaseSession], T]) -> T:
        return self._store._read(work)

    def _write(self, work: Callable[[Unit], T]) -> T:
        return self._store._write(SYSTEM, work)

    def _change(self, statement: Update) -> None:
        self._store._transact(lambda session: session.connection().execute(statement))


def _needed(unit: Unit, name: str) -> Account:
    account = unit.find(Account, (name,))
    if account is None:
        raise NotInRecord(f"no account {name!r}")
    return account


def _session(row: WebSessionRecord) -> Session:
    return Session(
        digest=row.digest,
        label=row.label,
        user=row.user,
        roles=tuple(Role(name) for name in row.roles.split()),
        table=row.table,
        how=How(row.how),
        address=row.address,
        opened=row.opened,
        used=row.used,
        ends=row.ends,
    )


def _link(row: OneTimeLinkRecord) -> Link:
    return Link(Purpose(row.purpose), row.account, row.table, row.ends)
