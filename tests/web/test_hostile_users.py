"""The law: nobody gets further by a trick than their role allows, and a try is logged."""

import threading
import time
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI

from audit.approvals import ApprovalState, NewApproval, SensitiveAct
from audit.auth import secrets
from audit.auth.door import Door, MustWait, NotLetIn
from audit.auth.permissions import Role, Scope
from audit.auth.registry import By, Registry, Wanted
from audit.auth.sessions import Purpose
from audit.errors import AuditError
from audit.settings import Settings
from audit.store import Store
from audit.store.access import AccessQuery, AccessStore
from audit.web import evidence_api
from audit.web.app import create_app
from audit.web.entrance import within
from audit.web.stream import while_signed_in
from tests.web import samples
from tests.web.asking import COOKIE, Client, machine, session
from tests.web.visitors import PAGE, PASSWORD, acts_of, add, person, send

ACT = {"X-Pitwatch-Act": "1"}
ACKNOWLEDGE = "/api/v1/alerts/1/acknowledge"


@pytest.fixture
def app(store: Store, settings: Settings) -> FastAPI:
    samples.start_table(store)
    samples.find(store, samples.FOLLOW)
    samples.end_round(store)
    return create_app(store, settings)


def access(app: FastAPI) -> AccessStore:
    found: AccessStore = app.state.access
    return found


def refusals(app: FastAPI) -> list[str]:
    return [f"{line.subject} {line.detail}" for line in access(app).log(AccessQuery(act="refused"))]


def kept(store: Store) -> str:
    return "".join(str(entry.body) for entry in store.entries_after(0, limit=1000))


def test_a_link_opened_beside_an_ended_session_does_not_get_into_the_record(
    app: FastAPI, store: Store
) -> None:
    door: Door = app.state.door
    add(app, "bob", Role.PIT)
    token = door.make_link(Purpose.PASSWORD, "root", account="bob")
    ended = {"Cookie": f"{COOKIE}=ended-long-ago"}
    assert Client(app).get(f"/welcome/{token}", headers=ended).status_code == 200
    Client(app).get(f"/welcome/{token}/%2e%2e/x", headers=ended)
    Client(app).get(f"/welcome/{token}", headers={"Authorization": "Bearer none"})
    assert len(refusals(app)) == 3
    assert token not in kept(store)


def test_a_link_that_was_used_or_guessed_is_told_in_the_log(app: FastAPI) -> None:
    assert Client(app).get(f"/welcome/{'x' * 43}").status_code == 410
    assert refusals(app) == [
        "GET /welcome/… this link was used already, or has ended; ask for a new one"
    ]


def test_a_password_made_of_ones_own_name_uses_no_link_up(app: FastAPI) -> None:
    registry: Registry = app.state.registry
    name = "Wolfeschlegelsteinhausenbergerdorff"
    registry.add("hubert", Wanted((Role.PIT,), display=name), By("root"))
    path = f"/welcome/{app.state.door.make_link(Purpose.PASSWORD, 'root', account='hubert')}"
    assert send(Client(app), path, password=name, again=name).status_code == 422
    assert send(Client(app), path, password=PASSWORD, again=PASSWORD).status_code == 303


@pytest.mark.parametrize(
    "origin", ["http://[", "null", "http://127.0.0.1:8000@evil.example", "x" * 9000]
)
def test_an_origin_of_any_form_is_refused_in_a_line(app: FastAPI, origin: str) -> None:
    answer = person(app, Role.PIT).post(ACKNOWLEDGE, headers=ACT | {"Origin": origin})
    assert answer.status_code == 403
    assert len(answer.text) < 200


def test_another_origin_each_time_fills_no_record(app: FastAPI, store: Store) -> None:
    pit, before = person(app, Role.PIT), store.last_id()
    for number in range(9):
        origin = {"Origin": f"http://evil-{number}.example"}
        assert pit.post(ACKNOWLEDGE, headers=ACT | origin).status_code == 403
    assert store.last_id() == before + 1


def test_a_next_page_of_any_form_is_no_error(app: FastAPI) -> None:
    assert within("//[") is None
    assert Client(app).get("/login?next=%2F%2F%5B").status_code == 200


def test_a_stranger_who_sends_a_form_is_told_in_the_log(app: FastAPI) -> None:
    assert send(Client(app), "/accounts", name="eve", roles="administrator").status_code == 401
    assert refusals(app) == ["POST /accounts sign in first"]


def test_a_stranger_does_not_learn_which_tables_there_are(app: FastAPI) -> None:
    answers = [
        send(Client(app), "/login/demo", visitor="dealer", table=table) for table in ("T1", "T9")
    ]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].text == answers[1].text


def test_guesses_that_come_at_once_are_no_more_than_those_in_a_row(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.state.registry.add("bob", Wanted((Role.PIT,)), By("root"))
    door: Door = app.state.door
    monkeypatch.setattr(secrets, "matches", lambda *_: time.sleep(0.05))  # As long as a hash.
    found: list[type[AuditError]] = []

    def guess(number: int) -> None:
        try:
            door.sign_in("bob", f"guess number {number}", "10.0.0.9")
        except (NotLetIn, MustWait) as refused:
            found.append(type(refused))

    threads = [threading.Thread(target=guess, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (found.count(NotLetIn), found.count(MustWait)) == (5, 15)


def test_the_stream_of_a_revoked_key_ends(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    door: Door = app.state.door
    who = door.machine(machine(app, Scope.READ), "10.0.0.1")
    assert who is not None
    assert who.key is not None
    monkeypatch.setattr("audit.web.stream.ALIVE_S", 0.0)
    read = while_signed_in(app.state.desk.read_after, who, door)
    assert read(0, 10)
    app.state.registry.revoke_key(who.key, By("root"))
    with pytest.raises(AuditError, match="revoked"):
        read(0, 10)


def test_what_a_key_reads_of_the_record_is_told_in_the_log(app: FastAPI) -> None:
    bearer = {"Authorization": f"Bearer {machine(app, Scope.READ)}"}
    for path in ("/api/v1/entries?after=0", "/fragments/balance"):
        assert Client(app).get(path, headers=bearer).status_code == 200
    found = {line.act for line in access(app).log(AccessQuery())}
    assert {"live.follow", "round.view"} <= found


def test_a_key_sees_no_picture_and_confirms_no_payout(app: FastAPI, settings: Settings) -> None:
    settings.live_dir.mkdir()
    (settings.live_dir / "T1.jpg").write_bytes(b"picture")
    bearer = {"Authorization": f"Bearer {machine(app, *Scope)}"}
    assert Client(app).get("/tables/T1/live.jpg", headers=bearer).status_code == 403
    confirmation = {"round": "T1-0001", "seat": 1, "wager": "ante"}
    path = "/api/v1/payouts/confirmation"
    assert Client(app).post(path, json=confirmation, headers=bearer).status_code == 403
    assert person(app, Role.PIT).post(path, json=confirmation, headers=ACT).status_code != 403
    assert any("a person confirms" in line for line in refusals(app))


@pytest.mark.parametrize("path", ["/reports/access-review", "/api/v1/reports/access-review"])
def test_who_looked_at_what_is_reported_to_those_alone_who_may_see_it(
    app: FastAPI, path: str
) -> None:
    for role, status in ((Role.SURVEILLANCE, 403), (Role.COMPLIANCE, 200)):
        here = person(app, role, name=role.value)
        assert here.get(path).status_code == status
    surveillance = person(app, Role.SURVEILLANCE)
    assert surveillance.post(path, json={}, headers=ACT).status_code == 403
    assert "access-review" not in surveillance.get("/reports").text
    bearer = {"Authorization": f"Bearer {machine(app, Scope.READ)}"}
    assert Client(app).get(path, headers=bearer).status_code == 403


def test_a_link_on_another_site_exports_nothing_in_ones_name(app: FastAPI) -> None:
    made: list[str] = []
    app.state.bundler = lambda round_id, user: made.append(f"{round_id} {user}")
    lured = PAGE | {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    answer = person(app, Role.SURVEILLANCE).get("/bundles/T1-0001", headers=lured)
    assert answer.status_code == 403
    assert made == []
    assert "GET /bundles/T1-0001" in refusals(app)[0]


def test_bundles_that_many_ask_for_take_no_page_its_thread(app: FastAPI) -> None:
    app.state.bundler = lambda _round, _user: None
    for _ in range(evidence_api.MOST_BUNDLES):
        assert evidence_api._asked_for.acquire(blocking=False)
    try:
        answer = person(app, Role.SURVEILLANCE).get("/bundles/T1-0001")
    finally:
        evidence_api._asked_for.release(evidence_api.MOST_BUNDLES)
    assert answer.status_code == 409


def test_nobody_is_their_own_second_person_and_who_tries_is_told_in_the_log(
    app: FastAPI, store: Store
) -> None:
    asked = store.ask_approval(NewApproval(SensitiveAct.VOID_FINDING, "1", "why", {}), user="kim")
    path = f"/api/v1/approvals/{asked.number}/decision"
    kims = [person(app, Role.SURVEILLANCE, name="kim") for _ in range(2)]
    for kim in kims:
        assert kim.post(path, json={"to": "approved"}, headers=ACT).status_code == 409
    assert store.alert(1).voided is None
    assert [line for line in refusals(app) if "expected a second user" in line]


@pytest.mark.parametrize("role", [Role.PIT, Role.ADMINISTRATOR])
def test_who_may_not_judge_a_finding_does_not_make_it_void_as_the_second_person(
    app: FastAPI, store: Store, role: Role
) -> None:
    asked = store.ask_approval(NewApproval(SensitiveAct.VOID_FINDING, "1", "why", {}), user="kim")
    path, form = f"/api/v1/approvals/{asked.number}/decision", 'name="to"'
    second = person(app, role, name="lee")
    for to in ("approved", "refused"):
        answer = second.post(path, json={"to": to}, headers=ACT)
        assert (answer.status_code, answer.json()["detail"]) == (
            403,
            "not permitted: finding.judge",
        )
    assert form not in second.get("/approvals", headers=PAGE).text
    assert store.approval(asked.number).state is ApprovalState.WAITING
    own = person(app, role, name="kim")  # Who asked takes it back all the same.
    assert form in own.get("/approvals", headers=PAGE).text
    assert own.post(path, json={"to": "withdrawn"}, headers=ACT).status_code == 200


def test_a_change_of_house_rules_is_approved_by_any_second_person_who_decides(
    app: FastAPI, store: Store
) -> None:
    new = NewApproval(SensitiveAct.CHANGE_HOUSE, "sha256:1", "why", {})
    asked = store.ask_approval(new, user="kim")
    path = f"/api/v1/approvals/{asked.number}/decision"
    pit = person(app, Role.PIT, name="lee")
    assert pit.post(path, json={"to": "approved"}, headers=ACT).status_code == 200


def test_a_report_that_somebody_else_asked_for_is_not_cancelled(app: FastAPI) -> None:
    surveillance = person(app, Role.SURVEILLANCE, name="min-ji")
    job = surveillance.post("/api/v1/reports/audit", json={}, headers=ACT).json()["job"]
    other = person(app, Role.COMPLIANCE, name="bob")
    cancel = f"/api/v1/reports/jobs/{job}/cancel"
    assert other.post(cancel, headers=ACT).status_code == 403
    assert surveillance.post(cancel, headers=ACT).status_code == 200
    assert acts_of(app, "bob")[-1] == "refused report.view"


def test_a_screen_reports_nothing_on_a_round_of_another_table(app: FastAPI, store: Store) -> None:
    samples.start_table(store, "T2")
    screen = Client(app, token=session(app, Role.DEALER_SCREEN, name="screen-T2", table="T2"))
    before = len(store.alerts())
    first = {"seat": 2, "wager": "play", "amount": 5000}
    path = "/api/v1/tables/T2/payouts"
    entry = screen.post(path, json=first, headers=ACT).json()["entry"]
    for more in ({}, {"corrects": entry}):
        foreign = first | more | {"amount": 1, "round": "T1-0001"}
        assert screen.post(path, json=foreign, headers=ACT).status_code == 409
    assert len(store.alerts()) == before


def test_what_a_browser_enters_is_no_feed_whatever_it_says(app: FastAPI, store: Store) -> None:
    wager = {"seat": 1, "wager": "ante", "amount": 1000, "source": "feed"}
    screen = Client(app, token=session(app, Role.DEALER_SCREEN, name="screen-T1", table="T1"))
    assert screen.post("/api/v1/tables/T1/wagers", json=wager, headers=ACT).status_code == 201
    key = {"Authorization": f"Bearer {machine(app, Scope.WAGERS_WRITE)}"}
    assert Client(app).post("/api/v1/tables/T1/wagers", json=wager, headers=key).status_code == 201
    assert {line.source.value for line in store.feed_lines("T1")} == {"dealer-screen", "feed"}


def test_no_dealer_begins_in_the_future_where_no_later_one_could_follow(
    app: FastAPI, store: Store
) -> None:
    pit, path = person(app, Role.PIT), "/api/v1/tables/T1/dealer-on"
    for ahead, status in ((timedelta(days=1), 422), (timedelta(0), 201)):
        at = (datetime.now(UTC) + ahead).isoformat()
        assert pit.post(path, json={"dealer": "Park", "at": at}, headers=ACT).status_code == status
    assert len(store.stints("T1")) == 1


@pytest.mark.parametrize("act", ["wagers", "payouts"])
def test_nothing_is_staked_or_paid_in_the_future_but_clocks_may_differ_a_little(
    app: FastAPI, store: Store, act: str
) -> None:
    pit, before = person(app, Role.PIT), store.feed_lines("T1")
    report = {"seat": 1, "wager": "ante", "amount": 1000}

    def told(ahead: timedelta) -> httpx.Response:
        at = (datetime.now(UTC) + ahead).isoformat()
        return pit.post(f"/api/v1/tables/T1/{act}", json=report | {"at": at}, headers=ACT)

    refused = told(timedelta(minutes=6))
    assert refused.status_code == 422
    (problem,) = refused.json()["detail"]
    assert problem["loc"] == ["body", "at"]
    assert "found a moment in the future, expected one that has been" in problem["msg"]
    assert store.feed_lines("T1") == before
    assert told(timedelta(minutes=4)).status_code == 201


@pytest.mark.parametrize("detail", ['{"x":' + "[" * 400 + "]" * 400 + "}", r'{"\u0000": 1}'])
def test_a_detail_that_cannot_be_shown_again_is_refused(app: FastAPI, detail: str) -> None:
    body = f'{{"act": "house.change", "subject": "a", "reason": "b", "detail": {detail}}}'.encode()
    headers = ACT | {"Content-Type": "application/json"}
    answer = person(app, Role.PIT).post("/api/v1/approvals", content=body, headers=headers)
    assert answer.status_code == 422


@pytest.mark.parametrize("name", ["terminal", "demo", "screen-t1"])
def test_no_account_has_the_name_of_who_acts_without_one(app: FastAPI, name: str) -> None:
    registry: Registry = app.state.registry
    with pytest.raises(AuditError, match="choose another"):
        registry.add(name, Wanted((Role.PIT,)), By("root"))
