"""Draws rounds for a table: who holds what, who plays what when, and which mistakes are made.

Most rounds are played to the rules; hands cover cards, cards are peeked at, nudged, taken up and
folded. Into the others one mistake is planted each. What is legal is decided here with a few lines
of their own (TCW-12), so that the truth does not come from the rules that it is to examine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, unique

import numpy as np

from rules.cards import PACK, Card
from rules.events import HAND_CARDS, Area, Cents, Seat, Spot, Wager
from vision.training.scenario import (
    Act,
    Answer,
    Blackout,
    Cards,
    Cover,
    Deal,
    Flash,
    Fold,
    Habit,
    Nudge,
    Pay,
    Peek,
    PickUp,
    Planted,
    Raise,
    Reveal,
    Round,
    Show,
    Stake,
    Sweep,
    Together,
    Wait,
)
from vision.training.scenario_look import WHIST, Look


@unique
class Kind(StrEnum):
    """What is special about a round."""

    CLEAN = "clean"
    REVOKE = "failed-to-follow-suit"
    NO_TRUMP = "failed-to-trump"
    MISDEAL_DEALER = "misdeal-dealer"
    MISDEAL_PLAYERS = "misdeal-players"
    EXPOSED = "one-player-card-exposed"
    PAYOUT = "wrong-payout"
    AHEAD = "dealer-ahead-of-play"
    BLACKOUT = "blackout"


_SHARES = {Kind.CLEAN: 0.58, Kind.REVOKE: 0.11, Kind.NO_TRUMP: 0.09, Kind.MISDEAL_DEALER: 0.05,
           Kind.MISDEAL_PLAYERS: 0.04, Kind.EXPOSED: 0.04, Kind.PAYOUT: 0.04, Kind.AHEAD: 0.03,
           Kind.BLACKOUT: 0.02}  # fmt: skip
_ANTES = (500, 1000, 2500)
_FLASHES = (0.2, 0.2, 0.3, 0.45)
"""Seconds that an exposed card lies open."""
_COVERED = (1, 15, 45)
"""Frames for which a hand lies over cards."""
_TRIES = 4000


@dataclass(slots=True)
class Hands:
    """The cards of a whist round and how they are played."""

    trump: Card
    dealer: Cards
    seats: dict[Seat, Cards]
    plays: dict[Seat, Cards] = field(default_factory=dict)


def legal(held: Sequence[Card], lead: Card, trump: Card) -> Cards:
    """Return the cards of a hand that may answer a dealer's card (TCW-12)."""
    follow = tuple(card for card in held if card.suit == lead.suit)
    trumps = tuple(card for card in held if card.suit == trump.suit)
    return follow or trumps or tuple(held)


def wins(card: Card, lead: Card, trump: Card) -> bool:
    """Say whether a card takes the trick from the dealer's."""
    if card.suit == lead.suit:
        return card.rank > lead.rank
    return card.suit == trump.suit


def _played(rng: np.random.Generator, held: Cards, hands: Hands) -> Cards:
    """Play a hand to the rules."""
    left, made = list(held), []
    for lead in hands.dealer:
        allowed = legal(left, lead, hands.trump)
        made.append(allowed[int(rng.integers(len(allowed)))])
        left.remove(made[-1])
    return tuple(made)


def _broken(
    rng: np.random.Generator, held: Cards, hands: Hands, *, trumping: bool
) -> tuple[Cards, int, Card] | None:
    """Play a hand with one breach; return the plays, the trick and the card that proves it."""
    for trick in rng.permutation(HAND_CARDS - 1).tolist():
        left, made = list(held), []
        proof: Card | None = None
        for number, lead in enumerate(hands.dealer):
            allowed = legal(left, lead, hands.trump)
            wrong = [card for card in left if card not in allowed]
            if number == trick:
                follows = any(card.suit == lead.suit for card in left)
                if not wrong or follows is trumping:
                    break
                made.append(wrong[int(rng.integers(len(wrong)))])
                owed = set(allowed)
            else:
                made.append(allowed[int(rng.integers(len(allowed)))])
                if number > trick and proof is None and made[-1] in owed:
                    proof = made[-1]
            left.remove(made[-1])
        if len(made) == HAND_CARDS and proof is not None:
            return tuple(made), trick + 1, proof
    return None


class Author:
    """Writes the rounds of one clip."""

    def __init__(self, look: Look, *, payouts: bool) -> None:
        self.look = look
        self.payouts = payouts
        self.rng = np.random.default_rng([look.seed, 7])

    def round(self, kind: Kind | None = None) -> Round:
        """Write a round: of a kind, or of one that is drawn."""
        if kind is None:
            kinds = list(_SHARES)
            share = np.array([_SHARES[each] for each in kinds])
            kind = kinds[int(self.rng.choice(len(kinds), p=share / share.sum()))]
        if self.look.table.game != WHIST:
            return self._other_game()
        if kind is Kind.PAYOUT and not self.payouts:
            kind = Kind.REVOKE
        match kind:
            case Kind.MISDEAL_DEALER | Kind.MISDEAL_PLAYERS:
                return self._misdeal(kind)
            case Kind.REVOKE | Kind.NO_TRUMP:
                return self._breach(kind)
            case Kind.AHEAD:
                return self._ahead()
            case _:
                return self._played_out(kind)

    # --- cards -----------------------------------------------------------------------------------

    def _pick(self, choices: Sequence[float]) -> float:
        return choices[int(self.rng.integers(len(choices)))]

    def _pause(self, least: float = 0.05, most: float = 0.3) -> Wait:
        return Wait(round(float(self.rng.uniform(least, most)), 2))

    def _takers(self) -> tuple[Seat, ...]:
        """The seats that play this round."""
        seats = self.look.table.seats
        count = min(len(seats), int(self.rng.choice([1, 2, 3], p=[0.5, 0.38, 0.12])))
        chosen = self.rng.choice(len(seats), size=count, replace=False)
        return tuple(seats[index] for index in sorted(chosen.tolist()))

    def _deal(self, seats: Sequence[Seat]) -> Hands:
        deck = [PACK[index] for index in self.rng.permutation(len(PACK)).tolist()]
        rows = [tuple(deck[n : n + HAND_CARDS]) for n in range(0, 3 * len(seats) + 3, 3)]
        return Hands(deck[-1], rows[0], dict(zip(seats, rows[1:], strict=True)))

    def _habits(self, seats: Sequence[Seat]) -> dict[Seat, Habit]:
        habits = (Habit.TURN, Habit.TURN, Habit.MOVE, Habit.MOVE, Habit.HAND)
        return {seat: habits[int(self.rng.integers(len(habits)))] for seat in seats}

    def _antes(self, seats: Sequence[Seat]) -> dict[Seat, Cents]:
        return {seat: Cents(int(self._pick(_ANTES))) for seat in seats}

    # --- rounds ----------------------------------------------------------------------------------

    def _played_out(self, kind: Kind) -> Round:
        seats = self._takers()
        hands = self._deal(seats)
        hands.plays = {seat: _played(self.rng, held, hands) for seat, held in hands.seats.items()}
        return self._whist(kind, hands)

    def _breach(self, kind: Kind) -> Round:
        trumping = kind is Kind.NO_TRUMP
        for _ in range(_TRIES):
            hands = self._deal(self._takers())
            sinner = list(hands.seats)[int(self.rng.integers(len(hands.seats)))]
            found = _broken(self.rng, hands.seats[sinner], hands, trumping=trumping)
            if found is not None:
                break
        else:
            raise ValueError(f"no hand for {kind} in {_TRIES} deals")
        plays, trick, proof = found
        hands.plays = {seat: _played(self.rng, held, hands) for seat, held in hands.seats.items()}
        hands.plays[sinner] = plays
        rule = "TCW-12b" if trumping else "TCW-12a"
        return self._whist(kind, hands, (Planted(kind.value, rule, sinner, trick, proof),))

    def _ahead(self) -> Round:
        hands = self._deal(self._takers())
        hands.plays = {seat: _played(self.rng, held, hands) for seat, held in hands.seats.items()}
        late = list(hands.seats)[int(self.rng.integers(len(hands.seats)))]
        trick = int(self.rng.integers(1, HAND_CARDS))
        found = Planted(Kind.AHEAD.value, "TCW-11", late, trick, at_turn=trick + 1)
        return self._whist(Kind.AHEAD, hands, (found,))

    def _misdeal(self, kind: Kind) -> Round:
        seats = self._takers()
        hands = self._deal(seats)
        order = [(spot, n) for n in range(HAND_CARDS) for spot in (*seats, None)]
        of_dealer = [place for place, (seat, _) in enumerate(order) if seat is None]
        of_players = [place for place, (seat, _) in enumerate(order) if seat is not None]
        if kind is Kind.MISDEAL_DEALER:
            exposed = [of_dealer[int(self.rng.integers(len(of_dealer)))]]
        else:
            exposed = sorted(self.rng.choice(of_players, size=2, replace=False).tolist())
        dealt = order[: exposed[-1] + 1]

        def cards(seat: Seat | None) -> Cards:
            whole = hands.dealer if seat is None else hands.seats[seat]
            return whole[: sum(each == seat for each, _ in dealt)]

        shown = [cards(order[place][0])[order[place][1]] for place in exposed]
        flashes = tuple(Flash(card, self._pick(_FLASHES)) for card in shown)
        acts: list[Act] = [*self._stakes(self._antes(seats))]
        acts.append(Deal({seat: cards(seat) for seat in seats}, cards(None), flashes=flashes))
        acts.append(self._pause(0.4, 0.8))
        if self.payouts:
            acts += [Pay(seat, {Wager.ANTE: Cents(0)}, by_hand=False) for seat in seats]
        found = Planted("misdeal", "TCW-14", order[exposed[-1]][0], proof=shown[-1])
        return self._ended(kind, acts, (found,))

    def _stakes(self, antes: dict[Seat, Cents], bonus: Sequence[Seat] = ()) -> list[Act]:
        stakes: list[Act] = []
        for seat, ante in antes.items():
            wagers = {Wager.ANTE: ante}
            if seat in bonus:
                wagers[Wager.BONUS] = Cents(500)
            stakes.append(Stake(seat, wagers))
        return [self._pause(), Together(tuple(stakes)), self._pause()]

    def _ended(
        self,
        kind: Kind,
        acts: list[Act],
        planted: tuple[Planted, ...] = (),
        unsure: Sequence[Seat] = (),
    ) -> Round:
        overlap = 0.9 if self.rng.random() < 0.3 else 0.0
        acts += [Sweep(overlap), self._pause(0.3, 0.7) if overlap == 0 else Wait(0.0)]
        return Round(tuple(acts), planted, kind.value, tuple(unsure))

    def _whist(self, kind: Kind, hands: Hands, planted: tuple[Planted, ...] = ()) -> Round:
        seats = list(hands.seats)
        antes = self._antes(seats)
        folding: list[Seat] = []
        if kind is Kind.CLEAN:
            folding = [seat for seat in seats[1:] if self.rng.random() < 0.3]
        tucked = [seat for seat in folding if not self.payouts and self.rng.random() < 0.5]
        flashes: tuple[Flash, ...] = ()
        if kind is Kind.EXPOSED:
            seat = seats[int(self.rng.integers(len(seats)))]
            card = hands.seats[seat][int(self.rng.integers(HAND_CARDS))]
            flashes = (Flash(card, self._pick(_FLASHES)),)
        for seat in folding:
            del hands.plays[seat]
        playing = list(hands.plays)
        habits = self._habits(playing)
        acts = self._stakes(antes, tucked)
        acts += [Deal(dict(hands.seats), hands.dealer, hands.trump, flashes), self._pause()]
        acts += self._decisions(antes, folding, tucked)
        taking = [PickUp(seat) for seat in playing if habits[seat] is Habit.HAND]
        if taking:
            acts += [Together(tuple(taking)), Wait(0.3)]
        acts += self._tricks(kind, hands, habits, planted)
        unsure = playing if kind is Kind.BLACKOUT else ()
        wrong: list[Planted] = list(planted)
        if self.payouts:
            acts += self._payments(kind, hands, antes, wrong)
        return self._ended(kind, acts, tuple(wrong), unsure)

    def _decisions(
        self, antes: dict[Seat, Cents], folding: Sequence[Seat], tucked: Sequence[Seat]
    ) -> list[Act]:
        peeks = tuple(Peek(seat) for seat in antes if self.rng.random() < 0.4)
        acts: list[Act] = [Together(peeks)] if peeks else []
        going = tuple(Raise(seat, ante) for seat, ante in antes.items() if seat not in folding)
        acts.append(Together(going))
        for seat in folding:
            acts.append(Fold(seat, Wager.BONUS if seat in tucked else None))
        return [*acts, self._pause()]

    def _tricks(
        self, kind: Kind, hands: Hands, habits: dict[Seat, Habit], planted: tuple[Planted, ...]
    ) -> list[Act]:
        """Write the dealer's turns and the seats' answers, with what gets in the way of both."""
        late = {found.seat: found.trick for found in planted if found.at_turn is not None}
        blind = int(self.rng.integers(1, HAND_CARDS)) if kind is Kind.BLACKOUT else -1
        acts: list[Act] = []
        owing: list[Act] = []
        for trick, lead in enumerate(hands.dealer, start=1):
            acts.append(Show(lead))
            acts += owing
            owing = []
            answers: list[Act] = []
            for seat, habit in habits.items():
                answer = Answer(seat, hands.plays[seat][trick - 1], habit)
                (owing if late.get(seat) == trick else answers).append(answer)
            if trick == blind:
                answers.append(Blackout(2.6))
            if answers:
                acts.append(Together(tuple(answers)))
            acts.append(self._pause(0.15, 0.4))
            if self.rng.random() < 0.22:
                acts += self._bother(hands, habits, trick)
        return acts

    def _bother(self, hands: Hands, habits: dict[Seat, Habit], trick: int) -> list[Act]:
        """Something gets in the way: a hand over cards, or a card that is squared up."""
        seat = list(habits)[int(self.rng.integers(len(habits)))]
        played = habits[seat] is not Habit.TURN
        if self.rng.random() < 0.6:
            spots = [Spot(Area.DEALER), Spot(Area.PLAYED if played else Area.HAND, seat)]
            spot = spots[int(self.rng.integers(2))]
            return [Cover(spot, self._pick(_COVERED) / self.look.fps), self._pause(0.3, 0.5)]
        cards = [hands.dealer[trick - 1], hands.plays[seat][trick - 1]]
        right, up = self.rng.uniform(-5.5, 5.5, 2).round(1).tolist()
        return [Nudge(cards[int(self.rng.integers(2))], right, up), self._pause(0.3, 0.5)]

    def _payments(
        self, kind: Kind, hands: Hands, antes: dict[Seat, Cents], wrong: list[Planted]
    ) -> list[Act]:
        """Settle every seat (TCW-13); in a round of wrong payouts one of them wrongly."""
        acts: list[Act] = []
        victim = list(hands.plays)[int(self.rng.integers(len(hands.plays)))]
        for seat, ante in antes.items():
            if seat not in hands.plays:
                acts.append(Pay(seat, {Wager.ANTE: Cents(-ante)}, by_hand=False))
                continue
            won = sum(map(_won(hands), hands.plays[seat], hands.dealer))
            times = {2: 2, 3: 3}.get(won, -1)
            paid = {Wager.ANTE: Cents(ante if won > 1 else -ante), Wager.PLAY: Cents(ante * times)}
            if kind is Kind.PAYOUT and seat == victim:
                code, paid[Wager.PLAY] = _mispaid(won, ante)
                wrong.append(Planted(code, "TCW-13", seat, proof=Wager.PLAY))
            acts.append(Pay(seat, paid, by_hand=self.rng.random() < 0.3))
        return acts

    def _other_game(self) -> Round:
        """Write a round of rummy or tri-card, played to the rules."""
        rummy = self.look.table.game != "tri-card-poker"
        seats = self._takers()
        hands = self._deal(seats)
        antes = self._antes(seats)
        folding = [seat for seat in seats if self.rng.random() < 0.2]
        acts = self._stakes(antes)
        acts += [Deal(dict(hands.seats), hands.dealer, faces_up=rummy), self._pause()]
        if not rummy:
            peeks = tuple(Peek(seat) for seat in seats if self.rng.random() < 0.7)
            acts += [Together(peeks)] if peeks else []
        going = tuple(Raise(s, a, Wager.RAISE) for s, a in antes.items() if s not in folding)
        acts += [Together(going)] if going else []
        acts += [Fold(seat) for seat in folding]
        if self.rng.random() < 0.4:
            spot = Spot(Area.HAND, seats[0]) if seats[0] not in folding else Spot(Area.DEALER)
            acts.append(Cover(spot, self._pick(_COVERED) / self.look.fps))
        acts += [self._pause(), Reveal(Spot(Area.DEALER)), self._pause()]
        if not rummy:
            acts += [Reveal(Spot(Area.HAND, seat)) for seat in seats if seat not in folding]
        return self._ended(Kind.CLEAN, [*acts, self._pause(0.4, 0.8)])


def _won(hands: Hands) -> Callable[[Card, Card], bool]:
    return lambda card, lead: wins(card, lead, hands.trump)


def _mispaid(won: int, ante: int) -> tuple[str, Cents]:
    """Return what a wrong payment of the Play wager is called, and its amount."""
    if won == 3:
        return "underpaid", Cents(2 * ante)
    if won == 2:
        return "overpaid", Cents(3 * ante)
    return "paid-when-lost", Cents(2 * ante)
