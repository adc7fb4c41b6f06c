"""Law: watcher and server may be killed at any moment; nothing acknowledged is lost or repeated.

A short version of scripts/chaos_record.py, which kills two hundred times.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from audit.cli.output import log_to_stderr
from tests.audit.chaos import Place, free_port, kill_at_random
log_to_stderr()
place = Place(sys.argv[1], Path(sys.argv[2]), free_port())
print(json.dumps(asdict(kill_at_random(place, int(sys.argv[3])))))
"""


def test_killed_at_random_moments_nothing_acknowledged_is_lost_or_repeated(
    database_url: str, tmp_path: Path
) -> None:
    # In a process of its own: it forks, and a test session has threads.
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, database_url, str(tmp_path / "data"), "4"],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert (outcome["lost"], outcome["twice"], outcome["fault"]) == (0, 0, None)
    assert outcome["seen"] > 0
    assert outcome["reported"] > 0
