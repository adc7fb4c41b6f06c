"""What the two games in which a hand is raised say of themselves in the same way."""

from collections.abc import Collection, Mapping
from typing import Protocol

from rules.edge_report import EdgeTables, edge_warnings
from rules.edge_store import known_edges
from rules.events import Seat, Wager
from rules.games.raising import Terms, judge_raising
from rules.record import RoundRecord
from rules.result import Judgement
from rules.section import Limits


class RaisingOptions(Terms, Protocol):
    """The house options of such a game, which are its terms too."""

    @property
    def tables(self) -> EdgeTables:
        """The pay tables in force."""

    @property
    def limits(self) -> Mapping[Wager, Limits]:
        """The table limits."""


class RaisingGame:
    """The part of a `Game` that is the same in all of them."""

    explanations: Mapping[str, Mapping[str, str]] = {}

    def limits(self, options: RaisingOptions) -> Mapping[Wager, Limits]:
        """Return the table limits; see `Game`."""
        return options.limits

    def judge(
        self, record: RoundRecord, options: RaisingOptions, watched: Collection[Seat]
    ) -> Judgement:
        """Return how every hand came out; see `Game`."""
        return judge_raising(record, options, watched)

    def warnings(self, options: RaisingOptions) -> tuple[str, ...]:
        """Return what the house should know; see `Game`."""
        return edge_warnings(known_edges(options.tables), options.tables.unverified())
