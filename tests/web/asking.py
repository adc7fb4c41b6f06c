"""Asks the application without a network in between."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar, Unpack

import httpx
from fastapi import FastAPI
from starlette.types import ASGIApp

from audit.auth.door import Door
from audit.auth.permissions import Role, Scope
from audit.auth.registry import By, Registry
from audit.auth.sessions import How
from audit.web.cookies import Cookies

COOKIE = Cookies().name

Found = TypeVar("Found")

HOUSE = (Role.PIT, Role.SURVEILLANCE, Role.COMPLIANCE)
"""Roles that together see and do all but managing accounts."""


class Asked(TypedDict, total=False):
    """What goes along with a request."""

    json: object
    content: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class Client:
    """Sends one request after another; keeps no cookies but the one that it is given."""

    app: ASGIApp
    base_url: str = "http://127.0.0.1:8000"
    token: str = ""
    """Of the session to ask in; empty: nobody is signed in."""
    key: str = ""
    """Of the machine that reports wagers and payouts; empty: the session reports them too."""

    def get(self, path: str, **more: Unpack[Asked]) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Unpack[Asked]) -> httpx.Response:
        return self.request("POST", path, **more)

    def act(self, path: str) -> httpx.Response:
        """Send an act as our own pages do."""
        return self.post(path, json={}, headers={"X-Pitwatch-Act": "1"})

    def request(self, method: str, path: str, **more: Unpack[Asked]) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url=self.base_url) as client:
                return await client.request(method, path, **with_own)

        own, given = self._own(method, path), more.get("headers", {})
        cookies = "; ".join(one["Cookie"] for one in (own, given) if "Cookie" in one)
        headers = own | given | ({"Cookie": cookies} if cookies else {})
        with_own: Asked = {**more, "headers": headers}
        return apart(ask())

    def _own(self, method: str, path: str) -> dict[str, str]:
        if self.key and method == "POST" and path.endswith(("/wagers", "/payouts")):
            return {"Authorization": f"Bearer {self.key}"}
        return {"Cookie": f"{COOKIE}={self.token}"} if self.token else {}


def apart(waiting: Coroutine[Any, Any, Found]) -> Found:
    """Return what a coroutine gives, awaited in a thread of its own.

    Where a browser runs in this process, its loop runs in the test's thread.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, waiting).result()


def session(app: FastAPI, *roles: Role, name: str = "local", table: str | None = None) -> str:
    """Return the token of a new session, as after a sign-in, without the hashing of passwords."""
    door: Door = app.state.door
    return door.open(name, roles or HOUSE, How.PASSWORD, "127.0.0.1", table).token


def machine(app: FastAPI, *scopes: Scope) -> str:
    """Return a new key of a machine."""
    registry: Registry = app.state.registry
    return registry.make_key("tray", scopes, By("local"))[1]
