"""Turns a shipped classifier.onnx back into a checkpoint that training can go on from.

Purpose: checkpoints are not in the repository, and a network that only has to learn more should not
start from nothing.
Input: models/classifier.onnx, whose normalisations are folded into its convolutions, and its
sidecar. Output: a checkpoint for `train_classifier --folded --start`. Invariant: the network
answers as the file does.

`PYTHONPATH=scripts python3 -m vision.import_classifier --onnx models/classifier.onnx --out out/classifier/shipped.pt`
"""

import argparse
import json
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper

from .classifier import Classifier, Folded, fold


def restored(path):
    """A folded network with the weights of the ONNX file."""
    graph = onnx.load(str(path)).graph
    stored = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    heads = next(node for node in graph.node if node.op_type == "Gemm")
    model = Classifier().eval()
    fold(model)
    # Modules are listed in the order in which the export runs them.
    pairs = [m for m in model.modules() if isinstance(m, Folded)]
    if len(pairs) != len(convolutions):
        raise SystemExit(f"{path} holds {len(convolutions)} convolutions, the classifier {len(pairs)}")
    with torch.no_grad():
        for (conv, norm), node in zip(pairs, convolutions):
            conv.weight.copy_(stored[node.input[1]])
            norm.bias.copy_(stored[node.input[2]])
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
