"""The law: who is let in is known, stays no longer than they may, and what they do is an entry."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI

from audit.auth import secrets
from audit.auth.door import Door, LinkUsedUp
from audit.auth.permissions import Role, Scope
from audit.auth.registry import By, Registry, Wanted
from audit.auth.secrets import WeakPassword, check_password
from audit.auth.sessions import How, Limits, Purpose, Session
from audit.auth.throttle import SignInThrottle, Throttle
from audit.chain import utc_moment
from audit.cli.main import main
from audit.errors import AuditError, RecordConflict
from audit.settings import Settings
from audit.store import Store
from audit.store.access import AccessQuery, AccessStore
from audit.verify import verify
from audit.web.app import create_app
from tests.audit.footage_builders import clip, segment
from tests.audit.record_builders import NOW
from tests.web import samples
from tests.web.asking import Client, machine, session
from tests.web.visitors import (
    PAGE,
    PASSWORD,
    act,
    add,
    form_token,
    given,
    link_in,
    person,
    send,
)


@pytest.fixture
def app(store: Store, settings: Settings) -> FastAPI:
    return create_app(store, settings)


def acts(app: FastAPI, user: str) -> list[str]:
    access: AccessStore = app.state.access
    return [line.act for line in reversed(access.log(AccessQuery(user=user)))]


def test_the_first_administrator_is_made_by_a_link_that_works_once(
    app: FastAPI, store: Store
) -> None:
    door: Door = app.state.door
    stranger, path = Client(app), f"/welcome/{door.make_link(Purpose.SETUP, 'terminal')}"
    assert "The first administrator" in stranger.get(path).text
    weak = send(stranger, path, name="root", password="password1234567", again="password1234567")
    assert "easily guessed" in weak.text  # and the link still works
    entered = send(stranger, path, name="root", password=PASSWORD, again=PASSWORD)
    assert (entered.status_code, entered.headers["location"]) == (303, "/accounts")
    assert stranger.get(path).status_code == 410
    root = Client(app, token=given(entered))
    added = act(root, "/accounts", "/accounts", name="min-ji", roles="surveillance")
    own = link_in(added.text)
    entered = send(stranger, own, password=PASSWORD, again=PASSWORD)
    assert Client(app, token=given(entered)).get("/rounds").status_code == 200
    # All of it stands in the record, and follows from it.
    assert acts(app, "root") == [
        "account.added",
        "password.set",
        "session.opened",
        "account.added",
        "link.made",
    ]
    assert acts(app, "min-ji") == ["password.set", "session.opened", "round.view"]
    assert verify(store).fault is None


def test_a_sign_in_leads_back_to_where_it_was_asked_for(app: FastAPI) -> None:
    add(app, "bob", Role.PIT)
    stranger = Client(app)
    sent_away = stranger.get("/rounds?table=T1", headers=PAGE)
    assert sent_away.headers["location"] == "/login?next=%2Frounds%3Ftable%3DT1"
    wrong = send(stranger, "/login", name="bob", password="something else entirely")
    assert wrong.status_code == 401
    assert "set-cookie" not in wrong.headers
    right = send(stranger, "/login", name="Bob", password=PASSWORD, next_page="/rounds?table=T1")
    assert right.headers["location"] == "/rounds?table=T1"
    bob = Client(app, token=given(right))
    assert bob.get("/rounds").status_code == 200
    assert act(bob, "/logout", "/account").status_code == 303
    assert bob.get("/rounds").status_code == 401
    assert [one for one in acts(app, "bob") if one.startswith("session")] == [
        "session.failed",
        "session.opened",
        "session.closed",
    ]


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


MOMENT = utc_moment("2026-11-30T12:00:00.000000Z")


@pytest.mark.parametrize(
    ("how", "unused", "age", "over"),
    [
        (How.PASSWORD, timedelta(minutes=29), timedelta(hours=1), False),
        (How.PASSWORD, timedelta(minutes=31), timedelta(hours=1), True),  # nobody is there
        (How.PASSWORD, timedelta(0), timedelta(hours=12), True),  # a shift is over
        (How.SCREEN, timedelta(hours=9), timedelta(days=3), False),  # a device, not a person
        (How.SCREEN, timedelta(0), timedelta(days=31), True),
    ],
)
def test_a_session_ends_by_itself(
    how: How,
    unused: timedelta,
    age: timedelta,
    over: bool,
) -> None:
    limits = Limits()
    opened: datetime = MOMENT - age
    ends = opened + (limits.screen if how is How.SCREEN else limits.absolute)
    kept = Session("d", "l", "bob", (), None, how, "", opened, MOMENT - unused, ends)
    assert kept.over(MOMENT, limits) is over


def test_an_open_wall_keeps_a_session_and_an_open_record_does_not(app: FastAPI) -> None:
    access: AccessStore = app.state.access
    for role, kept in ((Role.PIT, True), (Role.SURVEILLANCE, False)):
        token = session(app, role, name=role.value)
        digest = secrets.digest(token)
        found = access.session(digest)
        assert found is not None
        access.touch(digest, found.used - timedelta(minutes=5))
        before = access.session(digest)
        assert before is not None
        assert Client(app, token=token).get("/fragments/alerts").status_code == 200
        after = access.session(digest)
        assert after is not None
        assert (after.used > before.used) is kept


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("short but odd", "short"),
        ("x" * 200, "long"),
        ("passwordpassword", "common"),
        ("123456789012345", "common"),
        ("qwertyuiopasdfgh", "common"),
        ("min-ji-min-ji-min-ji", "common"),  # the account's own name
        ("lamp orbit felt\x00 seven", "signs"),
    ],
)
def test_a_password_that_is_easily_guessed_is_refused(password: str, reason: str) -> None:
    with pytest.raises(WeakPassword) as refused:
        check_password(password, ("min-ji", "Kim"))
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "password", [PASSWORD, "호랑이 램프 궤도 펠트 일곱 나방 강물", "x7#Qm!vT2@pLz9$"]
)
def test_a_password_may_be_long_korean_or_odd(password: str) -> None:
    check_password(password, ("min-ji",))


def test_a_password_hash_put_into_the_database_by_hand_opens_nothing(app: FastAPI) -> None:
    add(app, "bob", Role.PIT)
    access: AccessStore = app.state.access
    forged = secrets.hashed("the attacker knows this one")
    access._store._transact(  # as somebody with the database file would
        lambda session: session.connection().exec_driver_sql(
            "UPDATE credential SET hash = ?", (forged,)
        )
    )
    answer = send(Client(app), "/login", name="bob", password="the attacker knows this one")
    assert answer.status_code == 401


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


def _no_room(look: object) -> None:
    raise AuditError(f"the disk is full: {type(look).__name__}")


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


def test_visitors_come_in_without_a_password_in_the_demonstration_only(
    app: FastAPI, store: Store, settings: Settings
) -> None:
    samples.start_table(store)
    shown = create_app(store, settings, demo=True)
    assert send(Client(app), "/login/demo", visitor="house").status_code == 403
    entered = send(Client(shown), "/login/demo", visitor="regulator")
    regulator = Client(shown, token=given(entered))
    assert "Demo" in regulator.get("/rounds").text
    assert regulator.get("/accounts").status_code == 403
    link = shown.state.door.make_link(Purpose.DEMO, "demo")
    assert Client(shown).get(f"/welcome/{link}").headers["location"] == "/"
    with pytest.raises(LinkUsedUp):
        shown.state.door.use(link, Purpose.DEMO)


def test_failures_slow_one_place_down_and_not_the_others() -> None:
    clock = [0.0]
    throttle = SignInThrottle(lambda: clock[0])
    for _ in range(5):
        assert throttle.wait_s("bob", "10.0.0.9", known=False) == 0
        throttle.failed("bob", "10.0.0.9")
    assert throttle.wait_s("bob", "10.0.0.9", known=True) == 900
    assert throttle.wait_s("bob", "10.0.0.1", known=False) == 0
    for number in range(30):
        throttle.failed(f"guess-{number}", "10.0.0.9")
    assert throttle.wait_s("alice", "10.0.0.9", known=False) > 0
    assert throttle.wait_s("alice", "10.0.0.9", known=True) == 0  # she was here before
    clock[0] = 901.0
    assert throttle.wait_s("bob", "10.0.0.9", known=False) == 0


def test_a_throttle_forgets_what_failed_longest_ago() -> None:
    throttle = Throttle(1, 60.0, lambda: 0.0)
    for number in range(10_001):
        throttle.failed(number)
    assert throttle.wait_s(0) == 0
    assert throttle.wait_s(10_000) == 60


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


def test_no_address_but_this_machines_is_served_without_tls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["serve", "--data", str(tmp_path), "--host", "0.0.0.0"]  # noqa: S104
    assert main(words) == 2
    assert "expected --url https://NAME" in capsys.readouterr().err
    assert main([*words, "--url", "pitwatch.example"]) == 2
    assert "--url: found 'pitwatch.example'" in capsys.readouterr().err
    assert main([*words, "--demo"]) == 2
    assert "this machine only" in capsys.readouterr().err
    bad = tmp_path / "bad.pem"
    bad.write_text("no certificate")
    assert main(["serve", "--data", str(tmp_path), "--cert", str(bad), "--key", str(bad)]) == 2
    assert "not a certificate with its key" in capsys.readouterr().err


def test_over_tls_the_cookie_is_for_this_host_and_tls_only(
    store: Store, settings: Settings
) -> None:
    secure = settings.model_copy(update={"public_url": "https://pitwatch.example"})
    app = create_app(store, secure, demo=True)
    client = Client(app, base_url="https://pitwatch.example")
    answer = send(client, "/login/demo", visitor="pit")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-pitwatch=")
    assert {"Secure", "HttpOnly", "Path=/"} <= set(cookie.split("; "))
    assert "max-age" in answer.headers["strict-transport-security"]
