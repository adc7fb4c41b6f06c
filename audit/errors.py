"""The errors of the audit package, named for what the caller can do about them."""


class AuditError(Exception):
    """The base of everything that the audit package raises."""


class StoreError(AuditError):
    """The record cannot be read or written."""


class StoreAway(StoreError):  # noqa: N818  # named for what the caller learns
    """The database cannot be reached or written now; trying again later may well succeed."""


class RecordLost(StoreError):  # noqa: N818  # named for what happened
    """There is no record where one was expected."""


class OtherVersion(StoreError):  # noqa: N818  # named for what the caller learns
    """The record was made by another version of this program."""


class ChainError(AuditError):
    """The record does not hold: an entry was changed, lost, moved or forged."""


class SettingsError(AuditError):
    """A setting cannot be used."""


class NotInRecord(AuditError):  # noqa: N818  # named for what the caller learns, as HTTP's "Not Found"
    """The record has no such alert, round or entry."""


class RecordConflict(AuditError):  # noqa: N818  # as HTTP's "Conflict"
    """What was asked does not fit what the record already says."""


class OnePerson(RecordConflict):
    """The same person comes twice where two people are needed."""


class ReportError(AuditError):
    """A report cannot be made as it was asked for, or could not be delivered."""


class ReportCancelledError(ReportError):
    """Whoever asked for a report no longer wants it."""
