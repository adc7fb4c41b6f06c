"""A real Chromium against a real server, for the browser tests."""

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import BrowserContext
from starlette.types import ASGIApp, Receive, Scope, Send

from audit.store import Store
from tests.web.asking import COOKIE

CHROMIUM = Path("/usr/bin/chromium")

PATIENCE_MS = 120_000
"""How long a browser waits for anything: a busy machine is slow, not wrong."""


class Counting:
    """Counts the event streams that are open at a time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open = 0
        self.most = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        streams = scope["type"] == "http" and scope["path"] == "/api/v1/stream"
        self._open += streams
        self.most = max(self.most, self._open)
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= streams


@dataclass(frozen=True)
class Served:
    """A server on a free port, with its record."""

    url: str
    store: Store
    streams: Counting
    token: str
    """Of a session of the house."""

    def let_in(self, context: BrowserContext) -> BrowserContext:
        """Give a browser the session."""
        context.set_default_timeout(PATIENCE_MS)
        context.add_cookies([{"name": COOKIE, "value": self.token, "url": self.url}])
        return context
