"""The script of the bundled demo clip: what happens in it, and the findings planted in it.

Three rounds of Three Card Whist. In the first seat 5 throws a spade on a heart lead, and the heart
comes out two tricks later. In the second the dealer exposes a card in the deal. In the third
seat 4 folds, seat 1 keeps back a trump, and seat 6 is paid three to one on two tricks.
"""

from rules.cards import Card
from rules.events import Cents, Seat, Wager
from vision.training.scenario import (
    Act,
    Answer,
    Deal,
    Fold,
    Habit,
    Misdeal,
    Pay,
    Planted,
    Raise,
    Round,
    Scenario,
    Show,
    Stake,
    Sweep,
    Wait,
    hand,
)


def _bet(ante: int, bonus: int = 0) -> dict[Wager, Cents]:
    wagers = {Wager.ANTE: Cents(ante)}
    return wagers | {Wager.BONUS: Cents(bonus)} if bonus else wagers


def _paid(ante: int, play: int | None = None, bonus: int | None = None) -> dict[Wager, Cents]:
    made = {Wager.ANTE: Cents(ante)}
    if play is not None:
        made[Wager.PLAY] = Cents(play)
    if bonus is not None:
        made[Wager.BONUS] = Cents(bonus)
    return made


def _trick(dealer: str, answers: dict[int, str], habits: dict[int, Habit]) -> list[Act]:
    made: list[Act] = [Show(Card.parse(dealer))]
    made += [Answer(Seat(n), Card.parse(card), habits[n]) for n, card in answers.items()]
    return [*made, Wait(0.24)]


_HABITS = {1: Habit.TURN, 2: Habit.TURN, 3: Habit.MOVE, 5: Habit.MOVE, 6: Habit.MOVE}

_FIRST = Round(
    acts=(
        Wait(0.5),
        Stake(Seat(2), _bet(1000)),
        Stake(Seat(3), _bet(2500, bonus=500)),
        Stake(Seat(5), _bet(1000)),
        Wait(0.1),
        Deal(
            {Seat(2): hand("6C 8D 5H"), Seat(3): hand("QS 2C QH"), Seat(5): hand("KS 3H AC")},
            dealer=hand("7C 8H 4S"),
            trump=Card.parse("7D"),
        ),
        Wait(0.35),
        Raise(Seat(2), Cents(1000)),
        Raise(Seat(3), Cents(2500)),
        Raise(Seat(5), Cents(1000)),
        Wait(0.25),
        *_trick("8H", {2: "5H", 3: "QH", 5: "KS"}, _HABITS),
        *_trick("7C", {2: "6C", 3: "2C", 5: "AC"}, _HABITS),
        *_trick("4S", {2: "8D", 3: "QS", 5: "3H"}, _HABITS),
        Wait(0.1),
        Pay(Seat(2), _paid(-1000, -1000)),
        Pay(Seat(3), _paid(2500, 5000, bonus=500)),
        Pay(Seat(5), _paid(-1000, -1000)),
        Sweep(),
        Wait(1.0),
    ),
    planted=(
        Planted("failed-to-follow-suit", "TCW-12a", Seat(5), trick=1, proof=Card.parse("3H")),
    ),
)

_SECOND = Round(
    acts=(
        Wait(0.1),
        Stake(Seat(6), _bet(1000)),
        Stake(Seat(3), _bet(1000)),
        Misdeal({Seat(3): hand("8S JD"), Seat(6): hand("AH 4C")}, dealer=hand("5S QD")),
        Wait(0.4),
        Pay(Seat(3), _paid(0)),
        Pay(Seat(6), _paid(0)),
        Sweep(),
        Wait(1.0),
    ),
    planted=(Planted("misdeal", "TCW-14", proof=Card.parse("QD")),),
)

_THIRD = Round(
    acts=(
        Wait(0.1),
        Stake(Seat(1), _bet(1000)),
        Stake(Seat(4), _bet(1000)),
        Stake(Seat(6), _bet(1000, bonus=500)),
        Wait(0.1),
        Deal(
            {Seat(1): hand("2S QD 8C"), Seat(4): hand("7H 3D 2H"), Seat(6): hand("AD 4H JS")},
            dealer=hand("5S 8D KH"),
            trump=Card.parse("6C"),
        ),
        Wait(0.35),
        Raise(Seat(1), Cents(1000)),
        Fold(Seat(4)),
        Raise(Seat(6), Cents(1000)),
        Wait(0.25),
        *_trick("8D", {1: "QD", 6: "AD"}, _HABITS),
        *_trick("KH", {1: "2S", 6: "4H"}, _HABITS),
        *_trick("5S", {1: "8C", 6: "JS"}, _HABITS),
        Wait(0.1),
        Pay(Seat(1), _paid(-1000, -1000)),
        Pay(Seat(4), _paid(-1000)),
        Pay(Seat(6), _paid(1000, 3000, bonus=-500)),
        Sweep(),
        Wait(1.0),
    ),
    planted=(
        Planted("failed-to-trump", "TCW-12b", Seat(1), trick=2, proof=Card.parse("8C")),
        Planted("overpaid", "TCW-13", Seat(6), proof=Wager.PLAY),
    ),
)

DEMO = Scenario(table="T1", seed=20261130, rounds=(_FIRST, _SECOND, _THIRD))
"""The demo clip."""
