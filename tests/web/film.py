"""A short film of a table, as the watcher records it: one segment on disk, and its entry."""

import hashlib
from datetime import datetime, timedelta
from pathlib import Path

import av
import numpy as np

from audit.chain import EntryKind, utc_text
from audit.evidence.files import RECORDINGS, new_segment_name
from audit.store import Store

WIDTH, HEIGHT, RATE = 160, 90, 25


def film(store: Store, since: datetime, seconds: int, table: str = "T1") -> int:
    """Record a film that gets brighter; return the entry that names it."""
    name = new_segment_name(table, since)
    path = store.data_dir / RECORDINGS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_film(path, seconds)
    until = since + timedelta(seconds=seconds)
    body = {
        "name": name,
        "started": utc_text(since),
        "frames": seconds * RATE,
        "size": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "codec": "avc1.42C00B",
        "width": WIDTH,
        "height": HEIGHT,
        "making": "encoded",
        "adopted": False,
        "closed": utc_text(until),
    }
    return store.append(table, EntryKind.SEGMENT_CLOSED, body, at=until).id


def write_film(path: Path, seconds: int) -> None:
    """Write a fragmented MP4 that a browser plays."""
    fragmented = {"movflags": "frag_keyframe+empty_moov+default_base_moof"}
    with av.open(str(path), "w", format="mp4", options=fragmented) as out:
        stream = out.add_stream("libx264", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.options = {"preset": "ultrafast", "profile": "baseline", "g": str(RATE)}
        for number in range(seconds * RATE):
            picture = np.full((HEIGHT, WIDTH, 3), min(255, 2 * number), dtype=np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
