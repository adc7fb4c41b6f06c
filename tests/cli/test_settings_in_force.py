"""The law: what the settings name is used, an option stands above it, and logs are no results."""

from pathlib import Path

import pytest
import structlog

from audit.cli.output import log_to_stderr
from audit.cli.places import ROOT, house_in, models_dir


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("CONFIG", "HOUSE_RULES", "MODELS"):
        monkeypatch.delenv(f"PITWATCH_{name}", raising=False)


def test_without_settings_the_shipped_rules_and_model_are_used() -> None:
    assert house_in(None).name == "default"
    assert models_dir() == ROOT / "models"


def test_the_house_rules_that_the_settings_file_names_are_in_force(tmp_path: Path) -> None:
    (tmp_path / "harbour.toml").write_text('name = "Harbour"\n')
    (tmp_path / "other.toml").write_text('name = "Other"\n')
    (tmp_path / "pitwatch.toml").write_text('house_rules = "harbour.toml"\n')
    assert house_in(None).name == "Harbour"
    assert house_in(Path("other.toml")).name == "Other"


def test_the_model_that_the_environment_names_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITWATCH_MODELS", "elsewhere")
    assert models_dir() == Path("elsewhere")
    assert models_dir(Path("given")) == Path("given")


def test_what_is_logged_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr()
    structlog.get_logger().warning("checkpoint.failed", reason="the disk is full")
    told = capsys.readouterr()
    assert told.out == ""
    assert "checkpoint.failed" in told.err
