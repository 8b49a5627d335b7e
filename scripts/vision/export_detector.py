"""Exports the trained detector as ONNX, checks it against torch, and writes its sidecar of facts.

Purpose:
`python3 -m vision.export_detector --checkpoint out/detector/detector.pt --models models [--shared PATH]`.
Input: a checkpoint of `train_detector`. Output: models/detector.onnx (opset 17, any height and
width that are multiples of 32) and models/detector.json (sizes, stride, threshold, training,
metrics).
Invariant: nothing is written unless the ONNX maps equal torch's on rendered scenes.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from . import detector_check as check
from .detector import MIN_WIDTHS, SIZES, Detector, Exported
from .frontend import cells
from .session import session
from .train_detector import BATCH, CYCLES_SHARE, DRAWN_SETS, REAL_SHARE, SIZE

NAMES = ["heat", "quad", "axis", "face"]
# Quads reach some dozens of cells: a thousandth of a cell is far below any use of them.
TOLERANCE = 2e-3
THRESHOLD = 0.2


def session_run(path: Path) -> Callable:
    """A run function over an ONNX file; what is in int8 takes bytes."""
    opened = session(path)
    if opened.get_inputs()[0].type == "tensor(float)":
        return lambda image: opened.run(NAMES, {"image": image})
    return lambda image: opened.run(NAMES, {"image": cells(np.uint8(np.round(image[0].transpose(1, 2, 0) * 255)))})


def export(state: dict[str, Any], path: Path) -> None:
    """Writes the network with batch norms folded by the exporter."""
    model = Detector()
    model.load_state_dict(state)
    model.eval()
    axes = {"image": {0: "pictures", 2: "height", 3: "width"}}
    axes |= {name: {0: "pictures", 2: "rows", 3: "columns"} for name in NAMES}
    torch.onnx.export(
        Exported(model),
        torch.rand(1, 3, 480, 640),
        str(path),
        opset_version=17,
        input_names=["image"],
        output_names=NAMES,
        dynamic_axes=axes,
    )


def largest_difference(state: dict[str, Any], path: Path) -> float:
    """The largest difference of any map between torch and the ONNX file, over scenes of two
    shapes."""
    reference, exported, worst = check.torch_run(state), session_run(path), 0.0
    for k, scene in enumerate(check.scenes()[:8]):
        image = np.ascontiguousarray(scene.image.transpose(2, 0, 1)[None], np.float32) / 255
        image = image if k % 2 else np.ascontiguousarray(image[:, :, :320, :288])
        for a, b in zip(reference(image), exported(image)):
            worst = max(worst, float(np.abs(a - b).max()))
    return worst


def curve(log: Path) -> list[dict[Any, Any]]:
    """The checks of the training log, in order."""
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return [{k: round(v, 3) for k, v in line.items()} for line in lines if "corner_median" in line]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--shared", default=os.environ.get("TILESIGHT_SHARED"))
    parser.add_argument("--note", default="", help="how this checkpoint came about, for the sidecar")
    options = parser.parse_args()
    kept = torch.load(options.checkpoint, map_location="cpu")
    options.models.mkdir(parents=True, exist_ok=True)
    path, trial = options.models / "detector.onnx", options.models / "detector.onnx.new"
    export(kept["averaged"], trial)
    difference = largest_difference(kept["averaged"], trial)
    if difference > TOLERANCE:
        raise SystemExit(f"ONNX differs from torch by {difference}; nothing written")
    trial.replace(path)
    run = session_run(path)
    metrics = check.rendered(run, THRESHOLD) | (check.photos(run, options.shared, limit=1000) if options.shared else {})
    facts = {
        "file": path.name,
        "sizes": list(SIZES),
        "min_width": list(MIN_WIDTHS),
        "stride": 8,
        "threshold": THRESHOLD,
        "training": {
            "steps": kept["step"],
            "samples": kept["step"] * BATCH,
            "crop": SIZE,
            "seconds": round(kept["seconds"]),
            "seed": kept["seed"],
            "note": options.note,
            "sources": f"rendered scenes with shared tile art and {DRAWN_SETS} drawn sets; {REAL_SHARE:.0%} "
            "crops of real photos of the train split"
            + (
                f"; at last {CYCLES_SHARE:.0%} windows of {kept['cycles']} near-photographic scenes"
                if kept.get("cycles")
                else ""
            ),
        },
        "curve": curve(options.checkpoint.with_suffix(".log")),
        "metrics": {k: round(v, 4) for k, v in metrics.items()} | {"onnx_difference": round(difference, 7)},
    }
    (options.models / "detector.json").write_text(json.dumps(facts, indent=2) + "\n")
    print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
