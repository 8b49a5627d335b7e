"""Gives the classifier's embedding a metric in which light, blur and a shifted outline count little
and the face counts much.

Purpose: own sets compare tiles by the cosine of their embeddings. Directions in which the looks at
one tile differ are shortened: the embedding is measured from the mean of the faces and multiplied
by the inverse square root of the covariance within tiles, as in linear discriminant analysis, with
a tenth of its mean variance added. Input: models/classifier.onnx and its sidecar, and drawn crops
of tiles with three looks at each. Output: both files, changed in place. Invariant: the classes,
turns and red fives stay the same; running it again changes nothing.

`PYTHONPATH=scripts python3 -m vision.embedding_metric [--models PATH] [--shared PATH]`
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from .crops import BONUS_AT, CropFactory, small_faces
from .export_classifier import held_out, read
from .faces import BONUS, generate_set, load_sets
from .manifest import digest
from .matching import matched
from .onnx_graph import with_metric
from .session import session

SEED, SETS, TILES, LOOKS = 90, 24, 2400, 3
FIRST_SET = 60_000_000  # Far from the seeds of the training, and of all that is held out.
# Share of the mean variance that every direction has at least. Between 0.1 and 0.3 it makes no
# difference for sheets of three sets of art that no network was trained on; with 1 two in a hundred
# more tiles are misnamed.
SHRINKAGE = 0.1


def looks(shared: Path | None) -> tuple[Any, Any]:
    """Crops [tiles * LOOKS, 80, 64, 3] of drawn tiles, LOOKS in a row of the same tile, and the
    class of each tile."""
    rng = np.random.default_rng(SEED)
    sets = [small_faces(generate_set(FIRST_SET + k)) for k in range(SETS)] + [
        small_faces(art) for art in load_sets(shared)
    ]
    factory = CropFactory(sets, seed=SEED)
    tiles = []
    while len(tiles) < TILES:
        crops = factory.samples(rng, LOOKS)
        if crops[0].label < BONUS_AT + len(BONUS):
            tiles.append(crops)
    return np.stack([crop.image for tile in tiles for crop in tile]), np.array([tile[0].label for tile in tiles])


def metric_of(embeddings: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of the faces [d], and the metric [d, d], of unit embeddings [tiles, LOOKS, d]."""
    tiles = embeddings.mean(1)
    mean = np.mean([tiles[labels == label].mean(0) for label in np.unique(labels)], 0)
    within = (embeddings - tiles[:, None]).reshape(-1, embeddings.shape[2])
    covariance = within.T @ within / (len(within) - len(tiles))
    variances, directions = np.linalg.eigh(covariance)
    scale = 1 / np.sqrt(np.maximum(variances, 0) + SHRINKAGE * variances.mean())
    return mean, directions @ np.diag(scale) @ directions.T


def main() -> None:
    """Measure, write, and say how often the nearest neighbour is right before and after."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--shared", type=Path, default=os.environ.get("TILESIGHT_SHARED"))
    options = parser.parse_args()
    target = options.models / "classifier.onnx"
    model = onnx.load(str(target))
    size = json.loads((options.models / "classifier.json").read_text())["embedding"]
    onnx.save(with_metric(model, np.zeros(size), np.eye(size)), str(target))
    crops, labels = looks(options.shared)
    embeddings = read(session(target), crops)[3].reshape(len(labels), LOOKS, size).astype(np.float64)
    held = {
        name: crops
        for name, crops in held_out(options.shared, options.models).items()
        if name in ("validation", "test")
    }

    def figures() -> dict[str, Any]:
        return {f"{name}_matched": matched(read(session(target), part[0])[3], *part[1:]) for name, part in held.items()}

    before = figures()
    onnx.save(with_metric(model, *metric_of(embeddings, labels)), str(target))
    sidecar = options.models / "classifier.json"
    facts = json.loads(sidecar.read_text())
    facts["metrics"] |= (after := figures())
    facts["sha256"] = digest(target)
    sidecar.write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
    print(json.dumps({"before": before, "after": after}, indent=1))


if __name__ == "__main__":
    main()
