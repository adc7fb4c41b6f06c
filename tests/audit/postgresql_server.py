"""A PostgreSQL server of one's own, made in a folder of its own and thrown away."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg


@dataclass(frozen=True, slots=True)
class PostgreSQL:
    """A running server, reached through a socket in its folder."""

    folder: Path
    names: Iterator[int]
    control: Callable[..., None]
    """Runs a program of the server's in its folder."""
    sync: bool
    """Whether it waits for the disk, as it should outside of tests."""

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

    def start(self) -> None:
        sync = "on" if self.sync else "off"
        options = f"-c listen_addresses='' -k {self.folder} -c fsync={sync} -c max_connections=60"
        self.control("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self) -> None:
        self.control("pg_ctl", "-D", "data", "-w", "-m", "immediate", "stop")


class NoServer(Exception):  # noqa: N818  # named for what is missing
    """The server cannot be run here."""


def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        raise NoServer("PostgreSQL is not installed: run apt-get install postgresql")
    return found[-1].parent


@contextmanager
def running(*, sync: bool = False) -> Iterator[PostgreSQL]:
    """Run a new server while the body runs.

    Raises:
        NoServer: It is not installed, or does not start.
    """
    programs = _programs()
    # A short path, since that of a socket may not be longer than 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="pw-pg-", dir="/tmp"))
    account = None
    if os.geteuid() == 0:  # the server refuses to run as root
        account = pwd.getpwnam("postgres")
        shutil.chown(folder, "postgres")
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder)}

    def run(program: str, *arguments: str) -> None:
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
            raise NoServer(f"{program}: {(folder / 'output').read_text()}")

    server = PostgreSQL(folder, count(1), run, sync)
    try:
        run("initdb", "-D", "data", "-U", "pitwatch", "-A", "trust", "-E", "UTF8", "--no-sync")
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)
