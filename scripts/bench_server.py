"""Runs the web server over a record in a process of its own, and asks it for pages.

    python scripts/bench_server.py FOLDER PORT      serves, as Serving has it done

It serves as `pitwatch serve` does, without the threads that cut clips, seal and tell beside it: the
made-up record has flagged hands by the thousand whose clips nobody ever cut.
"""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

sys.path.insert(0, str(Path(__file__).parent.parent))

import httpx

from audit.auth.door import Door
from audit.auth.permissions import Role
from audit.auth.sessions import How
from audit.settings import Settings
from audit.store import open_store
from audit.store.access import AccessStore
from audit.web.app import create_app
from audit.web.cookies import Cookies
from audit.web.server import run

START_S = 120.0
"""How long the server may take to begin, in seconds."""


class Serving:
    """A server over a record in a process of its own, as in production, and somebody who asks it.

    What fills the record is none of the server's memory, and its search for garbage has no more to
    look through than in a house.
    """

    def __init__(self, settings: Settings) -> None:
        store = open_store(settings.database_url, settings.data_dir)
        door = Door(AccessStore(store))
        roles = (Role.PIT, Role.SURVEILLANCE, Role.COMPLIANCE)
        token = door.open("bench", roles, How.PASSWORD, "127.0.0.1", None).token
        store.close()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, __file__, str(settings.data_dir), str(port)]
        self._process = subprocess.Popen(command)  # noqa: S603  # this very script
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}",
            cookies={Cookies().name: token},
            headers={"Accept": "text/html"},
            timeout=60.0,
        )

    def __enter__(self) -> Self:
        end = time.monotonic() + START_S
        while True:
            try:
                self._client.get("/healthz").raise_for_status()
            except httpx.HTTPError as error:
                if time.monotonic() > end or self._process.poll() is not None:
                    self._end()
                    raise SystemExit(f"the server did not begin: {error}") from None
                time.sleep(0.2)
            else:
                return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        self._client.close()
        self._process.send_signal(signal.SIGINT)
        self._process.wait(60)

    def ask(self, path: str) -> tuple[float, float]:
        """Ask for a page.

        Returns:
            How long it took by the clock, and the processor time of the server meanwhile, in ms.
        """
        begun, used = time.perf_counter(), self._used()
        answer = self._client.get(path)
        taken = time.perf_counter() - begun, self._used() - used
        if answer.status_code != 200:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:200]}")
        return taken[0] * 1e3, taken[1] * 1e3

    def _used(self) -> float:
        """Return the processor time of the server so far, in seconds."""
        # The clock of another process, as clock_getcpuclockid(3) names it on Linux.
        return time.clock_gettime((~self._process.pid << 3) | 2)


def serve(folder: Path, port: int) -> None:
    """Serve a record until Ctrl-C."""
    settings = Settings(data_dir=folder, port=port)
    store = open_store(settings.database_url, settings.data_dir)
    run(create_app(store, settings), settings)
    store.close()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
