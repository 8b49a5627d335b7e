"""Figures that tell how good a detector is: rendered scenes for corners, real photos for recall.

Purpose: the curve in the training log, and the metrics of the sidecar.
Input: weights or an ONNX session's run function; optionally the shared folder with the real
validation photos.
Output: a dict of figures: recall at 0.2 and 0.3, precision on rendered scenes, corner errors in
tile widths.
Invariant: neither the rendered scenes' seed nor the real photos are ever trained on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .detector import Detector, Exported, detect, peaks, suppress, widths

CHECK_SEED = 990017
_SCENES = {}


def torch_run(state: dict[str, Any]) -> Callable:
    """A run function of the weights: [1, 3, H, W] -> the four maps."""
    model = Detector()
    model.load_state_dict({k: v.cpu() for k, v in state.items()})
    model.eval()
    exported = Exported(model).to(memory_format=torch.channels_last)

    def run(image: np.ndarray):
        with torch.no_grad():
            return [m.numpy() for m in exported(torch.from_numpy(image))]

    return run


def scenes(count: int = 160, size: int = 384):
    """Rendered validation scenes with the project's own drawn sets of seeds that training never
    uses."""
    if not _SCENES:
        from .faces import generate_set
        from .scene import Generator

        generator = Generator([generate_set(880000 + k) for k in range(8)], CHECK_SEED, pool=8)
        _SCENES[0] = [generator.sample(k, size) for k in range(count)]
    return _SCENES[0]


def _corner_errors(found: np.ndarray, wanted: np.ndarray):
    """Mean distance of the corners over the tile's width, the best of the four cyclic orders."""
    turns = np.stack([np.roll(wanted, -k, 0) for k in range(4)])
    return np.linalg.norm(turns - found, axis=-1).mean(1).min() / widths(wanted[None])[0]


def rendered(run: Callable, threshold: float = 0.2) -> dict[str, Any]:
    """Recall, precision, corner errors and face accuracy on single-scale rendered scenes."""
    hit = total = alarms = shown = right = 0
    errors = []
    for sample in scenes():
        heat, quad, axis, face = (
            np.asarray(m)[0] for m in run(np.ascontiguousarray(sample.image.transpose(2, 0, 1)[None], np.float32) / 255)
        )
        quads, scores, up = peaks(heat[0], quad, axis[0], face[0], threshold)
        keep = suppress(quads, scores)
        quads, up = quads[keep], up[keep]
        middles, used = quads.mean(1), set()
        for wanted, faces, ignored in zip(sample.quads, sample.up, sample.ignore):
            middle, near = wanted.mean(0), 0.35 * widths(wanted[None])[0]
            distance = np.linalg.norm(middles - middle, axis=1) if len(quads) else np.array([])
            best = distance.argmin() if len(distance) else -1
            if ignored:
                used.update(np.nonzero(distance < 2 * near)[0].tolist())
                continue
            total += 1
            if best >= 0 and distance[best] < near:
                hit += 1
                used.add(int(best))
                errors.append(_corner_errors(quads[best], wanted))
                right += (up[best] > 0.5) == faces
        shown += len(quads)
        alarms += len(quads) - len(used)
    errors = np.array(errors) if errors else np.ones(1)
    return {
        "scene_recall": hit / total,
        "scene_false": alarms / max(1, shown),
        "corner_median": float(np.median(errors)),
        "corner_p95": float(np.percentile(errors, 95)),
        "face_right": right / max(1, hit),
    }


def photos(run: Callable, shared: Path, limit: int = 60, thresholds: Sequence[float] = (0.2, 0.3)) -> dict[str, Any]:
    """Recall of the labelled centres in real validation photos, and detections per labelled tile
    inside the labelled area."""
    from .real import load_real

    chosen = [p for p in load_real(shared, "validation") if p.tiles and p.kind != "strip"]
    chosen = chosen[:: max(1, len(chosen) // limit)]
    hits, total, inside = dict.fromkeys(thresholds, 0), 0, 0
    for photo in chosen:
        quads, scores, _ = detect(run, photo.image(), threshold=min(thresholds))
        boxes = np.array([b[1:] for b in photo.boxes()])
        middles = quads.mean(1)
        for box in boxes:
            near = 0.35 * min(box[2], box[3])
            distance = np.linalg.norm(middles - (box[:2] + box[2:] / 2), axis=1) if len(quads) else np.array([])
            total += 1
            for t in thresholds:
                hits[t] += bool((distance[scores > t] < near).any()) if len(distance) else 0
        if len(quads) and len(boxes):
            reach = (middles[:, None] > boxes[None, :, :2]) & (
                middles[:, None] < boxes[None, :, :2] + boxes[None, :, 2:]
            )
            inside += int(reach.all(-1).any(1).sum())
    return {f"real_recall_{t}": hits[t] / max(1, total) for t in thresholds} | {
        "real_per_tile": inside / max(1, total),
        "real_tiles": total,
    }


def figures(state: dict[str, Any], shared: Path | None = None) -> dict[str, Any]:
    """All figures of a set of weights."""
    run = torch_run(state)
    return rendered(run) | (photos(run, shared) if shared else {})
