"""Changes of ONNX graphs that no exporter makes: a detector that takes bytes, a first layer whose
sums are exact, an int8 network in float again, and an embedding with a metric.

Input and output: an ONNX model, which is changed in place. Invariant: `in_cells` changes no answer
that the processor's rounding does not change too; `exact_stem` moves no weight by more than a
2,500th of the largest; `as_float` gives the network whose weights are those that int8 keeps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

from .frontend import CELL

# The detector's first layer takes (pixel / 255 - 0.45) * 4, which is (pixel - 114.75) in steps of
# 4 / 255. With 115 for nought every pixel is a step of its own.
EMBEDDING = "embedding"
STEP, NOUGHT = np.float32(4 / 255), np.uint8(115)


class Graph:
    """A model's graph with its numbers by name, and who takes and gives what."""

    def __init__(self, model: Any) -> None:
        self.model, self.graph = model, model.graph
        self.numbers = {number.name: number for number in self.graph.initializer}

    def array(self, name: str):
        """A constant as numpy."""
        return numpy_helper.to_array(self.numbers[name])

    def put(self, name: str, array: np.ndarray) -> None:
        """A constant, new or changed."""
        tensor = numpy_helper.from_array(np.ascontiguousarray(array), name)
        if name in self.numbers:
            self.numbers[name].CopyFrom(tensor)
        else:
            self.graph.initializer.append(tensor)
            self.numbers[name] = self.graph.initializer[-1]

    def giver(self, name: str):
        """The node that gives a value, or None."""
        return next((node for node in self.graph.node if name in node.output), None)

    def takers(self, name: str) -> list[Any]:
        """The nodes that take a value."""
        return [node for node in self.graph.node if name in node.input]

    def replace(self, name: str, other: Any) -> None:
        """Lets all takers of a value take another one."""
        for node in self.graph.node:
            for place, given in enumerate(node.input):
                if given == name:
                    node.input[place] = other

    def cleared(self):
        """The model without nodes and numbers that nothing takes, checked."""
        wanted = {output.name for output in self.graph.output}
        while True:
            taken = wanted | {name for node in self.graph.node for name in node.input}
            idle = [node for node in self.graph.node if not taken.intersection(node.output)]
            if not idle:
                break
            for node in idle:
                self.graph.node.remove(node)
        for number in [number for number in self.graph.initializer if number.name not in taken]:
            self.graph.initializer.remove(number)
        del self.graph.value_info[:]
        checker.check_model(self.model)
        return self.model


def _dequantized(graph: Graph, node: Any):
    """The numbers of a constant in int8."""
    array, scale, nought = (graph.array(name) for name in node.input)
    axis = next((a.i for a in node.attribute if a.name == "axis"), 1)
    shape = (
        [-1 if k == axis % max(array.ndim, 1) else 1 for k in range(array.ndim)]
        if scale.ndim and scale.size > 1
        else []
    )
    return (array.astype(np.float32) - nought.astype(np.float32).reshape(shape)) * scale.reshape(shape)


def as_float(model: Any):
    """An int8 model (QDQ, bytes between layers) in float: constants as int8 keeps them, no rounding
    between layers."""
    graph = Graph(model)
    for node in [node for node in graph.graph.node if node.op_type == "DequantizeLinear"]:
        rounding = graph.giver(node.input[0])
        if node.input[0] in graph.numbers:
            graph.put(node.output[0], _dequantized(graph, node))
            graph.graph.node.remove(node)
        elif rounding is not None and rounding.op_type == "QuantizeLinear":
            # Bytes from nought on have no negative numbers, so that int8 needs no ReLU before them.
            kind = "Relu" if graph.array(node.input[2]) == 0 else "Identity"
            unrounded = helper.make_node(kind, [rounding.input[0]], [node.output[0]], name=f"{node.name}_float")
            place = list(graph.graph.node).index(node)
            graph.graph.node.remove(node)
            graph.graph.node.insert(place, unrounded)
    return graph.cleared()


def exact_stem(model: Any):
    """A model whose first layer, in float, has the same sums on every processor, to the bit.

    It takes (pixel - 0.5) * 4 of pixels from 0 to 1, which are bytes over 255. In whole numbers,
    2 * byte - 255, and with weights on a grid, every product and every sum has less than 24 bits,
    which a float holds in whatever order. What is rounded to bytes after it is then the same in
    the browser and in the program, and so are all layers in int8."""
    graph = Graph(model)
    name = graph.graph.input[0].name
    centred = graph.takers(name)[0]
    if centred.op_type == "Mul":
        return model
    scaled = graph.takers(centred.output[0])[0]
    stem = graph.takers(scaled.output[0])[0]
    kinds = (centred.op_type, scaled.op_type, stem.op_type)
    numbers = tuple(float(graph.array(node.input[1]).item()) for node in (centred, scaled))
    if kinds != ("Sub", "Mul", "Conv") or numbers != (0.5, 4.0):
        raise ValueError(f"the first layer takes {kinds} of {numbers}, not (pixel - 0.5) * 4")
    weights, bias = (graph.array(part).astype(np.float64) for part in stem.input[1:])
    # A pixel is 4 / 510 of such a whole number.
    weights = weights * (4 / 510)
    largest = 255 * np.abs(weights).sum(axis=(1, 2, 3)) + np.abs(bias)
    # Every channel has the finest grid on which none of its sums needs more than 23 bits.
    grid = 2.0 ** np.floor(np.log2(2**23 / largest))
    for part, exact in zip(stem.input[1:], (weights, bias)):
        steps = grid.reshape(-1, *[1] * (exact.ndim - 1))
        graph.put(part, (np.round(exact * steps) / steps).astype(np.float32))
    graph.put("stem_double", np.array(510, np.float32))
    graph.put("stem_middle", np.array(255, np.float32))
    doubled = helper.make_node("Mul", [name, "stem_double"], ["stem_doubled"], name="/Mul_stem")
    whole = helper.make_node("Round", ["stem_doubled"], ["stem_whole"], name="/Round_stem")
    about = helper.make_node("Sub", ["stem_whole", "stem_middle"], [scaled.output[0]], name="/Sub_stem")
    for node in (centred, scaled):
        graph.graph.node.remove(node)
    for place, node in enumerate((doubled, whole, about)):
        graph.graph.node.insert(place, node)
    return graph.cleared()


def in_cells(model: Any):
    """An int8 detector that takes bytes in cells of four by four pixels, uint8 [N, H / 4, W / 4,
    48], in place of planes of 0 to 1.

    The rounding of its first layer's input keeps every pixel as it is, so the bytes take its
    place; of 7 x 7 weights in steps of four pixels two by two cells are made, with a line of
    noughts on top and on the left."""
    graph = Graph(model)
    name = graph.graph.input[0].name
    if graph.graph.input[0].type.tensor_type.elem_type == TensorProto.UINT8:
        return model
    reader = graph.takers(name)[0]
    while (
        reader.op_type != "QuantizeLinear"
        or graph.takers(graph.takers(reader.output[0])[0].output[0])[0].op_type != "Conv"
    ):
        reader = graph.takers(reader.output[0])[0]
    bytes_in = graph.takers(reader.output[0])[0]
    scale, nought = (graph.array(part) for part in bytes_in.input[1:])
    if not np.isclose(scale, STEP, rtol=1e-4) or nought != NOUGHT:
        raise ValueError(f"the first layer takes steps of {scale} about {nought}, not of {STEP} about {NOUGHT}")
    stem = graph.takers(bytes_in.output[0])[0]
    constant = graph.giver(stem.input[1]).input[0]
    weights = graph.array(constant)
    outputs, channels, high, wide = weights.shape
    whole = np.zeros((outputs, channels, 2 * CELL, 2 * CELL), weights.dtype)
    whole[:, :, 2 * CELL - high :, 2 * CELL - wide :] = weights
    cells = whole.reshape(outputs, channels, 2, CELL, 2, CELL).transpose(0, 3, 5, 1, 2, 4)
    graph.put(constant, cells.reshape(outputs, -1, 2, 2))
    for attribute in [a for a in stem.attribute if a.name in ("kernel_shape", "strides", "pads")]:
        stem.attribute.remove(attribute)
    stem.attribute.extend(
        helper.make_attribute(key, value)
        for key, value in (("kernel_shape", [2, 2]), ("strides", [1, 1]), ("pads", [1, 1, 0, 0]))
    )
    turned = helper.make_node("Transpose", [name], [f"{name}_planes"], name="cells", perm=[0, 3, 1, 2])
    bytes_in.input[0] = turned.output[0]
    graph.graph.node.remove(bytes_in)
    graph.graph.node.insert(0, turned)
    graph.graph.node.insert(1, bytes_in)
    graph.put(bytes_in.input[1], np.array(STEP))
    del graph.graph.input[:]
    graph.graph.input.append(
        helper.make_tensor_value_info(
            name, TensorProto.UINT8, ["pictures", "rows_of_cells", "cells_of_a_row", channels * CELL * CELL]
        )
    )
    for output in graph.graph.output:
        output.type.tensor_type.shape.dim[0].dim_param = "pictures"
    return graph.cleared()


def with_metric(model: Any, mean: np.ndarray, metric: np.ndarray):
    """A classifier whose embedding is measured from `mean` [d] and by `metric` [d, d], and has the
    length one again; a metric that the model already has is replaced."""
    graph = Graph(model)
    plain = f"{EMBEDDING}_plain"
    for node in [node for node in graph.graph.node if node.name.startswith("/Metric")]:
        graph.graph.node.remove(node)
    for node in graph.graph.node:
        for place, given in enumerate(node.output):
            if given == EMBEDDING:
                node.output[place] = plain
    graph.put("metric_mean", mean.astype(np.float32))
    graph.put("metric_matrix", metric.astype(np.float32))
    graph.put("metric_least", np.array(1e-6, np.float32))
    graph.graph.node.extend(
        [
            helper.make_node("Sub", [plain, "metric_mean"], ["metric_centred"], name="/Metric_centre"),
            helper.make_node("MatMul", ["metric_centred", "metric_matrix"], ["metric_turned"], name="/Metric_turn"),
            helper.make_node(
                "ReduceL2", ["metric_turned"], ["metric_length"], name="/Metric_length", axes=[1], keepdims=1
            ),
            helper.make_node("Max", ["metric_length", "metric_least"], ["metric_divisor"], name="/Metric_least"),
            helper.make_node("Div", ["metric_turned", "metric_divisor"], [EMBEDDING], name="/Metric_unit"),
        ]
    )
    return graph.cleared()
