"""The session's cookie."""

from dataclasses import dataclass

from fastapi import Request
from starlette.responses import Response

from audit.auth.sessions import Session


@dataclass(frozen=True, slots=True)
class Cookies:
    """How the browser keeps a session's token."""

    secure: bool = False
    """Whether the browser sends it over TLS only. Its name then begins with `__Host-`, so that no
    other machine of the same domain can set it."""

    @property
    def name(self) -> str:
        """The cookie's name."""
        return "__Host-pitwatch" if self.secure else "pitwatch-session"

    def token(self, request: Request) -> str | None:
        """Return the token that a request carries."""
        return request.cookies.get(self.name)

    def give(self, answer: Response, token: str, session: Session) -> None:
        """Let the browser keep a session's token, out of the reach of scripts."""
        lasts = int((session.ends - session.opened).total_seconds())
        answer.set_cookie(
            self.name,
            token,
            max_age=lasts,
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="lax",
        )

    def take(self, answer: Response) -> None:
        """Let the browser forget it."""
        answer.delete_cookie(self.name, path="/", secure=self.secure, httponly=True, samesite="lax")
