"""Moving rough corners onto the card's real edges: what is left to win is the geometry."""

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from vision.geometry import (
    Floats,
    Image,
    Quad,
    area,
    centre,
    convex,
    grown,
    height,
    quad,
    rectified,
)
from vision.network import Engine, open_network
from vision.weights import Weights

_REACH = 0.10
"""How far, in card heights, an edge is searched from where the detector put it."""
_SNUG = 0.05
"""The same, when it is asked how well the edges lie already."""
_STEPS = 10
"""Positions tried on each side of the rough edge."""
_SAMPLES = 24
"""Points along an edge at which the contrast is measured."""
_CAP = 40.0
"""Grey levels of contrast that count at most, so that one glint does not decide an edge."""
_PASSES = 2
"""Passes of the network; a third one changes nothing that can be seen."""
_GAIN = 0.1
"""Edge support that a line has to gain over the network's: less is noise."""
_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
_WEAKEST = 8.0
"""Mean contrast, grey levels, under which there is no edge to be seen and the rough one stays."""


class Refiner(Protocol):
    """Anything that improves corners."""

    def refine(self, image: Image, quads: Sequence[Quad]) -> list[Quad]:
        """Return better corners for each card, in the same order."""


class EdgeRefiner:
    """Finds along each side the straight line across which the picture changes most."""

    def refine(self, image: Image, quads: Sequence[Quad]) -> list[Quad]:
        """Return the corners where those lines meet; rough corners where they meet badly."""
        return [_onto_edges(image, corners) for corners in quads]


class OnnxRefiner:
    """The corner network: a crop of the card and a quarter around it in, four corners out."""

    _SIDE = 128

    def __init__(self, weights: Weights, engine: Engine = Engine.ONNXRUNTIME) -> None:
        """Load the network."""
        self._network = open_network(weights.path, engine)
        # As in training, and only the manifest knows how that was.
        self._growth = weights.number("grown")

    def refine(self, image: Image, quads: Sequence[Quad]) -> list[Quad]:
        """Return the network's corners; rough ones where they are no card's.

        The second pass sees the card nearly filling its crop, as most of what it was trained on.
        """
        better = list(quads)
        for _ in range(_PASSES):
            better = self._pass(image, better)
        return [_snapped(image, corners) for corners in better]

    def _pass(self, image: Image, quads: list[Quad]) -> list[Quad]:
        if not quads:
            return []
        size = (self._SIDE, self._SIDE)
        views = [grown(corners, self._growth) for corners in quads]
        crops = np.stack([rectified(image, view, size) for view in views])
        values = crops[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255
        told = self._network.run(np.ascontiguousarray(values)).reshape(-1, 1, 4, 2)
        better = []
        for corners, view, points in zip(quads, views, told, strict=True):
            back = cv2.perspectiveTransform(points, cv2.getPerspectiveTransform(_UNIT, view))
            better.append(_plausible(quad(back[0]), corners))
        return better


def _snapped(image: Image, corners: Quad) -> Quad:
    """Return corners moved onto near edges where the card lies on those surely better."""
    moved = _onto_edges(image, corners)
    gain = edge_support(image, moved) - edge_support(image, corners)
    return moved if gain > _GAIN else corners


def edge_support(image: Image, corners: Quad) -> float:
    """Return how well a card's sides lie on edges of the picture, 0 to 1: that of its worst.

    A pattern has contrast everywhere but not along a straight line with the lighter part inside, so
    this tells a back that is well placed from one that lies across two.
    """
    return min(side_support(image, corners))


def side_support(image: Image, corners: Quad) -> tuple[float, ...]:
    """Return how well each of a card's sides lies on an edge of the picture, 0 to 1."""
    return tuple(_side_support(image, corners, side) for side in range(4))


def _side_support(image: Image, corners: Quad, side: int) -> float:
    start, along, outward = _side(corners, side)
    reach = max(_SNUG * height(corners), 1.5)
    strength = _straightest(_contrast(image, start, along, outward * np.float32(reach)))[2]
    return float(np.clip(strength / _CAP, 0.0, 1.0))


def _side(corners: Quad, side: int) -> tuple[Floats, Floats, Floats]:
    """Return a side's start, the way along it, and the unit vector out of the card."""
    start, end = corners[side], corners[(side + 1) % 4]
    along = end - start
    outward = np.array([along[1], -along[0]], dtype=np.float32)
    outward /= np.float32(max(float(np.hypot(*along)), 1e-6))
    if np.dot(outward, np.array(centre(corners)) - start) > 0:
        outward = -outward
    return start, along, outward


def _plausible(found: Quad, rough: Quad) -> Quad:
    """Return what was found if it can be the same card, else the rough corners."""
    if not convex(found):
        return rough
    limit = 3 * _REACH * height(rough)
    growth = area(found) / max(area(rough), 1e-6)
    near = bool(np.hypot(*(found - rough).T).max() <= limit)
    return found if near and 0.6 < growth < 1.7 else rough


def _onto_edges(image: Image, rough: Quad) -> Quad:
    lines = [_edge(image, rough, side) for side in range(4)]
    corners = [_meeting(lines[side - 1], lines[side]) for side in range(4)]
    if any(corner is None for corner in corners):
        return rough
    return _plausible(np.array(corners, dtype=np.float32), rough)


def _edge(image: Image, rough: Quad, side: int) -> Floats:
    """Return two points of the line, near one side, across which the contrast is greatest."""
    start, along, outward = _side(rough, side)
    end = start + along
    if float(np.hypot(*along)) < 4:
        return np.stack([start, end])
    reach = max(_REACH * height(rough), 2.0)
    contrast = _contrast(image, start, along, outward * reach)
    first, last, strength = _straightest(contrast)
    if strength < _WEAKEST:
        return np.stack([start, end])
    offsets = np.array([first, last], dtype=np.float32)[:, None] * reach / _STEPS
    return np.asarray(np.stack([start, end]) + offsets * outward, dtype=np.float32)


def _contrast(image: Image, start: Floats, along: Floats, reach: Floats) -> Floats:
    """Return Float32 (samples, 2 steps + 1): how much the colour changes outward at each place."""
    places = np.linspace(0.1, 0.9, _SAMPLES, dtype=np.float32)[:, None, None]
    offsets = np.arange(-_STEPS - 1, _STEPS + 2, dtype=np.float32)[None, :, None] / _STEPS
    points = start + places * along + offsets * reach
    values = cv2.remap(
        image,
        np.ascontiguousarray(points[..., 0]),
        np.ascontiguousarray(points[..., 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float32)
    change = values[:, :-2] - values[:, 2:]
    # A card's border is brighter than the cloth; a darker one counts half.
    signed = change.mean(axis=2)
    strength = np.maximum(signed, 0.5 * np.abs(change).max(axis=2))
    return np.asarray(np.minimum(strength, _CAP), dtype=np.float32)


def _straightest(contrast: Floats) -> tuple[int, int, float]:
    """Return the offsets, in steps, of the best line's two ends, and its mean contrast."""
    ends = np.arange(-_STEPS, _STEPS + 1)
    share = np.linspace(0.1, 0.9, _SAMPLES)
    first, last = np.meshgrid(ends, ends, indexing="ij")
    offsets = first[..., None] * (1 - share) + last[..., None] * share
    index = np.rint(offsets).astype(np.intp) + _STEPS
    means = contrast[np.arange(_SAMPLES), index].mean(axis=2)
    # Between lines of like contrast the one nearest to the rough edge wins.
    means = np.round(means - 0.15 * (np.abs(first) + np.abs(last)), 1)  # less is noise
    best = np.unravel_index(int(means.argmax()), means.shape)
    return int(ends[best[0]]), int(ends[best[1]]), float(means[best])


def _meeting(first: Floats, second: Floats) -> Floats | None:
    """Return where two lines meet, each given by two points."""
    p, r = first[0], first[1] - first[0]
    q, s = second[0], second[1] - second[0]
    across = float(r[0] * s[1] - r[1] * s[0])
    if abs(across) < 1e-6:
        return None
    gap = q - p
    return np.asarray(p + r * float(gap[0] * s[1] - gap[1] * s[0]) / across, dtype=np.float32)
