"""Training crops for the corner refiner: tiles of rendered scenes, their quads put wrong as the
detector puts them.

Purpose: endless pairs of a crop and the place of the true corners in it. Input: a scene generator,
a seed. Output: `pairs`: RGB uint8 [64, 64, 3] and float32 [4, 2] in the frame of the wrong quad.
Invariant: the crop is cut by the front end that the program has (`frontend.surroundings`); corners
keep the detector's order, clockwise and upright.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from . import frontend
from .detector import widths
from .frontend import SURROUNDINGS
from .refiner import SQUARE

if TYPE_CHECKING:
    from .scene import Sample


# Tiles narrower than this in a scene show no edge to find.
NARROWEST = 11
# One quad in so many is off by much: a neighbour's half taken in, a standing tile's top taken for
# its face.
FAR_OFF = 0.15
# Beyond this, in the frame of the quad, the truth lies outside the crop and cannot be seen.
OUTSIDE = (SURROUNDINGS - 1) / 2


def wrong(rng: np.random.Generator, quad: np.ndarray) -> np.ndarray:
    """A quad off its place as detections are: by its size, its place, its angle, and corner by
    corner."""
    centre = quad.mean(0)
    much = 2.2 if rng.random() < FAR_OFF else rng.uniform(0.3, 1.0)
    across, down = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    frame = np.stack([across, down])
    width = np.hypot(*across)
    grow = np.exp(rng.normal(0, 0.09 * much, 2) + rng.normal(0, 0.04))
    shear = rng.normal(0, 0.05 * much, (2, 2))
    np.fill_diagonal(shear, 0)
    local = (SQUARE - 0.5) * grow
    local = local + local @ shear + rng.normal(0, 0.06 * much, 2)
    return np.float32(centre + local @ frame + rng.normal(0, 0.05 * much * width, (4, 2)))


def in_frame(given: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Corners in the frame of a quad that is given: its own corners are those of the unit
    square."""
    straight = cv2.getPerspectiveTransform(np.float32(given), SQUARE)
    return cv2.perspectiveTransform(np.float32(corners)[None], straight)[0]


def from_frame(given: np.ndarray, local: np.ndarray) -> np.ndarray:
    """Places in pixels of points in the frame of a quad: the inverse of `in_frame`."""
    straight = cv2.getPerspectiveTransform(SQUARE, np.float32(given))
    return cv2.perspectiveTransform(np.float32(local)[None], straight)[0]


def is_convex(quad: np.ndarray) -> bool:
    """Tells whether all corners turn the same way, clockwise on screen."""
    edges = np.roll(quad, -1, 0) - quad
    after = np.roll(edges, -1, 0)
    return bool((edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] > 0).all())


def upright_pair(given: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both quads begun at the same corner, such that the given one stands upright."""
    turned = frontend.upright(given)
    return (given, truth) if turned is given else (turned, np.roll(truth, -1, axis=0))


def pairs(rng: np.random.Generator, sample: Sample) -> list[tuple[np.ndarray, np.ndarray]]:
    """[(crop, corners)] of all readable tiles of a scene."""
    found = []
    wide = widths(sample.quads) if len(sample.quads) else []
    for quad, width, ignored in zip(sample.quads, wide, sample.ignore):
        if ignored or width < NARROWEST:
            continue
        truth = np.roll(np.float32(quad), -int(rng.integers(4)), axis=0)
        given, truth = upright_pair(wrong(rng, truth), truth)
        if not is_convex(given):
            continue
        local = in_frame(given, truth)
        if local.min() < -OUTSIDE or local.max() > 1 + OUTSIDE:
            continue
        found.append((frontend.surroundings(sample.image, given), local))
    return found
