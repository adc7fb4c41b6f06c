"""The law: a round, payout, hand or entry is found again, and what is done about it is recorded."""

import re
from datetime import timedelta
from html import unescape
from typing import cast

import pytest
from fastapi import FastAPI

from audit.alerts import AlertState
from audit.auth.permissions import Role
from audit.payouts import FeedSource
from audit.store import Store
from tests.web import samples
from tests.web.asking import Client, session
from tests.web.film import film

ACT = {"X-Pitwatch-Act": "1"}


@pytest.fixture
def played(client: Client, store: Store) -> Client:
    """A table with a whole round: its cards, its proof, its end."""
    samples.start_table(store)
    samples.see(store, samples.tricks())
    samples.find(store, samples.FOLLOW)
    samples.end_round(store)
    return client


def person(client: Client, role: Role, table: str | None = None) -> Client:
    app = cast("FastAPI", client.app)
    return Client(app, token=session(app, role, name=f"kim-{role.value}", table=table))


def post(client: Client, path: str, **body: object) -> dict[str, object]:
    answer = client.post(path, json=body, headers=ACT)
    assert answer.status_code in (200, 201), answer.text
    found: dict[str, object] = answer.json()
    return found


@pytest.mark.parametrize(
    ("search", "there"),
    [
        ("card=6D&card=KD", True),
        ("card=2S", False),
        ("finding=overpaid", True),
        ("finding=misdeal", False),
        ("amount=75", True),
        ("amount=75.01", False),
        ("seat=2&flagged=1&outcome=reconstruct", True),
        ("seat=5", False),
        ("since=2026-11-30T05:33&until=2026-11-30T05:34", True),
        ("until=2026-11-30T05:33", False),
        ("dealer=kim", False),
    ],
)
def test_a_round_is_found_by_what_is_in_it(played: Client, search: str, there: bool) -> None:
    page = played.get(f"/rounds?{search}").text
    assert ('href="/rounds/T1-0001"' in page) is there
    assert ("No round fits this search." in page) is not there


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("card=XX", "This is no card."),
        ("amount=1.234", "This is no amount."),
        ("amount=99999999999999", "This is no amount."),
        ("since=yesterday", "This is no date and time."),
        ("finding=nothing", "This is not one of the choices."),
        ("outcome=" + "x" * 201, "This is too long."),
    ],
)
def test_a_field_that_is_not_understood_is_told_beside_it(
    played: Client, field: str, told: str
) -> None:
    page = played.get(f"/rounds?{field}")
    assert page.status_code == 200
    assert told in page.text
    assert "Nothing was searched" in page.text


def test_a_payout_is_found_by_its_amount_and_added_up(played: Client) -> None:
    page = played.get("/payouts?amount=75&of=paid").text
    assert page.count('href="/rounds/T1-0001"') == 1
    assert "+25.00" in page
    sums = played.get("/fragments/balance?amount=75&of=paid").text
    assert "75.00" in sums
    assert "No payout fits" in played.get("/payouts?amount=75&of=taken").text


def test_a_narrowed_search_of_payouts_goes_on_from_where_its_page_ended(
    played: Client, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.store.searching.LINES_LOOKED_THROUGH", 4)
    samples.end_round(store, "T1-0002", "T1-0003")
    page, seen = played.get("/payouts?wager=play").text, 0
    while older := re.search(r'href="(/payouts[^"]*after=[^"]*)"', page):
        assert "Looked through the payouts back to" in page
        page, seen = played.get(unescape(older[1])).text, seen + 1
    assert seen > 0
    assert 'href="/rounds/T1-0001"' in page


def test_a_dealer_is_found_by_the_time_at_the_table(client: Client, store: Store) -> None:
    samples.start_table(store)
    body = {"dealer": "kim", "at": (samples.START - timedelta(hours=1)).isoformat()}
    post(client, "/api/v1/tables/T1/dealer-on", **body)
    samples.end_round(store)
    assert 'href="/rounds/T1-0001"' in client.get("/rounds?dealer=kim").text


def test_an_alert_goes_its_way_over_the_web(played: Client, store: Store) -> None:
    post(played, "/api/v1/alerts/1/assignment", assignee="kim")
    post(played, "/api/v1/alerts/1/escalation", to="surveillance", note="look")
    post(played, "/api/v1/alerts/1/comments", note="<b>seen</b>")
    post(played, "/api/v1/alerts/1/answer", cause="a slip", action="told the player")
    post(played, "/api/v1/alerts/1/mute", minutes=5, note="known")
    queue = played.get("/fragments/alerts").text
    for told in ("with kim", "escalated to surveillance", "1 comment", "muted until"):
        assert told in queue
    assert "<b>seen</b>" not in played.get("/replay/T1-0001?alert=1").text
    post(played, "/api/v1/alerts/1/judgement", verdict="not-confirmed", note="the card lay there")
    assert store.alert(1).state is AlertState.NOT_CONFIRMED
    again = played.post(
        "/api/v1/alerts/1/judgement", json={"verdict": "confirmed", "note": "x"}, headers=ACT
    )
    assert again.status_code == 409
    acts = [act["act"] for act in played.get("/api/v1/alerts/1/acts").json()]
    assert acts == ["assigned", "escalated", "commented", "answered", "muted", "moved", "moved"]


def test_muting_the_wall_is_recorded(client: Client, store: Store) -> None:
    post(client, "/api/v1/wall/mute", minutes=15)
    muted = [entry for entry in store.entries_after() if entry.body.get("act") == "wall.muted"]
    assert [entry.body["user"] for entry in muted] == ["local"]


def test_a_replay_shows_the_hand_on_its_time_line(played: Client, store: Store) -> None:
    film(store, samples.START - timedelta(seconds=5), 2)
    page = played.get("/replay/T1-0001?alert=1").text
    assert page.count("lane-card breach") == 1
    for told in ("Suit not followed", "Could have been played", "Held then", "Moment of proof"):
        assert told in page
    assert "/media/segments/" in page
    assert 'data-at="' in page
    assert played.get("/seen/T1-0001").json() == {"cards": [], "moments": []}


def test_recorded_video_is_given_in_parts_and_only_to_who_may_see_it(
    played: Client, store: Store
) -> None:
    entry = film(store, samples.START, 1)
    size = store.segment(entry).size
    path = f"/media/segments/{entry}"
    assert len(played.get(path).content) == size
    part = played.get(path, headers={"Range": "bytes=10-19"})
    assert (part.status_code, len(part.content)) == (206, 10)
    assert part.headers["content-range"] == f"bytes 10-19/{size}"
    assert played.get(path, headers={"Range": f"bytes={size}-"}).status_code == 416
    assert played.get("/media/segments/999").status_code == 404
    pit = person(played, Role.PIT)
    assert pit.get(path).status_code == 403
    assert pit.get("/replay/T1-0001").status_code == 403


def test_a_case_is_opened_noted_linked_and_closed(played: Client) -> None:
    links = [{"kind": "round", "ref": "T1-0001"}]
    case = post(played, "/api/v1/cases", title="Seat 1 <i>asks</i>", kind="dispute", links=links)
    path = f"/cases/{case['number']}"
    post(played, f"/api/v1{path}/notes", note="The patron saw the replay.")
    post(played, f"/api/v1{path}/closing", outcome="for-house", note="as observed")
    page = played.get(path).text
    for told in ("The patron saw the replay.", "For the house", 'href="/rounds/T1-0001"'):
        assert told in page
    assert "<i>asks</i>" not in page
    assert 'href="/cases/1"' in played.get("/rounds/T1-0001").text
    assert "No case fits" in played.get("/cases?state=open&kind=dispute").text


def test_a_line_of_the_log_is_put_right_by_another(played: Client) -> None:
    line = {"occurred": "2026-11-30T05:33:00Z", "employee": "lee", "location": "T1 seat 1"}
    post(played, "/api/v1/log", summary="Looked at seat 1", **line)
    post(played, "/api/v1/log", summary="Looked at seat 2", corrects=1, **line)
    page = played.get("/log").text
    assert "puts line 1 right" in page
    assert "put right by line 2" in page


def test_what_one_asked_for_only_another_approves(played: Client) -> None:
    asked = post(
        played, "/api/v1/approvals", act="finding.void", subject="1", reason="two cards stuck"
    )
    path = f"/api/v1/approvals/{asked['number']}/decision"
    own = played.post(path, json={"to": "approved"}, headers=ACT)
    assert own.status_code == 409
    assert "two cards stuck" in played.get("/approvals").text
    other = person(played, Role.COMPLIANCE)
    post(other, path, to="approved", note="seen")
    assert "Nothing waits for a second person." in played.get("/approvals").text


def test_an_entry_is_proved_to_stand_under_the_last_checkpoint(
    played: Client, store: Store
) -> None:
    fragment = f"/fragments/proof/{store.last_id()}"
    assert "No checkpoint covers this entry yet" in played.post(fragment, headers=ACT).text
    store.checkpoint()
    proof = played.post(fragment, headers=ACT).text
    assert "steps to the root of checkpoint 1" in proof
    assert "is signed with the key" in proof
    page = played.get(f"/audit/entries/{store.last_id()}").text
    assert "what was hashed" in page
    assert "rules.round.read" in played.get("/audit?kind=rules.round.read&chain=T1").text


def test_what_the_dealer_enters_is_kept_once_and_undone_by_a_correction(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    screen = person(client, Role.DEALER_SCREEN, table="T1")
    assert 'id="pad" open' in screen.get("/tables/T1/dealer").text
    report = {"seat": 3, "wager": "ante", "amount": 2500, "source": "dealer-screen"}
    first = post(screen, "/api/v1/tables/T1/wagers", client_id="screen-1", **report)
    again = post(screen, "/api/v1/tables/T1/wagers", client_id="screen-1", **report)
    assert again == first
    undone = report | {"amount": 0, "corrects": first["entry"]}
    post(screen, "/api/v1/tables/T1/wagers", client_id="screen-2", **undone)
    listed = screen.get("/fragments/dealer/T1/entries").text
    assert "replaced" in listed
    assert listed.count("data-undo=") == 1
    assert {line.source for line in store.feed_lines("T1")} == {FeedSource.DEALER_SCREEN}
