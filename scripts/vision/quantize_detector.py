"""Tries the detector in int8 and tells what it gains and loses.

Purpose: `python3 -m vision.quantize_detector --models models --out DIR [--shared PATH] [--ship]`.
Input: models/detector.onnx as exported in float. Output: DIR/detector.int8.onnx (QDQ, per channel)
and figures for both; with --ship it takes the float model's place if it is no worse.
Invariant: calibration sees rendered scenes only; a worse int8 model is never shipped.
"""

import argparse
import json
import os
import shutil
import time
from pathlib import Path

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from . import detector_check as check
from .export_detector import session_run
from .faces import generate_set
from .scene import Generator

CALIBRATION_SEED, CALIBRATION_SCENES = 41, 150


class Scenes(CalibrationDataReader):
    """Rendered scenes as calibration inputs."""

    def __init__(self):
        generator = Generator([generate_set(k) for k in range(4)], CALIBRATION_SEED, pool=6)
        self.images = iter(generator.sample(k).image for k in range(CALIBRATION_SCENES))

    def get_next(self):
        image = next(self.images, None)
        return (
            None if image is None else {"image": np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32) / 255}
        )


def spared(path):
    """Nodes that stay in float: the heads, since a step of 8 bits over the corners' range would be
    more than a pixel, and the stem and heat head, which cost 0.2 to 0.3 % of the recall of small
    tiles in int8 and little time in float."""
    graph = onnx.load(path).graph
    return [n.name for n in graph.node if any(part in n.name for part in ("quad_head", "heat_head", "stem"))]


def milliseconds(run, rounds=12):
    """Median time of a 640 x 480 image on one thread."""
    image, times = np.random.default_rng(0).random((1, 3, 480, 640), np.float32), []
    for _ in range(rounds):
        start = time.perf_counter()
        run(image)
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times))


def measure(path, shared):
    """Size, time and all figures of an ONNX file."""
    run = session_run(path)
    figures = {"bytes": path.stat().st_size, "ms_640x480": milliseconds(run)} | check.rendered(run)
    figures |= check.photos(run, shared, limit=1000) if shared else {}
    return {k: round(v, 4) for k, v in figures.items()}


def no_worse(small, full):
    """Whether int8 loses neither recall nor corners, beyond what one tile in a thousand is
    worth."""
    recalls = [k for k in full if "recall" in k]
    return all(small[k] >= full[k] - 0.001 for k in recalls) and small["corner_median"] <= full["corner_median"] + 0.003


def ship(options, small, figures):
    """Puts the int8 file into the float file's place, with both rows of figures in the sidecar."""
    sidecar = options.models / "detector.json"
    facts = json.loads(sidecar.read_text())
    facts["precision"] = "int8 (QDQ, per channel; stem and heads in float)"
    facts["metrics_float"], facts["metrics"] = facts["metrics"] | figures["float"], figures["int8"]
    shutil.copyfile(small, options.models / "detector.onnx")
    sidecar.write_text(json.dumps(facts, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shared", default=os.environ.get("TILESIGHT_SHARED"))
    parser.add_argument("--ship", action="store_true", help="replace the float model if int8 is no worse")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    source, ready, small = (
        options.out / "detector.float.onnx",
        options.out / "ready.onnx",
        options.out / "detector.int8.onnx",
    )
    shutil.copyfile(options.models / "detector.onnx", source)
    quant_pre_process(str(source), str(ready), skip_symbolic_shape=True)
    quantize_static(
        str(ready),
        str(small),
        Scenes(),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        nodes_to_exclude=spared(ready),
    )
    figures = {"float": measure(source, options.shared), "int8": measure(small, options.shared)}
    print(json.dumps(figures, indent=2))
    if options.ship and no_worse(figures["int8"], figures["float"]):
        ship(options, small, figures)
        print("shipped int8")


if __name__ == "__main__":
    main()
