"""Coming in and going out: sign-in, one-time links, the demonstration, one's own account."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from audit.auth.accounts import Account
from audit.auth.door import Door, LinkUsedUp, MustWait, NotLetIn, Opened
from audit.auth.permissions import Action, Role, permits
from audit.auth.registry import By, Registry, Wanted
from audit.auth.secrets import MIN_PASSWORD, WeakPassword
from audit.auth.sessions import How, Limits, Link, Purpose, of_session
from audit.settings import Settings
from audit.web.bodies import Whole
from audit.web.context import WhoDep, page
from audit.web.cookies import Cookies
from audit.web.gate import address_of, home_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Token = Annotated[str, Path(min_length=20, max_length=100)]
Next = Annotated[str, Query(max_length=500)]
Typed = Annotated[str, Form(max_length=600), Whole]

_OPENS = (Purpose.SETUP, Purpose.PASSWORD, Purpose.SCREEN, Purpose.DEMO)

VISITORS: Mapping[str, tuple[Role, ...]] = {
    "house": (Role.PIT, Role.SURVEILLANCE, Role.COMPLIANCE),
    "pit": (Role.PIT,),
    "surveillance": (Role.SURVEILLANCE,),
    "compliance": (Role.COMPLIANCE,),
    "regulator": (Role.REGULATOR,),
    "administrator": (Role.ADMINISTRATOR,),
}
"""As whom one may look at the demonstration."""


def limits_of(settings: Settings) -> Limits:
    """Return how long sessions last by the settings."""
    return Limits(
        idle=timedelta(minutes=settings.session_idle_minutes),
        absolute=timedelta(hours=settings.session_hours),
    )


def within(next_page: str) -> str | None:
    """Return a path of this server to go on to; None for anything that could lead elsewhere.

    >>> within("/rounds?table=T1"), within("//evil.example"), within("https://evil.example")
    ('/rounds?table=T1', None, None)
    """
    # Browsers take "\\" for "/", and what follows two of them for another host.
    elsewhere = next_page.replace("\\", "/").startswith("//")
    if elsewhere or not next_page.startswith("/") or not next_page.isprintable():
        return None
    return next_page


@router.get("/login")
@permits(Action.PUBLIC)
def login_page(request: Request, next: Next = "") -> Response:  # noqa: A002  # the query's name
    """Ask for name and password."""
    if request.state.who is not None:
        return RedirectResponse(within(next) or home_of(request.state.who), 303)
    return _login(request, next_page=within(next) or "")


@router.post("/login")
@permits(Action.PUBLIC)
def login(
    request: Request, name: Typed, password: Typed, next_page: Annotated[str, Form()] = ""
) -> Response:
    """Let the owner of an account in."""
    try:
        opened = _door(request).sign_in(name.strip().lower(), password, address_of(request))
    except MustWait as error:
        answer = _login(request, next_page=next_page, wait=error.seconds, status=429)
        answer.headers["Retry-After"] = str(error.seconds)
        return answer
    except NotLetIn:
        return _login(request, next_page=next_page, wrong=True, status=401)
    return _enter(request, opened, within(next_page))


@router.post("/login/demo")
@permits(Action.PUBLIC)
def login_demo(request: Request, visitor: Typed, table: Typed = "") -> Response:
    """Let a visitor of the demonstration in, as whom they choose to look."""
    door = _door(request)
    if not door.demo:  # Before anything is looked up: no stranger learns which tables there are.
        raise HTTPException(403, "this is no demonstration")
    try:
        if visitor == "dealer":
            known = request.app.state.desk.store.table(table).table
            opened = door.open_demo((Role.DEALER_SCREEN,), address_of(request), known)
        elif visitor in VISITORS:
            opened = door.open_demo(VISITORS[visitor], address_of(request))
        else:
            raise HTTPException(422, "visitor: expected one of the buttons")
    except NotLetIn as error:
        raise HTTPException(403, str(error)) from None
    return _enter(request, opened, None)


@router.post("/logout")
@permits(Action.SELF)
def logout(request: Request, who: WhoDep) -> Response:
    """End the session."""
    if who.session is not None:
        _door(request).sign_out(who.session, address_of(request))
    answer = RedirectResponse("/login", 303)
    _cookies(request).take(answer)
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


@router.get("/welcome/{token}")
@permits(Action.PUBLIC)
def welcome_page(request: Request, token: Token) -> Response:
    """Show what a one-time link opens. Looking does not use it up: mail programs look."""
    try:
        link = _door(request).peek(token, *_OPENS)
    except LinkUsedUp as error:
        raise HTTPException(410, str(error)) from None
    if link.purpose is Purpose.DEMO:
        _door(request).use(token, Purpose.DEMO)
        opened = _door(request).open_demo(VISITORS["house"], address_of(request))
        return _enter(request, opened, None)
    return _welcome(request, link, token)


@router.post("/welcome/{token}")
@permits(Action.PUBLIC)
def welcome(
    request: Request, token: Token, name: Typed = "", password: Typed = "", again: Typed = ""
) -> Response:
    """Do what a one-time link is for: set a password, or bind a screen to its table."""
    door = _door(request)
    try:
        link = door.peek(token, *_OPENS)
        if link.purpose is Purpose.SCREEN:
            return _enter(request, door.open_screen(token, address_of(request)), None)
        wrong = "differ" if password != again else None
        if wrong is None:
            account = _with_password(request, link, token, (name.strip().lower(), password))
            opened = door.sign_in(account.name, password, address_of(request))
            return _enter(request, opened, None)
        return _welcome(request, link, token, wrong=wrong)
    except LinkUsedUp as error:
        raise HTTPException(410, str(error)) from None
    except WeakPassword as error:
        return _welcome(request, link, token, wrong=error.reason)
    except (NotLetIn, MustWait):
        return RedirectResponse("/login", 303)


def _with_password(request: Request, link: Link, token: str, typed: tuple[str, str]) -> Account:
    """Set the password that a link is for, having made the first administrator where it is."""
    registry: Registry = request.app.state.registry
    name, password = link.account or typed[0], typed[1]
    # Checked first: a link is not used up by a password that can't be taken.
    registry.check_password(name, password)
    by = By(name, address_of(request))
    if link.purpose is Purpose.SETUP:
        if not registry.needs_administrator():
            raise LinkUsedUp("there is an administrator already; sign in, or ask that one")
        if registry.access.account(name) is None:
            registry.add(name, Wanted((Role.ADMINISTRATOR,)), by)
        else:
            raise HTTPException(409, f"account {name!r} is there already; choose another name")
    _door(request).use(token, link.purpose)
    return registry.set_password(name, password, by)


@router.get("/account")
@permits(Action.SELF)
def account_page(request: Request, who: WhoDep) -> Response:
    """Show one's own account: roles, sessions, and a form for another password."""
    return _account(request, who.name)


@router.post("/account/password")
@permits(Action.SELF)
def change_password(
    request: Request, who: WhoDep, old: Typed, password: Typed, again: Typed
) -> Response:
    """Change one's own password; all other sessions end."""
    if who.session is None or who.session.how is not How.PASSWORD:
        raise HTTPException(403, "only an account has a password")
    if password != again:
        return _account(request, who.name, wrong="differ", status=422)
    door, address = _door(request), address_of(request)
    registry: Registry = request.app.state.registry
    try:
        # As at the door: throttled, and an entry when it fails.
        registry.check_password(who.name, password)
        check = door.sign_in(who.name, old, address)
        registry.set_password(who.name, password, By(who.name, address))
        del check  # It ended with all the others.
        opened = door.sign_in(who.name, password, address)
    except WeakPassword as error:
        return _account(request, who.name, wrong=error.reason, status=422)
    except (NotLetIn, MustWait):
        return _account(request, who.name, wrong="old", status=403)
    return _enter(request, opened, "/account")


@router.post("/account/sessions")
@permits(Action.SELF)
def end_sessions(request: Request, who: WhoDep) -> Response:
    """End all of one's own sessions, this one too."""
    _door(request).end_sessions(who.name, who.name, address_of(request))
    answer = RedirectResponse("/login", 303)
    _cookies(request).take(answer)
    return answer


def _account(request: Request, name: str, *, wrong: str = "", status: int = 200) -> Response:
    values = {
        "account": request.app.state.registry.access.account(name),
        "sessions": request.app.state.access.sessions(name),
        "wrong": wrong,
        "least": MIN_PASSWORD,
    }
    return page(request, "account.html", "account", values, status=status)


def _login(
    request: Request,
    *,
    next_page: str = "",
    wrong: bool = False,
    wait: int = 0,
    status: int = 200,
) -> Response:
    demo = _door(request).demo
    values = {
        "next_page": next_page,
        "wrong": wrong,
        "wait": wait,
        "visitors": tuple(VISITORS) if demo else (),
        "tables": [state.table for state in request.app.state.desk.store.tables()] if demo else [],
    }
    return page(request, "login.html", "", values, status=status)


def _welcome(request: Request, link: Link, token: str, *, wrong: str = "") -> Response:
    values = {"link": link, "token": token, "wrong": wrong, "least": MIN_PASSWORD}
    return page(request, "welcome.html", "", values, status=422 if wrong else 200)


def _enter(request: Request, opened: Opened, next_page: str | None) -> Response:
    """Give the browser a new session, in place of any that it had: none is ever gone on with."""
    before = request.state.who
    if before is not None and before.session is not None:
        _door(request).sign_out(before.session, address_of(request))
    there = next_page or home_of(of_session(opened.session))
    answer = RedirectResponse(there, 303)
    _cookies(request).give(answer, opened.token, opened.session)
    return answer


def _door(request: Request) -> Door:
    found: Door = request.app.state.door
    return found


def _cookies(request: Request) -> Cookies:
    found: Cookies = request.app.state.cookies
    return found
