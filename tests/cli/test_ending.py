"""The law: a command that is asked to end closes what it opened, and its record is sealed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import av
import numpy as np
import pytest

from audit.chain import EntryKind
from audit.store import open_reader
from audit.verify import Outside, verify

LAYOUT = """table = "T1"
game = "three-card-whist"
frame = [320, 240]
[[spot]]
name = "dealer"
polygon = [[20, 20], [200, 20], [200, 100], [20, 100]]
"""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A minute of film of an empty, faintly flickering table."""
    path = tmp_path_factory.mktemp("film") / "empty.mp4"
    noise = np.random.default_rng(7)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        for _ in range(60 * 10):
            image = noise.integers(60, 80, (240, 320, 3), dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        container.mux(stream.encode())
    return path


@contextmanager
def watching(folder: Path, film: Path) -> Iterator["subprocess.Popen[bytes]"]:
    (folder / "t.layout.toml").write_text(LAYOUT)
    command = [sys.executable, "-m", "audit.cli", "watch", str(film), "--realtime"]
    command += ["--layout", "t.layout.toml", "--data", "data"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, cwd=folder, env=environment) as process:
        yield process
        process.kill()


def started(folder: Path) -> bool:
    database = folder / "data" / "pitwatch.db"
    if not (folder / "data" / "live" / "T1.jpg").exists():
        return False
    reader = open_reader(f"sqlite:///{database}")
    try:
        return any(state.watching for state in reader.tables())
    finally:
        reader.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_watching_that_is_told_to_end_says_so_in_a_sealed_record(
    number: signal.Signals, film: Path, tmp_path: Path
) -> None:
    with watching(tmp_path, film) as process:
        deadline = time.monotonic() + 90
        while not started(tmp_path):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
        process.send_signal(number)
        assert process.wait(timeout=60) == 130
    reader = open_reader(f"sqlite:///{tmp_path / 'data' / 'pitwatch.db'}")
    last = reader.entries_after(table="T1", limit=1000)[-1]
    held = verify(reader, Outside(data_dir=tmp_path / "data"))
    reader.close()
    assert last.kind is EntryKind.TABLE_STOPPED
    assert (held.fault, held.sealed) == (None, held.entries)


LOADING = """
import sys
class Interrupted:
    def find_spec(self, name, *more):
        if name == "audit.cli.main":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
import audit.cli
"""


def test_ctrl_c_while_the_command_is_being_loaded_shows_no_traceback() -> None:
    command = [sys.executable, "-c", LOADING]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"")
