"""Learns the class rows of the large classifier's last layer further, from the file that is
shipped.

Purpose: a further stretch of the whole network is hours of a processor; this layer alone, which the
file keeps in float, is minutes, and most of these go into cutting the crops. Input: models/
large-classifier.onnx, packs by `crops_pack --drawn --kept 0.5`, crops of the real photos' train
split. Output: the file with `--share` of the way in its class rows. Invariant: every other layer,
the rows of turn and red fives too, keeps its bits, so that nothing has to be quantised again.

`PYTHONPATH=scripts python3 -m vision.tune_heads --packs out/packs --shared PATH --out out/heads.onnx`
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from .crops_real import detected_crops
from .eyes import Eyes
from .faces import BONUS, CLASSES
from .frontend import planes

ROWS = len(CLASSES)
# As in train_classifier: labels are smoothed, and what the networks confuse most is drawn twice.
SMOOTH, WANTED = 0.05, [CLASSES.index(code) for code in (*BONUS, "P")]
BATCH, STEPS, RATE = 256, 2000, 2e-3
# How dear a weight's way from where it was is, beside the features' spread.
STAY = 0.01


class Heads(NamedTuple):
    """Weights [44, features] and biases [44] of the classes."""

    weight: np.ndarray
    bias: np.ndarray

    def towards(self, other: Heads, share: float) -> Heads:
        """The heads `share` of the way to others."""
        return Heads(*(a + share * (b - a) for a, b in zip(self, other)))


class Lesson(NamedTuple):
    """Features [n, features], the share of each class [n, 44], and how often each is drawn."""

    features: np.ndarray
    targets: np.ndarray
    weights: np.ndarray

    def some(self, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Features and targets of `count` crops."""
        edges = np.cumsum(self.weights)
        at = np.searchsorted(edges, rng.random(count) * edges[-1])
        return self.features[at], self.targets[at]


def heads_of(model: onnx.ModelProto) -> Heads:
    """The class rows of a file's last layer."""
    numbers = {number.name: numpy_helper.to_array(number) for number in model.graph.initializer}
    return Heads(numbers["heads.weight"][:ROWS].copy(), numbers["heads.bias"][:ROWS].copy())


def with_heads(model: onnx.ModelProto, heads: Heads) -> onnx.ModelProto:
    """Puts class rows into a file's last layer."""
    for number in model.graph.initializer:
        if number.name in ("heads.weight", "heads.bias"):
            rows = numpy_helper.to_array(number).copy()
            rows[:ROWS] = heads.weight if rows.ndim == 2 else heads.bias
            number.CopyFrom(numpy_helper.from_array(rows, number.name))
    return model


def features_of(model: onnx.ModelProto, crops: np.ndarray) -> np.ndarray:
    """Features that the last layer is given for uint8 crops [n, 80, 64, 3]."""
    given = next(node.input[0] for node in model.graph.node if "heads.weight" in node.input)
    seen = onnx.ModelProto()
    seen.CopyFrom(model)
    seen.graph.output.append(helper.make_tensor_value_info(given, TensorProto.FLOAT, None))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    run = onnxruntime.InferenceSession(seen.SerializeToString(), options, providers=["CPUExecutionProvider"])
    parts = np.array_split(crops, max(1, len(crops) // 64))
    return np.concatenate([run.run([given], {"crops": planes(part)})[0] for part in parts])


def rareness(labels: np.ndarray, names: list[str]) -> np.ndarray:
    """Weights by which real crops are drawn: rare classes and sets of few tiles more often."""
    sets = [name.split(" ", 1)[1].split("/")[0] for name in names]
    _, at, tiles = np.unique(sets, return_inverse=True, return_counts=True)
    of_class = np.maximum(np.bincount(labels, minlength=ROWS), 1)
    wanted = np.where(np.isin(labels, WANTED), 2.0, 1.0)
    return (of_class[labels] * tiles[at]) ** -0.7 * wanted


def tuned(start: Heads, lessons: list[Lesson], seed: int = 1, steps: int = STEPS) -> Heads:
    """The heads after `steps` of Adam at a rate that falls to nothing, each batch drawn from all
    lessons alike."""
    rng = np.random.default_rng(seed)
    spread = np.concatenate([lesson.features for lesson in lessons]).std(0)
    heads, count = Heads(*(part.copy() for part in start)), BATCH // len(lessons)
    means = [(np.zeros_like(part), np.zeros_like(part)) for part in heads]
    for step in range(1, steps + 1):
        drawn = [lesson.some(rng, count) for lesson in lessons]
        features, targets = (np.concatenate(part) for part in zip(*drawn))
        logits = features @ heads.weight.T + heads.bias
        powers = np.exp(logits - logits.max(1, keepdims=True))
        smoothed = (1 - SMOOTH) * targets + SMOOTH / ROWS
        slope = (powers / powers.sum(1, keepdims=True) - smoothed) / len(features)
        away = STAY * (heads.weight - start.weight) * spread**2
        rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
        for part, gradient, (mean, square) in zip(heads, (slope.T @ features + away, slope.sum(0)), means):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            part -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return heads


def lessons_of(model: onnx.ModelProto, options: argparse.Namespace) -> list[Lesson]:
    """Real crops, and drawn ones."""
    crops, labels, names = detected_crops(options.shared, "train", Eyes(options.models))
    real = Lesson(features_of(model, crops), np.eye(ROWS, dtype=np.float32)[labels], rareness(labels, names))
    packs = [np.load(file) for file in sorted(options.packs.glob("pack_*.npz"))]
    drawn = np.concatenate([features_of(model, pack["image"]) for pack in packs])
    targets = np.concatenate([pack["target"] for pack in packs]).astype(np.float32)
    return [real, Lesson(drawn, targets, np.ones(len(drawn)))]


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packs", type=Path, required=True)
    parser.add_argument("--shared", type=Path, default=os.environ.get("TILESIGHT_SHARED"), required=False)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    if not options.shared:
        parser.error("the real photos are needed: give --shared PATH")
    model = onnx.load(str(options.models / "large-classifier.onnx"))
    start = heads_of(model)
    found = tuned(start, lessons_of(model, options))
    onnx.save(with_heads(model, start.towards(found, options.share)), str(options.out))


if __name__ == "__main__":
    main()
