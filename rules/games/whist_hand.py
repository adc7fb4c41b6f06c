"""One seat's hand of Three Card Whist: every play re-judged with all that is known of the hand."""

from dataclasses import dataclass
from operator import attrgetter

from rules.cards import Card, Suit
from rules.events import HAND_CARDS, Face, Seat
from rules.findings import Finding, FindingCode, Severity
from rules.games.whist_play import (
    Breach,
    Moment,
    Unseen,
    judge_moment,
    legal_cards,
    wins,
)
from rules.record import SeatRecord
from rules.result import PlayResult, Verdict

_ORDER = attrgetter("order")
_LEGAL = Verdict.LEGAL
_ALL_LEGAL: tuple[tuple[Verdict, Breach | None], ...] = ((_LEGAL, None),) * HAND_CARDS


@dataclass(frozen=True, slots=True)
class Table:
    """What all hands of a round share."""

    dealer: tuple[Face, ...]
    """In the order turned."""
    trump: Suit | None
    unseen: Unseen


@dataclass(frozen=True, slots=True)
class Hand:
    """What was seen of one hand, in the order in which it was seen."""

    seat: Seat
    size: int
    """How many cards it has."""
    shown: tuple[Card, ...]
    """Cards seen in the deal: known to be in the hand from the start."""
    originals: tuple[Face, ...]
    """The plays as first made."""
    plays: tuple[Face, ...]
    """The plays that count: put right where they were (TCW-15)."""
    known: tuple[Card, ...]
    """Every card known to be of the hand: shown, played and seen at the end."""
    corrected: dict[int, int | None]
    """Trick (from 0) put right → how many dealer cards had been turned by then, if known."""

    @property
    def certain(self) -> tuple[Card, ...]:
        """Its known cards, as far as side bets may rest on them: of too many, on none."""
        return self.known if self.size == HAND_CARDS else ()


@dataclass(frozen=True, slots=True)
class HandJudgement:
    """What the plays of a hand come to."""

    plays: tuple[PlayResult, ...]
    findings: tuple[Finding, ...]
    stands: tuple[tuple[Verdict, Breach | None], ...]
    """The verdict on each play that counts."""
    cards: tuple[Card, ...]
    """The cards of the hand that its side bets may rest on, as far as they are known."""


def read_hand(seat: Seat, record: SeatRecord, shown: tuple[Card, ...]) -> Hand:
    """Return what a record tells of a hand.

    Args:
        seat: Whose hand it is.
        record: What was seen of the seat.
        shown: The cards of it that were seen in the deal.

    >>> read_hand(Seat(1), SeatRecord(plays=(Card.parse("5D"),)), ()).size
    3
    """
    plays = list(record.plays)
    corrected: dict[int, int | None] = {}
    for correction in record.corrections:
        if correction.trick <= len(plays):
            plays[correction.trick - 1] = correction.card
            corrected[correction.trick - 1] = correction.seen
    faces = (*record.plays, *plays, *record.hand)
    played = tuple(dict.fromkeys(card for card in faces if isinstance(card, Card)))
    # A card seen in the deal may have been replaced; it counts only where it fits.
    fits = len({*shown, *played}) <= HAND_CARDS
    known = tuple(dict.fromkeys((*shown, *played))) if fits else played
    size = max(len(record.hand) or HAND_CARDS, len(plays))
    return Hand(seat, size, shown if fits else (), record.plays, tuple(plays), known, corrected)


def judge_lawful(
    plays: tuple[Card, ...], dealer: tuple[Card, ...], trump: Suit
) -> HandJudgement | None:
    """Return the judgement of a hand of which all is known, where every play was legal.

    Most hands are like that: there is nothing to fill in and nothing to prove. A hand with a breach
    is left to `judge_hand`, which says of this one the same.

    >>> cards = tuple(Card.parse(text) for text in ("5C", "6H", "7H"))
    >>> judge_lawful(cards, cards, Suit.SPADES).plays[0].legal == cards[:1]
    True
    >>> judge_lawful(cards, cards[::-1], Suit.SPADES) is None
    True
    """
    held = sorted(plays, key=_ORDER)
    results = []
    for lead, play in zip(dealer, plays, strict=True):
        allowed = legal_cards(held, lead.suit, trump)
        if play not in allowed:
            return None
        held.remove(play)
        results.append(PlayResult(lead, play, allowed, _LEGAL, wins(play, lead, trump)))
    return HandJudgement(tuple(results), (), _ALL_LEGAL, plays)


def judge_hand(hand: Hand, table: Table, *, watched: bool) -> HandJudgement:
    """Return the verdict on every play of a hand and the breaches that are proved.

    Args:
        hand: What was seen of the hand.
        table: The dealer's cards and the trump suit.
        watched: The seat did not play to the rules earlier in the session.

    >>> cards = tuple(Card.parse(text) for text in ("5C", "6H", "7H"))
    >>> hand = read_hand(Seat(1), SeatRecord(plays=cards), ())
    >>> lead = Card.parse("KH")
    >>> table = Table((lead, lead, lead), Suit.SPADES, (5, 5, 5, 5))
    >>> judged = judge_hand(hand, table, watched=False)
    >>> judged.findings[0].code.value, judged.findings[0].proved_by
    ('failed-to-follow-suit', '6H at trick 2')
    """
    results, findings, stands = [], [], []
    for trick, play in enumerate(hand.plays):
        stand = first = _judge(hand, table, trick, play)
        if trick in hand.corrected:
            first = _judge(hand, table, trick, hand.originals[trick])
        if first[1] is not None:
            right = stand[1] is None if trick in hand.corrected else None
            breach = (trick, hand.originals[trick], first[1])
            findings.append(_finding(hand, table, breach, right, watched))
        elif stand[1] is not None:
            findings.append(_finding(hand, table, (trick, play, stand[1]), False, watched))
        results.append(_result(hand, table, trick, first[0]))
        stands.append(stand)
    return HandJudgement(tuple(results), tuple(findings), tuple(stands), hand.certain)


def not_played(hand: Hand) -> HandJudgement:
    """Return the judgement of a hand that takes no part in the main game.

    >>> not_played(read_hand(Seat(1), SeatRecord(), ())).plays
    ()
    """
    return HandJudgement((), (), (), hand.certain)


def _judge(
    hand: Hand, table: Table, trick: int, played: Face, known: tuple[Card, ...] | None = None
) -> tuple[Verdict, Breach | None]:
    """Return the verdict on a card played to a trick, with what is known of the hand (or less)."""
    known = hand.known if known is None else known
    if len(hand.known) > hand.size:
        return Verdict.OPEN, None  # More cards than the hand has: some of them were misread.
    before = hand.plays[:trick]
    gone = (*before, played)
    later = tuple([card for card in hand.plays[trick + 1 :] if card in known and card not in gone])
    others = tuple([card for card in known if card not in gone and card not in later])
    unknown = hand.size - len({*known, *(card for card in gone if isinstance(card, Card))})
    lead = table.dealer[trick] if trick < len(table.dealer) else None
    suit = lead.suit if isinstance(lead, Card) else None
    moment = Moment(before, played, later, others, unknown)
    return judge_moment(moment, suit, table.trump, table.unseen)


def _result(hand: Hand, table: Table, trick: int, verdict: Verdict) -> PlayResult:
    lead = table.dealer[trick] if trick < len(table.dealer) else None
    play = hand.plays[trick]
    return PlayResult(
        dealer=lead,
        card=hand.originals[trick],
        legal=_allowed(hand, table, trick, lead),
        verdict=verdict,
        won=_won(play, lead, table.trump),
        corrected=play if trick in hand.corrected else None,
    )


def _allowed(hand: Hand, table: Table, trick: int, lead: Face) -> tuple[Card, ...]:
    """Return the cards known to have been held that surely were legal, lowest first."""
    if len(hand.known) > hand.size:
        return ()
    before = hand.plays[:trick]
    held = [card for card in hand.known if card not in before]
    trump = table.trump
    if len(held) == hand.size - trick and isinstance(lead, Card) and trump is not None:
        allowed = list(legal_cards(held, lead.suit, trump))
    else:
        gone = any(not isinstance(card, Card) for card in before)
        certain = [card for card in held if not gone or card in hand.plays]
        allowed = [c for c in certain if _judge(hand, table, trick, c)[0] is Verdict.LEGAL]
    return tuple(sorted(allowed) if len(allowed) > 1 else allowed)


def _won(play: Face, lead: Face, trump: Suit | None) -> bool | None:
    if not isinstance(play, Card) or not isinstance(lead, Card):
        return None
    if trump is None and play.suit is not lead.suit:
        return None
    return wins(play, lead, trump or lead.suit)


def _finding(
    hand: Hand,
    table: Table,
    breach: tuple[int, Face, Breach],
    right: bool | None,
    watched: bool,
) -> Finding:
    """Return the finding about a proved breach; `right` says whether a correction put it right."""
    trick, played, code = breach
    lead = table.dealer[trick] if trick < len(table.dealer) else None
    proof, seen = _proof(hand, table, breach)
    held = tuple(sorted(card for card in hand.known if card not in hand.plays[:trick]))
    if right is None:
        note = "rebuildable" if seen <= trick + 1 else "not-rebuildable"
    else:
        note = _correction_note(hand, trick, right)
    return Finding(
        code,
        "TCW-12a" if code is FindingCode.FAILED_TO_FOLLOW_SUIT else "TCW-12b",
        Severity.CRITICAL if watched else Severity.HIGH,
        seat=hand.seat,
        trick=trick + 1,
        proved_by=proof,
        lead=lead if isinstance(lead, Card) else None,
        played=played if isinstance(played, Card) else None,
        held=held,
        allowed=_allowed(hand, table, trick, lead),
        note=note,
    )


def _correction_note(hand: Hand, trick: int, right: bool) -> str:
    if not right:
        return "put-wrong"
    seen = hand.corrected[trick]
    return "put-right-late" if seen is not None and seen > trick + 1 else "put-right"


def _proof(hand: Hand, table: Table, breach: tuple[int, Face, Breach]) -> tuple[str, int]:
    """Return the card whose appearance first proved a breach, and the dealer cards seen by then."""
    trick, played, code = breach
    timeline = _timeline(hand)

    def proves(size: int) -> bool:
        known = tuple(dict.fromkeys(card for _, card, _ in timeline[:size]))
        order = timeline[size - 1][0]
        if order < trick or (order == trick and played not in (None, *known)):
            return False
        return _judge(hand, table, trick, played, known)[1] is code

    # With the last card all is known that proves it, so that there always is a first one.
    whole = len(timeline)
    first = min((size for size in range(1, whole + 1) if proves(size)), default=whole)
    order, card, moment = timeline[first - 1]
    return f"{card} {moment}", min(order + 1, len(table.dealer))


def _timeline(hand: Hand) -> list[tuple[int, Card, str]]:
    """Return the cards of a hand in the order in which they were seen, with trick and moment."""
    found: list[tuple[int, Face, str]] = [(-1, card, "seen in the deal") for card in hand.shown]
    for trick, (first, play) in enumerate(zip(hand.originals, hand.plays, strict=True)):
        found.append((trick, first, f"at trick {trick + 1}"))
        if trick in hand.corrected:
            found.append((trick, play, f"put right at trick {trick + 1}"))
    told = {card for _, card, _ in found}
    found += [(HAND_CARDS, card, "in the hand") for card in hand.known if card not in told]
    return [(order, card, moment) for order, card, moment in found if isinstance(card, Card)]
