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
from torch.nn import functional
from ultralytics.nn.modules import Conv
from ultralytics.nn.tasks import OBBModel

from rules.cards import Rank, Suit
from vision.index_reader import INDEX_CROP
from vision.indices import CHANNELS
from vision.training.batches import GROWN, READER_SIZE, REFINER_SIZE, DetectorBatch, Pixels
from vision.training.index_crops import IndexCrops
from vision.training.indices import IndexBatch

Net = Any
"""A torch module, or an exported network that is called like one."""

Tensor = Any
"""A torch tensor."""

CLASSES = 54
RANKS, SUITS = len(Rank), len(Suit)


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


class IndexNet(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """Finds indices: patches Float32 (N, 3, 224, 224) to Float32 (N, 26, 28, 28).

    Its first seven layers are the detector's too. What they see at a sixteenth of the size says
    where in its card a sign stands; what they see at an eighth, which sign it is. That it has to
    read the index as well teaches it what one looks like; only where they are is exported.
    """

    def __init__(self) -> None:
        """Make a new network that takes nothing for an index."""
        super().__init__()
        self.model = nn.ModuleList(
            OBBModel("yolo11n-obb.yaml", ch=3, nc=2, verbose=False).model[:7]
        )
        self.near, self.wide = Conv(128, 96, 1), Conv(128, 96, 1)
        self.up = nn.Upsample(scale_factor=2.0, mode="nearest")
        self.join = nn.Sequential(Conv(192, 128, 3), Conv(128, 128, 3))
        self.told = nn.Conv2d(128, CHANNELS + RANKS + SUITS, 1)
        with torch.no_grad():
            self.told.bias[0] = -5.0

    def forward(self, patches: Tensor) -> Tensor:
        """Return what stands in each cell."""
        values = patches
        for number, layer in enumerate(self.model):
            values = layer(values)
            if number == 4:
                near = values
        both = torch.cat([self.near(near), self.up(self.wide(values))], dim=1)
        return self.told(self.join(both))

    def trimmed(self) -> Net:
        """Return the network without the ranks and suits."""
        whole, self.told = self.told, nn.Conv2d(128, CHANNELS, 1)
        with torch.no_grad():
            self.told.weight.copy_(where(whole.weight))
            self.told.bias.copy_(where(whole.bias))
        return self


def where(told: Tensor, dim: int = 0) -> Tensor:
    """Return those channels of the index network that say where indices are."""
    first, _, corners = told.split([1, RANKS + SUITS, 8], dim=dim)
    return torch.cat([first, corners], dim=dim)


def index_reader() -> Net:
    """Return a new index reader: crops Float32 (N, 3, 96, 64) to logits (N, 18).

    The first says whether there is an index, then come 13 ranks and 4 suits.
    """
    first = OBBModel("yolo11n-obb.yaml", ch=3, nc=2, verbose=False).model[:7]
    w, h = INDEX_CROP
    return nn.Sequential(
        *first,
        Conv(128, 64, 1),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(64 * (h // 16) * (w // 16), 1 + RANKS + SUITS),
    )


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


def index_reader_loss(told: Tensor, batch: IndexCrops, device: str) -> Tensor:
    """Return the loss of the index reader: whether there is an index, and whose."""
    shown = torch.from_numpy(batch.shown).to(device)
    cards = torch.from_numpy(batch.cards).to(device)[shown > 0]
    where = functional.binary_cross_entropy_with_logits(told[:, 0], shown)
    if not len(cards):  # the mean over nothing is no number
        return where
    _, ranks, suits = told[shown > 0].split([1, RANKS, SUITS], dim=1)
    which = functional.cross_entropy(ranks, cards[:, 0], label_smoothing=0.02)
    return where + which + functional.cross_entropy(suits, cards[:, 1], label_smoothing=0.02)


def index_loss(told: Tensor, batch: IndexBatch, device: str) -> Tensor:
    """Return the loss of the index network's output: where indices are, whose, and their cards.

    Where they are is asked as by CenterNet (arXiv 1904.07850, equation 1).
    """
    shown, asked = (torch.from_numpy(each).to(device) for each in (batch.shown, batch.asked))
    logits = told[:, 0]
    sure = torch.sigmoid(logits)
    here = (shown == 1).float()
    hit = -functional.logsigmoid(logits) * (1 - sure) ** 2 * here
    miss = -functional.logsigmoid(-logits) * sure**2 * (1 - shown) ** 4 * (1 - here)
    where = ((hit + miss) * asked).sum() / here.sum().clamp(min=1)
    if not len(batch.cells):
        return where
    number, row, column = torch.from_numpy(batch.cells).to(device).T
    values = told[number, 1:, row, column]
    cards = torch.from_numpy(batch.cards).to(device)
    ranks, suits, corners = values.split([RANKS, SUITS, 8], dim=1)
    which = functional.cross_entropy(ranks, cards[:, 0], label_smoothing=0.02)
    which = which + functional.cross_entropy(suits, cards[:, 1], label_smoothing=0.02)
    true = torch.from_numpy(batch.corners).to(device)
    return where + which + functional.smooth_l1_loss(corners, true, beta=0.1) * 5
