"""Renders the plates of the demo clip with Blender: the table, its light, shoe, rack, chips, hands.

    python -m vision.training.plates --out datasets/demo/plates

Run it in an environment that has `bpy==4.5.*` and OpenCV; the clip itself is made without it. The
plates are kept in the repository, so this is only for who wants to change how the table looks.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np

from vision.training import plates_props as props
from vision.training import plates_scene as scene
from vision.training.hands import LOOKS, index_rows, render_look
from vision.training.plates_felt import HIGH, LEFT, LOW, RIGHT, felt
from vision.training.scenario_chips import CHIP_THICKNESS
from vision.training.scenario_motion import Colour
from vision.training.scenario_table import Camera

_WHITE = 0.8
"""How much light the white felt of the light plate gives back."""
_STACKS = ((Colour.RED, 1), (Colour.RED, 2), (Colour.RED, 4), (Colour.GREEN, 1), (Colour.GREEN, 2),
           (Colour.GREEN, 3), (Colour.BLACK, 1))  # fmt: skip


def _felt_plane(work: Path, *, white: bool) -> bpy.types.Object:
    line = props.rail_line(4.0)
    points = np.column_stack([line, np.zeros(len(line))])
    cloth = scene.material("cloth", (_WHITE,) * 3, rough=0.95, Specular_IOR_Level=0.1)
    if not white:
        scene.image_colour(cloth, work / "felt.png")
        shader = cloth.node_tree.nodes["Principled BSDF"]
        shader.inputs["Sheen Weight"].default_value = 0.12
    plane = scene.mesh("felt", points, [tuple(range(len(points)))[::-1]], cloth)
    scene.planar_uv(plane, (LEFT, LOW), (RIGHT, HIGH))
    return plane


def render_table(out: Path, work: Path, view: Camera, samples: int) -> None:
    """Render the empty table, its light, and what hides the cards that slide below it."""
    cloth = felt().astype(np.uint8)
    cv2.imwrite(str(work / "felt.png"), cv2.cvtColor(cloth, cv2.COLOR_RGB2BGR))
    props.chip_faces(work)
    for name, white in (("table", False), ("light", True)):
        scene.reset()
        scene.aim_camera(view)
        _felt_plane(work, white=white)
        props.rail()
        if not white:
            props.tray(work)
            props.covers()
        share = 2 if white else 1
        scene.render(work / f"{name}.png", samples=samples // share, percent=100 // share)
    light = scene.picture(work / "light.png").astype(np.float32) * 257
    small = cv2.resize(cv2.GaussianBlur(light, (0, 0), 3.0), None, fx=0.5, fy=0.5,
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    cv2.imwrite(str(out / "light.png"), np.asarray(small, np.uint16))
    scene.as_webp(work / "table.png", out / "table.webp", 94)
    scene.reset()
    scene.aim_camera(view)
    props.covers()
    scene.render(work / "covers.png", samples=samples, transparent=True, low=0.75)
    scene.as_webp(work / "covers.png", out / "covers.webp", 92)


def _chip_view(view: Camera) -> scene.Flat:
    return scene.Flat(view.tilt, 84, 84, (0.0, 6.0), view.scale * 1.5)


def render_chips(out: Path, work: Path, view: Camera) -> None:
    """Render the stacks of chips, each with its shadow."""
    props.chip_faces(work)
    for colour, count in _STACKS:
        scene.reset()
        _chip_view(view).aim()
        scene.shadow_catcher()
        props.stack(work, colour, count, CHIP_THICKNESS)
        name = f"chips-{colour.value}-{count}"
        scene.render(work / f"{name}.png", samples=16, transparent=True)
        scene.as_webp(work / f"{name}.png", out / f"{name}.webp", 92)


def index(view: Camera) -> dict[str, Any]:
    """Return what is in which file, for who reads the plates."""
    flat = _chip_view(view)
    chips = [
        {
            "colour": colour.value,
            "count": count,
            "file": f"chips-{colour.value}-{count}.webp",
            "anchor": flat.seen(0, 0),
            "scale": flat.pixels_per_mm,
        }
        for colour, count in _STACKS
    ]
    return {
        "table": "table.webp",
        "light": "light.png",
        "light_gain": 0.92 / _WHITE,
        "props": "covers.webp",
        "chips": chips,
        "hands": index_rows(view.tilt),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Render the plates; see the module."""
    parts = ("table", "chips", *(look.name for look in LOOKS))
    parser = argparse.ArgumentParser(prog="python -m vision.training.plates")
    parser.add_argument("--out", type=Path, default=Path("datasets/demo/plates"))
    parser.add_argument("--only", choices=parts, action="append", help="render only this again")
    parser.add_argument("--samples", type=int, default=16)
    args = parser.parse_args(arguments)
    args.out.mkdir(parents=True, exist_ok=True)
    wanted = args.only or parts
    view = Camera()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if "table" in wanted:
            render_table(args.out, work, view, args.samples)
        if "chips" in wanted:
            render_chips(args.out, work, view)
        for look in LOOKS:
            if look.name in wanted:
                render_look(look, args.out, work, view.tilt)
    (args.out / "plates.json").write_text(json.dumps(index(view), indent=1) + "\n")


if __name__ == "__main__":
    main()
