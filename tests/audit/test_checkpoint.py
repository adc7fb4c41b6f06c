"""Law: a checkpoint reads back as it was written, and a crash between file and record is mended."""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from audit.checkpoint import (
    CHECKPOINT_FILE,
    Checkpoint,
    parse_checkpoint,
    read_checkpoints,
    sign,
)
from audit.errors import ChainError, StoreError
from audit.keys import current_key, key_file, load_key, make_key, public_text, signature_holds
from audit.store import Store
from audit.store.sealing import make_checkpoint
from audit.verify import Outside, verify
from tests.audit.conftest import OpenStore
from tests.audit.record_builders import (
    NOW,
    busy_table,
    later,
    root_of,
    see,
    turned,
)

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
hashes = st.binary(min_size=32, max_size=32).map(bytes.hex)
chains = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,9}", fullmatch=True)
checkpoints = st.builds(
    Checkpoint,
    number=st.integers(1, 10**6),
    at=st.datetimes(min_value=datetime(2000, 1, 1)).map(lambda at: at.replace(tzinfo=UTC)),  # noqa: DTZ001
    size=st.integers(0, 10**9),
    root=hashes,
    heads=st.dictionaries(chains, st.tuples(st.integers(1, 10**9), hashes), max_size=4),
    previous=hashes,
    key=st.just(""),
)


@given(checkpoints)
def test_a_checkpoint_survives_its_line(unsigned: Checkpoint) -> None:
    signed = sign(unsigned, KEY)
    assert parse_checkpoint(signed.line()) == signed
    assert signed.is_signed_by(public_text(KEY))


@given(checkpoints, st.data())
def test_a_line_with_one_other_byte_is_no_signed_checkpoint(
    unsigned: Checkpoint, data: st.DataObject
) -> None:
    line = sign(unsigned, KEY).line()
    place = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.characters(codec="ascii").filter(lambda one: one != line[place]))
    changed = line[:place] + other + line[place + 1 :]
    try:
        found = parse_checkpoint(changed)
    except ChainError:
        return
    assert not found.is_signed_by(public_text(KEY))


@pytest.mark.parametrize(
    "line", ["", "{}", "[]", "null", "nonsense", '{"number": 1}', "[" * 100_000]
)
def test_a_line_that_is_no_checkpoint_is_refused(line: str) -> None:
    with pytest.raises(ChainError, match="not a checkpoint"):
        parse_checkpoint(line)


def test_a_signature_that_is_no_hexadecimal_text_does_not_hold() -> None:
    assert not signature_holds(public_text(KEY), "zz", b"")
    assert not signature_holds("zz", "00", b"")


def test_a_checkpoint_covers_every_entry_and_every_head(store: Store) -> None:
    busy_table(store)
    made = store.checkpoint(at=later(60))
    entries = store.entries_after(limit=1000)
    assert made.size == len(entries)
    assert made.root == root_of([bytes.fromhex(entry.hash) for entry in entries])
    heads = {head.chain: (head.number, head.hash) for head in store.chain_heads()}
    assert made.heads == heads
    assert made.is_signed_by(store.signing_key())
    assert read_checkpoints(store.data_dir / CHECKPOINT_FILE) == [made]


def test_nothing_new_makes_no_new_checkpoint(store: Store) -> None:
    busy_table(store)
    assert store.checkpoint(at=later(60)) == store.checkpoint(at=later(70))


def test_checkpoints_go_on_where_the_last_one_ended(opened: OpenStore) -> None:
    for number in range(1, 8):
        store = opened()
        for _ in range(number):
            see(store, "T1", [turned()], anchor=NOW)
        made = store.checkpoint(at=later(number))
        entries = store.entries_after(limit=1000)
        assert made.number == number
        assert made.root == root_of([bytes.fromhex(entry.hash) for entry in entries])
    assert verify(store, Outside(store.data_dir)).checkpoints == 7


Crash = Callable[[], None]


@pytest.fixture
def crash_after_the_file(monkeypatch: pytest.MonkeyPatch, store: Store) -> Crash:
    """Makes a checkpoint whose line is in the file while its transaction never ends."""

    class Killed(Exception):  # noqa: N818
        pass

    def killed(*arguments: object) -> None:
        make_checkpoint(*arguments)  # type: ignore[arg-type]
        raise Killed

    def crash() -> None:
        with monkeypatch.context() as patch:
            patch.setattr("audit.store.store.make_checkpoint", killed)
            with pytest.raises(Killed):
                store.checkpoint(at=later(60))

    return crash


def test_a_crash_after_the_file_was_written_is_mended(
    store: Store, crash_after_the_file: Crash
) -> None:
    busy_table(store)
    crash_after_the_file()
    path = store.data_dir / CHECKPOINT_FILE
    (ahead,) = read_checkpoints(path)
    assert verify(store, Outside(store.data_dir)).holds
    see(store, "T1", [turned()], anchor=NOW)
    second = store.checkpoint(at=later(70))
    assert (second.number, second.previous) == (2, ahead.hash)
    assert read_checkpoints(path) == [ahead, second]
    assert verify(store, Outside(store.data_dir)).holds


def test_a_line_torn_by_a_crash_is_written_over(store: Store) -> None:
    busy_table(store)
    first = store.checkpoint(at=later(60))
    path = store.data_dir / CHECKPOINT_FILE
    with path.open("a") as file:
        file.write(first.line()[: random.Random(3).randrange(1, 200)])  # noqa: S311
    see(store, "T1", [turned()], anchor=NOW)
    second = store.checkpoint(at=later(70))
    assert read_checkpoints(path) == [first, second]
    assert verify(store, Outside(store.data_dir)).holds


def test_a_file_that_was_cut_is_not_written_on(store: Store) -> None:
    busy_table(store)
    store.checkpoint(at=later(60))
    (store.data_dir / CHECKPOINT_FILE).unlink()
    see(store, "T1", [turned()], anchor=NOW)
    with pytest.raises(StoreError, match="ends with checkpoint 0, the record has 1; run pitwatch"):
        store.checkpoint(at=later(70))
    assert store.entries_after(store.last_id() - 1)


def test_a_file_with_a_checkpoint_that_the_record_contradicts_is_not_believed(
    store: Store,
) -> None:
    busy_table(store)
    forged = Checkpoint(1, NOW, 3, "0" * 64, {}, "0" * 64, "")
    key = load_key(store.data_dir)
    assert key is not None
    (store.data_dir / CHECKPOINT_FILE).write_text(sign(forged, key).line() + "\n")
    with pytest.raises(ChainError, match="checkpoint 1 in the file says something else"):
        store.checkpoint(at=later(70))


def test_without_the_key_no_checkpoint_is_made_and_the_record_goes_on(store: Store) -> None:
    path = key_file(store.data_dir)
    path.unlink()
    with pytest.raises(StoreError, match="found no signing key, expected key"):
        store.checkpoint()
    make_key(store.data_dir)
    with pytest.raises(StoreError, match="which the record names; put it back"):
        store.checkpoint()
    see(store, "T1", [turned()], anchor=NOW)


def test_a_rotation_cut_short_by_a_crash_is_completed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(Exception):  # noqa: N818
        pass

    calls = []

    def killed_the_second_time(data_dir: Path, public: str) -> Ed25519PrivateKey:
        calls.append(public)
        if len(calls) == 2:
            raise Killed
        return current_key(data_dir, public)

    with monkeypatch.context() as patch:
        patch.setattr("audit.store.store.current_key", killed_the_second_time)
        with pytest.raises(Killed):
            store.rotate_key(user="kim", at=NOW)
    assert store.checkpoint().key == store.signing_key() == calls[1]
    assert verify(store, Outside(store.data_dir)).holds


@pytest.mark.parametrize("content", [b"nonsense", b""])
def test_a_key_file_that_is_none_is_named(tmp_path: Path, content: bytes) -> None:
    path = key_file(tmp_path)
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"signing\.pem: not a signing key"):
        load_key(tmp_path)


def test_a_key_of_another_kind_is_named(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey  # noqa: PLC0415
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    path = key_file(tmp_path)
    path.parent.mkdir()
    other = X25519PrivateKey.generate()
    path.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(StoreError, match="expected an Ed25519 key"):
        load_key(tmp_path)
