"""The training loop of all networks: AdamW, a moving average of the weights, resumable."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch

from vision.training.nets import Net, Tensor
from vision.training.schedule import Plan, rate_at
from vision.training.sources import ArtError

Batch = TypeVar("Batch")


@dataclass(slots=True)
class Progress:
    """Where a run stands."""

    step: int = 0
    spent: float = 0.0
    """Seconds trained."""


def device() -> str:
    """Return `cuda` where there is a GPU, else `cpu`."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def averaged(folder: Path) -> dict[str, Any]:
    """Return the averaged weights of a run.

    Raises:
        ArtError: The folder holds no run.
    """
    last = folder / "last.pt"
    if not last.is_file():
        raise ArtError(f"no run in {folder}; train it with: python -m vision.training.train")
    weights: dict[str, Any] = torch.load(last, map_location="cpu", weights_only=True)["mean"]
    return weights


def ahead(make: Callable[[], Batch]) -> Callable[[], Batch]:
    """Return a function that gives what `make` makes, while the next is made beside it.

    Cutting pictures out takes about as long as learning from them, and leaves the other cores free.
    """
    pool = ThreadPoolExecutor(1)
    waiting = [pool.submit(make)]

    def take() -> Batch:
        ready = waiting.pop().result()
        waiting.append(pool.submit(make))
        return ready

    return take


class Run:
    """One training run in a folder: `last.pt` to resume from, `log.jsonl` to plot."""

    def __init__(self, net: Net, plan: Plan, folder: Path, start_from: Path | None = None) -> None:
        """Prepare a run, or take up the one that the folder holds.

        Args:
            net: What to train.
            plan: How.
            folder: Where the run is kept.
            start_from: The folder of an earlier run whose network a new run begins with.
        """
        self._plan, self._folder = plan, folder
        self.device = device()
        if start_from is not None:
            net.load_state_dict(averaged(start_from))
        self.net = net.to(self.device).to(memory_format=torch.channels_last)
        self.mean = torch.optim.swa_utils.AveragedModel(
            self.net, multi_avg_fn=self._average, use_buffers=True
        )
        groups = [
            {"params": [p for p in net.parameters() if p.ndim > 1], "weight_decay": plan.decay},
            {"params": [p for p in net.parameters() if p.ndim <= 1], "weight_decay": 0.0},
        ]
        self._optimiser = torch.optim.AdamW(groups, lr=plan.rate)
        self.progress = Progress()
        folder.mkdir(parents=True, exist_ok=True)
        self._last = folder / "last.pt"
        if self._last.is_file():
            self._resume()

    def _average(self, means: list[Tensor], now: list[Tensor], _count: Tensor) -> None:
        keep = min(0.9985, (1 + self.progress.step) / (20 + self.progress.step))
        for mean, new in zip(means, now, strict=True):
            if mean.is_floating_point():
                mean.lerp_(new.to(mean.dtype), 1 - keep)
            else:
                mean.copy_(new)

    def _resume(self) -> None:
        saved = torch.load(self._last, map_location=self.device, weights_only=True)
        self.net.load_state_dict(saved["net"])
        self.mean.module.load_state_dict(saved["mean"])
        self._optimiser.load_state_dict(saved["optimiser"])
        self.progress = Progress(saved["step"], saved["spent"])

    def save(self) -> None:
        """Write the state, so that the run can be resumed."""
        fresh = self._last.with_suffix(".part")
        state = {
            "net": self.net.state_dict(),
            "mean": self.mean.module.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "step": self.progress.step,
            "spent": self.progress.spent,
        }
        torch.save(state, fresh)
        fresh.rename(self._last)

    def log(self, **values: float) -> None:
        """Add a line to the run's log."""
        row = {"step": self.progress.step, "minutes": round(self.progress.spent / 60, 2)}
        row |= {key: round(value, 5) for key, value in values.items()}
        with (self._folder / "log.jsonl").open("a") as out:
            out.write(json.dumps(row) + "\n")

    def train(
        self,
        loss: Callable[[], Tensor],
        judge: Callable[[Net], dict[str, float]],
        *,
        every: float = 240,
    ) -> Net:
        """Train until the time is over and return the averaged network.

        Args:
            loss: Returns the loss of the next batch; run under bfloat16.
            judge: Scores a network; its figures go to the log.
            every: Seconds between two scores; the state is saved as often.
        """
        total = self._plan.minutes * 60
        judged, sums, count = self.progress.spent, 0.0, 0
        while self.progress.spent < total:
            began = time.monotonic()
            now = rate_at(self._plan, self.progress.spent / total)
            for group in self._optimiser.param_groups:
                group["lr"] = now
            self.net.train()
            value = loss()
            self._optimiser.zero_grad(set_to_none=True)
            value.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
            self._optimiser.step()
            self.progress.step += 1
            self.mean.update_parameters(self.net)
            sums, count = sums + float(value.detach()), count + 1
            self.progress.spent += time.monotonic() - began
            if self.progress.spent - judged > every:
                judged = self.progress.spent
                self._report(judge, sums / count, now)
                sums, count = 0.0, 0
        self._report(judge, sums / max(count, 1), 0.0)
        return self.mean.module

    def _report(self, judge: Callable[[Net], dict[str, float]], mean: float, rate: float) -> None:
        self.save()
        net = self.mean.module.eval()
        with torch.inference_mode():
            figures = judge(net)
        self.log(loss=mean, rate=rate, **figures)
