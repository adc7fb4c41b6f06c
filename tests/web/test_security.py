"""The law: nothing that a table, a text or another site says runs in a page or acts for us."""

import html
from pathlib import Path
from urllib.parse import quote

import hypothesis
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from audit.errors import AuditError, ChainError
from audit.settings import Settings
from audit.store import JudgedRound, Store
from audit.web import picture
from audit.web.assets import STATIC
from rules.events import FeedLost
from tests.audit.record_builders import record_round
from tests.web import samples
from tests.web.asking import Client

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{7*7}}"

PATHS = ("/", "/rounds", "/audit", "/tables/T1/dealer", "/fragments/alerts", "/fragments/feed")


@pytest.mark.parametrize("path", PATHS)
def test_hostile_texts_are_shown_and_never_run(client: Client, store: Store, path: str) -> None:
    samples.start_table(store)
    samples.see(store, [*samples.deal(), FeedLost(HOSTILE)])
    fields = ("code", "rule", "text", "proved_by", "wager")
    samples.find(store, samples.FOLLOW | dict.fromkeys(fields, HOSTILE))
    page = client.get(path).text
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert ">49<" not in page


def test_a_round_with_hostile_values_is_shown_escaped(client: Client, store: Store) -> None:
    samples.start_table(store)
    record, result = samples.record(HOSTILE), samples.result(HOSTILE)
    record["game"] = record["trump"] = HOSTILE
    record["seats"]["1"]["decision"] = HOSTILE
    record["seats"]["1"]["wagers"][HOSTILE] = 5
    result["rules"] = dict.fromkeys(("game", "house", "version"), HOSTILE)
    record_round(store, "T1", JudgedRound(record, result, at=1.0))
    link = client.get("/rounds").text.split('<td><a href="')[1].split('"')[0]
    page = client.get(html.unescape(link))
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert html.escape("<script>alert(1)</script>") in page.text


@pytest.mark.parametrize("path", [*PATHS, "/static/js/page.js", "/api/v1/tables", "/nowhere"])
def test_every_answer_carries_a_policy_that_lets_only_our_own_files_run(
    client: Client, store: Store, path: str
) -> None:
    samples.start_table(store)
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("template", sorted((Path("audit/web/templates")).rglob("*.html")), ids=str)
def test_no_template_holds_inline_script_or_style_or_an_address_elsewhere(template: Path) -> None:
    text = template.read_text()
    for forbidden in (
        "style=",
        "<style",
        "onclick",
        "onload",
        "javascript:",
        "http://",
        "https://",
    ):
        assert forbidden not in text
    assert text.count("<script") == text.count('<script type="module" src="{{ static }}/')
    assert "|safe" not in text.replace(" ", "")


def test_no_script_or_style_asks_for_anything_elsewhere() -> None:
    for path in [*STATIC.rglob("*.js"), *STATIC.rglob("*.css")]:
        text = path.read_text()
        assert "http://" not in text
        assert "https://" not in text
        assert "eval(" not in text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[::2]:8000"]
)
def test_a_foreign_host_name_is_refused(client: Client, host: str) -> None:
    answer = client.get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert "expected one of" in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:9", "[::1]:8000", "LOCALHOST"])
def test_the_names_of_this_machine_are_served(client: Client, host: str) -> None:
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},  # no header of our own: a form of another site
        {"X-Pitwatch-Act": "1", "Origin": "http://evil.example"},
        {"X-Pitwatch-Act": "1", "Origin": "null"},
        {"X-Pitwatch-Act": "1", "Sec-Fetch-Site": "cross-site"},
        {"X-Pitwatch-Act": "1", "Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize(
    "path",
    ["/api/v1/alerts/1/acknowledge", "/api/v1/verification", "/fragments/verification"],
)
def test_an_act_from_another_site_is_refused(
    client: Client, store: Store, path: str, headers: dict[str, str]
) -> None:
    samples.start_table(store)
    samples.find(store, samples.FOLLOW)
    assert client.post(path, headers=headers).status_code == 403
    assert store.alert(1).state == "new"


def test_a_wager_posted_through_a_page_of_another_site_is_refused(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    wager = {"seat": 1, "wager": "ante", "amount": 1000}
    path = "/api/v1/tables/T1/wagers"
    foreign = {"Origin": "http://evil.example"}
    assert client.post(path, json=wager, headers=foreign).status_code == 403
    # What a form can send without asking first is no JSON, and is not read as JSON.
    plain = client.post(path, content=b'{"seat": 1}', headers={"Content-Type": "text/plain"})
    assert plain.status_code == 422
    assert store.feed_lines("T1") == []


@pytest.mark.parametrize(
    "name", ["../secret", "..%2fsecret", "%2e%2e/secret", "..", ".hidden", "T1%00", "a/../secret"]
)
def test_a_picture_outside_the_folder_is_never_sent(
    client: Client, settings: Settings, name: str
) -> None:
    settings.live_dir.mkdir()
    for path in (settings.data_dir / "secret.jpg", settings.live_dir / ".hidden.jpg"):
        path.write_bytes(b"secret")
    answer = client.get(f"/tables/{name}/live.jpg")
    assert b"secret" not in answer.content


def test_a_picture_far_too_big_is_not_read(settings: Settings) -> None:
    settings.live_dir.mkdir()
    with (settings.live_dir / "T1.jpg").open("wb") as file:
        file.truncate(picture.MAX_PICTURE_BYTES + 1)
    assert picture.newest(settings.live_dir, "T1") is None


def test_a_table_with_a_hostile_name_never_gets_into_the_record(store: Store) -> None:
    with pytest.raises(ChainError):
        samples.start_table(store, HOSTILE)


ODD = (
    {"dealer": "6D"},
    {"seats": {"1": {"plays": [["3C"]]}}},
    {"seats": {"x": {}, "99": {"plays": ["??", "9S", "9S", "9S", "9S"]}}},
    {"seats": {"1": {"hand": ["3C"] * 60, "wagers": {"ante": "much"}}}},
    {"trump": 7},
)


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_a_round_of_an_odd_form_still_has_a_page(
    client: Client, store: Store, odd: dict[str, object]
) -> None:
    samples.start_table(store)
    judged = JudgedRound({**samples.record(), **odd}, {"findings": []}, at=1.0)
    try:
        record_round(store, "T1", judged)
    except AuditError:
        return  # Refused by the record: then no page is needed.
    for path in ("/", "/rounds", "/rounds/T1-0001", "/tables/T1/dealer"):
        assert client.get(path).status_code == 200


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@hypothesis.settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=TEXT, number=TEXT)
def test_no_address_however_odd_is_an_internal_error(
    client: Client, name: str, number: str
) -> None:
    odd, part = quote(name, safe=""), quote(number, safe="")
    for path in (
        f"/rounds/{odd}",
        f"/rounds?table={odd}&before={part}",
        f"/tables/{odd}/dealer",
        f"/tables/{odd}/live.jpg",
        f"/audit?before={part}",
        f"/api/v1/rounds/{odd}",
        f"/api/v1/alerts?table={odd}&limit={part}",
        f"/api/v1/alerts/{part}",
        f"/api/v1/entries?table={odd}&after={part}",
        f"/fragments/tiles/{odd}",
        f"/{odd}?lang={part}",
    ):
        assert client.get(path).status_code < 500


def test_a_record_that_cannot_be_read_is_said_in_one_line(
    client: Client, store: Store, settings: Settings
) -> None:
    store.close()
    for path in settings.data_dir.glob("pitwatch.db*"):
        path.write_bytes(b"no database " * 100)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert "choose another database" in answer.json()["detail"]
    page = client.get("/", headers={"Accept": "text/html"})
    assert page.status_code == 503
    assert "Traceback" not in page.text
