"""A real record in a fresh folder, and the application on it."""

import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest
import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Browser, Page

from audit.auth.permissions import Scope
from audit.settings import Settings
from audit.store import Store, open_store
from audit.web.app import create_app
from audit.web.stream import Pace
from tests.prepared import lay_down
from tests.web.asking import Client, machine, session
from tests.web.browsing import Counting, Served

BRIEF = Pace(poll_s=0.01, life_s=0.15)
"""Streams that end by themselves soon, as a dropped link would end them."""


MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""Where Linux keeps files in memory; on a disk, flushing every entry takes its time."""


@pytest.fixture
def settings() -> Iterator[Settings]:
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Settings(data_dir=Path(folder))


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    lay_down(settings.database_url)
    opened = open_store(settings.database_url, settings.data_dir)
    yield opened
    opened.close()


@pytest.fixture
def app(store: Store, settings: Settings) -> FastAPI:
    return create_app(store, settings)


@pytest.fixture
def client(store: Store, settings: Settings) -> Client:
    app = create_app(store, settings, pace=BRIEF)
    key = machine(app, Scope.WAGERS_WRITE, Scope.PAYOUTS_WRITE)
    return Client(app, token=session(app), key=key)


@pytest.fixture
def served(store: Store, settings: Settings) -> Iterator[Served]:
    # A short life, so that every test also lives through reconnections.
    served_app = create_app(store, settings, pace=Pace(poll_s=0.05, life_s=3.0))
    app = Counting(served_app)
    config = uvicorn.Config(
        app, host="127.0.0.1", port=0, log_level="error", timeout_graceful_shutdown=10
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = monotonic() + 20
    while not server.started and monotonic() < end:
        sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Served(f"http://127.0.0.1:{port}", store, app, session(served_app))
    served_app.state.closing.set()
    server.should_exit = True
    thread.join(timeout=30)


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    served.let_in(context)
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on(
        "console",
        lambda message: (
            problems.append(message.text) if "Content Security" in message.text else None
        ),
    )
    yield opened
    context.close()
    assert [problem for problem in problems if "Failed to load resource" not in problem] == []
