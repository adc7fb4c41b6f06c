"""The access log and the review of accounts, as pages and as JSON."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from audit.auth.accounts import AccessLine
from audit.auth.permissions import Action, permits
from audit.auth.registry import By
from audit.auth.review import AccountReview, mark_reviewed, review_accounts
from audit.store.access import AccessQuery, AccessStore
from audit.web.bodies import Body, Text, Whole
from audit.web.context import ActorDep, page
from audit.web.gate import address_of

pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
api = APIRouter(prefix="/api/v1/access", tags=["access"])

LINES_A_PAGE = 100

User = Annotated[str, Query(max_length=64, description="Only of this user.")]
Act = Annotated[
    str, Query(max_length=64, description="Only acts that begin so: `session`, `round.view` …")
]
Before = Annotated[int | None, Query(ge=1, le=2**62, description="Only older than this entry.")]
Limit = Annotated[int, Query(ge=1, le=1000, description="At most so many.")]


@dataclass(frozen=True, slots=True)
class AccessLines:
    """Lines of the access log, the newest first."""

    lines: list[AccessLine]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One account in the review."""

    name: str
    roles: list[str]
    display: str
    enabled: bool
    last_use: datetime | None
    remarks: list[str]
    """`unused`, `never-used`, `no-password`, `disabled`."""


@dataclass(frozen=True, slots=True)
class Review:
    """All accounts, and when somebody last looked through them."""

    accounts: list[Reviewed]
    last: datetime | None
    last_by: str | None
    next: datetime
    due: bool


class ReviewNote(Body):
    """What is noted with a review."""

    note: Text = ""


@pages.get("/access")
@permits(Action.ACCESS_VIEW)
def log_page(request: Request, user: User = "", act: Act = "", before: Before = None) -> Response:
    """Show the access log: who looked at or did what."""
    query = AccessQuery(user or None, act or None, before=before, limit=LINES_A_PAGE + 1)
    found = _access(request).log(query)
    shown = found[:LINES_A_PAGE]
    values = {
        "lines": shown,
        "user": user,
        "act": act,
        "older": shown[-1].entry if len(found) > LINES_A_PAGE else None,
        "paged": before is not None,
    }
    return page(request, "access.html", "access", values)


@pages.get("/access/review")
@permits(Action.ACCESS_VIEW)
def review_page(request: Request) -> Response:
    """Show all accounts with what to look at, and the last review."""
    values = {"review": review_accounts(_access(request))}
    return page(request, "review.html", "access", values)


@pages.post("/access/review")
@permits(Action.ACCESS_REVIEW)
def review_done(
    request: Request, user: ActorDep, note: Annotated[str, Form(max_length=500), Whole] = ""
) -> Response:
    """Mark the accounts as reviewed."""
    mark_reviewed(_access(request), By(user, address_of(request)), note)
    return RedirectResponse("/access/review", 303)


@api.get("")
@permits(Action.ACCESS_VIEW)
def log(
    request: Request, user: User = "", act: Act = "", before: Before = None, limit: Limit = 200
) -> AccessLines:
    """Return the access log, the newest first: sign-ins, changes, views, exports, refusals."""
    query = AccessQuery(user or None, act or None, before=before, limit=limit)
    return AccessLines(_access(request).log(query))


@api.get("/review")
@permits(Action.ACCESS_VIEW)
def review(request: Request) -> Review:
    """Return all accounts with their last use, and the last review of them."""
    return _told(review_accounts(_access(request)))


@api.post("/review")
@permits(Action.ACCESS_REVIEW)
def review_act(request: Request, user: ActorDep, body: ReviewNote) -> Review:
    """Mark the accounts as reviewed."""
    mark_reviewed(_access(request), By(user, address_of(request)), body.note)
    return _told(review_accounts(_access(request)))


def _told(found: AccountReview) -> Review:
    accounts = [
        Reviewed(
            line.account.name,
            line.account.roles.split(),
            line.account.display,
            line.account.enabled,
            line.used,
            list(line.remarks),
        )
        for line in found.lines
    ]
    last = found.last
    return Review(
        accounts, last.at if last else None, last.user if last else None, found.next, found.due
    )


def _access(request: Request) -> AccessStore:
    found: AccessStore = request.app.state.access
    return found
