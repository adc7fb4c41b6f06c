"""Law: weights are used only when they are the very files that the manifest describes."""

import hashlib
from pathlib import Path

import pytest

from vision.errors import ModelError
from vision.model import load_model
from vision.weights import load_weights


def manifest(folder: Path, name: str = "reader", content: bytes = b"weights") -> None:
    (folder / f"{name}.onnx").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    text = f'[{name}]\nfile = "{name}.onnx"\nsha256 = "{digest}"\ntemperature = 1.5\n'
    with (folder / "manifest.toml").open("a") as written:
        written.write(text)


def test_weights_come_with_what_the_manifest_says(tmp_path: Path) -> None:
    manifest(tmp_path)
    reader = load_weights(tmp_path)["reader"]
    assert reader.path == tmp_path / "reader.onnx"
    assert reader.number("temperature", 1.0) == 1.5
    assert reader.number("threshold", 0.9) == 0.9
    with pytest.raises(ModelError, match=r"manifest.toml: field 'reader.grown': found nothing"):
        reader.number("grown")


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    manifest(tmp_path)
    (tmp_path / "reader.onnx").write_bytes(b"weightz")
    with pytest.raises(ModelError, match="the file was changed"):
        load_weights(tmp_path)


def test_missing_weights_are_refused(tmp_path: Path) -> None:
    manifest(tmp_path)
    (tmp_path / "reader.onnx").unlink()
    with pytest.raises(ModelError, match=r"reader.onnx: cannot be read"):
        load_weights(tmp_path)


def test_a_missing_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="expected the card model's manifest"):
        load_model(tmp_path)


@pytest.mark.parametrize("text", ["[reader", "[reader]\nfile = 7\nsha256 = 'x'\n"])
def test_a_broken_manifest_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.toml").write_text(text)
    with pytest.raises(ModelError, match=r"manifest.toml: ") as refused:
        load_weights(tmp_path)
    assert "\n" not in str(refused.value)


def test_a_number_that_is_none_is_refused(tmp_path: Path) -> None:
    manifest(tmp_path)
    (tmp_path / "manifest.toml").write_text(
        (tmp_path / "manifest.toml").read_text().replace("1.5", '"hot"')
    )
    with pytest.raises(ModelError, match="expected a number"):
        load_weights(tmp_path)["reader"].number("temperature", 1.0)


def test_a_model_without_a_reader_is_refused(tmp_path: Path) -> None:
    manifest(tmp_path, "detector")
    with pytest.raises(ModelError, match=r"found no \[reader\]"):
        load_model(tmp_path)


def test_a_file_that_is_no_network_is_refused_in_one_line(tmp_path: Path) -> None:
    manifest(tmp_path, "detector")
    manifest(tmp_path, "reader")
    with pytest.raises(ModelError, match="found no ONNX network"):
        load_model(tmp_path)
