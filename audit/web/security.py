"""What keeps other sites, other hosts and hostile values out of the pages.

Who may do what is the gate's (`audit.web.gate`). That holds only while a web page from elsewhere
can't speak through a person's browser: hosts are checked (DNS rebinding), writes must come from our
own pages or from no page at all, and no page runs anything but our own files.
"""

from collections.abc import Iterable

import structlog
from fastapi import HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from audit.auth.sessions import Who

log = structlog.get_logger()

ACT_HEADER = "X-Pitwatch-Act"
"""The header that our own pages send with every act. A form of another site can't set it, and a
script of another site that does asks first (a CORS preflight), which is never granted."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""The content security policy: our own files only, nothing inline. `blob:` is the live
picture, and a replay that is joined from recorded segments."""

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With "no-referrer" browsers say of our own forms that they come from nowhere (Origin: null).
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}

_TOLD = 100
"""Characters of a header that an answer and the log repeat."""

_TLS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}
"""RFC 6797: a browser that was here once never again asks without TLS."""


class Guard:
    """ASGI middleware: refuses foreign host names and adds the security headers to every answer.

    Args:
        app: What answers.
        hosts: The names under which this server is asked for.
        secure: Whether it is reached over TLS only, which browsers are then told to keep to.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], *, secure: bool = False) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._headers = _HEADERS | (_TLS_HEADERS if secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        host = _host_name(Headers(scope=scope).get("host", ""))
        if host not in self._hosts:
            known = ", ".join(sorted(self._hosts))
            log.warning("request.refused", why="host", host=host[:100], address=scope["client"])
            answer = PlainTextResponse(f"host: found {host!r} (expected one of {known})", 400)
            await answer(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)


def _host_name(host: str) -> str:
    """Return the host without its port; an IPv6 address keeps its brackets."""
    head, colon, port = host.rpartition(":")
    return (head if colon and port.isdigit() else host).lower()


def foreign(headers: Headers) -> str | None:
    """Return why a write comes from a page of another site; None when it does not.

    A program that is no browser sends neither header and passes.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return f"sec-fetch-site: found {site[:_TOLD]!r} (expected 'same-origin')"
    origin = headers.get("origin")
    host = headers.get("host")
    if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
        return f"origin: found {origin[:_TOLD]!r} (expected this server)"
    return None


def refuse_foreign_pages(request: Request) -> None:
    """Refuse a write that a page of another site sent; the gate does so for every route.

    Raises:
        HTTPException: 403, the request comes from another site.
    """
    reason = foreign(request.headers)
    if reason is not None:
        raise HTTPException(403, reason)


def require_act_header(request: Request) -> None:
    """Refuse an act that our own pages did not send; a dependency of acts done by a person.

    Raises:
        HTTPException: 403, the header is missing.
    """
    refuse_foreign_pages(request)
    who: Who | None = getattr(request.state, "who", None)
    if who is not None and who.key is not None:
        return  # A machine has no browser through which another site could act.
    if ACT_HEADER not in request.headers:
        raise HTTPException(403, f"{ACT_HEADER}: missing (expected on every act)")
