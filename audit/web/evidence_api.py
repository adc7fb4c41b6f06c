"""Evidence over the web: bundles, clips and legal holds."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request
from fastapi import Path as PathParameter
from fastapi.responses import Response, StreamingResponse

from audit.auth.permissions import Action, permits
from audit.errors import NotInRecord, RecordConflict
from audit.evidence.files import Stretch, footage_path, read_stretch, stretch_of
from audit.evidence.footage import Clip, ClipState
from audit.evidence.holds import Hold
from audit.evidence.windows import span_of_round
from audit.store import NewHold
from audit.web.bodies import Body, Moment, Name, Needed, Noted
from audit.web.context import ActorDep, DeskDep
from audit.web.security import require_act_header

pages = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/api/v1", tags=["evidence"])
acts = APIRouter(prefix="/api/v1", tags=["evidence"], dependencies=[Depends(require_act_header)])

Bundler = Callable[[str, str], Path]
"""Makes the bundle of a round (first) for a user (second), and says where it lies."""

RoundId = Annotated[str, PathParameter(max_length=200)]
Number = Annotated[int, PathParameter(ge=1, le=2**31 - 1)]
Ranges = Annotated[str | None, Header(alias="range", max_length=100)]

MOST_BUNDLES = 3
"""More at a time are refused: those that wait each hold a thread, which every page needs."""

_one_at_a_time = Lock()
_asked_for = BoundedSemaphore(MOST_BUNDLES)


class HoldBody(Body):
    """What is to be held: a round, or a time at a table."""

    round: Name | None = None
    table: Name | None = None
    since: Moment | None = None
    until: Moment | None = None
    reason: Needed


class ClipBody(Body):
    """A time whose clip is asked for; it may not be over yet."""

    table: Name
    since: Moment
    until: Moment


@pages.get("/bundles/{round_id:path}")
@permits(Action.EVIDENCE_EXPORT)
def bundle(request: Request, round_id: RoundId, desk: DeskDep, user: ActorDep) -> Response:
    """Make the evidence bundle of a round and send it; that it was made is an entry."""
    bundler: Bundler | None = getattr(request.app.state, "bundler", None)
    if bundler is None:
        raise RecordConflict("bundles are made where the video lies: pitwatch bundle ROUND")
    known = desk.store.round(round_id).round  # Before a program is started for it.
    if not _asked_for.acquire(blocking=False):
        raise RecordConflict(f"{MOST_BUNDLES} bundles are being made; wait for one to end")
    try:
        with _one_at_a_time:  # each codes a viewing copy, which takes a core
            path = bundler(known, user)
    finally:
        _asked_for.release()
    size = path.stat().st_size
    headers = {
        "Content-Length": str(size),
        "Content-Disposition": f'attachment; filename="{path.name}"',
    }
    content = _sent_once(path, size)
    return StreamingResponse(content, headers=headers, media_type="application/zip")


def _sent_once(path: Path, size: int) -> Iterator[bytes]:
    try:
        yield from read_stretch(path, Stretch(0, size - 1))
    finally:
        path.unlink(missing_ok=True)


@pages.get("/media/clips/{name:path}")
@permits(Action.EVIDENCE_VIEW)
def clip_file(
    desk: DeskDep,
    name: Annotated[str, PathParameter(max_length=300)],
    range_header: Ranges = None,
) -> Response:
    """Send a clip, or the part of it that is asked for."""
    clip = desk.store.clip(name)
    if clip.state is not ClipState.READY or clip.deleted is not None:
        raise NotInRecord(f"the clip {name!r} is not there: {_state(clip)}")
    path = footage_path(desk.store.data_dir, clip)
    if not path.is_file():
        raise NotInRecord(f"the clip {name!r} is missing; run pitwatch verify")
    size = path.stat().st_size
    stretch = stretch_of(range_header, size)
    if stretch is None:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{size}"})
    headers = {"Content-Length": str(stretch.length), "Accept-Ranges": "bytes"}
    part = stretch.length < size
    if part:
        headers["Content-Range"] = f"bytes {stretch.first}-{stretch.last}/{size}"
    content = read_stretch(path, stretch)
    return StreamingResponse(content, 206 if part else 200, headers, media_type="video/mp4")


def _state(clip: Clip) -> str:
    return "deleted" if clip.deleted is not None else clip.state.value


@router.get("/clips")
@permits(Action.EVIDENCE_VIEW)
def clips(desk: DeskDep, table: Name | None = None) -> list[dict[str, Any]]:
    """Return clips, the newest first: pending, ready or missing."""
    return [_clip_json(clip) for clip in desk.store.clips(table)]


@acts.post("/clips", status_code=202)
@permits(Action.EVIDENCE_VIEW)
def ask_clip(desk: DeskDep, body: ClipBody, user: ActorDep) -> dict[str, Any]:
    """Ask for the clip of a time: it is pending first, then ready."""
    return _clip_json(desk.store.ask_clip(body.table, body.since, body.until, user=user))


@router.get("/holds")
@permits(Action.EVIDENCE_VIEW)
def holds(desk: DeskDep, table: Name | None = None) -> list[dict[str, Any]]:
    """Return legal holds by number, released ones too."""
    return [_plain(hold) for hold in desk.store.holds(table)]


@acts.post("/holds", status_code=201)
@permits(Action.EVIDENCE_HOLD)
def place_hold(desk: DeskDep, body: HoldBody, user: ActorDep) -> dict[str, Any]:
    """Hold the footage of a round, or of a time at a table."""
    return _plain(desk.store.place_hold(_new_hold(desk, body), user=user))


@acts.post("/holds/{number}/release")
@permits(Action.EVIDENCE_HOLD)
def release_hold(desk: DeskDep, number: Number, body: Noted, user: ActorDep) -> dict[str, Any]:
    """Release a hold: the first person asks for it, a second one ends it."""
    return _plain(desk.store.release_hold(number, user=user, note=body.note))


def _new_hold(desk: DeskDep, body: HoldBody) -> NewHold:
    if body.round is not None:
        recorded = desk.store.round(body.round)
        span = span_of_round(desk.store, recorded.table, recorded.round, recorded.entry)
        if span is None:
            raise RecordConflict(f"round {body.round!r} is still being played")
        return NewHold(recorded.table, span.since, span.until, body.reason, body.round)
    if body.table is None or body.since is None or body.until is None:
        raise RecordConflict("expected a round, or a table with since and until")
    return NewHold(body.table, body.since, body.until, body.reason)


def _plain(row: Hold | Clip) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in type(row).__dataclass_fields__}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }


def _clip_json(clip: Clip) -> dict[str, Any]:
    return {name: value for name, value in _plain(clip).items() if name != "file"}
