"""Law: a record cut short, turned back or signed anew contradicts its checkpoints."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Executable, update
from sqlmodel import col

from audit.chain import GENESIS, EntryKind, JsonObject
from audit.checkpoint import CHECKPOINT_FILE, Checkpoint, parse_checkpoint, read_checkpoints, sign
from audit.errors import RecordLost
from audit.faults import FaultKind
from audit.keys import fingerprint, key_file, load_key, public_text
from audit.records import CheckpointRecord
from audit.store import Store, open_store
from audit.verify import Outside, verify
from tests.audit.record_builders import NOW, later
from tests.audit.tampering import assert_found, entry_id, tamper, verified, without


def test_a_tail_that_a_checkpoint_covers_is_missed(sealed: Store) -> None:
    end = entry_id(sealed, "T2", 5)
    tamper(sealed, without(end, sealed.last_id()))
    assert_found(sealed, FaultKind.TAIL_CUT, "checkpoint 2", "T2 ends at 4 instead of")


def test_a_tail_cut_with_the_checkpoints_in_the_database_is_missed_by_the_file(
    sealed: Store,
) -> None:
    tamper(
        sealed,
        without(entry_id(sealed, "T2", 5), sealed.last_id()),
        "DELETE FROM checkpoint WHERE number = 2",
    )
    assert_found(sealed, FaultKind.TAIL_CUT, "checkpoint 2")


def test_a_checkpoint_that_an_entry_names_is_missed_when_all_checkpoints_are_gone(
    sealed: Store,
) -> None:
    last = sealed.checkpoint(at=later(150))
    named: JsonObject = {"checkpoint": last.number, "checkpoint_hash": last.hash}
    sealed.note_bundle("T1-1", named, user="kim", at=later(151))
    assert verified(sealed).fault is None
    tamper(sealed, "DELETE FROM checkpoint")
    (sealed.data_dir / CHECKPOINT_FILE).unlink()
    assert_found(
        sealed, FaultKind.CHECKPOINT_MISSING, "checkpoint 3", "names it, and there is none"
    )


def test_checkpoints_made_anew_are_not_those_that_an_entry_names(sealed: Store) -> None:
    named: JsonObject = {"checkpoint": 2, "checkpoint_hash": sealed.checkpoint().hash}
    sealed.note_bundle("T1-1", named, user="kim", at=later(151))
    tamper(sealed, "DELETE FROM checkpoint")
    (sealed.data_dir / CHECKPOINT_FILE).unlink()
    for _ in range(2):
        sealed.note_bundle("T1-1", {}, user="kim", at=later(152))
        sealed.checkpoint(at=later(153))
    assert_found(sealed, FaultKind.CHECKPOINT_MISSING, "checkpoint 2", "there is another one")


def test_an_older_copy_of_everything_is_found_by_a_checkpoint_kept_elsewhere(
    sealed: Store,
) -> None:
    kept = sealed.checkpoint(at=later(150))
    tamper(
        sealed,
        without(entry_id(sealed, "T2", 1), sealed.last_id()),
        "DELETE FROM checkpoint WHERE number >= 2",
        "DELETE FROM feed_line",
        "DELETE FROM gap",
        "DELETE FROM alert_act",
    )
    path = sealed.data_dir / CHECKPOINT_FILE
    path.write_text(path.read_text().splitlines()[0] + "\n")
    outside = Outside(sealed.data_dir, checkpoint=kept)
    fault = verify(sealed, outside).fault
    assert fault is not None
    assert (fault.kind, fault.where) == (FaultKind.TAIL_CUT, "checkpoint 3")


def rewrite_file(store: Store, lines: list[str]) -> None:
    (store.data_dir / CHECKPOINT_FILE).write_text("".join(f"{line}\n" for line in lines))


def file_lines(store: Store) -> list[str]:
    return (store.data_dir / CHECKPOINT_FILE).read_text().splitlines()


def both(store: Store, *checkpoints: Checkpoint) -> None:
    """Put these checkpoints in the place of those with their number, in database and file."""
    lines = {json.loads(line)["number"]: line for line in file_lines(store)}
    for one in checkpoints:
        lines[one.number] = one.line()
        tamper(store, with_line(one.number, one.line()))
    rewrite_file(store, [lines[number] for number in sorted(lines)])


def with_line(number: int, line: str) -> Executable:
    record = CheckpointRecord
    return update(record).where(col(record.number) == number).values(line=line)


def own_key(store: Store) -> Ed25519PrivateKey:
    key = load_key(store.data_dir)
    assert key is not None
    return key


def test_a_checkpoint_with_another_content_than_was_signed_is_named(sealed: Store) -> None:
    second = parse_checkpoint(file_lines(sealed)[1])
    both(sealed, replace(second, at=later(121)))
    assert_found(sealed, FaultKind.SIGNATURE, "checkpoint 2")


def test_a_checkpoint_over_another_record_is_named(sealed: Store) -> None:
    second = parse_checkpoint(file_lines(sealed)[1])
    both(sealed, sign(replace(second, root="0" * 64), own_key(sealed)))
    assert_found(sealed, FaultKind.REWRITTEN, "checkpoint 2", "root")


def test_checkpoints_signed_with_another_key_are_named(sealed: Store) -> None:
    other = Ed25519PrivateKey.generate()
    second = parse_checkpoint(file_lines(sealed)[1])
    both(sealed, sign(second, other))
    told = fingerprint(public_text(other))
    assert_found(sealed, FaultKind.KEY_REPLACED, "checkpoint 2", told)


def test_another_key_in_the_data_folder_is_named(sealed: Store, tmp_path: Path) -> None:
    other = open_store(f"sqlite:///{tmp_path / 'other.db'}", tmp_path / "other")
    other.close()
    key_file(sealed.data_dir).write_bytes(key_file(tmp_path / "other").read_bytes())
    assert_found(sealed, FaultKind.KEY_REPLACED, "the data folder")


def test_a_key_that_the_old_one_did_not_name_is_refused(sealed: Store) -> None:
    other = public_text(Ed25519PrivateKey.generate())
    body = {"public": other, "previous": sealed.signing_key(), "signature": "00", "user": "kim"}
    entry = sealed.append("system", EntryKind.KEY_ROTATED, body, at=NOW)
    assert_found(sealed, FaultKind.KEY_REPLACED, f"entry {entry.number} of system")


def test_another_first_key_than_was_written_down_is_named(sealed: Store) -> None:
    right = sealed.signing_key()
    for known in (right, fingerprint(right)):
        assert verify(sealed, Outside(first_key=known)).holds
    fault = verify(sealed, Outside(first_key="0" * 16)).fault
    assert fault is not None
    assert (fault.kind, fault.where) == (FaultKind.KEY_REPLACED, "entry 1 of system")


def test_an_old_checkpoint_put_in_the_place_of_a_newer_one_is_named(sealed: Store) -> None:
    first, _ = file_lines(sealed)
    rewrite_file(sealed, [first, first])
    where = f"checkpoint 1 in {CHECKPOINT_FILE}"
    assert_found(sealed, FaultKind.CHECKPOINT_REPLAYED, where)


def test_an_old_checkpoint_replayed_in_the_database_is_named(sealed: Store) -> None:
    first, _ = file_lines(sealed)
    tamper(sealed, with_line(2, first))
    assert_found(sealed, FaultKind.CHECKPOINT_REPLAYED, "checkpoint 2 in the database")


def test_an_old_state_signed_again_under_the_next_number_is_named(sealed: Store) -> None:
    first, second = (parse_checkpoint(line) for line in file_lines(sealed))
    older = replace(
        first, number=3, at=later(200), previous=second.hash, size=first.size - 1, signature=""
    )
    rewrite_file(sealed, [*file_lines(sealed), sign(older, own_key(sealed)).line()])
    where = f"checkpoint 3 in {CHECKPOINT_FILE}"
    assert_found(sealed, FaultKind.CHECKPOINT_REPLAYED, where, "the one before it")


def test_a_checkpoint_left_out_is_named(sealed: Store) -> None:
    rewrite_file(sealed, file_lines(sealed)[1:])
    assert_found(sealed, FaultKind.CHECKPOINT_REPLAYED, f"checkpoint 2 in {CHECKPOINT_FILE}")


def test_a_checkpoint_file_cut_short_is_named(sealed: Store) -> None:
    rewrite_file(sealed, file_lines(sealed)[:1])
    assert_found(sealed, FaultKind.CHECKPOINT_MISSING, "checkpoint 2", CHECKPOINT_FILE)


def test_a_checkpoint_file_that_is_gone_is_named(sealed: Store) -> None:
    (sealed.data_dir / CHECKPOINT_FILE).unlink()
    assert_found(sealed, FaultKind.CHECKPOINT_MISSING, "checkpoint 1", CHECKPOINT_FILE)


def test_checkpoints_deleted_from_the_database_are_named(sealed: Store) -> None:
    tamper(sealed, "DELETE FROM checkpoint")
    assert_found(sealed, FaultKind.CHECKPOINT_MISSING, "checkpoint 1", "not in the database")


def test_a_line_of_the_file_that_is_no_checkpoint_is_named(sealed: Store) -> None:
    rewrite_file(sealed, [file_lines(sealed)[0], "{}"])
    assert_found(sealed, FaultKind.MALFORMED, CHECKPOINT_FILE, "line 2")


def test_a_record_is_not_made_anew_where_one_was(sealed: Store, tmp_path: Path) -> None:
    with pytest.raises(RecordLost, match="has 2 checkpoints of one: the record is lost"):
        open_store(f"sqlite:///{tmp_path / 'fresh.db'}", sealed.data_dir)
    (sealed.data_dir / CHECKPOINT_FILE).unlink()
    with pytest.raises(RecordLost, match=r"signing\.pem is the key of one"):
        open_store(f"sqlite:///{tmp_path / 'fresh.db'}", sealed.data_dir)


def test_a_record_made_anew_under_the_same_folder_is_named(sealed: Store, tmp_path: Path) -> None:
    made = open_store(f"sqlite:///{tmp_path / 'fresh.db'}", tmp_path / "fresh")
    fresh = Store(made.engine, sealed.data_dir)
    assert_found(fresh, FaultKind.TAIL_CUT, "checkpoint 1")
    fresh.close()


def lines_of(path: Path) -> Iterator[str]:
    return (checkpoint.line() for checkpoint in read_checkpoints(path))


def test_the_checkpoint_file_reads_back_line_by_line(sealed: Store) -> None:
    assert list(lines_of(sealed.data_dir / CHECKPOINT_FILE)) == file_lines(sealed)
    assert parse_checkpoint(file_lines(sealed)[0]).previous == GENESIS
