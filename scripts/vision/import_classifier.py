"""Turns a shipped classifier.onnx back into a checkpoint that training can go on from.

Purpose: checkpoints are not in the repository, and a network that only has to learn more should not
start from nothing.
Input: models/classifier.onnx, in float or in int8, whose normalisations are folded into its
convolutions, and its sidecar. Output: a checkpoint for `train_classifier --folded --start`.
Invariant: the network answers as the file does, but for the rounding between layers in int8.

`PYTHONPATH=scripts python3 -m vision.import_classifier --onnx models/classifier.onnx --out out/classifier/shipped.pt`
"""

import argparse
import json
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper

from .classifier import Classifier, Folded, fold
from .onnx_graph import as_float

# The stem of an int8 file takes 2 * byte - 255 (`exact_stem`), the network (byte / 255 - 0.5) * 4.
EXACT_STEM = 510 / 4


def _prefix(name):
    """Beginning of the names that the export gives a module's nodes: body.2.skip is
    /body/body.2/skip/."""
    first, place, *rest = name.split(".")
    return "/".join(["", first, f"{first}.{place}", *rest, ""])


def restored(path):
    """A folded network with the weights of the ONNX file."""
    given = onnx.load(str(path))
    if any(node.op_type == "QuantizeLinear" for node in given.graph.node):
        given = as_float(given)
    graph = given.graph
    exact = any(node.op_type == "Round" for node in graph.node)
    stored = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    convolutions = {node.name: node for node in graph.node if node.op_type == "Conv"}
    heads = next(node for node in graph.node if node.op_type == "Gemm")
    model = Classifier().eval()
    fold(model)
    pairs = {name: m for name, m in model.named_modules() if isinstance(m, Folded)}
    if len(pairs) != len(convolutions):
        raise SystemExit(f"{path} holds {len(convolutions)} convolutions, the classifier {len(pairs)}")
    with torch.no_grad():
        for name, (conv, norm) in pairs.items():
            node = next(node for written, node in convolutions.items() if written.startswith(_prefix(name)))
            conv.weight.copy_(stored[node.input[1]])
            norm.bias.copy_(stored[node.input[2]])
        if exact:
            pairs["body.0"][0].weight.mul_(EXACT_STEM)
        model.heads.weight.copy_(stored[heads.input[1]])
        model.heads.bias.copy_(stored[heads.input[2]])
    return model


def main():
    """Write a checkpoint with the file's weights and the figures of its sidecar's training."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--onnx", type=Path, default=Path("models/classifier.onnx"))
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    weights = restored(options.onnx).state_dict()
    past = json.loads(options.onnx.with_suffix(".json").read_text())["training"]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": weights, "average": weights, "step": 0, "samples": past["samples"], "seed": past["seed"], "sources": past["sources"]}, options.out)


if __name__ == "__main__":
    main()
