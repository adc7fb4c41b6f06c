"""Law: what was paid is put right only by pointing at it, and every amount has its source."""

from dataclasses import replace
from datetime import time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from audit.chain import EntryKind, JsonObject
from audit.errors import ChainError, NotInRecord, RecordConflict, SettingsError
from audit.imports import ImportFormat, ImportRefused, read_import
from audit.payouts import FeedNote, FeedSource, Settlement
from audit.reports.spans import Clock
from audit.shifts import shifts_between
from audit.store import DealerNote, JudgedRound, PayoutQuery, Store, WagerAt
from audit.store.asking_desk import Span
from audit.verify import verify
from audit.watch.feeds import read_feed
from rules.check import judge, result_to_json
from rules.games import GAMES
from rules.record_json import record_from_json
from tests.audit.record_builders import (
    NOW,
    START,
    judged,
    kinds,
    later,
    record_round,
    start_table,
)

ANTE = WagerAt("T1-1", 1, "ante")
SCREEN = FeedSource.DEALER_SCREEN


def paid_round(store: Store, paid: int = -1000) -> int:
    """A round whose ante was reported at the dealer's screen; the entry of the report."""
    start_table(store, "T1", START, at=NOW)
    report = FeedNote(1, "ante", paid, SCREEN, client_id="a", user="screen-1")
    entry = store.record_payout("T1", report, at=later(10)).entry
    record_round(store, "T1", judged(paid=paid), anchor=NOW)
    return entry


def test_a_payout_line_names_its_report(store: Store) -> None:
    report = paid_round(store)
    ante, play = store.payouts(PayoutQuery(round="T1-1"))
    assert (ante.source, ante.reported_by, ante.report) == (SCREEN, "screen-1", report)
    assert (play.source, play.report) == (None, None)
    # The next round's payout of the same amount is another report's.
    record_round(store, "T1", judged("T1-2"), anchor=later(60))
    assert store.payouts(PayoutQuery(round="T1-2"))[0].report is None


def test_a_correction_changes_the_line_and_hides_nothing(store: Store) -> None:
    first = paid_round(store, paid=1000)
    store.confirm_payout(ANTE, user="kim", at=later(30))
    right = store.correct_report(first, -1000, user="lee", client_id="c", at=later(40))
    assert (right.corrects, right.round, right.source) == (first, "T1-1", FeedSource.CORRECTION)
    ante = store.payouts(PayoutQuery(round="T1-1"))[0]
    assert (ante.paid, ante.settlement, ante.reported_by) == (-1000, Settlement.AS_DUE, "lee")
    assert ante.confirmed_by is None  # what was confirmed was another amount
    old, new = store.reports_of("T1-1")
    assert (old.amount, old.corrected_by, new.amount) == (1000, new.entry, -1000)
    # The same correction again is kept once; another one must point at the newest.
    assert store.correct_report(first, -1000, user="lee", client_id="c", at=later(41)) == new
    with pytest.raises(RecordConflict, match=f"was put right by entry {new.entry}"):
        store.correct_report(first, 0, user="lee", at=later(42))
    # A round that is judged again does not take the correction back.
    record_round(store, "T1", judged(paid=1000, outcome="unsure"), anchor=NOW)
    assert store.payouts(PayoutQuery(round="T1-1"))[0].paid == -1000
    assert verify(store).holds


def test_a_correction_before_the_round_is_over_holds_for_it_too(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    slip = store.record_payout("T1", FeedNote(1, "ante", 1000, SCREEN), at=later(10)).entry
    second = store.correct_report(slip, 0, user="kim", at=later(11)).entry
    store.correct_report(second, -1000, user="kim", at=later(12))
    record_round(store, "T1", judged(paid=1000), anchor=NOW)
    ante = store.payouts(PayoutQuery(round="T1-1"))[0]
    assert (ante.paid, ante.source, ante.reported_by) == (-1000, FeedSource.CORRECTION, "kim")
    assert [line.amount for line in store.reports_of("T1-1")] == [1000, 0, -1000]
    assert verify(store).holds


def whist(paid: int) -> JudgedRound:
    """A round under the shipped rules: seat 1 won all three tricks with 10.00 on each wager."""
    seat: JsonObject = {"wagers": {"ante": 1000, "play": 1000}, "decision": "play"}
    seat |= {"hand": ["QD", "AH", "AC"], "plays": ["QD", "AH", "AC"]}
    seat |= {"paid": {"ante": paid, "play": 3000}}
    record: JsonObject = {"round": "T1-1", "game": "three-card-whist", "table": "T1"}
    record |= {"trump": "4H"}
    record |= {"dealer": ["6D", "5H", "KC"], "seats": {"1": seat}}
    return JudgedRound(record, result_to_json(judge(record_from_json(record))), at=20.0)


def test_what_is_due_follows_a_corrected_stake(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    wager = store.record_wager("T1", FeedNote(1, "ante", 1000, SCREEN, user="screen-1"), at=NOW)
    record_round(store, "T1", whist(paid=1000), anchor=NOW)
    first = store.round("T1-1")
    assert [line.settlement for line in store.payouts()] == [Settlement.AS_DUE] * 2
    right = store.correct_report(wager.entry, 2000, user="kim", at=later(3000))
    assert (right.round, right.corrects) == ("T1-1", wager.entry)
    again = store.entry(store.round("T1-1").entry)
    assert (again.kind, again.body["corrects"]) == (EntryKind.ROUND_CORRECTED, first.entry)
    assert store.round("T1-1").recorded == first.recorded  # it stays in its gaming day
    ante = store.payouts(PayoutQuery(round="T1-1"))[0]
    assert (ante.staked, ante.due, ante.paid) == (2000, 2000, 1000)
    assert {alert.code for alert in store.alerts()} == {"underpaid", "play-wager-not-equal-ante"}
    assert verify(store).holds


def test_a_stake_put_right_while_the_round_is_played_holds_for_it_too(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    wager = store.record_wager("T1", FeedNote(1, "ante", 1000, SCREEN), at=NOW)
    store.correct_report(wager.entry, 2000, user="kim", at=later(5))
    record_round(store, "T1", whist(paid=2000), anchor=NOW)
    ante = store.payouts(PayoutQuery(round="T1-1"))[0]
    assert (ante.staked, ante.due, ante.settlement) == (2000, 2000, Settlement.AS_DUE)
    assert [kind for kind in kinds(store) if "round" in kind] == [
        "rules.round.read",
        "rules.round.corrected",
    ]
    assert verify(store).holds


@pytest.mark.parametrize("while_played", [True, False])
def test_a_round_that_is_judged_again_keeps_a_stake_that_was_put_right(
    store: Store, while_played: bool
) -> None:
    start_table(store, "T1", START, at=NOW)
    wager = store.record_wager("T1", FeedNote(1, "ante", 1000, SCREEN), at=NOW)
    if not while_played:
        record_round(store, "T1", whist(paid=1000), anchor=NOW)
    store.correct_report(wager.entry, 2000, user="kim", at=later(5))
    for paid in (1100, 1200):
        record_round(store, "T1", whist(paid=paid), anchor=NOW)
        ante = store.payouts(PayoutQuery(round="T1-1"))[0]
        assert (ante.staked, ante.due, ante.paid) == (2000, 2000, paid)
    assert verify(store).holds


def test_a_corrected_stake_under_other_house_rules_leaves_open_what_is_due(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    wager = store.record_wager("T1", FeedNote(1, "ante", 1000, round="T1-1"), at=NOW)
    record_round(store, "T1", judged(), anchor=NOW)
    store.correct_report(wager.entry, 2000, user="kim", at=later(30))
    ante = store.payouts(PayoutQuery(round="T1-1"))[0]
    assert (ante.staked, ante.due, ante.settlement) == (2000, None, Settlement.OPEN)
    assert verify(store).holds


def test_a_late_payout_that_differs_from_what_was_due_opens_one_alert(store: Store) -> None:
    first = paid_round(store)
    second = store.correct_report(first, 19000, user="lee", at=later(40)).entry
    (alert,) = store.alerts()
    assert (alert.code, alert.severity.value, alert.subject) == ("paid-when-lost", "high", "ante")
    assert "seat 1, ante: paid +190.00, due -10.00 (net)" in alert.text
    store.correct_report(second, 19000, user="lee", at=later(41))
    assert [alert.sightings for alert in store.alerts()] == [2]


def test_a_payout_is_confirmed_with_its_amount(store: Store) -> None:
    paid_round(store)
    line = store.confirm_payout(ANTE, user="kim", note="seen", at=later(30))
    assert (line.confirmed_by, line.confirmed) == ("kim", later(30))
    assert store.confirm_payout(ANTE, user="kim", at=later(31)) == line
    with pytest.raises(NotInRecord, match="no wager rnb of seat 1"):
        store.confirm_payout(replace(ANTE, wager="rnb"), user="kim")
    assert verify(store).holds


def test_balances_run_by_table_shift_and_dealer(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    store.dealer_on("T1", DealerNote("Park", client_id="d1"), at=NOW)
    record_round(store, "T1", judged("T1-1", paid=1000), anchor=NOW)
    store.dealer_on("T1", DealerNote("Lee"), at=later(60))
    record_round(store, "T1", judged("T1-2"), anchor=later(60))
    store.dealer_off("T1", DealerNote("Lee"), at=later(120))
    record_round(store, "T1", judged("T1-3", paid=-1500), anchor=later(120))
    record_round(store, "T2", judged("T2-1", paid=0), anchor=NOW)
    span = Span(NOW, later(3600))

    by_dealer = {
        one.name: one.balance for one in store.balances_by_dealer(replace(span, table="T1"))
    }
    assert {name: found.overpaid for name, found in by_dealer.items()} == {
        "Park": 2000,
        "Lee": 0,
        "": 0,
    }
    assert by_dealer[""].underpaid == 500
    assert [(one.name, one.balance.lines) for one in store.balances_by_table(span)] == [
        ("T1", 6),
        ("T2", 2),
    ]
    running = store.running(replace(span, table="T1"))
    assert [line.difference for line in running] == [2000, 2000, 2000, 2000, 1500, 1500]
    assert [line.dealer for line in running] == ["Park", "Park", "Lee", "Lee", None, None]

    # 05:33 UTC is 14:33 in Seoul.
    clock = Clock(ZoneInfo("Asia/Seoul"), time(6), (time(6), time(14), time(22)))
    shifts = shifts_between(clock, NOW, later(60))
    assert [shift.name for shift in shifts] == ["2026-11-30/2"]
    assert store.balances_by_shift(shifts, "T1")[0].balance.overpaid == 2000
    assert verify(store).holds


def test_who_deals_is_told_once_and_in_order(store: Store) -> None:
    store.dealer_on("T1", DealerNote("Park", client_id="d1"), at=later(10))
    store.dealer_on("T1", DealerNote("Park"), at=later(11))
    store.dealer_off("T1", DealerNote("Lee"), at=later(12))
    store.dealer_on("T1", DealerNote("Lee", client_id="d2"), at=later(20))
    store.dealer_on("T1", DealerNote("Park", client_id="d1"), at=later(10))
    assert kinds(store) == ["pit.dealer.on"] * 2
    told = [(stint.dealer, stint.started, stint.ended) for stint in store.stints("T1")]
    assert told == [("Lee", later(20), None), ("Park", later(10), later(20))]
    with pytest.raises(RecordConflict, match="client id 'd1' already names 'Park'"):
        store.dealer_on("T1", DealerNote("Choi", client_id="d1"), at=later(30))
    with pytest.raises(RecordConflict, match="when 'Lee' began"):
        store.dealer_on("T1", DealerNote("Choi"), at=later(15))
    with pytest.raises(ChainError, match="dealer: found 0 characters"):
        store.dealer_on("T1", DealerNote("  "), at=later(30))


CSV = """\
table,at,kind,seat,wager,amount,round,client_id
T1,2026-11-30T05:40:00Z,wager,2,ante,1000,,
T1,2026-11-30T05:40:00Z,wager,2,ante,1000,,
T2,2026-11-30T14:41:00+09:00,payout,1,ante,-1000,T1-9,x1
T1,2026-11-30T05:42:00Z,payout,1,ante,1000,T1-1,
"""


def test_an_import_is_whole_and_the_same_file_again_adds_nothing(store: Store) -> None:
    paid_round(store)
    start_table(store, "T2", START, at=NOW)
    file = read_import(CSV.encode(), "night.csv", ImportFormat.CSV)
    before = store.last_id()
    tried = store.import_reports(file, user="kim", dry_run=True)
    assert store.last_id() == before
    done = store.import_reports(file, user="kim")
    assert (done.lines, done.added, done.known, done.alerts) == (4, 4, 0, 1)
    assert replace(tried, dry_run=False) == done
    again = store.import_reports(file, user="kim")
    assert (again.added, again.known) == (0, 4)
    # A file that has grown adds what is new.
    grown = CSV + "T1,2026-11-30T05:43:00Z,payout,2,ante,0,,\n"
    more = store.import_reports(
        read_import(grown.encode(), "night.csv", ImportFormat.CSV), user="kim"
    )
    assert (more.added, more.known) == (1, 4)
    line = store.payouts(PayoutQuery(round="T1-1"))[0]
    assert (line.paid, line.source) == (1000, FeedSource.IMPORT)
    assert verify(store).holds


def test_an_import_with_a_bad_line_names_all_of_them_and_adds_nothing(store: Store) -> None:
    start_table(store, "T1", START, at=NOW)
    store.record_wager("T1", FeedNote(1, "ante", 500, client_id="used"), at=NOW)
    good = (
        '{"at": "2026-11-30T05:40:00Z", "kind": "wager", "seat": 1, "wager": "ante", "amount": 1}'
    )
    bad = [
        good,
        "{",
        good.replace('"seat": 1', '"seat": 9'),
        good.replace("05:40:00Z", "05:40:00"),
        good.replace("ante", "raise"),
        good.replace("}", ', "table": "T9"}'),
        good.replace("}", ', "client_id": "used"}'),
        good.replace("}", ', "corrects": "nobody"}'),
        good.replace("}", ', "amout": 3}'),
    ]
    file = read_import("\n".join(bad).encode(), "a.jsonl", ImportFormat.JSON_LINES, table="T1")
    before = store.last_id()
    with pytest.raises(ImportRefused, match=r"line 2: not JSON.*\(and 7 more\)") as caught:
        store.import_reports(file, user="kim")
    assert [problem.line for problem in caught.value.problems] == list(range(2, 10))
    assert "expected one that was watched" in caught.value.problems[4].text
    assert store.last_id() == before


def test_an_amount_told_twice_in_one_line_is_refused_in_imports_and_in_feeds(
    tmp_path: Path,
) -> None:
    line = '{"at": %s, "kind": "payout", "seat": 1, "wager": "ante", "amount": 1, "amount": 900}'
    told = "amount: found twice in one object, expected once"
    dated = (line % '"2026-11-30T05:40:00Z"').encode()
    (problem,) = read_import(dated, "a.jsonl", ImportFormat.JSON_LINES, table="T1").problems
    assert str(problem) == f"line 1: {told}"
    feed = tmp_path / "feed.jsonl"
    feed.write_text(line % 1.0)
    with pytest.raises(SettingsError, match=f"line 1: {told}"):
        read_feed(feed, GAMES["three-card-whist"])


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "line 1: found no column 'at'"),
        (b"at,kind\n", "line 1: found no column 'seat'"),
        (b"at,kind,seat,wager,amount,tip\n", "line 1: found column 'tip'"),
        (b"at,kind,seat,wager,amount\n\xff", "line 2: found bytes that are not UTF-8"),
    ],
)
def test_a_file_that_is_none_is_told_with_its_line(data: bytes, told: str) -> None:
    with pytest.raises(ImportRefused, match=told):
        read_import(data, "a.csv", ImportFormat.CSV)
