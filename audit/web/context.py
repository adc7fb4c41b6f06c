"""What a request needs beside its parameters: the desk, settings, language, a page's frame."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse

from audit.settings import Settings
from audit.web.desk import Desk
from audit.web.language import LANGUAGES, choose
from audit.web.show import environment

LOCAL_USER = "local"
"""Who acts while there are no accounts: somebody at this machine."""

_THEMES = ("dark", "light")
_YEAR_S = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page shows around its content."""

    here: str
    """The page in the bar that is current: `wall`, `rounds`, `audit` or nothing."""
    head: int
    """The last entry that the page shows; the live feed goes on after it."""
    now: datetime
    theme: str | None


def desk(request: Request) -> Desk:
    """Return the record as this application asks it."""
    found: Desk = request.app.state.desk
    return found


def settings(request: Request) -> Settings:
    """Return the settings of this application."""
    found: Settings = request.app.state.settings
    return found


def actor(request: Request) -> str:
    """Return the name of who acts, as it goes into the record."""
    return getattr(request.state, "actor", LOCAL_USER)


DeskDep = Annotated[Desk, Depends(desk)]
SettingsDep = Annotated[Settings, Depends(settings)]
ActorDep = Annotated[str, Depends(actor)]
"""Who acts: pass it as the `user` of every act that goes into the record."""


def language_of(request: Request) -> str:
    """Return the language to answer a request in: its `lang`, else its cookie, else its headers."""
    return choose(
        request.query_params.get("lang"),
        request.cookies.get("lang"),
        request.headers.get("accept-language", ""),
    )


def rendered(
    request: Request, template: str, values: dict[str, Any], status: int = 200
) -> HTMLResponse:
    """Return a page or a piece of one in the request's language; one asked for is remembered."""
    language = language_of(request)
    env = environment(language, settings(request).zone)
    answer = HTMLResponse(env.get_template(template).render(values), status)
    answer.headers["Content-Language"] = language
    answer.headers["Vary"] = "Cookie, Accept-Language"
    if request.query_params.get("lang") in LANGUAGES:
        answer.set_cookie("lang", language, max_age=_YEAR_S, samesite="strict", httponly=True)
    return answer


def page(
    request: Request,
    template: str,
    here: str,
    values: dict[str, Any],
    *,
    head: int = 0,
    status: int = 200,
) -> HTMLResponse:
    """Return a whole page.

    Args:
        request: The request that asks for it.
        template: The template's name.
        here: The page in the bar that is current.
        values: What the template shows.
        head: The last entry that the page shows.
        status: The HTTP status.
    """
    theme = request.cookies.get("theme")
    frame = Frame(here, head, datetime.now(UTC), theme if theme in _THEMES else None)
    return rendered(request, template, {"page": frame, **values}, status)
