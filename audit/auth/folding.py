"""Accounts, keys and the access log, folded from the entries: a part of `audit.projections`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from audit.auth.accounts import MAX_SUBJECT, AccessLine, Account, MachineKey
from audit.chain import Entry, EntryKind
from audit.rows import Known, Row, needed

SESSION_KINDS = frozenset(
    {EntryKind.SESSION_OPENED, EntryKind.SESSION_CLOSED, EntryKind.SESSION_FAILED}
)
ACCOUNT_KINDS = frozenset(
    {EntryKind.ACCOUNT_ADDED, EntryKind.ACCOUNT_CHANGED, EntryKind.PASSWORD_SET}
)
KEY_KINDS = frozenset({EntryKind.MACHINE_KEY_MADE, EntryKind.MACHINE_KEY_REVOKED})
LOOK_KINDS = frozenset(
    {EntryKind.RECORD_VIEWED, EntryKind.RECORD_EXPORTED, EntryKind.REQUEST_REFUSED}
)
ACCESS_KINDS = (
    SESSION_KINDS
    | ACCOUNT_KINDS
    | KEY_KINDS
    | LOOK_KINDS
    | {EntryKind.LINK_MADE, EntryKind.ACCESS_REVIEWED, EntryKind.USER_ACTED}
)
"""The kinds that the access log is made of. The event stream does not carry them: looking at a page
must not make every open page look again."""


def access_rows(entry: Entry, known: Known) -> tuple[Row, ...]:
    """Return the rows that an entry of `ACCESS_KINDS` makes or changes.

    Raises:
        KeyError, TypeError, LookupError: The body does not have the form of its kind.
    """
    if entry.kind not in ACCESS_KINDS:
        return ()
    line = access_line(entry)
    match entry.kind:
        case EntryKind.ACCOUNT_ADDED | EntryKind.ACCOUNT_CHANGED:
            return (_account(entry, known), line)
        case EntryKind.PASSWORD_SET:
            account = needed(Account, (entry.body["account"],), known)
            set_now = replace(
                account, secret=entry.body["secret"], changed=entry.at, entry=entry.id
            )
            return (set_now, line)
        case EntryKind.SESSION_OPENED:
            owner = known.find(Account, (entry.body["user"],))
            return (line,) if owner is None else (replace(owner, last_login=entry.at), line)
        case EntryKind.MACHINE_KEY_MADE | EntryKind.MACHINE_KEY_REVOKED:
            return (_key(entry, known), line)
        case _:
            return (line,)


def _account(entry: Entry, known: Known) -> Account:
    body = entry.body
    before = known.find(Account, (body["account"],))
    return Account(
        name=body["account"],
        roles=body["roles"],
        table=body["table"],
        display=body["display"],
        enabled=body["enabled"],
        secret=before.secret if before else None,
        added=before.added if before else entry.at,
        changed=entry.at,
        last_login=before.last_login if before else None,
        entry=entry.id,
    )


def _key(entry: Entry, known: Known) -> MachineKey:
    body = entry.body
    if entry.kind is EntryKind.MACHINE_KEY_MADE:
        return MachineKey(
            key=body["key"],
            name=body["name"],
            scopes=body["scopes"],
            digest=body["digest"],
            made=entry.at,
            made_by=body["user"],
            revoked=None,
            entry=entry.id,
        )
    before = needed(MachineKey, (body["key"],), known)
    return replace(before, revoked=entry.at, entry=entry.id)


def access_line(entry: Entry) -> AccessLine:
    """Return an entry's line of the access log."""
    body = entry.body
    if entry.kind in LOOK_KINDS or entry.kind is EntryKind.USER_ACTED:
        act = str(body["act"])
    else:
        act = entry.kind.value.partition(".")[2]
    return AccessLine(
        entry=entry.id,
        at=entry.at,
        user=str(body["user"]),
        act=f"refused {act}" if entry.kind is EntryKind.REQUEST_REFUSED else act,
        subject=_subject(body),
        detail=_detail(entry.kind, body),
        address=str(body.get("address") or ""),
    )


def _subject(body: Mapping[str, Any]) -> str:
    for name in ("subject", "account", "key", "session", "table"):
        if body.get(name):
            return str(body[name])[:MAX_SUBJECT]
    return ""


def _detail(kind: EntryKind, body: Mapping[str, Any]) -> str:
    match kind:
        case EntryKind.ACCOUNT_ADDED | EntryKind.ACCOUNT_CHANGED:
            told = [body["roles"], body["table"] or "", "" if body["enabled"] else "disabled"]
            return ", ".join(text for text in told if text)
        case EntryKind.PASSWORD_SET:
            return "set" if body["secret"] else "reset"
        case EntryKind.MACHINE_KEY_MADE:
            return f"{body['name']}: {body['scopes']}"
        case EntryKind.USER_ACTED:
            return ", ".join(f"{name}: {value}" for name, value in sorted(body["detail"].items()))[
                :MAX_SUBJECT
            ]
        case _:
            return str(body.get("reason") or body.get("how") or body.get("note") or "")
