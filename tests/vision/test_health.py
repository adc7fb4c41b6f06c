"""Law: what the camera cannot see is said, and nothing is told of what lies there meanwhile."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from rules.cards import Card
from rules.events import FeedBack, FeedLost
from tests.vision.stage import Actor, At, ColourSight, Play, layout, told
from vision.frames import Frame, SourceBack, SourceItem, SourceLost
from vision.geometry import Image
from vision.health import Health
from vision.pipeline import watch
from vision.settings import Settings

NINE = Card.parse("9S")
SCENE = Play([Actor(NINE, (At(0.2, 120, 390, up=True),))], seconds=9)


def covered(image: Image) -> Image:
    return np.full_like(image, (90, 110, 140))


def dark(image: Image) -> Image:
    return np.asarray(image // 40, dtype=np.uint8)


def blurred(image: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 9), dtype=np.uint8)


def bumped(image: Image) -> Image:
    return np.roll(image, (14, 25), axis=(0, 1))


@dataclass
class Spoiled:
    """A scene that is spoiled for some seconds."""

    spoil: Callable[[Image], Image]
    start: float = 2.0
    end: float = 6.0
    name: str = "spoiled"
    live: bool = False
    fps: float | None = 25.0
    duration: float | None = None

    def __iter__(self) -> Iterator[SourceItem]:
        for item in SCENE:
            if isinstance(item, Frame) and self.start <= item.at < self.end:
                yield Frame(self.spoil(item.image), item.index, item.at)
            else:
                yield item


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (covered, "the camera is covered"),
        (dark, "the picture is dark"),
        (blurred, "the picture is blurred"),
        (bumped, "the camera has moved"),
    ],
)
def test_a_spoiled_picture_is_told_and_the_card_is_still_there_after(
    spoil: Callable[[Image], Image], reason: str
) -> None:
    observations = watch(Spoiled(spoil), layout(), ColourSight(), Settings())
    sightings = [sighting for seen in observations for sighting in seen.sightings]
    assert told(sightings) == ["CardPlaced seat-1 9S", f"FeedLost {reason}", "FeedBack"]
    assert sightings[1].at == pytest.approx(3.1, abs=0.3)
    assert sightings[2].at == pytest.approx(7.1, abs=0.3)


def test_a_sleeve_before_the_lens_for_a_moment_is_nothing() -> None:
    observations = watch(Spoiled(covered, 2.0, 2.6), layout(), ColourSight(), Settings())
    sightings = [sighting for seen in observations for sighting in seen.sightings]
    assert told(sightings) == ["CardPlaced seat-1 9S"]


def test_a_frozen_picture_is_told_after_ten_seconds() -> None:
    health = Health(Settings())
    image = SCENE.draw(1.0)
    events = [(n / 5, health.update(Frame(image, n, n / 5))) for n in range(60)]
    (at, event), *_ = [(at, event) for at, event in events if event is not None]
    assert isinstance(event, FeedLost)
    assert event.reason == "the picture is frozen"
    assert at == pytest.approx(10.0, abs=0.3)
    assert isinstance(health.update(Frame(SCENE.draw(1.2), 60, 12.0)), FeedBack | None)


def test_a_lost_source_is_told_and_its_cards_are_still_there_after() -> None:
    class Gap(Spoiled):
        def __iter__(self) -> Iterator[SourceItem]:
            for item in SCENE:
                if isinstance(item, Frame) and item.index == 60:
                    yield SourceLost("no frames for 10 s", item.at)
                elif isinstance(item, Frame) and item.index == 150:
                    yield SourceBack(item.at)
                elif not isinstance(item, Frame) or not 60 < item.index < 150:
                    yield item

    observations = watch(Gap(covered), layout(), ColourSight(), Settings())
    sightings = [sighting for seen in observations for sighting in seen.sightings]
    assert told(sightings) == [
        "CardPlaced seat-1 9S",
        "FeedLost no frames for 10 s",
        "FeedBack",
    ]
