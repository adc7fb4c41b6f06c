"""Settings: a TOML file below environment variables `PITWATCH_*`, built once and passed on."""

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from audit.errors import SettingsError

ENVIRONMENT_PREFIX = "PITWATCH_"


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # ZoneInfoNotFoundError is a KeyError
        raise ValueError("expected a time zone such as Asia/Seoul") from error
    return name


class Settings(BaseSettings):
    """All settings of the product, each with what it is for.

    Build it with `load_settings`, which turns mistakes into one plain line.
    """

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX, extra="forbid", frozen=True, validate_default=True
    )

    data_dir: Path = Field(
        default=Path("data"),
        description="The folder for everything that is kept: record, keys, checkpoints, video.",
    )
    database: str = Field(
        default="",
        description="The database: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME. "
        "Empty: pitwatch.db in the data folder.",
    )
    host: str = Field(default="127.0.0.1", description="The address that the web interface serves.")
    port: int = Field(default=8000, ge=1, le=65535, description="The port of the web interface.")
    timezone: Annotated[str, AfterValidator(_known_zone)] = Field(
        default="UTC", description="The property's time zone; the record itself is in UTC."
    )
    checkpoint_every_s: float = Field(
        default=60.0,
        gt=0,
        description="How often watchers and the server sign a checkpoint, in seconds.",
    )
    models: Path | None = Field(
        default=None, description="The folder of a card model to use instead of the bundled one."
    )
    house_rules: Path | None = Field(
        default=None, description="A house rules file to use instead of the shipped rules."
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003  # pydantic asks for it
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003  # pydantic asks for it
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003  # pydantic asks for it
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Put the environment above what the file says, which `load_settings` passes in."""
        return env_settings, init_settings

    @property
    def database_url(self) -> str:
        """The database to open."""
        return self.database or f"sqlite:///{self.data_dir / 'pitwatch.db'}"

    @property
    def zone(self) -> ZoneInfo:
        """The property's time zone."""
        return ZoneInfo(self.timezone)

    @property
    def live_dir(self) -> Path:
        """Where the watchers put the newest picture of each table."""
        return self.data_dir / "live"


def load_settings(path: Path | None = None) -> Settings:
    """Return the settings of a TOML file, if any, with those of the environment above them.

    Raises:
        SettingsError: The file cannot be read, or a setting in it or in the environment cannot be
            used. The line names where it stands, what was found and what was expected.
    """
    values: dict[str, Any] = {}
    if path is not None:
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise SettingsError(f"{path}: {error.strerror}; expected a settings file") from None
        except (ValueError, RecursionError) as error:  # Also numbers and nesting beyond all use.
            raise SettingsError(f"{path}: not TOML: {error}") from None
    try:
        return Settings(**values)
    except ValidationError as error:
        raise SettingsError(_first_line(error, path)) from None


def _first_line(error: ValidationError, path: Path | None) -> str:
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else "settings"
    variable = f"{ENVIRONMENT_PREFIX}{name.upper()}"
    where = variable if path is None or variable in os.environ else str(path)
    if first["type"] == "extra_forbidden":
        known = ", ".join(Settings.model_fields)
        return f"{where}: unknown setting {name!r} (expected one of {known})"
    reason = first["msg"].removeprefix("Value error, ")
    return f"{where}: {name}: found {first['input']!r}: {reason[0].lower()}{reason[1:]}"
