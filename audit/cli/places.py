"""Where the command finds what it did not bring: the model and the bundled footage."""

import os
from dataclasses import dataclass
from pathlib import Path

from audit.errors import SettingsError

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds `models/` and `datasets/` beside the packages."""


def models_dir(given: Path | None = None) -> Path:
    """Return the card model's folder: the one given, `PITWATCH_MODELS`, or the bundled one."""
    return given or Path(os.environ.get("PITWATCH_MODELS") or ROOT / "models")


@dataclass(frozen=True, slots=True)
class Footage:
    """A clip with what belongs to it."""

    video: Path
    layout: Path
    feed: Path


def demo_footage() -> Footage:
    """Return the bundled clip.

    Raises:
        SettingsError: It is not there: the project was installed without its data.
    """
    folder = ROOT / "datasets" / "demo"
    footage = Footage(
        folder / "whist.mp4", folder / "whist.layout.toml", folder / "whist.feed.jsonl"
    )
    for path in (footage.video, footage.layout, footage.feed):
        if not path.is_file():
            raise SettingsError(f"{path}: not found (expected the bundled footage; clone it anew)")
    return footage
