"""Accounts, keys of machines and dealers' screens: what administrators look after."""

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from audit.auth.accounts import Account
from audit.auth.door import Door
from audit.auth.permissions import Action, Role, Scope, check_roles, permits
from audit.auth.registry import By, Registry, Wanted
from audit.auth.sessions import How, Purpose
from audit.errors import AuditError
from audit.tables import TableState
from audit.web.bodies import Whole
from audit.web.context import ActorDep, DeskDep, SettingsDep, page
from audit.web.gate import address_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Name = Annotated[str, Path(max_length=64)]
Typed = Annotated[str, Form(max_length=200), Whole]
Several = Annotated[list[Annotated[str, Whole]], Form(max_length=10)]


@router.get("/accounts")
@permits(Action.ACCOUNT_MANAGE)
def accounts_page(request: Request) -> Response:
    """Show all accounts, and a form for another one."""
    return _accounts(request)


@router.post("/accounts")
@permits(Action.ACCOUNT_MANAGE)
def add_account(
    request: Request,
    user: ActorDep,
    name: Typed,
    roles: Several = [],  # noqa: B006  # FastAPI makes a new one for each request
    table: Typed = "",
    person: Typed = "",
) -> Response:
    """Add an account, and show the link with which its owner sets a password."""
    try:
        wanted = Wanted(check_roles(roles), table.strip() or None, person)
        account = _registry(request).add(name.strip().lower(), wanted, _by(request, user))
    except AuditError as error:
        return _accounts(request, problem=str(error), status=422)
    return _accounts(request, link=_link(request, account, user), of=account.name)


@router.post("/accounts/{name}/roles")
@permits(Action.ACCOUNT_MANAGE)
def change_roles(
    request: Request,
    name: Name,
    user: ActorDep,
    roles: Several = [],  # noqa: B006  # FastAPI makes a new one for each request
) -> Response:
    """Give an account other roles; its sessions end."""
    registry = _registry(request)
    account = registry.account(name)
    try:
        wanted = Wanted(check_roles(roles), account.table, account.display)
        registry.change(name, wanted, _by(request, user))
    except AuditError as error:
        return _accounts(request, problem=str(error), status=422)
    return _accounts(request)


@router.post("/accounts/{name}/disable")
@permits(Action.ACCOUNT_MANAGE)
def disable_account(request: Request, name: Name, user: ActorDep) -> Response:
    """Disable an account; its sessions end at once."""
    return _enable(request, name, user, enabled=False)


@router.post("/accounts/{name}/enable")
@permits(Action.ACCOUNT_MANAGE)
def enable_account(request: Request, name: Name, user: ActorDep) -> Response:
    """Enable an account again."""
    return _enable(request, name, user, enabled=True)


def _enable(request: Request, name: str, user: str, *, enabled: bool) -> Response:
    try:
        _registry(request).enable(name, _by(request, user), enabled=enabled)
    except AuditError as error:
        return _accounts(request, problem=str(error), status=409)
    return _accounts(request)


@router.post("/accounts/{name}/reset")
@permits(Action.ACCOUNT_MANAGE)
def reset_account(request: Request, name: Name, user: ActorDep) -> Response:
    """Take an account's password away, and show the link for a new one."""
    account = _registry(request).reset_password(name, _by(request, user))
    return _accounts(request, link=_link(request, account, user), of=account.name)


def _link(request: Request, account: Account, user: str) -> str:
    token = _door(request).make_link(Purpose.PASSWORD, user, account=account.name)
    return f"{request.app.state.settings.address}/welcome/{token}"


def _accounts(
    request: Request, *, link: str = "", of: str = "", problem: str = "", status: int = 200
) -> Response:
    values = {
        "accounts": request.app.state.access.accounts(),
        "uses": request.app.state.access.last_uses(),
        "roles": tuple(Role),
        "link": link,
        "of": of,
        "problem": problem,
    }
    return page(request, "accounts.html", "accounts", values, status=status)


@router.get("/keys")
@permits(Action.KEY_MANAGE)
def keys_page(request: Request) -> Response:
    """Show the keys of machines, and a form for another one."""
    return _keys(request)


@router.post("/keys")
@permits(Action.KEY_MANAGE)
def make_key(
    request: Request,
    user: ActorDep,
    name: Typed,
    scopes: Several = [],  # noqa: B006  # FastAPI makes a new one for each request
) -> Response:
    """Make a key, and show it this once."""
    try:
        wanted = tuple(Scope(scope) for scope in scopes)
        _, secret = _registry(request).make_key(name, wanted, _by(request, user))
    except (AuditError, ValueError) as error:
        return _keys(request, problem=str(error), status=422)
    return _keys(request, secret=secret)


@router.post("/keys/{key}/revoke")
@permits(Action.KEY_MANAGE)
def revoke_key(request: Request, key: Name, user: ActorDep) -> Response:
    """Revoke a key: it opens nothing from now on."""
    _registry(request).revoke_key(key, _by(request, user))
    return _keys(request)


def _keys(request: Request, *, secret: str = "", problem: str = "", status: int = 200) -> Response:
    values = {
        "keys": request.app.state.access.machine_keys(),
        "uses": request.app.state.access.last_uses(),
        "scopes": tuple(Scope),
        "secret": secret,
        "problem": problem,
    }
    return page(request, "keys.html", "accounts", values, status=status)


@router.get("/screens")
@permits(Action.SCREEN_PAIR)
def screens_page(request: Request, desk: DeskDep) -> Response:
    """Show the dealers' screens, and a form to bind another one."""
    return _screens(request, desk.store.tables())


@router.post("/screens")
@permits(Action.SCREEN_PAIR)
def pair_screen(
    request: Request, desk: DeskDep, user: ActorDep, settings: SettingsDep, table: Typed
) -> Response:
    """Show the link that binds a device to a table, once."""
    known = desk.store.table(table).table
    name = f"screen-{known}"
    token = _door(request).make_link(Purpose.SCREEN, user, account=name, table=known)
    link = f"{settings.address}/welcome/{token}"
    return _screens(request, desk.store.tables(), link=link, of=known)


@router.post("/screens/{table}/end")
@permits(Action.SCREEN_PAIR)
def end_screens(request: Request, table: Name, desk: DeskDep, user: ActorDep) -> Response:
    """End all screens of a table."""
    known = desk.store.table(table).table
    _door(request).end_sessions(f"screen-{known}", user, address_of(request))
    return _screens(request, desk.store.tables())


def _screens(
    request: Request, tables: list[TableState], *, link: str = "", of: str = ""
) -> Response:
    screens = [one for one in request.app.state.access.sessions() if one.how is How.SCREEN]
    values = {"tables": tables, "screens": screens, "link": link, "of": of}
    return page(request, "screens.html", "accounts", values)


def _by(request: Request, user: str) -> By:
    return By(user, address_of(request))


def _registry(request: Request) -> Registry:
    found: Registry = request.app.state.registry
    return found


def _door(request: Request) -> Door:
    found: Door = request.app.state.door
    return found
