"""Running one neural network: with ONNX Runtime, or with OpenVINO where it is installed."""

import importlib.util
import os
from enum import StrEnum, unique
from pathlib import Path
from typing import Protocol

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from onnxruntime.capi.onnxruntime_pybind11_state import (  # type: ignore[import-untyped]
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    NoSuchFile,
)

from vision.errors import ModelError
from vision.geometry import Floats

_BROKEN = (Fail, InvalidArgument, InvalidGraph, InvalidProtobuf, NoSuchFile)


@unique
class Engine(StrEnum):
    """What runs the networks.

    Both give the same readings; which is faster depends on the machine, and `pitwatch doctor`
    measures it.
    """

    ONNXRUNTIME = "onnxruntime"
    OPENVINO = "openvino"


class Network(Protocol):
    """A network with one input and one output, on the processor's cores."""

    shape: tuple[int | None, ...]
    """The input's shape; None where any size will do."""

    def run(self, values: Floats) -> Floats:
        """Return the output for an input of the network's shape.

        Raises:
            ModelError: The network does not take an input of that shape.
        """


def installed(engine: Engine) -> bool:
    """Say whether an engine is installed."""
    return importlib.util.find_spec(engine.value) is not None


def open_network(path: Path, engine: Engine = Engine.ONNXRUNTIME) -> Network:
    """Load a network's weights, an ONNX file, with an engine.

    Raises:
        ModelError: The file is no network of this form, or the engine is not installed.
    """
    if engine is Engine.ONNXRUNTIME:
        return OnnxRuntimeNetwork(path)
    if not installed(engine):
        raise ModelError(
            'engine: found "openvino", which is not installed; '
            'install it with: pip install "pitwatch[openvino]", or set engine = "onnxruntime"'
        )
    # Imported only when asked for: it is an extra.
    from vision.openvino_network import OpenVinoNetwork  # noqa: PLC0415

    return OpenVinoNetwork(path)


class OnnxRuntimeNetwork:
    """A network run by ONNX Runtime."""

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        """Load the weights.

        Args:
            path: An ONNX file.
            threads: Cores to use; all that this process may use when None.

        Raises:
            ModelError: The file is no network of this form.
        """
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or len(os.sched_getaffinity(0))
        options.log_severity_level = 3
        # A core that spins while it waits takes time from decoding and from other tables.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except _BROKEN as error:
            raise ModelError(f"{path}: found no ONNX network that can be run") from error
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1 or len(outputs) < 1:
            raise ModelError(
                f"{path}: found {len(inputs)} inputs, {len(outputs)} outputs, expected one each"
            )
        self._input, self._output, self._path = inputs[0].name, outputs[0].name, path
        self.shape: tuple[int | None, ...] = tuple(
            size if isinstance(size, int) else None for size in inputs[0].shape
        )
        """The input's shape; None where any size will do."""

    def run(self, values: Floats) -> Floats:
        """Return the output for an input of the network's shape.

        Raises:
            ModelError: The network does not take an input of that shape.
        """
        try:
            found = self._session.run([self._output], {self._input: values})[0]
        except _BROKEN as error:
            raise ModelError(
                f"{self._path}: refused an input of shape {values.shape}, expected {self.shape}"
            ) from error
        return np.asarray(found, dtype=np.float32)
