"""Which declared permit a request falls under: the application's routes, flat and in order."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import Mount, compile_path

from audit.auth.permissions import Action, Permit, permit_of

STATIC = "/static"
"""Where the files lie that everybody may have."""

_STATIC_FILES = Permit(Action.PUBLIC, quiet=True)


@dataclass(frozen=True, slots=True)
class Declared:
    """A route, and what it declares."""

    path: str
    """As it was written, with the names of its parameters."""
    methods: frozenset[str]
    permit: Permit | None
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Found:
    """The route of a request."""

    path: str
    permit: Permit | None
    """None: it declares nothing, and is refused."""
    parameters: Mapping[str, str]


class Routes:
    """The routes of an application; ask only when all of them were added."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._declared: tuple[Declared, ...] | None = None

    def all(self) -> tuple[Declared, ...]:
        """Return every route, in the order in which they are tried."""
        if self._declared is None:
            self._declared = tuple(_declared(self._app))
        return self._declared

    def find(self, method: str, path: str) -> Found | None:
        """Return the route that will answer; None when none will (404, or 405)."""
        if path.startswith(f"{STATIC}/"):
            return Found(STATIC, _STATIC_FILES, {})
        for route in self.all():
            if method in route.methods and (match := route.pattern.match(path)):
                return Found(route.path, route.permit, match.groupdict())
        return None


def _declared(app: FastAPI) -> list[Declared]:
    found = []
    for context in iter_route_contexts(app.routes):
        path = context.path or ""
        if isinstance(context.original_route, Mount):
            if path == STATIC:
                continue
            # Whatever else is mounted declares nothing, and is refused.
            pattern = re.compile(re.escape(path))
            found.append(Declared(path, _EVERY_METHOD, None, pattern))
            continue
        pattern, _, _ = compile_path(path)
        permit = permit_of(context.endpoint)
        if permit is None and path == app.openapi_url:
            permit = Permit(Action.PUBLIC)
        methods = frozenset(context.methods or _EVERY_METHOD)
        found.append(Declared(path, methods, permit, pattern))
    return found


_EVERY_METHOD = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
