"""`pitwatch db`: the database's version, backups, and restoring them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from audit.archive import Backup, check_backup
from audit.backup import Told, restore_backup, write_backup
from audit.cli.output import NOT_HELD, print_line
from audit.cli.places import settings_for
from audit.cli.verify import existing_record, verify_record
from audit.cli.working import working
from audit.database import parse_url, place_of
from audit.evidence.files import RECORDINGS
from audit.settings import Settings
from audit.spool import FOLDER, waiting_in
from audit.store import open_reader, open_store
from audit.store.opening import VERSION, version_at


def print_status(*, data: Path | None) -> int:
    """Print where the record lies, its version, and what waits; exit code 1 for an older one.

    Raises:
        StoreError: The database cannot be reached, or holds something else.
    """
    settings = settings_for(data)
    print_line(f"Database: {place_of(parse_url(settings.database_url))}")
    found = version_at(settings.database_url)
    if found is None:
        print_line("No record yet: watch, serve or pitwatch db upgrade makes one.")
        return 0
    if found == VERSION:
        print_line(f"Version {found}, the one that this program works with.")
        with closing(open_reader(settings.database_url)) as reader:
            entries = sum(head.number for head in reader.chain_heads())
            print_line(f"{entries} entries, {len(reader.tables())} tables.")
    else:
        print_line(f"Version {found}; this program works with {VERSION}: run pitwatch db upgrade")
    for path in sorted((settings.data_dir / FOLDER).glob("*.spool")):
        count = waiting_in(path)
        if count:
            print_line(f"{count} acts at {path.stem} wait in {path} to be recorded.")
    return 0 if found == VERSION else NOT_HELD


def upgrade_record(*, data: Path | None) -> int:
    """Bring the record up to date, or make it.

    Raises:
        StoreError: The database cannot be reached or written, holds something else, or is newer.
    """
    settings = settings_for(data)
    before = version_at(settings.database_url)
    open_store(settings.database_url, settings.data_dir).close()
    found = "nothing" if before is None else f"version {before}"
    print_line(f"Found {found}; the record has version {VERSION} now.")
    return 0


def backup_record(file: Path, *, data: Path | None, keys: bool) -> int:
    """Write a backup and check it; exit code 1 when the record itself does not hold.

    Raises:
        StoreError: The file is there already or cannot be written, or there is no record.
    """
    settings = settings_for(data)
    with closing(existing_record(settings)) as reader, _told("Backing up") as told:
        found = write_backup(reader.engine, settings.data_dir, file, keys=keys, told=told)
    return _say(file, found)


def check_file(file: Path) -> int:
    """Check a backup; exit code 1 when its chains do not hold.

    Raises:
        StoreError: It is damaged, or none.
    """
    return _say(file, check_backup(file))


def _say(file: Path, found: Backup) -> int:
    entries, size = found.rows.get("entry", 0), file.stat().st_size / 1e6
    print_line(
        f"{file}: {entries} entries, {sum(found.rows.values())} rows in {len(found.rows)} tables, "
        f"{found.checkpoint} checkpoints, {size:.1f} MB, read back and undamaged."
    )
    if not found.has_keys:
        print_line("The private keys are not in it: keep a copy of the folder keys elsewhere.")
    if found.fault is not None:
        print_line(f"The record in it does not hold: {found.fault}")
        return NOT_HELD
    return 0


def restore_record(file: Path, *, data: Path | None) -> int:
    """Make a record from a backup and verify it; exit code 1 when it does not hold.

    A backup has no video. Where none was put back yet, its absence is said and is no fault.

    Raises:
        StoreError: The backup is damaged, or there is a record already.
    """
    settings = settings_for(data)
    with _told("Restoring") as told:
        restore_backup(file, settings.database_url, settings.data_dir, told=told)
    print_line(f"Restored into {_place(settings)}, row by row the same.")
    if not (settings.data_dir / "keys" / "signing.pem").exists():
        print_line(f"Put the folder keys back into {settings.data_dir}: no checkpoint without it.")
    footage = (settings.data_dir / RECORDINGS).is_dir()
    if not footage:
        print_line(
            f"A backup has no video, so recordings are not verified now: copy the folder "
            f"{RECORDINGS} into {settings.data_dir}, then run pitwatch verify."
        )
    return verify_record(data=data, json=False, footage=footage)


def _place(settings: Settings) -> str:
    return place_of(parse_url(settings.database_url))


@contextmanager
def _told(text: str) -> Iterator[Told]:
    with working(text) as tell:
        yield lambda table, count: tell(count, what=f"{table}, {count} rows")
