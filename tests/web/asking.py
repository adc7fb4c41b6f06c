"""Asks the application without a network in between."""

import asyncio
from dataclasses import dataclass
from typing import TypedDict, Unpack

import httpx
from starlette.types import ASGIApp


class Asked(TypedDict, total=False):
    """What goes along with a request."""

    json: object
    content: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class Client:
    """Sends one request after another; keeps no cookies."""

    app: ASGIApp
    base_url: str = "http://127.0.0.1:8000"

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
                return await client.request(method, path, **more)

        return asyncio.run(ask())
