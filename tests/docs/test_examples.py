"""The law: what the documents show of a command is what it prints."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("document", ["README.md", "docs/checking.md"])
def test_a_command_shown_with_its_output_prints_just_that(document: str) -> None:
    shown = re.findall(r"```console\n\$ (.*?)\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)
    assert len(shown) == 1
    for command, output in shown:
        line = re.sub(r"\S*pitwatch", f"{sys.executable} -m audit.cli", command, count=1)
        ended = subprocess.run(
            ["/bin/sh", "-c", line], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert (ended.stdout, ended.stderr) == (output, "")
