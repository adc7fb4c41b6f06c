"""Law: footage is kept as long as promised, held footage for ever, and every deletion is told."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from audit.chain import EntryKind
from audit.cli.main import main
from audit.errors import NotInRecord, RecordConflict, SettingsError
from audit.evidence.enforcing import enforce, unlink, warn_in_time
from audit.evidence.files import CLIPS, RECORDINGS, footage_path, stretch_of
from audit.evidence.footage import Segment
from audit.evidence.proof import footage_fault
from audit.evidence.retention import (
    SHIPPED,
    Disk,
    RetentionRules,
    deletions,
    forecast,
    load_retention,
)
from audit.faults import FaultKind
from audit.store import NewHold, Store, open_store
from audit.verify import Outside, verify
from tests.audit.footage_builders import clip, segment
from tests.audit.record_builders import NOW, START, later, start_table

DAY = timedelta(days=1)
RULES = RetentionRules(30 * DAY, 365 * DAY, "", keep_free=0, warn=7 * DAY)
ROOMY = Disk(total=10**12, free=10**12)


def holds(store: Store) -> bool:
    return verify(store, Outside(store.data_dir, probes=(footage_fault,))).holds


def fault(store: Store) -> str:
    found = verify(store, Outside(store.data_dir, probes=(footage_fault,))).fault
    assert found is not None
    assert found.kind is FaultKind.CLIP
    return str(found)


def test_each_class_goes_at_its_time_and_the_record_tells_it(store: Store) -> None:
    routine, flagged = segment(store, NOW), segment(store, later(10))
    stands = clip(store, "T1-1", flagged)
    fresh = segment(store, NOW + 20 * DAY)
    assert enforce(store, store.data_dir, RULES, NOW + 29 * DAY).deleted == 0
    assert enforce(store, store.data_dir, RULES, NOW + 31 * DAY).deleted == 1
    assert [one.entry for one in store.segments()] == [flagged.entry, fresh.entry]
    assert not footage_path(store.data_dir, routine).exists()
    assert store.segment(routine.entry).sha256 == routine.sha256
    assert holds(store)
    assert enforce(store, store.data_dir, RULES, NOW + 366 * DAY).deleted == 3
    assert store.clip(stands.name).deleted is not None
    assert not footage_path(store.data_dir, stands).exists()
    told = store.entries_after(table="T1", kinds=[EntryKind.FOOTAGE_DELETED])
    assert [entry.body["reason"] for entry in told][:1] == ["kept for 30 days (routine)"]
    assert told[0].body["segments"][0]["sha256"] == routine.sha256
    assert holds(store)


def test_for_want_of_room_the_oldest_unflagged_goes_first_and_the_held_never(store: Store) -> None:
    oldest, flagged = segment(store, NOW), segment(store, later(10))
    clip(store, "T1-1", flagged)
    held, newer = segment(store, later(20)), segment(store, later(30))
    store.place_hold(NewHold("T1", later(20), later(21), "complaint"), user="kim")
    last = segment(store, NOW + DAY)

    def gone(short: int) -> list[Segment | object]:
        rules = RetentionRules(30 * DAY, 365 * DAY, "", keep_free=1000, warn=DAY)
        disk = Disk(total=10**6, free=1000 - short)
        found = deletions(store, store.data_dir, rules, disk, NOW + DAY)
        return [one.entry for each in found for one in each.footage if isinstance(one, Segment)]

    assert gone(0) == []
    assert gone(100) == [oldest.entry]
    assert gone(200) == [oldest.entry, newer.entry]
    # Nothing of the last hour, and nothing that is held, however little room there is.
    assert gone(10**6) == [oldest.entry, newer.entry, flagged.entry]
    assert held.entry not in gone(10**6)
    assert last.entry not in gone(10**6)


def test_a_hold_is_released_by_two_different_people(store: Store) -> None:
    held = segment(store, NOW)
    hold = store.place_hold(NewHold("T1", NOW, later(1), "complaint"), user="kim")
    assert (hold.number, hold.holds) == (1, True)
    later_on = NOW + 60 * DAY
    assert enforce(store, store.data_dir, RULES, later_on).deleted == 0
    assert store.release_hold(1, user="kim").holds
    with pytest.raises(RecordConflict, match="second person"):
        store.release_hold(1, user="KIM ")
    assert enforce(store, store.data_dir, RULES, later_on).deleted == 0
    released = store.release_hold(1, user="lee", note="closed")
    assert (released.release_by, released.released_by) == ("kim", "lee")
    with pytest.raises(RecordConflict, match="already"):
        store.release_hold(1, user="mia")
    with pytest.raises(NotInRecord):
        store.release_hold(2, user="mia")
    assert enforce(store, store.data_dir, RULES, later_on).deleted == 1
    assert not footage_path(store.data_dir, held).exists()
    assert holds(store)


def test_a_hold_placed_since_the_plan_was_made_still_protects(store: Store) -> None:
    planned = segment(store, NOW)
    store.place_hold(NewHold("T1", NOW, later(1), "complaint"), user="kim")
    assert store.delete_footage("T1", [planned], reason="kept for 30 days (routine)") == []
    assert store.segment(planned.entry).deleted is None


def test_what_a_crash_left_between_entry_and_file_is_deleted_later(store: Store) -> None:
    left = segment(store, NOW)
    assert store.delete_footage("T1", [left], reason="kept for 30 days (routine)")
    assert footage_path(store.data_dir, left).exists()
    assert holds(store)
    assert unlink(store.data_dir, store.deleted_lately()) == 1
    assert not footage_path(store.data_dir, left).exists()


Harm = Callable[[Path, Path, Path], object]


@pytest.mark.parametrize(
    ("harm", "where", "said"),
    [
        (lambda a, _b, _c: a.unlink(), "segment", "missing"),
        (lambda a, _b, _c: a.write_bytes(a.read_bytes()[:-1] + b"x"), "segment", "changed"),
        (lambda a, b, _c: a.write_bytes(b.read_bytes()), "segment", "swapped"),
        (lambda _a, _b, c: c.unlink(), "clip", "missing"),
        (lambda _a, _b, c: c.write_bytes(b"another"), "clip", "changed"),
        (lambda a, _b, c: c.write_bytes(a.read_bytes()), "clip", "swapped"),
    ],
)
def test_verification_names_what_happened_to_a_file(
    store: Store, harm: Harm, where: str, said: str
) -> None:
    one, other = segment(store, NOW), segment(store, later(3))
    cut = clip(store, "T1-1", one, other)
    assert holds(store)
    files = [footage_path(store.data_dir, each) for each in (one, other, cut)]
    harm(files[0], files[1], files[2])
    told = fault(store)
    assert told.startswith(where)
    assert said in told


def test_the_disk_is_foretold_and_the_alarm_comes_before_the_promise_is_broken(
    store: Store,
) -> None:
    start_table(store, "T1", START, at=NOW)
    for hour in range(24):
        segment(store, NOW + hour * DAY / 24, size=1000)
    now = NOW + DAY
    told = forecast(store, RULES, ROOMY, now)
    assert told.per_day == pytest.approx(24_000, rel=0.05)
    assert told.broken_in is None
    short = forecast(store, RULES, Disk(10**6, free=120_000), now)
    assert short.broken_in is not None
    assert short.broken_in / DAY == pytest.approx(5, rel=0.05)
    # The real disk of this machine never has the room that this rule keeps free.
    full = RetentionRules(30 * DAY, 365 * DAY, "", keep_free=10**18, warn=7 * DAY)
    for _ in range(2):
        warn_in_time(store, store.data_dir, full, now)
    assert [alert.code for alert in store.alerts()] == ["retention-at-risk"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('jurisdiction = ""', 'jurisdiction = "NSW"|at least 90'),
        ('jurisdiction = ""', 'jurisdiction = "Mars"|expected one of IN, LA, MD, NSW, NV'),
        ("routine_days = 30", "routine_days = 0|routine_days"),
        ("routine_days = 30", "rutine_days = 30|rutine_days: unknown key"),
        ("routine_days = 30", "routine_days = |not a TOML file"),
    ],
)
def test_rules_that_cannot_be_used_are_told_in_one_line(
    tmp_path: Path, change: str, said: str
) -> None:
    to, words = said.split("|")
    file = tmp_path / "retention.toml"
    file.write_text(SHIPPED.read_text().replace(change, to, 1))
    with pytest.raises(SettingsError, match=words) as refused:
        load_retention(file)
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_preset_is_a_floor(tmp_path: Path) -> None:
    file = tmp_path / "retention.toml"
    file.write_text(SHIPPED.read_text().replace('jurisdiction = ""', 'jurisdiction = "NV"'))
    assert load_retention(file).routine == 30 * DAY
    assert load_retention().flagged == 365 * DAY


def test_no_name_leads_out_of_the_folder_of_footage(store: Store) -> None:
    one = segment(store, NOW)
    values = {name: getattr(one, name) for name in Segment.__dataclass_fields__}
    for name in ("../../keys/signing.pem", "/etc/passwd", "", "T1/../../keys/signing.pem"):
        with pytest.raises(NotInRecord):
            footage_path(store.data_dir, Segment(**values | {"name": name}))
    inside = footage_path(store.data_dir, one)
    assert store.data_dir.resolve() / RECORDINGS in inside.parents
    assert CLIPS != RECORDINGS


def test_ranges_are_read_as_browsers_send_them() -> None:
    told = [stretch_of(header, 100) for header in (None, "bytes=0-", "bytes=90-200", "lines=1-2")]
    assert [(one.first, one.last) for one in told if one] == [(0, 99), (0, 99), (90, 99), (0, 99)]
    assert stretch_of("bytes=100-", 100) is None
    assert stretch_of("bytes=-0", 100) is None


def test_the_commands_hold_plan_and_delete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "d"
    with_data = ["--data", str(data)]
    store = open_store(f"sqlite:///{data / 'pitwatch.db'}", data)
    old = segment(store, NOW - 1000 * DAY)
    store.close()
    assert main(["retention", "plan", *with_data]) == 0
    assert "Would go: 1 files of T1" in capsys.readouterr().out
    place = ["hold", "place", "--table", "T1", "--since", f"{NOW - 1001 * DAY:%F %T}"]
    place += ["--until", f"{NOW:%F %T}", "--reason", "court", "--user", "kim", *with_data]
    assert main(place) == 0
    assert main(["retention", "run", "--yes", *with_data]) == 0
    assert "Deleted 0 files" in capsys.readouterr().out
    assert main(["hold", "release", "1", "--user", "kim", *with_data]) == 0
    assert main(["hold", "release", "1", "--user", "kim", *with_data]) == 2
    assert "second person" in capsys.readouterr().err
    assert main(["hold", "release", "1", "--user", "lee", *with_data]) == 0
    assert main(["retention", "run", *with_data]) == 0
    assert footage_path(data, old).exists()
    assert main(["retention", "run", "--yes", *with_data]) == 0
    assert not footage_path(data, old).exists()
    assert main(["hold", "list", "--all", "--json", *with_data]) == 0
    assert '"released_by": "lee"' in capsys.readouterr().out
    assert main(["hold", "place", "--reason", "x", *with_data]) == 2
