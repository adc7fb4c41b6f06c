"""`pitwatch verify`: does the record still hold?"""

from dataclasses import asdict
from pathlib import Path

from audit.checkpoint import traces_in
from audit.cli.output import NOT_HELD, print_json, print_line
from audit.cli.places import settings_for
from audit.cli.working import working
from audit.errors import OtherVersion, RecordLost, StoreAway, StoreError
from audit.evidence.proof import footage_fault
from audit.faults import Fault, FaultKind, Verification
from audit.settings import Settings
from audit.stamping import StampProbe, load_roots
from audit.store import Reader, open_reader
from audit.verify import Outside, Probe, verify


def verify_record(*, data: Path | None, json: bool, footage: bool = True) -> int:
    """Re-read everything and say the first thing that does not hold; exit code 1 when one does not.

    Args:
        data: The data folder.
        json: Whether to print JSON.
        footage: Whether stored recordings are looked at, too.

    Raises:
        StoreError: There is no record, or it cannot be read.
    """
    settings = settings_for(data)
    try:
        found = _verified(settings, json=json, footage=footage)
    except (StoreAway, OtherVersion):
        raise
    except StoreError as error:
        # Where the data folder shows that there was a record, that it cannot be read is a finding.
        if not traces_in(settings.data_dir):
            raise
        found = _unread(error)
    if json:
        print_json(_json(found))
    else:
        for line in _lines(found):
            print_line(line)
    return NOT_HELD if found.fault else 0


def _verified(settings: Settings, *, json: bool, footage: bool) -> Verification:
    probes = probes_for(settings)
    if not footage:
        probes = tuple(probe for probe in probes if probe is not footage_fault)
    store = existing_record(settings)
    try:
        with working("Verifying", hidden=json) as tell:
            return verify(store, Outside(data_dir=settings.data_dir, probes=probes), tell)
    finally:
        store.close()


def probes_for(settings: Settings) -> tuple[Probe, ...]:
    """Return what is looked at beside the record.

    Raises:
        SettingsError: The certificates of the time stamp authority cannot be read.
    """
    return (StampProbe(load_roots(settings.timestamp_roots)), footage_fault)


def _unread(error: StoreError) -> Verification:
    kind = FaultKind.RECORD_LOST if isinstance(error, RecordLost) else FaultKind.DAMAGED
    fault = Fault(kind, "the database", str(error))
    return Verification(0, 0, (), sealed=0, sealed_at=None, key=None, fault=fault)


def existing_record(settings: Settings) -> Reader:
    """Open a record that is there already, changing nothing; a mistyped folder is no new record.

    Raises:
        StoreError: There is none.
    """
    file = settings.data_dir / "pitwatch.db"
    if not settings.database and not file.exists():
        raise RecordLost(f"{file}: no record here (expected one; name its folder with --data)")
    return open_reader(settings.database_url)


def _lines(found: Verification) -> list[str]:
    lines = [f"{found.entries} entries and {found.checkpoints} checkpoints read."]
    lines += [f"  {head.chain}: {head.number} entries, ends in {head.hash}" for head in found.heads]
    if found.sealed_at:
        lines.append(f"{found.sealed} entries are sealed, last at {found.sealed_at:%F %T} UTC.")
    elif found.entries:
        lines.append("No checkpoint seals them: who can write the database could rewrite them all.")
    if found.key:
        lines.append(f"Signing key: {found.key}")
    lines.append(f"Does not hold: {found.fault}" if found.fault else "Everything holds.")
    return lines


def _json(found: Verification) -> dict[str, object]:
    line = asdict(found) | {"holds": found.fault is None}
    line["sealed_at"] = found.sealed_at.isoformat() if found.sealed_at else None
    return line
