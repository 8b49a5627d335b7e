"""Crops of the real photos' labelled boxes: for training (jittered) and for measuring (exact).

Purpose: the same cut for every reader of real boxes. Input: `vision.real` photos, or the unseen-set
crops.
Output: training samples drawn from one split; arrays of crops and labels for evaluation.
Invariant: training reads only the split it is given; camerash-crops is only ever returned by
`unseen_crops`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from .corrections import corrected
from .crops import INDEX, Crop, _cover
from .crops_photo import CROP_H, CROP_W, MARGIN, photograph
from .frontend import cut, to_light
from .real import load_real

_UNIT = np.float32([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
_CONTEXT = 1.9  # How much around a box a stored patch keeps, so that jitter never leaves it.
_KEEP = 120  # Stored patches' boxes are at most this high: more detail than a crop holds is of no use.


def box_quad(x: float, y: float, w: float, h: float) -> np.ndarray:
    """An axis-aligned box as a quad."""
    return np.float32([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])


def labelled_crops(shared: Path, split: str) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """All crops of a split's boxes: uint8 [n, 80, 64, 3], class indices, and "stem scene" of
    each."""
    crops, labels, names = [], [], []
    for photo in load_real(shared, split):
        if photo.kind == "strip":
            continue
        image, boxes = photo.image(), photo.boxes()
        if not boxes:
            continue
        crops += to_light([cut(image, box_quad(*box)) for _, *box in boxes])
        labels += [INDEX[code] for code, *_ in boxes]
        names += [f"{photo.stem} {photo.scene}"] * len(boxes)
    return np.stack(crops), np.array(labels), names


def detected_crops(
    shared: Path, split: str, look: Callable, every: int = 1
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Crops like those of `labelled_crops`, but cut by the quads that `look` (vision.eyes) finds at
    the labelled places, of every so many photos.

    This is what the program sees: leaning tiles have boxes far larger than their faces. Boxes
    without a detection are left out. A box around a numeral means the quad that the numeral is on.
    """
    crops, labels, names = [], [], []
    for photo in load_real(shared, split)[::every]:
        if photo.kind == "strip":
            continue
        image = photo.image()
        quads = look(image)
        pairs = [(code, _nearest(quads, box)) for code, *box in photo.boxes()]
        pairs += [(code, quad_around(quads, box)) for code, *box in photo.numerals()]
        seen = [(code, quad) for code, quad in pairs if quad is not None]
        if not seen:
            continue
        crops += to_light([cut(image, quad) for _, quad in seen])
        labels += [INDEX[code] for code, _ in seen]
        names += [f"{photo.stem} {photo.scene}"] * len(seen)
    return np.stack(crops), np.array(labels), names


def unseen_crops(shared: Path) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The unseen-set crops (evaluation only), each image being one tile."""
    crops, labels, names = [], [], []
    root = Path(shared) / "photos" / "camerash-crops"
    for file in sorted((root / "labels").glob("*.json")):
        label = json.loads(file.read_text())
        image = cv2.cvtColor(cv2.imread(str(root / label["image"])), cv2.COLOR_BGR2RGB)
        for t in corrected(f"camerash-crops/{file.stem}", label["tiles"])[0]:
            crops += to_light([cut(image, box_quad(t["x"], t["y"], t["w"], t["h"]))])
            labels.append(INDEX[t["class"]])
            names.append(file.stem)
    return np.stack(crops), np.array(labels), names


class RealSource:
    """Draws jittered training crops from one split's boxes, rare classes and rare scenes more
    often."""

    def __init__(self, shared: Path, split: str = "train", look: Callable | None = None) -> None:
        self.patches, self.empties, scenes = [], [], []
        for photo in load_real(shared, split):
            if photo.kind == "strip":
                continue
            image = photo.image()
            found = look(image) if look else np.zeros((0, 4, 2), np.float32)
            for code, x, y, w, h in photo.boxes():
                if min(w, h) >= 9:
                    quad = _nearest(found, (x, y, w, h))
                    self.patches.append((_patch(image, box_quad(x, y, w, h) if quad is None else quad), INDEX[code]))
                    scenes.append(photo.scene)
            for code, *box in photo.numerals():
                quad = quad_around(found, box)
                if quad is not None:
                    self.patches.append((_patch(image, quad), INDEX[code]))
                    scenes.append(photo.scene)
            if photo.exhaustive:
                self._collect_empty(image, photo.boxes())
        labels = np.array([label for _, label in self.patches])
        per_class = np.maximum(np.bincount(labels, minlength=len(INDEX)), 1) ** -0.7
        _, index, counts = np.unique(scenes, return_inverse=True, return_counts=True)
        weights = per_class[labels] * (counts[index] ** -0.4)
        self.p = weights / weights.sum()
        self.edges = np.cumsum(self.p)

    def prefer(self, codes: Iterable[str], factor: float) -> None:
        """Draws the tiles of some classes `factor` times as often beside the others."""
        chosen = [INDEX[code] for code in codes]
        labels = np.array([label for _, label in self.patches])
        weights = np.where(np.isin(labels, chosen), self.p * factor, self.p)
        self.p = weights / weights.sum()
        self.edges = np.cumsum(self.p)

    def _collect_empty(self, image: np.ndarray, boxes: list) -> None:
        """Places with no tile, where every tile is labelled: real "none" crops."""
        rng = np.random.default_rng(len(self.patches))
        side = float(np.median([b[4] for b in boxes])) if boxes else 60.0
        for _ in range(4):
            h = side * rng.uniform(0.5, 1.6)
            w = h * rng.uniform(0.6, 0.9)
            x, y = rng.uniform(0, max(1, image.shape[1] - w)), rng.uniform(0, max(1, image.shape[0] - h))
            clear = all(x + w < bx or x > bx + bw or y + h < by or y > by + bh for _, bx, by, bw, bh in boxes)
            if clear:
                self.empties.append((_patch(image, box_quad(x, y, w, h)), INDEX["none"]))

    def sample(self, rng: np.random.Generator) -> Crop:
        """Draws a jittered crop; its turn is unknown (a real tile may well lie upside down)."""
        if self.empties and rng.random() < 0.03:
            (patch, size), label = self.empties[rng.integers(len(self.empties))]
        else:
            (patch, size), label = self.patches[
                min(int(np.searchsorted(self.edges, rng.random())), len(self.patches) - 1)
            ]
        astray = label != INDEX["none"] and rng.random() < 0.04
        centre = np.float32([patch.shape[1], patch.shape[0]]) / 2
        if astray:  # Half of this tile and half of what lies beside it.
            label = INDEX["none"]
            centre = centre + np.float32([rng.choice([-1, 1]) * 0.5 * size[0], rng.uniform(-0.1, 0.1) * size[1]])
        # Boxes of turned tiles are looser than their quads, so the scale reaches further down than
        # up.
        scale = MARGIN * np.exp(rng.normal(-0.04, 0.08, 2) + rng.normal(0, 0.06))
        a = rng.normal(0, 0.2 if rng.random() < 0.15 else 0.06)
        turn = np.float32([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        noise = rng.normal(0, rng.uniform(0.01, 0.09), (4, 2)) + rng.normal(0, 0.04, 2)
        quad = centre + (_UNIT * size * scale) @ turn.T + noise * min(size)
        if size[0] > size[1]:
            quad = np.roll(quad, -1, axis=0)
        upside = rng.random() < 0.3
        target = np.float32([[0, 0], [CROP_W, 0], [CROP_W, CROP_H], [0, CROP_H]])
        if upside:
            target = np.roll(target, 2, axis=0)
        flat = cv2.warpPerspective(
            patch,
            cv2.getPerspectiveTransform(np.float32(quad), target),
            (CROP_W, CROP_H),
            borderMode=cv2.BORDER_REPLICATE,
        )
        if rng.random() < 0.06:
            _cover(rng, flat)
        tile_px = float(np.exp(rng.uniform(np.log(22), np.log(160))))
        return Crop(photograph(rng, flat, tile_px) if rng.random() < 0.75 else flat, label, -1, False)


def _nearest(quads: np.ndarray, box: Any) -> np.ndarray | None:
    """The detected quad at a labelled place: its centre lies well inside the box."""
    x, y, w, h = box
    distance = np.linalg.norm(quads.mean(1) - (x + w / 2, y + h / 2), axis=1)
    return quads[distance.argmin()] if len(distance) and distance.min() < 0.35 * min(w, h) else None


def quad_around(quads: np.ndarray, box) -> np.ndarray | None:
    """The detected quad on which a numeral lies: the smallest one that has the numeral's middle,
    and is larger than its box."""
    x, y, w, h = box
    middle = (x + w / 2, y + h / 2)
    areas = [float(cv2.contourArea(quad)) for quad in quads]
    around = [k for k, quad in enumerate(quads) if areas[k] > w * h and cv2.pointPolygonTest(quad, middle, False) > 0]
    return quads[min(around, key=lambda k: areas[k])] if around else None


def _patch(image: np.ndarray, quad: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A quad straightened with its surroundings, reduced to a useful size, and the face's size in
    it."""
    edges = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    w, h = (edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2
    centre = quad.mean(0)
    quad = centre + (quad - centre) * _CONTEXT
    scale = min(1.0, _KEEP / max(w, h))
    size = (max(8, int(w * _CONTEXT * scale)), max(8, int(h * _CONTEXT * scale)))
    target = np.float32([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]])
    if scale < 0.7:
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        quad, image = quad * (small.shape[1] / image.shape[1], small.shape[0] / image.shape[0]), small
    patch = cv2.warpPerspective(
        image, cv2.getPerspectiveTransform(np.float32(quad), target), size, borderMode=cv2.BORDER_REPLICATE
    )
    return patch, np.float32(size) / _CONTEXT
