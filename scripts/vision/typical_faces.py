"""Says what the faces look like that the classifier learned, so that the program can tell a set
that no network knows.

Purpose: a tile of a known set lies near the typical embedding of its name, a tile of other art far
from all of them. Input: models/classifier.onnx and its sidecar, drawn crops, and with --shared the
shared art and a third of the real photos' train split. Output: `typical` in the sidecar: for each
face the mean embedding of its crops upright and upside down, where real photos count as much as all
drawn crops. As text each is the base64 of signed bytes, of which the largest is 127. Invariant:
only crops that the classifier names rightly count, and no held-out photo does.

`PYTHONPATH=scripts python3 -m vision.typical_faces [--models PATH] [--shared PATH]`
"""

from __future__ import annotations

import argparse
import base64
import json
import os
from pathlib import Path

import numpy as np

from .crops import INDEX, CropFactory, small_faces
from .crops_real import detected_crops
from .export_classifier import read
from .eyes import Eyes
from .faces import CODES, RED, generate_set, load_sets
from .session import session

SEED, SETS, DRAWN = 5, 24, 9000
FIRST_SET = 60_000_000  # Those of the metric: far from the training, and from all that is held out.
FACES = [code for code in CODES if code not in RED]
UPRIGHT, UPSIDE_DOWN = 0, 2
# Crops of a face without which its mean says little.
MIN_CROPS = 8


def drawn(shared: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Drawn crops and the class of each."""
    sets = [small_faces(generate_set(FIRST_SET + k)) for k in range(SETS)]
    sets += [small_faces(art) for art in load_sets(shared)]
    factory, rng = CropFactory(sets, seed=SEED), np.random.default_rng(SEED)
    crops = [factory.sample(rng) for _ in range(DRAWN)]
    return np.stack([crop.image for crop in crops]), np.array([crop.label for crop in crops])


def means(run, crops: np.ndarray, labels: np.ndarray) -> dict[tuple[int, int], np.ndarray]:
    """The mean embedding, of length one, of each class and turn that enough crops show."""
    classes, turns, _, embeddings = read(run, crops)
    named, turned = classes.argmax(1), turns.argmax(1)
    found = {}
    for label in (INDEX[code] for code in FACES):
        for turn in (UPRIGHT, UPSIDE_DOWN):
            chosen = (labels == label) & (named == label) & (turned == turn)
            if chosen.sum() >= MIN_CROPS:
                mean = embeddings[chosen].mean(0)
                found[label, turn] = mean / np.linalg.norm(mean)
    return found


def as_text(vector: np.ndarray) -> str:
    """A vector as the base64 of signed bytes, of which the largest is 127."""
    return base64.b64encode(np.rint(vector / np.abs(vector).max() * 127).astype(np.int8).tobytes()).decode()


def main() -> None:
    """Measure, and write into the sidecar."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--shared", type=Path, default=os.environ.get("TILESIGHT_SHARED"))
    options = parser.parse_args()
    run = session(options.models / "classifier.onnx")
    kinds = [means(run, *drawn(options.shared))]
    if options.shared:
        look = Eyes(options.models)
        crops, labels, _ = detected_crops(options.shared, "train", look, every=3)
        kinds.append(means(run, crops, labels))
    typical = {}
    for code in FACES:
        seen = [[kind[INDEX[code], turn] for kind in kinds if (INDEX[code], turn) in kind] for turn in (0, 2)]
        # A face that lies in one direction only, in what was seen, has that one twice.
        both = [mean or seen[1 - n] for n, mean in enumerate(seen)]
        if all(both):
            typical[code] = [as_text(np.mean(mean, 0)) for mean in both]
    sidecar = options.models / "classifier.json"
    facts = json.loads(sidecar.read_text())
    facts["typical"] = typical
    sidecar.write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
    print(f"{len(typical)} of {len(FACES)} faces")


if __name__ == "__main__":
    main()
