"""People at the door: they type into forms as a browser would send them."""

import re
from urllib.parse import urlencode

import httpx
from fastapi import FastAPI

from audit.auth.permissions import Role
from audit.auth.registry import By, Registry, Wanted
from audit.store.access import AccessQuery, AccessStore
from tests.web.asking import COOKIE, Client, session

PASSWORD = "lamp orbit felt seven tiger"  # noqa: S105  # of nobody

PAGE = {"Accept": "text/html"}
FORM = PAGE | {"Content-Type": "application/x-www-form-urlencoded"}


def send(
    client: Client, path: str, headers: dict[str, str] | None = None, **fields: str
) -> httpx.Response:
    """Send a form."""
    return client.post(path, content=urlencode(fields).encode(), headers=FORM | (headers or {}))


def form_token(client: Client, path: str) -> str:
    """Return the token in the forms of a page."""
    found = re.search(r'name="form_token" value="([0-9a-f]{64})"', client.get(path).text)
    assert found is not None
    return found[1]


def act(client: Client, path: str, page: str, **fields: str) -> httpx.Response:
    """Send a form that stands on a page."""
    return send(client, path, None, form_token=form_token(client, page), **fields)


def given(answer: httpx.Response) -> str:
    """Return the session's token that an answer gives the browser."""
    found = re.search(rf"{COOKIE}=([\w-]+)", answer.headers["set-cookie"])
    assert found is not None
    return found[1]


def link_in(text: str) -> str:
    """Return the path of the one-time link that a page or a terminal shows."""
    found = re.search(r"/welcome/[\w-]{43}", text)
    assert found is not None
    return found[0]


def add(app: FastAPI, name: str, *roles: Role, password: str = PASSWORD) -> None:
    """Add an account with a password."""
    registry: Registry = app.state.registry
    registry.add(name, Wanted(roles), By("local"))
    registry.set_password(name, password, By("local"))


def person(app: FastAPI, *roles: Role, name: str = "somebody") -> Client:
    """Return somebody who is signed in."""
    return Client(app, token=session(app, *roles, name=name))


def acts_of(app: FastAPI, user: str) -> list[str]:
    """Return what the access log says of somebody, the oldest first."""
    access: AccessStore = app.state.access
    return [line.act for line in reversed(access.log(AccessQuery(user=user)))]
