"""The hands and arms of the demo clip: their shapes, clothes and renders.

A hand is a right hand in its own axes: the wrist at the origin, the fingers along +y, the thumb at
-x, the back of the hand up; millimetres. Proportions are those of an adult's hand of 190 mm.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import mathutils
import numpy as np
from numpy.typing import NDArray

from vision.training import plates_scene as scene
from vision.training.scenario_motion import Grip

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Finger:
    """A finger: where it springs from, its three bones and its thickness."""

    knuckle: tuple[float, float, float]
    yaw: float
    """Degrees that it spreads towards the little finger."""
    bones: tuple[float, float, float]
    thick: tuple[float, float, float, float]


_FINGERS = (
    Finger((-27, 90, 1), -5, (44, 26, 19), (11.6, 10.4, 9.6, 8.0)),
    Finger((-7, 95, 3), -1, (48, 30, 20), (11.8, 10.6, 9.8, 8.2)),
    Finger((13, 91, 1), 4, (44, 28, 20), (11.2, 10.0, 9.2, 7.7)),
    Finger((31, 80, -4), 10, (35, 21, 18), (10.2, 9.0, 8.2, 7.0)),
)

_BENDS: dict[Grip, tuple[tuple[float, float, float], ...]] = {
    Grip.FLAT: ((9, 9, 7), (8, 9, 7), (9, 10, 7), (11, 11, 8)),
    Grip.PINCH: ((31, 37, 17), (35, 40, 18), (43, 46, 22), (46, 48, 24)),
}
"""How far each finger's joints bend down, in degrees, from the index to the little finger."""

_THUMBS: dict[Grip, tuple[tuple[float, float, float], ...]] = {
    Grip.FLAT: ((-20, 24, -4), (-44, 50, -9), (-57, 78, -14), (-61, 103, -19)),
    Grip.PINCH: ((-20, 26, -4), (-44, 60, -22), (-40, 92, -43), (-25, 116, -62)),
}
_THUMB_THICK = (15.5, 13.6, 12.0, 9.4)


@dataclass(frozen=True, slots=True)
class Look:
    """Whose hand it is and what they wear."""

    name: str
    skin: tuple[float, float, float]
    """Linear RGB."""
    cuff: tuple[float, float, float] | None
    """The shirt's cuff, or None for none."""
    sleeve: tuple[float, float, float] | None
    """The sleeve over it, or None for a bare arm."""
    sleeve_from: float = 62.0
    """Millimetres behind the wrist."""
    watch: bool = False
    grips: tuple[Grip, ...] = (Grip.PINCH, Grip.FLAT)
    seats: tuple[int, ...] = field(default=())


LOOKS = (
    Look("dealer", (0.62, 0.36, 0.25), (0.82, 0.82, 0.80), (0.012, 0.012, 0.015)),
    Look("player-a", (0.66, 0.40, 0.29), (0.20, 0.31, 0.50), (0.17, 0.28, 0.47), 48.0,
         seats=(2, 6)),
    Look("player-b", (0.21, 0.105, 0.062), None, (0.20, 0.022, 0.032), 40.0, seats=(1, 5)),
    Look("player-c", (0.50, 0.275, 0.17), None, (0.30, 0.29, 0.27), 205.0, watch=True,
         seats=(3, 4)),
)  # fmt: skip


def _joints(finger: Finger, bends: tuple[float, float, float]) -> list[Points]:
    yaw = math.radians(90 - finger.yaw)
    at: Points = np.array(finger.knuckle, np.float64)
    made = [at]
    pitch = 0.0
    for bone, bend in zip(finger.bones, bends, strict=True):
        pitch += math.radians(bend)
        level = math.cos(pitch)
        at = at + bone * np.array([level * math.cos(yaw), level * math.sin(yaw), -math.sin(pitch)])
        made.append(at)
    return made


def _capsule(a: Points, b: Points, ra: float, rb: float) -> tuple[Points, list[tuple[int, ...]]]:
    """A round-ended bone: points, and faces that index them."""
    axis = b - a
    length = float(np.linalg.norm(axis)) or 1e-6
    axis = axis / length
    side = np.cross(axis, [0.3, 0.2, 0.93])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    rings = [(-math.cos(t) * ra, math.sin(t) * ra) for t in np.linspace(0.12, math.pi / 2, 6)]
    rings += [
        (length + math.sin(t) * rb, math.cos(t) * rb) for t in np.linspace(0, math.pi / 2 - 0.12, 6)
    ]
    n = 18
    angles = np.linspace(0, 2 * math.pi, n, endpoint=False)
    points = [
        a + axis * h + (side * math.cos(t) + other * math.sin(t)) * r
        for h, r in rings
        for t in angles
    ]
    faces: list[tuple[int, ...]] = [
        (k * n + i, k * n + (i + 1) % n, (k + 1) * n + (i + 1) % n, (k + 1) * n + i)
        for k in range(len(rings) - 1)
        for i in range(n)
    ]
    faces += [tuple(range(n))[::-1], tuple((len(rings) - 1) * n + i for i in range(n))]
    return np.array(points), faces


Bone = tuple[Points, Points, float, float]


def _bones(grip: Grip) -> tuple[list[Bone], list[tuple[Points, Points, float]]]:
    """Return the bones of a hand, and its finger ends: joint before the tip, tip, thickness."""
    bones: list[Bone] = []
    ends = []
    wrist_in, wrist_out = np.array([-13.0, -6, -2]), np.array([13.0, -6, -3])
    for finger, bends in zip(_FINGERS, _BENDS[grip], strict=True):
        joints = _joints(finger, bends)
        for k in range(3):
            bones.append((joints[k], joints[k + 1], finger.thick[k], finger.thick[k + 1]))
        ends.append((joints[2], joints[3], finger.thick[3]))
        start = wrist_in if finger.knuckle[0] < 0 else wrist_out
        bones.append((start, joints[0] + [0, -2, -4], 17.0, 12.5))
    thumb = [np.array(joint, np.float64) for joint in _THUMBS[grip]]
    for k in range(3):
        bones.append((thumb[k], thumb[k + 1], _THUMB_THICK[k], _THUMB_THICK[k + 1]))
    ends.append((thumb[2], thumb[3], _THUMB_THICK[3]))
    bones.append((wrist_in, thumb[0], 17.0, 16.0))
    bones.append((thumb[0], np.array([-22.0, 82, -5]), 13.0, 10.0))
    bones.append((np.array([22.0, 14, -8]), np.array([26.0, 66, -8]), 15.0, 11.0))
    return bones, ends


def _elbow(grip: Grip) -> Points:
    rise = {Grip.FLAT: 30.0, Grip.PINCH: 6.0}[grip]
    return np.array([7.0, -270.0, rise])


def _skin(look: Look) -> bpy.types.Material:
    red = (min(1.0, look.skin[0] * 1.12), look.skin[1] * 0.80, look.skin[2] * 0.78)
    made = scene.material("skin", look.skin, rough=0.48)
    tree = made.node_tree
    place = tree.nodes.new("ShaderNodeTexCoord")
    noise = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = 4.5
    noise.inputs["Detail"].default_value = 3.0
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color = (*look.skin, 1)
    ramp.color_ramp.elements[1].color = (*red, 1)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.38, 0.66
    tree.links.new(place.outputs["Object"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    scene.bumpy(made, scale=26.0, strength=0.25)
    return made


def _flesh(look: Look, grip: Grip, made: bpy.types.Material) -> bpy.types.Object:
    """The hand and as much of the forearm as can be seen, as one smooth skin."""
    bones, _ = _bones(grip)
    elbow = _elbow(grip)
    shown = min(1.0, (look.sleeve_from + 30) / -elbow[1])
    for x in (-10.0, 10.0):
        bones.append((np.array([x, -4.0, -3]), np.array([x * 0.9, -60.0, 1]), 18.0, 20.0))
        if shown > 0.5:
            end = elbow * shown + [x * 1.4, 0, 0]
            bones.append((np.array([x * 0.9, -60.0, 1]), end, 20.0, 32.0))
    points, faces, base = [], [], 0
    for bone in bones:
        more, sides = _capsule(*bone)
        points.append(more)
        faces += [tuple(i + base for i in side) for side in sides]
        base += len(more)
    thing = scene.mesh("flesh", np.concatenate(points), faces, made)
    fuse = thing.modifiers.new("fuse", "REMESH")
    fuse.mode, fuse.voxel_size, fuse.use_smooth_shade = "VOXEL", 1.5 / scene.UNIT, True
    soften = thing.modifiers.new("soften", "SMOOTH")
    soften.factor, soften.iterations = 0.5, 9
    return thing


def _nails(grip: Grip, look: Look) -> list[bpy.types.Object]:
    colour = tuple(min(1.0, 0.30 + 0.62 * c) for c in look.skin)
    made = scene.material("nail", (colour[0], colour[1] * 0.86, colour[2] * 0.84), rough=0.25)
    things = []
    for before, tip, thick in _bones(grip)[1]:
        along = (tip - before) / np.linalg.norm(tip - before)
        across = np.cross(along, [0, 0, 1.0])
        across /= np.linalg.norm(across) or 1.0
        back = np.cross(across, along)
        centre = tip + along * thick * 0.18 + back * thick * 0.70
        bpy.ops.mesh.primitive_uv_sphere_add(segments=20, ring_count=12, radius=1.0)
        thing = bpy.context.object
        frame = np.eye(4)
        frame[:3, :3] = np.column_stack([across * thick * 0.66, along * thick * 0.92, back * 2.0])
        frame[:3, 3] = centre
        frame[:3] /= scene.UNIT
        thing.matrix_world = mathutils.Matrix(frame.tolist())
        thing.data.materials.append(made)
        for polygon in thing.data.polygons:
            polygon.use_smooth = True
        things.append(thing)
    return things


@dataclass(frozen=True, slots=True)
class Tube:
    """A sleeve: from and to millimetres behind the wrist, its half widths, and its folds."""

    start: float
    end: float
    wide: tuple[float, float]
    folds: float


def _tube(
    name: str, tube: Tube, elbow: Points, made: bpy.types.Material, seed: int
) -> bpy.types.Object:
    """A sleeve round the forearm and on, straight, beyond the elbow."""
    random = np.random.default_rng(seed)
    rows, n = max(8, int((tube.end - tube.start) / 5)), 56
    behind = np.linspace(tube.start, tube.end, rows)
    angle = np.linspace(0, 2 * math.pi, n, endpoint=False)
    d, t = np.meshgrid(behind, angle, indexing="ij")
    share = (d - tube.start) / max(1.0, tube.end - tube.start)
    radius = tube.wide[0] + (tube.wide[1] - tube.wide[0]) * np.minimum(1, share * 2.2)
    for _ in range(9):
        wave, lean = random.uniform(0.018, 0.085), random.integers(1, 4)
        phase, high = random.uniform(0, 6.28), random.uniform(0.3, 1.0)
        swell = np.sin(wave * d + lean * t + phase)
        radius = radius * (1 + tube.folds * high * np.sign(swell) * np.abs(swell) ** 1.5)
    slope = elbow / -elbow[1]
    centre = np.stack([slope[0] * d, -d, slope[2] * d - 1.0], axis=-1)
    around = np.stack([np.cos(t) * radius, np.zeros_like(t), np.sin(t) * radius * 0.80], axis=-1)
    points = (centre + around).reshape(-1, 3)
    faces = [
        (r * n + i, r * n + (i + 1) % n, (r + 1) * n + (i + 1) % n, (r + 1) * n + i)
        for r in range(rows - 1)
        for i in range(n)
    ]
    thing = scene.mesh(name, points, faces, made)
    thick = thing.modifiers.new("thick", "SOLIDIFY")
    thick.thickness = 2.2 / scene.UNIT
    smooth = thing.modifiers.new("fine", "SUBSURF")
    smooth.levels = smooth.render_levels = 1
    return thing


def _clothes(look: Look, grip: Grip) -> list[bpy.types.Object]:
    things = []
    elbow = _elbow(grip)
    if look.cuff is not None:
        cloth = scene.material("cuff", look.cuff, rough=0.85)
        start = look.sleeve_from - 20
        things.append(_tube("cuff", Tube(start, start + 60, (35, 37), 0.004), elbow, cloth, 5))
    if look.sleeve is not None:
        cloth = scene.material("sleeve", look.sleeve, rough=0.9, Sheen_Weight=0.06)
        scene.bumpy(cloth, scale=70.0, strength=0.35)
        wide = (42.0, 60.0) if look.sleeve_from < 150 else (58.0, 68.0)
        things.append(_tube("sleeve", Tube(look.sleeve_from, 1150, wide, 0.028), elbow, cloth, 9))
    if look.watch:
        steel = scene.material("steel", (0.45, 0.43, 0.40), rough=0.3, Metallic=1.0)
        things.append(_tube("strap", Tube(26, 42, (31, 31.5), 0.0), elbow, steel, 2))
        dial = scene.material("dial", (0.02, 0.03, 0.06), rough=0.12)
        things.append(scene.box("case", (3, -34, 25), (34, 34, 8), steel, bevel=4))
        things.append(scene.box("glass", (3, -34, 29), (25, 25, 1.5), dial, bevel=0.7))
    return things


def _pose(things: list[bpy.types.Object], grip: Grip, *, from_top: bool) -> None:
    """Put the finger tips on the origin, the hand on the felt, the arm down or up the picture."""
    bpy.context.view_layer.update()
    ends = _bones(grip)[1]
    lowest = min(tip[2] - thick for _, tip, thick in ends)
    tip = (ends[0][1] + ends[1][1]) / 2
    shift = mathutils.Matrix.Translation(
        (-tip[0] / scene.UNIT, -tip[1] / scene.UNIT, (3.0 - lowest) / scene.UNIT)
    )
    turn = mathutils.Matrix.Rotation(math.pi if from_top else 0.0, 4, "Z")
    for thing in things:
        thing.matrix_world = turn @ shift @ thing.matrix_world


_DEALER_LONG, _PLAYER_LONG, _WIDE, _AHEAD = 1040.0, 700.0, 250.0, 40.0
_PIXELS_PER_MM = 0.95


def _view(look: Look, tilt: float) -> scene.Flat:
    """The picture of an arm: its finger tips near one end, its sleeve out at the other."""
    from_top = look.name == "dealer"
    long = _DEALER_LONG if from_top else _PLAYER_LONG
    off = (long / 2 - _AHEAD) / math.cos(tilt) * (1 if from_top else -1)
    return scene.Flat(tilt, _WIDE, long, (0.0, off), _PIXELS_PER_MM)


def render_look(look: Look, out: Path, work: Path, tilt: float) -> None:
    """Render all grips of one look into a folder."""
    for grip in look.grips:
        scene.reset()
        scene.shadow_catcher()
        skin = _skin(look)
        things = [_flesh(look, grip, skin), *_nails(grip, look), *_clothes(look, grip)]
        _pose(things, grip, from_top=look.name == "dealer")
        _view(look, tilt).aim()
        path = work / f"{look.name}-{grip.value}.png"
        scene.render(path, samples=10, transparent=True)
        scene.as_webp(path, out / _file(look, grip), 88)


def _file(look: Look, grip: Grip) -> str:
    return f"hand-{look.name}-{grip.value}.webp"


def index_rows(tilt: float) -> list[dict[str, Any]]:
    """Return the hands' rows of the index of plates."""
    return [
        {
            "who": who,
            "grip": grip.value,
            "file": _file(look, grip),
            "anchor": _view(look, tilt).seen(0, 0, 8),
            "scale": _PIXELS_PER_MM,
        }
        for look in LOOKS
        for grip in look.grips
        for who in ([f"player-{seat}" for seat in look.seats] or [look.name])
    ]
