"""`pitwatch demo` as people run it, and the people who look at it while it runs."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import PATIENCE_MS

LONGEST_S = 900.0
"""How long the footage of a minute may take on a machine that does much else."""

CLOTH = """() => {
  const small = new OffscreenCanvas(64, 36).getContext("2d");
  small.drawImage(document.getElementById("video"), 0, 0, 64, 36);
  const { data } = small.getImageData(0, 0, 64, 36);
  let green = 0;
  for (let at = 0; at < data.length; at += 4) {
    green += data[at + 1] > data[at] && data[at + 1] > data[at + 2];
  }
  return green / (64 * 36);
}"""
"""How much of the picture that a replay shows is as green as the table's cloth."""


@dataclass(frozen=True)
class Demo:
    """The running command."""

    url: str
    folder: Path
    process: "subprocess.Popen[bytes]"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def said(self) -> str:
        """What it told the person so far."""
        return (self.folder / "said").read_text()

    def lines(self) -> list[dict[str, Any]]:
        """What it printed for programs so far."""
        return [json.loads(line) for line in (self.folder / "lines").read_text().splitlines()]

    def wait_for(self, text: str) -> None:
        """Wait until it says something."""
        end = monotonic() + LONGEST_S
        while text not in self.said():
            assert self.process.poll() is None, self.said()
            assert monotonic() < end, self.said()
            sleep(0.2)


@contextmanager
def demo(folder: Path) -> Iterator[Demo]:
    """Run the demo on a free port; Ctrl-C ends it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "audit.cli", "demo", "--json", "--port", str(port)]
    shown = {name: os.environ[name] for name in os.environ if not name.endswith("DISPLAY")}
    with (folder / "lines").open("wb") as lines, (folder / "said").open("wb") as said:
        process = subprocess.Popen(
            [*words, "--data", str(folder / "data")], stdout=lines, stderr=said, env=shown
        )
        running = Demo(f"http://127.0.0.1:{port}", folder, process)
        try:
            running.wait_for("where you choose as whom to look")
            yield running
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=120)


def visitor(browser: Browser, url: str, role: str) -> Page:
    """A page of somebody who came in as a visitor of the demonstration."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"{url}/login")
    page.get_by_role("button", name=role, exact=True).click()
    page.wait_for_url(lambda address: not address.endswith("/login"))
    return page


def first_picture_ms(page: Page) -> int:
    """How long after it was opened a replay showed the first picture of its film."""
    main = page.locator("#main")
    expect(main).to_have_attribute("data-first-picture", re.compile("[0-9]+"))
    return int(main.get_attribute("data-first-picture") or 0)


def frames_played(page: Page, *, at_least: int) -> int:
    """Return how many pictures of the film a replay has played, once they are so many.

    It is asked again and again from outside: the pages allow no text to be run as a script.
    """
    until = monotonic() + LONGEST_S
    while monotonic() < until:
        frames = int(
            page.evaluate(
                "document.getElementById('video').getVideoPlaybackQuality().totalVideoFrames"
            )
        )
        if frames > at_least:
            return frames
        page.wait_for_timeout(50)
    pytest.fail(f"the film did not play {at_least} pictures in {LONGEST_S} s")
