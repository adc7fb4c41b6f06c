"""Where the command finds things: the record, the model, the bundled footage."""

import os
from dataclasses import dataclass
from pathlib import Path

from audit.errors import SettingsError
from audit.settings import Settings, load_settings
from rules.errors import HouseRulesError
from rules.house import HouseRules, default_house, parse_house
from vision.model import CardModel, load_model
from vision.network import Engine

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds `models/` and `datasets/` beside the packages."""

SETTINGS_FILE = "pitwatch.toml"
"""The settings file that is read where the command is run, unless `PITWATCH_CONFIG` names one."""


def settings_for(
    data: Path | None = None, *, host: str | None = None, port: int | None = None
) -> Settings:
    """Return the settings in force, the command's options above file and environment.

    Raises:
        SettingsError: A setting cannot be used; the line names it.
    """
    named = os.environ.get("PITWATCH_CONFIG")
    file = Path(named or SETTINGS_FILE)
    settings = load_settings(file if named or file.is_file() else None)
    given = {"data_dir": data, "host": host, "port": port}
    changed = {name: value for name, value in given.items() if value is not None}
    if data is not None:
        # A record elsewhere is a whole one: not the database that the settings name.
        changed["database"] = ""
    return settings.model_copy(update=changed)


def models_dir(given: Path | None = None) -> Path:
    """Return the card model's folder: the one given, that of the settings, or the bundled one.

    Raises:
        SettingsError: A setting cannot be used; the line names it.
    """
    return given or settings_for().models or ROOT / "models"


def model_in(given: Path | None = None) -> CardModel:
    """Return the card model of a folder, else of the settings, run by the settings' engine.

    Raises:
        ModelError: Something of the model is missing or changed, or the engine is not installed.
        SettingsError: A setting cannot be used; the line names it.
    """
    return load_model(models_dir(given), Engine(settings_for().engine))


def house_in(file: Path | None) -> HouseRules:
    """Return the house rules of a file, else of the settings' file, else the shipped ones.

    Raises:
        HouseRulesError: The file cannot be used; the line names it, the line and the key.
        SettingsError: A setting cannot be used; the line names it.
    """
    file = file or settings_for().house_rules
    if file is None:
        return default_house()
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise HouseRulesError(f"{file}: found bytes that are not UTF-8 (expected TOML)") from None
    return parse_house(text, str(file))


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
