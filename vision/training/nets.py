"""The networks, and the few places where torch and ultralytics are touched untyped.

Neither package is installed beside the runtime; this module and those that use it need the train
group of the project's dependencies.
"""

from contextlib import AbstractContextManager
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import nn
from ultralytics.nn.modules import Bottleneck, Conv
from ultralytics.nn.tasks import OBBModel

from vision.training.batches import GROWN, REFINER_SIZE, DetectorBatch, Pixels

Net = Any
"""A torch module, or an exported network that is called like one."""

Tensor = Any
"""A torch tensor."""

CLASSES = 54


def reader() -> Net:
    """Return a new reader: crops Float32 (N, 3, 128, 96) to logits (N, 54); 1.2 M parameters."""
    return nn.Sequential(
        Conv(3, 32, 3, 2),
        Conv(32, 64, 3, 2),
        Bottleneck(64, 64),
        Conv(64, 128, 3, 2),
        Bottleneck(128, 128),
        Bottleneck(128, 128),
        Conv(128, 192, 3, 2),
        Bottleneck(192, 192),
        Conv(192, 64, 1),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(64 * 8 * 6, CLASSES),
    )


def refiner() -> Net:
    """Return a new refiner: crops Float32 (N, 3, 128, 128) to corners (N, 8), shares of a crop.

    Its first seven layers are the detector's, so both begin with what was learned elsewhere.
    """
    first = OBBModel("yolo11n-obb.yaml", ch=3, nc=2, verbose=False).model[:7]
    net = nn.Sequential(
        *first,
        Conv(128, 48, 1),
        nn.Flatten(),
        nn.Linear(48 * (REFINER_SIZE[0] // 16) ** 2, 192),
        nn.SiLU(),
        nn.Linear(192, 8),
    )
    low = 0.5 - 0.5 / GROWN
    high = 1 - low
    with torch.no_grad():  # it starts from "the quad is right"
        net[-1].weight.mul_(0.1)
        net[-1].bias.copy_(torch.tensor([low, low, high, low, high, high, low, high]))
    return net


def detector() -> Net:
    """Return a new YOLO11n-OBB for two classes, face and back, with its loss's gains set."""
    net = OBBModel("yolo11n-obb.yaml", ch=3, nc=2, verbose=False)
    net.args = SimpleNamespace(box=7.5, cls=0.5, dfl=1.5, angle=1.0, epochs=1)
    net.names = {0: "face", 1: "back"}
    return net


def pixels(values: Pixels, device: str) -> Tensor:
    """Return pictures, UInt8 (N, H, W, 3), as a tensor Float32 (N, 3, H, W), 0 to 1."""
    tensor = torch.from_numpy(np.ascontiguousarray(values)).to(device)
    return (
        tensor.permute(0, 3, 1, 2).float().div_(255).contiguous(memory_format=torch.channels_last)
    )


def targets(batch: DetectorBatch, device: str) -> dict[str, Tensor]:
    """Return a detector batch's targets as its loss wants them."""
    found = torch.from_numpy(batch.targets).to(device)
    return {"batch_idx": found[:, 0], "cls": found[:, 1], "bboxes": found[:, 2:]}


def bfloat(device: str) -> AbstractContextManager[None]:
    """Return a context in which torch computes in bfloat16, fast on processors and GPUs alike."""
    context: AbstractContextManager[None] = torch.autocast(device, torch.bfloat16)
    return context
