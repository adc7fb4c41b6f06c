"""The law: reports are seen by those who may see them, issued by those who may export, and a report
that is being written can be followed and stopped."""

import time

import pytest
from fastapi import FastAPI

from audit.auth.permissions import Role
from audit.settings import Settings
from audit.store import Store
from audit.web.app import create_app
from tests.reports.night import play_night
from tests.web.asking import Client, session

NIGHT = "2026-11-28"


@pytest.fixture
def app(store: Store, settings: Settings) -> FastAPI:
    play_night(store, 3, ("T1",))
    return create_app(store, settings)


@pytest.fixture
def office(app: FastAPI) -> Client:
    return Client(app, token=session(app, Role.COMPLIANCE))


def finished(client: Client, job: str) -> dict[str, object]:
    for _ in range(600):
        told: dict[str, object] = client.get(f"/api/v1/reports/jobs/{job}").json()
        if told["state"] in ("done", "failed", "cancelled"):
            return told
        time.sleep(0.02)
    pytest.fail(f"the job {job} does not end")


def test_a_report_is_issued_followed_and_fetched(office: Client) -> None:
    page = office.get(f"/reports/audit?range={NIGHT}")
    assert page.status_code == 200
    assert "T1-20261128-0001" in page.text
    asked = office.post(
        "/api/v1/reports/audit",
        json={"range": NIGHT, "format": "csv"},
        headers={"X-Pitwatch-Act": "1"},
    )
    told = finished(office, asked.json()["job"])
    assert told["state"] == "done", told
    file = office.get(f"/reports/files/{told['report']}")
    assert file.status_code == 200
    assert file.content.startswith(b"\xef\xbb\xbf")
    assert (
        office.get(f"/reports/files/{told['report']}/signature").json()["report"] == told["report"]
    )
    assert str(told["report"]) in office.get("/reports").text
    assert office.get("/api/v1/reports").json()["reports"][0]["report"] == told["report"]


def test_who_may_not_see_reports_sees_none(app: FastAPI) -> None:
    pit = Client(app, token=session(app, Role.PIT))
    for path in ("/reports", f"/reports/audit?range={NIGHT}", "/api/v1/reports"):
        assert pit.get(path).status_code == 403
    nobody = Client(app)
    assert nobody.get("/api/v1/reports").status_code == 401


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/reports/audit?range=2026-99", 422),
        ("/api/v1/reports/audit?range=2090-01", 422),
        ("/api/v1/reports/nothing", 422),
        ("/api/v1/reports/jobs/0123456789abcdef", 404),
        ("/reports/files/R-20261130-00000000", 404),
        ("/reports/files/..%2f..%2fkeys%2fsigning.pem", 400),
    ],
)
def test_what_cannot_be_had_is_refused_in_one_line(office: Client, path: str, status: int) -> None:
    answer = office.get(path)
    assert answer.status_code == status
    assert "Traceback" not in answer.text


def test_a_report_that_somebody_else_asked_for_cannot_be_stopped(
    app: FastAPI, office: Client
) -> None:
    asked = office.post(
        "/api/v1/reports/coverage",
        json={"range": NIGHT, "format": "csv"},
        headers={"X-Pitwatch-Act": "1"},
    ).json()["job"]
    other = Client(app, token=session(app, Role.COMPLIANCE, name="lee"))
    assert other.act(f"/api/v1/reports/jobs/{asked}/cancel").status_code == 403
    assert finished(office, asked)["state"] == "done"


def test_a_page_in_korean_says_everything_in_korean(office: Client) -> None:
    page = office.get(f"/reports/payouts?range={NIGHT}&lang=ko").text
    assert "지불 대사" in page
    assert "Payout reconciliation" not in page
