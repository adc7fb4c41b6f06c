"""The weights of the card model: found, checked against their hashes, and described."""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from vision.errors import ModelError

MANIFEST = "manifest.toml"
"""The file in the models folder that says what each file of weights is."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One file of weights, checked, with what its manifest says about it."""

    name: str
    path: Path
    about: Mapping[str, object]
    """The manifest's further keys."""

    def number(self, key: str, default: float | None = None) -> float:
        """Return a number of the manifest.

        Args:
            key: What it is called.
            default: What holds where the manifest is silent; without it, it must not be.

        Raises:
            ModelError: It is something else, or missing and without a default.
        """
        found = self.about.get(key, default)
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise ModelError(
                f"{self.path.parent / MANIFEST}: field '{self.name}.{key}': "
                f"found {'nothing' if found is None else repr(found)}, expected a number"
            )
        return float(found)


def load_weights(models_dir: Path) -> dict[str, Weights]:
    """Return every model that the manifest names, by its name (`detector`, `reader`, …).

    Raises:
        ModelError: The manifest is missing or broken, or a file is missing or was changed.
    """
    manifest = models_dir / MANIFEST
    try:
        told = tomllib.loads(manifest.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(
            f"{manifest}: cannot be read ({error.strerror}), expected the card model's manifest"
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(f"{manifest}: found broken TOML ({error}), expected a manifest") from error
    entries = {name: about for name, about in told.items() if _describes_weights(about)}
    return {name: _checked(manifest, name, about) for name, about in entries.items()}


def _describes_weights(about: object) -> bool:
    return isinstance(about, dict) and "file" in about


def _checked(manifest: Path, name: str, about: dict[str, object]) -> Weights:
    file, expected = about["file"], about.get("sha256")
    if not isinstance(file, str) or not isinstance(expected, str):
        raise ModelError(
            f"{manifest}: field '{name}': found file = {file!r} and sha256 = {expected!r}, "
            "expected two texts"
        )
    path = manifest.parent / file
    try:
        with path.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error.strerror})") from error
    if found != expected.removeprefix("sha256:").lower():
        raise ModelError(
            f"{path}: found SHA-256 {found}, expected {expected}: the file was changed"
        )
    return Weights(name, path, about)
