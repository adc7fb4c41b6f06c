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
from ultralytics.nn.modules import Conv
from ultralytics.nn.tasks import OBBModel

from vision.training.batches import GROWN, READER_SIZE, REFINER_SIZE, DetectorBatch, Pixels

Net = Any
"""A torch module, or an exported network that is called like one."""

Tensor = Any
"""A torch tensor."""

CLASSES = 54


def reader() -> Net:
    """Return a new reader: crops Float32 (N, 3, 192, 144) to logits (N, 54); 1.1 M parameters.

    Its first nine layers are the backbone of YOLO11n, so it too begins with what was learned
    elsewhere.
    """
    backbone = OBBModel("yolo11n-obb.yaml", ch=3, nc=2, verbose=False).model[:9]
    w, h = READER_SIZE
    return nn.Sequential(
        *backbone,
        Conv(256, 80, 1),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(80 * (h // 32) * -(-w // 32), CLASSES),
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
