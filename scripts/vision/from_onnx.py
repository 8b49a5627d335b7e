"""Makes a checkpoint of a classifier in models/, so that training can go on from what is shipped.

Purpose: checkpoints are not in the repository; the int8 files are, and keep the weights to seven
bits. Input: models/NAME.onnx as `vision.quantize` ships it. Output: a checkpoint for the --start of
train_classifier, whose normalisations are folded away (go on with --folded). Invariant: a layer
of which only the network or only the file knows is an error.

`PYTHONPATH=scripts python3 -m vision.from_onnx large-classifier --out out/large.pt`
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from .classifier import LARGE, SMALL, Classifier, fold
from .onnx_graph import as_float

SHAPES = {"classifier": SMALL, "large-classifier": LARGE}
# The stem takes 2 * byte - 255 where the network takes (pixel - 0.5) * 4 (`onnx_graph.exact_stem`).
STEM, STEM_SCALE = "body.0", 510 / 4


def layer_of(node_name):
    """The layer in torch, for instance "body.3.a" of "/body/body.3/a/a.0/Conv"."""
    parts = []
    for part in node_name.split("/")[1:-1]:
        if parts and part.startswith(parts[-1] + "."):
            parts[-1] = part
        elif part != "classifier":
            parts.append(part)
    return ".".join(parts).rsplit(".", 1)[0]


def restored(file, shape):
    """The classifier that an int8 file holds, its normalisations folded."""
    model = Classifier(shape)
    fold(model)
    graph = as_float(onnx.load(str(file))).graph
    # The small classifier is exported inside of one with an embedding.
    numbers = {number.name.removeprefix("classifier."): numpy_helper.to_array(number) for number in graph.initializer}
    state = {name: torch.from_numpy(numbers[name].copy()) for name in ("heads.weight", "heads.bias")}
    for node in graph.node:
        if node.op_type == "Conv":
            layer = layer_of(node.name)
            weight, bias = (numbers[name.removeprefix("classifier.")].astype(np.float32) for name in node.input[1:])
            scale = STEM_SCALE if layer == STEM else 1
            state |= {
                f"{layer}.0.weight": torch.from_numpy(weight * scale),
                f"{layer}.1.bias": torch.from_numpy(bias.copy()),
            }
    model.load_state_dict({**identities(model), **state})
    return model.eval()


def identities(model):
    """The part of a folded network's state that no file keeps: normalisations that change
    nothing."""
    kept = ("weight", "running_mean", "running_var", "num_batches_tracked")
    return {
        name: value for name, value in model.state_dict().items() if name.endswith(tuple(f".1.{part}" for part in kept))
    }


def main():
    """Write the checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=SHAPES)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    training = json.loads((options.models / f"{options.network}.json").read_text())["training"]
    model = restored(options.models / f"{options.network}.onnx", SHAPES[options.network])
    torch.save(
        {
            "average": model.state_dict(),
            "step": training["steps"],
            "samples": training["samples"],
            "seed": training["seed"],
        },
        options.out,
    )


if __name__ == "__main__":
    main()
