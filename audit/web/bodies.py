"""What the bodies of acts have in common: whole texts, moments of this age, nothing else beside."""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from audit.payouts import CLOCKS_APART


def of_this_age(at: datetime) -> datetime:
    """Return a moment unchanged; those at the ends of the calendar have no time in every zone.

    Raises:
        ValueError: It lies before 2000 or after 2099.
    """
    if not 2000 <= at.year < 2100:
        raise ValueError("expected a moment from 2000 to 2099")
    return at


DEEPEST = 16
"""Levels of a free JSON value; the encoders give up at a few hundred."""


def has_been(at: datetime) -> datetime:
    """Return a moment unchanged; what is reported of the future would come after all that follows.

    Raises:
        ValueError: It lies further ahead than clocks are apart.
    """
    if at > datetime.now(UTC) + CLOCKS_APART:
        raise ValueError("found a moment in the future, expected one that has been")
    return at


def whole_inside(value: Any, levels: int = DEEPEST) -> Any:  # noqa: ANN401  # whatever JSON is
    """Return a JSON value unchanged, all of whose texts are whole.

    Raises:
        ValueError: It is nested too deeply, or a text in it holds NUL or half a character.
    """
    if levels < 0:
        raise ValueError(f"expected at most {DEEPEST} levels")
    match value:
        case str():
            whole(value)
        case dict():
            for name, part in value.items():
                whole(name)
                whole_inside(part, levels - 1)
        case list():
            for part in value:
                whole_inside(part, levels - 1)
        case _:
            pass  # A number, a truth or null holds no text.
    return value


def whole(text: str) -> str:
    """Return a text unchanged; JSON can escape NUL and half a surrogate pair.

    No UTF-8 holds half a pair, and PostgreSQL keeps no NUL in a text.

    Raises:
        ValueError: It holds NUL or half a character.
    """
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("expected whole characters and no NUL")
    return text


Moment = Annotated[AwareDatetime, AfterValidator(of_this_age)]
Past = Annotated[AwareDatetime, AfterValidator(of_this_age), AfterValidator(has_been)]
Json = Annotated[dict[str, Any], AfterValidator(whole_inside)]
Text = Annotated[str, AfterValidator(whole), Field(max_length=4000)]
Needed = Annotated[str, AfterValidator(whole), Field(min_length=1, max_length=4000)]
Name = Annotated[str, AfterValidator(whole), Field(min_length=1, max_length=200)]

Whole = AfterValidator(whole)
"""For the fields of forms, which name their own lengths."""


class Body(BaseModel):
    """A JSON body that holds nothing but its fields."""

    model_config = ConfigDict(extra="forbid")


class Noted(Body):
    """A body with a note that may be left out."""

    note: Text = ""
