"""The law: what an account, a screen or a key opens ends the moment somebody says so."""

import re

import pytest
from fastapi import FastAPI

from audit.auth import secrets
from audit.auth.permissions import Role
from audit.auth.registry import By, Registry, Wanted
from audit.cli.main import main
from audit.errors import RecordConflict
from audit.settings import Settings
from audit.store import Store
from audit.store.access import AccessStore
from audit.verify import verify
from tests.web import samples
from tests.web.asking import Client
from tests.web.visitors import (
    PASSWORD,
    act,
    add,
    form_token,
    given,
    link_in,
    person,
    send,
)


def test_all_sessions_of_a_disabled_account_end_at_once(app: FastAPI) -> None:
    add(app, "bob", Role.PIT)
    root, bob = person(app, Role.ADMINISTRATOR), person(app, Role.PIT, name="bob")
    assert bob.get("/").status_code == 200
    act(root, "/accounts/bob/disable", "/accounts")
    assert bob.get("/").status_code == 401
    assert send(Client(app), "/login", name="bob", password=PASSWORD).status_code == 401


def test_another_role_holds_at_once_and_other_roles_are_lost(app: FastAPI) -> None:
    add(app, "bob", Role.COMPLIANCE)
    bob = person(app, Role.COMPLIANCE, name="bob")
    act(person(app, Role.ADMINISTRATOR), "/accounts/bob/roles", "/accounts", roles="pit")
    assert bob.get("/access").status_code == 401


def test_the_last_administrator_cannot_be_disabled(app: FastAPI) -> None:
    add(app, "root", Role.ADMINISTRATOR)
    registry: Registry = app.state.registry
    with pytest.raises(RecordConflict, match="last administrator"):
        registry.enable("root", By("root"), enabled=False)
    with pytest.raises(RecordConflict, match="last administrator"):
        registry.change("root", Wanted((Role.PIT,)), By("root"))


def test_changing_the_password_ends_all_other_sessions(app: FastAPI) -> None:
    add(app, "bob", Role.PIT)
    here, there = person(app, Role.PIT, name="bob"), person(app, Role.PIT, name="bob")
    new = "river chalk seventeen moth"
    token = form_token(here, "/account")
    changed = send(
        here, "/account/password", form_token=token, old=PASSWORD, password=new, again=new
    )
    assert Client(app, token=given(changed)).get("/account").status_code == 200
    assert [one.get("/account").status_code for one in (here, there)] == [401, 401]


def test_a_screen_is_bound_to_its_table_by_a_link_and_sees_no_other(
    app: FastAPI, store: Store
) -> None:
    for table in ("T1", "T2"):
        samples.start_table(store, table)
    samples.see(store, samples.deal(), "T2")
    pit = person(app, Role.PIT)
    path = link_in(act(pit, "/screens", "/screens", table="T1").text)
    assert "this table and nothing else" in Client(app).get(path).text
    entered = send(Client(app), path)
    assert entered.headers["location"] == "/tables/T1/dealer"
    assert Client(app).get(path).status_code == 410
    screen = Client(app, token=given(entered))
    assert screen.get("/tables/T1/dealer").status_code == 200
    for other in ("/tables/T2/dealer", "/fragments/dealer/T2", "/rounds", "/audit", "/"):
        assert screen.get(other).status_code == 403
    entries = screen.get("/api/v1/entries?after=0&table=T2").json()["entries"]
    assert {entry["chain"] for entry in entries} == {"T1"}
    wager = {"seat": 1, "wager": "ante", "amount": 1000}
    acting = {"X-Pitwatch-Act": "1"}
    for table, status in (("T1", 201), ("T2", 403)):
        told = screen.post(f"/api/v1/tables/{table}/wagers", json=wager, headers=acting)
        assert told.status_code == status
    act(pit, "/screens/T1/end", "/screens")
    assert screen.get("/tables/T1/dealer").status_code == 401


def test_a_key_is_shown_once_and_opens_nothing_after_it_was_revoked(
    app: FastAPI, store: Store
) -> None:
    samples.start_table(store)
    root = person(app, Role.ADMINISTRATOR)
    made = act(root, "/keys", "/keys", name="tray", scopes="read").text
    found = re.search(r"pw_([\w-]{12})_[\w-]{43}", made)
    assert found is not None
    assert found[0] not in root.get("/keys").text
    bearer = {"Authorization": f"Bearer {found[0]}"}
    assert Client(app).get("/api/v1/rounds", headers=bearer).status_code == 200
    assert found[1] in app.state.access.last_uses()
    act(root, f"/keys/{found[1]}/revoke", "/keys")
    assert Client(app).get("/api/v1/rounds", headers=bearer).status_code == 401
    assert verify(store).fault is None


def test_a_review_is_marked_done_and_says_when_the_next_is_due(app: FastAPI) -> None:
    add(app, "bob", Role.PIT)
    regulator = person(app, Role.REGULATOR)
    assert regulator.get("/api/v1/access/review").json()["due"] is True
    compliance = person(app, Role.COMPLIANCE)
    act(compliance, "/access/review", "/access/review", note="all known")
    review = regulator.get("/api/v1/access/review").json()
    assert (review["due"], review["last_by"]) == (False, "somebody")
    assert [one["name"] for one in review["accounts"]] == ["bob"]
    assert "all known" in regulator.get("/access").text


def test_accounts_are_looked_after_from_the_terminal(
    store: Store, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(settings.data_dir)]
    assert main(["user", "add", "min-ji", "--role", "surveillance", "--person", "Kim", *data]) == 0
    token = link_in(capsys.readouterr().out).rpartition("/")[2]
    assert AccessStore(store).link(secrets.digest(token)) is not None
    assert main(["user", "roles", "min-ji", "--role", "pit", *data]) == 0
    assert main(["user", "disable", "min-ji", *data]) == 0
    capsys.readouterr()
    assert main(["user", "list", "--json", *data]) == 0
    assert '"roles": ["pit"], "table": null, "display": "Kim", "enabled": false' in (
        capsys.readouterr().out
    )
    assert main(["user", "review", "--done", *data]) == 0
    wrong = (
        (["add", "Min Ji", "--role", "pit"], "account: found 'Min Ji' (expected"),
        (["add", "bob", "--role", "boss"], "role: found 'boss' (expected one or more of"),
        (["add", "bob", "--role", "pit", "--role", "administrator"], "goes with no other role"),
        (["reset", "nobody"], "no account 'nobody'"),
    )
    for words, line in wrong:
        capsys.readouterr()
        assert main(["user", *words, *data]) == 2
        assert line in capsys.readouterr().err
