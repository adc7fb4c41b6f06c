"""The pages, and the pieces of pages that a live page asks for anew."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, Response

from audit.auth.permissions import Action, permits
from audit.auth.sessions import Who
from audit.web import picture
from audit.web.context import DeskDep, SettingsDep, WhoDep, page, rendered
from audit.web.dealer import EntryPad, dealer_view, entry_pad
from audit.web.desk import Desk

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


PAD_REPORTS = 24
"""Reports of a table that are looked at to tell whether a feed brings them."""

Table = Annotated[str, Path(max_length=64)]


@router.get("/")
@permits(Action.WALL_VIEW)
def wall(request: Request, desk: DeskDep) -> HTMLResponse:
    """Show the pit wall."""
    # Read before anything else: what comes later reaches the page through the stream.
    head = desk.store.last_id()
    values = {
        "tiles": desk.tiles(),
        "alerts": desk.alerts(),
        "feed": desk.feed(),
        "recent": desk.recent(),
    }
    return page(request, "wall.html", "wall", values, head=head)


@router.get("/fragments/tiles")
@permits(Action.WALL_VIEW, quiet=True)
def tiles(request: Request, desk: DeskDep) -> HTMLResponse:
    """Show all tiles."""
    return rendered(request, "tiles.html", {"tiles": desk.tiles()})


@router.get("/fragments/tiles/{table}")
@permits(Action.WALL_VIEW, quiet=True)
def tile(request: Request, table: Table, desk: DeskDep) -> HTMLResponse:
    """Show one tile."""
    return rendered(request, "tile.html", {"tile": desk.tile(table)})


@router.get("/fragments/alerts")
@permits(Action.WALL_VIEW, quiet=True)
def alerts(request: Request, desk: DeskDep) -> HTMLResponse:
    """Show the alert queue."""
    return rendered(request, "alerts.html", {"alerts": desk.alerts()})


@router.get("/fragments/feed")
@permits(Action.WALL_VIEW, quiet=True)
def feed(request: Request, desk: DeskDep) -> HTMLResponse:
    """Show the live feed."""
    return rendered(request, "feed.html", {"feed": desk.feed()})


@router.get("/fragments/recent")
@permits(Action.WALL_VIEW, quiet=True)
def recent(request: Request, desk: DeskDep) -> HTMLResponse:
    """Show the last rounds of all tables."""
    return rendered(request, "recent.html", {"recent": desk.recent()})


@router.get("/fragments/dealer/{table}")
@permits(Action.DEALER_VIEW, quiet=True)
def dealer_piece(request: Request, table: Table, desk: DeskDep, who: WhoDep) -> HTMLResponse:
    """Show what the dealer's screen tells."""
    values = {"dealer": dealer_view(desk.tile(table)), "pad": _pad(desk, table, who)}
    return rendered(request, "dealer_screen.html", values)


@router.get("/fragments/dealer/{table}/entries")
@permits(Action.DEALER_VIEW, quiet=True)
def dealer_entries(request: Request, table: Table, desk: DeskDep, who: WhoDep) -> HTMLResponse:
    """Show what was entered by hand at a table."""
    return rendered(request, "dealer_entries.html", {"pad": _pad(desk, table, who)})


def _pad(desk: Desk, table: str, who: Who) -> EntryPad:
    reports = desk.store.last_reports(desk.store.table(table).table, PAD_REPORTS)
    return entry_pad(desk.tile(table).game, reports, enters=who.may(Action.WAGER_REPORT))


@router.get("/tables/{table}/live.jpg")
@permits(Action.PICTURE_VIEW, quiet=True)
def live_picture(request: Request, table: Table, settings: SettingsDep) -> Response:
    """Send a table's newest picture; 304 when the browser has it, 204 when there is none."""
    found = picture.newest(settings.live_dir, table)
    if found is None:
        return Response(status_code=204)
    headers = {"ETag": found.tag, "Picture-Age": f"{found.age_s:.2f}"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.jpeg, media_type="image/jpeg", headers=headers)


@router.get("/tables/{table}/dealer")
@permits(Action.DEALER_VIEW)
def dealer(request: Request, table: Table, desk: DeskDep, who: WhoDep) -> HTMLResponse:
    """Show the dealer's screen."""
    head = desk.store.last_id()
    values = {"dealer": dealer_view(desk.tile(table)), "pad": _pad(desk, table, who)}
    return page(request, "dealer.html", "", values, head=head)
