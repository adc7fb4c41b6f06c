"""The weights that ship are the ones that the manifest describes, and they stay small."""

import hashlib
import tomllib
from pathlib import Path

from vision.training.batches import GROWN, READER_SIZE, REFINER_SIZE

MODELS = Path("models")
MANIFEST = tomllib.loads((MODELS / "manifest.toml").read_text())


def test_every_file_has_the_hash_that_the_manifest_gives() -> None:
    for name, about in MANIFEST.items():
        found = hashlib.sha256((MODELS / about["file"]).read_bytes()).hexdigest()
        assert found == about["sha256"], name


def test_all_weights_together_stay_under_20_mb() -> None:
    assert sum(path.stat().st_size for path in MODELS.glob("*.onnx")) < 20e6


def test_no_weights_lie_there_that_the_manifest_does_not_name() -> None:
    named = {about["file"] for about in MANIFEST.values()}
    assert {path.name for path in MODELS.glob("*.onnx")} == named


def test_the_manifest_and_the_training_code_agree_about_sizes() -> None:
    assert tuple(MANIFEST["reader"]["size"]) == READER_SIZE
    assert MANIFEST["detector"]["classes"] == ["face", "back"]
    if "refiner" in MANIFEST:
        assert tuple(MANIFEST["refiner"]["size"]) == REFINER_SIZE
        assert MANIFEST["refiner"]["grown"] == GROWN


def test_each_network_tells_its_licence_its_data_and_its_figures() -> None:
    for about in MANIFEST.values():
        assert about["licence"] == "AGPL-3.0-or-later"
        assert about["dataset"]
        assert about["metrics"]
        assert about["parity"] < 0.5
