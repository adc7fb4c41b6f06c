"""The published JSON shapes that pages read back: the round record and what the check made of it.

Everything but `round`, `game` and `seats` may be missing, and a field added later is not an error:
a page shows what is there.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Face = str | None
"""A card as written in a record: `TD`, `?` for unreadable, None for face down."""

Verdict = Literal["legal", "breach", "open"]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class SeatRecord(_Shape):
    """What was seen at one seat."""

    wagers: dict[str, int] = {}
    """Stakes by wager name, in minor units."""
    decision: str | None = None
    hand: list[Face] | None = None
    plays: list[Face] = []
    """`plays[i]` answers the dealer's card `i`."""
    paid: dict[str, int] | None = None
    """Net payouts by wager name, in minor units; None when nothing is known of them."""


class Exposed(_Shape):
    """A card seen face up during the deal."""

    spot: str
    card: Face = None
    seconds: float | None = None


class RoundRecord(_Shape):
    """What was seen of one round, in the published form."""

    round: str = ""
    game: str = ""
    table: str | None = None
    trump: Face = None
    dealer: list[Face] = []
    """In the order turned."""
    seats: dict[str, SeatRecord] = {}
    exposed: list[Exposed] = []
    started: str | None = None


class PlayResult(_Shape):
    """One answer to a dealer card, judged."""

    dealer: Face = None
    card: Face = None
    legal: list[str] | None = None
    """What could have been played, as far as known; None when that is open."""
    verdict: Verdict = "open"
    won: bool | None = None
    corrected: Face = None
    """The card that the play was put right with, if it was."""


class SeatResult(_Shape):
    """What a seat's hand came to."""

    status: str = "incomplete"
    tricks: int | None = None
    plays: list[PlayResult] = []
    category: dict[str, str | None] = {}
    points: int | None = None
    due: dict[str, int | None] | None = None
    """Net amounts due by wager name, in minor units, None for one that can't be told; None as a
    whole for a hand to be reconstructed."""
    watch: bool = False
    """Whether the seat is on watch for the rest of the session."""


class FindingShape(_Shape):
    """A breach or a remark, with the rule it rests on and what proved it."""

    code: str
    seat: int | None = None
    trick: int | None = None
    rule: str | None = None
    severity: str = "info"
    text: str = ""
    proved_by: str | None = None
    wager: str | None = None
    spot: str | None = None
    card: Face = None
    due: int | None = None
    paid: int | None = None


class RulesShape(_Shape):
    """The version of the house rules that a result was judged by."""

    game: str = ""
    house: str = ""
    version: str = ""


class RoundResult(_Shape):
    """What the check made of a round, in the published form."""

    round: str = ""
    outcome: str = "incomplete"
    seats: dict[str, SeatResult] = {}
    findings: list[FindingShape] = []
    rules: RulesShape = Field(default_factory=RulesShape)
