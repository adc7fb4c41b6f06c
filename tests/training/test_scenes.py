"""A made-up picture and its labels agree, and the same seed makes the same picture."""

from pathlib import Path

import numpy as np
import pytest

from vision.training.art import decks
from vision.training.batches import BACK, REJECT, detector_batch, reader_batch, refiner_batch
from vision.training.dataset import Part, jobs, load, make_shard, plan, save
from vision.training.scene import Label, Recipe, Scene, Studio, drawn_labels
from vision.training.sources import ArtError, Split

RECIPE = Recipe((320, 192), (30, 60), Split.TRAIN, empty=0.0)


@pytest.fixture(scope="module")
def scenes(art: Path) -> list[Scene]:
    studio = Studio(RECIPE, seed=4, cache=art)
    return [studio.scene() for _ in range(6)]


@pytest.fixture(scope="module")
def folder(scenes: list[Scene], tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("data") / "part"
    target.mkdir()
    save(iter(scenes), target / "000")
    return target


def test_the_same_seed_makes_the_same_scenes(art: Path, scenes: list[Scene]) -> None:
    again = Studio(RECIPE, seed=4, cache=art).scene()
    assert np.array_equal(again.picture, scenes[0].picture)
    assert [label.card for label in again.labels] == [label.card for label in scenes[0].labels]


def test_pictures_have_the_size_asked_for_and_labels_are_shares(scenes: list[Scene]) -> None:
    assert {scene.picture.shape for scene in scenes} == {(192, 320, 3)}
    labels = [label for scene in scenes for label in scene.labels]
    assert labels
    assert all(0 <= label.visible <= 1 and 0 <= label.index <= 1 for label in labels)


def test_cards_are_never_mirrored(scenes: list[Scene]) -> None:
    for scene in scenes:
        for label in scene.labels:
            a, b, c = label.quad[:3]
            turn = (b - a)[0] * (c - b)[1] - (b - a)[1] * (c - b)[0]
            assert turn > 0, "corners run clockwise on the screen"


def test_labels_can_be_drawn_in(scenes: list[Scene]) -> None:
    assert drawn_labels(scenes[0]).shape == scenes[0].picture.shape


def test_an_empty_recipe_makes_scenes_without_cards(art: Path) -> None:
    recipe = Recipe((320, 192), (30, 60), Split.TRAIN, empty=1.0)
    assert Studio(recipe, seed=1, cache=art).scene().labels == ()


def test_what_is_saved_is_loaded_again(scenes: list[Scene], folder: Path) -> None:
    rows = load(folder)
    assert len(rows) == len(scenes)
    for (path, labels), scene in zip(rows, scenes, strict=True):
        assert path.is_file()
        assert [each.card for each in labels] == [each.card for each in scene.labels]
        for one, other in zip(labels, scene.labels, strict=True):
            assert np.abs(one.quad - other.quad).max() < 0.01


def test_batches_hold_every_card_that_can_be_seen(folder: Path) -> None:
    rows = load(folder)
    batch = detector_batch(rows, (320, 192), None)
    seen = sum(label.visible >= 0.2 for _, labels in rows for label in labels)
    assert batch.pictures.shape == (6, 192, 320, 3)
    assert len(batch.targets) >= seen * 0.7
    assert set(batch.targets[:, 1].tolist()) <= {0.0, 1.0}


def test_crops_come_with_a_class_or_with_corners_near_the_crop(folder: Path) -> None:
    rng = np.random.default_rng(0)
    rows = load(folder)
    read = reader_batch(rows, rng)
    assert read.crops.shape[1:] == (192, 144, 3)
    assert read.targets.min() >= 0
    assert read.targets.max() <= REJECT
    fine = refiner_batch(rows, rng)
    assert fine.crops.shape[1:] == (128, 128, 3)
    assert np.abs(fine.targets.astype(np.float32) - 0.5).max() < 0.75


def test_a_hidden_card_is_no_reading(folder: Path) -> None:
    _, labels = load(folder)[0]
    quad = labels[0].quad
    hidden = Label(quad, None, visible=0.1, index=0.0)
    assert reader_batch([(folder / "000/0000.jpg", (hidden,))] * 8, np.random.default_rng(0)).targets.tolist().count(BACK) == 0  # fmt: skip  # noqa: E501


def test_a_shard_that_is_there_is_left_alone(art: Path, tmp_path: Path) -> None:
    part = Part("tiny", Split.VALIDATION, (160, 96), ((20.0, 40.0),), (1.0,), 0.0, 2, 2, 5)
    first = Path(make_shard(part, 0, tmp_path, art))
    stamp = (first / "labels.jsonl").stat().st_mtime_ns
    assert Path(make_shard(part, 0, tmp_path, art)) == first
    assert (first / "labels.jsonl").stat().st_mtime_ns == stamp
    assert len(load(tmp_path / "tiny")) == 2


def test_the_plan_names_a_part_of_each_kind_for_each_split() -> None:
    version, parts = plan(Path("datasets/dataset.toml"))
    assert version
    assert {part.name for part in parts} >= {
        f"{kind}-{split.value}" for kind in ("scenes", "closeups") for split in Split
    }
    assert all(part.name.endswith(part.split.value) for part in parts)
    assert len({part.seed for part in parts}) == len(parts)


def test_a_share_of_the_plan_takes_some_of_every_part() -> None:
    _, parts = plan(Path("datasets/dataset.toml"))
    assert {part.name for part, _ in jobs(parts, 0.01)} == {part.name for part in parts}


def test_a_broken_plan_is_told_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "plan.toml"
    broken.write_text("version = 1\n[[part]]\nname = 'x'\n")
    with pytest.raises(ArtError, match="is not the plan of a data set"):
        plan(broken)


def test_missing_data_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(ArtError, match=r"vision\.training\.dataset"):
        load(tmp_path)


def test_decks_of_one_split_never_appear_in_the_other(art: Path) -> None:
    train, held = (decks(art, split) for split in Split)
    assert not {deck.name for deck in train} & {deck.name for deck in held}
