"""What entries about footage mean: the rows of segments, gaps, clips and holds that they make."""

from dataclasses import replace

from audit.chain import Entry, EntryKind, JsonObject, utc_moment, utc_text
from audit.evidence.footage import (
    Clip,
    ClipState,
    Making,
    RecordingGap,
    Segment,
    clip_asked,
    clip_of_round,
)
from audit.evidence.holds import Hold
from audit.rows import Known

FOOTAGE_KINDS = frozenset(
    {
        EntryKind.SEGMENT_CLOSED,
        EntryKind.RECORDING_LOST,
        EntryKind.RECORDING_BACK,
        EntryKind.CLIP_ASKED,
        EntryKind.CLIP_CUT,
        EntryKind.FOOTAGE_DELETED,
        EntryKind.HOLD_PLACED,
        EntryKind.HOLD_RELEASE_ASKED,
        EntryKind.HOLD_RELEASED,
    }
)
"""The kinds of entries that rows of footage follow from, beside findings."""

FootageRow = Segment | RecordingGap | Clip | Hold

RULES = "rules"
"""Who asks for the clip of a flagged hand."""


def fold_footage(entry: Entry, known: Known) -> tuple[FootageRow, ...]:
    """Return the rows that an entry about footage makes or changes, each whole.

    Raises:
        KeyError, TypeError, ValueError, LookupError: As `audit.projections.project`.
    """
    rows: tuple[FootageRow, ...] = ()
    match entry.kind:
        case EntryKind.SEGMENT_CLOSED:
            rows = (_segment(entry),)
        case EntryKind.RECORDING_LOST:
            name = f"{entry.chain}/{utc_text(entry.at)}"
            reason = entry.body["reason"]
            rows = (RecordingGap(name, entry.chain, entry.at, None, reason, entry.id),)
        case EntryKind.RECORDING_BACK:
            rows = _back(entry, known)
        case EntryKind.CLIP_ASKED:
            rows = (_asked(entry),)
        case EntryKind.CLIP_CUT:
            rows = _cut(entry, known)
        case EntryKind.FOOTAGE_DELETED:
            rows = _deleted(entry, known)
        case EntryKind.HOLD_PLACED | EntryKind.HOLD_RELEASE_ASKED | EntryKind.HOLD_RELEASED:
            rows = (_hold(entry, known),)
        case _:
            pass
    return rows


def fold_flagged_hand(entry: Entry, known: Known) -> tuple[FootageRow, ...]:
    """Return the clip that a finding asks for: one a round, however much is found in it."""
    round_id = entry.body["round"]
    if entry.body["alert"] is None or round_id is None:
        return ()
    name = clip_of_round(round_id)
    if known.find(Clip, (name,)) is not None:
        return ()
    return (_pending(entry, name, entry.chain, RULES, round_id),)


def _segment(entry: Entry) -> Segment:
    body = entry.body
    return Segment(
        entry=entry.id,
        table=entry.chain,
        name=body["name"],
        started=utc_moment(body["started"]),
        ended=entry.at,
        frames=body["frames"],
        size=body["size"],
        sha256=body["sha256"],
        codec=body["codec"],
        width=body["width"],
        height=body["height"],
        making=Making(body["making"]),
        adopted=body["adopted"],
        closed=utc_moment(body["closed"]),
        flagged=False,
        deleted=None,
    )


def _back(entry: Entry, known: Known) -> tuple[FootageRow, ...]:
    gap = known.find(RecordingGap, (f"{entry.chain}/{entry.body['since']}",))
    return () if gap is None else (replace(gap, ended=entry.at),)


def _pending(entry: Entry, name: str, table: str, user: str, round_id: str | None) -> Clip:
    return Clip(
        name=name,
        table=table,
        round=round_id,
        asked=entry.at,
        asked_by=user,
        state=ClipState.PENDING,
        since=None,
        until=None,
        file=None,
        sha256=None,
        size=None,
        segments=[],
        holes=[],
        entry=entry.id,
        deleted=None,
    )


def _asked(entry: Entry) -> Clip:
    body = entry.body
    clip = _pending(entry, clip_asked(entry.id), body["table"], body["user"], None)
    return replace(clip, since=utc_moment(body["since"]), until=utc_moment(body["until"]))


def _cut(entry: Entry, known: Known) -> tuple[FootageRow, ...]:
    body = entry.body
    clip = known.find(Clip, (body["clip"],))
    if clip is None:
        raise LookupError(f"no clip {body['clip']}")
    file: JsonObject | None = body["file"]
    clip = replace(
        clip,
        state=ClipState.MISSING if file is None else ClipState.READY,
        since=utc_moment(body["since"]),
        until=utc_moment(body["until"]),
        file=None if file is None else file["name"],
        sha256=None if file is None else file["sha256"],
        size=None if file is None else file["size"],
        segments=body["segments"],
        holes=body["holes"],
        entry=entry.id,
    )
    if clip.round is None:
        return (clip,)
    stands_on = [known.find(Segment, (one["entry"],)) for one in body["segments"]]
    return (clip, *(replace(one, flagged=True) for one in stands_on if one is not None))


def _deleted(entry: Entry, known: Known) -> tuple[FootageRow, ...]:
    rows: list[FootageRow] = []
    for one in entry.body["segments"]:
        segment = known.find(Segment, (one["entry"],))
        if segment is None:
            raise LookupError(f"no segment {one['entry']}")
        rows.append(replace(segment, deleted=entry.id))
    for one in entry.body["clips"]:
        clip = known.find(Clip, (one["clip"],))
        if clip is None:
            raise LookupError(f"no clip {one['clip']}")
        rows.append(replace(clip, deleted=entry.id, entry=entry.id))
    return tuple(rows)


def _hold(entry: Entry, known: Known) -> Hold:
    body = entry.body
    if entry.kind is EntryKind.HOLD_PLACED:
        return Hold(
            number=body["hold"],
            table=body["table"],
            since=utc_moment(body["since"]),
            until=utc_moment(body["until"]),
            round=body["round"],
            reason=body["reason"],
            placed_by=body["user"],
            placed=entry.at,
            release_by=None,
            release_asked=None,
            released_by=None,
            released=None,
            entry=entry.id,
        )
    hold = known.find(Hold, (body["hold"],))
    if hold is None:
        raise LookupError(f"no hold {body['hold']}")
    if entry.kind is EntryKind.HOLD_RELEASE_ASKED:
        return replace(hold, release_by=body["user"], release_asked=entry.at, entry=entry.id)
    return replace(hold, released_by=body["user"], released=entry.at, entry=entry.id)
