"""Glyphs of installed CJK and Latin fonts as coverage masks, with the small deformations of carved
writing.

Purpose: faces of many hands from a few dozen fonts. Input: a font choice and a character. Output: a
uint8 mask of the glyph's em square (or of its tight box). Invariant: a font is offered for a text
only when it has every glyph of it.
"""

from __future__ import annotations

import functools
import glob

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

EM = 220

# Pattern, face indices, weight: real sets are carved in regular script (kai) far more often than in
# other styles.
_CJK = [
    ("/usr/share/fonts/truetype/arphic/ukai.ttc", (0, 1, 2), 4.0),
    ("/usr/share/fonts/truetype/arphic-bkai00mp/*.ttf", (0,), 4.0),
    ("/usr/share/fonts/truetype/arphic-gkai00mp/*.ttf", (0,), 3.0),
    ("/usr/share/fonts/truetype/cwtex/cwkai.ttf", (0,), 4.0),
    ("/usr/share/fonts/truetype/arphic/uming.ttc", (0, 2), 1.0),
    ("/usr/share/fonts/truetype/arphic-*/*s[mn]*.ttf", (0,), 0.7),
    ("/usr/share/fonts/truetype/cwtex/cw[mhy]*.ttf", (0,), 1.0),
    ("/usr/share/fonts/truetype/hanazono/HanaMinA.ttf", (0,), 0.7),
    ("/usr/share/fonts/truetype/wqy/*.ttc", (0,), 0.6),
    ("/usr/share/fonts/opentype/noto/NotoSerifCJK-*.ttc", (0, 2, 3), 0.35),
    ("/usr/share/fonts/opentype/noto/NotoSansCJK-*.ttc", (0, 2, 3), 0.2),
    ("/usr/share/fonts/opentype/ipa*/*.ttf", (0,), 0.4),
    ("/usr/share/fonts/truetype/takao-*/*.ttf", (0,), 0.4),
    ("/usr/share/fonts/truetype/vlgothic/*.ttf", (0,), 0.3),
]
_LATIN = [
    "/usr/share/fonts/truetype/dejavu/*.ttf",
    "/usr/share/fonts/truetype/liberation*/*.ttf",
    "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-*.ttc",
    "/usr/share/fonts/truetype/arphic/ukai.ttc",
    "/usr/share/fonts/truetype/vlgothic/*.ttf",
]


@functools.lru_cache(None)
def cjk_fonts() -> tuple[list[tuple[str, int]], np.ndarray]:
    """Every installed CJK font face with its weight."""
    fonts, weights = [], []
    for pattern, indices, weight in _CJK:
        for path in sorted(glob.glob(pattern)):
            fonts += [(path, i) for i in indices]
            weights += [weight] * len(indices)
    if not fonts:
        raise RuntimeError("no CJK fonts: apt-get install fonts-arphic-ukai fonts-noto-cjk fonts-cwtex-kai")
    return fonts, np.float64(weights) / np.sum(weights)


@functools.lru_cache(None)
def latin_fonts() -> list[tuple[str, int]]:
    """Fonts for corner indices."""
    return [(p, 0) for pattern in _LATIN for p in sorted(glob.glob(pattern))]


@functools.lru_cache(64)
def _font(path: str, index: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size, index=index)


@functools.lru_cache(None)
def has(font: tuple[str, int], char: str) -> bool:
    """Tell whether the font has a glyph for the character (compared with its glyph for a
    noncharacter)."""
    face = _font(*font, 40)
    mask = bytes(face.getmask(char))
    return len(mask) > 0 and mask != bytes(face.getmask("\uffff")) and mask != bytes(face.getmask("\u0378"))


def pick_cjk(rng: np.random.Generator, text: str) -> tuple[str, int]:
    """A CJK font that has every character of the text."""
    fonts, weights = cjk_fonts()
    for _ in range(40):
        font = fonts[rng.choice(len(fonts), p=weights)]
        if all(has(font, c) for c in text):
            return font
    return next(f for f in fonts if all(has(f, c) for c in text))


def pick_latin(rng: np.random.Generator) -> tuple[str, int]:
    """A font for digits and letters."""
    fonts = latin_fonts()
    return fonts[rng.integers(len(fonts))]


@functools.lru_cache(4096)
def _em_mask(font: tuple[str, int], text: str) -> np.ndarray:
    image = Image.new("L", (EM * max(1, len(text)) + 40, EM + 40))
    ImageDraw.Draw(image).text((image.width / 2, image.height / 2), text, 255, _font(*font, EM), anchor="mm")
    return np.asarray(image)


def tight(mask: np.ndarray) -> np.ndarray:
    """Cut a mask to its ink."""
    ys, xs = np.flatnonzero(mask.max(1) > 40), np.flatnonzero(mask.max(0) > 40)
    if len(ys) == 0:
        return mask
    return mask[ys[0] : ys[-1] + 1, xs[0] : xs[-1] + 1]


def square(mask: np.ndarray) -> np.ndarray:
    """Centre a glyph's ink in an em square: a flat character such as the numeral one keeps its
    shape."""
    ink = tight(mask)
    side = max(int(EM * 0.9), ink.shape[0], ink.shape[1])
    out = np.zeros((side, side), np.uint8)
    y, x = (side - ink.shape[0]) // 2, (side - ink.shape[1]) // 2
    out[y : y + ink.shape[0], x : x + ink.shape[1]] = ink
    return out


class Brush:
    """The writing of one set: font, stroke weight, slant and wobble; the same for all its
    characters."""

    def __init__(self, rng: np.random.Generator, text: str, font: tuple[str, int] | None = None) -> None:
        self.font = font or pick_cjk(rng, text)
        kai = "kai" in self.font[0].lower()
        self.weight = int(rng.integers(-1, 13 if kai else 7))
        self.slant = float(rng.normal(0, 0.06))
        self.wobble = float(abs(rng.normal(0, 3.0)))
        self.phase = rng.uniform(0, 6.28, 4)

    def glyph(self, char: str, tightly: bool = True) -> np.ndarray:
        """The character's mask, in its tight box or in an em square."""
        mask = np.pad(_em_mask(self.font, char), 12)
        if self.weight > 1:
            mask = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (self.weight, self.weight)))
        elif self.weight < 0:
            mask = cv2.erode(mask, np.ones((2, 2), np.uint8))
        h, w = mask.shape
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        p = self.phase
        mx = x + self.slant * (y - h / 2) + self.wobble * np.sin(y / 45 + p[0]) * np.cos(x / 60 + p[1])
        my = y + self.wobble * np.sin(x / 50 + p[2]) * np.cos(y / 70 + p[3])
        mask = cv2.remap(mask, mx.astype(np.float32), my.astype(np.float32), cv2.INTER_LINEAR)
        return tight(mask) if tightly else square(mask)


def latin(font: tuple[str, int], text: str, weight: int = 0) -> np.ndarray:
    """The tight mask of a digit, letter or word."""
    mask = np.pad(_em_mask(font, text), 8)
    if weight > 1:
        mask = cv2.dilate(mask, np.ones((weight, weight), np.uint8))
    return tight(mask)
