"""Law: a stranger can check a bundle without us, and no byte of it can be changed unnoticed."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import pytest

from audit.chain import EntryKind
from audit.cli.bundle import bundle
from audit.cli.main import main
from audit.errors import NotInRecord, StoreError
from audit.evidence import standalone
from audit.evidence.files import footage_path
from audit.settings import Settings
from audit.store import NewHold, SegmentQuery, Store, open_store
from audit.traces import trace_file
from audit.verify import Outside, verify
from audit.watch.clips import cut_due_clips
from tests.vision.films import even, film
from tests.watch.filmed import NOON, filmed, flagged_round, later

SEEN = {
    "at": "2026-11-30T12:00:13.000000Z",
    "whole": True,
    "size": [64, 48],
    "set": {"1": ["KD", 0.99, [[1, 1], [9, 1], [9, 9], [1, 9]], False]},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bundled") / "data"


@pytest.fixture(scope="module")
def store(data: Path) -> Iterator[Store]:
    opened = open_store(Settings(data_dir=data).database_url, data)
    filmed(opened, data, film(data.parent / "film.mp4", even(30)))
    flagged_round(opened, 12.0, 19.0)
    opened.acknowledge(1, user="kim", note="looked at it", at=later(25))
    opened.place_hold(NewHold("T1", later(0), later(30), "complaint 17", "T1-1"), user="kim")
    cut_due_clips(opened, data)
    trace = trace_file(data, "T1", NOON)
    trace.parent.mkdir(parents=True)
    trace.write_text(json.dumps(SEEN) + "\n")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def made(store: Store, data: Path) -> Path:
    target = data.parent / "evidence.zip"
    bundle(store, Settings(data_dir=data), "T1-1", "kim", target)
    return target


@pytest.fixture(scope="module")
def members(made: Path) -> dict[str, bytes]:
    return standalone.read_zip(made)


def test_a_stranger_checks_it_with_nothing_but_what_is_in_it(made: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(made) as pack:
        pack.extractall(tmp_path)
    for words in (["verify.py"], ["verify.py", str(made)]):
        done = subprocess.run(
            [sys.executable, "-I", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Everything holds." in done.stdout
        assert "byte for byte" in done.stdout
    (tmp_path / "more.txt").write_text("slipped in")
    said: list[str] = []
    assert standalone.main([str(tmp_path)], said.append) == 1
    assert "more.txt" in said[0]


def _cached(folder: Path) -> None:
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "verify.cpython-311.pyc").write_bytes(b"slipped in")


@pytest.mark.parametrize(
    ("add", "named"),
    [
        (_cached, "__pycache__/verify.cpython-311.pyc: the file was not in the bundle"),
        (lambda folder: (folder / ".hidden").write_text("x"), ".hidden: the file was not in"),
        (lambda folder: (folder / "a.mp4").symlink_to("clip.mp4"), "a.mp4: a link"),
        (lambda folder: (folder / "more").symlink_to(folder / "segments"), "more: a link"),
        (lambda folder: (folder / "gone").symlink_to("nowhere"), "gone: a link"),
        (lambda folder: (folder / "rules" / "new").mkdir(), "rules/new/: an empty folder"),
        (lambda folder: os.mkfifo(folder / "pipe"), "pipe: no plain file"),
    ],
)
def test_whatever_was_added_to_the_folder_is_named(
    add: Callable[[Path], object], named: str, made: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(made) as pack:
        pack.extractall(tmp_path)
    add(tmp_path)
    said: list[str] = []
    assert standalone.main([str(tmp_path)], said.append) == 1
    assert named in said[-1]


def test_it_holds_all_that_belongs_to_the_round(
    members: dict[str, bytes], store: Store, data: Path
) -> None:
    video = {name: body for name, body in members.items() if name.startswith("segments/")}
    span = SegmentQuery(table="T1", since=later(2), until=later(29))
    stored = [footage_path(data, one).read_bytes() for one in store.segments(span)]
    assert sorted(video.values()) == sorted(stored)
    assert {"clip.mp4", "viewing.mp4", "round.json", "seen.jsonl", "verify.py"} <= set(members)
    assert {"rules/three-card-whist.md", "rules/common.md"} <= set(members)
    entries = [json.loads(line) for line in members["entries.jsonl"].splitlines()]
    kinds = {entry["kind"] for entry in entries}
    assert {
        EntryKind.KEY_CREATED,
        EntryKind.ROUND_READ,
        EntryKind.FINDING_RAISED,
        EntryKind.ALERT_MOVED,
        EntryKind.HOLD_PLACED,
        EntryKind.CLIP_CUT,
        EntryKind.BUNDLE_MADE,
    } <= kinds
    assert b"looked at it" in members["custody.txt"]
    assert json.loads(members["seen.jsonl"])["cards"][0]["card"] == "KD"


def test_the_viewing_copy_shows_the_time_below_the_picture(
    members: dict[str, bytes], tmp_path: Path
) -> None:
    path = tmp_path / "viewing.mp4"
    path.write_bytes(members["viewing.mp4"])
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
    assert len(frames) == 338
    assert (frames[0].width, frames[0].height) == (64, 48 + 20)
    picture = frames[0].to_ndarray(format="gray")
    assert picture[48:].max() > 100  # white letters
    assert picture[:48].std() < 5  # the whole picture, with nothing over it


def test_a_changed_byte_in_any_file_is_found(members: dict[str, bytes]) -> None:
    for name, content in members.items():
        for place in (0, len(content) // 3, len(content) // 2, len(content) - 1):
            changed = bytearray(content)
            changed[place] ^= 1
            with pytest.raises((standalone.DoesNotHoldError, ValueError)):
                list(standalone.check({**members, name: bytes(changed)}))
        left = {one: body for one, body in members.items() if one != name}
        with pytest.raises(standalone.DoesNotHoldError):
            list(standalone.check(left))


def test_a_changed_byte_anywhere_in_the_pack_is_found(made: Path, tmp_path: Path) -> None:
    content = made.read_bytes()
    places = list(range(0, len(content), len(content) // 12))
    names = (b"PK\x01\x02", b"PK\x05\x06", b"round.json")
    places += [content.index(name) + offset for name in names for offset in range(0, 20, 3)]
    said: list[str] = []
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1
        (tmp_path / "changed.zip").write_bytes(changed)
        assert standalone.main([str(tmp_path / "changed.zip")], said.append) == 1, place
    assert "DOES NOT HOLD" in said[0]


def test_a_locked_member_or_endless_nesting_is_said_in_plain_words(tmp_path: Path) -> None:
    pack, said = tmp_path / "odd.zip", list[str]()
    locked = bytearray(standalone.packed({"bundle.json": b"{}"}))
    locked[6] |= 1
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    nested = standalone.packed({"bundle.json": b"[" * 200_000, "bundle.sig": b"x"})
    for content in (bytes(locked), nested):
        pack.write_bytes(content)
        assert standalone.main([str(pack)], said.append) == 1
        assert "DOES NOT HOLD" in said[-1]


def test_a_forged_entry_fails_even_when_everything_is_signed_again(
    members: dict[str, bytes],
) -> None:
    entries = [json.loads(line) for line in members["entries.jsonl"].splitlines()]
    checkpoint = json.loads(members["checkpoint.json"])
    manifest = json.loads(members["bundle.json"])
    assert standalone.check_entries(members, checkpoint, manifest)
    changes: tuple[dict[str, object], ...] = (
        {"body": "{}"},
        {"number": 99},
        {"leaf": 5},
        {"path": []},
        {"at": "x"},
    )
    for change in changes:
        forged = [entries[0] | change, *entries[1:]]
        lines = "\n".join(json.dumps(entry) for entry in forged).encode()
        with pytest.raises(standalone.DoesNotHoldError):
            standalone.check_entries({"entries.jsonl": lines}, checkpoint, manifest)
    without = [entry for entry in entries if entry["kind"] != "rules.finding.raised"]
    lines = "\n".join(json.dumps(entry) for entry in without).encode()
    with pytest.raises(standalone.DoesNotHoldError, match="not all here"):
        standalone.check_entries({"entries.jsonl": lines}, checkpoint, manifest)


def test_that_it_was_made_is_in_the_record_which_still_verifies(
    made: Path, store: Store, data: Path
) -> None:
    entries = [
        entry
        for entry in store.entries_after(table="system", limit=1000)
        if entry.kind is EntryKind.BUNDLE_MADE
    ]
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    (told,) = (entry for entry in entries if entry.body.get("sha256") == digest)
    assert told.body["user"] == "kim"
    assert verify(store, Outside(data)).holds


def test_changed_footage_is_not_bundled(store: Store, data: Path, tmp_path: Path) -> None:
    segment = store.segments(SegmentQuery(table="T1", since=later(12)))[0]
    path = footage_path(data, segment)
    kept = tmp_path / "kept.mp4"
    shutil.copy(path, kept)
    path.write_bytes(path.read_bytes()[:-1] + b"\x00\x01")
    try:
        with pytest.raises(StoreError, match="other bytes"):
            bundle(store, Settings(data_dir=data), "T1-1", "kim", tmp_path / "no.zip")
    finally:
        shutil.copy(kept, path)
    with pytest.raises(NotInRecord, match="no round"):
        bundle(store, Settings(data_dir=data), "T1-9", "kim", tmp_path / "no.zip")


def test_the_command_says_what_it_made_and_refuses_in_one_line(
    store: Store, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert store.round("T1-1").findings == 1
    target = str(tmp_path / "case.zip")
    assert main(["bundle", "T1-1", "--out", target, "--data", str(data), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["path"], told["absent"]) == (target, [])
    assert main(["bundle", "T1-9", "--data", str(data)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
