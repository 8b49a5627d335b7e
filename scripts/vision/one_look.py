"""The refiner with a second head, which names the tile and its turn from the same crop: a trial.

Purpose: a tile that the refiner names surely needs no crop of the classifiers (docs/speed.md, "One
look, measured", has what came of it; no network in models/ has this head).
`python3 -m vision.one_look collect|train|measure --out DIR --shared PATH` (PYTHONPATH=scripts).
Input: the networks in models/, real photos, drawn scenes. Output: DIR/SPLIT.npz (crops, labels, the
classifiers' logits), DIR/one_look.pt, tables on the terminal.
Invariant: only the train split and drawn scenes are learned from; the trunk keeps its loss of the
corners.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional as F

from .classifier import Block, _conv, fold
from .crops import HALF_TURN, INDEX, NO_TURN
from .crops_real import _nearest, quad_around
from .detector import detect, widths
from .export_classifier import fit_temperature, log_softmax
from .eyes import Eyes, _mended
from .faces import BONUS, CLASSES
from .from_onnx import STEM, STEM_SCALE, identities, layer_of
from .frontend import cut, planes, surroundings, to_light, upright
from .onnx_graph import as_float
from .real import load_real
from .refiner import Refiner
from .refiner_crops import NARROWEST, OUTSIDE, in_frame, is_convex, upright_pair, wrong
from .scene import Generator
from .session import session
from .train_detector import Averaged, face_sets, save
from .train_refiner import FINE, rate

HELD_OUT = ("validation", "test", "sets")
BONUS_AT, BACK, NOTHING = INDEX[BONUS[0]], INDEX["back"], INDEX["none"]
# The program's rule of what the large classifier looks at (`ClassifyParams`).
CERTAIN, CLEARLY_NO_FACE, BACK_GAIN = 0.98, 0.6, 2.0
BATCH, REAL_SHARE, LABEL_SHARE, CORNERS_WEIGHT, TURN_WEIGHT = 64, 0.65, 0.65, 12.0, 0.2
# Further crops of a real tile, put wrong as the detector puts them; tiles of a drawn scene.
LOOKS, OF_A_SCENE = 2, 14
# Drawn crops of half a tile and half of what lies beside it, which no name fits.
HALVES = 0.06


class OneLook(nn.Module):
    """The refiner's trunk with its head for corners and one for names and turns: a tenth of the
    classifier's products."""

    def __init__(self, refiner: Refiner, wide: int = 128, placed: int = 32) -> None:
        super().__init__()
        self.refiner = refiner
        self.block = Block(64, wide, 2)
        self.where = nn.Sequential(_conv(wide, placed, 1, 1), nn.ReLU())
        self.heads = nn.Linear(wide + placed * 16, len(CLASSES) + 4)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Crops in; corners, logits of names and of turns out."""
        x = self.refiner.body((crops - 0.5) * 4.0)
        corners = self.refiner.given + self.refiner.head(x)
        x = self.block(x)
        out = self.heads(torch.cat([x.mean((2, 3)), self.where(x).flatten(1)], 1))
        return corners, out[:, : len(CLASSES)], out[:, len(CLASSES) :]


def restored(file: Path) -> Refiner:
    """The refiner that an int8 file holds, its normalisations folded."""
    model = Refiner()
    fold(model)
    graph = as_float(onnx.load(str(file))).graph
    numbers = {number.name: torch.from_numpy(numpy_helper.to_array(number).copy()) for number in graph.initializer}
    state = {"given": model.given} | identities(model)
    state |= {name: number for name, number in numbers.items() if name.startswith("head.")}
    for node in graph.node:
        if node.op_type == "Conv":
            layer = layer_of(node.name)
            weight, bias = (numbers[name].float() for name in node.input[1:])
            state |= {f"{layer}.0.weight": weight * (STEM_SCALE if layer == STEM else 1), f"{layer}.1.bias": bias}
    model.load_state_dict(state)
    return model


def real_tiles(o: argparse.Namespace, split: str, looks: int) -> dict[str, np.ndarray]:
    """The refiner's crops of a split's labelled tiles, as the detector finds them and `looks` more
    put wrong, with corners, labels, and the classifiers' logits of names and turns."""
    eyes, rng, rows = Eyes(o.models), np.random.default_rng(5), []
    if eyes.refiner is None:
        raise SystemExit(f"{o.models} has no refiner")
    classifiers = [session(o.models / f"{name}.onnx") for name in ("classifier", "large-classifier")]
    for photo in load_real(o.shared, split)[:: o.every]:
        image = photo.image()
        given = [upright(quad) for quad in np.float32(detect(eyes.detector, image)[0]).reshape(-1, 4, 2)]
        if photo.kind == "strip" or not given:
            continue
        corners = eyes.refiner(planes([surroundings(image, quad) for quad in given])).reshape(-1, 4, 2)
        quads = np.stack([_mended(quad, found) for quad, found in zip(given, corners)])
        pairs = [(code, _nearest(quads, box)) for code, *box in photo.boxes()]
        pairs += [(code, quad_around(quads, box)) for code, *box in photo.numerals()]
        tiles = [(INDEX[code], quad) for code, quad in pairs if quad is not None]
        if not tiles:
            continue
        crops = planes(to_light([cut(image, quad) for _, quad in tiles]))
        answers = [run.run(["classes", "turn"], {"crops": crops}) for run in classifiers]
        for n, (label, quad) in enumerate(tiles):
            at = int(np.abs(quads - quad).sum((1, 2)).argmin())
            seen = [(given[at], quad, 0)]
            for _ in range(looks):
                bad = wrong(rng, quad)
                first, truth = upright_pair(bad, quad)
                seen.append((first, truth, int(first is not bad)))
            for first, truth, turned in seen:
                if not is_convex(first):
                    continue
                logits = [part[n] for run in answers for part in run]
                # A first corner later, the face is a quarter turn less from upright; `cut` may have
                # begun there too.
                later = turned - int(upright(quad) is not quad)
                logits[1::2] = [np.roll(turns, -later) for turns in logits[1::2]]
                crop, place = surroundings(image, first), in_frame(first, truth)
                rows.append((crop, place, label, f"{photo.stem} {photo.scene}", *logits))
    names = ("crop", "corners", "label", "name", "small", "small_turn", "large", "large_turn")
    return {name: np.array(part) for name, part in zip(names, zip(*rows))}


def drawn_tiles(shared: Path | None, seed: int, scenes: int) -> dict[str, np.ndarray]:
    """Crops of drawn scenes in the same form, with the true turn (-1: no turn); halves have no
    corners."""
    generator, rng, rows = Generator(face_sets(shared, seed), seed), np.random.default_rng((seed, 77)), []
    for scene in range(scenes):
        sample = generator.sample(scene)
        wide = widths(sample.quads) if len(sample.quads) else []
        for k in rng.permutation(len(wide))[:OF_A_SCENE]:
            if sample.ignore[k] or wide[k] < NARROWEST:
                continue
            turn = int(rng.integers(4))
            truth = np.roll(np.float32(sample.quads[k]), -turn, axis=0)
            is_half = rng.random() < HALVES
            bad = truth + (truth[1] - truth[0]) * rng.choice([-0.5, 0.5]) if is_half else wrong(rng, truth)
            given, truth = upright_pair(np.float32(bad), truth)
            local = in_frame(given, truth)
            if not is_convex(given) or (not is_half and (local.min() < -OUTSIDE or local.max() > 1 + OUTSIDE)):
                continue
            label = NOTHING if is_half else BACK if not sample.up[k] else INDEX[sample.codes[k]]
            turn = -1 if label in NO_TURN else -(turn + int(given is not bad)) % 4
            rows.append((surroundings(sample.image, given), np.full((4, 2), np.nan) if is_half else local, label, turn))
    return {name: np.array(part) for name, part in zip(("crop", "corners", "label", "turn"), zip(*rows))}


def shares(logits: np.ndarray, temperature: float) -> np.ndarray:
    """Probabilities of logits."""
    return np.exp(log_softmax(logits.astype(np.float32), temperature))


def turn_targets(turns: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The share of each turn, halves for faces that look the same upside down; noughts for faces
    without a turn."""
    wanted = np.eye(4, dtype=np.float32)[turns % 4] * (turns >= 0)[:, None]
    alike = np.isin(labels, list(HALF_TURN))[:, None]
    return np.where(alike, (wanted + np.roll(wanted, 2, axis=1)) / 2, wanted)


def lessons(tiles: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Crops and corners with the shares of names and turns, and each crop's probability of being
    drawn. Of a real tile the classifiers teach the turn, and what else it may be, unless they
    contradict the label."""
    labels = tiles["label"]
    true, chance = np.eye(len(CLASSES), dtype=np.float32)[labels], np.ones(len(labels))
    if "name" not in tiles:
        names, turns = true * 0.97 + 0.03 / len(CLASSES), turn_targets(tiles["turn"], labels)
        return {**tiles, "names": names, "turns": turns, "p": chance / chance.sum()}
    both = shares((log_softmax(tiles["small"], 0.83) + log_softmax(tiles["large"], 0.742)) / 2, 1)
    taught = np.where((both.argmax(1) == labels)[:, None], both, true)
    turns = (shares(tiles["small_turn"], 1) + shares(tiles["large_turn"], 1)) / 4
    scenes = [name.split(" ", 1)[1] for name in tiles["name"]]
    _, scene, tiles_of = np.unique(scenes, return_inverse=True, return_counts=True)
    chance = np.bincount(labels)[labels] ** -0.6 * tiles_of[scene] ** -0.35
    names = LABEL_SHARE * true + (1 - LABEL_SHARE) * taught
    return {**tiles, "names": names, "turns": turns, "p": chance / chance.sum()}


def varied(rng: np.random.Generator, crops: np.ndarray) -> torch.Tensor:
    """Crops in other light, some of them reduced, some with noise, as the network takes them."""
    x = torch.from_numpy(planes(crops))

    def number(deviation: float, *shape: int) -> torch.Tensor:
        return torch.from_numpy(np.float32(rng.normal(0, deviation, (len(x), *shape))))

    x = x * torch.exp(number(0.2, 1, 1, 1)) * torch.exp(number(0.06, 3, 1, 1))
    x = x.clamp(0, 1) ** torch.exp(number(0.12, 1, 1, 1))
    order, part = rng.permutation(len(x)), len(x) // 6
    for k, side in enumerate(rng.choice([22, 26, 32, 40, 48, 56], 2, replace=False)):
        chosen = order[k * part : (k + 1) * part]
        small = F.interpolate(x[chosen], size=(int(side), int(side)), mode="area")
        x[chosen] = F.interpolate(small, size=x.shape[2:], mode="bilinear", align_corners=False)
    x[order[2 * part : 4 * part]] += number(0.03, *x.shape[1:])[: 2 * part]
    return x.clamp(0, 1)


def batch(rng: np.random.Generator, real: dict, drawn: dict) -> list[np.ndarray]:
    """Crops, corners, shares of names and of turns of a batch, half of them upside down."""
    count = int(BATCH * REAL_SHARE)
    chosen = [rng.choice(len(part["p"]), n, p=part["p"]) for part, n in ((real, count), (drawn, BATCH - count))]
    keys = ("crop", "corners", "names", "turns")
    crops, corners, names, turns = (np.concatenate([real[k][chosen[0]], drawn[k][chosen[1]]]) for k in keys)
    over = rng.random(BATCH) < 0.5
    crops[over] = crops[over][:, ::-1, ::-1]
    corners[over] = (1 - corners[over])[:, [2, 3, 0, 1]]
    turns[over] = np.roll(turns[over], 2, axis=1)
    return [crops, *(np.float32(part) for part in (corners, names, turns))]


def train(o: argparse.Namespace) -> None:
    """Train trunk and heads from the shipped refiner on."""
    rng, model = np.random.default_rng(o.seed), OneLook(restored(o.models / "refiner.onnx"))
    real, drawn = (lessons(dict(np.load(o.out / f"{name}.npz"))) for name in ("train", "drawn"))
    trunk = [p for p in model.refiner.parameters() if p.requires_grad]
    heads = [p for name, p in model.named_parameters() if not name.startswith("refiner.")]
    groups = [{"params": heads, "share": 1.0}, {"params": trunk, "share": 0.4}]
    optimiser, average = torch.optim.AdamW(groups, o.peak, weight_decay=0.02), Averaged(model)
    for step in range(o.steps):
        model.train()
        for group in optimiser.param_groups:
            group["lr"] = rate(step, o.steps, o.peak) * group["share"]
        crops, corners, names, turns = batch(rng, real, drawn)
        wanted, seen = (torch.from_numpy(part) for part in (np.nan_to_num(corners), np.isfinite(corners).all((1, 2))))
        found, named, turned = model(varied(rng, crops))
        off = (found.view(-1, 4, 2) - wanted)[seen] * torch.tensor([1.0, 1.35])
        loss = CORNERS_WEIGHT * F.smooth_l1_loss(off, torch.zeros_like(off), beta=FINE)
        loss = loss - (F.log_softmax(named, 1) * torch.from_numpy(names)).sum(1).mean()
        loss = loss - TURN_WEIGHT * (F.log_softmax(turned, 1) * torch.from_numpy(turns)).sum(1).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        average.update(model, step)
        if step % 200 == 199 or step + 1 == o.steps:
            print(step + 1, float(loss), flush=True)
            save(o.out / "one_look.pt", average=average.state, step=step + 1, seed=o.seed)


def answers(model: OneLook, crops: np.ndarray) -> list[np.ndarray]:
    """Corners, logits of names and of turns."""
    with torch.no_grad():
        parts = [model(torch.from_numpy(planes(part))) for part in np.array_split(crops, len(crops) // 200 + 1)]
    return [torch.cat(part).numpy() for part in zip(*parts)]


def program(tiles: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The classifier's probabilities, those of both classifiers by the program's rule, and which
    crops are in doubt."""
    small = tiles["small"] + BACK_GAIN * (np.arange(len(CLASSES)) == BACK)
    once, large = log_softmax(small, 0.83), log_softmax(tiles["large"], 0.742)
    p = np.exp(once)
    sorts = np.stack([p[:, :BONUS_AT].sum(1), p[:, BONUS_AT:BACK].sum(1), p[:, BACK], p[:, NOTHING]], 1)
    doubt = (p.max(1) < CERTAIN) | (sorts.argmax(1) == 1)
    doubt &= ~((sorts.argmax(1) > 1) & (sorts.max(1) >= CLEARLY_NO_FACE))
    return p, np.where(doubt[:, None], shares((once + large) / 2, 1), p), doubt


def measure(o: argparse.Namespace) -> None:
    """Print what the head names surely, what is named wrongly, and what would be left to look
    at."""
    model, temperature = OneLook(restored(o.models / "refiner.onnx")), 1.0
    model.load_state_dict(torch.load(o.out / "one_look.pt")["average"])
    model.eval()
    for split in HELD_OUT:
        tiles: dict[str, Any] = dict(np.load(o.out / f"{split}.npz"))
        labels = tiles["label"]
        corners, logits, _ = answers(model, tiles["crop"])
        if split == "validation":
            temperature = fit_temperature(logits, labels, list(tiles["name"]))
        p, (once, both, doubt) = shares(logits, temperature), program(tiles)
        best, right, usual = p.argmax(1), p.argmax(1) == labels, both.argmax(1) == labels
        apart = np.abs(corners.reshape(-1, 4, 2) - tiles["corners"]).max((1, 2))
        print(f"{split}: {len(labels)} tiles, {right.mean():.1%} right ({usual.mean():.1%} by the classifiers)")
        print(f"  corners apart from the refiner's: median {np.median(apart):.3f}, 95 % {np.quantile(apart, 0.95):.3f}")
        for limit in (0.9, 0.98, 0.99, 0.995):
            sure = (p.max(1) >= limit) & (best < BONUS_AT)
            second = (once.max(1) >= 0.9) & (once.argmax(1) < BONUS_AT) & (best == once.argmax(1))
            left = doubt & ~(second & (p.max(1) >= 0.95))
            wrong_now, wrong_then = (int((sure & ~part).sum()) for part in (right, usual))
            print(
                f"  {limit}: {sure.mean():.1%} sure, {wrong_now} wrong ({wrong_then}); in doubt {doubt.mean():.1%}, "
                f"without these {(doubt & ~sure).mean():.1%}, where the classifier says the same {left.mean():.1%}"
            )


def collect(o: argparse.Namespace) -> None:
    """Cut the crops of all splits and of drawn scenes."""
    for split in ("train", *HELD_OUT):
        np.savez(o.out / f"{split}.npz", **real_tiles(o, split, LOOKS if split == "train" else 0))
    np.savez(o.out / "drawn.npz", **drawn_tiles(o.shared, o.seed, o.scenes))


def main() -> None:
    """Do what the first argument says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("collect", "train", "measure"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shared", type=Path, default=os.environ.get("TILESIGHT_SHARED"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--every", type=int, default=1, help="take every so many photos only")
    parser.add_argument("--scenes", type=int, default=500, help="drawn scenes")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--peak", type=float, default=1.5e-3, help="highest learning rate, of the heads")
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    {"collect": collect, "train": train, "measure": measure}[o.part](o)


if __name__ == "__main__":
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    main()
