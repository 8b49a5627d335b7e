"""Large corner indices laid over any set's faces when a crop is rendered.

Purpose: beginners' and travel sets print a digit or letter as large as half the art; errors on such
a set led to this.
Input: a small RGBA face, its code, a generator. Output: the face with its art reduced and an index
in a corner.
Invariant: the index is the one that belongs to the code; a red five is numbered five.
"""

from __future__ import annotations

import functools

import cv2
import numpy as np

from .faces_glyphs import latin, latin_fonts

_INKS = [(200, 30, 40), (200, 30, 40), (30, 30, 34), (30, 50, 150), (20, 110, 60)]


@functools.lru_cache(None)
def _mask(font: int, text: str, weight: int) -> np.ndarray:
    return cv2.resize(latin(latin_fonts()[font], text, weight), (48, 72), interpolation=cv2.INTER_AREA)


def index_text(code: str) -> str:
    """The digit or letter that a maker prints on a tile."""
    if code[0] in "fs" and len(code) == 2:
        return code[1]
    return "5" if code[0] == "0" else code[0]


def with_index(rng: np.random.Generator, face: np.ndarray, code: str) -> np.ndarray:
    """Reduce the art towards the opposite corner and print the index."""
    h, w = face.shape[:2]
    scale, right, low = rng.uniform(0.62, 0.92), rng.random() < 0.55, rng.random() < 0.06
    art = cv2.resize(face, (int(w * scale), int(h * scale)), interpolation=cv2.INTER_AREA)
    out = np.zeros_like(face)
    free_x, free_y = w - art.shape[1], h - art.shape[0]
    x = int(free_x * (rng.uniform(0.1, 0.6) if right else rng.uniform(0.4, 0.9)))
    y = int(free_y * (rng.uniform(0.0, 0.4) if low else rng.uniform(0.6, 1.0)))
    out[y : y + art.shape[0], x : x + art.shape[1]] = art
    high = int(h * rng.uniform(0.16, 0.32))
    wide = int(high * rng.uniform(0.5, 0.8))
    glyph = cv2.resize(
        _mask(int(rng.integers(len(latin_fonts()))), index_text(code), int(rng.choice([0, 6, 12]))),
        (wide, high),
        interpolation=cv2.INTER_AREA,
    )
    mx, my = int(rng.uniform(2, 8)), int(rng.uniform(2, 8))
    x0, y0 = (w - mx - wide if right else mx), (h - my - high if low else my)
    alpha = glyph.astype(np.float32)[..., None] / 255
    part = out[y0 : y0 + high, x0 : x0 + wide].astype(np.float32)
    ink = np.float32([*_INKS[rng.integers(len(_INKS))], 255])
    out[y0 : y0 + high, x0 : x0 + wide] = (part * (1 - alpha) + ink * alpha).astype(np.uint8)
    return out
