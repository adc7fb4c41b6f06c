"""Cuts the clips that were asked for, as soon as all of their time is recorded."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import structlog

from audit.chain import JsonObject, utc_text
from audit.errors import AuditError
from audit.evidence.files import CLIPS, footage_path, new_clip_name
from audit.evidence.footage import Clip, ClipState
from audit.evidence.windows import Span, footage_of, holes_in, is_recorded, span_of
from audit.store import Store
from vision.clipping import Cut, Footage, cut
from vision.errors import VisionError

_log = structlog.get_logger()

Made = tuple[Cut, str] | None


def cut_due_clips(
    store: Store,
    data_dir: Path,
    *,
    table: str | None = None,
    final: bool = False,
    over: Event | None = None,
) -> list[Clip]:
    """Cut every clip whose time is over and recorded; the others stay pending.

    A clip that cannot be cut now, such as on a full disk, stays pending too, and the log says why.

    Args:
        store: The record.
        data_dir: The data folder.
        table: Only clips of this table.
        final: Whether nothing more of the table will be recorded.
        over: Set when whoever asks is to end: what is left stays pending.
    """
    made = []
    for clip in store.clips(table, states=(ClipState.PENDING,), limit=None):
        if over is not None and over.is_set():
            break
        try:
            span = span_of(store, clip)
            if span is None:
                continue
            if final or is_recorded(store, clip.table, span.until, datetime.now(UTC)):
                done = cut_clip(store, data_dir, clip, span)
                made += [] if done is None else [done]
        except (AuditError, VisionError) as error:
            _log.warning("clip.failed", clip=clip.name, reason=str(error))
    return made


def cut_clip(store: Store, data_dir: Path, clip: Clip, span: Span) -> Clip | None:
    """Cut one clip and record it; None when somebody else did so meanwhile.

    Raises:
        AuditError: The record cannot be written.
        VisionError: The clip cannot be written.
    """
    segments = footage_of(store, clip.table, span)
    name = new_clip_name(clip.table, span.since)
    target = data_dir / CLIPS / name
    footage = [
        Footage(footage_path(data_dir, one), _seconds(one.started, span.since)) for one in segments
    ]
    done = cut(footage, 0.0, _seconds(span.until, span.since), target)
    used = [one for one, fits in zip(segments, done.used, strict=True) if fits] if done else []
    gaps = store.recording_gaps(clip.table, span.since, span.until)
    body: JsonObject = {
        "since": utc_text(span.since),
        "until": utc_text(span.until),
        "file": {"name": name, "sha256": done.sha256, "size": done.size} if done else None,
        "segments": [{"entry": one.entry, "sha256": one.sha256} for one in used],
        "holes": holes_in(used, gaps, span),
    }
    recorded = store.cut_clip(clip.name, body)
    if recorded is None:
        target.unlink(missing_ok=True)
    return recorded


def _seconds(at: datetime, since: datetime) -> float:
    return (at - since) / timedelta(seconds=1)
