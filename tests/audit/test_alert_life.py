"""Law: an alert sounds, waits and goes on as the policy says, and only people end it."""

from datetime import timedelta

import pytest

from audit.alerts import AlertState
from audit.approvals import ApprovalState, NewApproval, SensitiveAct
from audit.chain import SYSTEM
from audit.errors import ChainError, NotInRecord, RecordConflict, SettingsError
from audit.policy import load_policy, parse_policy
from audit.store import Answer, Store, open_store
from audit.verify import verify
from rules.findings import Severity
from tests.audit.conftest import OpenStore
from tests.audit.record_builders import (
    NOW,
    START,
    kinds,
    later,
    proved,
    start_table,
)

POLICY = """
[[rule]]
codes = ["misdeal"]
severity = "critical"
tone = "off"
escalate_after_min = 5
escalate_to = "pit-manager"

[[rule]]
codes = ["overpaid"]
difference_at_least = 10000
severity = "critical"
"""


def watched(database_url: str, store: Store) -> Store:
    return open_store(database_url, store.data_dir, parse_policy(POLICY, "policy.toml"))


def test_the_policy_in_force_is_fixed_in_the_entry_that_opens_an_alert(
    database_url: str, store: Store
) -> None:
    again = watched(database_url, store)
    again.record_finding("T1", proved("misdeal"), anchor=NOW)
    alert = store.alert(1)
    assert (alert.severity, alert.tone) == (Severity.CRITICAL, None)
    assert (alert.escalate_to, alert.escalate_at) == ("pit-manager", later(3 + 300))
    assert alert.policy == parse_policy(POLICY, "policy.toml").version
    # The store without that policy folds the same: what holds is what the entry says.
    assert verify(store).holds
    again.close()


def test_an_alert_that_nobody_takes_up_goes_on_once(database_url: str, opened: OpenStore) -> None:
    store = opened()
    with_policy = watched(database_url, store)
    for seat in (1, 2, 3):
        with_policy.record_finding("T1", proved("misdeal", seat=seat), anchor=NOW)
    store.acknowledge(1, user="kim", at=later(10))
    store.mute_alert(2, later(900), user="kim", note="the camera is being cleaned", at=later(10))
    assert store.escalate_due(at=later(302)) == []
    (passed,) = store.escalate_due(at=later(303))
    assert (passed.number, passed.escalated_to, passed.escalated) == (3, "pit-manager", later(303))
    assert opened().escalate_due(at=later(304)) == []
    assert [alert.number for alert in store.escalate_due(at=later(901))] == [2]
    acts = [(act.user, act.act, act.detail) for act in store.alert_acts(3)]
    assert acts == [("policy", "escalated", "pit-manager")]
    assert verify(store).holds
    with_policy.close()


def test_mute_answer_and_comment_are_kept_with_who_and_when(store: Store) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    store.mute_alert(1, later(600), user="kim", note="known fault", at=later(5))
    assert store.alert(1).is_muted(later(599))
    assert not store.alert(1).is_muted(later(600))
    store.unmute_alert(1, user="lee", at=later(6))
    store.unmute_alert(1, user="lee", at=later(7))
    store.answer_alert(1, Answer("new dealer", "coached"), user="lee", at=later(8))
    store.escalate_alert(1, "compliance", user="lee", at=later(9))
    assert store.alert(1).muted_until is None
    told = [(act.at, act.user, act.act, act.detail, act.note) for act in store.alert_acts(1)]
    assert told == [
        (later(5), "kim", "muted", "2026-11-30T05:43:00.000000Z", "known fault"),
        (later(6), "lee", "muted", "", ""),
        (later(8), "lee", "answered", "new dealer", "coached"),
        (later(9), "lee", "escalated", "compliance", ""),
    ]


@pytest.mark.parametrize("until", [NOW, later(5), later(25 * 3600)])
def test_a_mute_ends_within_a_day(store: Store, until: object) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    with pytest.raises(RecordConflict, match="expected a moment within the next 24 hours"):
        store.mute_alert(1, until, user="kim", note="x", at=later(5))  # type: ignore[arg-type]  # parametrised
    with pytest.raises(ChainError, match="note: found 0 characters"):
        store.mute_alert(1, later(60), user="kim", note=" ", at=later(5))


def ask_void(store: Store) -> int:
    asked = NewApproval(SensitiveAct.VOID_FINDING, "1", "test card in play", {})
    return store.ask_approval(asked, user="kim", at=later(10)).number


def test_a_finding_is_void_only_when_a_second_person_agrees(store: Store) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    number = ask_void(store)
    for same in ("kim", "KIM", " kim "):
        with pytest.raises(RecordConflict, match="expected a second user"):
            store.decide_approval(number, ApprovalState.APPROVED, user=same)
    assert store.alert(1).voided is None
    with pytest.raises(RecordConflict, match="approval 1 of kim for the same waits"):
        ask_void(store)
    done = store.decide_approval(number, ApprovalState.APPROVED, user="lee", at=later(20))
    assert (done.state, done.decided_by) == (ApprovalState.APPROVED, "lee")
    alert = store.alert(1)
    assert (alert.state, alert.voided, alert.voided_by) == (AlertState.CLOSED, later(20), "lee")
    with pytest.raises(RecordConflict, match="void"):
        store.move_alert(1, AlertState.UNDER_REVIEW, user="kim")
    with pytest.raises(RecordConflict, match="is approved by lee"):
        store.decide_approval(number, ApprovalState.REFUSED, user="lee")
    assert kinds(store, SYSTEM)[-3:] == [
        "user.approval.asked",
        "user.approval.decided",
        "user.alert.voided",
    ]
    assert verify(store).holds


def test_a_request_is_refused_by_another_and_withdrawn_by_whoever_asked(store: Store) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    refused = store.decide_approval(ask_void(store), ApprovalState.REFUSED, user="lee", note="no")
    assert (refused.state, refused.note) == (ApprovalState.REFUSED, "no")
    second = ask_void(store)
    with pytest.raises(RecordConflict, match="asked for by kim, not lee"):
        store.decide_approval(second, ApprovalState.WITHDRAWN, user="lee")
    assert store.decide_approval(second, ApprovalState.WITHDRAWN, user="kim").number == 2
    assert store.alert(1).voided is None
    with pytest.raises(NotInRecord, match="no alert 9"):
        store.ask_approval(NewApproval(SensitiveAct.VOID_FINDING, "9", "x", {}), user="kim")


def test_other_house_rules_open_an_alert_unless_two_people_agreed(store: Store) -> None:
    from dataclasses import replace  # noqa: PLC0415

    start_table(store, "T1", START, at=NOW)
    assert store.alerts() == []
    start_table(store, "T1", replace(START, house="sha256:9"), at=later(60))
    assert [alert.code for alert in store.alerts()] == ["house-not-approved"]
    asked = NewApproval(SensitiveAct.CHANGE_HOUSE, "sha256:8", "new pay table", {"file": "b.toml"})
    number = store.ask_approval(asked, user="kim").number
    store.decide_approval(number, ApprovalState.APPROVED, user="lee")
    start_table(store, "T1", replace(START, house="sha256:8"), at=later(120))
    assert len(store.alerts()) == 1
    assert verify(store).holds


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[rule]]\ncodes = ["a"]\nseverty = "high"', "p.toml, line 3: rule[1].severty: unknown"),
        ('[[rule]]\n[[rule]]\nseverity = "grave"', "p.toml, line 3: rule[2].severity: found 'grav"),
        ("[[rule]]\nescalate_after_min = 0", "p.toml, line 2: rule[1].escalate_after_min: found 0"),
        ("[[rule]]\nescalate_after_min = 3", "p.toml, line 1: rule[1]: escalate_after_min and"),
        ('rules = "x"', "p.toml, line 1: rules: unknown key"),
        ("[[rule", "p.toml: not a TOML file"),
    ],
)
def test_a_policy_that_cannot_be_used_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_policy(text, "p.toml")
    assert str(caught.value).startswith(told)


def test_the_shipped_policy_is_usable_and_its_version_does_not_hang_on_comments() -> None:
    shipped = load_policy()
    assert len(shipped.rules) >= 4
    assert parse_policy(f"# more\n{POLICY}", "a").version == parse_policy(POLICY, "b").version
    assert timedelta(minutes=2).total_seconds() in {
        60 * (rule.escalate_after_min or 0) for rule in shipped.rules
    }
