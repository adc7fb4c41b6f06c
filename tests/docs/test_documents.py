"""The law: what the documents say about the project is true of the project."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from audit.auth.permissions import Role
from audit.cli.app import app, command_names
from audit.cli.app_user import ROLES
from audit.reports.kinds import ReportKind
from audit.settings_page import PAGE_MARK, settings_table
from rules.games import GAMES

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*/README.md")]
    if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
)
COMMANDS = command_names()


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_relative_link_leads_to_something(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|src=\"([^\"]+)\"", document.read_text())
    targets = [first or second for first, second in links]
    local = [target for target in targets if not re.match(r"[a-z]+:", target)]
    broken = [target for target in local if not (document.parent / target).exists()]
    assert broken == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_command_named_exists(document: Path) -> None:
    code = re.findall(r"```(?:sh|console)?\n(.*?)```|`([^`\n]+)`", document.read_text(), re.DOTALL)
    text = "\n".join(block or inline for block, inline in code)
    commands = set(re.findall(r"^(?:\S*/)?pitwatch ([a-z]+)\b", text, re.MULTILINE))
    assert commands <= COMMANDS


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_make_target_named_exists(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named_targets = set(re.findall(r"`make ([a-z-]+)", document.read_text()))
    assert named_targets <= targets


def commands(group: TyperGroup, before: str = "") -> Iterator[tuple[str, TyperCommand]]:
    """Give every command, those of groups too, by what is typed to run it."""
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, f"{before}{name} ")
        elif isinstance(command, TyperCommand):
            yield f"{before}{name}", command


def test_every_command_has_help_with_an_example_and_tells_of_every_option() -> None:
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    every = dict(commands(group))
    assert len(every) > 35
    assert [name for name, one in every.items() if f"pitwatch {name}" not in (one.help or "")] == []
    untold = [
        f"{name} {param.name}"
        for name, one in every.items()
        for param in one.params
        if not getattr(param, "hidden", False) and not getattr(param, "help", None)
    ]
    assert untold == []


def test_the_list_of_commands_cuts_no_line_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    root = get_command(app)
    assert isinstance(root, TyperGroup)
    for group in (root, *(one for one in root.commands.values() if isinstance(one, TyperGroup))):
        context = group.make_context(group.name, ["x"], resilient_parsing=True)
        lines = group.get_help(context).splitlines()
        assert len(lines) > 8
        assert [line for line in lines[1:] if line.endswith("...")] == []


def test_the_help_names_every_role() -> None:
    assert [role for role in Role if role not in ROLES] == []


def test_the_help_lists_every_report_and_every_game() -> None:
    told = {
        info.callback.__name__: info.help or info.callback.__doc__ or ""
        for info in app.registered_commands
        if info.callback
    }
    assert [kind for kind in ReportKind if f"  {kind} " not in told["report"]] == []
    assert [game for game in GAMES if f"      {game}\n" not in told["edge"]] == []


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs/decisions"
    index = (folder / "README.md").read_text()
    pages = [path.name for path in folder.glob("[0-9]*.md")]
    assert pages
    assert [page for page in pages if f"({page})" not in index] == []


def test_the_readme_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text()
    assert {command for command in COMMANDS if f"pitwatch {command}" not in readme} == set()


def test_every_setting_is_documented() -> None:
    """Run scripts/document_settings.py when this fails."""
    page = (ROOT / "docs/settings.md").read_text()
    assert page.partition(PAGE_MARK)[2].strip() == settings_table().strip()
