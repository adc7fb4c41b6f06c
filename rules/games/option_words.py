"""House options in words, where games say the same thing in the same way."""

from collections.abc import Mapping

from rules.events import Wager
from rules.pay import PayTable
from rules.section import Limits


def table_words(what: str, table: PayTable) -> str:
    """Return a pay table in words.

    >>> from rules.pay import Odds
    >>> table_words("The Bonus", PayTable("source", {"zero": Odds(25), "1-to-6": Odds(2)}))
    'The Bonus pays by table source: zero 25:1, 1-to-6 2:1.'
    """
    lines = ", ".join(f"{line} {odds}" for line, odds in table.lines.items())
    return f"{what} pays by table {table.name}: {lines}."


def limit_words(limits: Mapping[Wager, Limits]) -> tuple[str, ...]:
    """Return the table limits in words, a sentence for each that there is.

    >>> from rules.events import Cents
    >>> limit_words({Wager.ANTE: Limits(Cents(500), None)})
    ('The ante wager is at least 500 cents.',)
    """
    least = {wager: ("least", limit.minimum) for wager, limit in limits.items()}
    most = {wager: ("most", limit.maximum) for wager, limit in limits.items()}
    return tuple(
        f"The {wager.value} wager is at {bound} {cents} cents."
        for wager in limits
        for bound, cents in (least[wager], most[wager])
        if cents is not None
    )
