"""Making and changing accounts and keys: what administrators do, in the browser or the terminal."""

from dataclasses import dataclass, replace

from audit.auth import secrets
from audit.auth.accounts import Account, MachineKey, check_account_name
from audit.auth.door import KEY_PREFIX, now_utc
from audit.auth.permissions import Action, Role, Scope, check_roles
from audit.chain import EntryKind, JsonObject, check_chain_name
from audit.errors import AuditError, NotInRecord, RecordConflict
from audit.store.access import AccessStore, Look

MAX_DISPLAY = 80


@dataclass(frozen=True, slots=True)
class By:
    """Who does it, and where from."""

    user: str
    address: str | None = None

    def body(self, **more: str | int | None) -> JsonObject:
        """Return the beginning of an entry's body."""
        return {"user": self.user, "address": self.address, **more}


@dataclass(frozen=True, slots=True)
class Wanted:
    """An account as it is to be."""

    roles: tuple[Role, ...]
    table: str | None = None
    display: str = ""


class Registry:
    """The accounts and keys of a record, and how they are changed."""

    def __init__(self, access: AccessStore) -> None:
        self.access = access

    def needs_administrator(self) -> bool:
        """Say whether nobody can manage accounts: the first start, or a house locked out."""
        return not any(
            account.may(Action.ACCOUNT_MANAGE) and account.secret
            for account in self.access.accounts()
        )

    def account(self, name: str) -> Account:
        """Return an account.

        Raises:
            NotInRecord: There is none of this name.
        """
        found = self.access.account(name)
        if found is None:
            raise NotInRecord(f"no account {name[:40]!r}")
        return found

    def add(self, name: str, wanted: Wanted, by: By) -> Account:
        """Add an account; it can't be used before its owner sets a password by a one-time link.

        Raises:
            AuditError: The name, roles or table can't be used.
            RecordConflict: There is one of this name.
        """
        check_account_name(name)
        now = now_utc()
        account = Account(
            name=name,
            roles="",
            table=None,
            display="",
            enabled=True,
            secret=None,
            added=now,
            changed=now,
            last_login=None,
            entry=0,
        )
        look = Look(EntryKind.ACCOUNT_ADDED, by.body(), now)
        return self.access.save_account(_with(account, wanted), look, ends=False)

    def change(self, name: str, wanted: Wanted, by: By) -> Account:
        """Give an account other roles; its sessions end, so that the new ones hold at once.

        Raises:
            AuditError: The roles or table can't be used, or nobody could manage accounts any more.
        """
        changed = _with(self.account(name), wanted)
        self._keep_one(name, changed)
        look = Look(EntryKind.ACCOUNT_CHANGED, by.body(reason="roles changed"), now_utc())
        return self.access.save_account(changed, look, ends=True)

    def enable(self, name: str, by: By, *, enabled: bool) -> Account:
        """Disable an account, which ends all its sessions and links, or enable it again.

        Raises:
            AuditError: Nobody could manage accounts any more.
        """
        changed = replace(self.account(name), enabled=enabled)
        self._keep_one(name, changed)
        reason = "enabled" if enabled else "disabled"
        look = Look(EntryKind.ACCOUNT_CHANGED, by.body(reason=reason), now_utc())
        return self.access.save_account(changed, look, ends=not enabled)

    def _keep_one(self, name: str, changed: Account) -> None:
        others = [one for one in self.access.accounts() if one.name != name and one.secret]
        before = self.account(name)
        if not before.may(Action.ACCOUNT_MANAGE) or changed.may(Action.ACCOUNT_MANAGE):
            return
        if not any(one.may(Action.ACCOUNT_MANAGE) for one in others):
            raise RecordConflict(f"{name} is the last administrator: make another one first")

    def check_password(self, name: str, password: str) -> None:
        """Refuse a password that an account can't have, whether or not it is there yet.

        Raises:
            WeakPassword: It is easily guessed.
        """
        account = self.access.account(name)
        display = account.display.split() if account else ()
        secrets.check_password(password, (name, *display))

    def set_password(self, name: str, password: str, by: By) -> Account:
        """Set an account's password; all its sessions end.

        Raises:
            WeakPassword: It is easily guessed.
        """
        self.account(name)
        self.check_password(name, password)
        kept = secrets.hashed(password)
        look = Look(EntryKind.PASSWORD_SET, by.body(reason="password set"), now_utc())
        return self.access.save_password(name, (kept, secrets.digest(kept)), look)

    def reset_password(self, name: str, by: By) -> Account:
        """Take an account's password away; all its sessions end."""
        self.account(name)
        look = Look(EntryKind.PASSWORD_SET, by.body(reason="password reset"), now_utc())
        return self.access.save_password(name, None, look)

    def make_key(self, name: str, scopes: tuple[Scope, ...], by: By) -> tuple[MachineKey, str]:
        """Make a key for a machine; return it with its secret text, which is kept nowhere.

        Raises:
            AuditError: It has no name or no scope.
        """
        name = " ".join(name.split())
        if not 1 <= len(name) <= MAX_DISPLAY or not name.isprintable():
            raise AuditError(f"key: expected a name of 1 to {MAX_DISPLAY} characters")
        if not scopes:
            raise AuditError(f"key: expected one or more scopes of {', '.join(Scope)}")
        public, secret = secrets.new_token()[:12].replace("_", "0"), secrets.new_token()
        body = by.body(
            key=public,
            name=name,
            scopes=" ".join(scope for scope in Scope if scope in scopes),
            digest=secrets.digest(secret),
        )
        self.access.append(Look(EntryKind.MACHINE_KEY_MADE, body, now_utc()))
        return self.key(public), f"{KEY_PREFIX}_{public}_{secret}"

    def key(self, public: str) -> MachineKey:
        """Return a key.

        Raises:
            NotInRecord: There is none.
        """
        found = self.access.machine_key(public)
        if found is None:
            raise NotInRecord(f"no key {public[:40]!r}")
        return found

    def revoke_key(self, public: str, by: By) -> MachineKey:
        """Revoke a key: it opens nothing from now on."""
        if self.key(public).revoked is None:
            look = Look(EntryKind.MACHINE_KEY_REVOKED, by.body(key=public), now_utc())
            self.access.append(look)
        return self.key(public)


def _with(account: Account, wanted: Wanted) -> Account:
    roles = check_roles(wanted.roles)
    table = wanted.table or None
    if (Role.DEALER_SCREEN in roles) is not (table is not None):
        raise AuditError("table: a dealer-screen account has one table, and no other account has")
    display = " ".join(wanted.display.split())
    if len(display) > MAX_DISPLAY or not display.isprintable():
        raise AuditError(f"name: expected at most {MAX_DISPLAY} printable characters")
    return replace(
        account,
        roles=" ".join(roles),
        table=check_chain_name(table) if table else None,
        display=display,
    )
