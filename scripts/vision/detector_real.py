"""Crops of real training photos for the detector, with what their labels can teach.

Purpose: a minority of real pictures among the rendered ones, for colours, light and other people's
tables.
Input: the shared folder (photos of the train split only). Output: samples and target maps as
rendered ones have.
Invariant: the boxes are axis-aligned and loose, so they teach centres and "face up", never corners;
where a photo may show tiles without labels (backs are labelled nowhere), everything outside the
labelled boxes is masked out of the loss. Tiles of which only the numeral has a box count as such.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from .detector import STRIDE, targets
from .real import load_real
from .scene import Sample
from .scene_post import photograph

if TYPE_CHECKING:
    pass


class RealCrops:
    """Random turned and scaled crops of the training photos."""

    def __init__(self, shared: str | Path) -> None:
        photos = load_real(shared, "train")
        self.photos = [p for p in photos if p.boxes() and p.kind != "strip"]
        # Every scene and kind weighs by the root of its photos, so that the box of 36 tiles does
        # not rule.
        names = [(p.scene, p.kind) for p in self.photos]
        share = np.array([names.count(n) ** -0.5 for n in names])
        self.share = share / share.sum()

    def sample(self, rng: np.random.Generator, size: int) -> tuple[Sample, Any]:
        """(sample, target maps) of one crop."""
        photo = self.photos[rng.choice(len(self.photos), p=self.share)]
        image, boxes = photo.image(cache=True), np.array([b[1:] for b in photo.boxes()])
        width = max(4.0, np.median(np.minimum(boxes[:, 2], boxes[:, 3])))
        matrix = random_frame(rng, boxes[:, :2] + boxes[:, 2:] / 2, width, size)
        crop = cv2.warpAffine(
            image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=tuple(rng.uniform(20, 200, 3))
        )
        corners = boxes[:, None, :2] + boxes[:, None, 2:] * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
        quads = corners @ matrix[:, :2].T + matrix[:, 2]
        if np.linalg.det(matrix[:, :2]) < 0:
            quads = quads[:, ::-1]
        sample = windowed(crop, quads, size)
        maps = targets(sample, size)
        maps[22:24] = 0.0
        maps[1] *= _trusted(quads, size, photo.exhaustive and photo.kind != "hand")
        if rng.random() < 0.6:
            sample.image = photograph(rng, sample.image)
        return sample, maps


def random_frame(rng: np.random.Generator, middles: np.ndarray, width: float, size: int) -> np.ndarray:
    """An affine map [2, 3] from a photo to a crop: a tile near the middle, any turn, mirrored at
    times.

    `middles` [N, 2] and `width` of the photo's tiles in its pixels; in the crop a tile spans 15 to
    125 pixels.
    """
    middle = middles[rng.integers(0, len(middles))]
    wished = np.exp(rng.uniform(np.log(15), np.log(min(110.0, 2.2 * width + 15))))
    turn = rng.normal(0, 0.12) if rng.random() < 0.5 else rng.uniform(0, 6.283)
    scale = wished / width
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    linear = np.array([[c, -s], [s, c]]) @ np.diag([rng.choice([-1, 1]), 1.0])
    # The stretch to a square was undone only roughly: vary the aspect a little.
    linear = linear @ np.diag([np.exp(rng.normal(0, 0.06)), 1.0])
    place = size / 2 + rng.uniform(-0.3, 0.3, 2) * size
    return np.hstack([linear, (place - linear @ middle)[:, None]])


def windowed(
    crop: np.ndarray, quads: np.ndarray, size: int, up: np.ndarray | None = None, ignore: np.ndarray | None = None
) -> Sample:
    """The sample of a crop: tiles out of it are left out, tiles that its edge cuts are ignored.

    `up` and `ignore` [N] say more of each tile; without them all are face up and count.
    """
    up = np.ones(len(quads), bool) if up is None else up
    ignore = np.zeros(len(quads), bool) if ignore is None else ignore
    middle = quads.mean(1)
    near = ((quads.max(1) > 0) & (quads.min(1) < size)).all(1)
    margin = 0.12 * np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1, keepdims=True)
    inside = ((middle > margin) & (middle < size - margin)).all(1)
    return Sample(crop, quads[near].astype(np.float32), up[near], (ignore | ~inside)[near])


def _trusted(quads: np.ndarray, size: int, exhaustive: bool):
    """Mask of the places at which the labels say what is there, [h, w] of 0 and 1."""
    cells = size // STRIDE
    middle = quads.mean(1, keepdims=True)
    boxed = np.zeros((cells, cells), np.uint8)
    for quad in middle + (quads - middle) * 0.95:
        cv2.fillConvexPoly(boxed, np.int32(np.round(quad / STRIDE - 0.5)), 1)
    if not exhaustive:
        return boxed.astype(np.float32)
    # Fully labelled: all counts, but for a ring around loose boxes.
    ring = np.zeros((cells, cells), np.uint8)
    for quad in middle + (quads - middle) * 1.3:
        cv2.fillConvexPoly(ring, np.int32(np.round(quad / STRIDE - 0.5)), 1)
    return np.where((ring > 0) & (boxed == 0), 0.0, 1.0).astype(np.float32)
