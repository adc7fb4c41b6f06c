"""A small art cache of plain cards, so that no test needs a package or the network."""

import json
from pathlib import Path

import numpy as np
import pytest

from vision.training.sources import Split


@pytest.fixture(scope="session")
def art(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache with one deck and three backs in each split."""
    cache = tmp_path_factory.mktemp("art")
    rows = []
    for split in Split:
        name = f"plain-{split.value}"
        faces = np.full((53, 84, 60, 4), 255, np.uint8)
        faces[:, 20:64, 20:40, :3] = np.arange(53, dtype=np.uint8)[:, None, None, None]
        np.save(cache / f"{name}.npy", faces)
        backs = np.full((3, 84, 60, 4), 255, np.uint8)
        backs[..., 0] = 20
        np.save(cache / f"backs-{split.value}.npy", backs)
        rows.append(
            {
                "name": name,
                "licence": "CC0-1.0",
                "credit": "nobody",
                "split": split.value,
                "aspect": 0.7,
                "has_back": True,
            }
        )
    (cache / "decks.json").write_text(json.dumps(rows))
    return cache
