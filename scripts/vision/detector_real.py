"""Crops of real training photos for the detector, with what their labels can teach.

Purpose: a minority of real pictures among the rendered ones, for colours, light and other people's tables.
Input: the shared folder (photos of the train split only). Output: samples and target maps as rendered ones have.
Invariant: the boxes are axis-aligned and loose, so they teach centres and "face up", never corners; where a photo may
show tiles without labels (backs are labelled nowhere), everything outside the labelled boxes is masked out of the loss.
"""

import cv2
import numpy as np

from .detector import STRIDE, targets
from .real import load_real
from .scene import Sample
from .scene_post import photograph


class RealCrops:
    """Random turned and scaled crops of the training photos."""

    def __init__(self, shared):
        photos = load_real(shared, "train")
        self.photos = [p for p in photos if p.tiles and p.kind != "strip"]
        # Every scene and kind weighs by the root of its photos, so that the box of 36 tiles does not rule.
        names = [(p.scene, p.kind) for p in self.photos]
        share = np.array([names.count(n) ** -0.5 for n in names])
        self.share = share / share.sum()

    def sample(self, rng, size):
        """(sample, target maps) of one crop."""
        photo = self.photos[rng.choice(len(self.photos), p=self.share)]
        image, boxes = photo.image(cache=True), np.array([b[1:] for b in photo.boxes()])
        matrix = _frame(rng, boxes, size)
        crop = cv2.warpAffine(
            image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=tuple(rng.uniform(20, 200, 3))
        )
        corners = boxes[:, None, :2] + boxes[:, None, 2:] * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
        quads = corners @ matrix[:, :2].T + matrix[:, 2]
        if np.linalg.det(matrix[:, :2]) < 0:
            quads = quads[:, ::-1]
        sample = _sample(crop, quads, size)
        maps = targets(sample, size)
        maps[22:24] = 0.0
        maps[1] *= _trusted(quads, size, photo.exhaustive and photo.kind != "hand")
        if rng.random() < 0.6:
            sample.image = photograph(rng, sample.image)
        return sample, maps


def _frame(rng, boxes, size):
    """An affine map [2, 3] from the photo to the crop: a labelled tile near the middle, any turn, mirrored at times."""
    box = boxes[rng.integers(0, len(boxes))]
    width = max(4.0, np.median(np.minimum(boxes[:, 2], boxes[:, 3])))
    wished = np.exp(rng.uniform(np.log(15), np.log(min(110.0, 2.2 * width + 15))))
    turn = rng.normal(0, 0.12) if rng.random() < 0.5 else rng.uniform(0, 6.283)
    scale = wished / width
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    linear = np.array([[c, -s], [s, c]]) @ np.diag([rng.choice([-1, 1]), 1.0])
    # The stretch to a square was undone only roughly: vary the aspect a little.
    linear = linear @ np.diag([np.exp(rng.normal(0, 0.06)), 1.0])
    place = size / 2 + rng.uniform(-0.3, 0.3, 2) * size
    return np.hstack([linear, (place - linear @ (box[:2] + box[2:] / 2))[:, None]])


def _sample(crop, quads, size):
    middle = quads.mean(1)
    near = ((quads.max(1) > 0) & (quads.min(1) < size)).all(1)
    margin = 0.12 * np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1, keepdims=True)
    inside = ((middle > margin) & (middle < size - margin)).all(1)
    keep = quads[near].astype(np.float32)
    return Sample(crop, keep, np.ones(len(keep), bool), ~inside[near])


def _trusted(quads, size, exhaustive):
    """Where the labels say what is there, [h, w] of 0 and 1."""
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
