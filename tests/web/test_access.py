"""The law: every look at a round or the record, shown or refused, is an entry."""

import pytest
from fastapi import FastAPI

from audit.auth.permissions import Role, Scope
from audit.errors import AuditError
from audit.store import Store
from audit.store.access import AccessQuery, AccessStore
from audit.verify import verify
from tests.audit.footage_builders import clip, segment
from tests.audit.record_builders import NOW
from tests.web import samples
from tests.web.asking import Client, machine
from tests.web.visitors import (
    person,
)


def _no_room(look: object) -> None:
    raise AuditError(f"the disk is full: {type(look).__name__}")


def test_every_look_at_a_round_or_the_record_is_an_entry_and_polling_is_none(
    app: FastAPI, store: Store
) -> None:
    samples.start_table(store)
    samples.end_round(store)
    bob = person(app, Role.SURVEILLANCE, name="bob")
    looks = ["/rounds/T1-0001", "/rounds/T1-0001", "/audit", "/api/v1/rounds?table=T1"]
    polls = ["/fragments/alerts", "/fragments/feed", "/static/js/page.js", "/healthz"]
    for path in [*looks, *polls, "/rounds/T1-9999", "/api/v1/entries?after=0"]:
        bob.get(path)
    access: AccessStore = app.state.access
    lines = access.log(AccessQuery(user="bob"))
    assert [line.subject for line in reversed(lines)][1:] == looks
    assert {line.address for line in lines} == {"127.0.0.1"}
    assert verify(store).fault is None


def test_a_machine_that_asks_again_and_again_is_told_of_once(app: FastAPI, store: Store) -> None:
    samples.start_table(store)
    bearer = {"Authorization": f"Bearer {machine(app, Scope.READ)}"}
    for _ in range(3):
        assert Client(app).get("/api/v1/rounds", headers=bearer).status_code == 200
    access: AccessStore = app.state.access
    assert len(access.log(AccessQuery(act="round.view"))) == 1


def test_a_look_that_was_refused_or_not_logged_hides_none_that_follows(
    app: FastAPI, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = clip(store, "T1-1", segment(store, NOW)).name
    bob, access = person(app, Role.SURVEILLANCE, name="bob"), app.state.access
    film, append = f"/media/clips/{name}", access.append
    assert bob.get(film, headers={"Range": "bytes=99-"}).status_code == 416
    monkeypatch.setattr(access, "append", _no_room)
    assert bob.get(film, headers={"Range": "bytes=0-"}).status_code == 503
    monkeypatch.setattr(access, "append", append)
    assert access.log(AccessQuery(user="bob", act="evidence.view")) == []
    for _ in range(3):
        assert bob.get(film, headers={"Range": "bytes=0-3"}).status_code == 206
    assert len(access.log(AccessQuery(user="bob", act="evidence.view"))) == 1


def test_asking_for_a_part_hides_no_look_at_anything_but_film(app: FastAPI, store: Store) -> None:
    samples.start_table(store)
    samples.end_round(store)
    bob, access = person(app, Role.SURVEILLANCE, name="bob"), app.state.access
    for query in ("?table=T1", "?dealer=kim"):
        bob.get(f"/rounds{query}", headers={"Range": "bytes=0-"})
    assert len(access.log(AccessQuery(user="bob", act="round.view"))) == 2


def test_what_cannot_be_logged_is_not_shown(
    app: FastAPI, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples.start_table(store)
    samples.end_round(store)
    bob = person(app, Role.SURVEILLANCE)
    monkeypatch.setattr(app.state.access, "append", _no_room)
    answer = bob.get("/rounds/T1-0001")
    assert answer.status_code == 503
    assert "3C" not in answer.text
