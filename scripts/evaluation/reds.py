"""Measures how often the classifier tells red fives from other fives.

    cd scripts && python3 -m evaluation.reds [--shared FOLDER] [--crops N]

Input: models/classifier.onnx, drawn tile sets that no training draws (`vision.faces`, seeds from
910301 and 970001 up), and with `--shared` the labelled fives of the real validation and test
photos, none of which is red. Output: counts. Of the drawn crops only those count on which the print
tells: in colour (a body that is nearly white, ink that is not grey, for on a grey or tinted photo
nobody can tell a red five), and of a suit whose plain five is not printed in red ink alone anyway.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
from vision.crops import CropFactory, tiles
from vision.crops_real import labelled_crops
from vision.faces import CLASSES, generate_set
from vision.frontend import planes, to_light

MODEL = Path(__file__).resolve().parents[2] / "models" / "classifier.onnx"
FIVES = [CLASSES.index(code) for code in ("5m", "5p", "5s")]
FIRST_SETS, SETS = (910_301, 970_001), 20
# As in ClassifyParams of crates/tilesight-vision.
SLOPE, MIDDLE = 1.4, -1
# Least share of a red five's ink that is another in the plain five, and how far apart the colours
# are (0 to 765).
OTHER_INK, APART = 0.15, 60
# A body in colour: nearly white, and not dark; ink in colour.
WHITE, LIGHT, INK = 0.2, 110, 40
# Asked about between these, see IndicatorParams in crates/tilesight-vision.
ASKED = (0.2, 0.8)


def infer(crops: list[np.ndarray]) -> tuple[Any, Any]:
    """The likeliest class of each crop, and the probability of a red five as the program weighs
    it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(MODEL), options)
    rows = [session.run(["classes", "red"], {"crops": planes(crops[at : at + 64])}) for at in range(0, len(crops), 64)]
    classes, red = (np.concatenate(part) for part in zip(*rows))
    return classes.argmax(1), 1 / (1 + np.exp(-SLOPE * (red.reshape(-1) - MIDDLE)))


def drawn(first: int, count: int) -> list[Any]:
    """Crops of fives and red fives of drawn sets, as they were photographed."""
    size = (tiles.TILE_W, tiles.TILE_H)
    rng = np.random.default_rng(11)
    crops = []
    for at in range(SETS):
        one = generate_set(first + at)
        distinct = [suit for suit in "mps" if is_distinct(one, suit)]
        # A few other faces lie beside the fives.
        codes = {*one.codes[::5], *(number + suit for suit in "mps" for number in "05")}
        faces = {code: cv2.resize(one.face(code), size, interpolation=cv2.INTER_AREA) for code in sorted(codes)}
        factory = CropFactory([faces], seed=5 + at)
        factory.codes = [number + suit for suit in distinct for number in "05"]
        factory.code_p = np.ones(len(factory.codes)) / max(len(factory.codes), 1)
        crops += [factory.sample(rng) for _ in range(count // SETS if distinct else 0)]
    return crops


def is_distinct(one: Any, suit: str):
    """Tells whether the print of a set's fives distinguishes the red one from the others."""
    red, plain = (np.float32(one.face(number + suit)) for number in "05")
    ink = red[..., 3] > 127
    return np.mean(np.abs(on_white(red) - on_white(plain)).sum(-1)[ink] > APART) > OTHER_INK


def on_white(face: np.ndarray):
    """A face on a white body."""
    return face[..., :3] * face[..., 3:] / 255 + 255 - face[..., 3:]


def in_colour(crop: np.ndarray):
    """Tells whether the crop shows a nearly white body and coloured ink."""
    face = np.float32(crop[10:70, 8:56]).reshape(-1, 3)
    light = face @ np.float32([0.299, 0.587, 0.114])
    body = np.median(face[light >= np.percentile(light, 55)], 0)
    apart = np.abs(face - body).sum(1)
    ink = np.ptp(face, axis=1)[apart >= np.percentile(apart, 90)]
    return np.ptp(body) / max(body.max(), 1) < WHITE and body.mean() > LIGHT and np.percentile(ink, 75) > INK


def report(name: str, red: Any, is_red: Any) -> None:
    """Counts of one kind of crops, all of which are named a five."""
    right = (red > 0.5) == is_red
    asked = (red >= ASKED[0]) & (red <= ASKED[1])
    share = 100 * np.sum(right) / max(len(red), 1)
    print(
        f"{name}: {np.sum(right)} of {len(red)} right ({share:.1f} %), {np.sum(asked)} asked about, "
        f"{np.sum(~right & ~asked)} silently wrong"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path)
    parser.add_argument("--crops", type=int, default=4000)
    options = parser.parse_args()
    crops = [crop for first in FIRST_SETS for crop in drawn(first, options.crops // len(FIRST_SETS))]
    classes, red = infer(to_light([crop.image for crop in crops]))
    usable = np.array([in_colour(crop.image) for crop in crops]) & np.isin(classes, FIVES)
    is_red = np.array([crop.red for crop in crops])
    report("drawn red fives", red[usable & is_red], True)
    report("drawn fives", red[usable & ~is_red], False)
    for split in ("validation", "test") if options.shared else ():
        real, labels, _ = labelled_crops(options.shared, split)
        fives = real[np.isin(labels, FIVES)]
        classes, red = infer(fives)
        report(f"real fives, {split}", red[np.isin(classes, FIVES)], False)


if __name__ == "__main__":
    main()
