"""Findings: what was observed against the rules, as values. The wording never accuses anybody."""

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any

from rules.cards import Card
from rules.events import Cents, Seat, Spot, Wager


@unique
class FindingCode(StrEnum):
    """What kind of observation it is; docs/rules explains every one."""

    # The play of Three Card Whist.
    FAILED_TO_FOLLOW_SUIT = "failed-to-follow-suit"
    FAILED_TO_TRUMP = "failed-to-trump"
    PLAYED_OUT_OF_TURN = "played-out-of-turn"
    DEALER_AHEAD_OF_PLAY = "dealer-ahead-of-play"
    PLAY_WAGER_NOT_EQUAL_ANTE = "play-wager-not-equal-ante"
    MISDEAL = "misdeal"
    DEALER_CARD_SHOWN_EARLY = "dealer-card-shown-early"
    VOID_HAND_SETTLED = "void-hand-settled"
    BONUS_WITHOUT_ANTE = "bonus-without-ante"
    RNB_WITHOUT_MAIN_OR_BONUS = "rnb-without-main-or-bonus"
    # The poker and rummy games.
    RAISE_WAGER_NOT_EQUAL_ANTE = "raise-wager-not-equal-ante"
    # All games.
    CARD_EXPOSED = "card-exposed"
    CARD_SEEN_TWICE = "card-seen-twice"
    WRONG_CARD_COUNT = "wrong-card-count"
    OVERPAID = "overpaid"
    UNDERPAID = "underpaid"
    NOT_PAID = "not-paid"
    NOT_TAKEN = "not-taken"
    PAID_WHEN_LOST = "paid-when-lost"
    PAID_WHEN_PUSHED = "paid-when-pushed"
    LATE_WAGER = "late-wager"
    WAGER_CHANGED = "wager-changed"
    WAGER_BELOW_MINIMUM = "wager-below-minimum"
    WAGER_ABOVE_MAXIMUM = "wager-above-maximum"
    FEED_GAP = "feed-gap"
    UNREADABLE = "unreadable"


@unique
class Severity(StrEnum):
    """How much a finding matters, least first."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class Finding:
    """One observation with all that its explanation needs."""

    code: StrEnum
    """A `FindingCode`, or a member of an own set in a game added later."""
    rule: str
    """The number of the rule, such as `TCW-12a`; docs/rules has its text and source."""
    severity: Severity
    seat: Seat | None = None
    trick: int | None = None
    """1 to 3; None in findings about wagers and payouts."""
    wager: Wager | None = None
    spot: Spot | None = None
    proved_by: str | None = None
    """The card and moment that proved it, such as `9S at trick 3`."""
    lead: Card | None = None
    """The dealer's card that was answered."""
    played: Card | None = None
    held: tuple[Card, ...] = ()
    """The cards known to have been in the hand at that moment, the played one included."""
    allowed: tuple[Card, ...] = ()
    """Those of them that the rules allowed."""
    card: Card | None = None
    """The card that a finding about one card is about."""
    places: tuple[str, ...] = ()
    due: Cents | None = None
    """In findings about payouts: what was due, net, as in a record's `paid`."""
    paid: Cents | None = None
    """What was paid, net; None when no payout was seen."""
    expected: int | None = None
    """In findings about counts (cards) and wagers (cents): what the rules want."""
    found: int | None = None
    """What was observed instead."""
    seconds: float | None = None
    note: str | None = None
    """The name of an extra sentence of the explanation, such as `not-rebuildable`."""

    @property
    def key(self) -> tuple[str, Seat | None, int | None, Wager | None, str]:
        """What makes it the same finding when the round is judged again.

        >>> Finding(FindingCode.MISDEAL, "TCW-14", Severity.HIGH).key
        ('misdeal', None, None, None, '')
        """
        # Only what is raised once a card or place needs it in the key: a breach stays one finding.
        place = f"{self.spot or ''}{self.card or ''}" if self.code in ONCE_A_CARD else ""
        return self.code.value, self.seat, self.trick, self.wager, place

    def extras(self) -> dict[str, Any]:
        """Return the published fields that only some kinds of findings have.

        >>> Finding(FindingCode.MISDEAL, "TCW-14", Severity.HIGH).extras()
        {}
        """
        texts = {"wager": self.wager, "spot": self.spot, "card": self.card, "note": self.note}
        found: dict[str, Any] = {key: str(value) for key, value in texts.items() if value}
        if self.places:
            found["places"] = list(self.places)
        if self.due is not None:
            found |= {"due": self.due, "paid": self.paid, "difference": self.difference}
        if self.expected is not None:
            found |= {"expected": self.expected, "found": self.found}
        if self.seconds is not None:
            found["seconds"] = self.seconds
        return found

    @property
    def difference(self) -> Cents:
        """What the player got above what was due, in cents; below zero when it was less.

        >>> rest = {"due": Cents(500), "paid": Cents(700)}
        >>> Finding(FindingCode.OVERPAID, "TCW-13", Severity.MEDIUM, **rest).difference
        200
        """
        return Cents((self.paid or 0) - (self.due or 0))


ONCE_A_CARD = frozenset(
    (
        FindingCode.CARD_EXPOSED,
        FindingCode.CARD_SEEN_TWICE,
        FindingCode.DEALER_CARD_SHOWN_EARLY,
        FindingCode.UNREADABLE,
        FindingCode.WRONG_CARD_COUNT,
    )
)
"""Codes whose findings are told apart by spot and card as well."""
