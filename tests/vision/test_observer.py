"""Law: each physical act on the table is told once, by its end, and nothing else is told."""

from collections.abc import Sequence

import pytest

from rules.cards import PACK, Card
from rules.events import CardPlaced
from tests.vision.stage import Actor, At, ColourSight, Hand, Play, layout, short, told, watched
from vision.geometry import Floats, Image, Quad
from vision.pipeline import watch
from vision.settings import Settings

NINE, SIX, KING = Card.parse("9S"), Card.parse("6D"), Card.parse("KH")
SEAT = (120.0, 390.0)
OVER_SEAT = (80, 320, 200, 479)


def lying(card: Card, *, up: bool, x: float = SEAT[0], y: float = SEAT[1]) -> Actor:
    """A card dealt from the top right in 0.2 s."""
    return Actor(card, (At(0.5, 560, 60, up), At(0.7, x, y, up)))


def test_a_dealt_card_is_placed_once_at_the_moment_it_lay_still() -> None:
    sightings = watched(Play([lying(NINE, up=False)], seconds=3))
    assert told(sightings) == ["CardPlaced seat-1 -"]
    assert sightings[0].at == pytest.approx(0.72, abs=0.08)
    assert sightings[0].confidence > 0.9


def test_a_card_dealt_face_up_is_named() -> None:
    assert told(watched(Play([lying(NINE, up=True)], seconds=3))) == ["CardPlaced seat-1 9S"]


def test_a_finding_need_not_wait_long_for_its_event() -> None:
    play = Play([lying(NINE, up=True)], seconds=3)
    for seen in watch(play, layout(), ColourSight(), Settings()):
        if seen.sightings and seen.frame is not None:
            assert seen.frame.at - seen.sightings[0].at < 0.5
            return
    pytest.fail("nothing was told")


@pytest.mark.parametrize("frames", [1, 15, 45])
def test_a_card_under_a_hand_stays_one_card(frames: int) -> None:
    hand = Hand(1.6, 1.6 + frames / 25, OVER_SEAT)
    sightings = watched(Play([lying(NINE, up=True)], [hand], seconds=5))
    assert told(sightings) == ["CardPlaced seat-1 9S"]


def test_a_card_half_under_a_hand_stays_one_card() -> None:
    hand = Hand(1.6, 2.6, (100, 330, 145, 385))
    assert told(watched(Play([lying(NINE, up=True)], [hand], seconds=4))) == [
        "CardPlaced seat-1 9S"
    ]


def test_a_nudged_card_is_the_same_card() -> None:
    keys = (At(0.5, *SEAT, up=True), At(1.5, *SEAT, up=True), At(1.7, 140, 384, up=True, angle=0.2))
    assert told(watched(Play([Actor(NINE, keys)], seconds=4))) == ["CardPlaced seat-1 9S"]


def test_a_slide_to_the_play_spot_is_one_move() -> None:
    keys = (At(0.5, *SEAT, up=True), At(1.5, *SEAT, up=True), At(1.9, 120, 250, up=True))
    assert told(watched(Play([Actor(NINE, keys)], seconds=4))) == [
        "CardPlaced seat-1 9S",
        "CardMoved seat-1 seat-1.play 9S",
        "SpotCleared seat-1",
    ]


def test_a_card_carried_under_a_hand_to_the_play_spot_is_one_move() -> None:
    keys = (At(0.5, *SEAT), At(1.9, *SEAT, up=True), At(2.2, 120, 250, up=True))
    hands = [Hand(1.7, 2.0, (60, 300, 200, 479)), Hand(2.0, 2.5, (60, 190, 200, 479))]
    assert told(watched(Play([Actor(NINE, keys)], hands, seconds=5))) == [
        "CardPlaced seat-1 -",
        "CardMoved seat-1 seat-1.play 9S",
        "SpotCleared seat-1",
    ]


def test_a_card_turned_in_place_is_turned() -> None:
    keys = (At(0.5, *SEAT), At(1.9, *SEAT, up=True))
    hand = Hand(1.6, 2.1, OVER_SEAT)
    assert told(watched(Play([Actor(NINE, keys)], [hand], seconds=4))) == [
        "CardPlaced seat-1 -",
        "CardTurned seat-1 9S",
    ]


@pytest.mark.parametrize("hand", [None, Hand(1.2, 2.6, OVER_SEAT)])
def test_a_turn_tells_since_when_nobody_could_see_which_side_was_up(hand: Hand | None) -> None:
    """The back was seen until the hand came, or until the card was turned in the open."""
    keys = (At(0.5, *SEAT), At(1.9, *SEAT, up=True))
    play = Play([Actor(NINE, keys)], [] if hand is None else [hand], seconds=4)
    turned = watched(play)[-1]
    assert turned.at == pytest.approx(2.64 if hand else 1.92, abs=0.08)
    assert turned.since == pytest.approx(1.2 if hand else 1.9, abs=0.1)


def test_a_flash_of_a_fifth_of_a_second_is_turned_and_hidden() -> None:
    keys = (At(0.5, *SEAT), At(1.6, *SEAT, up=True), At(1.8, *SEAT))
    sightings = watched(Play([Actor(NINE, keys)], seconds=4))
    assert told(sightings) == [
        "CardPlaced seat-1 -",
        "CardTurned seat-1 9S",
        "CardHidden seat-1 9S",
    ]
    assert sightings[1].at == pytest.approx(1.64, abs=0.06)
    assert sightings[2].at == pytest.approx(1.84, abs=0.08)


def test_a_flash_that_cannot_be_read_is_told_as_unreadable() -> None:
    keys = (At(0.5, *SEAT), At(1.6, *SEAT, up=True), At(1.8, *SEAT))
    sightings = watched(Play([Actor(NINE, keys)], seconds=4), ColourSight(blind=True))
    assert told(sightings) == [
        "CardPlaced seat-1 -",
        "CardTurned seat-1 ?",
        "CardHidden seat-1 ?",
    ]


def test_a_card_that_cannot_be_read_at_rest_is_unreadable_and_never_guessed() -> None:
    sightings = watched(Play([lying(NINE, up=True)], seconds=5), ColourSight(blind=True))
    assert told(sightings) == ["CardPlaced seat-1 ?"]


def test_a_misread_among_the_first_reads_raises_nothing() -> None:
    for wrong in range(5):
        sight = ColourSight(lies={wrong: SIX})
        assert told(watched(Play([lying(NINE, up=True)], seconds=2), sight)) == [
            "CardPlaced seat-1 9S"
        ]


def test_a_card_taken_into_the_hand_is_removed() -> None:
    actor = Actor(NINE, (At(0.5, *SEAT),), until=2.2)
    hand = Hand(1.8, 2.6, OVER_SEAT)
    sightings = watched(Play([actor], [hand], seconds=5))
    assert told(sightings) == ["CardPlaced seat-1 -", "CardRemoved seat-1 -", "SpotCleared seat-1"]


def test_a_card_that_comes_out_of_the_hand_much_later_is_placed_anew() -> None:
    taken = Actor(NINE, (At(0.5, *SEAT),), until=1.6)
    played = Actor(NINE, (At(4.5, 120, 250, up=True),))
    assert told(watched(Play([taken, played], seconds=6))) == [
        "CardPlaced seat-1 -",
        "CardRemoved seat-1 -",
        "SpotCleared seat-1",
        "CardPlaced seat-1.play 9S",
    ]


def test_three_cards_dealt_over_each_other_are_three_cards() -> None:
    actors = [
        Actor(card, (At(0.5 + 0.5 * n, 560, 60), At(0.7 + 0.5 * n, 90 + 26 * n, 390)))
        for n, card in enumerate((NINE, SIX, KING))
    ]
    sightings = watched(Play(actors, seconds=4))
    assert told(sightings) == ["CardPlaced seat-1 -"] * 3


def test_a_card_that_passes_over_another_leaves_it_where_it_is() -> None:
    resting = Actor(NINE, (At(0.4, 120, 250, up=True),))
    passing = Actor(SIX, (At(1.5, 120, 60), At(1.8, 120, 390)))
    assert told(watched(Play([resting, passing], seconds=4))) == [
        "CardPlaced seat-1.play 9S",
        "CardPlaced seat-1 -",
    ]


def test_a_sweep_clears_the_spots() -> None:
    cards = [
        Actor(card, (At(0.4, 100 + 60 * n, 390, up=True),), until=2.0)
        for n, card in enumerate((NINE, SIX, KING))
    ]
    sweep = Hand(1.8, 2.3, (40, 320, 300, 479))
    sightings = told(watched(Play(cards, [sweep], seconds=5)))
    assert sorted(sightings[:3]) == [
        "CardPlaced seat-1 6D",
        "CardPlaced seat-1 9S",
        "CardPlaced seat-1 KH",
    ]
    assert sorted(sightings[3:6]) == [
        "CardRemoved seat-1 6D",
        "CardRemoved seat-1 9S",
        "CardRemoved seat-1 KH",
    ]
    assert sightings[6:] == ["SpotCleared seat-1"]


def test_the_next_round_starts_clean_after_a_sweep() -> None:
    first = Actor(NINE, (At(0.4, *SEAT, up=True),), until=1.6)
    second = Actor(SIX, (At(2.7, 560, 60), At(2.9, *SEAT)))
    assert told(watched(Play([first, second], [Hand(1.4, 1.8, OVER_SEAT)], seconds=5))) == [
        "CardPlaced seat-1 9S",
        "CardRemoved seat-1 9S",
        "SpotCleared seat-1",
        "CardPlaced seat-1 -",
    ]


def test_a_card_outside_all_spots_gives_no_event() -> None:
    assert told(watched(Play([lying(NINE, up=True, x=300, y=250)], seconds=3))) == []


def test_a_fold_pushed_to_the_discard_is_moved() -> None:
    cards = [
        Actor(
            card, (At(0.4, 90 + 50 * n, 390), At(2.0, 90 + 50 * n, 390), At(2.6, 80 + 45 * n, 65))
        )
        for n, card in enumerate((NINE, SIX, KING))
    ]
    sightings = told(watched(Play(cards, seconds=5)))
    assert sightings[:3] == ["CardPlaced seat-1 -"] * 3
    assert sightings[3:] == ["CardMoved seat-1 discard -"] * 3 + ["SpotCleared seat-1"]


@pytest.mark.parametrize("fps", [10.0, 15.0, 30.0])
def test_the_frame_rate_does_not_change_what_is_told(fps: float) -> None:
    keys = (
        At(0.5, *SEAT),
        At(1.5, *SEAT, up=True),
        At(2.5, *SEAT, up=True),
        At(2.9, 120, 250, True),
    )
    sightings = watched(Play([Actor(NINE, keys)], seconds=5, fps=fps))
    assert told(sightings) == [
        "CardPlaced seat-1 -",
        "CardTurned seat-1 9S",
        "CardMoved seat-1 seat-1.play 9S",
        "SpotCleared seat-1",
    ]


def test_nothing_is_looked_for_while_nothing_moves() -> None:
    sight = ColourSight()
    watched(Play([Actor(NINE, (At(0.0, *SEAT, up=True),))], seconds=6), sight)
    assert sight.looks < 20


def test_every_event_names_its_frame() -> None:
    (sighting,) = watched(Play([lying(NINE, up=True)], seconds=3))
    assert isinstance(sighting.event, CardPlaced)
    assert sighting.frame is not None
    assert sighting.frame / 25 - sighting.at < 0.5


def test_a_card_turned_before_it_lay_long_enough_was_placed_and_turned() -> None:
    keys = (At(0.5, 560, 60), At(0.7, *SEAT), At(0.88, *SEAT, up=True))
    assert told(watched(Play([Actor(NINE, keys)], seconds=3))) == [
        "CardPlaced seat-1 -",
        "CardTurned seat-1 9S",
    ]


def test_which_of_two_covered_cards_moved_does_not_matter() -> None:
    stays = Actor(SIX, (At(0.4, 95, 390),))
    goes = Actor(NINE, (At(0.4, 145, 390), At(2.0, 145, 390, up=True), At(2.3, 120, 250, up=True)))
    hands = [Hand(1.7, 2.4, (60, 335, 190, 479)), Hand(1.7, 2.2, (60, 250, 190, 479))]
    sightings = told(watched(Play([stays, goes], hands, seconds=5)))
    assert sightings == ["CardPlaced seat-1 -"] * 2 + ["CardMoved seat-1 seat-1.play 9S"]


DEALER_AT = (320.0, 65.0)


def test_a_card_of_the_next_deal_in_the_place_of_a_swept_one_is_a_new_card() -> None:
    swept = [
        Actor(NINE, (At(0.5, *SEAT),), until=2.0),
        Actor(SIX, (At(0.5, *DEALER_AT),), until=1.9),
    ]
    dealt = [Actor(KING, (At(2.7, 560, 60), At(2.9, *SEAT)))]
    sightings = watched(Play([*swept, *dealt], seconds=4.5))
    assert told(sightings).count("CardPlaced seat-1 -") == 2
    assert told(sightings).count("CardRemoved seat-1 -") == 1


@pytest.mark.parametrize("fps", [10.0, 25.0])
def test_a_flash_before_a_card_was_told_of_is_told_with_it(fps: float) -> None:
    keys = (
        At(0.5, 560, 60), At(0.7, *SEAT), At(0.9, *SEAT, up=True), At(1.15, *SEAT), At(1.2, *SEAT),
    )  # fmt: skip
    sightings = watched(Play([Actor(NINE, keys)], seconds=3, fps=fps))
    assert told(sightings) == [
        "CardPlaced seat-1 -",
        "CardTurned seat-1 9S",
        "CardHidden seat-1 9S",
    ]


OVER_PLAY = (60, 190, 200, 310)


def test_a_card_laid_under_a_hand_says_since_when_it_may_have_lain_there() -> None:
    laid = Actor(NINE, (At(1.5, 120, 250, up=True),))
    (seen,) = watched(Play([laid], [Hand(1.4, 3.0, OVER_PLAY)], seconds=5))
    assert seen.at > 2.9
    assert seen.since == pytest.approx(1.4, abs=0.1)


def test_a_card_laid_in_view_came_when_it_was_seen_to_come() -> None:
    (seen,) = watched(Play([Actor(NINE, (At(1.5, 120, 250, up=True),))], seconds=4))
    assert seen.since is not None
    assert seen.since == pytest.approx(1.5, abs=0.1)
    assert seen.at - seen.since < 0.4


def test_a_card_turned_under_a_hand_says_since_when_it_may_have_been_turned() -> None:
    turned = Actor(NINE, (At(0.5, *SEAT), At(2.0, *SEAT, up=True)))
    seen = watched(Play([turned], [Hand(1.6, 3.0, OVER_SEAT)], seconds=5))
    assert told(seen) == ["CardPlaced seat-1 -", "CardTurned seat-1 9S"]
    assert seen[1].since == pytest.approx(1.6, abs=0.15)
    assert seen[1].at > 2.9


class HardlyTold(ColourSight):
    """Takes every face for another card in its first three reads, though not surely."""

    def read(self, image: Image, quads: Sequence[Quad]) -> Floats:
        before, rows = self.reads, super().read(image, quads)
        if before < 3 and self.reads > before:
            rows[:, PACK.index(SIX)], rows[:, PACK.index(NINE)] = 0.82, 0.1
        return rows


def test_a_card_that_is_hardly_told_apart_at_first_is_read_on_and_still_told_in_time() -> None:
    (seen,) = watched(Play([lying(NINE, up=True)], seconds=3), HardlyTold())
    assert short(seen) == "CardPlaced seat-1 9S"
    assert seen.frame is not None
    assert seen.frame / 25 - seen.at < 0.6
