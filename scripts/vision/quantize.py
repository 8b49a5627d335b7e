"""Tries a network in int8, tells what it gains and loses, and ships it if it loses nothing.

Purpose:
`python3 -m vision.quantize NETWORK --out DIR [--models PATH] [--shared PATH] [--ship]`
(PYTHONPATH=scripts). Input: models/NAME.onnx as exported in float. Output: DIR/NAME.int8.onnx (QDQ,
per channel) and figures for both; with --ship it takes the float model's place if it is no worse.
Invariant: calibration sees rendered pictures only; a worse int8 model is never shipped.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from . import detector_check as check
from . import export_classifier, export_detector, export_refiner
from .crops_photo import CROP_H, CROP_W
from .faces import generate_set
from .frontend import SIDE, cells, planes
from .manifest import digest
from .onnx_graph import as_float, exact_stem, in_cells
from .refiner_crops import pairs
from .scene import Generator
from .session import session
from .train_refiner import SCENE, check_pairs, figures

CALIBRATION_SEED, CALIBRATION_SCENES, CALIBRATION_CROPS = 41, 150, 768
# What a network may lose in int8: one tile in a thousand, and a thirtieth of the corners' error.
TILES, CORNERS = 0.001, 0.003


class Pictures(CalibrationDataReader):
    """Rendered pictures as calibration inputs."""

    def __init__(self, name: str, batches: Any) -> None:
        self.name, self.batches = name, iter(batches)

    def get_next(self) -> dict[str, Any] | None:
        batch = next(self.batches, None)
        return None if batch is None else {self.name: np.ascontiguousarray(batch, np.float32)}


class Detector:
    """The detector. In float stay the heads' last layers, since a step of 8 bits over the corners'
    range would be more than a pixel, and what is done with their sums. It then takes bytes."""

    spared = ("quad_head.2", "heat_head.1", "Sigmoid", "Clip", "Slice")
    note = "int8 (QDQ, per channel, weights of 7 bits; the heads' last layers in float), bytes in cells of 4 x 4 pixels"
    sample = (1, 3, 480, 640)
    finish = staticmethod(in_cells)

    def __init__(self, options: argparse.Namespace) -> None:
        self.shared = options.shared

    def pictures(self) -> Pictures:
        """150 scenes."""
        generator = Generator([generate_set(k) for k in range(4)], CALIBRATION_SEED, pool=6)
        images = (generator.sample(k).image for k in range(CALIBRATION_SCENES))
        return Pictures("image", (image.transpose(2, 0, 1)[None] / np.float32(255) for image in images))

    def measure(self, path: Path) -> dict[str, Any]:
        """Recall and corners."""
        run = export_detector.session_run(path)
        return check.rendered(run) | (check.photos(run, self.shared, limit=1000) if self.shared else {})

    def no_worse(self, small: Any, full: dict[str, Any]):
        """Neither recall nor corners are lost."""
        recalls = [key for key in full if "recall" in key]
        kept = all(small[key] >= full[key] - TILES for key in recalls)
        return kept and small["corner_median"] <= full["corner_median"] + CORNERS


class Refiner:
    """The refiner. In float stay the head, which answers in hundredths of a tile, and the stem,
    which is slower in int8."""

    spared = ("head", "body.0", "/Sub", "/Mul", "/Add")
    note = "int8 (QDQ, per channel, weights of 7 bits; stem and head in float, the stem's sums exact)"
    sample = (20, 3, SIDE, SIDE)
    finish = staticmethod(exact_stem)

    def __init__(self, _options: argparse.Namespace) -> None:
        self.checked = check_pairs()

    def pictures(self) -> Pictures:
        """768 tiles of scenes."""
        generator = Generator([generate_set(k) for k in range(4)], CALIBRATION_SEED, pool=6)
        rng, crops, scene = np.random.default_rng(CALIBRATION_SEED), [], 0
        while len(crops) < CALIBRATION_CROPS:
            crops += [crop for crop, _ in pairs(rng, generator.sample(scene, SCENE))]
            scene += 1
        return Pictures("crops", (planes(part) for part in np.array_split(np.stack(crops), 16)))

    def measure(self, path: Path) -> dict[str, float]:
        """The worst corner of each tile, in widths of the tile."""
        return figures(export_refiner.session_run(path), self.checked)["mended"]

    def no_worse(self, small: Any, full: dict[str, Any]) -> bool:
        """The corners lie as near."""
        return all(small[key] <= full[key] + CORNERS for key in ("median", "p95"))


class Classifier:
    """The classifier. In float stay the heads, the embedding's metric, and the stem, which is
    slower in int8. The temperature stays as well: the logits differ by less than that is known."""

    sidecar = "classifier.json"
    spared = ("heads", "body.0", "/Sub", "/Mul", "/Metric")
    note = "int8 (QDQ, per channel, weights of 7 bits; stem and heads in float, the stem's sums exact)"
    sample = (14, 3, CROP_H, CROP_W)
    finish = staticmethod(exact_stem)

    def __init__(self, options: argparse.Namespace) -> None:
        self.held = export_classifier.held_out(options.shared and Path(options.shared), options.models)
        self.temperature = json.loads((options.models / self.sidecar).read_text())["temperature"]

    def pictures(self) -> Pictures:
        """768 crops of drawn sets."""
        crops = export_classifier.rendered(CALIBRATION_CROPS, 78)[0]
        return Pictures("crops", (planes(part) for part in np.array_split(crops, 24)))

    def measure(self, path: Path) -> dict[Any, Any]:
        """All figures of the export."""
        return export_classifier.measured(session(path), self.held, self.temperature)

    def no_worse(self, small: Any, full: dict[str, Any]):
        """No set of real crops loses a tile in a thousand; without real crops, no set of rendered
        ones does."""
        kept = [small[k]["all42"] >= full[k]["all42"] - TILES for k in self.held]
        return (
            all(kept)
            if kept
            else small["rendered_unseen_sets"]["all44"] >= full["rendered_unseen_sets"]["all44"] - TILES
        )


class LargeClassifier(Classifier):
    """The large classifier, in int8 like the classifier."""

    sidecar = "large-classifier.json"


NETWORKS = {"detector": Detector, "refiner": Refiner, "classifier": Classifier, "large-classifier": LargeClassifier}


def rounded(value: Any):
    """Rounds all figures to four places, at any depth."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return round(value, 4) if isinstance(value, float) else value


def milliseconds(path: Path, shape: Any, rounds: int = 40):
    """Least time of an input on one thread: the least is what a busy machine disturbs least."""
    run, times = session(path), []
    given, numbers = run.get_inputs()[0], np.random.default_rng(0)
    name, picture = given.name, numbers.random(shape, np.float32)
    if given.type == "tensor(uint8)":
        picture = cells(numbers.integers(0, 256, (*shape[2:], 3), np.uint8))
    for _ in range(rounds):
        start = time.perf_counter()
        run.run(None, {name: picture})
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def quantized(network: Any, source: Any, out: Path) -> Path:
    """The int8 file of a float one."""
    ready, small = out / "ready.onnx", out / f"{source.stem.split('.')[0]}.int8.onnx"
    quant_pre_process(str(source), str(ready), skip_symbolic_shape=True)
    spared = [n.name for n in onnx.load(str(ready)).graph.node if any(part in n.name for part in network.spared)]
    quantize_static(
        str(ready),
        str(small),
        network.pictures(),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        # Seven bits for weights: processors without VNNI add two products in 16 bits, which eight
        # bits overflow.
        reduce_range=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        nodes_to_exclude=spared,
    )
    if finish := getattr(network, "finish", None):
        onnx.save(finish(onnx.load(str(small))), str(small))
    return small


def facts_of(network: Any, path: Path):
    """Size, time and all figures of an ONNX file."""
    speed = {
        "bytes": path.stat().st_size,
        f"ms_{'x'.join(map(str, network.sample))}": milliseconds(path, network.sample),
    }
    return rounded(speed | network.measure(path))


def ship(options: argparse.Namespace, network: Any, small: Any, measured: dict[str, Any]) -> None:
    """Puts the int8 file into the float file's place, with both rows of figures in the sidecar."""
    sidecar = options.models / f"{options.network}.json"
    facts, target = json.loads(sidecar.read_text()), options.models / f"{options.network}.onnx"
    facts["precision"] = network.note
    facts["metrics_float"] = facts.get("metrics_float", facts["metrics"]) | measured["float"]
    facts["metrics"] = measured["int8"]
    shutil.copyfile(small, target)
    if "sha256" in facts:
        facts["sha256"] = digest(target)
    sidecar.write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shared", default=os.environ.get("TILESIGHT_SHARED"))
    parser.add_argument("--ship", action="store_true", help="replace the float model if int8 is no worse")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    source = options.out / f"{options.network}.float.onnx"
    given = onnx.load(str(options.models / f"{options.network}.onnx"))
    if any(node.op_type == "QuantizeLinear" for node in given.graph.node):
        print("the network is in int8 already: begun with its weights in float")
        given = as_float(given)
    onnx.save(given, str(source))
    network = NETWORKS[options.network](options)
    small = quantized(network, source, options.out)
    measured = {"float": facts_of(network, source), "int8": facts_of(network, small)}
    print(json.dumps(measured, indent=2))
    if options.ship and network.no_worse(measured["int8"], measured["float"]):
        ship(options, network, small, measured)
        print("shipped int8")


if __name__ == "__main__":
    main()
