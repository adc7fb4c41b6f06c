"""Law: one card that is found twice, as a whole and as the pattern on it, is told of once."""

import numpy as np
import pytest

from rules.events import Area, Seat, Spot
from vision.geometry import Quad, oriented_box
from vision.identity import Votes
from vision.links import Links, Resident
from vision.settings import Settings
from vision.track import Phase, Track

HAND, DISCARD = Spot(Area.HAND, Seat(5)), Spot(Area.DISCARD)
CARD = (44.0, 62.0)


def at(x: float, size: float = 1.0) -> Quad:
    return oriented_box((x, 100.0), (CARD[0] * size, CARD[1] * size), 0.0)


def lying(number: int, corners: Quad, phase: Phase = Phase.RESTING) -> Track:
    track = Track(number, corners, 1.0, Votes(Settings()))
    track.anchor, track.phase = corners, phase
    track.votes.lean(-3.0)
    return track


def repeats(new: Quad, known: Track, spot: Spot = HAND) -> bool:
    links = Links({known.number: Resident(spot, None, up=False)}, Settings())
    return links.repeats(lying(2, new), [known], {})


@pytest.mark.parametrize(("new", "known"), [(0.75, 1.0), (1.0, 0.75), (1.0, 1.0)])
def test_a_back_and_the_pattern_on_it_are_one_card_also_where_one_was_not_found_again(
    new: float, known: float
) -> None:
    assert repeats(at(100.0, new), lying(1, at(101.0, known)))


def test_backs_that_lie_over_each_other_are_two_cards() -> None:
    for apart in (CARD[0], 0.6 * CARD[0], 0.3 * CARD[0]):
        assert not repeats(at(100.0), lying(1, at(100.0 + apart)))


def test_a_card_in_the_place_of_one_that_is_out_of_sight_or_on_a_pile_is_another() -> None:
    for phase in (Phase.LOST, Phase.COVERED):
        assert not repeats(at(100.0), lying(1, at(100.0), phase))
    assert not repeats(at(100.0), lying(1, at(100.0)), DISCARD)


def test_a_face_on_a_back_is_no_repeated_back() -> None:
    known = lying(1, at(100.0))
    known.votes.lean(9.0)
    known.votes.lean(9.0)
    known.votes.lean(9.0)
    assert known.votes.up
    assert not repeats(at(100.0), known)
    assert np.allclose(known.place(), at(100.0))
