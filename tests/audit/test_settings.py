"""Law: the environment stands above the file, and a wrong setting is said in one plain line."""

from pathlib import Path

import pytest

from audit.errors import SettingsError
from audit.policy import load_policy
from audit.settings import ENVIRONMENT_PREFIX, Settings, load_settings


@pytest.fixture(autouse=True)
def no_settings_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"{ENVIRONMENT_PREFIX}{name.upper()}", raising=False)


def written(folder: Path, text: str) -> Path:
    path = folder / "pitwatch.toml"
    path.write_text(text)
    return path


def test_without_any_setting_everything_lies_in_the_data_folder() -> None:
    settings = load_settings()
    assert settings.database_url == "sqlite:///data/pitwatch.db"
    assert settings.live_dir == Path("data/live")
    assert (settings.host, settings.port, settings.zone.key) == ("127.0.0.1", 8000, "UTC")


def test_the_file_is_read_and_the_environment_stands_above_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, 'port = 8001\ntimezone = "Asia/Seoul"\n')
    monkeypatch.setenv("PITWATCH_PORT", "8002")
    settings = load_settings(path)
    assert (settings.port, settings.timezone) == (8002, "Asia/Seoul")


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    assert load_settings(written(tmp_path, "\ufeffport = 8001\n")).port == 8001
    policy = tmp_path / "policy.toml"
    policy.write_text("\ufeff[[rule]]\ntone = 'off'\n")
    assert len(load_policy(policy).rules) == 1


def test_a_database_that_is_named_is_used() -> None:
    settings = Settings(database="postgresql://h/record")
    assert settings.database_url == "postgresql://h/record"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("port = 99999", "pitwatch.toml: port: found 99999: input should be less than"),
        ('port = "x"', "pitwatch.toml: port: found 'x': input should be a valid integer"),
        ("prot = 1", "pitwatch.toml: unknown setting 'prot' .expected one of data_dir, "),
        ('timezone = "Mars"', "timezone: found 'Mars': expected a time zone such as Asia/Seoul"),
        ('timezone = "../x"', r"timezone: found '\.\./x': expected a time zone"),
        ("port =", "pitwatch.toml: not TOML: "),
        ("checkpoint_every_s = 0", "checkpoint_every_s: found 0: input should be greater than 0"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told) as refused:
        load_settings(written(tmp_path, text))
    assert "\n" not in str(refused.value)


def test_a_wrong_variable_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITWATCH_PORT", "many")
    with pytest.raises(SettingsError, match=r"^PITWATCH_PORT: port: found 'many'"):
        load_settings()


def test_a_wrong_variable_above_a_right_file_is_the_one_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITWATCH_PORT", "many")
    with pytest.raises(SettingsError, match=r"^PITWATCH_PORT: port: found 'many'"):
        load_settings(written(tmp_path, "port = 8001"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: No such file"):
        load_settings(tmp_path / "none.toml")


def test_every_setting_says_what_it_is_for() -> None:
    assert all(field.description for field in Settings.model_fields.values())
