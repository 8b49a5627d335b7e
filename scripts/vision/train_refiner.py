"""Trains the corner refiner on rendered scenes.

Purpose: `python3 -m vision.train_refiner --shared PATH --out DIR --samples N --seed 1`
(PYTHONPATH=scripts). Input: tile art (shared sets where they are at hand, drawn sets), and with
--scenes near-photographic ones (cycles_scenes).
Output: DIR/refiner.pt (weights, their running mean, optimiser, step) and DIR/refiner.log.
Invariant: a checkpoint resumes at the next scene; the rate falls to nothing at the last step.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from .cycles_samples import load_scenes
from .detector import widths
from .frontend import planes
from .refiner import SQUARE, Refiner
from .refiner_crops import from_frame, pairs
from .scene import Generator
from .train_detector import Averaged, face_sets, save

BATCH, SCENE = 64, 384
# So many crops are kept and drawn from: those of one scene look alike and must not meet in one
# batch.
STORE = 4096
# Each crop is shown about so often: rendering costs several times its training step.
SHOWN = 3
# Of the fresh crops so many are of the near-photographic scenes, where there are any: their light
# and rounded edges are truer.
CYCLES_SHARE = 0.4
# Below a fiftieth of a side the loss is square: finer than a pixel of the crop nothing is to be
# learnt.
FINE = 0.02
CHECK_SEED = 990018


class Stream:
    """Endless batches of crops and corners."""

    def __init__(self, shared: Any, seed: int, scene: Any, cycles: Any = ()) -> None:
        self.generator, self.seed, self.scene = Generator(face_sets(shared, seed), seed), seed, scene
        self.cycles = cycles
        self.rng = np.random.default_rng((seed, 30, scene))
        self.store = []

    def batch(self) -> tuple[Any, Any]:
        """Crops uint8 [64, 64, 64, 3], corners [64, 4, 2]."""
        wanted = BATCH // SHOWN
        while wanted > 0 or len(self.store) < STORE // 8:
            if self.cycles and self.rng.random() < CYCLES_SHARE:
                found = pairs(self.rng, self.cycles[self.rng.integers(len(self.cycles))])
                # As many as a rendered scene has, so that the shares are those of crops.
                fresh = [found[k] for k in self.rng.permutation(len(found))[:8]]
            else:
                fresh = pairs(self.rng, self.generator.sample(self.scene, SCENE))
                self.scene += 1
            wanted -= len(fresh)
            for pair in fresh:
                if len(self.store) < STORE:
                    self.store.append(pair)
                else:
                    self.store[self.rng.integers(STORE)] = pair
        chosen = [self.store[k] for k in self.rng.integers(len(self.store), size=BATCH)]
        return np.stack([c for c, _ in chosen]), np.stack([q for _, q in chosen])


def varied(rng: np.random.Generator, crops: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Varies crops and their corners: mirrors some, turns some by half, and makes every one a
    little lighter or darker."""
    crops, corners = crops.copy(), corners.copy()
    for i in range(len(crops)):
        if rng.random() < 0.5:
            crops[i] = crops[i][:, ::-1]
            corners[i] = (corners[i] * (-1, 1) + (1, 0))[[1, 0, 3, 2]]
        if rng.random() < 0.5:
            crops[i] = crops[i][::-1, ::-1]
            corners[i] = (1 - corners[i])[[2, 3, 0, 1]]
    light = rng.uniform(0.8, 1.2, (len(crops), 1, 1, 3)) * rng.uniform(0.8, 1.2, (len(crops), 1, 1, 1))
    return np.clip(crops * light, 0, 255), corners


def tensor(crops: np.ndarray) -> torch.Tensor:
    """uint8 or float [N, H, W, 3] in 0..255 to the network's input."""
    return torch.from_numpy(planes(crops))


def check_pairs(count: int = 2000) -> list[Any]:
    """Crops of drawn sets and scenes that training never sees."""
    from .faces import generate_set

    generator = Generator([generate_set(880000 + k) for k in range(8)], CHECK_SEED, pool=8)
    rng, found, scene = np.random.default_rng(CHECK_SEED), [], 0
    while len(found) < count:
        found += pairs(rng, generator.sample(scene, SCENE))
        scene += 1
    return found[:count]


def errors(given: np.ndarray, wanted: np.ndarray):
    """Largest error of the corners of each, in widths of the true tile (a side of the frame is a
    side of the given quad)."""
    square = np.float32([[0, 0], [64, 0], [64, 85], [0, 85]])
    pixel = lambda quads: np.stack([from_frame(square, quad) for quad in quads])  # noqa: E731
    given, wanted = pixel(given), pixel(wanted)
    return np.linalg.norm(given - wanted, axis=-1).max(1) / widths(wanted)


def figures(run: Callable, checked: Any) -> dict[str, dict[str, float]]:
    """Median and 95th percentile of the worst corner's error before and after, and the share within
    a tenth."""
    crops, wanted = np.stack([c for c, _ in checked]), np.stack([q for _, q in checked])
    answers = np.concatenate([run(tensor(crops[k : k + 200])) for k in range(0, len(crops), 200)]).reshape(-1, 4, 2)
    before, after = errors(np.broadcast_to(SQUARE, wanted.shape), wanted), errors(answers, wanted)
    return {"given": summarize(before), "mended": summarize(after)}


def summarize(worst: np.ndarray) -> dict[str, float]:
    return {
        "median": float(np.median(worst)),
        "p95": float(np.percentile(worst, 95)),
        "within_tenth": float((worst < 0.1).mean()),
    }


def rate(step: int, steps: int, peak: float):
    """Half a cosine after a short rise."""
    return peak * min(1.0, (step + 1) / 300) * 0.5 * (1 + np.cos(np.pi * step / steps))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", default=os.environ.get("TILESIGHT_SHARED"), help="folder with tileart/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--samples", type=int, default=1_000_000, help="crops shown in all")
    parser.add_argument("--scenes", type=Path, help="folder of near-photographic scenes, by cycles_scenes")
    parser.add_argument("--start", type=Path, help="checkpoint whose weights a new run begins with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peak", type=float, default=2e-3, help="highest learning rate")
    return parser.parse_args()


def main() -> None:
    o = parse()
    o.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(o.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model, path, steps = Refiner().to(device), o.out / "refiner.pt", o.samples // BATCH
    optimiser = torch.optim.AdamW(model.parameters(), o.peak, weight_decay=0.02)
    average, step, scene, spent = Averaged(model), 0, 0, 0.0
    if path.exists():
        kept = torch.load(path, map_location=device)
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])
        average.state, step, scene, spent = kept["average"], kept["step"], kept["scene"], kept["seconds"]
    elif o.start:
        model.load_state_dict(torch.load(o.start, map_location=device)["average"])
        average = Averaged(model)
    stream, checked, began, losses = (
        Stream(o.shared, o.seed, scene, [scene.sample for scene in load_scenes(o.scenes)]),
        check_pairs(),
        time.time(),
        [],
    )
    rng = np.random.default_rng((o.seed, 31, step))
    while step < steps:
        model.train()
        crops, corners = varied(rng, *stream.batch())
        for group in optimiser.param_groups:
            group["lr"] = rate(step, steps, o.peak)
        answer = model(tensor(crops).to(device)).view(-1, 4, 2)
        # A side of the frame is longer downwards: a tile is 1.35 times as long as wide.
        off = (answer - torch.from_numpy(np.float32(corners)).to(device)) * torch.tensor([1.0, 1.35], device=device)
        loss = F.smooth_l1_loss(off, torch.zeros_like(off), beta=FINE)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        average.update(model, step)
        step += 1
        losses.append(float(loss))
        if step % 100 == 0:
            log(o.out, step=step, loss=float(np.mean(losses)), seconds=spent + time.time() - began)
            losses = []
        if step % 1000 == 0 or step == steps:
            save(
                path,
                model=model.state_dict(),
                optimiser=optimiser.state_dict(),
                average=average.state,
                step=step,
                scene=stream.scene,
                seconds=spent + time.time() - began,
                seed=o.seed,
                samples=o.samples,
                cycles=len(stream.cycles),
            )
            log(o.out, step=step, **figures(averaged_run(average), checked))


def averaged_run(average: Any) -> Callable:
    """A run function of the averaged weights."""
    model = Refiner()
    model.load_state_dict({k: v.cpu() for k, v in average.state.items()})
    model.eval()

    def run(crops: np.ndarray):
        with torch.no_grad():
            return model(crops).numpy()

    return run


def log(out: Path, **figures_: Any) -> None:
    """Writes one line of JSON to the log and the terminal."""
    line = json.dumps({k: round(v, 5) if isinstance(v, float) else v for k, v in figures_.items()})
    print(line, flush=True)
    with (out / "refiner.log").open("a") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    main()
