"""Settings: a TOML file below environment variables `PITWATCH_*`, built once and passed on."""

import os
import tomllib
from datetime import time
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from audit.errors import SettingsError

ENVIRONMENT_PREFIX = "PITWATCH_"


def _clock_time(text: str) -> str:
    try:
        found = time.fromisoformat(text)
    except ValueError:
        raise ValueError("expected a time of day such as 06:00") from None
    if found.second or found.microsecond or found.tzinfo:
        raise ValueError("expected a time of day such as 06:00")
    return f"{found:%H:%M}"


def check_web_address(text: str) -> str:
    """Return an address unchanged; empty is none.

    Raises:
        ValueError: It is not one of a web server.
    """
    parts = urlsplit(text)
    fits = parts.scheme in ("http", "https") and parts.hostname and not parts.path.strip("/")
    if text and not fits:
        raise ValueError("expected an address such as https://pitwatch.harbour.example")
    return text


def _web_url(text: str) -> str:
    if text and not text.startswith(("http://", "https://")):
        raise ValueError("expected an address such as http://tsa.example/tsr")
    return text


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
    public_url: Annotated[str, AfterValidator(check_web_address)] = Field(
        default="",
        description="The address under which people reach the web interface when it is not this "
        "machine's own, such as https://pitwatch.harbour.example.",
    )
    tls_cert: Path | None = Field(
        default=None, description="A TLS certificate chain (PEM), when no proxy stands in front."
    )
    tls_key: Path | None = Field(default=None, description="Its private key (PEM).")
    trusted_proxies: str = Field(
        default="127.0.0.1",
        description="Addresses, with commas between, of the proxies whose X-Forwarded-For is true.",
    )
    session_idle_minutes: int = Field(
        default=30, ge=1, le=60, description="After how long unused a session ends."
    )
    session_hours: int = Field(
        default=12, ge=1, le=24, description="After how long a session ends in any case."
    )
    timezone: Annotated[str, AfterValidator(_known_zone)] = Field(
        default="UTC", description="The property's time zone; the record itself is in UTC."
    )
    gaming_day_start: Annotated[str, AfterValidator(_clock_time)] = Field(
        default="06:00",
        description="When a gaming day begins by the property's clock; reports are drawn by it.",
    )
    shifts: tuple[Annotated[str, AfterValidator(_clock_time)], ...] = Field(
        default=("06:00", "14:00", "22:00"),
        description="When the shifts of a gaming day begin; the day's own start is always one.",
    )
    alert_policy: Path | None = Field(
        default=None, description="An alert policy to use instead of the shipped one."
    )
    report_schedules: Path | None = Field(
        default=None, description="Reports that are made on a schedule: to a folder or webhook."
    )
    webhooks: Path | None = Field(
        default=None, description="Who is told of alerts and cases: webhook subscriptions."
    )
    checkpoint_every_s: float = Field(
        default=60.0,
        gt=0,
        description="How often watchers and the server sign a checkpoint, in seconds.",
    )
    timestamp_url: Annotated[str, AfterValidator(_web_url)] = Field(
        default="",
        description="An RFC 3161 authority that stamps checkpoints, such as "
        "http://tsa.example/tsr. Empty: none does.",
    )
    timestamp_roots: Path | None = Field(
        default=None, description="The certificates (PEM) by which that authority is known."
    )
    retention: Path | None = Field(
        default=None,
        description="A file that says how long footage is kept, instead of the shipped one.",
    )
    models: Path | None = Field(
        default=None, description="The folder of a card model to use instead of the bundled one."
    )
    engine: Literal["onnxruntime", "openvino"] = Field(
        default="onnxruntime",
        description="What runs the card model. `pitwatch doctor` measures which is faster here.",
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
    def over_tls(self) -> bool:
        """Whether people reach the web interface over TLS, its own or a proxy's."""
        return self.tls_cert is not None or self.public_url.startswith("https://")

    @property
    def address(self) -> str:
        """The address that links to the web interface begin with."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        scheme = "https" if self.over_tls else "http"
        return self.public_url.rstrip("/") or f"{scheme}://{host}:{self.port}"

    @property
    def public_hosts(self) -> frozenset[str]:
        """The host names of `public_url`: one or none."""
        name = urlsplit(self.public_url).hostname
        return frozenset({name} if name else ())

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
            values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
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
