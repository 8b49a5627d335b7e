"""Finishes of the paint: engraving, wear, fading and a change of inks.

Purpose: the same art on many tiles. Input: an RGBA face and a generator. Output: an RGBA face of
the same size.
Invariant: a finish moves no ink further than a few pixels and never turns red into another
customary ink.
"""

from __future__ import annotations

import cv2
import numpy as np


def finish(face: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Apply a random finish; about a third of the faces stay nearly as they are."""
    out = face.astype(np.float32)
    out[..., :3] = cv2.transform(out[..., :3], _inks(rng))
    if rng.random() < 0.35:
        out = _engrave(out, rng)
    if rng.random() < 0.3:
        out[..., 3] *= _wear(out.shape[:2], rng)
    if rng.random() < 0.3:
        out[..., 3] *= rng.uniform(0.5, 1.0)
    return np.clip(out, 0, 255).astype(np.uint8)


def _inks(rng: np.random.Generator) -> np.ndarray:
    """Saturation, brightness and a slight tint, as one affine map of colours [3, 4]."""
    saturation, gain = rng.uniform(0.65, 1.25), rng.uniform(0.75, 1.15)
    mix = (np.eye(3) * saturation + (1 - saturation) / 3) * gain
    return np.float32(np.column_stack([mix, rng.normal(0, 8, 3) + rng.uniform(0, 30)]))


def _engrave(face: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A dark rim on the side of the light inside the groove and a light one opposite, just
    outside."""
    scale = face.shape[1] / 192.0
    reach, a = rng.uniform(1.5, 4.0) * scale, rng.uniform(0, 6.28)
    shift = np.float32([[1, 0, np.cos(a) * reach], [0, 1, np.sin(a) * reach]])
    alpha = face[..., 3] / 255.0
    size = (face.shape[1], face.shape[0])
    moved = cv2.warpAffine(alpha, shift, size)
    dark = np.clip(alpha - moved, 0, 1)
    light = np.clip(moved - alpha, 0, 1) * rng.uniform(0.1, 0.5)
    out = face.copy()
    out[..., :3] *= (1 - dark * rng.uniform(0.2, 0.7))[..., None]
    total = np.maximum(alpha + light * (1 - alpha), 1e-4)
    tone = 250.0 if rng.random() < 0.5 else 90.0
    share = (light * (1 - alpha) / total)[..., None]
    out[..., :3] = out[..., :3] * (1 - share) + tone * share
    out[..., 3] = total * 255 * (total > 1e-3)
    return out


def _wear(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Holes and thin places in the paint."""
    noise = cv2.resize(
        rng.random((int(rng.integers(6, 40)), int(rng.integers(6, 40)))).astype(np.float32),
        shape[::-1],
        interpolation=cv2.INTER_CUBIC,
    )
    level = rng.uniform(0.05, 0.3)
    return np.clip((noise - level) / rng.uniform(0.05, 0.4) + 0.4, rng.uniform(0.1, 0.5), 1.0)
