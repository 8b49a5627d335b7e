"""Train the tile classifier on rendered crops, shared tile art and the training split of the real
photos.

Purpose: one command, repeatable, resumable. Input: --shared PATH (optional), --seed. Output in
--out: faces_cache.npz, classifier.pt (checkpoint: weights, averaged weights, optimiser, step),
classifier_report.json.
Invariant: the learning rate falls to nothing at the last step whatever the interruptions; the
unseen-set crops are measured only after the last step, never trained on.

`PYTHONPATH=scripts python3 -m vision.train_classifier --shared PATH --out DIR --seed 1`

From the shipped weights of the large classifier (`vision.from_onnx`), on a processor: drawn packs
by `crops_pack --drawn`, and then
`--large --folded --start FILE --packs FOLDER --fresh 0.5 --frozen 5 --batch 128 --peak 4e-4`. Stem
and the first two stages take more than a third of a step's time and stay as they are with --frozen
5.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from .classifier import LARGE, SMALL, Classifier, fold
from .crops import HALF_TURN, CropFactory, small_faces
from .crops_real import RealSource, labelled_crops, unseen_crops
from .cycles_samples import SceneCrops, load_scenes, scene_files
from .eyes import Eyes
from .faces import BONUS, CLASSES, generate_set, load_sets

BATCH = 64
# A rendered crop costs more than its training step, so each is shown again about once with other
# colours; the store is large enough that the second showing usually comes hundreds of steps later.
REPLAY_SHARE, REPLAY_STORE = 0.4, 30_000
REAL_SHARE = 0.25
# Share of crops of near-photographic scenes, where there are any: their light is truer, but each
# scene has one set of tiles.
CYCLES_SHARE = 0.15
# The same beside packs.
PACKED_CYCLES_SHARE = 0.25
# What real crops that are cut anew show more often: what the large classifier confuses most.
WANTED, WANTED_FACTOR = (*BONUS, "P"), 2.0
ART_WEIGHT = 3.0  # A set of shared art is drawn by people and counts for more than a generated one.
AVERAGE = 0.998
LARGE_BATCH = 1024
BONUS_AT = CLASSES.index(BONUS[0])


@dataclass
class Options:
    """Settings of one run."""

    out: Path
    shared: Path | None
    seed: int
    steps: int
    sets: int
    peak: float
    start: Path | None
    models: Path
    real_share: float
    scenes: Path | None
    packs: Path | None
    folded: bool
    large: bool
    batch: int
    fresh: float
    frozen: int


def options() -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("out/classifier"))
    parser.add_argument("--shared", type=Path, default=os.environ.get("TILESIGHT_SHARED"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=300_000, help="crops shown in all")
    parser.add_argument("--sets", type=int, default=300, help="generated sets of faces")
    parser.add_argument("--peak", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument(
        "--start", type=Path, help="checkpoint whose weights a new run begins with (a further stretch of training)"
    )
    parser.add_argument(
        "--models",
        type=Path,
        default=Path("models"),
        help="whose detector and refiner cut the real crops where they are there; else their boxes do",
    )
    parser.add_argument("--real-share", type=float, default=REAL_SHARE, help="share of real crops, where there are any")
    parser.add_argument("--scenes", type=Path, help="folder of near-photographic scenes, by cycles_scenes")
    parser.add_argument(
        "--packs",
        type=Path,
        help="folder of crops that crops_pack has drawn (and goes on drawing), instead of drawing them here",
    )
    parser.add_argument(
        "--folded",
        action="store_true",
        help="go on from finished weights: normalisations folded away, batches of 128",
    )
    parser.add_argument(
        "--large",
        action="store_true",
        help="the large classifier, from packs: batches of 1,024; needs a GPU for more than a trial",
    )
    parser.add_argument("--batch", type=int, help="crops of a step, if not as many as the rest asks for")
    parser.add_argument(
        "--fresh", type=float, default=0.0, help="share of real crops that are cut anew for each step, beside packs"
    )
    parser.add_argument(
        "--frozen", type=int, default=0, help="parts of the body that stay as they are, from the stem on"
    )
    a = parser.parse_args()
    if a.large and not a.packs:
        parser.error("--large learns from packs: give --packs FOLDER")
    if a.fresh and not (a.packs and a.shared):
        parser.error("--fresh cuts real photos' crops beside packs: give --packs FOLDER and --shared PATH")
    batch = a.batch or (LARGE_BATCH if a.large else 2 * BATCH if a.folded else BATCH)
    return Options(
        a.out,
        Path(a.shared) if a.shared else None,
        a.seed,
        a.samples // batch,
        a.sets,
        a.peak,
        a.start,
        a.models,
        a.real_share,
        a.scenes,
        a.packs,
        a.folded,
        a.large,
        batch,
        a.fresh,
        a.frozen,
    )


def face_library(o: Options) -> tuple[list[dict], list[float]]:
    """All sets' small faces, generated ones cached on disk."""
    file = o.out / f"faces_{o.seed}_{o.sets}.npz"
    if not file.exists():
        arrays = {}
        for i in range(o.sets):
            for code, face in small_faces(generate_set(o.seed * 100_000 + i)).items():
                arrays[f"{i}/{code}"] = face
        np.savez_compressed(file, **arrays)
    sets: list[dict] = [{} for _ in range(o.sets)]
    with np.load(file) as stored:
        for key in stored.files:
            i, code = key.split("/")
            sets[int(i)][code] = stored[key]
    art = [small_faces(s) for s in load_sets(o.shared)]
    return sets + art, [1.0] * len(sets) + [ART_WEIGHT * len(sets) / 100] * len(art)


def sources(o: Options) -> str:
    """Text for the manifest about what a run of these options is trained on."""
    share = PACKED_CYCLES_SHARE if o.packs else CYCLES_SHARE
    scenes = f"; {share:.0%} crops of {len(scene_files(o.scenes))} near-photographic scenes" if o.scenes else ""
    if o.packs:
        packs = len(list(o.packs.glob("pack_*.npz")))
        art = ", all shared tile art and the train split of the real photos" if o.shared else ""
        prints = ", with prints of bonus tiles" if o.large else ""
        fresh = f"; {o.fresh:.0%} crops of the real photos' train split, cut anew" if o.fresh else ""
        return f"crops of {packs} packs by crops_pack, each of 12 drawn sets{art}{prints}{scenes}{fresh}"
    own = f"rendered crops of {o.sets} drawn sets{scenes}"
    return own + (
        f" and {len(load_sets(o.shared))} sets of shared tile art; {o.real_share:.0%} crops of the train split "
        "of the real photos"
        if o.shared
        else ""
    )


# What makes a crop, in the order in which batches give it.
PARTS = ("image", "label", "turn", "red", "target")


class Stream:
    """Batches of rendered, replayed and real crops."""

    def __init__(self, o: Options, start: int) -> None:
        sets, weights = face_library(o)
        self.factory = CropFactory(sets, weights, o.seed)
        self.real = RealSource(o.shared, look=Eyes.of(o.models)) if o.shared else None
        self.scenes = SceneCrops(load_scenes(o.scenes)) if o.scenes else None
        self.rng = np.random.default_rng([o.seed, start])
        self.real_share = o.real_share
        self.store: list = []

    def batch(self):
        """Images [n, 80, 64, 3] uint8, labels, turns, reds, shares of the classes."""
        crops = []
        for _ in range(BATCH):
            u = self.rng.random()
            if self.real and u < self.real_share:
                crops.append(self.real.sample(self.rng))
            elif self.scenes and u < self.real_share + CYCLES_SHARE:
                crops.append(self.scenes.sample(self.rng))
            elif u > 1 - REPLAY_SHARE and len(self.store) > 3000:
                crops.append(self.store[self.rng.integers(len(self.store))])
            else:
                crops.append(self.factory.sample(self.rng))
                if len(self.store) < REPLAY_STORE:
                    self.store.append(crops[-1])
                else:
                    self.store[self.rng.integers(REPLAY_STORE)] = crops[-1]
        numbers = [torch.from_numpy(np.array([getattr(c, k) for c in crops])) for k in PARTS[1:]]
        return recoloured(self.rng, np.stack([c.image for c in crops])), *numbers


def recoloured(rng: np.random.Generator, images: np.ndarray) -> torch.Tensor:
    """uint8 crops as a batch, each in a slightly other light."""
    planes = torch.from_numpy(images).permute(0, 3, 1, 2).float() / 255
    gain = torch.from_numpy(np.exp(rng.normal(0, 0.06, (len(images), 3, 1, 1))).astype(np.float32))
    return (planes * gain).clamp_(0, 1).contiguous(memory_format=torch.channels_last)


def augment(images: torch.Tensor) -> torch.Tensor:
    """Cut most crops of a batch a little otherwise, put all in another light and make some noisy,
    on the batch's device: a large network sees each crop dozens of times."""
    count, device = len(images), images.device
    normal = lambda *shape: torch.randn(*shape, device=device)  # noqa: E731
    chosen = (torch.rand(count, device=device) < 0.6).float()
    angle, across, down = (
        normal(count) * 0.05 * chosen,
        torch.exp(normal(count) * 0.04 * chosen),
        torch.exp(normal(count) * 0.04 * chosen),
    )
    shape, theta = images.shape[2] / images.shape[3], torch.zeros(count, 2, 3, device=device)
    theta[:, 0, 0], theta[:, 0, 1] = torch.cos(angle) * across, -torch.sin(angle) * across * shape
    theta[:, 1, 0], theta[:, 1, 1] = torch.sin(angle) * down / shape, torch.cos(angle) * down
    theta[:, :, 2] = normal(count, 2) * 0.04 * chosen[:, None]
    out = F.grid_sample(
        images, F.affine_grid(theta, images.shape, align_corners=False), padding_mode="border", align_corners=False
    )
    out = out * torch.exp(normal(count, 1, 1, 1) * 0.12)
    grain = (torch.rand(count, 1, 1, 1, device=device) < 0.3) * torch.rand(count, 1, 1, 1, device=device) * 0.035
    return (out + torch.randn_like(out) * grain).clamp_(0, 1).contiguous(memory_format=torch.channels_last)


class Packs:
    """Batches from the packs that lie in a folder, from scenes, and from real photos; packs drawn
    meanwhile are taken up, and newer ones shown more often."""

    def __init__(self, o: Options, start: int) -> None:
        self.folder, self.rng = o.packs, np.random.default_rng([o.seed, start])
        self.scenes = SceneCrops(load_scenes(o.scenes)) if o.scenes else None
        self.real = RealSource(o.shared, look=Eyes.of(o.models)) if o.shared and o.fresh else None
        if self.real:
            self.real.prefer(WANTED, WANTED_FACTOR)
        self.cycles = round(o.batch * PACKED_CYCLES_SHARE) if o.scenes else 0
        self.fresh = round(o.batch * o.fresh) if self.real else 0
        self.count = o.batch - self.cycles - self.fresh
        self.packs: dict[Path, dict] = {}
        self.asked = 0

    def _take_up(self) -> None:
        for file in sorted(self.folder.glob("pack_*.npz")):
            if file not in self.packs:
                with np.load(file) as stored:
                    self.packs[file] = {name: stored[name] for name in stored.files} | {"shown": 0}
        while not self.packs:
            time.sleep(5)
            self._take_up()

    def batch(self):
        """A batch like those of Stream.batch: crops of the two packs that were shown least, so that
        all come to be shown alike."""
        if self.asked % 50 == 0:
            self._take_up()
        self.asked += 1
        chosen = sorted(self.packs.values(), key=lambda pack: pack["shown"] / len(pack["label"]))[:2]
        parts = []
        for pack in chosen:
            at = self.rng.integers(len(pack["label"]), size=self.count // len(chosen))
            pack["shown"] += len(at)
            parts.append([pack[name][at] for name in PARTS])
        for source, count in ((self.scenes, self.cycles), (self.real, self.fresh)):
            if source and count:
                crops = [source.sample(self.rng) for _ in range(count)]
                parts.append([np.array([getattr(crop, name) for crop in crops]) for name in PARTS])
        images, *numbers = (np.concatenate(each) for each in zip(*parts))
        return recoloured(self.rng, images), *(torch.from_numpy(each) for each in numbers)


def loss_of(
    outputs: Sequence[torch.Tensor],
    labels: torch.Tensor,
    turns: torch.Tensor,
    reds: torch.Tensor,
    targets: torch.Tensor | None = None,
) -> torch.Tensor:
    """Class loss (against the shares of the classes, where they are given), turn loss (either half
    turn for symmetric faces, none where unknown), red-five loss."""
    classes, turn, red = outputs
    loss = F.cross_entropy(classes, labels if targets is None else targets.float(), label_smoothing=0.05)
    known = turns >= 0
    if known.any():
        logp = F.log_softmax(turn[known], 1)
        right = logp.gather(1, turns[known, None])
        other = logp.gather(1, ((turns[known] + 2) % 4)[:, None])
        either = torch.isin(labels[known], torch.tensor(sorted(HALF_TURN), device=labels.device))[:, None]
        loss = loss - 0.4 * torch.where(either, torch.logaddexp(right, other), right).mean()
        fives = known & ((labels == 4) | (labels == 13) | (labels == 22))
        if fives.any():
            loss = loss + 0.1 * F.binary_cross_entropy_with_logits(red[fives, 0], reds[fives].float())
    return loss


def rate(step: int, o: Options) -> float:
    """Warm up over 3 %, then fall along a cosine to zero."""
    t = step / max(1, o.steps)
    return o.peak * (t / 0.03 if t < 0.03 else 0.5 * (1 + math.cos(math.pi * (t - 0.03) / 0.97)))


def has_fast_bfloat16(device: str) -> bool:
    """Tells whether a device multiplies bfloat16 faster than float32. A processor with AVX2 alone
    learns from 3 crops a second in bfloat16, and from 77 in float32 (large classifier, --frozen
    5)."""
    return device == "cuda" or "CPU capability usage: AVX512" in torch.__config__.show()


class Run:
    """The network, its optimiser and its averaged weights, saved and restored together."""

    def __init__(self, o: Options) -> None:
        torch.manual_seed(o.seed)
        self.o, self.step, self.samples = o, 0, 0
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.in_bfloat16 = (o.folded or o.large) and has_fast_bfloat16(self.device)
        self.shape = LARGE if o.large else SMALL
        self.model = Classifier(self.shape)
        if o.start:
            self.model.load_state_dict(torch.load(o.start, map_location="cpu")["average"])
        if o.folded:
            fold(self.model)
        for part in self.model.body[: o.frozen]:
            part.requires_grad_(False)
        self.model = self.model.to(self.device).to(memory_format=torch.channels_last)
        learnt = [p for p in self.model.parameters() if p.requires_grad]
        decay = [p for p in learnt if p.ndim > 1]
        rest = [p for p in learnt if p.ndim <= 1]
        self.optimiser = torch.optim.AdamW(
            [{"params": decay, "weight_decay": 0.03}, {"params": rest, "weight_decay": 0.0}], lr=o.peak
        )
        self.file = o.out / "classifier.pt"
        if self.file.exists():
            state = torch.load(self.file, map_location=self.device)
            self.model.load_state_dict(state["model"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step, self.samples = state["step"], state["samples"]
        elif o.start:
            self.samples = torch.load(o.start, map_location="cpu")["samples"]
        self.average = {k: v.clone() for k, v in (state["average"] if self.step else self.model.state_dict()).items()}

    def save(self) -> None:
        """Write the checkpoint whole or not at all."""
        part = self.file.with_suffix(".part")
        torch.save(
            {
                "model": self.model.state_dict(),
                "average": self.average,
                "optimiser": self.optimiser.state_dict(),
                "step": self.step,
                "samples": self.samples,
                "seed": self.o.seed,
                "sources": sources(self.o),
            },
            part,
        )
        part.replace(self.file)

    def learn(self, batch: Any) -> float:
        """Takes one step on a batch, and returns its loss."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate(self.step, self.o)
        batch = [t.to(self.device) for t in batch]
        if self.o.large:
            batch[0] = augment(batch[0])
        self.model.train()
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.in_bfloat16):
            outputs = self.model(batch[0])
        loss = loss_of([out.float() for out in outputs], *batch[1:])
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimiser.step()
        self.step += 1
        self.samples += self.o.batch
        keep = min(AVERAGE, self.step / (self.step + 10))
        for key, value in self.model.state_dict().items():
            if value.dtype.is_floating_point:
                self.average[key].mul_(keep).add_(value, alpha=1 - keep)
            else:
                self.average[key].copy_(value)
        return float(loss)

    def averaged(self) -> Classifier:
        """The averaged network, for measuring."""
        model = Classifier(self.shape)
        model.load_state_dict({k: v.cpu() for k, v in self.average.items()})
        return model.eval()


def logits_of(model: Classifier, crops: np.ndarray) -> torch.Tensor:
    """Class logits of uint8 crops [n, 80, 64, 3]."""
    with torch.no_grad():
        parts = [
            model(torch.from_numpy(c).permute(0, 3, 1, 2).float() / 255)[0]
            for c in np.array_split(crops, max(1, len(crops) // 128))
        ]
    return torch.cat(parts)


def accuracies(logits: torch.Tensor, labels: np.ndarray) -> dict[str, float | None]:
    """Accuracy over the 34 suit and honour faces, over the bonus tiles, and over all."""
    right = (logits.argmax(1).numpy() == labels).astype(float)
    plain = labels < BONUS_AT
    mean = lambda mask: round(float(right[mask].mean()), 4) if mask.any() else None  # noqa: E731
    return {"faces34": mean(plain), "bonus": mean(~plain), "all42": mean(plain | True), "n": int(len(labels))}


def measured(run: Run, sets: dict) -> dict:
    """Accuracies of the averaged network on named held-out sets of crops."""
    model = run.averaged()
    return {name: accuracies(logits_of(model, crops), labels) for name, (crops, labels, _) in sets.items()}


def main() -> None:
    """Train to the last step, then measure."""
    o = options()
    o.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    cv2.setNumThreads(1)
    run = Run(o)
    stream = Packs(o, run.step) if o.packs else Stream(o, run.step)
    held = {"validation": labelled_crops(o.shared, "validation")} if o.shared else {}
    total, began, first = 0.0, time.time(), run.step
    while run.step < o.steps:
        total += run.learn(stream.batch())
        if run.step % 100 == 0:
            speed = (run.step - first) * o.batch / (time.time() - began)
            print(
                f"step {run.step}/{o.steps} loss {total / 100:.3f} lr {rate(run.step, o):.5f} {speed:.0f} crops/s",
                flush=True,
            )
            total = 0.0
        if run.step % 500 == 0:
            run.save()
            print(json.dumps(measured(run, held)), flush=True)
    run.save()
    if o.shared:
        held["unseen"] = unseen_crops(o.shared)
    (o.out / "classifier_report.json").write_text(json.dumps(measured(run, held), indent=1))
    print(json.dumps(measured(run, held)))


if __name__ == "__main__":
    main()
