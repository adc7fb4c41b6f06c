"""The law: the units of the page about services run commands that are, with settings that are."""

import re
from collections import defaultdict
from pathlib import Path

import pytest
import typer

from audit.cli.app import app
from audit.settings import Settings

DOCS = Path(__file__).parents[2] / "docs"
UNITS = sorted((DOCS / "systemd").glob("*.service"))
NO_SETTINGS = {"PITWATCH_CONFIG", "PITWATCH_SOURCE", "PITWATCH_DEBUG"}


def named(path: Path) -> str:
    return path.name


def lines(unit: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in unit.read_text().splitlines():
        if line and not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            found[name].append(value)
    return found


@pytest.mark.parametrize("unit", UNITS, ids=named)
def test_a_unit_runs_a_command_with_options_that_it_has(
    unit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITWATCH_SOURCE", "rtsp://camera/stream")
    (start,) = lines(unit)["ExecStart"]
    program, name, *words = start.split()
    assert program == "/opt/pitwatch/.venv/bin/pitwatch"
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    context = group.commands[name].make_context(name, words)
    assert context.params.get("source", "rtsp://camera/stream") == "rtsp://camera/stream"


@pytest.mark.parametrize("unit", UNITS, ids=named)
def test_a_unit_comes_back_and_has_no_right_that_it_does_not_need(unit: Path) -> None:
    found = lines(unit)
    for name, value in {
        "User": "pitwatch",
        "Restart": "always",
        "StartLimitIntervalSec": "0",
        "NoNewPrivileges": "yes",
        "CapabilityBoundingSet": "",
        "ProtectSystem": "strict",
        "UMask": "0077",
    }.items():
        assert found[name] == [value]


def test_every_variable_of_units_and_page_is_one() -> None:
    known = NO_SETTINGS | {f"PITWATCH_{field.upper()}" for field in Settings.model_fields}
    text = "".join(path.read_text() for path in [*UNITS, DOCS / "running.md"])
    assert len(UNITS) == 2
    assert set(re.findall(r"PITWATCH_[A-Z_]+", text)) <= known
