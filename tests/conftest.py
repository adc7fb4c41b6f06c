"""What every test shares: a browser and a server; a skipped test fails under `--fail-on-skip`."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect, sync_playwright

from tests.audit.postgresql_server import NoServer, PostgreSQL, running
from tests.web.browsing import CHROMIUM, PATIENCE_MS

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=200, deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_configure() -> None:
    # What a shell puts into the background ignores SIGINT, and so would all that tests start.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fail-on-skip", action="store_true", help="count a skipped test as a failure"
    )


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not session.config.getoption("--fail-on-skip"):
        return
    skipped = [report.nodeid for report in reporter.stats.get("skipped", [])]
    if skipped and exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"skipped, which counts as failed: {', '.join(skipped)}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium; it drives one loop a process, so that all tests of a worker share it."""
    if not CHROMIUM.exists():
        pytest.fail(f"{CHROMIUM} is missing: apt-get install chromium", pytrace=False)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A running PostgreSQL server; every xdist worker has its own."""
    try:
        with running() as server:
            yield server
    except NoServer as error:
        pytest.fail(str(error), pytrace=False)
