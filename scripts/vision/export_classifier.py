"""Export the trained classifier to ONNX, check it and calibrate it.

Purpose: models/classifier.onnx and its sidecar, with --large models/large-classifier.onnx and its
own. Input: the checkpoint of train_classifier; --shared PATH for measuring.
Output: the ONNX file (opset 17, dynamic N; the large classifier's without an embedding), the
sidecar (hash, preprocessing, temperature, figures), a line for each measure.
Invariant: the file is written only when ONNX Runtime agrees with torch. `vision.quantize` brings it
to int8; `scripts/large-classifier` does both for the large classifier.

    PYTHONPATH=scripts python3 -m vision.export_classifier --checkpoint out/classifier/classifier.pt \\
        --models models --shared PATH
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
from torch import nn

from .classifier import LARGE, SMALL, Exported, load
from .crops import CropFactory, small_faces
from .crops_photo import CROP_H, CROP_W, MARGIN
from .crops_real import detected_crops, labelled_crops, unseen_crops
from .eyes import Eyes
from .faces import BONUS, CLASSES, generate_set
from .frontend import planes
from .manifest import digest
from .matching import matched
from .session import session

AGREE = 1e-3  # Largest difference of logits between torch and ONNX Runtime: float32 sums in another order.
BONUS_AT = CLASSES.index(BONUS[0])


def write_onnx(model: nn.Module, path: Path) -> None:
    """Export with named inputs and outputs and a free batch size."""
    names = ["classes", "turn", "red", "embedding"][: 4 if isinstance(model, Exported) else 3]
    torch.onnx.export(
        model.eval(),
        torch.rand(2, 3, CROP_H, CROP_W),
        str(path),
        opset_version=17,
        input_names=["crops"],
        output_names=names,
        dynamic_axes={"crops": {0: "n"}} | {k: {0: "n"} for k in names},
    )
    onnx.checker.check_model(onnx.load(str(path)))


def read(run: ort.InferenceSession, crops: np.ndarray) -> list[np.ndarray]:
    """All outputs for uint8 crops."""
    parts = [run.run(None, {"crops": planes(c)}) for c in np.array_split(crops, max(1, len(crops) // 64))]
    return [np.concatenate(p) for p in zip(*parts)]


def difference(model: nn.Module, run: ort.InferenceSession, crops: np.ndarray) -> float:
    """Largest difference of any output between torch and ONNX Runtime."""
    with torch.no_grad():
        ours = model(torch.from_numpy(crops).permute(0, 3, 1, 2).float() / 255)
    return max(float(np.abs(a.numpy() - b).max()) for a, b in zip(ours, read(run, crops)))


def rendered(count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rendered crops of generated sets that training never drew (other seeds)."""
    factory = CropFactory([small_faces(generate_set(7_000_000 + i)) for i in range(8)], seed=seed)
    rng = np.random.default_rng(seed)
    crops = [factory.sample(rng) for _ in range(count)]
    return tuple(np.array([getattr(c, k) for c in crops]) for k in ("image", "label", "turn", "red"))


def log_softmax(logits: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Log probabilities at a temperature."""
    z = logits / temperature
    z = z - z.max(1, keepdims=True)
    return z - np.log(np.exp(z).sum(1, keepdims=True))


def fit_temperature(logits: np.ndarray, labels: np.ndarray, names: list[str]) -> float:
    """The temperature of least negative log likelihood, every scene counting alike.

    Half of the validation tiles are of one scene, whose standing tiles are cut with half of their
    pale side: by them the classifier would have to doubt all it sees.
    """
    scenes, at, count = np.unique([name.split(" ", 1)[1] for name in names], return_inverse=True, return_counts=True)
    weight = 1 / count[at] / len(scenes)
    grid = np.exp(np.linspace(np.log(0.2), np.log(4), 161))
    costs = [-(weight * log_softmax(logits, t)[np.arange(len(labels)), labels]).sum() for t in grid]
    return round(float(grid[int(np.argmin(costs))]), 3)


def calibration_error(logits: np.ndarray, labels: np.ndarray, temperature: float) -> float:
    """Expected calibration error over 15 bins of equal count."""
    p = np.exp(log_softmax(logits, temperature))
    sure, right = p.max(1), p.argmax(1) == labels
    order = np.array_split(np.argsort(sure), 15)
    return round(float(sum(abs(sure[o].mean() - right[o].mean()) * len(o) for o in order if len(o)) / len(labels)), 4)


def figures(logits: np.ndarray, labels: np.ndarray, temperature: float) -> dict:
    """Accuracy over 34 faces, over bonus tiles (exactly, and as some bonus tile), over all;
    calibration; confusions."""
    best = logits.argmax(1)
    right, plain = best == labels, labels < BONUS_AT
    wrong = Counter(f"{CLASSES[a]}>{CLASSES[b]}" for a, b in zip(labels[~right], best[~right]))
    some = (best >= BONUS_AT) & (best < BONUS_AT + 8)
    share = lambda hits, mask: round(float(hits[mask].mean()), 4) if mask.any() else None  # noqa: E731
    return {
        "n": len(labels),
        "faces34": share(right, plain),
        "n34": int(plain.sum()),
        "bonus": share(right, ~plain),
        "n_bonus": int((~plain).sum()),
        "bonus_as_some_bonus": share(some, ~plain),
        "all42": round(float(right.mean()), 4),
        "calibration_error": calibration_error(logits, labels, temperature),
        "confusions": dict(wrong.most_common(25)),
    }


def rendered_figures(run: ort.InferenceSession) -> dict:
    """Figures that only renders can measure: turn, red fives, back and not-a-face."""
    crops, labels, turns, reds = rendered(1500, 77)
    classes, turn, red = read(run, crops)[:3]
    best, known = classes.argmax(1), turns >= 0
    fives = np.isin(labels, [4, 13, 22])
    out = {
        "all44": round(float((best == labels).mean()), 4),
        "turn": round(float((turn.argmax(1) == turns)[known].mean()), 4),
        "turn_up_to_half": round(float((turn.argmax(1) % 2 == turns % 2)[known].mean()), 4),
        "red_fives": round(float(((red[:, 0] > 0) == reds)[fives].mean()), 4),
    }
    for name in ("P", "back", "none"):
        out[name] = round(float((best == labels)[labels == CLASSES.index(name)].mean()), 4)
    return out


def held_out(shared: Path | None, models: Path) -> dict:
    """The real crops to measure on, by name; "validation" calibrates, cut as the program cuts them
    where a detector is there."""
    if not shared:
        return {}
    held = {"unseen": unseen_crops(shared)}
    look = Eyes.of(models)
    for split in ("validation", "test", "sets"):
        if look:
            held |= {split: detected_crops(shared, split, look), f"{split}_boxes": labelled_crops(shared, split)}
        else:
            held[split] = labelled_crops(shared, split)
    return held


def measured(run: ort.InferenceSession, held: dict, temperature: float) -> dict:
    """All figures of a session: on the real crops by name, and on rendered ones."""
    outputs = {name: read(run, crops) for name, (crops, _, _) in held.items()}
    metrics = {name: figures(outputs[name][0], held[name][1], temperature) for name in held}
    metrics |= {
        f"{name}_matched": matched(outputs[name][3], *held[name][1:])
        for name in ("validation", "test")
        if name in held and len(outputs[name]) > 3
    }
    return metrics | {"rendered_unseen_sets": rendered_figures(run)}


def main() -> None:
    """Export, check, calibrate, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, default=Path("out/classifier/classifier.pt"))
    parser.add_argument("--large", action="store_true", help="the checkpoint is the large classifier's")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--shared", type=Path, default=os.environ.get("TILESIGHT_SHARED"))
    args = parser.parse_args()
    args.models.mkdir(parents=True, exist_ok=True)
    name, shape = ("large-classifier", LARGE) if args.large else ("classifier", SMALL)
    model, part = load(args.checkpoint, shape=shape), args.checkpoint.parent / f"{name}.onnx"
    model = model if args.large else Exported(model).eval()
    write_onnx(model, part)
    run, held = session(part), held_out(args.shared, args.models)
    apart = difference(model, run, rendered(64, 5)[0])
    if apart > AGREE:
        raise SystemExit(f"ONNX Runtime and torch differ by {apart}")
    temperature = fit_temperature(read(run, held["validation"][0])[0], *held["validation"][1:]) if held else 1.0
    metrics = measured(run, held, temperature) | {"onnx_difference": float(f"{apart:.2e}")}
    target = args.models / f"{name}.onnx"
    target.write_bytes(part.read_bytes())
    state = torch.load(args.checkpoint, map_location="cpu")
    sidecar = {
        "file": target.name,
        "sha256": digest(target),
        "input": [CROP_H, CROP_W],
        "margin": MARGIN,
        "classes": CLASSES,
        "temperature": temperature,
        **({} if args.large else {"embedding": run.get_outputs()[3].shape[1]}),
        "training": {
            "steps": state["step"],
            "samples": state.get("samples", state["step"] * 64),
            "seed": state.get("seed", 1),
            "sources": state.get("sources", ""),
        },
        "metrics": metrics,
    }
    (args.models / f"{name}.json").write_text(json.dumps(sidecar, indent=2, ensure_ascii=False) + "\n")
    print(json.dumps({"temperature": temperature} | metrics, indent=1))


if __name__ == "__main__":
    main()
