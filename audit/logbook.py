"""The surveillance log: what was observed, in order, never changed once it is entered.

The fields are those of Kansas 112-106-6 (date and time, employee, summary, location, location of
the recording, disposition). A slip is put right by a line that names the one it corrects.
"""

from dataclasses import dataclass
from datetime import datetime

from audit.chain import JsonObject, utc_text


@dataclass(frozen=True, slots=True)
class LogNote:
    """A line as somebody enters it."""

    occurred: datetime
    employee: str
    """Who observed it."""
    summary: str
    location: str
    """Where it happened, such as a table and seat."""
    recording: str = ""
    """Where the recording lies: a clip, a bundle, a camera and time."""
    disposition: str = ""
    """What was done with it."""
    alert: int | None = None
    case: int | None = None
    corrects: int | None = None
    """The number of the line that this one puts right."""

    def json(self) -> JsonObject:
        """Return the body of its entry, but for number and user."""
        return {
            "occurred": utc_text(self.occurred),
            "employee": self.employee,
            "summary": self.summary,
            "location": self.location,
            "recording": self.recording,
            "disposition": self.disposition,
            "alert": self.alert,
            "case": self.case,
            "corrects": self.corrects,
        }


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log as the record keeps it."""

    number: int
    """In sequence, without holes."""
    at: datetime
    """When it was entered, in UTC."""
    user: str
    """Who entered it."""
    occurred: datetime
    employee: str
    summary: str
    location: str
    recording: str
    disposition: str
    alert: int | None
    case: int | None
    corrects: int | None
    corrected_by: int | None
    """The number of the line that puts this one right; this one stays as it is."""
    entry: int
