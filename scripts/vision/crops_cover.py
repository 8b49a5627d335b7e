"""Tiles that a neighbour, a rack or a hand hides by a fifth to four fifths, and what they may still
be.

Purpose: half a four of bamboo must not be taken for a two. Input: a patch with its tile at HOME,
the set's faces. Output: the patch with a cover over the tile, the quad that a detector would give
it, and a share for each class. Invariant: the shares sum to one; a face that looks different in the
part that is seen has next to none, and the face itself has never less than another.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from . import crops_tiles as tiles
from .faces import CLASSES

MIN_HIDDEN, MAX_HIDDEN = 0.2, 0.8
# Faces whose inks in the visible part differ by this share of all their ink are e times less
# likely. Two prints of one face by different makers differ by 0.3 to 0.5, two faces of one set by
# 0.25 to 0.9: what a crop shows, with its blur, tells faces apart from about here on.
APART = 0.12
# Of the shares what goes to all faces alike when four fifths are hidden: then any set's face may
# look so.
UNKNOWN = 0.3
_SMALL = (24, 32)
FACES = len(CLASSES) - 2


@dataclass(frozen=True)
class Cover:
    """The part of a tile that is still seen, (x0, y0, x1, y1) in shares of its width and height."""

    visible: tuple

    @property
    def hidden(self) -> float:
        """The share of the tile that is hidden."""
        x0, y0, x1, y1 = self.visible
        return 1 - (x1 - x0) * (y1 - y0)

    def quad(self) -> np.ndarray:
        """The corners of the visible part in the patch."""
        x0, y0, x1, y1 = self.visible
        left, top = tiles.HOME[:2]
        xs, ys = left + np.float32([x0, x1]) * tiles.TILE_W, top + np.float32([y0, y1]) * tiles.TILE_H
        return np.float32([[xs[0], ys[0]], [xs[1], ys[0]], [xs[1], ys[1]], [xs[0], ys[1]]])


def cover(rng: np.random.Generator, patch: np.ndarray, how: tiles.Make, sprite: np.ndarray) -> Cover:
    """Hide a part of the tile in the middle, in place: with a neighbour's `sprite`, or a bar."""
    share, way = rng.uniform(MIN_HIDDEN, MAX_HIDDEN), int(rng.choice(4, p=[0.3, 0.3, 0.1, 0.3]))
    x, y = tiles.HOME[:2]
    wide, high = tiles.TILE_W, tiles.TILE_H
    # From the left, the right, above, below.
    visible = [(share, 0, 1, 1), (0, 0, 1 - share, 1), (0, share, 1, 1), (0, 0, 1, 1 - share)][way]
    slip = rng.normal(0, 6)
    at = [
        (x - wide * (1 - share), y + slip),
        (x + wide * (1 - share), y + slip),
        (x + slip, y - high * (1 - share)),
        (x + slip, y + high * (1 - share)),
    ][way]
    layer = patch.astype(np.float32)
    if rng.random() < 0.75:
        depth = 0 if way == 2 else rng.uniform(0, 12)  # A side below would hide more than its share.
        shadow = np.ones((*patch.shape[:2], 1), np.float32)
        cv2.rectangle(
            shadow, (int(at[0]), int(at[1])), (int(at[0] + wide), int(at[1] + high)), rng.uniform(0.5, 0.95), -1
        )
        layer *= cv2.GaussianBlur(shadow, (0, 0), rng.uniform(1, 5))[..., None]
        tiles._edge(layer, (at[0], at[1], (0, depth)), ((1.0, how.back), (0.5, how.body)))
        tiles._paste(layer, sprite, how.mask, (int(round(at[0])), int(round(at[1]))))
    else:
        colour = (
            rng.uniform(10, 250, 3)
            if rng.random() < 0.6
            else np.float32([rng.uniform(150, 240), rng.uniform(100, 180), rng.uniform(80, 160)])
        )
        left, top = (0 if way != 1 else int(at[0])), (0 if way != 3 else int(at[1]))
        right, low = (
            (patch.shape[1] if way != 0 else int(at[0] + wide)),
            (patch.shape[0] if way != 2 else int(at[1] + high)),
        )
        cv2.rectangle(layer, (left, top), (right, low), tuple(float(v) for v in colour), -1)
    np.copyto(patch, np.clip(layer, 0, 255).astype(np.uint8))
    return Cover(tuple(float(v) for v in visible))


def ink(face: np.ndarray) -> np.ndarray:
    """The light that a face takes from the ground's, at a small size: [32, 24, 3], zero where it is
    bare."""
    alpha = face[..., 3:].astype(np.float32) / 255
    return cv2.resize((255 - face[..., :3].astype(np.float32)) * alpha, _SMALL, interpolation=cv2.INTER_AREA)


def _part(image: np.ndarray, visible: tuple[float, int, float, float]) -> np.ndarray:
    x0, y0, x1, y1 = visible
    return image[
        int(y0 * _SMALL[1]) : max(int(y0 * _SMALL[1]) + 2, round(y1 * _SMALL[1])),
        int(x0 * _SMALL[0]) : max(int(x0 * _SMALL[0]) + 2, round(x1 * _SMALL[0])),
    ]


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    """Bray and Curtis's distance of two inks, with an ink too faint to see in common."""
    return float(np.abs(a - b).sum() / ((a + b).sum() + 6.0 * a.size))


def shares(own: tuple[np.ndarray, np.ndarray], others: dict, seen: Cover, squeezed: bool) -> np.ndarray:
    """The share of each class for a covered tile with the ink and shares `own`, among the inks of
    its set's other faces by class; `squeezed` where its quad holds the visible part only."""
    mine, named = own
    part = _part(mine, seen.visible)
    weights = np.zeros(len(CLASSES), np.float32)
    stretched = cv2.resize(np.ascontiguousarray(part), _SMALL, interpolation=cv2.INTER_LINEAR)
    for at, other in others.items():
        likely = np.exp(-_apart(part, _part(other, seen.visible)) / APART)
        if squeezed:  # Nothing tells that the quad holds a part.
            likely = max(likely, np.exp(-_apart(stretched, other) / APART))
        weights[at] = max(weights[at], likely)
    own_weight = max(1.0, float(weights[named > 0].max()))
    weights[named > 0] = 0
    weights = weights + named * own_weight
    weights /= weights.sum()
    unknown = UNKNOWN * float(np.clip((seen.hidden - 0.35) / (MAX_HIDDEN - 0.35), 0, 1))
    weights *= 1 - unknown
    weights[:FACES] += unknown / FACES
    return weights
