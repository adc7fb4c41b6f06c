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


def shown(value: object) -> str:
    r"""Return a value as a message shows it: on one line, and no longer than one can read.

    >>> print(shown("a\nb"), shown("x" * 100)[-6:])
    'a\nb' xxx...
    """
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
