"""Law: one breach is one alert, and every act on it is kept."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.alerts import OPEN_STATES, AlertState, Breach
from audit.chain import SYSTEM
from audit.errors import NotInRecord, RecordConflict
from audit.store import (
    AlertQuery,
    ProvedFinding,
    Store,
)
from rules.cards import PACK
from rules.events import (
    SEATS,
    Spot,
    Wager,
)
from rules.findings import Finding, FindingCode, Severity
from tests.audit.conftest import OpenStore
from tests.audit.record_builders import NOW, finding, judged, kinds, later, proved, record_round


def test_one_breach_is_one_alert_however_often_it_is_seen(opened: OpenStore) -> None:
    store = opened()
    assert len(store.record_finding("T1", proved(), anchor=NOW).alerts) == 1
    assert store.record_finding("T1", proved(), anchor=later(1)).alerts == ()
    again = opened()
    assert again.record_finding("T1", proved(), anchor=later(2)).alerts == ()
    (alert,) = again.alerts()
    assert (alert.number, alert.sightings, alert.last_seen) == (1, 3, later(5))


@pytest.mark.parametrize(
    "other",
    [
        {"seat": 2},
        {"trick": 2},
        {"rule": "TCW-12b", "code": "failed-to-trump"},
        {"wager": "ante"},
        {"code": "card-exposed", "spot": "seat-1"},
    ],
    ids=["seat", "trick", "code", "wager", "spot"],
)
def test_another_breach_is_another_alert(store: Store, other: dict[str, object]) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    store.record_finding("T1", ProvedFinding(finding() | other, 3.0, "T1-1"), anchor=NOW)
    store.record_finding("T1", replace(proved(), round="T1-2"), anchor=NOW)
    store.record_finding("T2", proved(), anchor=NOW)
    assert [alert.number for alert in store.alerts()] == [4, 3, 2, 1]


def test_information_is_kept_and_raises_no_alert(store: Store) -> None:
    store.record_finding("T1", proved("card-exposed", severity="info"), anchor=NOW)
    assert kinds(store) == ["rules.finding.raised"]
    assert store.alerts() == []


findings = st.builds(
    Finding,
    code=st.sampled_from(FindingCode),
    rule=st.just("TCW-1"),
    severity=st.sampled_from(Severity),
    seat=st.none() | st.sampled_from(SEATS),
    trick=st.none() | st.integers(1, 3),
    wager=st.none() | st.sampled_from(Wager),
    spot=st.none() | st.sampled_from([Spot.parse("dealer"), Spot.parse("seat-1")]),
    card=st.none() | st.sampled_from(PACK[:2]),
)


@given(findings, findings)
def test_two_findings_are_one_breach_exactly_when_the_rules_say_so(
    one: Finding, other: Finding
) -> None:
    keys = [
        Breach.of(
            "T1",
            "T1-1",
            {
                "code": found.code.value,
                "rule": found.rule,
                "severity": found.severity.value,
                "seat": found.seat,
                "trick": found.trick,
            }
            | found.extras(),
        ).key
        for found in (one, other)
    ]
    assert (keys[0] == keys[1]) == (one.key == other.key)


def test_a_round_raises_only_what_was_not_raised_live(store: Store) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    told = [finding(), finding("underpaid", trick=None, wager="ante")]
    record_round(store, "T1", judged(findings=told), anchor=NOW)
    assert [alert.code for alert in store.alerts()] == ["underpaid", "failed-to-follow-suit"]
    assert kinds(store).count("rules.finding.raised") == 2
    assert "rules.finding.repeated" not in kinds(store)


def test_an_acknowledged_alert_does_not_come_back_after_a_restart(opened: OpenStore) -> None:
    store = opened()
    store.record_finding("T1", proved(), anchor=NOW)
    alert = store.acknowledge(1, user="kim", note="seen", at=later(9))
    assert (alert.state, alert.acknowledged_by, alert.acknowledged) == (
        AlertState.ACKNOWLEDGED,
        "kim",
        later(9),
    )
    again = opened()
    again.record_finding("T1", proved(), anchor=NOW)
    assert again.alert(1).state is AlertState.ACKNOWLEDGED
    assert again.acknowledge(1, user="lee").acknowledged_by == "kim"
    assert kinds(again, SYSTEM).count("user.alert.moved") == 1


def test_an_alert_lives_to_its_judgement_and_every_act_is_kept(store: Store) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    store.move_alert(1, AlertState.UNDER_REVIEW, user="kim", at=later(10))
    store.assign_alert(1, "lee", user="kim", at=later(11))
    store.comment_alert(1, "The replay shows it.", user="lee", at=later(12))
    store.move_alert(1, AlertState.NOT_CONFIRMED, user="lee", note="glare", at=later(13))
    assert store.alerts(AlertQuery(states=OPEN_STATES)) == []
    alert = store.move_alert(1, AlertState.CLOSED, user="kim", at=later(14))
    assert (alert.assignee, alert.comments, alert.changed_by) == ("lee", 1, "kim")
    told = [(act.user, act.act, act.detail, act.note) for act in store.alert_acts(1)]
    assert told == [
        ("kim", "moved", "under-review", ""),
        ("kim", "assigned", "lee", ""),
        ("lee", "commented", "", "The replay shows it."),
        ("lee", "moved", "not-confirmed", "glare"),
        ("kim", "moved", "closed", ""),
    ]


@pytest.mark.parametrize("to", [AlertState.CONFIRMED, AlertState.CLOSED, AlertState.UNREADABLE])
def test_a_new_alert_is_not_judged_before_somebody_took_it_up(store: Store, to: AlertState) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    with pytest.raises(RecordConflict, match="alert 1 is new"):
        store.move_alert(1, to, user="kim")
    assert store.alert(1).state is AlertState.NEW


ON_ALERT_7: dict[str, Callable[[Store], object]] = {
    "acknowledge": lambda store: store.acknowledge(7, user="kim"),
    "move": lambda store: store.move_alert(7, AlertState.CLOSED, user="kim"),
    "comment": lambda store: store.comment_alert(7, "x", user="kim"),
    "read": lambda store: store.alert(7),
}


@pytest.mark.parametrize("act", sorted(ON_ALERT_7))
def test_an_alert_that_is_not_there_is_said_so(store: Store, act: str) -> None:
    with pytest.raises(NotInRecord, match="no alert 7"):
        ON_ALERT_7[act](store)


def test_alerts_are_asked_for_by_what_matters(store: Store) -> None:
    store.record_finding("T1", proved(), anchor=NOW)
    store.record_finding("T2", proved("misdeal", severity="critical"), anchor=NOW)
    store.acknowledge(1, user="kim")

    def numbers(query: AlertQuery) -> list[int]:
        return [alert.number for alert in store.alerts(query)]

    assert numbers(AlertQuery(table="T2")) == [2]
    assert numbers(AlertQuery(round="T1-1")) == [2, 1]
    assert numbers(AlertQuery(states=frozenset({AlertState.ACKNOWLEDGED}))) == [1]
    assert numbers(AlertQuery(severity=Severity.CRITICAL)) == [2]
    assert numbers(AlertQuery(code="misdeal")) == [2]
    assert numbers(AlertQuery(after=1)) == [2]
    assert numbers(AlertQuery(limit=1)) == [2]
    assert numbers(AlertQuery(table="T2", states=OPEN_STATES)) == [2]
