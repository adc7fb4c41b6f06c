"""Fixtures of the record's tests: a real SQLite file and a real PostgreSQL server."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg
import pytest

from audit.payouts import FeedNote
from audit.store import Store, open_store
from tests.audit.record_builders import NOW, busy_table, later, turned

BACKENDS = ("sqlite", "postgresql")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend" in metafunc.fixturenames:
        metafunc.parametrize("backend", BACKENDS)


@dataclass(frozen=True, slots=True)
class PostgreSQL:
    """A server of this test session's own, reached through a socket in its folder."""

    folder: Path
    names: Iterator[int]
    control: Callable[..., None]
    """Runs a program of the server's in its folder."""

    def start(self) -> None:
        options = f"-c listen_addresses='' -k {self.folder} -c fsync=off -c max_connections=60"
        self.control("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self) -> None:
        self.control("pg_ctl", "-D", "data", "-w", "-m", "immediate", "stop")

    def url(self, schema: str = "public") -> str:
        return (
            f"postgresql://pitwatch@/postgres?host={self.folder}&options=-csearch_path%3D{schema}"
        )

    def fresh(self) -> str:
        """Return the address of an empty schema, which is made much faster than a database."""
        schema = f"record_{next(self.names)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}".encode())
        return self.url(schema)


def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.fail("PostgreSQL is not installed: run apt-get install postgresql", pytrace=False)
    return found[-1].parent


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A running PostgreSQL server; every xdist worker has its own."""
    programs = _programs()
    # A short path, since that of a socket may not be longer than 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="pw-pg-", dir="/tmp"))
    user = None
    if os.geteuid() == 0:  # the server refuses to run as root
        user = "postgres"
        shutil.chown(folder, user)
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder)}

    def run(program: str, *arguments: str) -> None:
        account = None if user is None else pwd.getpwnam(user)
        with (folder / "output").open("ab") as output:
            done = subprocess.run(
                [str(programs / program), *arguments],
                user=None if account is None else account.pw_uid,
                group=None if account is None else account.pw_gid,
                extra_groups=None if account is None else [],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=60,
            )
        if done.returncode:
            pytest.fail(f"{program}: {(folder / 'output').read_text()}", pytrace=False)

    server = PostgreSQL(folder, count(1), run)
    try:
        run("initdb", "-D", "data", "-U", "pitwatch", "-A", "trust", "-E", "UTF8", "--no-sync")
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


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


@pytest.fixture
def sealed(store: Store) -> Store:
    """A record of two tables with two checkpoints, and something written after the last."""
    busy_table(store, "T1")
    store.checkpoint(at=later(100))
    busy_table(store, "T2")
    store.record_payout("T1", FeedNote(1, "ante", 1000, client_id="a"), at=later(110))
    store.acknowledge(1, user="kim", at=later(111))
    store.record_gap("T1", later(112), later(113), reason="dark")
    store.checkpoint(at=later(120))
    store.record_events("T1", [turned("2S"), turned("3S")], anchor=NOW)
    return store
