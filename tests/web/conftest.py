"""A real record in a fresh folder, and the application on it."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from audit.auth.permissions import Scope
from audit.settings import Settings
from audit.store import Store, open_store
from audit.web.app import create_app
from audit.web.stream import Pace
from tests.web.asking import Client, machine, session

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
    opened = open_store(settings.database_url, settings.data_dir)
    yield opened
    opened.close()


@pytest.fixture
def client(store: Store, settings: Settings) -> Client:
    app = create_app(store, settings, pace=BRIEF)
    key = machine(app, Scope.WAGERS_WRITE, Scope.PAYOUTS_WRITE)
    return Client(app, token=session(app), key=key)
