"""The law: the JSON says what the pages say, and takes in only what the contract allows."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from audit.settings import Settings
from audit.store import Store
from tests.web import samples
from tests.web.asking import Client

WAGER: dict[str, Any] = {"seat": 1, "wager": "ante", "amount": 1000}
PAYOUT: dict[str, Any] = {"seat": 1, "wager": "ante", "amount": -1000}


def test_tables_rounds_alerts_and_entries_are_there_as_json(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.end_round(store)
    assert client.get("/api/v1/tables").json()["tables"][0]["table"] == "T1"
    assert client.get("/api/v1/rounds").json()["rounds"][0]["record"] == samples.record()
    assert client.get("/api/v1/rounds/T1-0001").json()["result"] == samples.result()
    alerts = client.get("/api/v1/alerts").json()["alerts"]
    assert [alert["code"] for alert in alerts] == ["overpaid", "failed-to-follow-suit"]
    entries = client.get("/api/v1/entries?after=1&limit=2").json()
    assert [entry["id"] for entry in entries["entries"]] == [2, 3]
    assert entries["head"] == store.last_id()
    heads = {head["chain"]: head["hash"] for head in client.get("/api/v1/heads").json()["heads"]}
    assert heads["T1"] == store.chain_heads()[0].hash


def test_alerts_are_narrowed_by_table_and_state(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.find(store, samples.FOLLOW)
    assert client.get("/api/v1/alerts?state=new&table=T1").json()["alerts"]
    assert not client.get("/api/v1/alerts?state=closed").json()["alerts"]
    assert not client.get("/api/v1/alerts?table=T2").json()["alerts"]
    assert client.get("/api/v1/alerts?state=gone").status_code == 422


def listed(client: Client) -> dict[str, str]:
    """Return the classes of each alert on the wall: `done` are those out of the queue."""
    lines = re.findall(
        r'<li class="([^"]*)" data-alert="(\d+)"', client.get("/fragments/alerts").text
    )
    return {number: classes for classes, number in lines}


def test_an_acknowledged_alert_leaves_the_queue_and_stays_known(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    samples.find(store, samples.FOLLOW)
    assert listed(client) == {"1": "alert sev-high"}
    answer = client.act("/api/v1/alerts/1/acknowledge")
    assert answer.status_code == 200
    assert answer.json()["state"] == "acknowledged"
    assert answer.json()["acknowledged_by"] == "local"
    assert listed(client) == {"1": "alert sev-high done"}
    assert "Acknowledged" in client.get("/fragments/alerts").text


def test_acknowledging_twice_is_one_act(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.find(store, samples.FOLLOW)
    client.act("/api/v1/alerts/1/acknowledge")
    head = store.last_id()
    assert client.act("/api/v1/alerts/1/acknowledge").status_code == 200
    assert store.last_id() == head


def test_acknowledging_what_is_not_there_is_said(client: Client) -> None:
    answer = client.act("/api/v1/alerts/9/acknowledge")
    assert answer.status_code == 404
    assert answer.json() == {"detail": "no alert 9 in the record"}


def test_a_wager_and_a_payout_get_into_the_record(client: Client, store: Store) -> None:
    samples.start_table(store)
    wager = client.post("/api/v1/tables/T1/wagers", json=WAGER | {"at": "2026-11-30T05:33:01Z"})
    assert wager.status_code == 201
    assert client.post("/api/v1/tables/T1/payouts", json=PAYOUT).status_code == 201
    first, second = store.feed_lines("T1")
    assert (first.amount, first.at) == (1000, datetime(2026, 11, 30, 5, 33, 1, tzinfo=UTC))
    assert (second.amount, second.act) == (-1000, "payout")


def test_the_same_report_under_the_same_client_id_is_kept_once(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    report = WAGER | {"client_id": "tray-17"}
    answers = [client.post("/api/v1/tables/T1/wagers", json=report) for _ in range(3)]
    assert {answer.json()["entry"] for answer in answers} == {store.last_id()}
    assert len(store.feed_lines("T1")) == 1


def test_another_report_under_a_used_client_id_is_refused(client: Client, store: Store) -> None:
    samples.start_table(store)
    client.post("/api/v1/tables/T1/wagers", json=WAGER | {"client_id": "tray-17"})
    other = WAGER | {"client_id": "tray-17", "amount": 2000}
    answer = client.post("/api/v1/tables/T1/wagers", json=other)
    assert answer.status_code == 409
    assert len(store.feed_lines("T1")) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"seat": 0},
        {"seat": 7},
        {"seat": "1"},
        {"seat": True},
        {"wager": "ante-bonus"},  # only ever paid
        {"wager": "tip"},
        {"wager": "raise"},  # of another game
        {"amount": -1},
        {"amount": 10.5},
        {"amount": "1000"},
        {"amount": 10**13},
        {"at": "2026-11-30T05:33:01"},  # no zone
        {"at": "yesterday"},
        {"client_id": ""},
        {"kind": "payout"},
        {"colour": "red"},
    ],
)
def test_a_report_that_breaks_the_contract_is_refused_and_nothing_is_kept(
    client: Client, store: Store, wrong: dict[str, Any]
) -> None:
    samples.start_table(store)
    answer = client.post("/api/v1/tables/T1/wagers", json=WAGER | wrong)
    assert answer.status_code == 422
    assert next(iter(wrong)) in answer.text
    assert store.feed_lines("T1") == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("amount", "NaN"),
        ("amount", "1e400"),
        ("client_id", '"\\ud800"'),
        ("seat", "true"),
        ("round", '"\\udfff"'),
        ("at", '"0001-01-01T00:00:00+14:00"'),
        ("at", '"9999-12-31T23:59:59-14:00"'),
        ("corrects", "99999999999999999999999"),
    ],
)
def test_values_beyond_all_use_are_refused_plainly(
    client: Client, store: Store, field: str, value: str
) -> None:
    samples.start_table(store)
    body = f'{{"seat": 1, "wager": "ante", "amount": 5, "{field}": {value}}}'
    headers = {"Content-Type": "application/json"}
    for act in ("wagers", "payouts"):
        answer = client.post(f"/api/v1/tables/T1/{act}", content=body.encode(), headers=headers)
        assert answer.status_code == 422
        assert field in answer.text
    assert store.feed_lines("T1") == []


def test_a_report_of_a_table_that_nobody_watches_is_refused(client: Client, store: Store) -> None:
    assert client.post("/api/v1/tables/T9/wagers", json=WAGER).status_code == 404
    assert client.post("/api/v1/tables/system/wagers", json=WAGER).status_code == 404
    assert store.feed_lines() == []


def test_the_verification_says_what_was_checked_and_is_itself_recorded(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    samples.end_round(store)
    store.checkpoint()
    count = store.last_id()
    answer = client.act("/api/v1/verification")
    assert answer.status_code == 200
    assert answer.json()["fault"] is None
    assert answer.json()["entries"] == count
    assert store.entries_after(count)[0].body["act"] == "record.verified"
    page = client.act("/fragments/verification").text
    assert "The record holds." in page
    assert "1 checkpoint was checked" in page
    assert "Entries covered" in client.get("/audit").text


def test_a_live_picture_comes_with_its_age_and_only_when_it_is_new(
    client: Client, settings: Settings
) -> None:
    assert client.get("/tables/T1/live.jpg").status_code == 204
    settings.live_dir.mkdir()
    (settings.live_dir / "T1.jpg").write_bytes(b"\xff\xd8first")
    first = client.get("/tables/T1/live.jpg")
    assert first.content == b"\xff\xd8first"
    assert first.headers["content-type"] == "image/jpeg"
    assert 0 <= float(first.headers["picture-age"]) < 5
    again = client.get("/tables/T1/live.jpg", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    (settings.live_dir / "T1.jpg").write_bytes(b"\xff\xd8second")
    newer = client.get("/tables/T1/live.jpg", headers={"If-None-Match": first.headers["etag"]})
    assert newer.content == b"\xff\xd8second"


def test_the_server_says_that_it_is_well(client: Client, store: Store) -> None:
    assert client.get("/healthz").json() == {"status": "ok", "head": store.last_id()}


def test_every_json_address_is_described(client: Client) -> None:
    described = client.get("/api/v1/openapi.json").json()["paths"]
    assert "/api/v1/tables/{table}/wagers" in described
    assert "/" not in described
    for methods in described.values():
        for operation in methods.values():
            assert operation.get("description") or operation.get("summary")
