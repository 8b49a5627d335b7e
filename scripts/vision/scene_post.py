"""Effects of light and of a phone's camera on a scene.

Purpose: lamps, glare, shadows, defocus, motion blur, white balance, contrast, noise and JPEG.
Input: a random generator and an RGB uint8 image. Output: an RGB uint8 image of the same size.
Invariant: geometry stays as it is (labels remain valid).
"""

from __future__ import annotations

import cv2
import numpy as np

_NOISE = np.random.default_rng(7).standard_normal((1024, 1024, 3)).astype(np.float32)


def _light_field(rng: np.random.Generator, size: int) -> np.ndarray:
    """Uneven light: a smooth field around 1, with a hard or soft shadow now and then."""
    field = cv2.resize(
        rng.normal(1.0, rng.uniform(0.02, 0.14), (3, 3)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
    )
    if rng.random() < 0.3:
        shadow = np.ones((size, size), np.float32)
        points = rng.uniform(-0.5, 1.5, (int(rng.integers(3, 6)), 2)) * size
        cv2.fillConvexPoly(shadow, cv2.convexHull(np.float32(points)).astype(np.int32), float(rng.uniform(0.45, 0.85)))
        field *= cv2.blur(shadow, (int(size * rng.uniform(0.01, 0.25)) | 1,) * 2)
    return field


def _glare(rng: np.random.Generator, image: np.ndarray, size: int) -> np.ndarray:
    """A lamp's reflection that whites out a part."""
    spot = np.zeros((48, 48), np.float32)
    middle = tuple(int(v) for v in rng.integers(0, 48, 2))
    axes = tuple(int(v) for v in rng.integers(1, 9, 2))
    cv2.ellipse(spot, middle, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    spot = cv2.resize(cv2.GaussianBlur(spot, (0, 0), rng.uniform(0.8, 5)), (size, size))
    return image + (spot * rng.uniform(30, 190))[..., None]


def _blur(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    kind = rng.random()
    if kind < 0.35:
        return cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.6))
    if kind < 0.45:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        a, middle = rng.uniform(0, 3.14), (length - 1) / 2
        d = np.array([np.cos(a), np.sin(a)]) * middle
        ends = [tuple(int(round(v)) for v in middle + s * d) for s in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1)
        return cv2.filter2D(image, -1, kernel / kernel.sum())
    if kind < 0.6:
        small = cv2.resize(image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
        return cv2.resize(small, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    if kind < 0.75:
        return cv2.addWeighted(image, 1.7, cv2.GaussianBlur(image, (0, 0), 1.2), -0.7, 0)
    return image


def photograph(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """The image as a phone would have taken it."""
    size = image.shape[0]
    out = _blur(rng, image).astype(np.float32)
    out *= _light_field(rng, size)[..., None]
    if rng.random() < 0.25:
        out = _glare(rng, out, size)
    warm = rng.normal(0, 0.1)
    gains = np.array([1 + warm, 1 + rng.normal(0, 0.03), 1 - warm], np.float32) * rng.uniform(0.7, 1.3)
    out *= gains
    if rng.random() < 0.4:
        grey = out.mean(axis=2, keepdims=True)
        keep = 0.0 if rng.random() < 0.06 else rng.uniform(0.4, 1.4)
        out = grey + (out - grey) * keep
    contrast = rng.uniform(0.7, 1.3)
    out = (out - 110) * contrast + 110 + rng.normal(0, 8)
    y, x = rng.integers(0, 1024 - size, 2)
    out += _NOISE[y : y + size, x : x + size] * rng.choice([1.0, rng.uniform(1, 12)])
    out = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        ok, packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
        out = cv2.imdecode(packed, cv2.IMREAD_COLOR) if ok else out
    return out
