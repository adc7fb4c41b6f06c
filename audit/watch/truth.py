"""The truth of a staged clip: what really happened, as `vision.training.scenarios` writes it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from audit.errors import SettingsError

SUFFIX = ".truth.json"


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class TruthVideo(_Row):
    """The video that the truth is about."""

    file: str
    seconds: float
    fps: float


class TruthEvent(_Row):
    """One card event, as a perfect observer would tell it."""

    kind: str
    spot: str
    card: str | None
    at: float
    source: str | None = Field(None, alias="from")


class TruthRound(_Row):
    """One round."""

    started_at: float
    record: dict[str, Any]
    void: bool = False
    kind: str = ""
    unsure: tuple[int, ...] = ()
    """Seats of which something cannot be known, however well one looks."""

    @property
    def plays(self) -> dict[int, tuple[str, ...]]:
        """Return the cards that each seat played, in order."""
        seats = self.record.get("seats", {})
        return {int(seat): tuple(row.get("plays", ())) for seat, row in seats.items()}

    @property
    def cards(self) -> frozenset[str]:
        """Return every card that came to light in the round."""
        seats = self.record.get("seats", {}).values()
        every = [self.record.get("trump"), *self.record.get("dealer", ())]
        for row in seats:
            every += [*(row.get("hand") or ()), *(row.get("plays") or ())]
        every += [row.get("card") for row in self.record.get("exposed", ())]
        return frozenset(card for card in every if card and card != "?")


class TruthFinding(_Row):
    """A finding that was planted, and when its proof lies still and open."""

    round: int
    code: str
    seat: int | None
    trick: int | None
    at: float


class Truth(_Row):
    """All of a truth file."""

    video: TruthVideo
    look: dict[str, Any] = {}
    rounds: tuple[TruthRound, ...]
    findings: tuple[TruthFinding, ...]
    events: tuple[TruthEvent, ...]

    def ends(self, number: int) -> float:
        """Return when a round, from 0, is over: when the next one starts, or with the video."""
        later = self.rounds[number + 1 : number + 2]
        return later[0].started_at if later else self.video.seconds


@dataclass(frozen=True, slots=True)
class StagedClip:
    """A clip with what belongs to it."""

    name: str
    video: Path
    layout: Path
    feed: Path | None
    truth: Truth


def staged_clips(folder: Path) -> list[StagedClip]:
    """Return the clips of a folder, in the order of their names.

    Raises:
        SettingsError: There is none, or a file of one is missing or cannot be understood.
    """
    if not folder.is_dir():
        raise SettingsError(f"{folder}: found no such folder, expected one of staged clips")
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if not files:
        raise SettingsError(f"{folder}: found no clip, expected files named *{SUFFIX}")
    return [_clip(file) for file in files]


def _clip(file: Path) -> StagedClip:
    name = file.name.removesuffix(SUFFIX)
    try:
        truth = Truth.model_validate(json.loads(file.read_text(encoding="utf-8-sig")))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"{file}: field {where!r}: {first['msg'].lower()}") from None
    except ValueError as error:
        raise SettingsError(f"{file}: found no JSON, expected a clip's truth ({error})") from None
    video, layout = file.parent / truth.video.file, file.parent / f"{name}.layout.toml"
    for path in (video, layout):
        if not path.is_file():
            raise SettingsError(f"{path}: not found (expected beside {file.name})")
    feed = file.parent / f"{name}.feed.jsonl"
    return StagedClip(name, video, layout, feed if feed.is_file() else None, truth)
