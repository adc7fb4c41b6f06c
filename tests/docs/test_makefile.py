"""The law: an installation that was interrupted is taken up again by the same command."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
# Stands for Python: "-m venv --clear FOLDER" makes a pip that notes what it is asked for.
[ "$2" = venv ] || exit 0
rm -rf "$4" && mkdir -p "$4/bin" && echo made >> made.txt
printf '#!/bin/sh\\necho "$@" >> asked.txt\\n' > "$4/bin/pip" && chmod +x "$4/bin/pip"
"""


def make(folder: Path) -> None:
    command = ["make", "PYTHON=./python", ".venv/.runtime"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def test_an_environment_that_was_half_made_is_made_anew_and_a_whole_one_kept(
    tmp_path: Path,
) -> None:
    for name in ("Makefile", "pyproject.toml", "scripts/require.sh", "requirements/runtime.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()  # Ctrl-C came before pip did.
    make(tmp_path)
    assert len((tmp_path / "asked.txt").read_text().splitlines()) == 2
    later = (tmp_path / ".venv" / ".runtime").stat().st_mtime + 10
    os.utime(tmp_path / "pyproject.toml", (later, later))  # installed again, not made again
    make(tmp_path)
    assert (tmp_path / "made.txt").read_text() == "made\n"
    assert len((tmp_path / "asked.txt").read_text().splitlines()) == 4
