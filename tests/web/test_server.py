"""The law: the server ends when it is asked to, with open pages and without an error."""

import logging
import threading
from time import monotonic, sleep

import httpx
import pytest
import uvicorn

from audit.settings import Settings
from audit.store import Store
from audit.web.app import create_app
from audit.web.server import Server
from tests.web import samples
from tests.web.asking import COOKIE, session


def test_the_server_ends_at_once_although_pages_are_open(
    store: Store, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    samples.start_table(store)
    app = create_app(store, settings)  # its streams last a quarter of an hour
    server = Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    with caplog.at_level(logging.WARNING):
        thread.start()
        while not server.started:
            sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        address = f"http://127.0.0.1:{port}/api/v1/stream?after=0"
        cookies = {COOKIE: session(app)}
        with httpx.stream("GET", address, cookies=cookies) as answer:
            lines = answer.iter_lines()
            assert any(line.startswith("id: ") for line in lines)
            server.should_exit = True
            asked = monotonic()
            assert list(lines) is not None  # to its end, which is an ordinary one
            thread.join(timeout=20)
    assert not thread.is_alive()
    assert monotonic() - asked < 20
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []
