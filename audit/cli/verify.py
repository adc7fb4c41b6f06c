"""`pitwatch verify`: does the record still hold?"""

from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from audit.cli.output import NOT_HELD, print_json, print_line
from audit.cli.places import settings_for
from audit.errors import StoreError
from audit.faults import Verification
from audit.settings import Settings
from audit.store import Reader, open_reader
from audit.verify import Outside, verify


def verify_record(*, data: Path | None, json: bool) -> int:
    """Re-read everything and say the first thing that does not hold; exit code 1 when one does not.

    Raises:
        StoreError: There is no record, or it cannot be read.
    """
    settings = settings_for(data)
    store = existing_record(settings)
    try:
        with Progress(console=Console(stderr=True), transient=True, disable=json) as bar:
            task = bar.add_task("Verifying", total=None)
            found = verify(
                store,
                Outside(data_dir=settings.data_dir),
                lambda done, total: bar.update(task, completed=done, total=total),
            )
    finally:
        store.close()
    if json:
        print_json(_json(found))
    else:
        for line in _lines(found):
            print_line(line)
    return NOT_HELD if found.fault else 0


def existing_record(settings: Settings) -> Reader:
    """Open a record that is there already, changing nothing; a mistyped folder is no new record.

    Raises:
        StoreError: There is none.
    """
    file = settings.data_dir / "pitwatch.db"
    if not settings.database and not file.exists():
        raise StoreError(f"{file}: no record here (expected one; name its folder with --data)")
    return open_reader(settings.database_url)


def _lines(found: Verification) -> list[str]:
    lines = [f"{found.entries} entries and {found.checkpoints} checkpoints read."]
    lines += [f"  {head.chain}: {head.number} entries, ends in {head.hash}" for head in found.heads]
    if found.sealed_at:
        lines.append(f"{found.sealed} entries are sealed, last at {found.sealed_at:%F %T} UTC.")
    if found.key:
        lines.append(f"Signing key: {found.key}")
    lines.append(f"Does not hold: {found.fault}" if found.fault else "Everything holds.")
    return lines


def _json(found: Verification) -> dict[str, object]:
    line = asdict(found) | {"holds": found.fault is None}
    line["sealed_at"] = found.sealed_at.isoformat() if found.sealed_at else None
    return line
