"""The law: each person's whole task can be done on the pages, by keys and by touch, by everybody.

Pages keep WCAG 2.2 AA as far as axe can tell, in both themes and languages.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from audit.alerts import AlertState
from audit.payouts import FeedSource
from audit.store import Store
from tests.web import samples
from tests.web.browsing import Served
from tests.web.film import film

pytestmark = pytest.mark.e2e

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

PAGES = (
    "/",
    "/tables/T1/dealer",
    "/rounds",
    "/rounds/T1-0001",
    "/replay/T1-0001?alert=1",
    "/payouts",
    "/cases",
    "/cases/1",
    "/log",
    "/audit",
    "/audit/entries/3",
    "/approvals",
)


def play_a_round(store: Store) -> None:
    samples.start_table(store)
    samples.see(store, samples.tricks())
    samples.find(store, samples.FOLLOW)
    samples.end_round(store)


def test_the_pit_takes_up_an_alert_by_keys(served: Served, page: Page) -> None:
    play_a_round(served.store)
    page.goto(served.url)
    page.keyboard.press("j")
    page.keyboard.press("c")
    dialog = page.get_by_role("dialog", name="Comment")
    dialog.get_by_label("Comment").fill("Told the player.")
    dialog.get_by_role("button", name="Add the comment").click()
    expect(page.locator(".facts-line", has_text="1 comment")).to_be_visible()
    page.keyboard.press("e")
    escalate = page.get_by_role("dialog", name="Escalate")
    escalate.get_by_label("To whom").fill("Surveillance")
    escalate.get_by_role("button", name="Escalate").click()
    expect(page.locator(".facts-line", has_text="escalated to Surveillance")).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator(".queue [data-alert='1']")).to_have_count(0)
    expect(page.locator(".taken [data-alert='1']")).to_be_visible()
    alert = served.store.alert(1)
    assert (alert.state, alert.escalated_to) == (AlertState.ACKNOWLEDGED, "Surveillance")


def test_surveillance_replays_a_hand_and_judges_it_by_keys(served: Served, page: Page) -> None:
    play_a_round(served.store)
    proved = served.store.alert(1).opened
    film(served.store, proved - timedelta(seconds=6), 8)
    film(served.store, proved - timedelta(seconds=5), 7, table="T1.2")
    page.goto(f"{served.url}/replay/T1-0001?alert=1")
    shown = re.compile("[0-9]+")  # Milliseconds until the film's first picture was there.
    expect(page.locator("#main")).to_have_attribute("data-first-picture", shown)
    place = page.locator("#clock-in")
    begun = place.inner_text()
    page.keyboard.press("ArrowRight")
    expect(place).not_to_have_text(begun)
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_contain_text("Pause")
    stepped = place.inner_text()
    expect(place).not_to_have_text(stepped)
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_contain_text("Start")
    second = page.locator("#second")
    expect(second).to_be_visible()
    apart = "Math.abs(document.getElementById('second').currentTime - video.currentTime)"
    shown_beside = "document.getElementById('second').readyState >= 2"
    page.wait_for_function(f"{shown_beside} && {apart} <= 0.25")
    page.keyboard.press("p")
    at_proof = float(page.locator("#to-proof").get_attribute("data-at") or 0)
    expect(page.locator("#seek")).to_have_value(re.compile(rf"^{at_proof:.1f}"))
    page.keyboard.press("k")
    assert float(page.locator("#seek").input_value()) < at_proof
    page.keyboard.press("x")
    dialog = page.get_by_role("dialog", name="Not confirmed")
    dialog.get_by_label("Reason").fill("The card lay under the sleeve.")
    dialog.get_by_role("button", name="Mark as not confirmed").click()
    expect(page.locator(".story")).to_contain_text("The card lay under the sleeve.")
    assert served.store.alert(1).state is AlertState.NOT_CONFIRMED
    expect(page.locator("#main")).to_have_attribute("data-first-picture", shown)
    page.keyboard.press("c")
    case = page.get_by_role("dialog", name="Open a case")
    case.get_by_label("Title").fill("Seat 1, first trick")
    case.get_by_role("button", name="Open the case").click()
    expect(page.get_by_role("heading", name="Case 1: Seat 1, first trick")).to_be_visible()
    assert [link.ref for link in served.store.case_links(1)] == ["T1-0001", "1"]


def test_compliance_finds_a_payout_and_proves_its_entry(served: Served, page: Page) -> None:
    play_a_round(served.store)
    served.store.checkpoint()
    page.goto(f"{served.url}/payouts")
    page.get_by_label("Amount", exact=True).fill("75")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".sums")).to_contain_text("25.00")
    page.get_by_role("link", name="T1-0001").click()
    expect(page.get_by_role("heading", name="T1-0001")).to_be_visible()
    entry = served.store.round("T1-0001").entry
    page.goto(f"{served.url}/audit/entries/{entry}")
    page.get_by_role("button", name="Prove it").click()
    expect(page.locator("#proved")).to_contain_text("to the root of checkpoint 1")


def test_the_dealer_enters_a_wager_by_touch_and_undoes_it(served: Served, browser: Browser) -> None:
    samples.start_table(served.store)
    context = served.let_in(browser.new_context(has_touch=True, locale="en-GB"))
    tablet = context.new_page()
    tablet.goto(f"{served.url}/tables/T1/dealer")
    tablet.locator(".key", has_text="3").first.tap()
    tablet.locator("[data-chip='2500']").tap()
    tablet.locator("[data-chip='2500']").tap()
    expect(tablet.locator("#sum")).to_have_text("50")
    tablet.get_by_role("button", name="Placed").tap()
    expect(tablet.locator(".entered")).to_contain_text("Seat 3")
    tablet.get_by_role("button", name="Undo").tap()
    expect(tablet.locator(".entered .gone")).to_have_count(1)
    small = tablet.evaluate(
        "[...document.querySelectorAll('#entry button, #entry .key span')]"
        ".filter((key) => key.getBoundingClientRect().height < 56).length"
    )
    assert small == 0
    context.close()
    lines = served.store.feed_lines("T1")
    assert [(line.seat, line.amount) for line in lines] == [(3, 5000), (3, 0)]
    assert {line.source for line in lines} == {FeedSource.DEALER_SCREEN}


@pytest.mark.parametrize(("theme", "language"), [("dark", "en"), ("light", "ko")])
def test_axe_finds_nothing_against_wcag_on_any_page(
    served: Served, browser: Browser, theme: str, language: str
) -> None:
    play_a_round(served.store)
    act = {"X-Pitwatch-Act": "1", "Origin": served.url}
    context = served.let_in(browser.new_context(viewport={"width": 1280, "height": 900}))
    context.add_cookies(
        [
            {"name": name, "value": value, "url": served.url}
            for name, value in (("theme", theme), ("lang", language))
        ]
    )
    tab = context.new_page()
    case = tab.request.post(f"{served.url}/api/v1/cases", data={"title": "A case"}, headers=act)
    assert case.ok, case.text()
    found: list[str] = []
    for path in PAGES:
        tab.goto(served.url + path)
        tab.evaluate(AXE.read_text())
        told: dict[str, Any] = tab.evaluate(
            "(tags) => axe.run({ runOnly: { type: 'tag', values: tags } })", WCAG
        )
        for problem in told["violations"]:
            places = [" ".join(node["target"]) for node in problem["nodes"]][:3]
            found.append(f"{path} {problem['id']}: {'; '.join(places)}")
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        wide = "one.scrollWidth > one.clientWidth"
        cut = f"[...document.querySelectorAll('.tile .scroll')].some((one) => {wide})"
        assert not tab.evaluate(cut), f"{path}: a table's state is cut off"
    context.close()
    assert found == []


def test_no_page_is_wider_than_a_telephone_and_all_use_a_wall(
    served: Served, browser: Browser
) -> None:
    play_a_round(served.store)
    # Drawing a wall of eight million points takes its time without a graphics card.
    for width, height, paths in ((390, 844, PAGES), (3840, 2160, ("/", "/rounds"))):
        context = served.let_in(browser.new_context(viewport={"width": width, "height": height}))
        tab = context.new_page()
        for path in paths:
            if path != "/cases/1":
                tab.goto(served.url + path)
                wide = tab.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, f"{path} is {wide} wide"
        context.close()
