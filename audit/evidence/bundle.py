"""Evidence bundles: all that belongs to a round in one file that a stranger can check.

A bundle is a zip without compression, so that the pack has no room for anything but its files. The
manifest lists every file with its hash and is signed with the record's key. `verify.py` in it needs
nothing of this program.
"""

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from audit.chain import Entry, JsonObject, canonical, utc_text
from audit.checkpoint import Checkpoint
from audit.errors import StoreError
from audit.evidence.files import footage_path
from audit.evidence.footage import Clip, Segment
from audit.evidence.gathering import Gathered, gather, started_with
from audit.evidence.paths import inclusion_paths
from audit.evidence.proof import sha256_of
from audit.keys import current_key, fingerprint, public_text
from audit.store import Store
from audit.traces import glimpses

FORMAT = "pitwatch bundle v1"
BUNDLE_PREFIX = FORMAT.encode() + b"\x00"
"""What comes before the manifest when it is signed."""

LARGEST = 4_000_000_000
"""Bytes: a plain zip cannot be larger."""

STANDALONE = Path(__file__).with_name("standalone.py")

View = Callable[[Gathered, Path], bool]
"""Makes the viewing copy of a round at a path; says whether there was anything to see."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be bundled, and by whom."""

    round: str
    user: str
    rules: Mapping[str, str]
    """The text of the rules in force, by file name."""
    view: View | None = None
    """Makes the viewing copy; None leaves it out."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle that was made."""

    path: Path
    sha256: str
    size: int
    files: int
    key: str
    """The fingerprint of the key that signed it."""
    absent: tuple[int, ...]
    """The segments that were deleted before."""


@dataclass(slots=True)
class _Members:
    """The files of a bundle, small ones in memory and large ones where they lie."""

    data: dict[str, bytes] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)

    def hashes(self) -> dict[str, str]:
        found = {name: _sha256(data) for name, data in self.data.items()}
        return found | {name: sha256_of(path) for name, path in self.paths.items()}

    def size(self) -> int:
        whole = sum(len(data) for data in self.data.values())
        return whole + sum(path.stat().st_size for path in self.paths.values())


def make_bundle(store: Store, order: Order, target: Path) -> Bundle:
    """Make the bundle of a round. That it was made is an entry, which is in the bundle itself.

    Raises:
        NotInRecord: There is no such round.
        RecordConflict: The round is not over yet.
        StoreError: A file of it is missing or was changed, or the bundle cannot be written.
    """
    gather(store, order.round)  # refused before anything is written
    store.note_bundle(order.round, {"file": target.name}, user=order.user)
    checkpoint = store.checkpoint()
    gathered = gather(store, order.round)
    members = _Members()
    with tempfile.TemporaryDirectory(prefix="pitwatch-bundle-") as folder:
        _add_video(members, store, gathered)
        if order.view is not None:
            copy = Path(folder) / "viewing.mp4"
            if order.view(gathered, copy):
                members.paths["viewing.mp4"] = copy
        _add_texts(members, store, gathered, order)
        _add_record(members, store, gathered, checkpoint)
        manifest = _manifest(members, gathered, checkpoint, order)
        key = current_key(store.data_dir, store.signing_key())
        members.data["bundle.json"] = manifest
        signature = key.sign(BUNDLE_PREFIX + manifest).hex()
        members.data["bundle.sig"] = f"{signature}\n".encode()
        _write(members, target)
    made = Bundle(
        path=target,
        sha256=sha256_of(target),
        size=target.stat().st_size,
        files=len(members.data) + len(members.paths),
        key=fingerprint(public_text(key)),
        absent=tuple(one.entry for one in gathered.segments if one.deleted is not None),
    )
    detail: JsonObject = {
        "file": target.name,
        "sha256": made.sha256,
        "checkpoint": checkpoint.number,
        "checkpoint_hash": checkpoint.hash,
    }
    store.note_bundle(order.round, detail, user=order.user)
    return made


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _add_video(members: _Members, store: Store, gathered: Gathered) -> None:
    for segment in gathered.segments:
        if segment.deleted is None:
            members.paths[_segment_file(segment.name)] = _whole(store, segment)
    if gathered.clip is not None:
        members.paths["clip.mp4"] = _whole(store, gathered.clip)


def _whole(store: Store, footage: Segment | Clip) -> Path:
    """Return where footage lies, having seen that it is what was recorded.

    Raises:
        StoreError: It is missing, or was changed.
    """
    path = footage_path(store.data_dir, footage)
    try:
        found = sha256_of(path)
    except OSError as error:
        raise StoreError(
            f"{path}: {error.strerror}; expected footage; run pitwatch verify"
        ) from None
    if found != footage.sha256:
        raise StoreError(f"{path}: found other bytes than were recorded; run pitwatch verify")
    return path


def _segment_file(name: str) -> str:
    return f"segments/{name.rsplit('/', 1)[-1]}"


def _add_texts(members: _Members, store: Store, gathered: Gathered, order: Order) -> None:
    recorded = gathered.round
    told = {"record": recorded.record, "result": recorded.result}
    members.data["round.json"] = _pretty(told)
    seen = glimpses(store.data_dir, recorded.table, gathered.span.since, gathered.span.until)
    lines = [
        json.dumps(
            {
                "at": utc_text(glimpse.at),
                "cards": [
                    {
                        "card": card.face,
                        "confidence": card.confidence,
                        "corners": card.corners,
                        "covered": card.covered,
                    }
                    for card in glimpse.cards
                ],
            }
        )
        for glimpse in seen
    ]
    members.data["seen.jsonl"] = "".join(f"{line}\n" for line in lines).encode()
    for name, text in order.rules.items():
        members.data[f"rules/{name}"] = text.encode()
    members.data["custody.txt"] = _custody_text(gathered).encode()
    members.data["README.txt"] = _readme(gathered).encode()
    members.data["verify.py"] = STANDALONE.read_bytes()


def _pretty(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def _custody_text(gathered: Gathered) -> str:
    lines = [
        "Who did what with this evidence, from the entries in entries.jsonl. Times are UTC.",
        "",
    ]
    for entry in gathered.entries:
        kind = entry.kind.value
        if kind.split(".")[0] in ("user", "system") or "clip" in kind or "footage" in kind:
            told = {name: value for name, value in entry.body.items() if value not in (None, "")}
            body = canonical(told).decode()
            lines.append(f"{utc_text(entry.at)}  entry {entry.id}  {kind}  {body[:300]}")
    return "\n".join(lines) + "\n"


def _readme(gathered: Gathered) -> str:
    recorded, span = gathered.round, gathered.span
    return f"""Evidence of round {recorded.round} at table {recorded.table}
{utc_text(span.since)} to {utc_text(span.until)}, game {recorded.game}

To check it, with Python 3.11 or newer and its package `cryptography`:

    python3 verify.py

segments/      the video as it was recorded, untouched; each piece has its hash in the record
clip.mp4       the clip that was cut for this round, if there is one: the same video
viewing.mp4    a copy to look at, with date and time in a band below the picture
round.json     the round: what was played, wagered and paid, and how the rules judge it
seen.jsonl     what the camera program believed to lie where, moment by moment
entries.jsonl  the record's entries, each with its proof that it is part of the record
checkpoint.json  the signed statement of what the whole record held
custody.txt    who did what with this evidence
rules/         the text of the rules in force
bundle.json    the list of all files with their hashes; bundle.sig is its signature

Ask the casino for the fingerprint of its signing key by another way, and compare it.
"""


def _add_record(
    members: _Members, store: Store, gathered: Gathered, checkpoint: Checkpoint
) -> None:
    """Add the entries that the checkpoint covers, each with its inclusion proof."""
    sealed = store.sealed_hashes(checkpoint.number, checkpoint.size)
    places = {entry: place for place, (entry, _) in enumerate(sealed)}
    entries = [entry for entry in gathered.entries if entry.id in places]
    leaves = [bytes.fromhex(value) for _, value in sealed]
    paths = inclusion_paths(leaves, (places[entry.id] for entry in entries))
    lines = [
        canonical(_entry_line(entry, places[entry.id], paths[places[entry.id]]))
        for entry in entries
    ]
    members.data["entries.jsonl"] = b"".join(line + b"\n" for line in lines)
    members.data["checkpoint.json"] = checkpoint.line().encode() + b"\n"


def _entry_line(entry: Entry, leaf: int, path: list[str]) -> JsonObject:
    return {
        "id": entry.id,
        "chain": entry.chain,
        "number": entry.number,
        "at": utc_text(entry.at),
        "kind": entry.kind.value,
        "body": canonical(entry.body).decode(),
        "previous": entry.previous,
        "hash": entry.hash,
        "leaf": leaf,
        "path": path,
    }


def _manifest(members: _Members, gathered: Gathered, checkpoint: Checkpoint, order: Order) -> bytes:
    recorded = gathered.round
    kept = [one for one in gathered.segments if one.deleted is None]
    return _pretty(
        {
            "format": FORMAT,
            "round": recorded.round,
            "table": recorded.table,
            "since": utc_text(gathered.span.since),
            "until": utc_text(gathered.span.until),
            "made": utc_text(datetime.now(UTC)),
            "made_by": order.user,
            "software": f"pitwatch {version('pitwatch')}",
            "watched_with": started_with(gathered),
            "rules": recorded.result.get("rules"),
            "checkpoint": checkpoint.number,
            "key": checkpoint.key,
            "run": [gathered.run[0].number, gathered.run[-1].number],
            "segments": {_segment_file(one.name): one.entry for one in kept},
            "absent": [one.entry for one in gathered.segments if one.deleted is not None],
            "files": members.hashes(),
        }
    )


def _write(members: _Members, target: Path) -> None:
    """Write the pack: nothing compressed, no times, no comments, in the order of names."""
    if members.size() > LARGEST:
        raise StoreError(
            f"{target}: the evidence is {members.size() / 1e9:.1f} GB, "
            f"expected at most {LARGEST / 1e9:.0f} GB"
        )
    part = target.with_name(f".{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED, allowZip64=False) as pack:
            for name in sorted((*members.data, *members.paths)):
                info = zipfile.ZipInfo(name)
                info.create_system = 3
                info.external_attr = 0o644 << 16
                data = members.data.get(name)
                pack.writestr(info, members.paths[name].read_bytes() if data is None else data)
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{target}: cannot be written: {error.strerror}") from None
