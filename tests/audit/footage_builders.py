"""Footage for the record's tests: files of a few bytes that the entries tell of as segments."""

import hashlib
from datetime import datetime, timedelta

from audit.chain import EntryKind, JsonObject, utc_text
from audit.evidence.files import CLIPS, RECORDINGS, new_clip_name, new_segment_name
from audit.evidence.footage import Clip, Segment
from audit.store import JudgedRound, ProvedFinding, Store
from tests.audit.record_builders import NOW, finding, judged, record_round

LONG = timedelta(seconds=3)


def segment(store: Store, at: datetime, *, table: str = "T1", size: int = 100) -> Segment:
    """A closed segment of three seconds."""
    name = new_segment_name(table, at)
    content = name.encode().ljust(size, b".")
    path = store.data_dir / RECORDINGS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    body: JsonObject = {
        "name": name,
        "started": utc_text(at),
        "frames": 75,
        "size": size,
        "sha256": hashlib.sha256(content).hexdigest(),
        "codec": "avc1.64001F",
        "width": 1280,
        "height": 720,
        "making": "copied",
        "adopted": False,
        "closed": utc_text(at + LONG),
    }
    entry = store.append(table, EntryKind.SEGMENT_CLOSED, body, at=at + LONG)
    return store.segment(entry.id)


def clip(store: Store, round_id: str, *segments: Segment) -> Clip:
    """The clip of a flagged hand that stands on these segments."""
    at = segments[0].started
    seconds = (at - NOW) / timedelta(seconds=1)
    store.record_finding("T1", ProvedFinding(finding(), at=seconds, round=round_id), anchor=NOW)
    told = judged(round_id, findings=[finding()])
    record_round(store, "T1", JudgedRound(told.record, told.result, at=seconds), anchor=NOW)
    name = new_clip_name("T1", at)
    path = store.data_dir / CLIPS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(f"the clip of {round_id}".encode())
    cut: JsonObject = {
        "since": utc_text(at),
        "until": utc_text(segments[-1].ended),
        "file": {
            "name": name,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "size": path.stat().st_size,
        },
        "segments": [{"entry": one.entry, "sha256": one.sha256} for one in segments],
        "holes": [],
    }
    made = store.cut_clip(f"round/{round_id}", cut, at=segments[-1].ended)
    assert made is not None
    return made
