"""What every test shares: a skipped test is a failure where `--fail-on-skip` says so."""

import os

import pytest
from hypothesis import settings

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=200, deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


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
