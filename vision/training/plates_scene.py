"""The small part of Blender that the plates need: meshes, materials, lights, camera, render.

One Blender unit is 100 mm. Needs `bpy` 4.5, which is no dependency of the project: only who renders
the plates anew installs it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import cv2
import mathutils
import numpy as np
from numpy.typing import NDArray

from vision.training.scenario_table import Camera

UNIT = 100.0
"""Millimetres a Blender unit."""


def reset(seed: int = 1) -> None:
    """Begin an empty scene, lit as a casino table: soft, warm, from above."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.seed = seed
    scene.cycles.use_denoising = True
    scene.cycles.max_bounces = 3
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.render.threads_mode = "FIXED"
    scene.render.threads = 2
    scene.view_settings.view_transform = "Standard"
    world = bpy.data.worlds.new("room")
    scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.62, 0.66, 0.78, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.22
    _area("lamp", (-0.4, 1.0, 14), 6.0, 1560, (1.0, 0.90, 0.76))
    _area("fill", (9, -9, 14), 5.0, 260, (0.86, 0.90, 1.0))


def _area(name: str, at: tuple[float, float, float], size: float, power: float,
          colour: tuple[float, float, float]) -> None:  # fmt: skip
    light = bpy.data.lights.new(name, "AREA")
    light.size, light.energy, light.color = size, power, colour
    light.shape = "DISK"
    holder = bpy.data.objects.new(name, light)
    holder.location = at
    aim = -np.array(at) + np.array([0, 0.3, 0])
    holder.rotation_euler = mathutils.Vector(aim).to_track_quat("-Z", "Y").to_euler()
    bpy.context.collection.objects.link(holder)


def aim_camera(view: Camera) -> None:
    """Put the camera of the clip into the scene."""
    data = bpy.data.cameras.new("camera")
    data.sensor_width = 36.0
    data.lens = view.scale * view.distance / view.width * 36.0
    data.clip_end = 200
    holder = bpy.data.objects.new("camera", data)
    holder.location = tuple(v / UNIT for v in view.position)
    holder.rotation_euler = (view.tilt, 0, 0)
    bpy.context.collection.objects.link(holder)
    bpy.context.scene.camera = holder
    bpy.context.scene.render.resolution_x = view.width
    bpy.context.scene.render.resolution_y = view.height


@dataclass(frozen=True, slots=True)
class Flat:
    """A parallel view, tilted as the camera is, for sprites."""

    tilt: float
    width_mm: float
    height_mm: float
    centre: tuple[float, float]
    """The point of the felt in the middle of the picture, in millimetres."""
    pixels_per_mm: float

    def aim(self) -> None:
        """Put the view into the scene."""
        data = bpy.data.cameras.new("flat")
        data.type = "ORTHO"
        data.clip_end = 200
        data.ortho_scale = max(self.width_mm, self.height_mm) / UNIT
        holder = bpy.data.objects.new("flat", data)
        s, c = np.sin(self.tilt), np.cos(self.tilt)
        x, y = self.centre
        holder.location = (x / UNIT, y / UNIT - 40 * s, 40 * c)
        holder.rotation_euler = (self.tilt, 0, 0)
        bpy.context.collection.objects.link(holder)
        bpy.context.scene.camera = holder
        bpy.context.scene.render.resolution_x = round(self.width_mm * self.pixels_per_mm)
        bpy.context.scene.render.resolution_y = round(self.height_mm * self.pixels_per_mm)

    def seen(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """Return the pixel at which a point, in millimetres, is seen."""
        k = self.pixels_per_mm
        up = (y - self.centre[1]) * np.cos(self.tilt) + z * np.sin(self.tilt)
        return (x - self.centre[0]) * k + self.width_mm * k / 2, self.height_mm * k / 2 - up * k


def material(
    name: str, colour: Sequence[float], *, rough: float = 0.5, **inputs: float
) -> bpy.types.Material:
    """Return a new principled material; `colour` is linear RGB, `inputs` by Blender's names."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = rough
    for key, value in inputs.items():
        shader.inputs[key.replace("_", " ")].default_value = value
    return made


def image_colour(made: bpy.types.Material, path: Path) -> None:
    """Let an image, by the mesh's UV, colour a material."""
    tree = made.node_tree
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.load(str(path.resolve()))
    node.interpolation = "Cubic"
    tree.links.new(node.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])


def bumpy(
    made: bpy.types.Material, *, scale: float, strength: float, kind: str = "ShaderNodeTexNoise"
) -> None:
    """Roughen a material's surface by a procedural texture."""
    tree = made.node_tree
    texture = tree.nodes.new(kind)
    texture.inputs["Scale"].default_value = scale
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = strength
    bump.inputs["Distance"].default_value = 0.02
    place = tree.nodes.new("ShaderNodeTexCoord")
    tree.links.new(place.outputs["Object"], texture.inputs["Vector"])
    out = "Distance" if "Voronoi" in kind else "Fac"
    tree.links.new(texture.outputs[out], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], tree.nodes["Principled BSDF"].inputs["Normal"])


def grain(
    made: bpy.types.Material, dark: Sequence[float], light: Sequence[float], *, scale: float
) -> None:
    """Colour a material as polished wood, its grain along x."""
    tree = made.node_tree
    place = tree.nodes.new("ShaderNodeTexCoord")
    stretch = tree.nodes.new("ShaderNodeMapping")
    stretch.inputs["Scale"].default_value = (1.0, 1.0, 1.0)
    noise = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = scale
    noise.inputs["Detail"].default_value = 6.0
    noise.inputs["Distortion"].default_value = 1.6
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.32, 0.72
    ramp.color_ramp.elements[0].color = (*dark, 1)
    ramp.color_ramp.elements[1].color = (*light, 1)
    tree.links.new(place.outputs["UV"], stretch.inputs["Vector"])
    tree.links.new(stretch.outputs["Vector"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])


def mesh(
    name: str,
    points: NDArray[np.float64],
    faces: Sequence[Sequence[int]],
    made: bpy.types.Material,
    *,
    smooth: bool = True,
) -> bpy.types.Object:
    """Add a mesh; points in millimetres: Float64 (N, 3)."""
    data = bpy.data.meshes.new(name)
    data.from_pydata((points / UNIT).tolist(), [], [list(face) for face in faces])
    data.materials.append(made)
    for polygon in data.polygons:
        polygon.use_smooth = smooth
    thing = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(thing)
    return thing


def box(name: str, centre: Sequence[float], size: Sequence[float], made: bpy.types.Material,
        *, turn: float = 0.0, bevel: float = 2.0) -> bpy.types.Object:  # fmt: skip
    """Add a box with rounded edges; millimetres, turned about z."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    thing = mesh(name, corners * np.array(size), faces, made, smooth=False)
    thing.location = tuple(v / UNIT for v in centre)
    thing.rotation_euler = (0, 0, turn)
    rounding = thing.modifiers.new("round", "BEVEL")
    rounding.width, rounding.segments = bevel / UNIT, 3
    return thing


def planar_uv(thing: bpy.types.Object, low: tuple[float, float], high: tuple[float, float]) -> None:
    """Map a mesh's own x and y, in millimetres, from low to high onto the whole image."""
    data = thing.data
    layer = data.uv_layers.new(name="plan")
    for polygon in data.polygons:
        for loop in polygon.loop_indices:
            at = data.vertices[data.loops[loop].vertex_index].co
            u = (at.x * UNIT - low[0]) / (high[0] - low[0])
            v = (at.y * UNIT - low[1]) / (high[1] - low[1])
            layer.data[loop].uv = (u, v)


def render(path: Path, *, samples: int, transparent: bool = False, percent: int = 100,
           low: float = 0.0) -> None:  # fmt: skip
    """Render the scene to a PNG: 8-bit sRGB, straight alpha.

    Args:
        path: Where to write it.
        samples: Samples a pixel.
        transparent: Whether what is empty stays transparent.
        percent: The share of the full size.
        low: The share of the height, from below, that is left out.
    """
    scene = bpy.context.scene
    scene.render.resolution_percentage = percent
    scene.render.use_border = low > 0
    scene.render.border_min_y, scene.render.border_max_y = low, 1.0
    scene.render.border_min_x, scene.render.border_max_x = 0.0, 1.0
    scene.cycles.samples = samples
    scene.render.film_transparent = transparent
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGBA" if transparent else "RGB"
    scene.render.filepath = str(path.resolve())
    bpy.ops.render.render(write_still=True)


def delete(things: Sequence[bpy.types.Object]) -> None:
    """Take objects out of the scene."""
    for thing in things:
        bpy.data.objects.remove(thing, do_unlink=True)


def shadow_catcher(size: float = 4000.0) -> bpy.types.Object:
    """Add a felt that is not seen itself but for the shadows on it."""
    half = size / 2
    points = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    plane = mesh("catcher", points, [(0, 1, 2, 3)], material("felt", (0.012, 0.085, 0.045)))
    plane.is_shadow_catcher = True
    return plane


def picture(path: Path) -> NDArray[np.uint8]:
    """Read a picture as OpenCV has it.

    Raises:
        OSError: It isn't there or is no picture.
    """
    read = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if read is None:
        raise OSError(f"{path} is missing or is no picture")
    return np.asarray(read, np.uint8)


def as_webp(source: Path, target: Path, quality: int) -> None:
    """Keep a rendered picture as WebP."""
    cv2.imwrite(str(target), picture(source), [cv2.IMWRITE_WEBP_QUALITY, quality])
