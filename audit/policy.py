"""The alert policy: how grave an alert is, how it sounds, and to whom it goes when nobody acts."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from audit.alerts import Breach
from audit.chain import JsonObject
from audit.toml_lines import parse_toml, read_text
from rules.events import Cents
from rules.explain import money
from rules.findings import Severity

SHIPPED = Path(__file__).with_name("alert_policy.toml")
"""The policy that holds where the settings name none."""

# As plain texts, so that a mistake is told in words that people write.
_Grave = Literal["low", "medium", "high", "critical"]
_Code = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,63}$")]
_Table = Annotated[str, Field(min_length=1, max_length=64)]
_AtLeastOne = Field(None, min_length=1)


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False)

    codes: list[_Code] | None = _AtLeastOne
    tables: list[_Table] | None = _AtLeastOne
    severities: list[_Grave] | None = _AtLeastOne
    difference_at_least: Annotated[int, Field(ge=1, le=10**12, strict=True)] | None = None
    severity: _Grave | None = None
    tone: Literal["low", "medium", "high", "critical", "off"] | None = None
    escalate_after_min: Annotated[int, Field(ge=1, le=1440, strict=True)] | None = None
    escalate_to: Annotated[str, Field(min_length=1, max_length=80)] | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.escalate_after_min is None) != (self.escalate_to is None):
            raise ValueError("escalate_after_min and escalate_to go together; expected both")
        return self

    @property
    def conditional(self) -> bool:
        """Whether more than the kind of finding decides that it holds."""
        return (self.tables, self.severities, self.difference_at_least) != (None, None, None)

    def words(self) -> str:
        """Return the rule in one line: what it is for, and what it does."""
        asked = [", ".join(self.codes or ["any finding"])]
        if self.tables is not None:
            asked.append(f"at {' or '.join(self.tables)}")
        if self.severities is not None:
            asked.append(f"of severity {' or '.join(self.severities)}")
        if self.difference_at_least is not None:
            asked.append(f"from a difference of {money(Cents(self.difference_at_least))}")
        done: list[str] = [self.severity or "its own severity"]
        if self.tone is not None:
            done.append("no tone" if self.tone == "off" else f"tone {self.tone}")
        if self.escalate_to is not None:
            done.append(f"after {self.escalate_after_min} min to {self.escalate_to}")
        return f"{' '.join(asked)}: {', '.join(done)}"

    def fits(self, breach: Breach, difference: int) -> bool:
        """Say whether all conditions are met."""
        return (
            (self.codes is None or breach.code in self.codes)
            and (self.tables is None or breach.table in self.tables)
            and (self.severities is None or breach.severity in self.severities)
            and (self.difference_at_least is None or difference >= self.difference_at_least)
        )


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rule: list[_Rule] = []


@dataclass(frozen=True, slots=True)
class Handling:
    """How one alert is treated, fixed when it opens."""

    severity: Severity
    tone: Severity | None
    """The severity whose tone sounds; None sounds none."""
    escalate_after_s: int | None
    escalate_to: str | None
    policy: str
    """The version of the policy that says so."""

    def json(self) -> JsonObject:
        """Return it as it stands in the entry that opens the alert."""
        return {
            "severity": self.severity.value,
            "tone": None if self.tone is None else self.tone.value,
            "escalate_after_s": self.escalate_after_s,
            "escalate_to": self.escalate_to,
            "policy": self.policy,
        }


@dataclass(frozen=True, slots=True)
class Policy:
    """A checked policy."""

    version: str
    """A hash of what its rules come to: comments and layout do not change it."""
    rules: tuple[_Rule, ...] = ()

    def handling(self, breach: Breach, finding: Mapping[str, Any]) -> Handling:
        """Return how the alert for a finding is treated."""
        difference = finding.get("difference")
        amount = abs(difference) if isinstance(difference, int) else 0
        rule = next((rule for rule in self.rules if rule.fits(breach, amount)), _Rule())
        severity = Severity(rule.severity or breach.severity)
        tone = None if rule.tone == "off" else Severity(rule.tone or severity)
        minutes = rule.escalate_after_min
        return Handling(
            severity=severity,
            tone=tone,
            escalate_after_s=None if minutes is None else 60 * minutes,
            escalate_to=rule.escalate_to,
            policy=self.version,
        )


def parse_policy(text: str, source: str) -> Policy:
    """Return the policy of a TOML text.

    Raises:
        SettingsError: It cannot be used; the line names the file, the line and the key.
    """
    rules = tuple(parse_toml(text, source, _File).rule)
    told = json.dumps([rule.model_dump(mode="json") for rule in rules], sort_keys=True)
    return Policy(f"sha256:{hashlib.sha256(told.encode()).hexdigest()}", rules)


def load_policy(path: Path | None = None) -> Policy:
    """Return the policy of a file, or the shipped one.

    Raises:
        SettingsError: It cannot be read or used; the line names the file, the line and the key.
    """
    file = path or SHIPPED
    return parse_policy(read_text(file, "an alert policy"), str(file))
