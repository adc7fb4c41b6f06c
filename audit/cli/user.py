"""`pitwatch user`: accounts from the terminal of the machine that keeps the record.

Whoever may write to the data folder may use it. No password is ever typed or shown here: the
account's owner sets it with a one-time link.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from rich.console import Console
from rich.table import Table

from audit.auth.accounts import Account
from audit.auth.door import Door
from audit.auth.permissions import ALLOWED, Action, Role, check_roles
from audit.auth.registry import By, Registry, Wanted
from audit.auth.review import AccountReview, mark_reviewed, review_accounts
from audit.auth.sessions import Purpose
from audit.cli.output import print_json, print_line, printable, say
from audit.cli.places import settings_for
from audit.cli.serve import TERMINAL
from audit.cli.verify import existing_record
from audit.settings import Settings
from audit.store import open_store
from audit.store.access import AccessStore

_BY = By(TERMINAL)


@dataclass(frozen=True, slots=True)
class Desk:
    """The accounts of one record."""

    settings: Settings
    access: AccessStore
    registry: Registry
    door: Door


def add_user(name: str, wanted: Wanted, *, data: Path | None) -> int:
    """Add an account and print the link with which its owner sets a password.

    Raises:
        AuditError: The name, roles or table can't be used, or there is no record.
    """
    with _desk(data) as desk:
        account = desk.registry.add(name, wanted, _BY)
        _print_link(desk, account)
    return 0


def list_users(*, data: Path | None, json: bool) -> int:
    """Print all accounts."""
    with _desk(data) as desk:
        accounts = desk.access.accounts()
        uses = desk.access.last_uses()
    if json:
        for account in accounts:
            print_json(_account_json(account))
        return 0
    table = Table("name", "roles", "table", "state", "last sign-in")
    for account in accounts:
        used = max(filter(None, (account.last_login, uses.get(account.name))), default=None)
        table.add_row(
            account.name,
            account.roles,
            account.table or "",
            _state(account),
            f"{used:%F %H:%M} UTC" if used else "never",
        )
    Console().print(table)
    return 0


def disable_user(name: str, *, data: Path | None, enable: bool) -> int:
    """Disable an account, which ends its sessions, or enable it again.

    Raises:
        AuditError: There is no such account, or it is the last administrator.
    """
    with _desk(data) as desk:
        desk.registry.enable(name, _BY, enabled=enable)
        say(f"{name} is {'enabled' if enable else 'disabled; all its sessions have ended'}.")
    return 0


def reset_user(name: str, *, data: Path | None) -> int:
    """Take an account's password away and print a link for a new one.

    Raises:
        AuditError: There is no such account.
    """
    with _desk(data) as desk:
        _print_link(desk, desk.registry.reset_password(name, _BY))
    return 0


def show_roles(name: str | None, roles: list[str] | None, *, data: Path | None) -> int:
    """Print what each role may do; or give an account other roles.

    Raises:
        AuditError: There is no such account, or the roles don't go together.
    """
    if name is None:
        console, table = Console(), Table("action", *Role)
        for action in Action:
            marks = ["yes" if action in ALLOWED[role] else "" for role in Role]
            if any(marks):
                table.add_row(action.value, *marks)
        console.print(table)
        return 0
    with _desk(data) as desk:
        account = desk.registry.account(name)
        if roles:
            wanted = Wanted(check_roles(roles), account.table, account.display)
            account = desk.registry.change(name, wanted, _BY)
            say(f"{name}: its sessions have ended; the new roles hold from now on.")
        print_line(account.roles)
    return 0


def review_users(*, data: Path | None, done: bool, note: str) -> int:
    """Print what a quarterly access review looks at; mark it as done when asked to.

    Raises:
        AuditError: There is no record.
    """
    with _desk(data) as desk:
        review = review_accounts(desk.access)
        table = Table("name", "roles", "state", "last use", "to look at")
        for line in review.lines:
            used = f"{line.used:%F}" if line.used else "never"
            table.add_row(
                line.account.name,
                line.account.roles,
                _state(line.account),
                used,
                ", ".join(line.remarks),
            )
        Console().print(table)
        say(_told(review))
        if done:
            mark_reviewed(desk.access, _BY, printable(note))
            say("Marked as reviewed.")
    return 0


@contextmanager
def _desk(data: Path | None) -> Iterator[Desk]:
    settings = settings_for(data)
    # A mistyped folder is no new record.
    existing_record(settings).close()
    with closing(open_store(settings.database_url, settings.data_dir)) as store:
        access = AccessStore(store)
        yield Desk(settings, access, Registry(access), Door(access))


def _print_link(desk: Desk, account: Account) -> None:
    token = desk.door.make_link(Purpose.PASSWORD, TERMINAL, account=account.name)
    hours = desk.door.limits.link // timedelta(hours=1)
    say(f"{account.name} ({account.roles}) sets a password here; once, within {hours} hours:")
    print_line(f"{desk.settings.address}/welcome/{token}")


def _state(account: Account) -> str:
    if not account.enabled:
        return "disabled"
    return "active" if account.secret else "no password yet"


def _told(review: AccountReview) -> str:
    if review.last is None:
        return "These accounts were never reviewed."
    due = "due now" if review.due else f"next by {review.next:%F}"
    return f"Last reviewed {review.last.at:%F} by {review.last.user}; {due}."


def _account_json(account: Account) -> dict[str, object]:
    return {
        "name": account.name,
        "roles": account.roles.split(),
        "table": account.table,
        "display": account.display,
        "enabled": account.enabled,
        "password": account.secret is not None,
        "last_login": account.last_login.isoformat() if account.last_login else None,
    }
