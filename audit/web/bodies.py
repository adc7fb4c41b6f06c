"""What the bodies of acts have in common: whole texts, moments of this age, nothing else beside."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field


def of_this_age(at: datetime) -> datetime:
    """Return a moment unchanged; those at the ends of the calendar have no time in every zone.

    Raises:
        ValueError: It lies before 2000 or after 2099.
    """
    if not 2000 <= at.year < 2100:
        raise ValueError("expected a moment from 2000 to 2099")
    return at


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
