"""The law: reports, corrections, dealers and imports get into the record once, whole, by name."""

import pytest

from audit.payouts import FeedSource
from audit.store import Store
from audit.web.size import MOST_BYTES
from tests.web import samples
from tests.web.asking import Client

ACT = {"X-Pitwatch-Act": "1"}
REPORT = {"seat": 1, "wager": "ante", "amount": 1000}
LINES = (
    b'{"at":"2026-11-30T05:40:00Z","kind":"wager","seat":1,"wager":"ante","amount":1000}\n'
    b'{"at":"2026-11-30T05:41:00Z","kind":"payout","seat":1,"wager":"ante","amount":500}\n'
)
IMPORT = "/api/v1/payouts/import?table=T1"
JSONL = {"Content-Type": "application/jsonl"}


def test_an_idempotency_key_is_a_client_id_and_who_reports_is_kept(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    key = {"Idempotency-Key": "k-1"}
    answers = [client.post("/api/v1/tables/T1/payouts", json=REPORT, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    (line,) = store.feed_lines("T1")
    assert line.client_id == "k-1"
    assert str(line.user).startswith("key:")


def test_a_correction_is_an_act_that_points_back(client: Client, store: Store) -> None:
    samples.start_table(store)
    client.post("/api/v1/tables/T1/payouts", json=REPORT)
    (first,) = store.feed_lines("T1")
    path = f"/api/v1/payouts/reports/{first.entry}/correction"
    assert client.post(path, json={"amount": 500}).status_code == 403
    told = client.post(path, json={"amount": 500}, headers=ACT)
    assert told.status_code == 201
    assert (told.json()["corrects"], told.json()["user"]) == (first.entry, "local")
    assert client.post(path, json={"amount": 500}, headers=ACT).status_code == 409


def test_who_deals_is_told_and_balances_are_drawn_by_it(client: Client, store: Store) -> None:
    samples.start_table(store)
    told = client.post("/api/v1/tables/T1/dealer-on", json={"dealer": "Park"}, headers=ACT)
    assert (told.status_code, told.json()["dealer"]) == (201, "Park")
    assert [one["dealer"] for one in client.get("/api/v1/tables/T1/dealers").json()] == ["Park"]
    samples.end_round(store)
    span = "since=2020-01-01T00:00:00Z&until=2099-01-01T00:00:00Z"
    for by, names in (("table", ["T1"]), ("dealer", [""])):
        found = client.get(f"/api/v1/payouts/balances?by={by}&{span}").json()
        assert [one["name"] for one in found] == names
    assert client.get(f"/api/v1/payouts/balances?by=shift&{span}").status_code == 422
    assert client.get(f"/api/v1/payouts/running?{span}&table=T1").json()[0]["line"]["table"] == "T1"
    assert (
        client.get("/api/v1/payouts/running?since=2020-01-01&until=2021-01-01").status_code == 422
    )
    off = client.post("/api/v1/tables/T1/dealer-off", json={"dealer": "Park"}, headers=ACT)
    assert off.json() is None


def test_a_file_is_imported_whole_or_not_at_all(client: Client, store: Store) -> None:
    samples.start_table(store)
    tried = client.post(f"{IMPORT}&dry_run=true", content=LINES, headers=JSONL | ACT)
    assert (tried.status_code, tried.json()["added"]) == (200, 2)
    assert store.feed_lines("T1") == []
    done = client.post(IMPORT, content=LINES, headers=JSONL | ACT)
    assert done.json()["added"] == 2
    assert client.post(IMPORT, content=LINES, headers=JSONL | ACT).json()["added"] == 0
    assert {line.source for line in store.feed_lines("T1")} == {FeedSource.IMPORT}
    bad = client.post(IMPORT, content=LINES + b"{\n7\n", headers=JSONL | ACT)
    assert bad.status_code == 422
    assert [problem["line"] for problem in bad.json()["problems"]] == [3, 4]
    assert client.post(IMPORT, content=LINES, headers=ACT).status_code == 415


@pytest.mark.parametrize("declared", [True, False], ids=["declared", "streamed"])
def test_a_body_beyond_all_use_is_refused_in_one_line(client: Client, declared: bool) -> None:
    body = b'{"x": "' + b"x" * MOST_BYTES + b'"}'
    headers = {"Content-Type": "application/json", "X-Pitwatch-Act": "1"}
    if declared:
        answer = client.post("/api/v1/cases", content=body, headers=headers)
    else:
        chunked = headers | {"Content-Length": "0", "Transfer-Encoding": "chunked"}
        answer = client.post("/api/v1/cases", content=body, headers=chunked)
    assert answer.status_code == 413
    assert answer.json() == {"detail": f"body: expected at most {MOST_BYTES} bytes"}
