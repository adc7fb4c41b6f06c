"""The replay of a hand, the footage that it plays, and the cards that are drawn over it."""

from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse

from audit.auth.permissions import Action, permits
from audit.cases import LinkKind
from audit.errors import NotInRecord
from audit.evidence.files import footage_path, read_stretch, stretch_of
from audit.store import AlertQuery
from audit.traces import TracedCard, glimpses
from audit.web.context import DeskDep, language_of, page
from audit.web.replay import Replay, proof_key, replay_of, span_of
from audit.web.shapes import FindingShape
from audit.web.wording import explained, key_of

router = APIRouter(include_in_schema=False)

RoundId = Annotated[str, Path(max_length=200)]
AlertNumber = Annotated[int | None, Query(ge=1, le=2**31 - 1)]

BEFORE_S = 4.0
"""How long before the moment of proof a replay begins, in seconds."""


@router.get("/replay/{round_id:path}", response_class=HTMLResponse)
@permits(Action.EVIDENCE_VIEW)
def replay(
    request: Request, round_id: RoundId, desk: DeskDep, alert: AlertNumber = None
) -> HTMLResponse:
    """Show a hand again; with an alert, from just before the moment of its proof."""
    head = desk.store.last_id()
    try:
        recorded = desk.store.round(round_id)
    except NotInRecord:
        if not desk.store.alerts(AlertQuery(round=round_id, limit=1)):
            raise
        return page(request, "round_open.html", "rounds", {"round": round_id}, head=head)
    shown = replay_of(desk.store, recorded)
    chosen = next((one for one in shown.alerts if one.number == alert), None)
    chosen = chosen or next(iter(shown.alerts), None)
    finding = _finding_of(shown, chosen.number if chosen else None)
    proof = shown.proofs.get(proof_key(finding)) if finding else None
    start = max(0.0, proof - BEFORE_S) if proof is not None else 0.0
    values = {
        "replay": shown,
        "recorded": recorded,
        "view": shown.view,
        "finding": finding,
        "alert": chosen,
        "acts": desk.store.alert_acts(chosen.number) if chosen else [],
        "proof": proof,
        "data": shown.data(start),
        "first": shown.reel_at(start),
        "texts": explained(recorded, language_of(request)),
        "key_of": key_of,
        "cases": desk.store.cases_of(LinkKind.ROUND, round_id),
    }
    return page(request, "replay.html", "rounds", values, head=head)


def _finding_of(shown: Replay, alert: int | None) -> FindingShape | None:
    """Return the finding that an alert is about, else the round's first one."""
    findings = shown.view.findings
    told = next((one for one in shown.alerts if one.number == alert), None)
    if told is not None:
        for finding in findings:
            if (finding.code, finding.seat, finding.trick) == (told.code, told.seat, told.trick):
                return finding
    return next(iter(findings), None)


@router.get("/seen/{round_id:path}")
@permits(Action.EVIDENCE_VIEW, quiet=True)
def seen(round_id: RoundId, desk: DeskDep) -> Response:
    """Return where the recognised cards lay, moment by moment, to be drawn over the video."""
    recorded = desk.store.round(round_id)
    since, until = span_of(desk.store, recorded)
    # A card that lies still is sent once: moments name it by its place in the list.
    cards: dict[TracedCard, int] = {}
    moments = [
        [
            round((glimpse.at - since).total_seconds(), 3),
            [cards.setdefault(card, len(cards)) for card in glimpse.cards],
        ]
        for glimpse in glimpses(desk.store.data_dir, recorded.table, since, until)
    ]
    told = [[card.face, card.confidence, card.corners, card.covered] for card in cards]
    return JSONResponse({"cards": told, "moments": moments})


@router.get("/media/segments/{entry}")
@permits(Action.EVIDENCE_VIEW)
def segment(
    desk: DeskDep,
    entry: Annotated[int, Path(ge=1, le=2**62)],
    range_header: Annotated[str | None, Header(alias="range", max_length=100)] = None,
) -> Response:
    """Send a recorded segment, or the part of it that is asked for."""
    found = desk.store.segment(entry)
    path = footage_path(desk.store.data_dir, found)
    if found.deleted is not None or not path.is_file():
        raise NotInRecord(f"the video of segment {entry} is not kept any more")
    size = path.stat().st_size
    stretch = stretch_of(range_header, size)
    if stretch is None:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{size}"})
    part = stretch.length < size
    headers = {"Content-Length": str(stretch.length), "Accept-Ranges": "bytes"}
    if part:
        headers["Content-Range"] = f"bytes {stretch.first}-{stretch.last}/{size}"
    content = read_stretch(path, stretch)
    return StreamingResponse(content, 206 if part else 200, headers, media_type="video/mp4")
