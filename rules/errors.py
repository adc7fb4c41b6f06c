"""The errors of the rules package, named for what the caller can do about them."""


class RulesError(ValueError):
    """The base of everything that the rules package raises."""


class CardFormatError(RulesError):
    """A text is not a card."""


class SpotFormatError(RulesError):
    """A text is not a spot of a table."""


class RecordFormatError(RulesError):
    """A round record does not have the published form."""


class HouseRulesError(RulesError):
    """A house rules file cannot be used."""
