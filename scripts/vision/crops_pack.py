"""Draws crops once and packs them, for training that shows each of them several times.

Purpose: a crop costs three times as much to draw as to learn from; one process draws while another
learns. Input: a seed, the shared folder (optional). Output: FOLDER/pack_SEED_NNNN.npz, each with
crops of newly drawn sets and the shared art, three looks at each drawn tile, and crops of the real
photos' train split, unless --drawn leaves these to the training. --blanks draws backs and white
dragons alone, which real photos have few of. --kept mixes into the targets of drawn crops what the
large classifier says of them, so that a further stretch keeps what it knows (Li and Hoiem,
*Learning without forgetting*, 2016). Invariant: pack n of a seed is always the same; a pack
is written whole or not at all, so that a cut-off run goes on where it was. With the motifs that
setup-training brings, most bonus tiles are prints of them; without, the packs hold what the drawn
sets have.

`PYTHONPATH=scripts python3 -m vision.crops_pack --out out/packs --count 40 [--shared PATH]`
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .crops import BLANKS, BONUS_TILES, EVERYTHING, CropFactory, Prints, small_faces
from .crops_real import RealSource
from .export_classifier import log_softmax, read
from .eyes import Eyes
from .faces import generate_set, load_sets
from .motifs import FOLDER, Motifs
from .session import session

SETS, DRAWN, REAL, LOOKS = 12, 12_000, 5_000, 3
PRINTS = 1200  # Prints of bonus tiles of a pack: each is then the face of one or two tiles in it.
ART_SHARE = 0.4  # Share of crops of the shared art, which is drawn by people.
FIRST_SET = 30_000_000  # Far from the seeds of the earlier stretches, and of all that is held out.


def pack(n: int, options: argparse.Namespace, art: list, sources: Any) -> dict[str, np.ndarray]:
    """The crops of one pack; `sources` are the real photos and the motifs, or None."""
    real, motifs = sources
    sets = [small_faces(generate_set(FIRST_SET + options.seed * 100_000 + n * SETS + i)) for i in range(SETS)]
    weights = [1.0] * len(sets) + [ART_SHARE / (1 - ART_SHARE) * len(sets) / len(art)] * len(art) if art else None
    rng = np.random.default_rng([options.seed, 9, n])
    mixture = BONUS_TILES if options.bonus else BLANKS if options.blanks else EVERYTHING
    prints = Prints.drawn(motifs, PRINTS, rng, mixture.manner) if motifs else None
    factory = CropFactory(sets + art, weights, int(rng.integers(1 << 31)), prints, mixture)
    crops = [crop for _ in range(options.crops // LOOKS) for crop in factory.samples(rng, LOOKS)]
    drawn = len(crops)
    crops += [real.sample(rng) for _ in range(REAL)] if real else []
    kinds = {"image": np.uint8, "label": np.int64, "turn": np.int64, "red": bool, "target": np.float16}
    arrays = {name: np.array([getattr(crop, name) for crop in crops], kind) for name, kind in kinds.items()}
    if options.kept:
        said = answers(options.models / "large-classifier.onnx", arrays["image"][:drawn])
        arrays["target"][:drawn] = (1 - options.kept) * arrays["target"][:drawn] + options.kept * said
    return arrays


def answers(file: Path, crops: np.ndarray) -> np.ndarray:
    """Shares of the classes that a file's large classifier gives to crops."""
    return np.exp(log_softmax(read(session(file), crops)[0]))


def main() -> None:
    """Draw packs until there are as many as asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument(
        "--bonus", action="store_true", help="mostly bonus tiles in the customary writing, and no real photos"
    )
    parser.add_argument("--blanks", action="store_true", help="backs and white dragons alone, and no real photos")
    parser.add_argument(
        "--drawn", action="store_true", help="no real photos, for a training that cuts their crops anew (--fresh)"
    )
    parser.add_argument("--crops", type=int, default=DRAWN, help="drawn crops of a pack")
    parser.add_argument(
        "--kept", type=float, default=0.0, help="share of a drawn crop's target that the large classifier's answer is"
    )
    parser.add_argument("--shared", type=Path, default=os.environ.get("TILESIGHT_SHARED"))
    parser.add_argument("--motifs", type=Path, default=FOLDER, help="where setup-training put icons and fonts")
    parser.add_argument(
        "--models", type=Path, default=Path("models"), help="whose detector and refiner cut the real crops"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    art = [small_faces(s) for s in load_sets(options.shared)]
    photos = options.shared and not (options.bonus or options.blanks or options.drawn)
    real = RealSource(options.shared, look=Eyes.of(options.models)) if photos else None
    motifs = Motifs.of(options.motifs)
    for n in range(options.count):
        file = options.out / f"pack_{options.seed}_{n:04}.npz"
        if file.exists():
            continue
        began, part = time.time(), file.with_suffix(".part")
        with part.open("wb") as stream:
            np.savez(stream, **pack(n, options, art, (real, motifs)))
        part.replace(file)
        print(f"{file.name} in {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
