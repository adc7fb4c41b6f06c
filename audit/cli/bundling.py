"""Bundles for the web interface: made by a process of their own, so that pages stay quick."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from audit.errors import RecordConflict
from audit.settings import Settings

LONGEST_S = 900.0
"""How long a bundle may take, seconds: a long hand on a busy machine takes a minute."""


@dataclass(frozen=True, slots=True)
class Bundling:
    """Makes bundles as `pitwatch bundle` does."""

    settings: Settings

    def bundle(self, round_id: str, user: str) -> Path:
        """Make the bundle of a round for a user; delete the file when it was sent.

        Raises:
            RecordConflict: It cannot be made; the line says why.
        """
        handle, name = tempfile.mkstemp(prefix="pitwatch-", suffix=".bundle.zip")
        os.close(handle)
        environment = os.environ | {
            "PITWATCH_DATA_DIR": str(self.settings.data_dir),
            "PITWATCH_DATABASE": self.settings.database,
        }
        command = [sys.executable, "-m", "audit.cli", "bundle", "--out", name, "--user", user]
        try:
            done = subprocess.run(  # noqa: S603 - our own command
                [*command, "--", round_id],
                env=environment,
                capture_output=True,
                text=True,
                timeout=LONGEST_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            done = None
        if done is None or done.returncode:
            Path(name).unlink(missing_ok=True)
            said = [] if done is None else done.stderr.strip().splitlines()
            raise RecordConflict(said[-1].removeprefix("pitwatch: ") if said else "took too long")
        return Path(name)
