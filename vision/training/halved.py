"""Weights stored at half precision: the file is half as large, and is computed with as before.

Each large tensor is kept as 16-bit numbers and made 32-bit again when the network is loaded.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_LARGE = 256
"""Tensors of fewer numbers are left alone: biases, and constants of shapes."""


def halve(file: Path) -> None:
    """Store a network's large weights as 16-bit numbers; the file is written anew.

    Args:
        file: An ONNX network of 32-bit weights.
    """
    model = onnx.load(str(file))
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or values.size < _LARGE:
            continue
        name, stored = tensor.name, f"{tensor.name}.half"
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), stored))
        casts.append(helper.make_node("Cast", [stored], [name], to=TensorProto.FLOAT))
    kept = list(graph.node)
    del graph.node[:]
    graph.node.extend([*casts, *kept])
    onnx.checker.check_model(model)
    onnx.save(model, str(file))
