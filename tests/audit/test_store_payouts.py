"""Law: every amount has its source, is kept once, and is compared only with what is known."""

from dataclasses import replace

import pytest

from audit.chain import EntryKind
from audit.errors import ChainError, RecordConflict
from audit.payouts import Balance, FeedNote, FeedSource, Settlement
from audit.store import (
    JudgedRound,
    PayoutQuery,
    Store,
)
from rules.events import (
    Cents,
    Decision,
    DecisionMade,
    PayoutMade,
    Seat,
    Sighting,
    Wager,
    WagerPlaced,
)
from tests.audit.conftest import OpenStore
from tests.audit.record_builders import (
    NOW,
    judged,
    kinds,
    later,
    record_round,
    see,
)


def test_a_round_gives_a_payout_line_a_wager(store: Store) -> None:
    kept = record_round(store, "T1", judged(paid=1000), anchor=NOW)
    assert (kept.round, kept.outcome, kept.recorded, kept.started) == (
        "T1-1",
        "complete",
        later(20),
        NOW,
    )
    ante, play = store.payouts(PayoutQuery(round="T1-1"))
    assert (ante.wager, ante.staked, ante.due, ante.paid) == ("ante", 1000, -1000, 1000)
    assert (ante.difference, ante.settlement) == (2000, Settlement.OVERPAID)
    assert play.settlement is Settlement.AS_DUE
    assert store.balance() == Balance(2, 2000, -2000, 0, 2000, 0)


def test_the_same_round_again_changes_nothing(store: Store) -> None:
    first = record_round(store, "T1", judged(), anchor=NOW)
    assert record_round(store, "T1", judged(), anchor=later(60)) == first
    assert kinds(store) == ["rules.round.read"]


def test_a_round_with_another_content_is_a_correction_that_points_back(store: Store) -> None:
    first = record_round(store, "T1", judged(paid=1000), anchor=NOW)
    second = judged(paid=-1000)
    del second.record["seats"]["1"]["wagers"]["play"], second.record["seats"]["1"]["paid"]["play"]
    del second.result["seats"]["1"]["due"]["play"]
    corrected = record_round(store, "T1", second, anchor=NOW)
    assert corrected.corrected
    entry = store.entry(corrected.entry)
    assert (entry.kind, entry.body["corrects"]) == (EntryKind.ROUND_CORRECTED, first.entry)
    assert store.entry(first.entry).body["record"] == first.record
    ante, play = store.payouts()
    assert ante.settlement is Settlement.AS_DUE
    assert (play.staked, play.paid, play.settlement) == (None, None, Settlement.OPEN)


def test_a_round_of_another_table_is_refused(store: Store) -> None:
    record_round(store, "T1", judged(), anchor=NOW)
    with pytest.raises(RecordConflict, match="'T1-1' is one of table T1, not T2"):
        record_round(store, "T2", judged(), anchor=NOW)


def test_a_round_without_a_name_is_refused(store: Store) -> None:
    with pytest.raises(ChainError, match="round and game"):
        record_round(store, "T1", JudgedRound({"seats": {}}, {}, 1.0))


@pytest.mark.parametrize(
    ("paid", "due", "settlement"),
    [
        (None, {"ante": 1000}, Settlement.OPEN),  # payouts were not watched
        ({}, {"ante": 1000}, Settlement.UNDERPAID),  # watched, and nothing was paid
        ({}, {"ante": 0}, Settlement.AS_DUE),  # a push needs no payout
        ({"ante": 1000}, None, Settlement.OPEN),  # to be reconstructed
        ({"ante": 1500}, {"ante": 1000}, Settlement.OVERPAID),
    ],
)
def test_a_payout_is_compared_only_when_both_amounts_are_known(
    store: Store,
    paid: dict[str, int] | None,
    due: dict[str, int] | None,
    settlement: Settlement,
) -> None:
    told = judged()
    told.record["seats"] = {"1": {"wagers": {"ante": 1000}, "paid": paid}}
    told.result["seats"]["1"]["due"] = due
    record_round(store, "T1", told, anchor=NOW)
    assert [line.settlement for line in store.payouts()] == [settlement]


def test_payouts_are_asked_for_by_what_matters(store: Store) -> None:
    record_round(store, "T1", judged("T1-1", paid=1000), anchor=NOW)
    record_round(store, "T1", judged("T1-2"), anchor=later(100))
    record_round(store, "T2", judged("T2-1"), anchor=NOW)

    def rounds(query: PayoutQuery) -> set[str]:
        return {line.round for line in store.payouts(query)}

    assert rounds(PayoutQuery(table="T2")) == {"T2-1"}
    assert rounds(PayoutQuery(since=later(100))) == {"T1-2"}
    assert rounds(PayoutQuery(table="T1", until=later(100))) == {"T1-1"}
    overpaid = PayoutQuery(settlements=frozenset({Settlement.OVERPAID}))
    assert rounds(overpaid) == {"T1-1"}
    assert store.balance(overpaid).overpaid == 2000
    assert [kept.round for kept in store.rounds("T1")] == ["T1-2", "T1-1"]
    assert [kept.round for kept in store.rounds(before=store.round("T1-2").entry)] == ["T1-1"]


def test_a_report_under_the_same_client_id_is_kept_once(opened: OpenStore) -> None:
    note = FeedNote(1, "ante", 1000, FeedSource.DEALER_SCREEN, client_id="a", round="T1-1")
    first = opened().record_wager("T1", note, at=NOW)
    assert opened().record_wager("T1", note, at=later(5)) == first
    assert (first.source, first.round, first.at) == (FeedSource.DEALER_SCREEN, "T1-1", NOW)
    assert opened().record_wager("T2", note, at=NOW).table == "T2"


def test_a_client_id_used_for_another_report_is_refused(store: Store) -> None:
    note = FeedNote(1, "ante", 1000, client_id="a")
    store.record_wager("T1", note, at=NOW)
    with pytest.raises(RecordConflict, match="client id 'a' already names another report"):
        store.record_wager("T1", replace(note, amount=2000), at=NOW)
    with pytest.raises(RecordConflict, match="client id 'a' already names another report"):
        store.record_payout("T1", note, at=NOW)


def test_a_correction_points_at_what_it_corrects(store: Store) -> None:
    wrong = store.record_payout("T1", FeedNote(1, "ante", 2500, client_id="a"), at=NOW)
    right = FeedNote(1, "ante", 2000, FeedSource.CORRECTION, user="kim", corrects=wrong.entry)
    store.record_payout("T1", right, at=later(1))
    amounts = [(line.amount, line.corrects) for line in store.feed_lines("T1")]
    assert amounts == [(2500, None), (2000, wrong.entry)]
    for unknown in (10_000, store.last_id() - 2):
        with pytest.raises(RecordConflict, match="no wager or payout of T1"):
            store.record_payout("T1", replace(right, corrects=unknown), at=NOW)


def test_a_feed_beside_a_video_gives_the_same_lines(store: Store) -> None:
    feed = [
        Sighting(WagerPlaced(Seat(1), Wager.ANTE, Cents(1000)), 1.0),
        Sighting(DecisionMade(Seat(1), Decision.PLAY), 2.0),
        Sighting(PayoutMade(Seat(1), Wager.ANTE, Cents(-1000)), 3.0),
    ]
    see(store, "T1", feed, anchor=NOW)
    lines = [(line.act.value, line.amount, line.at) for line in store.feed_lines()]
    assert lines == [("wager", 1000, later(1)), ("payout", -1000, later(3))]
    assert store.feed_lines(after=store.feed_lines()[0].entry)[0].amount == -1000
