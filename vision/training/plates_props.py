"""The furniture of the demo table, modelled for Blender: rail, tray, shoe, rack, chips."""

import math
from pathlib import Path

import bpy
import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import plates_scene as scene
from vision.training.plates_felt import PIXELS_PER_MM, render_svg
from vision.training.scenario_chips import CHIP_DIAMETER
from vision.training.scenario_motion import Colour
from vision.training.scenario_table import RACK, SHOE, TRAY

Points = NDArray[np.float64]

_RAIL_X, _RAIL_Y, _RAIL_CENTRE = 737.0, 486.0, -2.0
"""The inner edge of the rail: half an ellipse, and straight on towards the dealer."""

_FACES = {
    Colour.RED: ("#a80e18", "#f6efe2", "5"),
    Colour.GREEN: ("#0a5c33", "#f6efe2", "25"),
    Colour.BLACK: ("#1b1b20", "#e9dcc0", "100"),
}


def chip_faces(work: Path) -> None:
    """Draw the faces of the chips as pictures into a folder."""
    for colour, (base, spot, worth) in _FACES.items():
        spots = "".join(
            f'<path d="M-2.3 -19.6 L2.3 -19.6 L1.9 -15.4 L-1.9 -15.4 Z" fill="{spot}" '
            f'transform="rotate({angle})"/>'
            for angle in range(0, 360, 60)
        )
        body = (
            f'<rect x="-21" y="-21" width="42" height="42" fill="{base}"/>{spots}'
            f'<circle r="13.6" fill="none" stroke="{spot}" stroke-width="0.5"/>'
            f'<circle r="9.6" fill="#e6d7b0"/><circle r="8.6" fill="none" stroke="{base}" '
            f'stroke-width="0.6"/><text y="3.6" font-family="P052" font-weight="bold" '
            f'font-size="{10 if len(worth) < 3 else 7}" text-anchor="middle" fill="{base}">'
            f"{worth}</text>"
        )
        scale = 512 / (42 * PIXELS_PER_MM)
        drawn = render_svg(f'<g transform="scale({scale})">{body}</g>', 42 * scale, 42 * scale,
                           (-21 * scale, -21 * scale))  # fmt: skip
        picture = cv2.cvtColor(drawn.astype(np.uint8), cv2.COLOR_RGBA2BGR)
        cv2.imwrite(str(work / f"chip-{colour.value}.png"), picture)


def _chip_material(work: Path, colour: Colour) -> bpy.types.Material:
    made = scene.material(f"chip-{colour.value}", (1, 1, 1), rough=0.42)
    scene.image_colour(made, work / f"chip-{colour.value}.png")
    return made


def _disc(name: str, thickness: float, made: bpy.types.Material) -> bpy.types.Object:
    """A chip that lies flat on z = 0, its rim a little rounded, its picture laid on from above."""
    r, soft, n = CHIP_DIAMETER / 2, 0.5, 40
    profile = [(r - soft, 0.0), (r, soft), (r, thickness - soft), (r - soft, thickness)]
    angles = np.linspace(0, 2 * math.pi, n, endpoint=False)
    points = [(a * math.cos(t), a * math.sin(t), z) for a, z in profile for t in angles]
    points.append((0, 0, thickness))
    faces: list[tuple[int, ...]] = []
    for ring in range(len(profile) - 1):
        for i in range(n):
            a, b = ring * n + i, ring * n + (i + 1) % n
            faces.append((a, b, b + n, a + n))
    top = (len(profile) - 1) * n
    faces += [(top + i, top + (i + 1) % n, len(points) - 1) for i in range(n)]
    thing = scene.mesh(name, np.array(points, np.float64), faces, made)
    scene.planar_uv(thing, (-21, -21), (21, 21))
    return thing


def stack(work: Path, colour: Colour, count: int, thickness: float) -> None:
    """Add a stack of chips at the origin, as a hand would leave it."""
    random = np.random.default_rng(count * 7 + len(colour.value))
    made = _chip_material(work, colour)
    for index in range(count):
        thing = _disc(f"chip-{index}", thickness, made)
        x, y = random.uniform(-0.7, 0.7, 2)
        thing.location = (x / scene.UNIT, y / scene.UNIT, index * (thickness + 0.05) / scene.UNIT)
        thing.rotation_euler = (0, 0, random.uniform(0, 2 * math.pi))


def rail_line(offset: float) -> Points:
    """Return the rail's line, `offset` outside its inner edge: Float64 (N, 2), right to left."""
    t = np.linspace(0, -math.pi, 160)
    x, y = _RAIL_X * np.cos(t), _RAIL_CENTRE + _RAIL_Y * np.sin(t)
    nx, ny = np.cos(t) / _RAIL_X, np.sin(t) / _RAIL_Y
    length = np.hypot(nx, ny)
    curve = np.column_stack([x + offset * nx / length, y + offset * ny / length])
    right = np.array([[_RAIL_X + offset, v] for v in np.linspace(620, 10, 40)])
    left = right[::-1] * [-1, 1]
    return np.vstack([right, curve, left])


def _sweep(
    name: str, profile: list[tuple[float, float]], made: bpy.types.Material
) -> bpy.types.Object:
    """Sweep a profile of (outward, up) along the rail; UV: along in metres, across 0 to 1."""
    rings = [np.column_stack([rail_line(o), np.full(len(rail_line(o)), z)]) for o, z in profile]
    points = np.concatenate(rings)
    n = len(rings[0])
    faces = [
        (r * n + i, r * n + i + 1, (r + 1) * n + i + 1, (r + 1) * n + i)
        for r in range(len(rings) - 1)
        for i in range(n - 1)
    ]
    thing = scene.mesh(name, points, faces, made)
    line = np.cumsum(np.r_[0, np.linalg.norm(np.diff(rail_line(0.0), axis=0), axis=1)]) / 1000
    layer = thing.data.uv_layers.new(name="along")
    for polygon in thing.data.polygons:
        for loop in polygon.loop_indices:
            vertex = thing.data.loops[loop].vertex_index
            across = profile[vertex // n][0] / 25
            layer.data[loop].uv = (line[vertex % n] * 3.0, across)
    return thing


def rail() -> None:
    """Add the padded rail, its wooden trim, and the floor."""
    wood = scene.material(
        "wood", (0.1, 0.04, 0.02), rough=0.28, Coat_Weight=0.6, Coat_Roughness=0.12
    )
    scene.grain(wood, (0.030, 0.011, 0.005), (0.135, 0.052, 0.021), scale=9.0)
    flank = [(-1.0, 0.0), (0.0, 7.0), (2.5, 9.5), (19.0, 9.5), (22.0, 7.5), (23.0, 3.0)]
    _sweep("trim", flank, wood)
    leather = scene.material("leather", (0.020, 0.012, 0.010), rough=0.42)
    scene.bumpy(leather, scale=95.0, strength=0.22, kind="ShaderNodeTexVoronoi")
    arc = np.linspace(math.pi, 0, 15)
    pad = [(84 + 62 * math.cos(a), 4 + 40 * math.sin(a) ** 0.8) for a in arc]
    _sweep("pad", pad, leather)
    brass = scene.material("brass", (0.72, 0.49, 0.18), rough=0.25, Metallic=1.0)
    _sweep("line", [(22.0, 6.0), (22.6, 8.6), (24.6, 8.6), (25.2, 6.0)], brass)
    floor = scene.material("carpet", (0.030, 0.012, 0.016), rough=1.0)
    scene.bumpy(floor, scale=30.0, strength=0.8)
    far = 3000.0
    points = np.array([(-far, -far, -750), (far, -far, -750), (far, far, -750), (-far, far, -750)])
    scene.mesh("floor", points.astype(np.float64), [(0, 1, 2, 3)], floor)


def tray(work: Path) -> None:
    """The dealer's tray, its tubes full of chips lying on edge."""
    dark = scene.material("tray", (0.015, 0.015, 0.017), rough=0.35, Metallic=0.6)
    brass = scene.material("edge", (0.65, 0.44, 0.17), rough=0.3, Metallic=1.0)
    wide, deep = TRAY.width, TRAY.height + 26
    scene.box("bed", (TRAY.x, TRAY.y, 1.5), (wide, deep, 3), dark)
    for y in (TRAY.y - deep / 2, TRAY.y + deep / 2):
        scene.box("lip", (TRAY.x, y, 7), (wide + 12, 7, 14), brass, bevel=1.5)
    for x in (TRAY.x - wide / 2 - 3, TRAY.x + wide / 2 + 3):
        scene.box("side", (x, TRAY.y, 7), (7, deep + 6, 14), brass, bevel=1.5)
    order = [Colour.BLACK] * 3 + [Colour.GREEN] * 5 + [Colour.RED] * 5
    random = np.random.default_rng(3)
    materials = {colour: _chip_material(work, colour) for colour in Colour}
    for column, colour in enumerate(order):
        x = TRAY.x - wide / 2 + 21 + column * (wide - 42) / (len(order) - 1)
        proto = _disc("tube", 3.3, materials[colour])
        count = int(random.integers(17, 25))
        for index in range(count):
            thing = proto if index == 0 else proto.copy()
            if index:
                bpy.context.collection.objects.link(thing)
            y = TRAY.y - deep / 2 + 5 + index * 3.55
            thing.location = (x / scene.UNIT, y / scene.UNIT, 14.5 / scene.UNIT)
            thing.rotation_euler = (math.pi / 2 + 0.05, random.uniform(0, 6.28), 0)
            thing.rotation_mode = "ZXY"


def covers() -> list[bpy.types.Object]:
    """Add the shoe and the discard rack, and return their parts."""
    black = scene.material("lacquer", (0.012, 0.012, 0.014), rough=0.16, Coat_Weight=0.5)
    brass = scene.material("fitting", (0.70, 0.48, 0.18), rough=0.28, Metallic=1.0)
    felted = scene.material("slot", (0.002, 0.002, 0.002), rough=1.0)
    turn = -0.62
    back = np.array([-math.sin(turn), math.cos(turn)])
    side = np.array([math.cos(turn), math.sin(turn)])

    def at(along: float, across: float, up: float) -> tuple[float, float, float]:
        x, y = np.array(SHOE) + back * along + side * across
        return float(x), float(y), up

    parts = [
        scene.box("shoe", at(150, 0, 34), (92, 220, 68), black, turn=turn, bevel=5),
        scene.box("ramp", at(34, 0, 20), (92, 30, 40), black, turn=turn, bevel=5),
        scene.box("mouth", at(18.6, 0, 9), (70, 2.0, 8), felted, turn=turn, bevel=0.4),
        scene.box("lid", at(150, 0, 69), (74, 190, 3), brass, turn=turn, bevel=1.2),
        scene.box("lid-in", at(150, 0, 70.5), (66, 182, 3), black, turn=turn, bevel=1.2),
    ]
    x, y = RACK
    wide, deep, high = 126.0, 150.0, 52.0
    parts += [
        scene.box("rack", (x, y + 22, high - 5), (wide, deep, 10), black, bevel=3),
        scene.box("rack-l", (x - wide / 2 + 5, y + 22, high / 2), (10, deep, high), black, bevel=3),
        scene.box("rack-r", (x + wide / 2 - 5, y + 22, high / 2), (10, deep, high), black, bevel=3),
        scene.box("rack-b", (x, y + 88, high / 2), (wide, 10, high), black, bevel=3),
        scene.box("rack-in", (x, y + 20, high / 2 - 4), (wide - 12, deep - 30, high - 12), felted),
        scene.box("plate", (x, y + 22, high + 0.6), (wide - 26, deep - 30, 1.4), brass, bevel=0.8),
        scene.box(
            "plate-in", (x, y + 22, high + 1.0), (wide - 31, deep - 35, 1.6), black, bevel=0.8
        ),
    ]
    return parts
