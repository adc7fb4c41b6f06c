"""House rules: one commented TOML file a house, checked on load and versioned by what it says."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rules.games import GAMES
from rules.games.base import AnyGame
from rules.section import Document, Section


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The options of one house for every game."""

    name: str
    version: str
    """`sha256:` and the hash of what the options come to, so that comments do not change it."""
    options: Mapping[str, Any]
    """Game name → the options that the game read."""
    settled: Mapping[str, Any]
    """The same as plain values, defaults filled in: what the version is the hash of."""


def parse_house(
    text: str, source: str = "house rules", games: Mapping[str, AnyGame] = GAMES
) -> HouseRules:
    """Return the house rules of a TOML text.

    Args:
        text: The file's content.
        source: The file's name, for messages.
        games: The games whose sections the file may have.

    Raises:
        HouseRulesError: The text cannot be used; the message names the file, line and key.

    >>> parse_house('name = "Harbour"').name
    'Harbour'
    """
    document = Document.parse(text, source)
    root = Section(document, ())
    name = root.text("name", "unnamed")
    sections = {game: root.section(game) for game in games}
    options = {game: games[game].read_options(sections[game]) for game in games}
    root.finish()
    return HouseRules(name, _version(root.settled), options, root.settled)


def _version(settled: Mapping[str, Any]) -> str:
    canonical = json.dumps(settled, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"


def default_house_text() -> str:
    """Return the shipped house rules file, every option with its default and a comment.

    >>> default_house_text().startswith("#")
    True
    """
    return files("rules").joinpath("houses/default.toml").read_text(encoding="utf-8")


@cache
def default_house() -> HouseRules:
    """Return the house rules that hold where a house says nothing.

    >>> default_house().name
    'default'
    """
    return parse_house(default_house_text(), "default.toml")


def describe_house(house: HouseRules, games: Mapping[str, AnyGame] = GAMES) -> tuple[str, ...]:
    """Return the house rules in words, a sentence each, every game under its title.

    >>> describe_house(default_house())[0]
    'House rules: default'
    """
    lines = [f"House rules: {house.name}", f"Version: {house.version}"]
    for name, game in games.items():
        lines.append(f"{game.titles['en']}:")
        lines += [f"  {sentence}" for sentence in game.describe(house.options[name])]
    return tuple(lines)


def house_warnings(house: HouseRules, games: Mapping[str, AnyGame] = GAMES) -> tuple[str, ...]:
    """Return what the house should know about its pay tables, each with the game's title.

    >>> any("unverified pay table" in warning for warning in house_warnings(default_house()))
    True
    """
    return tuple(
        f"{game.titles['en']}: {warning}"
        for name, game in games.items()
        for warning in game.warnings(house.options[name])
    )
