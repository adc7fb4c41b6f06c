"""The law: the API answers as it is described, whatever it is asked, and never with a 500."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from fastapi import FastAPI
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.result import Ok

from audit.auth.permissions import Role, Scope
from audit.settings import Settings
from audit.store import Store
from audit.web.app import create_app
from audit.web.stream import Pace
from tests.web import samples
from tests.web.asking import COOKIE, HOUSE, Client, machine, session

ROOT = Path(__file__).parents[2]

STREAM = "/api/v1/stream"

HELD = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)

BRIEF = Pace(poll_s=0.01, life_s=0.15)

EXAMPLES = 3
"""For each operation: many operations, and each is asked in every test run."""


@pytest.fixture
def app(store: Store, settings: Settings) -> FastAPI:
    samples.start_table(store)
    samples.see(store, samples.deal())
    samples.end_round(store)
    return create_app(store, settings)


def operations(app: FastAPI) -> list[dict[str, Any]]:
    return [
        operation
        for path, methods in app.openapi()["paths"].items()
        for operation in methods.values()
        if path.startswith("/api/")
    ]


def test_every_operation_tells_its_permission_and_what_may_go_wrong(app: FastAPI) -> None:
    for operation in operations(app):
        assert operation["x-permission"]
        assert operation["security"]
        assert {"401", "403", "422", "503"} <= set(operation["responses"])
        assert operation["summary"]


def test_the_description_needs_no_sign_in_and_names_both_ways_in(app: FastAPI) -> None:
    found = Client(app).get("/api/v1/openapi.json").json()
    assert set(found["components"]["securitySchemes"]) == {"machineKey", "session"}
    assert found["components"]["securitySchemes"]["session"]["name"] == COOKIE


def test_whatever_is_asked_the_answer_is_one_that_is_described(app: FastAPI) -> None:
    load_all_checks()
    named = CHECKS.get_by_names(list(HELD))
    checks = [check for check in named if not isinstance(check, type)]
    assert len(checks) == len(HELD)
    host = {"Host": "127.0.0.1:8000"}
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app, headers=host)
    roles = (*HOUSE, Role.ADMINISTRATOR)
    headers = host | {"Cookie": f"{COOKIE}={session(app, *roles)}", "X-Pitwatch-Act": "1"}
    asked = 0
    for found in schema.exclude(path=STREAM).get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()

        @hypothesis.given(case=operation.as_strategy())
        @hypothesis.settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        def holds(case: schemathesis.Case[Any]) -> None:
            case.call_and_validate(checks=checks, headers=headers)

        holds()
        asked += 1
    assert asked > 20


def examples() -> list[list[str]]:
    """The commands that the page on the API shows."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs/api.md").read_text(), re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [shlex.split(line) for line in lines if line.startswith("curl ")]


def test_every_example_of_the_page_on_the_api_works_as_it_stands(
    store: Store, settings: Settings
) -> None:
    samples.start_table(store)
    samples.end_round(store)
    app = create_app(store, settings, pace=BRIEF)
    key = machine(app, *Scope)
    shown = examples()
    assert len(shown) >= 8
    for words in shown:
        values = [word.replace("$KEY", key) for word in words]
        url = next(word for word in values if word.startswith("$PITWATCH/"))
        given = [values[at + 1] for at, word in enumerate(values) if word == "-H"]
        headers = dict(line.split(": ", 1) for line in given)
        path = url.removeprefix("$PITWATCH")
        if "-d" in values:
            body = values[values.index("-d") + 1]
            answer = Client(app).post(path, content=body.encode(), headers=headers)
        else:
            answer = Client(app).get(path, headers=headers)
        assert answer.is_success, (words, answer.text)
        if path.startswith(STREAM):
            assert "id: " in answer.text
        else:
            assert json.loads(answer.text)
