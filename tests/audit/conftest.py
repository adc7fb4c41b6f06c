"""Fixtures of the record's tests: a real SQLite file and a real PostgreSQL server."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from audit.payouts import FeedNote
from audit.store import Store, open_store
from tests.audit.postgresql_server import PostgreSQL
from tests.audit.record_builders import (
    NOW,
    busy_table,
    gap,
    later,
    see,
    turned,
)
from tests.prepared import Kept, keep, lay_again, lay_down

BACKENDS = ("sqlite", "postgresql")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend" in metafunc.fixturenames:
        metafunc.parametrize("backend", BACKENDS)


@pytest.fixture
def database_url(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The address of a database with nothing in it."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'record.db'}"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.fresh()


OpenStore = Callable[[], Store]


@pytest.fixture
def opened(database_url: str, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens the record of this test, again and again, as processes do."""
    stores: list[Store] = []
    lay_down(database_url)

    def open_again() -> Store:
        stores.append(open_store(database_url, tmp_path / "data"))
        return stores[-1]

    yield open_again
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: OpenStore) -> Store:
    """A new, open record."""
    return opened()


_sealed: dict[str, Kept] = {}
"""By backend: made once a process."""


@pytest.fixture
def sealed(
    backend: str,
    database_url: str,
    opened: OpenStore,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Store:
    """A record of two tables with two checkpoints, and something written after the last."""
    kept = _sealed.get(backend)
    if kept is None:
        store = opened()
        seal(store)
        store.close()
        folder = tmp_path_factory.mktemp("sealed")
        _sealed[backend] = keep(database_url, tmp_path / "data", folder)
    else:
        lay_again(kept, database_url, tmp_path / "data")
    return opened()


def seal(store: Store) -> None:
    busy_table(store, "T1")
    store.checkpoint(at=later(100))
    busy_table(store, "T2")
    store.record_payout("T1", FeedNote(1, "ante", 1000, client_id="a"), at=later(110))
    store.acknowledge(1, user="kim", at=later(111))
    gap(store, "T1", later(112), later(113))
    store.checkpoint(at=later(120))
    see(store, "T1", [turned("2S"), turned("3S")], anchor=NOW)
