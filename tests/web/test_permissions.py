"""The law: every route declares what it is for, and nobody does what their role may not."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI

from audit.auth.permissions import (
    ALLOWED,
    PROPER_ALONE,
    SCOPED,
    Action,
    Role,
    Scope,
    check_roles,
)
from audit.errors import AuditError
from audit.store import Store
from audit.web.routes import Declared, Routes
from tests.web import samples
from tests.web.asking import Client, machine, session

OPEN = {
    "/healthz",
    "/login",
    "/login/demo",
    "/welcome/{token}",
    "/api/v1/openapi.json",
}
"""The routes that need no sign-in: whoever adds one says so here too."""

FILLED = {"table": "T1", "round_id": "T1-0001", "number": "1", "token": "x" * 43}
"""What stands in for the parameters of paths."""


def app_of(client: Client) -> FastAPI:
    assert isinstance(client.app, FastAPI)
    return client.app


def routes(client: Client) -> tuple[Declared, ...]:
    found: Routes = app_of(client).state.routes
    return found.all()


def path_of(route: Declared) -> str:
    path = route.path.replace(":path}", "}")
    for name, value in FILLED.items():
        path = path.replace(f"{{{name}}}", value)
    while "{" in path:
        start, end = path.index("{"), path.index("}")
        path = f"{path[:start]}1{path[end + 1 :]}"
    return path


def asked(client: Client) -> Iterator[tuple[str, str, Action]]:
    for route in routes(client):
        assert route.permit is not None
        for method in sorted(route.methods - {"HEAD"}):
            yield method, path_of(route), route.permit.action


def test_every_route_declares_what_it_lets_people_do(client: Client) -> None:
    silent = [route.path for route in routes(client) if route.permit is None]
    assert silent == [], "put @permits(Action.…) under the route's decorator; see docs/access.md"


def test_only_the_routes_listed_here_need_no_sign_in(client: Client) -> None:
    public = {
        route.path
        for route in routes(client)
        if route.permit is not None and route.permit.action is Action.PUBLIC
    }
    assert public == OPEN


def test_nobody_gets_anything_without_a_sign_in(client: Client) -> None:
    stranger = Client(client.app)
    for method, path, action in asked(client):
        if action is not Action.PUBLIC:
            answer = stranger.request(method, path, headers={"X-Pitwatch-Act": "1"})
            assert answer.status_code == 401, (method, path)


@pytest.mark.parametrize("role", Role)
def test_a_role_reaches_what_the_table_allows_it_and_nothing_else(
    client: Client, store: Store, role: Role
) -> None:
    samples.start_table(store)
    table = "T1" if role is Role.DEALER_SCREEN else None
    person = Client(client.app, token=session(app_of(client), role, name="somebody", table=table))
    for method, path, action in asked(client):
        if action in (Action.PUBLIC, Action.SELF) or path.endswith("/stream"):
            continue
        # A body that no route takes: whoever is let through is told so, and does nothing.
        answer = person.request(
            method, path, content=b"?", headers={"X-Pitwatch-Act": "1", "Accept": "*/*"}
        )
        refused = answer.status_code == 403
        bound = table is not None and "T1" not in path and not path.endswith("/entries")
        assert refused is (action not in ALLOWED[role] or bound), (method, path, answer.text)


@pytest.mark.parametrize("scope", Scope)
def test_a_key_reaches_what_its_scope_allows_and_nothing_else(
    client: Client, store: Store, scope: Scope
) -> None:
    samples.start_table(store)
    key = machine(app_of(client), scope)
    for method, path, action in asked(client):
        if action is Action.PUBLIC or path.endswith("/stream"):
            continue
        answer = Client(client.app).request(
            method, path, content=b"?", headers={"Authorization": f"Bearer {key}"}
        )
        assert (answer.status_code == 403) is (action not in SCOPED[scope]), (method, path)


def test_the_administrator_sees_no_evidence_and_the_regulator_changes_nothing() -> None:
    evidence = {Action.WALL_VIEW, Action.ROUND_VIEW, Action.EVIDENCE_VIEW, Action.RECORD_VIEW}
    assert not evidence & ALLOWED[Role.ADMINISTRATOR]
    reading = ("view", "verify", "export", "follow")
    assert {action for action in ALLOWED[Role.REGULATOR] if not action.endswith(reading)} == set()


@pytest.mark.parametrize("role", sorted(PROPER_ALONE))
def test_a_role_that_must_stand_alone_goes_with_no_other(role: Role) -> None:
    assert check_roles([role]) == (role,)
    with pytest.raises(AuditError, match="no other role"):
        check_roles([role, Role.PIT])
