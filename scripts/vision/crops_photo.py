"""Effects of a phone on a small patch: light, glare, shadow, white balance, blur, low resolution,
noise and JPEG.

Purpose: the second half of the crop generator. Input: an RGB uint8 patch and the tile's width in
the photo's pixels.
Output: RGB uint8 of the classifier's input size. Invariant: the geometry is not touched, so labels
stay true.
"""

from __future__ import annotations

import cv2
import numpy as np

CROP_H, CROP_W = 80, 64
MARGIN = 1.15
TILE_W = CROP_W / MARGIN  # A tile's width in a crop.

_Y, _X = np.mgrid[0:CROP_H, 0:CROP_W].astype(np.float32)
_X = _X / CROP_W - 0.5
_Y = _Y / CROP_H - 0.5


def light(rng: np.random.Generator, patch: np.ndarray) -> np.ndarray:
    """Exposure, colour of the lamp, a gradient, perhaps a shadow's edge and a glare spot; float32
    out."""
    out = patch.astype(np.float32)
    slope = rng.normal(0, 0.22, 2)
    field = 1 + slope[0] * _X + slope[1] * _Y
    if rng.random() < 0.22:
        a, at = rng.uniform(0, 6.28), rng.uniform(-0.4, 0.4)
        edge = (_X * np.cos(a) + _Y * np.sin(a) - at) * rng.uniform(4, 60)
        field = field * (1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-np.clip(edge, -30, 30))))
    out *= (field * np.exp(rng.normal(-0.14, 0.28)))[..., None]
    out *= np.exp(
        rng.normal(0, 0.09, 3)
        + rng.choice([0, 1], p=[0.8, 0.2]) * np.float32([0.18, 0.02, -0.3]) * rng.normal(0.5, 0.6)
    )
    if rng.random() < 0.05:  # Coloured light: magenta and blue lamps nearly drown one channel.
        out *= rng.uniform(0.15, 1.3, 3)
    if rng.random() < 0.1:
        cx, cy = rng.uniform(-0.5, 0.5, 2)
        spot = np.exp(-(((_X - cx) / rng.uniform(0.08, 0.4)) ** 2 + ((_Y - cy) / rng.uniform(0.08, 0.4)) ** 2))
        out += (spot * rng.uniform(40, 230))[..., None]
    if rng.random() < 0.4:
        out = 255 * np.clip(out / 255, 0, None) ** np.exp(rng.normal(0, 0.22))
    if rng.random() < 0.15:  # Haze or a flat camera curve lowers contrast.
        out = out * rng.uniform(0.5, 0.95) + rng.uniform(0, 70)
    if rng.random() < 0.03:
        out = np.repeat(out.mean(2, keepdims=True), 3, 2)
    return out


def camera(rng: np.random.Generator, patch: np.ndarray, tile_px: float) -> np.ndarray:
    """Blur, reduce to the photo's resolution, add noise and JPEG, and come back to the crop's
    size."""
    out = np.clip(patch, 0, 255)
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.9))
    if rng.random() < 0.14:
        out = cv2.filter2D(out, -1, _streak(rng))
    return _coded(rng, _sampled(rng, out, tile_px, (0.6, 14), 0.2), 25)


def _sampled(rng: np.random.Generator, patch: np.ndarray, tile_px: float, grain: tuple, sharpened: float) -> np.ndarray:
    """A patch at the photo's resolution, with grain (its share of photos and its largest deviation)
    and perhaps sharpened; float32 out."""
    out, scale = patch, min(1.0, tile_px / TILE_W)
    if scale < 0.97:
        out = cv2.resize(
            out, (max(10, int(CROP_W * scale)), max(12, int(CROP_H * scale))), interpolation=cv2.INTER_AREA
        )
    if rng.random() < grain[0]:
        noise = rng.standard_normal(out.shape, np.float32)
        if rng.random() < 0.4:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 2
        out = out + noise * rng.uniform(1, grain[1])
    if rng.random() < sharpened:
        out = out + (out - cv2.GaussianBlur(out, (0, 0), 1.2)) * rng.uniform(0.3, 1.4)
    return out


def _coded(rng: np.random.Generator, patch: np.ndarray, worst: int) -> np.ndarray:
    """A patch through JPEG now and then, of this quality at least, at the crop's size."""
    out = np.clip(patch, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        code = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(worst, 96))])[1]
        out = cv2.imdecode(code, cv2.IMREAD_COLOR)
    if out.shape[:2] != (CROP_H, CROP_W):
        out = cv2.resize(out, (CROP_W, CROP_H), interpolation=cv2.INTER_LINEAR)
    return out


def _streak(rng: np.random.Generator) -> np.ndarray:
    """A motion-blur kernel."""
    size = int(rng.integers(3, 10))
    kernel = np.zeros((size, size), np.float32)
    a, c = rng.uniform(0, 3.15), (size - 1) / 2
    d = np.float32([np.cos(a), np.sin(a)]) * c
    cv2.line(kernel, (int(round(c - d[0])), int(round(c - d[1]))), (int(round(c + d[0])), int(round(c + d[1]))), 1.0)
    return kernel / kernel.sum()


def photograph(rng: np.random.Generator, patch: np.ndarray, tile_px: float) -> np.ndarray:
    """Light and camera together."""
    return camera(rng, light(rng, patch), tile_px)


def photograph_gently(rng: np.random.Generator, patch: np.ndarray, tile_px: float) -> np.ndarray:
    """Light and camera of a photo in which small writing can be read: even light, little blur."""
    out = patch.astype(np.float32) * np.exp(rng.normal(-0.05, 0.18)) * np.exp(rng.normal(0, 0.05, 3))
    slope = rng.normal(0, 0.1, 2)
    out *= (1 + slope[0] * _X + slope[1] * _Y)[..., None]
    if rng.random() < 0.25:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.1))
    return _coded(rng, _sampled(rng, out, tile_px, (0.5, 7), 0.3), 40)
