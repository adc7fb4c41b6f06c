"""`pitwatch demo`: the bundled footage watched live, with the web interface beside it."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from audit.auth.door import Door
from audit.auth.sessions import Purpose
from audit.cli.output import say
from audit.cli.places import demo_footage, settings_for
from audit.cli.serve import need_free
from audit.cli.watch import WatchOptions, watch_table
from audit.errors import AuditError
from audit.store import open_store
from audit.store.access import AccessStore
from rules.house import default_house

HOST = "127.0.0.1"

DATA = Path("demo")
"""Where the demo's record lies inside the data folder, apart from any real one."""

START_S = 120.0
"""How long the web interface may take to answer at first, in seconds."""


def run_demo(*, port: int, data: Path | None, once: bool, json: bool = False) -> int:
    """Watch the bundled footage at its own speed and serve what is found until Ctrl-C.

    Raises:
        AuditError: The port is in use, the record cannot be opened, or the server does not start.
    """
    footage = demo_footage()
    record = data or settings_for().data_dir / DATA
    need_free(HOST, port)
    with _server(record, port) as server:
        address = f"http://{HOST}:{port}"
        way_in = f"{address}/welcome/{_way_in(record)}"
        say("This is a demonstration: no passwords, for this machine only. Come in here (once):")
        say(f"  {way_in}")
        say(f"or at {address}, where you choose as whom to look.")
        if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            webbrowser.open(way_in)
        options = WatchOptions(
            str(footage.video),
            footage.layout,
            feed=footage.feed,
            data=record,
            json=json,
            realtime=True,
            rules=default_house(),  # What the footage shows was staged under these.
        )
        code = watch_table(options)
        if once or code:
            return code
        say(f"The footage has ended. Everything found stays at {address} (Ctrl-C ends it).")
        server.wait()
    return 0


def _way_in(record: Path) -> str:
    """Return the token of a link that lets one browser in, once."""
    settings = settings_for(record)
    with closing(open_store(settings.database_url, settings.data_dir)) as store:
        return Door(AccessStore(store)).make_link(Purpose.DEMO, "demo")


@contextmanager
def _server(record: Path, port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the web interface as the second process that it is, and end it in any case."""
    command = [sys.executable, "-m", "audit.cli", "serve"]
    command += ["--demo", "--host", HOST, "--port", str(port), "--data", str(record)]
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - our own command
    try:
        _wait_until_it_answers(server, port)
        yield server
    finally:
        server.terminate()
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            server.kill()


def _wait_until_it_answers(server: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise AuditError("the web interface ended at once; its own line above says why")
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/healthz", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AuditError(f"the web interface did not answer on port {port} within {START_S:.0f} s")
