"""What a request needs beside its parameters: the desk, settings, language, a page's frame."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from audit.auth.sessions import Who
from audit.settings import Settings
from audit.web import access_labels
from audit.web.desk import Desk
from audit.web.language import LANGUAGES, choose
from audit.web.show import environment

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
    other: str
    """The same page in the other language."""


def desk(request: Request) -> Desk:
    """Return the record as this application asks it."""
    found: Desk = request.app.state.desk
    return found


def settings(request: Request) -> Settings:
    """Return the settings of this application."""
    found: Settings = request.app.state.settings
    return found


def who_asks(request: Request) -> Who | None:
    """Return who sends a request, as the gate found out; None before a sign-in."""
    found: Who | None = getattr(request.state, "who", None)
    return found


def signed_in(request: Request) -> Who:
    """Return who sends a request.

    Raises:
        HTTPException: 401, nobody is signed in; the gate lets no such request through.
    """
    who = who_asks(request)
    if who is None:
        raise HTTPException(401, "sign in first")
    return who


def actor(request: Request) -> str:
    """Return the name of who acts, as it goes into the record."""
    return signed_in(request).name


DeskDep = Annotated[Desk, Depends(desk)]
SettingsDep = Annotated[Settings, Depends(settings)]
WhoDep = Annotated[Who, Depends(signed_in)]
ActorDep = Annotated[str, Depends(actor)]
"""Who acts: pass it as the `user` of every act that goes into the record."""


def language_of(request: Request) -> str:
    """Return the language to answer a request in: its `lang`, else its cookie, else its headers."""
    return choose(
        request.query_params.get("lang"),
        request.cookies.get("lang"),
        request.headers.get("accept-language", ""),
    )


def _form_field(request: Request) -> Markup:
    """Return the hidden field that every form of ours carries."""
    token = getattr(request.state, "form_token", "")
    return Markup('<input type="hidden" name="form_token" value="{}">').format(token)


def rendered(
    request: Request, template: str, values: dict[str, Any], status: int = 200
) -> HTMLResponse:
    """Return a page or a piece of one in the request's language; one asked for is remembered."""
    language = language_of(request)
    env = environment(language, settings(request).zone)
    frame = {
        "who": who_asks(request),
        "form_field": _form_field(request),
        "access_labels": access_labels,
    }
    answer = HTMLResponse(env.get_template(template).render({**frame, **values}), status)
    answer.headers["Content-Language"] = language
    answer.headers["Vary"] = "Cookie, Accept-Language"
    if request.query_params.get("lang") in LANGUAGES:
        answer.set_cookie(
            "lang",
            language,
            max_age=_YEAR_S,
            samesite="strict",
            httponly=True,
            secure=settings(request).over_tls,
        )
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
    language = next(one for one in LANGUAGES if one != language_of(request))
    other = f"?{request.url.include_query_params(lang=language).query}"
    frame = Frame(here, head, datetime.now(UTC), theme if theme in _THEMES else None, other)
    return rendered(request, template, {"page": frame, **values}, status)
