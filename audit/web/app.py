"""The web application: routes, static files, and what is answered when something is wrong."""

import json
from functools import cache
from threading import Event

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute

from audit.auth.door import Door
from audit.auth.permissions import Action, permits
from audit.auth.registry import Registry
from audit.errors import (
    AuditError,
    ChainError,
    NotInRecord,
    OnePerson,
    RecordConflict,
    StoreError,
)
from audit.imports import MOST_BYTES
from audit.reports.jobs import Jobs
from audit.settings import Settings
from audit.store import Store
from audit.store.access import AccessStore
from audit.web import (
    access_pages,
    admin,
    alert_api,
    api,
    audit_pages,
    case_api,
    case_pages,
    entrance,
    evidence_api,
    intake,
    pages,
    payout_api,
    replay_pages,
    report_pages,
    search_pages,
)
from audit.web.assets import STATIC, Assets
from audit.web.context import page
from audit.web.cookies import Cookies
from audit.web.desk import Desk
from audit.web.entrance import limits_of
from audit.web.gate import Gate, Refusal, gated
from audit.web.openapi import describe
from audit.web.routes import Routes
from audit.web.security import Guard
from audit.web.size import Sized
from audit.web.stream import Pace, Streams, TooManyStreams

API_VERSION = "1"
"""Of the published description; what stands in it stays."""

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
"""The names under which a server bound to the loopback address is asked for."""

LIVE = Pace(poll_s=0.2, life_s=900.0)
"""Looks for new entries five times a second; a stream lasts a quarter of an hour, which caps what
connections that nobody closed cost."""

ROUTERS: tuple[APIRouter, ...] = (
    entrance.router,
    admin.router,
    access_pages.pages,
    access_pages.api,
    api.router,
    alert_api.router,
    alert_api.acts,
    alert_api.wall,
    case_api.router,
    case_api.acts,
    intake.router,
    payout_api.router,
    payout_api.acts,
    payout_api.feeds,
    pages.router,
    search_pages.router,
    replay_pages.router,
    evidence_api.pages,
    evidence_api.router,
    evidence_api.acts,
    case_pages.router,
    audit_pages.router,
    report_pages.pages,
    report_pages.api,
)
"""All routes, in the order in which a path is looked for."""

_EVERYWHERE = (Depends(gated),)
"""What every route depends on."""

_LOGGED = frozenset({403, 410})
"""What a route refuses by itself: not permitted, or a one-time link that is none any more."""

_STATUS: tuple[tuple[type[AuditError], int], ...] = (
    (NotInRecord, 404),
    (RecordConflict, 409),
    (ChainError, 422),
    (TooManyStreams, 429),
    (StoreError, 503),
)


def create_app(
    store: Store, settings: Settings, *, pace: Pace = LIVE, demo: bool = False
) -> FastAPI:
    """Return the web application on an open record.

    Run it in one process with `audit.web.server.run`: calls to the store are made in threads, and
    the throttles count in memory.

    Args:
        store: The record; it is read, and alerts, wagers and payouts are added to it.
        settings: Of the product; used are `host`, `public_url`, `live_dir` and `zone`.
        pace: How event streams follow the record.
        demo: Whether visitors come in without a password: for the bundled footage only.
    """
    app = FastAPI(
        title="pitwatch",
        version=API_VERSION,
        summary="What was observed at the tables, and the record of it.",
        docs_url=None,  # The documentation pages load scripts from elsewhere.
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        dependencies=_EVERYWHERE,
    )
    app.state.desk = Desk(store)
    app.state.settings = settings
    app.state.pace = pace
    app.state.closing = Event()
    app.state.streams = Streams()
    app.state.access = access = AccessStore(store)
    app.state.door = door = Door(access, limits_of(settings), demo=demo)
    app.state.registry = Registry(access)
    app.state.reports = Jobs(store, settings.data_dir / "reports")
    app.state.cookies = cookies = Cookies(secure=settings.over_tls)
    routes = app.state.routes = Routes(app)
    app.add_middleware(Gate, door=door, routes=routes, cookies=cookies, told=_told)
    hosts = LOOPBACK_HOSTS | {settings.host} | settings.public_hosts
    app.add_middleware(Sized, larger={payout_api.IMPORT_PATH: MOST_BYTES})
    app.add_middleware(Guard, hosts=hosts, secure=settings.over_tls)
    app.router.routes.extend(_routes())
    describe(app, routes)
    app.mount("/static", Assets(directory=STATIC), name="static")
    app.add_api_route("/healthz", healthz, methods=["GET"], tags=["health"])
    app.add_exception_handler(AuditError, _refused)
    app.add_exception_handler(StarletteHTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    return app


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """Return all routes; reading what they take and give is most of the making of an application.

    They know of no application but through the request, so that all of a process share them.
    """
    whole = APIRouter(dependencies=_EVERYWHERE)
    for router in ROUTERS:
        whole.include_router(router)
    return tuple(whole.routes)


@permits(Action.PUBLIC)
def healthz(request: Request) -> dict[str, str | int]:
    """Say that the server runs and reads its record; 503 when it can't."""
    desk: Desk = request.app.state.desk
    return {"status": "ok", "head": desk.store.last_id()}


def _refused(request: Request, error: Exception) -> Response:
    """Answer an error: as JSON to programs, as a page to people; never with a traceback."""
    status, message = _meaning(error)
    if status in _LOGGED or isinstance(error, OnePerson):
        request.state.refused = Refusal(status, message)  # The gate writes it down.
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({"detail": message}, status)
    return _told(request, status, message)


def _told(request: Request, status: int, message: str) -> Response:
    """Tell a person in a page why there is nothing else."""
    return page(request, "error.html", "", {"status": status, "message": message}, status=status)


def _malformed(_request: Request, error: Exception) -> Response:
    """Answer values that cannot be used, without repeating them: JSON can't hold all of them."""
    problems = error.errors() if isinstance(error, RequestValidationError) else ()
    told = [{name: problem[name] for name in ("type", "loc", "msg")} for problem in problems]
    body = json.dumps({"detail": told})  # In ASCII: a field's name may hold half a character.
    return Response(body, 422, media_type="application/json")


def _meaning(error: Exception) -> tuple[int, str]:
    if isinstance(error, StarletteHTTPException | HTTPException):
        return error.status_code, str(error.detail)
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500), str(error)
