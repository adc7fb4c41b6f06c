"""What every game tells the rest of the rules: one protocol, so that a new game is one module."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from rules.events import Seat, Wager
from rules.record import RoundRecord
from rules.result import Judgement
from rules.section import Limits, Section

Options = TypeVar("Options")


@dataclass(frozen=True, slots=True)
class Shape:
    """How a round of the game looks on the table: all that the live reader needs to know of it."""

    trump: bool = False
    """The deal ends with one card face up on the trump spot; without it, with the last hand."""
    tricks: bool = False
    """The dealer turns one card at a time and every playing seat answers it with one card."""
    seats_face_up: bool = False
    """The seats' cards are dealt face up, so that seeing one in the deal exposes nothing."""
    second_wager: Wager | None = None
    """The wager that is placed after the deal by a player who goes on: play or raise."""
    only_paid: tuple[Wager, ...] = ()
    """What is paid though nobody placed a wager on it, such as an Ante Bonus."""


class Game(Protocol[Options]):
    """A game. Its `Options` are its house options, a frozen dataclass of its own."""

    @property
    def name(self) -> str:
        """What records, layouts and house rules call it: lower case with hyphens."""

    @property
    def titles(self) -> Mapping[str, str]:
        """What people call it, by language: `en` and `ko`."""

    @property
    def shape(self) -> Shape:
        """How a round looks on the table."""

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """The wagers that a player may place."""

    @property
    def explanations(self) -> Mapping[str, Mapping[str, str]]:
        """Texts for finding codes of its own or told in its own way: language → code → template.

        Empty where `rules.explain` says all that is needed.
        """

    def read_options(self, section: Section) -> Options:
        """Return the house options that a section of a house rules file holds.

        It asks the section for every option, with the default that holds where the file is silent;
        the section refuses what is wrong or unknown, with the line.

        Raises:
            HouseRulesError: An option cannot be used.
        """

    def limits(self, options: Options) -> Mapping[Wager, Limits]:
        """Return the table limits, as `Section.limits` read them."""

    def judge(self, record: RoundRecord, options: Options, watched: Collection[Seat]) -> Judgement:
        """Return how every seat's hand came out, and what was found against the game's rules.

        Called by `rules.check`, which has already looked for what is common to all games: cards
        seen twice (unknown in `record`, since nobody can say which sighting was right), gaps,
        unreadable cards, table limits and late wagers. It compares `due` with what was paid
        afterwards. So a game finds only what its own rules say.

        Args:
            record: What was seen; its wagers are wagers of this game.
            options: The house options in force.
            watched: The seats on watch after an earlier hand of the session.
        """

    def rule(self, code: StrEnum, wager: Wager | None) -> str:
        """Return the number of this game's rule that a finding of `rules.check` is about."""

    def describe(self, options: Options) -> tuple[str, ...]:
        """Return the house options in words, a sentence each."""

    def warnings(self, options: Options) -> tuple[str, ...]:
        """Return what a house should know: an unverified table, or one that favours the player."""


AnyGame = Game[Any]
"""A game whose options only its own module knows."""
