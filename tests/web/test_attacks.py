"""The law: what an attacker tries at the web interface is refused, and stands in the access log."""

import re
from urllib.parse import quote

import pytest
from fastapi import FastAPI

from audit.auth import secrets
from audit.auth.permissions import Role, Scope
from audit.settings import Settings
from audit.store import Store
from audit.store.access import AccessQuery, AccessStore
from audit.web.app import create_app
from audit.web.entrance import within
from audit.web.gate import MAX_FORM_BYTES
from tests.web import samples
from tests.web.asking import COOKIE, Client, machine, session
from tests.web.visitors import FORM, PAGE, PASSWORD, act, add, form_token, given, person, send

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def app(store: Store, settings: Settings) -> FastAPI:
    samples.start_table(store)
    samples.end_round(store)
    return create_app(store, settings)


def refusals(app: FastAPI) -> list[str]:
    """What the log says of refused requests, the newest first."""
    access: AccessStore = app.state.access
    return [f"{line.subject} {line.detail}" for line in access.log(AccessQuery(act="refused"))]


def test_a_page_of_another_role_is_refused_and_logged(app: FastAPI) -> None:
    pit = person(app, Role.PIT)
    answer = pit.get("/audit", headers=PAGE)
    assert answer.status_code == 403
    assert "To the pit wall" in answer.text
    assert refusals(app) == ["GET /audit not permitted: record.view"]


@pytest.mark.parametrize(
    "token",
    ["", "x", "0" * 43, "../../etc/passwd", "' OR 1=1 --", "%00", "a" * 4000],
)
def test_a_forged_session_opens_nothing(app: FastAPI, token: str) -> None:
    forged = {"Cookie": f"{COOKIE}={token}"}
    assert Client(app).get("/api/v1/rounds", headers=forged).status_code == 401
    assert any("sign in first" in line for line in refusals(app))


def test_the_digest_that_the_database_keeps_opens_nothing(app: FastAPI) -> None:
    digest = secrets.digest(session(app, Role.PIT))
    for stolen in (digest, digest[:12]):
        assert Client(app, token=stolen).get("/rounds").status_code == 401


def test_a_session_known_before_the_sign_in_is_not_gone_on_with(app: FastAPI) -> None:
    add(app, "bob", Role.PIT)
    planted = session(app, Role.DEALER_SCREEN, name="mallory", table="T1")
    answer = send(Client(app, token=planted), "/login", name="bob", password=PASSWORD)
    assert given(answer) != planted
    assert Client(app, token=planted).get("/tables/T1/dealer").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {},  # a form of another site has no token
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "X-Pitwatch-Act": "1"},
    ],
    ids=str,
)
def test_a_form_of_another_site_changes_nothing(app: FastAPI, headers: dict[str, str]) -> None:
    root = person(app, Role.ADMINISTRATOR)
    fields = {"name": "mallory", "roles": "administrator"}
    if headers:
        fields["form_token"] = form_token(root, "/accounts")
    assert send(root, "/accounts", headers, **fields).status_code == 403
    assert app.state.access.accounts() == []
    assert refusals(app)[0].startswith("POST /accounts")


def test_the_token_of_another_session_is_worth_nothing(app: FastAPI) -> None:
    root, mallory = person(app, Role.ADMINISTRATOR), person(app, Role.PIT, name="mallory")
    token = form_token(mallory, "/account")
    assert send(root, "/accounts", form_token=token, name="eve", roles="pit").status_code == 403


def test_a_sign_in_sent_by_another_site_is_refused(app: FastAPI) -> None:
    add(app, "mallory", Role.PIT)
    for origin in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = send(Client(app), "/login", origin, name="mallory", password=PASSWORD)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


def test_no_other_site_is_ever_granted_a_request(app: FastAPI) -> None:
    asked = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    answer = Client(app).request("OPTIONS", "/api/v1/alerts/1/acknowledge", headers=asked)
    assert answer.status_code in (401, 405)
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "there",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/x\r\nSet-Cookie: a=b",
        "data:text/html,x",
        " //evil.example",
    ],
)
def test_the_sign_in_leads_nowhere_else(app: FastAPI, there: str) -> None:
    assert within(there) is None
    here = person(app, Role.PIT)
    answer = here.get(f"/login?next={quote(there, safe='')}")
    assert answer.headers["location"] == "/"


def test_brute_force_is_slowed_down_and_locks_nobody_else_out(app: FastAPI) -> None:
    add(app, "bob", Role.PIT)
    add(app, "alice", Role.PIT)
    send(Client(app), "/login", name="alice", password=PASSWORD)
    for number in range(5):
        wrong = send(Client(app), "/login", name="bob", password=f"guess number {number}")
        assert wrong.status_code == 401
    slowed = send(Client(app), "/login", name="bob", password=PASSWORD)
    assert slowed.status_code == 429
    assert int(slowed.headers["retry-after"]) > 60
    assert send(Client(app), "/login", name="alice", password=PASSWORD).status_code == 303
    access: AccessStore = app.state.access
    told = [line.detail for line in access.log(AccessQuery(user="bob", act="session.failed"))]
    assert told == ["too many failures", *["wrong password"] * 5]


def test_a_password_typed_as_a_name_is_not_kept(app: FastAPI, store: Store) -> None:
    send(Client(app), "/login", name=PASSWORD, password="bob")
    kept = "".join(str(entry.body) for entry in store.entries_after(0))
    assert PASSWORD not in kept


def test_the_answer_does_not_tell_who_has_an_account(app: FastAPI) -> None:
    add(app, "bob", Role.PIT)
    texts = {send(Client(app), "/login", name=n, password="wrong one").text for n in ("bob", "eve")}
    assert len(texts) == 1


def test_a_flood_of_refused_requests_does_not_flood_the_record(app: FastAPI, store: Store) -> None:
    before = store.last_id()
    for _ in range(40):
        assert Client(app).get("/api/v1/rounds").status_code == 401
    assert store.last_id() == before + 1


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../app.py",
        "/static/..%2f..%2fapp.py",
        "/static/%2e%2e/%2e%2e/app.py",
        "/rounds/..%2f..%2faudit",
        "/tables/..%5c..%5csecret/live.jpg",
        "/static/js/page.js%00.html",
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(app: FastAPI, path: str) -> None:
    answer = person(app, Role.PIT, Role.SURVEILLANCE).get(path)
    assert answer.status_code in (400, 404)
    assert "def create_app" not in answer.text
    if answer.status_code == 400:
        assert "path: expected no" in refusals(app)[0]


@pytest.mark.parametrize(
    "path", ["/audi%74", "/rounds%2FT1-0001", "/tables%2FT1%2Fdealer", "/api%2fv1%2frounds"]
)
def test_a_path_written_in_another_way_needs_the_same_permission(app: FastAPI, path: str) -> None:
    assert Client(app).get(path).status_code == 401
    assert person(app, Role.ADMINISTRATOR).get(path).status_code == 403


def test_pictures_of_other_tables_are_not_for_a_bound_screen(
    app: FastAPI, settings: Settings, store: Store
) -> None:
    samples.start_table(store, "T2")
    settings.live_dir.mkdir()
    (settings.live_dir / "T2.jpg").write_bytes(b"what T2 looks like")
    screen = Client(app, token=session(app, Role.DEALER_SCREEN, name="screen-T1", table="T1"))
    for headers in ({}, {"Range": "bytes=0-3"}):
        answer = screen.get("/tables/T2/live.jpg", headers=headers)
        assert answer.status_code == 403
        assert b"looks like" not in answer.content
    assert "GET /tables/T2/live.jpg" in refusals(app)[0]


def test_names_and_notes_are_shown_and_never_run(app: FastAPI) -> None:
    root = person(app, Role.ADMINISTRATOR)
    act(root, "/accounts", "/accounts", name="bob", roles="pit", person=SCRIPT)
    act(root, "/keys", "/keys", name=SCRIPT, scopes="read")
    compliance = person(app, Role.COMPLIANCE)
    act(compliance, "/access/review", "/access/review", note=SCRIPT)
    bad_name = act(root, "/accounts", "/accounts", name=SCRIPT, roles="pit")
    assert bad_name.status_code == 422
    pages = [bad_name.text, *(root.get(path).text for path in ("/accounts", "/keys"))]
    pages += [compliance.get(path).text for path in ("/access", "/access/review")]
    pages.append(Client(app).get(f"/login?next={quote(f'/{SCRIPT}')}").text)
    for page in pages:
        assert SCRIPT not in page
    assert all("&lt;script&gt;" in page for page in pages)


@pytest.mark.parametrize("path", ["/login", "/account", "/accounts", "/nowhere", "/api/v1/tables"])
def test_no_page_can_be_put_into_a_frame_or_kept_by_a_cache(app: FastAPI, path: str) -> None:
    headers = person(app, Role.ADMINISTRATOR).get(path, headers=PAGE).headers
    assert headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"


def test_a_foreign_host_name_gets_not_even_the_sign_in(app: FastAPI) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "evil.example:8000"):
        assert Client(app).get("/login", headers={"Host": host}).status_code == 400
    behind = {"X-Forwarded-Host": "evil.example"}
    answer = Client(app).get("/rounds", headers=PAGE | behind)
    assert "evil" not in answer.headers["location"]


def test_a_form_far_too_big_is_not_read(app: FastAPI) -> None:
    root = person(app, Role.ADMINISTRATOR)
    body = b"name=" + b"x" * MAX_FORM_BYTES
    assert root.post("/accounts", content=body, headers=FORM).status_code == 413


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Basic", "Bearer pw_x_y", "Bearer  "])
def test_a_key_that_is_none_opens_nothing_even_beside_a_session(app: FastAPI, scheme: str) -> None:
    here = person(app, Role.SURVEILLANCE)
    answer = here.get("/api/v1/rounds", headers={"Authorization": scheme})
    assert answer.status_code == 401
    assert "no such key" in refusals(app)[0]


def test_a_key_with_another_secret_opens_nothing(app: FastAPI) -> None:
    key = machine(app, Scope.READ)
    public = key.split("_")[1]
    for wrong in (f"pw_{public}_", f"pw_{public}_{'x' * 43}", key[:-1], f"{key}x", key[3:]):
        headers = {"Authorization": f"Bearer {wrong}"}
        assert Client(app).get("/api/v1/rounds", headers=headers).status_code == 401


def test_no_secret_is_in_the_record_or_the_log(app: FastAPI, store: Store) -> None:
    add(app, "bob", Role.PIT)
    entered = send(Client(app), "/login", name="bob", password=PASSWORD)
    key = machine(app, Scope.READ)
    root = person(app, Role.ADMINISTRATOR)
    link = re.search(r"/welcome/([\w-]{43})", act(root, "/accounts/bob/reset", "/accounts").text)
    assert link is not None
    Client(app).get(f"/welcome/{link[1]}x")  # one that is none
    kept = "".join(str(entry.body) for entry in store.entries_after(0, limit=1000))
    for secret in (PASSWORD, given(entered), key.split("_", 2)[2], link[1], root.token):
        assert secret not in kept
