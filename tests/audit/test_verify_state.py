"""Law: current state is what the entries say, and the database refuses to change these."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from audit.alerts import MAY_COME_FROM, AlertState
from audit.approvals import ApprovalState, NewApproval, SensitiveAct
from audit.cases import CaseOutcome, NewCase
from audit.database import WRITING
from audit.errors import RecordConflict
from audit.faults import FaultKind
from audit.logbook import LogNote
from audit.payouts import FeedNote
from audit.store import DealerNote, Store, WagerAt, open_store
from audit.store.scan import GUARDS_OF
from tests.audit.record_builders import (
    NOW,
    START,
    finding,
    gap,
    judged,
    later,
    proved,
    record_round,
    see,
    start_table,
    turned,
)
from tests.audit.tampering import assert_found, tamper, verified


@pytest.mark.parametrize(
    ("statement", "where", "told"),
    [
        ("UPDATE alert SET state = 'closed' WHERE number = 1", "Alert 1", "state"),
        ("UPDATE alert SET acknowledged_by = 'lee' WHERE number = 1", "Alert 1", "acknowledged_by"),
        ("UPDATE alert SET state = 'nonsense' WHERE number = 1", "Alert", "none"),
        ("DELETE FROM alert WHERE number = 2", "Alert 2", "missing"),
        ("UPDATE payout_line SET paid = 5 WHERE round = 'T1-1' AND wager = 'ante'",
         "PayoutLine T1-1 1 ante", "paid is 5, the entries say -1000"),
        ("DELETE FROM payout_line WHERE round = 'T1-1' AND wager = 'ante'",
         "PayoutLine T1-1 1 ante", "missing"),
        ("UPDATE round SET outcome = 'void' WHERE round = 'T2-1'", "RecordedRound T2-1", "outcome"),
        ("UPDATE round SET result = '{}' WHERE round = 'T2-1'", "RecordedRound T2-1", "result"),
        ("UPDATE feed_line SET amount = 1", "FeedLine", "amount"),
        ("UPDATE gap SET reason = 'none'", "Gap", "reason"),
        ("UPDATE table_state SET house = 'other' WHERE \"table\" = 'T1'", "TableState T1", "house"),
        ("UPDATE table_state SET late_s = 9 WHERE \"table\" = 'T1'", "TableState T1", "late_s"),
        ("DELETE FROM alert_act", "AlertAct", "missing"),
        ("UPDATE outbox SET event = 'evt_0'", "OutboxEvent", "event is 'evt_0'"),
        ("DELETE FROM outbox", "OutboxEvent", "missing"),
        ("UPDATE alert SET tone = NULL WHERE number = 1", "Alert 1", "tone is None"),
        ("UPDATE feed_line SET corrected_by = 1", "FeedLine", "corrected_by is 1"),
        ("UPDATE spot_report SET \"user\" = 'lee'", "SpotReport T1 1 ante", "user is 'lee'"),
        ("INSERT INTO gap (entry, \"table\", started, reason) VALUES (900, 'T1', "
         "'2026-11-30T05:33:00.000000Z', 'x')", "Gap 900", "no entry"),
    ],
)  # fmt: skip
def test_current_state_that_the_entries_do_not_say_is_named(
    sealed: Store, statement: str, where: str, told: str
) -> None:
    tamper(sealed, statement)
    fault = verified(sealed).fault
    assert fault is not None
    assert fault.kind is FaultKind.PROJECTION
    assert fault.where.startswith(where)
    assert told in fault.text


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET kind = kind WHERE id = 2",
        "DELETE FROM entry WHERE id = 2",
        "DELETE FROM entry",
        "UPDATE checkpoint SET line = ''",
        "DELETE FROM checkpoint",
    ],
)
def test_the_database_itself_refuses_to_change_the_record(sealed: Store, statement: str) -> None:
    assert_refused(sealed, statement)
    assert verified(sealed).holds


def assert_refused(store: Store, statement: str) -> None:
    writing = store.engine.execution_options(**{WRITING: True})
    with writing.connect() as connection, pytest.raises(Exception, match="append-only"):
        connection.execute(text(statement))


def test_no_shorter_way_around_the_triggers_is_open(sealed: Store) -> None:
    if sealed.engine.dialect.name == "postgresql":
        assert_refused(sealed, "TRUNCATE entry")
        assert_refused(sealed, "TRUNCATE checkpoint")
        return
    # A connection of somebody else's, on which replacing a row asks no DELETE trigger.
    with closing(sqlite3.connect(str(sealed.engine.url.database))) as connection:
        for place in ("id", "999"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(REPLACE.replace("?", place))


REPLACE = (
    "INSERT OR REPLACE INTO entry SELECT ?, chain, number, at, 'x', body, previous, hash "
    "FROM entry WHERE id = 2"
)


def test_a_trigger_that_is_gone_is_named(sealed: Store) -> None:
    tamper(sealed, guards_back=False)
    first = min(GUARDS_OF[sealed.engine.dialect.name])
    assert_found(sealed, FaultKind.GUARD_MISSING, first)


@pytest.mark.parametrize(
    ("made", "kind", "where"),
    [
        ("entry_no_update BEFORE UPDATE ON entry WHEN 0 BEGIN SELECT RAISE(ABORT, 'x'); END",
         FaultKind.GUARD_MISSING, "entry_no_update"),
        ("entry_no_update BEFORE UPDATE ON gap BEGIN SELECT RAISE(ABORT, 'x'); END",
         FaultKind.GUARD_MISSING, "entry_no_update"),
        ("swallow BEFORE INSERT ON entry WHEN NEW.kind = 'rules.finding.raised' "
         "BEGIN SELECT RAISE(IGNORE); END", FaultKind.DAMAGED, "swallow"),
    ],
)  # fmt: skip
def test_a_trigger_that_refuses_nothing_or_keeps_entries_out_is_named(
    sealed: Store, made: str, kind: FaultKind, where: str
) -> None:
    if sealed.engine.dialect.name != "sqlite":
        assert verified(sealed).holds  # Replication and extensions have triggers of their own.
        return
    with sealed.engine.execution_options(**{WRITING: True}).begin() as connection:
        connection.execute(text(f"DROP TRIGGER IF EXISTS {where}"))
        connection.execute(text(f"CREATE TRIGGER {made}"))
    assert_found(sealed, kind, where)


Act = Callable[[Store, int], object]

ACTS: dict[str, Act] = {
    "start": lambda store, n: start_table(store, f"T{n % 2}", START, at=later(n)),
    "event": lambda store, n: see(store, f"T{n % 2}", [turned(at=float(n))], anchor=NOW),
    "finding": lambda store, n: store.record_finding(f"T{n % 2}", proved(seat=n), anchor=NOW),
    "round": lambda store, n: record_round(
        store, f"T{n % 2}", judged(f"T{n % 2}-{n}", findings=[finding(seat=n)]), anchor=NOW
    ),
    "correction": lambda store, n: record_round(
        store, f"T{n % 2}", judged(f"T{n % 2}-{n}", paid=n), anchor=NOW
    ),
    "wager": lambda store, n: store.record_wager(
        f"T{n % 2}", FeedNote(n, "ante", 100, client_id=str(n)), at=later(n)
    ),
    "gap": lambda store, n: gap(store, f"T{n % 2}", later(n), later(n + 1)),
    "checkpoint": lambda store, n: store.checkpoint(at=later(n)),
    "comment": lambda store, _: [
        store.comment_alert(alert.number, "seen", user="kim") for alert in store.alerts()[:1]
    ],
    "correct": lambda store, n: [
        store.correct_report(line.entry, n, user="kim", at=later(n))
        for line in store.feed_lines()[:1]
        if line.corrected_by is None
    ],
    "confirm": lambda store, n: [
        store.confirm_payout(WagerAt(line.round, line.seat, line.wager), user="kim", at=later(n))
        for line in store.payouts()[:1]
        if line.paid is not None
    ],
    "dealer": lambda store, n: store.dealer_on(
        f"T{n % 2}", DealerNote(f"dealer {n}"), at=later(100)
    ),
    "case": lambda store, n: [
        store.open_case(NewCase("x", note="y"), user="kim", at=later(n)),
        store.close_case(store.cases()[0].number, CaseOutcome.CONFIRMED, user="lee", at=later(n)),
    ],
    "log": lambda store, n: store.write_log(
        LogNote(later(n), "Kim", "x", "T1", corrects=None), user="kim"
    ),
    "void": lambda store, n: [
        store.decide_approval(
            store.ask_approval(
                NewApproval(SensitiveAct.VOID_FINDING, str(alert.number), "x", {"n": n}), user="kim"
            ).number,
            ApprovalState.APPROVED,
            user="lee",
        )
        for alert in store.alerts()[:1]
        if alert.voided is None
    ],
    "rotate": lambda store, n: store.rotate_key(user="kim", at=later(n)),
}


@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(st.sampled_from(sorted(ACTS)), st.integers(1, 3)), max_size=12))
def test_whatever_is_written_holds(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("record")
    store = open_store(f"sqlite:///{folder / 'record.db'}", folder)
    for name, number in acts:
        ACTS[name](store, number)
    for alert in store.alerts():
        for to in AlertState:
            now = store.alert(alert.number)
            if now.voided is None and now.state in MAY_COME_FROM[to]:
                store.move_alert(alert.number, to, user="kim")
    result = verified(store)
    store.close()
    assert result.fault is None


def test_every_state_of_an_alert_can_be_left_and_reached_as_the_table_says(store: Store) -> None:
    for number, (to, sources) in enumerate(sorted(MAY_COME_FROM.items()), start=1):
        store.record_finding("T1", proved(seat=number), anchor=NOW)
        if AlertState.NEW in sources or to is AlertState.NEW:
            assert store.move_alert(number, to, user="kim").state is to
        else:
            with pytest.raises(RecordConflict, match=f"alert {number} is new"):
                store.move_alert(number, to, user="kim")
