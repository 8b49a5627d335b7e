"""Exports the trained refiner as ONNX, checks it against torch, measures it, and writes its sidecar
of facts.

Purpose: `python3 -m vision.export_refiner --checkpoint out/refiner/refiner.pt --models models`
(PYTHONPATH=scripts). Input: a checkpoint of `train_refiner`. Output: models/refiner.onnx (opset 17,
any number of crops) and models/refiner.json.
Invariant: nothing is written unless the ONNX corners equal torch's; the scenes it is measured on
are never trained on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from .frontend import SIDE, SURROUNDINGS
from .refiner import load
from .session import session
from .train_detector import DRAWN_SETS
from .train_refiner import check_pairs, figures, tensor

# In sides of the quad: a hundredth of a pixel of the crop.
TOLERANCE = 1e-4


def session_run(path: Path) -> Callable:
    """A run function over an ONNX file."""
    opened = session(path)
    return lambda crops: opened.run(["corners"], {"crops": np.asarray(crops)})[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=Path("models"))
    options = parser.parse_args()
    model, kept = load(options.checkpoint), torch.load(options.checkpoint, map_location="cpu")
    path, trial = options.models / "refiner.onnx", options.models / "refiner.onnx.new"
    axes = {name: {0: "crops"} for name in ("crops", "corners")}
    torch.onnx.export(
        model,
        torch.rand(2, 3, SIDE, SIDE),
        str(trial),
        opset_version=17,
        input_names=["crops"],
        output_names=["corners"],
        dynamic_axes=axes,
    )
    run, checked = session_run(trial), check_pairs()
    sample = tensor(np.stack([crop for crop, _ in checked[:50]]))
    with torch.no_grad():
        difference = float(np.abs(run(sample) - model(sample).numpy()).max())
    if difference > TOLERANCE:
        raise SystemExit(f"ONNX differs from torch by {difference}; nothing written")
    trial.replace(path)
    measured = figures(session_run(path), checked)
    facts = {
        "file": path.name,
        "input": [SIDE, SIDE],
        "margin": SURROUNDINGS,
        "training": {
            "steps": kept["step"],
            "samples": kept["samples"],
            "seconds": round(kept["seconds"]),
            "seed": kept["seed"],
            "sources": f"rendered scenes with shared tile art and {DRAWN_SETS} drawn sets, and "
            f"{kept.get('cycles', 0)} near-photographic scenes; "
            "no real photos, whose boxes have no corners",
        },
        "metrics": {
            "worst_corner": {name: {k: round(v, 4) for k, v in part.items()} for name, part in measured.items()},
            "bytes": path.stat().st_size,
            "onnx_difference": round(difference, 7),
        },
    }
    (options.models / "refiner.json").write_text(json.dumps(facts, indent=2) + "\n")
    print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
