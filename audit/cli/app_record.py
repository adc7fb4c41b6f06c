"""The commands that look after the database and the signing key, and their options."""

from pathlib import Path
from typing import Annotated

import typer

from audit.cli.options import Data

db = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Look after the database: its version, backups.",
)

key = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Look after the key that signs checkpoints.",
)


@db.command("status", short_help="Say where the record lies and what waits.")
def db_status(data: Data = None) -> int:
    """Say where the record lies, its version, and what waits to be recorded.

    \b
    Example:
      pitwatch db status --data /var/lib/pitwatch
    """
    from audit.cli.db import print_status

    return print_status(data=data)


@db.command("upgrade", short_help="Bring an older record up to date.")
def db_upgrade(data: Data = None) -> int:
    """Bring an older record up to date; a new one is made where there is none.

    \b
    Example:
      pitwatch db upgrade --data /var/lib/pitwatch
    """
    from audit.cli.db import upgrade_record

    return upgrade_record(data=data)


@db.command("backup", short_help="Write the whole record into one file.")
def db_backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new backup, a zip file.")],
    data: Data = None,
    keys: Annotated[
        bool, typer.Option("--keys", help="Put the private keys in: who has it can then sign.")
    ] = False,
) -> int:
    """Write the whole record into one file, while watching goes on, and check what was written.

    Exit code 1: the backup is true to the record, and the record itself does not hold.

    \b
    Example:
      pitwatch db backup /media/usb/pitwatch-20261130.zip
    """
    from audit.cli.db import backup_record

    return backup_record(file, data=data, keys=keys)


@db.command("check", short_help="Say whether a backup is undamaged.")
def db_check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
) -> int:
    """Read a whole backup and say whether it is undamaged and its chains hold.

    \b
    Example:
      pitwatch db check /media/usb/pitwatch-20261130.zip
    """
    from audit.cli.db import check_file

    return check_file(file)


@db.command("restore", short_help="Make a record from a backup, and verify it.")
def db_restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    data: Data = None,
) -> int:
    """Make a record from a backup, in an empty database and folder, and verify it.

    SQLite and PostgreSQL read each other's backups.

    \b
    Examples:
      pitwatch db restore pitwatch-20261130.zip --data /var/lib/pitwatch-restored
      PITWATCH_DATABASE=postgresql://pitwatch@db/pitwatch pitwatch db restore pitwatch-20261130.zip
    """
    from audit.cli.db import restore_record

    return restore_record(file, data=data)


@key.command("show", short_help="Print the fingerprints of the keys.")
def key_show(data: Data = None) -> int:
    """Print the fingerprints of the keys that the record names, the one in use last.

    \b
    Example:
      pitwatch key show --data /var/lib/pitwatch
    """
    from audit.cli.key import print_keys

    return print_keys(data=data)


@key.command("rotate", short_help="Make a new signing key, vouched for by the old one.")
def key_rotate(
    user: Annotated[str, typer.Option("--user", help="Who does it, for the record.")],
    data: Data = None,
) -> int:
    """Make a new signing key, named in the record under the old key's signature.

    \b
    Example:
      pitwatch key rotate --user kim --data /var/lib/pitwatch
    """
    from audit.cli.key import rotate

    return rotate(user=user, data=data)
