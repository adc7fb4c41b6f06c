"""The law: the interface speaks English and Korean throughout, and never half of each."""

import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from audit.store import JudgedRound, Store
from audit.web import labels
from audit.web.language import LOCALE_DIR, catalogue, choose
from rules.check import judge, result_to_json
from rules.findings import FindingCode, Severity
from rules.record_json import record_from_json
from tests.audit.record_builders import record_round
from tests.web import samples
from tests.web.asking import Client

SPEAKING = (Path("audit/web"), Path("audit/reports"))
KOREAN = LOCALE_DIR / "ko" / "LC_MESSAGES"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


def korean() -> Catalog:
    with (KOREAN / "pitwatch.po").open("rb") as file:
        return read_po(file, locale="ko")


def used() -> set[str]:
    methods = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
    options = {"**/templates/**.html": {"newstyle_gettext": "true", "trimmed": "true"}}
    keywords = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}
    found = [extract_from_dir(one, methods, options, keywords=keywords) for one in SPEAKING]
    texts = (message[2] for part in found for message in part)
    return {text if isinstance(text, str) else text[0] for text in texts}


def test_every_text_of_the_interface_has_a_korean_one() -> None:
    known = {
        message.id if isinstance(message.id, str) else message.id[0]
        for message in korean()
        if message.id and message.string and not message.fuzzy
    }
    assert used() - known == set()


def test_the_korean_catalogue_holds_no_text_that_nobody_uses() -> None:
    known = {m.id if isinstance(m.id, str) else m.id[0] for m in korean() if m.id}
    assert known - used() == set()


def test_a_translation_has_the_placeholders_of_its_source() -> None:
    for message in korean():
        source = message.id if isinstance(message.id, str) else message.id[0]
        strings = message.string or ""
        target = strings if isinstance(strings, str) else strings[0]
        if source:
            assert sorted(PLACEHOLDER.findall(target)) == sorted(PLACEHOLDER.findall(source))


def test_the_compiled_catalogue_is_that_of_its_source() -> None:
    built = BytesIO()
    write_mo(built, korean())
    assert (KOREAN / "pitwatch.mo").read_bytes() == built.getvalue()


@pytest.mark.parametrize("code", list(FindingCode))
def test_every_finding_has_a_name_and_a_meaning(code: FindingCode) -> None:
    assert code.value in labels.FINDINGS
    assert code.value in labels.MEANINGS
    assert catalogue("ko").gettext(labels.FINDINGS[code.value]) != labels.FINDINGS[code.value]


def test_every_severity_has_a_name() -> None:
    assert {severity.value for severity in Severity} == set(labels.SEVERITIES)


def test_no_text_accuses_anybody() -> None:
    for text in used():
        assert not re.search(r"cheat|fraud|steal|thief|guilty|dishonest", text, re.IGNORECASE)


@pytest.mark.parametrize(
    ("asked", "remembered", "accepted", "expected"),
    [
        (None, None, "", "en"),
        ("ko", "en", "en", "ko"),  # the address wins
        (None, "ko", "en", "ko"),  # then what was chosen before
        (None, None, "ko", "ko"),  # then the browser
        (None, None, "de, ko-KR;q=0.5", "ko"),
        (None, None, "ko;q=0, en", "en"),  # zero is a refusal
        (None, None, "ko;q=x, fr", "en"),
        ("tlh", "xx", "fr", "en"),  # what we do not speak counts as nothing
    ],
)
def test_the_language_is_the_one_asked_for(
    asked: str | None, remembered: str | None, accepted: str, expected: str
) -> None:
    assert choose(asked, remembered, accepted) == expected


def test_a_page_in_korean_says_so_and_remembers_it(client: Client, store: Store) -> None:
    samples.start_table(store)
    samples.end_round(store)
    page = client.get("/?lang=ko")
    assert '<html lang="ko"' in page.text
    assert "피트" in page.text
    assert "lang=ko" in page.headers["set-cookie"]
    again = client.get("/rounds", headers={"Cookie": "lang=ko"})
    assert again.headers["content-language"] == "ko"
    assert "라운드" in again.text


@pytest.mark.parametrize("path", ["/", "/rounds", "/rounds/T1-0001", "/audit", "/tables/T1/dealer"])
def test_every_page_can_be_had_in_korean(client: Client, store: Store, path: str) -> None:
    samples.start_table(store)
    samples.end_round(store)
    page = client.get(path, headers={"Accept-Language": "ko"}).text
    assert '<html lang="ko"' in page
    assert "Pit wall" not in page


def test_times_are_shown_in_the_property_zone_and_kept_in_utc(client: Client, store: Store) -> None:
    samples.start_table(store)
    shown = client.get("/audit").text
    assert "2026-11-30 05:33:00" in shown
    assert datetime(2026, 11, 30, 5, 33, tzinfo=UTC).isoformat()[:19] in shown


def test_a_finding_is_explained_in_korean_by_the_rules(client: Client, store: Store) -> None:
    samples.start_table(store)
    seen = samples.record()
    judged = result_to_json(judge(record_from_json(seen)))
    record_round(store, "T1", JudgedRound(seen, judged, at=20.0))
    page = client.get("/rounds/T1-0001?lang=ko").text
    assert "1번 좌석, 트릭 1: 딜러 카드는 6♦" in page
    assert "The hand held" not in page


def test_a_finding_under_other_house_rules_keeps_its_english_text(
    client: Client, store: Store
) -> None:
    samples.start_table(store)
    samples.end_round(store)
    page = client.get("/rounds/T1-0001?lang=ko").text
    assert "Seat 1 held J♦ when 6♦ was led" in page
