"""Law: whatever runs the networks, the same is seen."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import ModelError
from vision.geometry import Image
from vision.model import load_model
from vision.network import Engine, open_network
from vision.weights import load_weights

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
PIXELS, SHARE = 0.5, 0.005
"""How far corners and probabilities may differ: 32-bit sums are taken in another order."""


def _table() -> Image:
    """Return a frame of the bundled clip in which the dealer turns cards."""
    clip = cv2.VideoCapture(str(ROOT / "datasets/demo/whist.mp4"))
    clip.set(cv2.CAP_PROP_POS_MSEC, 16_000)
    read, image = clip.read()
    assert read
    return np.asarray(image, dtype=np.uint8)


def test_both_engines_find_and_read_the_same() -> None:
    image = _table()
    one, other = (load_model(MODELS, engine) for engine in Engine)
    first, second = (model.find(image) for model in (one, other))
    assert len(first) == len(second) > 3
    quads = [box.corners for box in first]
    assert np.allclose(one.read(image, quads), other.read(image, quads), atol=SHARE)
    for box, same in zip(first, second, strict=True):
        assert np.allclose(box.corners, same.corners, atol=PIXELS)
        assert box.score == pytest.approx(same.score, abs=SHARE)


@pytest.mark.parametrize("engine", Engine)
def test_every_network_gives_the_same_numbers_as_the_other_engine(engine: Engine) -> None:
    for name, weights in load_weights(MODELS).items():
        network = open_network(weights.path, engine)
        shape = tuple(
            size or fallback for size, fallback in zip(network.shape, (2, 3, 192, 320), strict=True)
        )
        values = np.random.default_rng(1).random(shape, dtype=np.float32)
        expected = open_network(weights.path).run(values)
        assert np.allclose(network.run(values), expected, rtol=1e-3, atol=2e-3), name


@pytest.mark.parametrize("engine", Engine)
def test_a_file_that_is_no_network_is_named(engine: Engine, tmp_path: Path) -> None:
    broken = tmp_path / "reader.onnx"
    broken.write_bytes(b"no network")
    with pytest.raises(ModelError, match=r"reader\.onnx: found no ONNX network"):
        open_network(broken, engine)


@pytest.mark.parametrize("engine", Engine)
def test_an_input_of_another_shape_is_refused_by_name(engine: Engine) -> None:
    weights = load_weights(MODELS)["reader"]
    with pytest.raises(ModelError, match=r"refused an input of shape \(1, 3, 5, 5\)"):
        open_network(weights.path, engine).run(np.zeros((1, 3, 5, 5), np.float32))
