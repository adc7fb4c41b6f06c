"""Checks an evidence bundle of pitwatch. It needs Python 3.11 and the package `cryptography` only.

Usage:
    python3 verify.py               checks the folder that this file lies in
    python3 verify.py BUNDLE.zip    checks a bundle that was not unpacked

It prints what holds and what does not, and ends with code 0 when everything holds and 1 when
something does not. It asks nothing of the network and trusts nothing but the arithmetic of SHA-256
and Ed25519. The formats are described in docs/record.md and docs/evidence.md of pitwatch.
"""

import hashlib
import json
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MANIFEST, SIGNATURE = "bundle.json", "bundle.sig"
BUNDLE_PREFIX = b"pitwatch bundle v1\x00"
ENTRY_PREFIX = b"pitwatch entry v1\x00"
CHECKPOINT_PREFIX = b"pitwatch checkpoint v1\x00"
ROTATION_PREFIX = b"pitwatch key rotation v1\x00"
GENESIS = "0" * 64

Members = dict[str, bytes]
Entry = dict[str, Any]


class DoesNotHoldError(Exception):
    """Something in the bundle is not as it was when the bundle was made."""


def need(holds: object, text: str) -> None:
    """Stop where something does not hold."""
    if not holds:
        raise DoesNotHoldError(text)


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def signed(key: str, signature: str, message: bytes) -> bool:
    """Say whether an Ed25519 signature is that of a key over a message."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def canonical(value: object) -> bytes:
    """Return JSON in the form of RFC 8785; the values here are texts and whole numbers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def read_folder(folder: Path) -> Members:
    """Return the files of an unpacked bundle by name; it holds plain files, and their folders."""
    members: Members = {}
    folders: list[str] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        need(not path.is_symlink(), f"{name}: a link; it was not in the bundle when it was signed")
        if path.is_dir():
            folders.append(f"{name}/")
            continue
        need(path.is_file(), f"{name}: no plain file; it was not in the bundle when it was signed")
        members[name] = path.read_bytes()
    for name in folders:
        used = any(member.startswith(name) for member in members)
        need(used, f"{name}: an empty folder; it was not in the bundle when it was signed")
    return members


def read_zip(path: Path) -> Members:
    """Return the files of a packed bundle by name, having looked at every byte of the pack."""
    try:
        with zipfile.ZipFile(path) as pack:
            members = {info.filename: pack.read(info) for info in pack.infolist()}
    except (OSError, zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError) as error:
        raise DoesNotHoldError(f"{path}: the pack is damaged: {error}") from None
    need(path.read_bytes() == packed(members), f"{path}: bytes outside the files were changed")
    return members


def packed(members: Members) -> bytes:
    """Return the pack of some files as pitwatch writes it, which has no room for anything else."""
    directory = b""
    pieces: list[bytes] = []
    for name, data in members.items():
        text, size, crc = name.encode("ascii", "replace"), len(data), zlib.crc32(data)
        common = struct.pack("<HHHHIIIHH", 0, 0, 0, 33, crc, size, size, len(text), 0)
        place = sum(len(piece) for piece in pieces)
        pieces.append(struct.pack("<IH", 0x04034B50, 20) + common + text + data)
        directory += (
            struct.pack("<IHH", 0x02014B50, 0x0314, 20)
            + common
            + struct.pack("<HHHII", 0, 0, 0, 0o644 << 16, place)
            + text
        )
    body = b"".join(pieces)
    count = len(members)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + end


def check_files(members: Members) -> tuple[dict[str, Any], list[str]]:
    """Check that all files are those that the maker of the bundle signed for."""
    need(MANIFEST in members and SIGNATURE in members, f"{MANIFEST} or {SIGNATURE} is missing")
    manifest = json.loads(members[MANIFEST])
    key = str(manifest["key"])
    signature = members[SIGNATURE].decode("ascii", "replace")
    need(
        signature == signature.strip().lower() + "\n"
        and signed(key, signature.strip(), BUNDLE_PREFIX + members[MANIFEST]),
        f"{MANIFEST}: its signature is not one over its content",
    )
    listed = manifest["files"]
    for name in sorted(set(listed) | (set(members) - {MANIFEST, SIGNATURE})):
        need(name in members, f"{name}: the file is missing")
        need(name in listed, f"{name}: the file was not in the bundle when it was signed")
        need(sha256(members[name]) == listed[name], f"{name}: the file was changed")
    return manifest, [f"All {len(listed)} files are unchanged since key {short(key)} signed them."]


def short(key: str) -> str:
    """Return a key's fingerprint."""
    return sha256(bytes.fromhex(key))[:16]


def check_checkpoint(members: Members) -> tuple[dict[str, Any], list[str]]:
    """Check the signed statement of what the whole record held."""
    checkpoint = json.loads(members["checkpoint.json"])
    content = {name: value for name, value in checkpoint.items() if name != "signature"}
    need(
        signed(checkpoint["key"], checkpoint["signature"], CHECKPOINT_PREFIX + canonical(content)),
        "checkpoint.json: its signature is not one over its content",
    )
    told = (
        f"Checkpoint {checkpoint['number']} of {checkpoint['at']} is signed by the same key. It "
        f"states the one fingerprint of all {checkpoint['size']} entries of the record."
    )
    return checkpoint, [told]


def entry_hash(entry: Entry) -> str:
    """Return the hash that an entry must have."""
    text = (
        f'{{"at":"{entry["at"]}","body":{entry["body"]},"chain":"{entry["chain"]}",'
        f'"kind":"{entry["kind"]}","number":{entry["number"]},"previous":"{entry["previous"]}"}}'
    )
    return sha256(ENTRY_PREFIX + text.encode())


def is_included(entry: Entry, size: int, root: str) -> bool:
    """Say whether an entry stands in the tree over the record (RFC 9162 section 2.1.3.2)."""
    place, last = int(entry["leaf"]), size - 1
    node = hashlib.sha256(b"\x00" + bytes.fromhex(entry["hash"])).digest()
    if not 0 <= place <= last:
        return False
    for step in entry["path"]:
        if last == 0:
            return False
        beside = bytes.fromhex(step)
        if place & 1 or place == last:
            node = hashlib.sha256(b"\x01" + beside + node).digest()
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            node = hashlib.sha256(b"\x01" + node + beside).digest()
        place, last = place >> 1, last >> 1
    return last == 0 and node.hex() == root


def check_entries(
    members: Members, checkpoint: dict[str, Any], manifest: dict[str, Any]
) -> tuple[list[Entry], list[str]]:
    """Check every entry, that it is part of the record, and that none is left out."""
    entries = [json.loads(line) for line in members["entries.jsonl"].decode().splitlines()]
    for entry in entries:
        where = f"entry {entry['number']} of {entry['chain']}"
        need(entry_hash(entry) == entry["hash"], f"{where}: its content is not what was hashed")
        need(
            is_included(entry, checkpoint["size"], checkpoint["root"]),
            f"{where}: it is not part of the record that the checkpoint covers",
        )
    first, last = manifest["run"]
    run = [e for e in entries if e["chain"] == manifest["table"] and first <= e["number"] <= last]
    run.sort(key=lambda entry: int(entry["number"]))
    need(len(run) == last - first + 1, f"entries {first} to {last} are not all here")
    for before, after in pairwise(run):
        need(
            after["previous"] == before["hash"] and after["number"] == before["number"] + 1,
            f"entry {after['number']} of {after['chain']}: it does not follow the one before",
        )
    return entries, [
        f"All {len(entries)} entries are unchanged, and each is part of that record.",
        f"Of table {manifest['table']}, entries {first} to {last} are here without a hole.",
    ]


def bodies(entries: list[Entry], kind: str) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """Give the entries of a kind with their bodies."""
    for entry in entries:
        if entry["kind"] == kind:
            yield entry, json.loads(entry["body"])


def check_keys(entries: list[Entry], checkpoint: dict[str, Any]) -> list[str]:
    """Check that the signing key is the one that the record names, each under the one before."""
    key, first = None, ""
    for entry in sorted(entries, key=lambda one: int(one["id"])):
        if entry["kind"] not in ("system.key.created", "system.key.rotated"):
            continue
        body = json.loads(entry["body"])
        if key is not None:
            message = ROTATION_PREFIX + bytes.fromhex(body["public"])
            need(signed(key, body["signature"], message), "a new key is not under the old one's")
        key = str(body["public"])
        first = first or short(key)
    need(key == checkpoint["key"], "the record does not name the key that signed the checkpoint")
    return [f"The record names key {first} first, and each later one under the one before."]


def check_video(members: Members, entries: list[Entry], manifest: dict[str, Any]) -> list[str]:
    """Check that the video is what the record says was recorded."""
    lines = []
    files = {str(name): int(number) for name, number in manifest["segments"].items()}
    recorded = {int(e["id"]): body for e, body in bodies(entries, "recorder.segment.closed")}
    for name, number in files.items():
        need(number in recorded, f"{name}: no entry tells of it")
        need(
            sha256(members[name]) == recorded[number]["sha256"],
            f"{name}: it is not what was recorded at the table",
        )
    lines.append(
        f"{len(files)} pieces of video are byte for byte what the recorder closed and hashed."
    )
    gone = {
        int(one["entry"])
        for _, body in bodies(entries, "recorder.footage.deleted")
        for one in body["segments"]
    }
    for number in manifest["absent"]:
        need(number in gone, f"segment {number}: it is not here, and no entry tells why")
        lines.append(f"Segment {number} was deleted under the rules; its hash stays in the record.")
    if "clip.mp4" in members:
        cuts = [body for _, body in bodies(entries, "recorder.clip.cut") if body["file"]]
        need(
            any(sha256(members["clip.mp4"]) == body["file"]["sha256"] for body in cuts),
            "clip.mp4: it is not the clip that the record tells of",
        )
        lines.append("clip.mp4 is the clip that the record tells of.")
    return lines


def check_round(members: Members, entries: list[Entry]) -> list[str]:
    """Check that the round is told here as the record tells it."""
    told = json.loads(members["round.json"])
    kinds = ("rules.round.read", "rules.round.corrected")
    found = [body for kind in kinds for _, body in bodies(entries, kind)]
    need(
        any(
            told["record"] == body["record"] and told["result"] == body["result"] for body in found
        ),
        "round.json: no entry tells the round like this",
    )
    return ["round.json says of the round what the record says."]


def check(members: Members) -> Iterator[str]:
    """Check a bundle; give what holds, in plain words.

    Raises:
        DoesNotHoldError: Something does not; its text says what.
    """
    manifest, lines = check_files(members)
    yield from lines
    checkpoint, lines = check_checkpoint(members)
    yield from lines
    need(
        checkpoint["key"] == manifest["key"],
        "the bundle and the checkpoint are signed with different keys",
    )
    entries, lines = check_entries(members, checkpoint, manifest)
    yield from lines
    yield from check_keys(entries, checkpoint)
    yield from check_video(members, entries, manifest)
    yield from check_round(members, entries)


UNPROVED = """
What no program can tell you from these files alone:
- That the key is the casino's own. Ask for its fingerprint by another way and compare it with the
  one above. Whoever holds the key could have made all of this.
- When the entries were made, beyond what a checkpoint kept elsewhere or a time stamp shows.
- That the camera looked at the right table. viewing.mp4 and seen.jsonl are made from the rest for
  people to look at: signed with the bundle, but not themselves part of the record."""


_MISSHAPEN = (
    *(OSError, KeyError, TypeError, ValueError, AttributeError, IndexError),
    *(RuntimeError, struct.error),
)
"""What a file of another form leads to; the last two: a member that is locked, nesting without end,
a size beyond every pack of ours."""


def main(arguments: list[str], say: Callable[[str], object]) -> int:
    """Check what is asked for; return the exit code."""
    place = Path(arguments[0]) if arguments else Path(__file__).resolve().parent
    try:
        members = read_folder(place) if place.is_dir() else read_zip(place)
        for line in check(members):
            say(f"  holds   {line}\n")
    except DoesNotHoldError as error:
        say(f"  DOES NOT HOLD   {error}\n\nThis bundle is not as it was made. Do not rely on it.\n")
        return 1
    except _MISSHAPEN as error:
        say(f"  DOES NOT HOLD   a file has not the form that it was made in: {error!r}\n")
        return 1
    say(f"\nEverything holds.\n{UNPROVED}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdout.write))
