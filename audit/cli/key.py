"""`pitwatch key`: the key that signs checkpoints."""

from contextlib import closing
from pathlib import Path

from audit.chain import SYSTEM, EntryKind
from audit.cli.output import print_line
from audit.cli.places import settings_for
from audit.cli.verify import existing_record
from audit.keys import fingerprint, key_file
from audit.store import open_store

_NAMING = (EntryKind.KEY_CREATED, EntryKind.KEY_ROTATED)


def print_keys(*, data: Path | None) -> int:
    """Print every key that the record names, with when and by whom.

    Raises:
        StoreError: There is no record.
    """
    settings = settings_for(data)
    with closing(existing_record(settings)) as reader:
        named = reader.entries_after(table=SYSTEM, kinds=_NAMING, limit=10_000)
    for entry in named:
        by = f"by {entry.body['user']}" if "user" in entry.body else "at the first start"
        print_line(f"{fingerprint(entry.body['public'])}  since {entry.at:%F %T} UTC, {by}")
    path = key_file(settings.data_dir)
    print_line(f"The private half of the last one: {path}{'' if path.exists() else ' (not here)'}")
    return 0


def rotate(*, user: str, data: Path | None) -> int:
    """Make a new signing key, and sign with it at once.

    Raises:
        StoreError: There is no record, or the data folder does not hold the key that it names.
    """
    settings = settings_for(data)
    existing_record(settings).close()
    with closing(open_store(settings.database_url, settings.data_dir)) as store:
        # All that the old key vouched for is sealed with it first.
        store.checkpoint()
        new = store.rotate_key(user=user)
        store.checkpoint()
    print_line(f"Signing key: {new}. Write it down elsewhere, and back up {settings.data_dir}/keys")
    return 0
