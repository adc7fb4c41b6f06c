"""Law: a camera's stream is recorded without gaps; its loss is a fact, and its return another."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import av
import pytest

from audit.courier import Courier
from audit.evidence.files import footage_path
from audit.evidence.footage import Making
from audit.settings import Settings
from audit.spool import Spool, spool_file
from audit.store import EPOCH, SegmentQuery, Store, open_store
from audit.watch.filming import Filming
from tests.vision.films import even, film
from tests.watch.filmed import MILLI
from vision.frames import Clock
from vision.sources import open_recorder, open_source

SERVER = """
import sys, gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer
Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(sys.argv[2])
factory = GstRtspServer.RTSPMediaFactory()
factory.set_shared(True)
factory.set_launch(
    f"( filesrc location={sys.argv[1]} ! qtdemux ! h264parse ! rtph264pay name=pay0 pt=96 "
    "config-interval=1 )"
)
server.get_mount_points().add_factory("/table", factory)
server.attach(None)
print("ready", flush=True)
GLib.MainLoop().run()
"""

DEBIAN = "/usr/bin/python3"
"""Debian's own Python, which its GStreamer is bound to."""


@contextmanager
def camera(source: Path, port: int) -> Iterator[None]:
    """A camera on the network, by GStreamer's RTSP server."""
    with subprocess.Popen(
        [DEBIAN, "-c", SERVER, str(source), str(port)], stdout=subprocess.PIPE
    ) as server:
        assert server.stdout is not None
        if server.stdout.readline().strip() != b"ready":
            pytest.fail(
                "GStreamer's RTSP server is not installed: run apt-get install python3-gi "
                "gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-good gstreamer1.0-plugins-bad",
                pytrace=False,
            )
        try:
            yield
        finally:
            server.kill()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(what: Callable[[], object]) -> None:
    """Wait until something is so; a busy machine may take its time."""
    deadline = time.monotonic() + 120
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    data = tmp_path / "data"
    opened = open_store(Settings(data_dir=data).database_url, data)
    yield opened
    opened.close()


def test_a_camera_is_recorded_is_lost_and_comes_back(store: Store, tmp_path: Path) -> None:
    source, port = film(tmp_path / "film.mp4", even(60)), free_port()
    url = f"rtsp://127.0.0.1:{port}/table"
    recorder = open_recorder(url, open_source(url, realtime=False))
    began = Clock().now()
    with Courier(store, Spool(spool_file(store.data_dir, "T1")), "T1") as courier:
        filming = Filming(recorder, courier, store.data_dir, "T1", EPOCH)
        with filming.rolling():
            with camera(source, port):
                wait_for(lambda: len(store.segments()) >= 3)
            wait_for(lambda: store.recording_gaps("T1")[-1:] and not _whole(store))
            before = store.segments()
            with camera(source, port):
                wait_for(lambda: len(store.segments()) > len(before) and _whole(store))
    after = store.segments()[len(before) :]
    assert {one.making for one in before} == {Making.COPIED}
    assert all(abs(b.started - a.ended) < 50 * MILLI for a, b in pairwise(before))
    assert 0 <= before[0].started.timestamp() - began < 120
    # The end of the second camera may have begun another gap by now.
    lost = {(gap.started, gap.ended): gap.reason for gap in store.recording_gaps("T1")}
    assert lost[before[-1].ended, after[0].started]
    for one in store.segments(SegmentQuery(table="T1")):
        with av.open(str(footage_path(store.data_dir, one))) as container:
            assert sum(1 for _ in container.decode(video=0)) == one.frames


def _whole(store: Store) -> bool:
    """Whether every time without video is over."""
    return all(gap.ended is not None for gap in store.recording_gaps("T1"))
