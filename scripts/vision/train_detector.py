"""Trains the tile detector on rendered scenes and a minority of real photos.

Purpose: `python3 -m vision.train_detector --shared PATH --out DIR --steps N --seed 1`
(PYTHONPATH=scripts).
Input: tile art (shared sets and drawn sets), real photos of the train split where they are at hand,
and with --scenes near-photographic scenes (cycles_scenes).
Output: DIR/detector.pt (weights, their running mean, optimiser, step) and DIR/detector.log (one
line of figures each time).
Invariant: a checkpoint resumes at the next sample, with the same new scenes as an unbroken run
(reused ones start afresh); `--steps` may be planned anew while the rate is constant.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from . import detector_check as check
from .cycles_samples import load_scenes, scene_files, window
from .detector import Detector, losses, targets
from .scene import Generator, Sample, turned

if TYPE_CHECKING:
    from .detector_real import RealCrops
    from .faces import FaceSet

SIZE, BATCH = 384, 16
# A minority: real photos teach colours and light early; their boxes teach no corners.
REAL_SHARE = 0.1
# Windows of near-photographic scenes, where there are any: their light, rounded edges and standing
# tiles are truer, their sets few.
CYCLES_SHARE = 0.2
# Own drawn sets beside the shared ones: the more art, the less the detector leans on any.
DRAWN_SETS = 24
# Half of a batch is rendered for it; the other half are renders of so many steps ago, turned or
# mirrored. Rendering takes a third of the time, and a turned scene is as good a lesson for corners
# as a new one.
REUSE_AFTER = 25
# Constant rate, then a straight line to zero over the last part: the plan may change while the rate
# is constant.
DECAY_FROM = 0.6
WARM_UP = 200


class Samples(Dataset):
    """Sample `index` as (image uint8 [3, S, S], targets [24, S/8, S/8])."""

    def __init__(self, shared: Any, seed: int, length: int, folder: Path | None = None) -> None:
        self.shared, self.seed, self.length, self.folder, self.generator, self.recent = (
            shared,
            seed,
            length,
            folder,
            None,
            {},
        )

    def __len__(self) -> int:
        return self.length

    def _open(self) -> None:
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        self.generator = Generator(face_sets(self.shared, self.seed), self.seed)
        self.real = real_photos(self.shared)
        self.scenes = load_scenes(self.folder)

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        if self.generator is None:
            self._open()
        rng = np.random.default_rng((self.seed, 20, index))
        source = rng.random()
        if self.real and source < REAL_SHARE:
            sample, maps = self.real.sample(rng, SIZE)
        elif self.scenes and source > 1 - CYCLES_SHARE:
            sample = window(rng, self.scenes[rng.integers(len(self.scenes))], SIZE)
            maps = targets(sample, SIZE)
        else:
            sample = self._scene(rng, *divmod(index, BATCH))
            maps = targets(sample, SIZE)
        return torch.from_numpy(np.ascontiguousarray(sample.image.transpose(2, 0, 1))), torch.from_numpy(maps)

    def _scene(self, rng: np.random.Generator, step: int, slot: int) -> Sample:
        """A new scene for the first half of a batch, an older one turned for the second half."""
        half = BATCH // 2
        number = step * half + slot % half
        if slot >= half:
            earlier = self.recent.get(number - REUSE_AFTER * half)
            if earlier is not None:
                return turned(earlier, int(rng.integers(0, 4)), bool(rng.random() < 0.75))
            return turned(self.generator.sample(number, SIZE), 1, True)
        sample = self.recent[number] = self.generator.sample(number, SIZE)
        for old in [k for k in self.recent if k < number - 2 * REUSE_AFTER * half]:
            del self.recent[old]
        return sample


def face_sets(shared: Any, seed: int) -> list[FaceSet]:
    """The shared sets, where there are any, and drawn ones."""
    from .faces import generate_set, load_sets

    sets = list(load_sets(shared)) if shared else []
    return sets + [generate_set(seed * 1000 + k) for k in range(DRAWN_SETS)]


def real_photos(shared: Any) -> RealCrops | None:
    """A source of crops of real training photos, or None without photos."""
    if not shared:
        return None
    from .detector_real import RealCrops

    return RealCrops(shared)


def rate(step: int, steps: int, base: float) -> float:
    """The learning rate at a step of the plan."""
    if step < WARM_UP:
        return base * (step + 1) / WARM_UP
    left = (steps - step) / max(1, steps * (1 - DECAY_FROM))
    return base * min(1.0, max(0.0, left))


class Averaged:
    """A running mean of the weights; it reads steadier than the weights of any one step."""

    def __init__(self, model: Any, decay: float = 0.998) -> None:
        self.decay, self.state = decay, {k: v.detach().clone() for k, v in model.state_dict().items()}

    def update(self, model: Any, step: int) -> None:
        decay = min(self.decay, (1 + step) / (20 + step))
        for key, value in model.state_dict().items():
            if value.dtype.is_floating_point:
                self.state[key].lerp_(value.detach(), 1 - decay)
            else:
                self.state[key].copy_(value)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", default=os.environ.get("TILESIGHT_SHARED"), help="folder with tileart/ and photos/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=Path, help="folder of near-photographic scenes, by cycles_scenes")
    parser.add_argument("--start", type=Path, help="checkpoint whose weights a new run begins with")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1.2e-3)
    parser.add_argument("--workers", type=int, default=0, help="processes that render")
    parser.add_argument("--check-every", type=int, default=500)
    return parser.parse_args()


def save(path: Path, **parts: Any) -> None:
    """Writes the checkpoint in one move, so that an interruption leaves the old one."""
    new = Path(f"{path}.new")
    torch.save(parts, new)
    new.replace(path)


def log(out: Path, **figures: Any) -> None:
    line = json.dumps({k: round(v, 5) if isinstance(v, float) else v for k, v in figures.items()})
    print(line, flush=True)
    with (out / "detector.log").open("a") as file:
        file.write(line + "\n")


def resume(path: Path, model: Any, optimiser: Any, averaged: Averaged):
    """(step, seconds spent) of the checkpoint, loaded into the parts."""
    if not path.exists():
        return 0, 0.0
    kept = torch.load(path, map_location="cpu")
    model.load_state_dict(kept["model"])
    optimiser.load_state_dict(kept["optimiser"])
    averaged.state = kept["averaged"]
    return kept["step"], kept["seconds"]


class Trainer:
    """The network, its optimiser and running mean, and the place where they are kept."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(options.seed)
        self.model = Detector().to(self.device, memory_format=torch.channels_last)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), options.rate, weight_decay=0.02)
        self.averaged = Averaged(self.model)
        self.path = options.out / "detector.pt"
        self.cycles = len(scene_files(options.scenes))
        if options.start and not self.path.exists():
            self.model.load_state_dict(torch.load(options.start, map_location="cpu")["averaged"])
            self.averaged = Averaged(self.model)
        self.step, self.before = resume(self.path, self.model, self.optimiser, self.averaged)
        self.averaged.state = {k: v.to(self.device) for k, v in self.averaged.state.items()}
        self.start = time.time()

    def seconds(self):
        """Time spent on this model, earlier runs counted in."""
        return self.before + time.time() - self.start

    def keep(self) -> None:
        """Writes the checkpoint."""
        save(
            self.path,
            model=self.model.state_dict(),
            optimiser=self.optimiser.state_dict(),
            averaged=self.averaged.state,
            step=self.step,
            seconds=self.seconds(),
            seed=self.options.seed,
            cycles=self.cycles,
        )

    def learn(self, image: np.ndarray, wanted: torch.Tensor) -> list[float]:
        """Takes one step on a batch, and returns the parts of its loss."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate(self.step, self.options.steps, self.options.rate)
        image = image.to(self.device).float().div_(255).contiguous(memory_format=torch.channels_last)
        marks, shape = self.model(image)
        loss, figures = losses(marks, shape, wanted.to(self.device))
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.optimiser.step()
        self.averaged.update(self.model, self.step)
        self.step += 1
        return figures


def main() -> None:
    options = parse()
    options.out.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(options)
    samples = Samples(options.shared, options.seed, options.steps * BATCH, options.scenes)
    order = range(trainer.step * BATCH, options.steps * BATCH)
    parts = []
    trainer.model.train()
    for image, wanted in DataLoader(samples, BATCH, sampler=order, num_workers=options.workers, drop_last=True):
        parts.append(trainer.learn(image, wanted))
        step = trainer.step
        if step % 50 == 0:
            heat, corner, axis, face = np.mean(parts, axis=0).tolist()
            log(options.out, step=step, seconds=trainer.seconds(), heat=heat, corner=corner, axis=axis, face=face)
            parts = []
        if step % 200 == 0:
            trainer.keep()
        if step % options.check_every == 0:
            log(options.out, step=step, **check.figures(trainer.averaged.state, options.shared))
    trainer.keep()


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
