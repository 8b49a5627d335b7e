"""Tries the detector in int8 and tells what it gains and loses.

Purpose: `python3 -m vision.quantize_detector --models models --out DIR [--shared PATH]`.
Input: models/detector.onnx. Output: DIR/detector.int8.onnx (QDQ, per channel) and a line of figures for both.
Invariant: the shipped model is not touched; calibration sees rendered training scenes only.
"""
import argparse
import json
import os
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

CALIBRATION_SEED, CALIBRATION_SCENES = 41, 48


class Scenes(CalibrationDataReader):
    """Rendered scenes as calibration inputs."""

    def __init__(self):
        generator = Generator([generate_set(k) for k in range(4)], CALIBRATION_SEED, pool=6)
        self.images = iter(generator.sample(k).image for k in range(CALIBRATION_SCENES))

    def get_next(self):
        image = next(self.images, None)
        return None if image is None else {"image": np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32) / 255}


def spared(path):
    """Nodes that stay in float: a step of 8 bits over the corners' range would be more than a pixel."""
    graph = onnx.load(path).graph
    return [n.name for n in graph.node if "quad_head" in n.name or "heat_head.1" in n.name or "heat_head/heat_head.1" in n.name]


def milliseconds(run, rounds=12):
    """Median time of a 640 x 480 image on one thread."""
    image, times = np.random.default_rng(0).random((1, 3, 480, 640), np.float32), []
    for _ in range(rounds):
        start = time.perf_counter()
        run(image)
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shared", default=os.environ.get("TILESIGHT_SHARED"))
    options = parser.parse_args()
    source, ready, small = options.models / "detector.onnx", options.out / "ready.onnx", options.out / "detector.int8.onnx"
    options.out.mkdir(parents=True, exist_ok=True)
    quant_pre_process(str(source), str(ready), skip_symbolic_shape=True)
    quantize_static(str(ready), str(small), Scenes(), quant_format=QuantFormat.QDQ, per_channel=True, activation_type=QuantType.QUInt8,
                    weight_type=QuantType.QInt8, nodes_to_exclude=spared(ready))
    for path in (source, small):
        run = session_run(path)
        figures = {"bytes": path.stat().st_size, "ms_640x480": milliseconds(run)} | check.rendered(run)
        figures |= check.photos(run, options.shared) if options.shared else {}
        print(path.name, json.dumps({k: round(v, 4) for k, v in figures.items()}), flush=True)


if __name__ == "__main__":
    main()
