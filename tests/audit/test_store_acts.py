"""Law: every act is an entry and the state that follows from it, written together and once."""

import pytest

from audit.chain import SYSTEM, EntryKind, JsonObject
from audit.errors import AuditError, ChainError, NotInRecord
from audit.store import (
    EVENT_KINDS,
    ProvedFinding,
    Step,
    Store,
)
from rules.events import (
    CardHidden,
    FeedBack,
    FeedLost,
    Sighting,
    Spot,
)
from tests.audit.record_builders import (
    NOW,
    START,
    finding,
    gap,
    judged,
    kinds,
    later,
    proved,
    see,
    start_table,
    stop_table,
    turned,
)


def test_what_one_frame_led_to_is_recorded_together(store: Store) -> None:
    step = Step((turned("KD"), turned("9S")), (proved(),), (judged(),))
    written = store.record("T1", step, anchor=NOW)
    assert [entry.kind for entry in written.entries] == [
        EntryKind.CARD_TURNED,
        EntryKind.CARD_TURNED,
        EntryKind.FINDING_RAISED,
        EntryKind.ROUND_READ,
    ]
    assert written.entries == tuple(store.entries_after(table="T1"))
    assert written.alerts == tuple(store.alerts())


def test_a_frame_that_cannot_be_recorded_whole_leaves_nothing(store: Store) -> None:
    broken = ProvedFinding(finding(text="\ud800"), at=3.0)
    with pytest.raises(ChainError, match="not fit for the record"):
        store.record("T1", Step((turned(),), (broken,)), anchor=NOW)
    assert kinds(store) == []


def test_an_event_is_kept_as_contracts_write_it_with_where_it_was_seen(store: Store) -> None:
    entry = see(store, "T1", [turned("KD", at=9.12)], anchor=NOW).entries[0]
    assert entry.at == later(9.12)
    assert entry.body == {
        "kind": "card-turned",
        "spot": "dealer",
        "card": "KD",
        "media_at": 9.12,
        "confidence": 0.999,
        "frame": 228,
    }


def test_events_of_a_live_source_are_timed_from_the_unix_epoch(store: Store) -> None:
    seen = Sighting(CardHidden(Spot.parse("seat-1"), None), NOW.timestamp())
    assert see(store, "T1", [seen]).entries[0].at == NOW


def test_every_kind_of_event_has_its_kind_of_entry() -> None:
    sources = {kind for kind in EntryKind if kind.startswith(("camera.", "feed."))}
    assert set(EVENT_KINDS.values()) == sources


def test_a_lag_is_part_of_a_tables_state_until_it_is_over_or_watching_ends(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    told: list[tuple[EntryKind, JsonObject, tuple[int, int]]] = [
        (EntryKind.TABLE_BEHIND, {"late_s": 4, "left_out": 0}, (4, 0)),
        (EntryKind.TABLE_BEHIND, {"late_s": 0, "left_out": 60}, (0, 60)),
        (EntryKind.TABLE_CAUGHT_UP, {}, (0, 0)),
        (EntryKind.TABLE_BEHIND, {"late_s": 8, "left_out": 0}, (8, 0)),
        (EntryKind.TABLE_STOPPED, {"reason": "stopped"}, (0, 0)),
    ]
    for kind, body, state in told:
        store.append("T1", kind, body, at=NOW)
        assert (store.table("T1").late_s, store.table("T1").left_out) == state


@pytest.mark.parametrize("name", ["system", "", "T 1", "../T1"])
def test_a_table_with_an_unfit_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(ChainError, match="not a name for a table"):
        see(store, name, [turned()])


def test_a_naive_time_is_refused(store: Store) -> None:
    with pytest.raises(AuditError, match="time without a zone"):
        see(store, "T1", [turned()], anchor=NOW.replace(tzinfo=None))
    with pytest.raises(AuditError, match="time without a zone"):
        start_table(store, "T1", START, at=NOW.replace(tzinfo=None))


def test_a_table_shows_what_it_is_watched_with(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    state = store.table("T1")
    assert (state.source, state.layout, state.watching, state.seen) == (
        "rtsp://***@10.0.0.7/main",
        "sha256:1",
        True,
        True,
    )
    stop_table(store, "T1", at=later(60))
    assert (store.table("T1").watching, store.table("T1").stopped) == (False, later(60))


def test_a_table_never_started_cannot_stop(store: Store) -> None:
    with pytest.raises(NotInRecord, match="no table 'T9'"):
        stop_table(store, "T9", at=NOW)


def test_the_loss_of_a_camera_is_a_gap_and_one_alert(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    lost, back = FeedLost("frozen"), FeedBack()
    assert len(see(store, "T1", [Sighting(lost, 5.0)], anchor=NOW).alerts) == 1
    assert not store.table("T1").seen
    assert see(store, "T1", [Sighting(lost, 6.0)], anchor=NOW).alerts == ()
    (gap,) = store.gaps("T1")
    assert (gap.started, gap.ended, gap.reason) == (later(5), None, "frozen")
    see(store, "T1", [Sighting(back, 9.0)], anchor=NOW)
    assert store.gaps("T1")[0].ended == later(9)
    assert store.table("T1").seen
    assert [alert.code for alert in store.alerts()] == ["camera-lost"]


def test_a_gap_that_is_over_is_recorded_at_once(store: Store) -> None:
    gap(store, "T1", later(1), later(4))
    (known,) = store.gaps()
    assert (known.started, known.ended) == (later(1), later(4))


def test_a_watcher_that_was_killed_leaves_a_gap_until_the_next_start(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    see(store, "T1", [turned(at=10.0)], anchor=NOW)
    see(store, "T1", [Sighting(FeedLost("dark"), 12.0)], anchor=NOW)
    start_table(store, "T1", START, at=later(60))
    unwatched, dark = store.gaps()
    assert (unwatched.started, unwatched.ended) == (later(12), later(60))
    assert (dark.started, dark.ended) == (later(12), later(60))
    stop_table(store, "T1", at=later(70))
    start_table(store, "T1", START, at=later(90))
    assert len(store.gaps()) == 2


def test_what_a_user_looked_at_is_kept(store: Store) -> None:
    entry = store.record_act("kim", "viewed", {"round": "T1-1"}, at=NOW)
    assert (entry.chain, entry.body["user"]) == (SYSTEM, "kim")
