"""The law: every finding code, note, rule and house option is documented, and examples run."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.check import judge
from rules.findings import FindingCode
from rules.games import GAMES
from rules.games.base import AnyGame
from rules.house import default_house, default_house_text, parse_house
from rules.record_json import read_record
from rules.section import Document, Section
from rules.words import NOTES

ROOT = Path(__file__).parents[2]
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in ROOT.glob("docs/rules/*.md")}
ALL = "\n".join(PAGES.values())
RULES = {
    "three-card-whist": [
        *[
            f"TCW-{number}"
            for number in ("1", "2/3", *range(4, 12), "12a", "12b", "12c", 13, 14, 15)
        ],
        *[f"TCW-{side}{number}" for side in "BR" for number in range(1, 7)],
    ],
    "common": [f"COM-{number}" for number in range(1, 7)],
}


def options_of(settled: dict[str, Any], path: str = "") -> Iterator[str]:
    """Give the dotted names of the options of a game, a wager's limits as one."""
    for key, value in settled.items():
        name = f"{path}{key}"
        if key == "pays" or path == "limits.":
            yield name if path == "limits." else name.removesuffix(".pays")
        elif isinstance(value, dict):
            yield from options_of(value, f"{name}.")
        else:
            yield name


@pytest.mark.parametrize("code", FindingCode)
def test_every_finding_code_is_documented(code: FindingCode) -> None:
    assert f"`{code.value}`" in ALL


@pytest.mark.parametrize("note", NOTES["en"])
def test_every_note_of_a_finding_is_documented(note: str) -> None:
    assert f"`{note}`" in ALL


@pytest.mark.parametrize("game", GAMES)
def test_every_house_option_is_documented_on_its_games_page(game: str) -> None:
    missing = [
        name for name in options_of(default_house().settled[game]) if name not in PAGES[game]
    ]
    assert missing == []


@pytest.mark.parametrize("page", RULES)
def test_every_numbered_rule_is_on_the_page(page: str) -> None:
    assert [number for number in RULES[page] if number not in PAGES[page]] == []


def test_the_shipped_house_rules_name_every_option_with_its_default() -> None:
    stated = tomllib.loads(default_house_text())
    silent = parse_house('name = "default"')
    assert silent.version == default_house().version

    def leaves(values: dict[str, Any], path: str = "") -> Iterator[str]:
        for key, value in values.items():
            if isinstance(value, dict):
                yield from leaves(value, f"{path}{key}.")
            else:
                yield f"{path}{key}"

    settled = {name for name in leaves(dict(silent.settled)) if ".pays." not in name}
    assert settled == set(leaves(stated))


def example(language: str) -> str:
    page = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    return blocks[0]


def added_game() -> AnyGame:
    scope: dict[str, Any] = {"__name__": "high_card_three"}
    exec(compile(example("python"), "adding-a-game.md", "exec"), scope)  # noqa: S102
    game: AnyGame = scope["HIGH_CARD_THREE"]
    return game


def test_the_added_game_of_the_page_works_as_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    game = added_game()
    monkeypatch.setitem(GAMES, game.name, game)
    house = parse_house(example("toml"), games={game.name: game})
    result = judge(read_record(example("json").replace("\n", " ")), house)
    (found,) = result.findings
    assert (found.code, found.rule, found.due, found.difference) == (
        "overpaid",
        "HCT-3",
        1000,
        1000,
    )
    assert result.rules.house == "Harbour"
    assert game.describe(house.options[game.name]) == ("Equal hands lose.",)


def test_the_added_game_of_the_page_leaves_open_what_it_cannot_see() -> None:
    game = added_game()
    options = game.read_options(Section(Document.parse("", "x.toml"), (game.name,)))
    record = read_record(example("json").replace('"AH"', "null"))
    (seat,) = game.judge(record, options, ()).seats.values()
    assert seat.status.value == "unsure"
    assert game.describe(options) == ("Equal hands push.",)
    assert game.warnings(options) == ()
    assert game.limits(options) == {}
