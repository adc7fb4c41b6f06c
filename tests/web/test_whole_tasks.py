"""The law: from the first link to the last refusal, each role's task goes through on real pages.

One server and one record: the pit binds a dealer's screen, an administrator lets a regulator in,
who reads what is there and changes nothing, and is out at once when the account is disabled. What
the pit, the dealer, surveillance and compliance do at their own desks is in `test_tasks`.
"""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from audit.auth.door import Door
from audit.auth.permissions import Role
from audit.auth.sessions import How
from audit.store.access import AccessStore
from tests.web import samples
from tests.web.asking import COOKIE
from tests.web.browsing import PATIENCE_MS, Served
from tests.web.visitors import PASSWORD

pytestmark = pytest.mark.e2e


def desk(browser: Browser, served: Served, name: str = "", *roles: Role) -> Page:
    """A browser of its own: signed in where a name is given, else a stranger's."""
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    if name:
        door = Door(AccessStore(served.store))
        token = door.open(name, roles, How.PASSWORD, "127.0.0.1", None).token
        context.add_cookies([{"name": COOKIE, "value": token, "url": served.url}])
    return context.new_page()


def link_on(page: Page, served: Served) -> str:
    """The one-time link that a page shows, at the test's own port."""
    return served.url + urlsplit(page.locator(".said code").inner_text()).path


def test_people_are_let_in_see_what_is_theirs_and_are_out_at_once(
    served: Served, browser: Browser
) -> None:
    samples.start_table(served.store)
    samples.see(served.store, samples.tricks())
    samples.find(served.store, samples.FOLLOW)
    samples.end_round(served.store)

    pit = desk(browser, served, "anna", Role.PIT)
    pit.goto(f"{served.url}/screens")
    pit.get_by_role("button", name="Bind a device").click()
    tablet = desk(browser, served)
    tablet.goto(link_on(pit, served))
    tablet.get_by_role("button", name="Use this device").click()
    expect(tablet.get_by_role("heading", name="T1")).to_be_visible()
    tablet.goto(f"{served.url}/rounds")
    expect(tablet.get_by_role("heading", name="Your role does not permit this.")).to_be_visible()

    root = desk(browser, served, "root", Role.ADMINISTRATOR)
    root.goto(f"{served.url}/accounts")
    added = root.locator("form.form")
    added.get_by_label("Name", exact=True).fill("han")
    added.get_by_label("Regulator").check()
    added.get_by_role("button", name="Add").click()
    regulator = desk(browser, served)
    regulator.goto(link_on(root, served))
    regulator.get_by_label("New password", exact=True).fill(PASSWORD)
    regulator.get_by_label("New password again").fill(PASSWORD)
    regulator.get_by_role("button", name="Save and sign in").click()

    regulator.goto(f"{served.url}/rounds")
    regulator.get_by_role("link", name="T1-0001").click()
    expect(regulator.get_by_text("What the proof was").first).to_be_visible()
    expect(regulator.get_by_role("button", name="Open a case")).to_have_count(0)
    regulator.goto(f"{served.url}/replay/T1-0001?alert=1")
    expect(regulator.get_by_role("heading", name="Alert 1")).to_be_visible()
    expect(regulator.locator(".judge button")).to_have_count(0)
    regulator.goto(f"{served.url}/audit")
    regulator.get_by_role("button", name="Verify the record").click()
    expect(regulator.locator("#verified")).to_contain_text("The record holds.")

    root.goto(f"{served.url}/rounds")
    expect(root.get_by_role("heading", name="Your role does not permit this.")).to_be_visible()
    root.goto(f"{served.url}/accounts")
    root.locator("tr", has_text="han").get_by_role("button", name="Disable").click()
    regulator.goto(f"{served.url}/rounds")
    expect(regulator.get_by_role("button", name="Sign in")).to_be_visible()
    for page in (pit, tablet, root, regulator):
        page.context.close()
