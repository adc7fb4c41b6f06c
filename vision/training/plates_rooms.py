"""Renders the tables of some staged looks with Blender: felt, light, rail, tray and rack in 3D.

    python -m vision.training.plates_rooms --out datasets/rooms

Run it in an environment that has `bpy==4.5.*` and OpenCV. The plates are kept in the repository.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import bpy
import cv2
import numpy as np

from vision.training import plates_scene as scene
from vision.training.scenario_felt import HIGH, LEFT, LOW, RIGHT, felt
from vision.training.scenario_look import ROOMED, ROOMS, Look, look
from vision.training.scenario_table import RACK, TRAY

_WHITE = 0.8
"""How much light the white felt of the light plate gives back."""
_SAMPLES = 16


def _relight(rng: np.random.Generator) -> None:
    """Move and colour the lamps of the demo's room, so that no two rooms are lit alike."""
    lamp, fill = bpy.data.objects["lamp"], bpy.data.objects["fill"]
    lamp.location = (*rng.uniform(-5, 5, 2), rng.uniform(11, 17))
    lamp.data.energy = float(rng.uniform(900, 1900))
    lamp.data.size = float(rng.uniform(2.5, 8))
    lamp.data.color = (1.0, float(rng.uniform(0.86, 1.0)), float(rng.uniform(0.7, 1.0)))
    fill.location = (*rng.uniform(-11, 11, 2), rng.uniform(9, 16))
    fill.data.energy = float(rng.uniform(120, 600))


def _cloth(work: Path, rng: np.random.Generator, *, white: bool) -> None:
    cloth = scene.material("cloth", (_WHITE,) * 3, rough=0.95, Specular_IOR_Level=0.1)
    if not white:
        scene.image_colour(cloth, work / "felt.png")
        sheen = cloth.node_tree.nodes["Principled BSDF"].inputs["Sheen Weight"]
        sheen.default_value = float(rng.uniform(0.0, 0.2))
    corners = [[LEFT, LOW, 0], [RIGHT, LOW, 0], [RIGHT, HIGH, 0], [LEFT, HIGH, 0]]
    plane = scene.mesh("felt", np.array(corners, np.float64), [(0, 1, 2, 3)], cloth)
    scene.planar_uv(plane, (LEFT, LOW), (RIGHT, HIGH))


def _furniture(rng: np.random.Generator, low: float) -> None:
    """Add the rail in front of the players, the tray and the rack."""
    wood = scene.material("wood", tuple(rng.uniform(0.02, 0.16, 3)), rough=0.3, Coat_Weight=0.5)
    dark = scene.material("dark", (0.02, 0.02, 0.025), rough=0.35, Metallic=0.5)
    scene.box("rail", (0, low - 40, 12), (1900, 60, 40), wood, bevel=12)
    scene.box("tray", (TRAY.x, TRAY.y + 60, 10), (TRAY.width, TRAY.height, 20), dark, bevel=3)
    scene.box("rack", (RACK[0], RACK[1] + 40, 26), (126, 150, 52), dark, bevel=4)


def render_room(view: Look, out: Path, work: Path) -> None:
    """Render the empty table and its light."""
    out.mkdir(parents=True, exist_ok=True)
    cloth = felt(view).astype(np.uint8)
    cv2.imwrite(str(work / "felt.png"), cv2.cvtColor(cloth, cv2.COLOR_RGB2BGR))
    low = min(float(place.corners(12.0)[:, 1].min()) for place in view.table.places.values())
    for name, white in (("table", False), ("light", True)):
        rng = np.random.default_rng([view.seed, 4])
        scene.reset()
        _relight(rng)
        scene.aim_camera(view.camera)
        _cloth(work, rng, white=white)
        _furniture(rng, low)
        share = 2 if white else 1
        path = work / f"{name}.png"
        scene.render(path, samples=_SAMPLES // share, percent=100 // share)
    light = scene.picture(work / "light.png").astype(np.float32) * 257
    small = cv2.resize(cv2.GaussianBlur(light, (0, 0), 4.0), None, fx=0.25, fy=0.25,
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    cv2.imwrite(str(out / "light.png"), np.asarray(small, np.uint16))
    scene.as_webp(work / "table.png", out / "table.webp", 90)


def main(arguments: Sequence[str] | None = None) -> None:
    """Render the rooms; see the module."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.plates_rooms")
    parser.add_argument("--out", type=Path, default=ROOMS)
    parser.add_argument("--only", action="append", metavar="NAME", help="render only this one")
    args = parser.parse_args(arguments)
    for purpose, numbers in ROOMED.items():
        for number in numbers:
            view = look(purpose, number)
            if not args.only or view.name in args.only:
                with tempfile.TemporaryDirectory() as folder:
                    render_room(view, args.out / view.name, Path(folder))


if __name__ == "__main__":
    main()
