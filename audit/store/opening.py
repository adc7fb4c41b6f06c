"""Opening a record: making it, bringing an older one up to date, and refusing what is none."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import inspect, select, text
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col

from audit.database import WRITING, open_engine, parse_url, place_of, store_error
from audit.errors import OtherVersion, RecordLost, StoreError
from audit.records import EntryRecord
from audit.store.asking import entry_of
from audit.store.unit import Projector, clear_projections

VERSION = "0009"
"""The version of the database that this program works with: the newest in `audit.migrations`."""

_MIGRATION_LOCK = 0x7069_7477_6D69
_MIGRATIONS = Path(__file__).parent.parent / "migrations"


def open_database(address: str, *, traces: str = "") -> Engine:
    """Return an engine for a record that is there and up to date.

    Args:
        address: The database.
        traces: What shows that there was a record, when something does: none is made anew then.

    Raises:
        RecordLost: The database is empty, and something shows that there was a record.
        StoreError: The address is none, the database cannot be reached or written, holds something
            else, or was made by a newer version of this program. One line says which, and what to
            do.
    """
    url = parse_url(address)
    if traces and _is_missing_file(url):
        raise lost(place_of(url), traces)  # before the driver makes the file
    with _opening(url) as engine:
        found = found_version(engine)
        if found is None and traces:
            raise lost(place_of(url), traces)
        if found != VERSION:
            _migrate(engine)
    return engine


@contextmanager
def _opening(url: URL) -> Iterator[Engine]:
    """Give an engine for the body to look at; it is closed when the body fails.

    Raises:
        StoreError: One line says what the database refused.
    """
    engine = open_engine(url)
    try:
        yield engine
    except DBAPIError as error:
        engine.dispose()
        raise store_error(error, url) from None
    except StoreError:
        engine.dispose()
        raise


def _is_missing_file(url: URL) -> bool:
    on_disk = url.get_backend_name() == "sqlite" and "uri" not in url.query
    return on_disk and not Path(str(url.database)).is_file()


def lost(place: str, traces: str) -> RecordLost:
    """Return the error for a record that is gone."""
    return RecordLost(
        f"{place}: holds no record, and {traces}: the record is lost or was moved; put the "
        "database back, or restore the last backup into a new data folder (pitwatch db restore)"
    )


def open_existing(address: str) -> Engine:
    """Return an engine for a record that is there and up to date, changing nothing.

    Raises:
        StoreError: There is none, or it is an older one; otherwise as `open_database`.
    """
    url = parse_url(address)
    if _is_missing_file(url):
        raise RecordLost(f"{place_of(url)}: no record here; expected the file of one")
    with _opening(url) as engine:
        _expect(engine, found_version(engine))
    return engine


def version_at(address: str) -> str | None:
    """Return the version of the record at an address; None where there is none, and makes none.

    Raises:
        StoreError: The database cannot be reached, or holds something else.
    """
    url = parse_url(address)
    if _is_missing_file(url):
        return None
    with _opening(url) as engine:
        found = found_version(engine)
    engine.dispose()
    return found


def _expect(engine: Engine, found: str | None) -> None:
    place = place_of(engine.url)
    if found is None:
        raise RecordLost(f"{place}: no record here: found an empty database; expected one")
    _refuse_newer(engine, found)
    if found != VERSION:
        raise OtherVersion(
            f"{place}: expected a record of version {VERSION}, found version {found}; "
            "run pitwatch db upgrade first"
        )


def _refuse_newer(engine: Engine, found: str | None) -> None:
    if found is not None and found > VERSION:
        raise OtherVersion(
            f"{place_of(engine.url)}: the record has version {found}, this program knows up to "
            f"{VERSION}; update this program"
        )


def found_version(engine: Engine) -> str | None:
    """Return the version of the record in a database; None when the database is empty.

    Raises:
        StoreError: It holds tables of something else.
    """
    with engine.connect() as connection:
        return _version(connection)


def _version(connection: Connection) -> str | None:
    """Return the version of the record in a database; None when the database is empty."""
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if found is not None and "entry" in tables:
            return str(found)
    if not tables:
        return None
    shown = ", ".join(sorted(tables)[:3])
    raise StoreError(
        f"{place_of(connection.engine.url)}: found tables of something else ({shown}); "
        "expected an empty database or a pitwatch record: choose another database"
    )


def _migrate(engine: Engine) -> None:
    with engine.execution_options(**{WRITING: True}).connect() as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
        # Another process may have done it while this one waited for the lock.
        found = _version(connection)
        if found == VERSION:
            return
        _refuse_newer(engine, found)
        upgrade(connection, VERSION)
        if found is not None:
            derive_again(connection)


def upgrade(connection: Connection, version: str) -> None:
    """Bring the tables to a version, within the connection's transaction."""
    # Alembic is slow to load, and an up-to-date record never needs it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, version)


def derive_again(connection: Connection) -> None:
    """Empty the projections and fold every entry again, within the connection's transaction."""
    with Session(connection, join_transaction_mode="rollback_only") as session:
        clear_projections(session)
        projector = Projector(session)
        query = select(EntryRecord).order_by(col(EntryRecord.id))
        for row in session.connection().execute(query.execution_options(yield_per=1000)):
            projector.apply(entry_of(row))
