"""Static files under a name of their content: asked for once, and again when they changed."""

import hashlib
from functools import cache
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
MARK = "v-"
"""What the part of a path begins with that names the content; not part of any file's path."""
FOREVER = "public, max-age=31536000, immutable"


@cache
def version() -> str:
    """Return the name of all static files together: other content, another name.

    >>> len(version()), version().startswith(MARK)
    (18, True)
    """
    told = hashlib.sha256()
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            told.update(path.relative_to(STATIC).as_posix().encode() + b"\0")
            told.update(hashlib.sha256(path.read_bytes()).digest())
    return MARK + told.hexdigest()[:16]


class Assets(StaticFiles):
    """The static files, with or without their version in the path.

    A page that was open while the software changed asks by the old name; it is given what there is,
    which its browser must not keep.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer a request for a file."""
        named, _, rest = path.partition("/")
        if not named.startswith(MARK):
            return await super().get_response(path, scope)
        answer = await super().get_response(rest, scope)
        if named == version():
            answer.headers["Cache-Control"] = FOREVER
        return answer
