"""The gate: who asks, may they, did our own page send it; and the log of what was looked at.

Everything is decided before a route's function runs and before its body is read. What a route lets
somebody do stands beside its function (`audit.auth.permissions.permits`); nothing there means no.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, quote

import structlog
from fastapi import HTTPException, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from audit.auth import secrets
from audit.auth.door import Door, now_utc
from audit.auth.permissions import EXPORTS, VIEWS, Action
from audit.auth.sessions import Who
from audit.auth.throttle import Sparing, Throttle
from audit.chain import EntryKind
from audit.errors import AuditError
from audit.store.access import Look
from audit.web.cookies import Cookies
from audit.web.routes import Found, Routes
from audit.web.security import ACT_HEADER, foreign

FORM_FIELD = "form_token"
"""The field of our own forms that no other site can know."""

MAX_FORM_BYTES = 64 * 1024
"""More is no form of ours."""

LINKS = "/welcome/"
"""Where one-time links lead; their tokens follow."""

_FORM_TYPE = "application/x-www-form-urlencoded"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_MAX_PATH = 500

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered."""

    status: int
    reason: str


Page = Callable[[Request, int, str], Response]
"""Makes the page that tells a person why not."""


class Gate:
    """ASGI middleware: lets through what the table of permissions allows, and logs it."""

    def __init__(
        self, app: ASGIApp, *, door: Door, routes: Routes, cookies: Cookies, told: Page
    ) -> None:
        self._app = app
        self._door = door
        self._routes = routes
        self._cookies = cookies
        self._told = told
        self._once = Sparing(60.0, time.monotonic)
        self._strangers = Throttle(60, 60.0, time.monotonic)
        self._again = Sparing(600.0, time.monotonic)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "http":
            await self._answer(Request(scope, receive), receive, send)
        elif scope["type"] != "websocket":  # No route speaks it: nothing is handed on.
            await self._app(scope, receive, send)

    async def _answer(self, request: Request, receive: Receive, send: Send) -> None:
        scope, state = request.scope, request.scope.setdefault("state", {})
        found = self._routes.find(request.method, request.scope["path"])
        state["gated"] = found is not None
        try:
            who, refusal = await self._identified(request, found)
        except AuditError as error:
            state["who"] = None
            await self._said(request, Refusal(503, str(error)))(scope, receive, send)
            return
        state["who"] = who
        state["form_token"] = secrets.form_token(self._cookies.token(request) or "")
        refusal = _crooked(request) or refusal
        if refusal is None and found is not None:
            refusal = _denied(found, who) or _from_elsewhere(request, found)
            if refusal is None and _needs_form_token(request, found, who):
                receive, refusal = await self._form(request, receive)
        if refusal is None:
            await self._pass(request, found, receive, send)
            return
        answer = await self._refuse(request, found, who, refusal)
        await answer(scope, receive, send)

    async def _identified(
        self, request: Request, found: Found | None
    ) -> tuple[Who | None, Refusal | None]:
        kind, _, key = request.headers.get("authorization", "").partition(" ")
        address = address_of(request)
        if kind:
            known = kind.lower() == "bearer"
            who = (
                await run_in_threadpool(self._door.machine, key.strip(), address) if known else None
            )
            return who, None if who else Refusal(401, "no such key, or it was revoked")
        token = self._cookies.token(request)
        if token is None:
            return None, None
        who = await run_in_threadpool(self._door.who, token)
        if who is None and self._once.first(("token", address)):
            ended = Refusal(401, "no such session, or it has ended")
            await self._log_refusal(request, None, ended, found)
        return who, None

    async def _form(self, request: Request, receive: Receive) -> tuple[Receive, Refusal | None]:
        """Read a form's token; return a `receive` that gives the application the whole form."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != _FORM_TYPE:
            return receive, Refusal(403, f"{ACT_HEADER}: missing (expected on every act)")
        body = bytearray()
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > MAX_FORM_BYTES:
                return receive, Refusal(413, f"form: expected at most {MAX_FORM_BYTES} bytes")
            if message["type"] != "http.request" or not message.get("more_body"):
                break
        try:
            fields = parse_qs(bytes(body).decode(), max_num_fields=1000)
        except ValueError:
            return receive, Refusal(400, "form: not readable")
        given = next(iter(fields.get(FORM_FIELD, [])), "")
        if not secrets.same(given, request.state.form_token):
            return receive, Refusal(403, f"{FORM_FIELD}: wrong or missing; open the page again")
        return _replaying(bytes(body), receive), None

    async def _refuse(
        self, request: Request, found: Found | None, who: Who | None, refusal: Refusal
    ) -> Response:
        if who is None and refusal.status == 401 and not request.headers.get("authorization"):
            if _navigates(request) and request.method in _SAFE:
                there = quote(_path(request), safe="/?=&%")
                return RedirectResponse(f"/login?next={quote(there, safe='')}", 303)
        elif who is not None and request.url.path == "/" and _navigates(request):
            return RedirectResponse(home_of(who), 303)
        await self._log_refusal(request, who, refusal, found)
        answer = self._said(request, refusal)
        if refusal.status == 401:
            answer.headers["WWW-Authenticate"] = "Bearer"
        return answer

    def _said(self, request: Request, refusal: Refusal) -> Response:
        """Say why not: in a page to people, as JSON to programs."""
        if _navigates(request):
            return self._told(request, refusal.status, refusal.reason)
        return JSONResponse({"detail": refusal.reason}, refusal.status)

    async def _log_refusal(
        self, request: Request, who: Who | None, refusal: Refusal, found: Found | None = None
    ) -> None:
        """Write a refusal down, each kind once a minute, so that an attack fills no record."""
        address = address_of(request)
        name = who.name if who else ""
        act = found.permit.action.value if found and found.permit else "unknown"
        path = _path(request)
        log.warning(
            "request.refused", user=name, act=act, path=path, why=refusal.reason, address=address
        )
        # Without what the request itself put into the reason: that is another one each time.
        why = refusal.reason.partition(":")[0]
        if not self._once.first((name or address, act, why, found and found.path)):
            return
        if who is None:
            if self._strangers.wait_s("all") > 0:
                return
            self._strangers.failed("all")
        body = {
            "user": name,
            "act": act,
            "subject": f"{request.method} {path}",
            "reason": refusal.reason,
            "address": address,
        }
        await self._append(Look(EntryKind.REQUEST_REFUSED, body, now_utc()))

    async def _append(self, look: Look) -> None:
        try:
            await run_in_threadpool(self._door.access.append, look)
        except AuditError as error:
            log.error("access.unlogged", kind=look.kind.value, why=str(error))  # noqa: TRY400

    async def _pass(
        self, request: Request, found: Found | None, receive: Receive, send: Send
    ) -> None:
        who: Who | None = request.state.who
        permit = found.permit if found else None
        session = who.session if who else None
        if who and session and permit and (who.watching or not permit.quiet):
            await run_in_threadpool(self._door.used, session)
        look = self._look(request, found, who)
        logging = send if look is None else self._logging(request, look, send)
        await self._app(request.scope, receive, logging)
        refused: Refusal | None = getattr(request.state, "refused", None)
        if refused is not None:
            await self._log_refusal(request, who, refusal=refused, found=found)

    def _look(self, request: Request, found: Found | None, who: Who | None) -> Look | None:
        """Return the entry to write when this request is answered; None when it is no view."""
        if who is None or found is None or found.permit is None:
            return None
        action, machine = found.permit.action, who.key is not None
        if found.permit.quiet and not machine:  # A page polls it; a machine asks for it.
            return None
        exported = action in EXPORTS
        viewed = action in VIEWS or (machine and action is Action.LIVE_FOLLOW)
        if not exported and not (viewed and request.method == "GET"):
            return None
        body = {
            "user": who.name,
            "act": action.value,
            "subject": _path(request),
            "session": who.session.label if who.session else None,
            "address": address_of(request),
        }
        kind = EntryKind.RECORD_EXPORTED if exported else EntryKind.RECORD_VIEWED
        return Look(kind, body, now_utc())

    def _logging(
        self, request: Request, look: Look, send: Send
    ) -> Callable[[Message], Awaitable[None]]:
        """Return a `send` that writes a view down before its first byte goes out.

        What cannot be logged is not shown: an unlogged view of evidence is worse than none. One
        film is asked for in many ranges, and machines ask again and again: told once in a while,
        counted from a look that was shown, so that no refused one hides the next.
        """
        withheld = False
        who: Who = request.state.who
        film = "range" in request.headers and look.body["act"] == Action.EVIDENCE_VIEW
        often = who.key is not None or film
        thing = (who.name, request.method, request.url.path)

        async def send_logged(message: Message) -> None:
            nonlocal withheld
            if withheld:
                return
            shown = message["type"] == "http.response.start" and message["status"] < 300
            if shown and not (often and not self._again.first(thing)):
                try:
                    await run_in_threadpool(self._door.access.append, look)
                except AuditError as error:
                    withheld = True
                    self._again.forget(thing)
                    answer = JSONResponse({"detail": f"not shown, not logged: {error}"}, 503)
                    await send(
                        {
                            "type": "http.response.start",
                            "status": 503,
                            "headers": answer.raw_headers,
                        }
                    )
                    await send({"type": "http.response.body", "body": bytes(answer.body)})
                    return
            await send(message)

        return send_logged


def address_of(request: Request) -> str:
    """Return where a request comes from, as far as the network tells."""
    return request.client.host if request.client else ""


def gated(request: Request) -> None:
    """Refuse a request whose route the gate did not find; a dependency of every route.

    The gate looks routes up by itself. Should it ever see a path in another way than the
    application does, nothing is answered that it did not decide on.

    Raises:
        HTTPException: 403, nobody decided whether this may be answered.
    """
    if getattr(request.state, "gated", False) is not True:
        raise HTTPException(403, "this address is answered in its plain form only")


def home_of(who: Who) -> str:
    """Return the page on which somebody begins."""
    if who.may(Action.WALL_VIEW):
        return "/"
    if who.table is not None:
        return f"/tables/{quote(who.table)}/dealer"
    return "/accounts" if who.may(Action.ACCOUNT_MANAGE) else "/account"


def _path(request: Request) -> str:
    """Return what was asked for, as it is told; a one-time link's address holds its secret."""
    path, query = request.url.path, request.url.query
    if LINKS in path:
        return f"{LINKS}…"
    return f"{quote(path)}{f'?{query}' if query else ''}"[:_MAX_PATH]


def _navigates(request: Request) -> bool:
    """Say whether a person's browser asks for a whole page."""
    if request.url.path.startswith(("/api/", "/fragments/")):
        return False
    mode = request.headers.get("sec-fetch-mode")
    return mode == "navigate" if mode else "text/html" in request.headers.get("accept", "")


def _crooked(request: Request) -> Refusal | None:
    """Refuse a path that tries to lead elsewhere; browsers straighten paths, attackers don't."""
    path = request.scope["path"]  # As the routes see it: decoded.
    if {".", ".."} & set(path.replace("\\", "/").split("/")) or "\x00" in path:
        return Refusal(400, "path: expected no '.' or '..' and no NUL in it")
    query = request.scope["query_string"]
    if b"\x00" in query or b"%00" in query:  # PostgreSQL keeps no NUL, so nothing has one.
        return Refusal(400, "query: expected no NUL in it")
    return None


def _denied(found: Found, who: Who | None) -> Refusal | None:
    permit = found.permit
    if permit is None:
        return Refusal(403, "this address declares no permission, so nobody may use it")
    if permit.action is Action.PUBLIC:
        return None
    if who is None:
        return Refusal(401, "sign in first")
    if not who.may(permit.action):
        return Refusal(403, f"not permitted: {permit.action.value}")
    bound = who.table is not None and permit.action is not Action.SELF and not permit.shares
    if bound and found.parameters.get("table") != who.table:
        return Refusal(403, f"this screen is bound to table {who.table}")
    return None


def _from_elsewhere(request: Request, found: Found) -> Refusal | None:
    # An export is an act, though it is fetched: another site's link must not do it in our name.
    exports = found.permit is not None and found.permit.action in EXPORTS
    if request.method in _SAFE and not exports:
        return None
    reason = foreign(request.headers)
    return Refusal(403, reason) if reason else None


def _needs_form_token(request: Request, found: Found, who: Who | None) -> bool:
    """Say whether a request acts through a browser's cookie and does not show our header."""
    if request.method in _SAFE or who is None or who.session is None:
        return False
    public = found.permit is not None and found.permit.action is Action.PUBLIC
    return not public and ACT_HEADER not in request.headers


def _replaying(body: bytes, receive: Receive) -> Receive:
    messages: list[Mapping[str, object]] = [
        {"type": "http.request", "body": body, "more_body": False}
    ]

    async def again() -> Message:
        return dict(messages.pop()) if messages else await receive()

    return again
