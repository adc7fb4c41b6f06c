"""The dealer's screen: one thing to do next, in large type; never a card that is face down."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, unique

from audit.payouts import FeedLine, FeedSource
from audit.web.board import Phase
from audit.web.shapes import FindingShape
from audit.web.tiles import Tile
from audit.web.views import GAP, CardView, WagerView
from rules.events import Wager
from rules.games import GAMES

PAD_LINES = 8
"""Lines that the list below the pad shows."""

_RECONSTRUCT = frozenset({"failed-to-follow-suit", "failed-to-trump"})
_PAYOUT = frozenset(
    {"overpaid", "underpaid", "not-paid", "not-taken", "paid-when-lost", "paid-when-pushed"}
)


@unique
class Prompt(StrEnum):
    """What the dealer is told first."""

    WAIT = "wait"
    BETS = "bets"
    DEAL = "deal"
    DECIDE = "decide"
    TURN = "turn"
    AWAIT = "await"
    SETTLE = "settle"
    VOID = "void"
    CAMERA = "camera"


_PROMPTS = {
    Phase.IDLE: Prompt.WAIT,
    Phase.BETTING: Prompt.BETS,
    Phase.DEALING: Prompt.DEAL,
    Phase.DECIDING: Prompt.DECIDE,
    Phase.SETTLING: Prompt.SETTLE,
    Phase.VOID: Prompt.VOID,
    Phase.OVER: Prompt.SETTLE,
}


@dataclass(frozen=True, slots=True)
class SeatStrip:
    """How one seat stands in the trick that is being played."""

    seat: int
    state: str
    """`folded`, `waiting` (its play is awaited), `playing` (it has answered)."""
    card: CardView
    """Its answer, which lies face up; a gap before."""


@dataclass(frozen=True, slots=True)
class SettlementRow:
    """What is to be paid and taken at one seat."""

    seat: int
    status: str
    tricks: int | None
    wagers: tuple[WagerView, ...]


@dataclass(frozen=True, slots=True)
class DealerView:
    """What the dealer's screen shows."""

    table: str
    game: str
    prompt: Prompt
    trump: CardView
    led: CardView
    """The dealer's card that is to be answered; a gap when none is."""
    trick: int
    """The trick that is being played, 1 to 3; 0 outside the tricks."""
    dealer: tuple[CardView, ...]
    seats: tuple[SeatStrip, ...]
    """The seats in play, while tricks are played."""
    awaited: tuple[int, ...]
    reconstruct: tuple[FindingShape, ...]
    """Hands to be reconstructed, and the rule that asks for it."""
    payouts: tuple[FindingShape, ...]
    """Payouts that were observed to differ from what is due."""
    settlement: tuple[SettlementRow, ...]


@dataclass(frozen=True, slots=True)
class EntryPad:
    """What the dealer enters by touch when no feed brings it."""

    enters: bool
    """Whether whoever looks may enter anything."""
    fed: bool
    """Whether a feed brought something lately, so that entering is not needed."""
    wagers: tuple[str, ...]
    only_paid: frozenset[str]
    """Wagers that are never placed, only paid."""
    lines: tuple[FeedLine, ...]
    """What was entered by hand, the newest first."""


def entry_pad(game: str, reports: Sequence[FeedLine], *, enters: bool) -> EntryPad:
    """Return what can be entered by touch at a table.

    Args:
        game: The game that is played there.
        reports: The last reports of the table, the newest first.
        enters: Whether whoever looks may enter anything.
    """
    known = GAMES.get(game)
    only_paid = known.shape.only_paid if known else ()
    wagers = (*known.wagers, *only_paid) if known else tuple(Wager)
    by_hand = (FeedSource.DEALER_SCREEN, FeedSource.CORRECTION)
    return EntryPad(
        enters=enters,
        fed=any(line.source is FeedSource.FEED for line in reports),
        wagers=tuple(wager.value for wager in wagers),
        only_paid=frozenset(wager.value for wager in only_paid),
        lines=tuple(line for line in reports if line.source in by_hand)[:PAD_LINES],
    )


def dealer_view(tile: Tile) -> DealerView:
    """Return what the dealer's screen shows of a table."""
    view = tile.view
    turned = view.turned if view else 0
    playing = tile.phase is Phase.PLAYING
    findings = view.findings if view else ()
    over = view is not None and tile.phase in (Phase.OVER, Phase.SETTLING, Phase.VOID)
    return DealerView(
        table=tile.table,
        game=tile.game,
        prompt=_prompt(tile),
        trump=view.trump if view else GAP,
        led=view.dealer[turned - 1] if view and playing and turned else GAP,
        trick=turned if playing else 0,
        dealer=view.dealer if view else (),
        seats=_strip(tile, turned) if playing else (),
        awaited=tile.awaited,
        reconstruct=tuple(f for f in findings if f.code in _RECONSTRUCT),
        payouts=tuple(f for f in findings if f.code in _PAYOUT),
        settlement=_settlement(tile) if over else (),
    )


def _prompt(tile: Tile) -> Prompt:
    if tile.lost is not None:
        return Prompt.CAMERA
    if any(f.code == "misdeal" for f in (tile.view.findings if tile.view else ())):
        return Prompt.VOID
    if tile.phase is Phase.PLAYING:
        return Prompt.AWAIT if tile.awaited else Prompt.TURN
    return _PROMPTS[tile.phase]


def _strip(tile: Tile, trick: int) -> tuple[SeatStrip, ...]:
    strips = []
    for seat in tile.view.seats if tile.view else ():
        played = len(seat.plays) >= trick
        state = "waiting" if seat.number in tile.awaited else seat.status
        card = seat.plays[trick - 1].card if played else GAP
        strips.append(SeatStrip(seat.number, state, card))
    return tuple(strips)


def _settlement(tile: Tile) -> tuple[SettlementRow, ...]:
    seats = tile.view.seats if tile.view else ()
    return tuple(SettlementRow(s.number, s.status, s.tricks, s.wagers) for s in seats if s.wagers)
