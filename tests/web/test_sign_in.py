"""The law: who comes in is known, through one door, and stays no longer than they may."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI

from audit.auth import secrets
from audit.auth.door import Door, LinkUsedUp
from audit.auth.permissions import Role
from audit.auth.secrets import WeakPassword, check_password
from audit.auth.sessions import How, Limits, Purpose, Session
from audit.auth.throttle import SignInThrottle, Throttle
from audit.chain import utc_moment
from audit.cli.main import main
from audit.settings import Settings
from audit.store import Store
from audit.store.access import AccessStore
from audit.verify import verify
from audit.web.app import create_app
from tests.web import samples
from tests.web.asking import Client, session
from tests.web.visitors import (
    PAGE,
    PASSWORD,
    act,
    acts_of,
    add,
    given,
    link_in,
    send,
)


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
    assert acts_of(app, "root") == [
        "account.added",
        "password.set",
        "session.opened",
        "account.added",
        "link.made",
    ]
    assert acts_of(app, "min-ji") == ["password.set", "session.opened", "round.view"]
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
    assert [one for one in acts_of(app, "bob") if one.startswith("session")] == [
        "session.failed",
        "session.opened",
        "session.closed",
    ]


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
        assert throttle.begin("bob", "10.0.0.9", known=False) == 0
    assert throttle.begin("bob", "10.0.0.9", known=True) == 900
    assert throttle.begin("bob", "10.0.0.1", known=False) == 0
    for number in range(30 - 5):
        assert throttle.begin(f"guess-{number}", "10.0.0.9", known=False) == 0
    assert throttle.begin("alice", "10.0.0.9", known=False) > 0
    assert throttle.begin("alice", "10.0.0.9", known=True) == 0  # she was here before
    throttle.passed("alice", "10.0.0.9")
    clock[0] = 901.0
    assert throttle.begin("bob", "10.0.0.9", known=False) == 0


def test_a_throttle_forgets_what_failed_longest_ago() -> None:
    throttle = Throttle(1, 60.0, lambda: 0.0)
    for number in range(10_001):
        throttle.failed(number)
    assert throttle.wait_s(0) == 0
    assert throttle.wait_s(10_000) == 60


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
