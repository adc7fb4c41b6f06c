"""Caps the size of what is sent to the server, before anything of it is parsed."""

from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 256 * 1024
"""The most bytes of a request's body: many times what any act or report takes."""


class Sized:
    """ASGI middleware: refuses bodies that are too large with 413, also where no length is told."""

    def __init__(self, app: ASGIApp, larger: Mapping[str, int] | None = None) -> None:
        """Cap bodies.

        Args:
            app: The application.
            larger: The most bytes of the few paths that take more.
        """
        self._app = app
        self._larger = dict(larger or {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._larger.get(scope["path"], MOST_BYTES)
        told = Headers(scope=scope).get("content-length", "0")
        if not told.isascii() or not told.isdigit() or int(told[:20]) > most:
            await _refuse(most)(scope, receive, send)
            return
        taken, begun = 0, False

        async def receive_some() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                # Of this kind, since the framework hands it on and any other one becomes a 400.
                raise HTTPException(413, _told(most))
            return message

        async def send_on(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive_some, send_on)
        except HTTPException as error:
            if begun or error.status_code != 413:
                raise
            await _refuse(most)(scope, receive, send)


def _told(most: int) -> str:
    return f"body: expected at most {most} bytes"


def _refuse(most: int) -> JSONResponse:
    return JSONResponse({"detail": _told(most)}, 413)
