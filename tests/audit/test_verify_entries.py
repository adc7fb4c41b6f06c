"""Law: whatever is changed in the entries, verification names the first that does not hold."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert

from audit.chain import EntryKind, Head, canonical, hash_text, utc_text
from audit.faults import FaultKind
from audit.keys import fingerprint, key_file
from audit.payouts import FeedNote
from audit.records import RECORD_OF, EntryRecord
from audit.store import Store, open_reader, open_store
from audit.store.delivery import Noted
from audit.tables import StepMark
from audit.verify import Outside, verify
from tests.audit.record_builders import (
    NOW,
    START,
    busy_table,
    deliver,
    gap,
    later,
    see,
    start_table,
    turned,
)
from tests.audit.tampering import (
    assert_found,
    changed,
    content,
    edit,
    entry_id,
    number_of_last,
    tamper,
    verified,
    without,
)


def test_an_untouched_record_holds(sealed: Store) -> None:
    result = verified(sealed)
    assert result.fault is None
    assert result.holds
    assert result.entries == sealed.last_id()
    assert (result.checkpoints, result.sealed, result.sealed_at) == (
        2,
        result.entries - 2,
        later(120),
    )
    assert list(result.heads) == sealed.chain_heads()
    assert result.key == fingerprint(sealed.signing_key())


def test_progress_is_told_to_the_end(sealed: Store) -> None:
    told: list[tuple[int, int]] = []
    verify(sealed, progress=lambda done, total: told.append((done, total)))
    assert told == [(sealed.last_id(), sealed.last_id())]


def test_a_record_holds_across_restart_and_key_rotation(sealed: Store, database_url: str) -> None:
    old = sealed.signing_key()
    new = sealed.rotate_key(user="kim", at=later(130))
    see(sealed, "T1", [turned("4S")], anchor=NOW)
    assert sealed.checkpoint(at=later(140)).key == sealed.signing_key() != old
    again = open_store(database_url, sealed.data_dir)
    assert verified(again).key == new
    again.close()
    kept = key_file(sealed.data_dir).with_name(f"signing-{fingerprint(old)}.pem")
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("body", '{"card":"2D"}'),
        ("kind", "camera.card.hidden"),
        ("kind", "unheard.of.kind"),
        ("at", later(7)),
        ("hash", "0" * 64),
        ("previous", "0" * 64),
    ],
)
def test_an_edited_entry_is_named(sealed: Store, column: str, value: object) -> None:
    edit(sealed, entry_id(sealed, "T1", 3), **{column: value})
    assert_found(sealed, FaultKind.EDITED, "entry 3 of T1")


def test_an_edit_after_the_last_checkpoint_is_named(sealed: Store) -> None:
    last = sealed.last_id()
    edit(sealed, last, body='{"card":"AS"}')
    assert_found(sealed, FaultKind.EDITED, f"entry {sealed.entry(last).number} of T1")


def test_white_space_put_into_a_body_is_an_edit(sealed: Store) -> None:
    found = entry_id(sealed, "T1", 2)
    body = json.dumps(sealed.entry(found).body, indent=1)
    edit(sealed, found, body=body)
    assert_found(sealed, FaultKind.EDITED, "entry 2 of T1")


@pytest.mark.parametrize(("number", "name"), [(1, "entry 1 of T1"), (4, "entry 4 of T1")])
def test_a_deleted_entry_is_named(sealed: Store, number: int, name: str) -> None:
    gone = entry_id(sealed, "T1", number)
    tamper(sealed, without(gone))
    assert_found(sealed, FaultKind.DELETED, name)


def test_several_deleted_entries_are_named(sealed: Store) -> None:
    first = entry_id(sealed, "T1", 2)
    tamper(sealed, without(first, first + 2))
    assert_found(sealed, FaultKind.DELETED, "entries 2 to 4 of T1")


def test_a_deleted_entry_with_the_rest_numbered_anew_is_named(sealed: Store) -> None:
    first = entry_id(sealed, "T1", 2)
    tamper(
        sealed,
        without(first),
        "UPDATE entry SET number = number - 1000000 WHERE chain = 'T1' AND number > 2",
        "UPDATE entry SET number = number + 999999 WHERE chain = 'T1' AND number < 0",
    )
    assert_found(sealed, FaultKind.EDITED, "entry 2 of T1")


def test_entries_whose_numbers_changed_places_are_named(sealed: Store) -> None:
    one, other = (entry_id(sealed, "T1", number) for number in (3, 4))
    tamper(sealed, changed(one, number=-1), changed(other, number=3), changed(one, number=4))
    assert_found(sealed, FaultKind.REORDERED, "entry 4 of T1")


def test_entries_whose_content_changed_places_is_named(sealed: Store) -> None:
    one, other = (sealed.entry(entry_id(sealed, "T1", number)) for number in (3, 4))
    tamper(sealed, changed(one.id, **content(other)), changed(other.id, **content(one)))
    assert_found(sealed, FaultKind.REORDERED, "entry 3 of T1")


def test_entries_whose_ids_changed_places_are_named(sealed: Store) -> None:
    one, other = (entry_id(sealed, "T1", number) for number in (3, 4))
    tamper(sealed, changed(one, id=-1), changed(other, id=one), changed(-1, id=other))
    assert_found(sealed, FaultKind.REORDERED, "entry 4 of T1")


def test_ids_that_changed_places_between_chains_break_the_checkpoint(sealed: Store) -> None:
    other = entry_id(sealed, "T2", 1)
    one = other - 1
    assert sealed.entry(one).chain == "T1"
    tamper(sealed, changed(one, id=-1), changed(other, id=one), changed(-1, id=other))
    assert_found(sealed, FaultKind.REWRITTEN, "checkpoint 1")


def test_an_entry_moved_to_another_chain_is_missed_in_its_own(sealed: Store) -> None:
    foreign, number = entry_id(sealed, "T1", 5), number_of_last(sealed, "T2") + 1
    edit(sealed, foreign, id=sealed.last_id() + 1, chain="T2", number=number)
    assert_found(sealed, FaultKind.DELETED, "entry 5 of T1")


def test_an_entry_copied_to_the_end_of_another_chain_is_named(sealed: Store) -> None:
    foreign, number = sealed.entry(entry_id(sealed, "T1", 5)), number_of_last(sealed, "T2") + 1
    copied = insert(EntryRecord).values(
        id=sealed.last_id() + 1, chain="T2", number=number, **content(foreign)
    )
    tamper(sealed, copied)
    # Its own number is not known any more, so it can only be told from what should stand here.
    assert_found(sealed, FaultKind.EDITED, f"entry {number} of T2")


def test_an_entry_put_in_the_same_place_of_another_chain_is_named(sealed: Store) -> None:
    give = sealed.entry(entry_id(sealed, "T1", 3))
    edit(sealed, entry_id(sealed, "T2", 3), **content(give))
    assert_found(sealed, FaultKind.SPLICED, "entry 3 of T2", "chain T1")


def rehash(
    store: Store, table: str, number: int, body: dict[str, object], *, all_after: bool
) -> None:
    """Rewrite an entry with a fitting hash, as somebody who knows the format can."""
    entries = [one for one in store.entries_after(table=table, limit=1000) if one.number >= number]
    before = Head(table, number - 1, entries[0].previous)
    for entry in entries if all_after else entries[:1]:
        told = body if entry.number == number else entry.body
        kept = canonical(told).decode()
        value = hash_text(before, utc_text(entry.at), entry.kind, kept)
        edit(store, entry.id, body=kept, previous=before.hash, hash=value)
        before = Head(table, entry.number, value)


def test_an_entry_rewritten_with_its_hash_is_named_by_the_next(sealed: Store) -> None:
    rehash(sealed, "T1", 3, {"card": "2D"}, all_after=False)
    assert_found(sealed, FaultKind.REWRITTEN, "entry 3 of T1")


def test_a_whole_chain_rewritten_from_some_entry_on_is_named_by_a_checkpoint(
    sealed: Store,
) -> None:
    rehash(sealed, "T1", 3, sealed.entry(entry_id(sealed, "T1", 2)).body, all_after=True)
    assert_found(sealed, FaultKind.REWRITTEN, "checkpoint 1")


def test_an_entry_made_up_and_hashed_properly_is_refused_when_it_has_no_sense(
    store: Store,
) -> None:
    start_table(store, "T1", START, at=NOW)
    rehash(store, "T1", 1, {"nothing": "of the kind"}, all_after=True)
    assert_found(store, FaultKind.MALFORMED, "entry 1 of T1")


GARBAGE = ("NULL", "'no such value'", "x'ff00'", "-1")


def columns(path: Path) -> Iterator[tuple[str, str, str]]:
    """Every column of every table that has rows, with its type."""
    with closing(sqlite3.connect(path)) as found:
        names = found.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in names:
            if table.startswith("sqlite_") or table == "alembic_version":
                continue
            if found.execute(f'SELECT 1 FROM "{table}"').fetchone():  # noqa: S608  # our own tables
                for row in found.execute(f'PRAGMA table_info("{table}")').fetchall():
                    yield table, row[1], row[2]


def make_again(whole: Path, path: Path) -> None:
    """Make a database what another one is, below those who have it open."""
    with closing(sqlite3.connect(whole)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)


def spoil(path: Path, table: str, column: str, value: str) -> bool:
    """Put a value into the last row of a table; say whether the database took it as another one."""
    with closing(sqlite3.connect(path, isolation_level=None)) as found:
        found.execute("PRAGMA foreign_keys = OFF")
        for (name,) in found.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?", (table,)
        ).fetchall():
            found.execute(f"DROP TRIGGER {name}")
        last = f'(SELECT max(rowid) FROM "{table}")'  # noqa: S608
        try:
            changed = found.execute(
                f'UPDATE "{table}" SET "{column}" = {value} '  # noqa: S608
                f'WHERE rowid = {last} AND "{column}" IS NOT {value}'
            ).rowcount
        except sqlite3.IntegrityError:
            return False
        return changed == 1


def test_whatever_is_put_into_any_column_is_a_finding_and_no_error(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'record.db'}", tmp_path)
    busy_table(store, rounds=1)
    store.record_wager("T1", FeedNote(1, "ante", 1000, client_id="a"), at=NOW)
    store.acknowledge(1, user="kim")
    gap(store, "T1", later(112), later(113))
    deliver(store, "T1", Noted(EntryKind.RECORD_BACK, {}, NOW), StepMark("run", 1))
    store.checkpoint()
    store.close()
    known = [name for record in RECORD_OF.values() if (name := str(record.__tablename__))]
    spoiled = tmp_path / "spoiled.db"
    shutil.copy(tmp_path / "record.db", spoiled)
    reader = open_reader(f"sqlite:///{spoiled}")  # one, so that it compiles its queries once
    tried = 0
    for number, (table, column, kind) in enumerate(columns(tmp_path / "record.db")):
        core = table in ("entry", "checkpoint")
        if not core and table not in known:
            continue
        other = f'1 - "{column}"' if kind == "BOOLEAN" else GARBAGE[1 + number % 2]
        for value in GARBAGE if core else (other,):
            make_again(tmp_path / "record.db", spoiled)
            if not spoil(spoiled, table, column, value):
                continue
            found = verify(reader, Outside(tmp_path))
            assert found.fault is not None, (table, column, value)
            assert found.fault.kind is not FaultKind.GUARD_MISSING, (table, column, value)
            tried += 1
    make_again(tmp_path / "record.db", spoiled)
    assert verify(reader, Outside(tmp_path)).holds
    reader.close()
    assert tried > 80
