"""Odds and pay tables: what a wager is due. Money is whole cents; a float never touches it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from rules.errors import HouseRulesError, shown
from rules.events import Cents

_ODDS = re.compile(r"([0-9]{1,5}):([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Odds:
    """What is won for what is staked: `Odds(3, 2)` wins three for every two.

    >>> str(Odds(100, 1))
    '100:1'
    """

    win: int
    stake: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the odds that a text names.

        Raises:
            HouseRulesError: The text is not two whole numbers above zero with a colon between.

        >>> Odds.parse("5:1")
        Odds(win=5, stake=1)
        """
        match = _ODDS.fullmatch(text.strip())
        if match is None or int(match[1]) == 0 or int(match[2]) == 0:
            raise HouseRulesError(
                f'not odds: {shown(text)} (expected two whole numbers above zero, such as "5:1")'
            )
        return cls(int(match[1]), int(match[2]))

    def winnings(self, amount: Cents) -> Cents:
        """Return what a winning stake gains; a broken cent stays with the house.

        >>> Odds(3, 2).winnings(Cents(501))
        751
        """
        return Cents(amount * self.win // self.stake)

    def __str__(self) -> str:
        return f"{self.win}:{self.stake}"


@dataclass(frozen=True, slots=True)
class PayTable:
    """What each winning line of a wager pays; what is not a line loses."""

    name: str
    lines: Mapping[str, Odds]
    confirmed: bool = True
    """False for a table that was inferred and that the house has not confirmed yet."""

    def due(self, line: str, stake: Cents) -> Cents:
        """Return what the player gains, net: the winnings of a line, or the lost stake.

        >>> PayTable("p", {"pair": Odds(1)}).due("pair", Cents(500))
        500
        >>> PayTable("p", {"pair": Odds(1)}).due("none", Cents(500))
        -500
        """
        odds = self.lines.get(line)
        return Cents(-stake) if odds is None else odds.winnings(stake)
