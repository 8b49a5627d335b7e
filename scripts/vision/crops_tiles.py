"""Flat patches of a table with a tile in the middle and its neighbours around it.

Purpose: the first half of the crop generator: bodies, sides, backs, neighbours, seen before perspective and light.
Input: faces as RGBA [96, 72, 4], a ground texture, a generator. Output: RGB uint8 [PATCH_H, PATCH_W, 3].
Invariant: the middle tile's outline is exactly `HOME` (x0, y0, x1, y1) in the patch.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .faces_finish import finish

TILE_W, TILE_H = 72, 96
PATCH_W, PATCH_H = TILE_W * 3, TILE_H * 3
HOME = (TILE_W, TILE_H, TILE_W * 2, TILE_H * 2)

# Face grounds of real tiles with their frequency: mostly white and ivory, some tinted, few dark.
_BODIES = [((252, 252, 250), 5), ((250, 246, 232), 5), ((240, 228, 198), 2.5), ((232, 208, 140), 1), ((226, 240, 224), 1),
           ((216, 228, 242), 1), ((200, 192, 182), 1), ((236, 214, 220), 0.4), ((150, 200, 160), 0.3), ((130, 160, 210), 0.3),
           ((34, 34, 38), 0.35), ((30, 90, 60), 0.25), ((60, 40, 110), 0.15)]
_BACKS = [(20, 130, 70), (30, 80, 180), (230, 140, 30), (120, 60, 160), (30, 30, 34), (190, 30, 40), (240, 190, 40),
          (110, 66, 40), (60, 160, 190), (230, 120, 160), (120, 130, 60)]
_BODY_P = np.float64([w for _, w in _BODIES]) / sum(w for _, w in _BODIES)


@dataclass
class Make:
    """What the tiles of one patch share: ground, back, corner radius, inset of the art."""

    body: np.ndarray
    back: np.ndarray
    mask: np.ndarray
    shade: np.ndarray
    inset: tuple[int, int, int, int]

    @property
    def dark(self) -> bool:
        """Whether customary inks would not show on the ground."""
        return float(self.body.mean()) < 130


def make(rng: np.random.Generator, light_only: bool = False) -> Make:
    """A random make of tile."""
    while True:
        body = np.float32(_BODIES[rng.choice(len(_BODIES), p=_BODY_P)][0]) + rng.normal(0, 5, 3)
        if not light_only or body.mean() > 185:
            break
    back = np.float32(_BACKS[rng.integers(len(_BACKS))]) * rng.uniform(0.7, 1.15) + rng.normal(0, 14, 3)
    radius = int(rng.integers(2, 16))
    mask = np.zeros((TILE_H, TILE_W), np.uint8)
    cv2.rectangle(mask, (radius, 0), (TILE_W - 1 - radius, TILE_H - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (TILE_W - 1, TILE_H - 1 - radius), 255, -1)
    for x in (radius, TILE_W - 1 - radius):
        for y in (radius, TILE_H - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    rim = cv2.blur(np.pad(mask, 1), (5, 5))[1:-1, 1:-1].astype(np.float32) / 255
    shade = 1 + (rim - 1) * rng.uniform(-0.25, 0.7)
    if rng.random() < 0.3:
        shade = shade + cv2.resize(rng.normal(0, 0.03, (12, 9)).astype(np.float32), (TILE_W, TILE_H))
    x, y = rng.uniform(0.0, 0.13) * TILE_W, rng.uniform(0.0, 0.13) * TILE_H
    dx, dy = rng.normal(0, 1.2, 2)
    inset = tuple(int(round(max(0, v))) for v in (x + dx, y + dy, x - dx, y - dy))
    return Make(np.clip(body, 0, 255), np.clip(back, 5, 250), mask.astype(np.float32)[..., None] / 255, shade[..., None], inset)


def face_sprite(rng: np.random.Generator, how: Make, face: np.ndarray, painted: bool = True) -> np.ndarray:
    """A tile's top with its face as float RGB [96, 72, 3]; neighbours are not worth a finish of their own."""
    top = how.body * how.shade
    x0, y0, x1, y1 = how.inset
    art = finish(face, rng) if painted else face
    art = cv2.resize(art, (TILE_W - x0 - x1, TILE_H - y0 - y1), interpolation=cv2.INTER_AREA).astype(np.float32)
    alpha = art[..., 3:] / 255
    ink = art[..., :3]
    if how.dark:
        ink = 255 - ink * 0.55
    part = top[y0:TILE_H - y1, x0:TILE_W - x1]
    top = top.copy()
    top[y0:TILE_H - y1, x0:TILE_W - x1] = part * (1 - alpha) + ink * alpha
    return top


def back_sprite(rng: np.random.Generator, how: Make) -> np.ndarray:
    """A tile's back: plain, bordered, bevelled or patterned."""
    top = np.broadcast_to(how.back, (TILE_H, TILE_W, 3)) * (1 + (how.shade - 1) * 1.3)
    kind = rng.random()
    if kind < 0.14:
        m = int(rng.integers(3, 14))
        tone = how.body if rng.random() < 0.5 else how.back * rng.uniform(0.6, 1.4)
        canvas = np.ascontiguousarray(top)
        cv2.rectangle(canvas, (m, m), (TILE_W - m, TILE_H - m), tuple(float(v) for v in tone), int(rng.integers(1, 4)))
        top = canvas
    elif kind < 0.24:
        y, x = np.mgrid[0:TILE_H, 0:TILE_W]
        period, a = rng.uniform(4, 16), rng.uniform(0, 3.14)
        wave = np.sin((x * np.cos(a) + y * np.sin(a)) * 6.28 / period) * np.sin((y * np.cos(a) - x * np.sin(a)) * 6.28 / period)
        top = top * (1 + rng.uniform(0.05, 0.3) * wave[..., None])
    elif kind < 0.44:  # A lighter border: the ivory of the sides shows around the back.
        m = int(rng.integers(2, 8))
        inner = np.zeros((TILE_H, TILE_W, 1), np.float32)
        inner[m:TILE_H - m, m:TILE_W - m] = 1
        inner = cv2.GaussianBlur(inner, (0, 0), rng.uniform(0.4, 2.5))[..., None]
        top = top * inner + how.body * 0.92 * (1 - inner)
    return np.float32(top)


def lay(rng: np.random.Generator, how: Make, ground: np.ndarray, sprites: list) -> np.ndarray:
    """Lay sprites on the ground: the first in the middle, the others as neighbours; sides in one direction."""
    patch = cv2.resize(ground, (PATCH_W, PATCH_H), interpolation=cv2.INTER_AREA).astype(np.float32)
    side = _side(rng)
    gap = rng.choice([0, rng.uniform(0, 3), rng.uniform(2, 14)], p=[0.35, 0.4, 0.25])
    spots = [(HOME[0], HOME[1])]
    if len(sprites) > 1:
        spots += _around(rng, side, gap)[:len(sprites) - 1]
    order = list(zip(spots, sprites))[::-1]
    if rng.random() < 0.5:
        _shadow(rng, patch, spots)
    for (x, y), sprite in order:
        _edge(rng, how, patch, (x, y, side))
    for (x, y), sprite in order:
        _paste(patch, sprite, how.mask, (int(round(x)), int(round(y))))
    return _framed(rng, np.clip(patch, 0, 255).astype(np.uint8))


def _framed(rng: np.random.Generator, patch: np.ndarray) -> np.ndarray:
    """Now and then the photo ends at the tile, and what lies beyond repeats its border or is empty."""
    if rng.random() > 0.07:
        return patch
    x0, y0, x1, y1 = (int(v + d) for v, d in zip(HOME, rng.uniform(-7, 3, 4) * (1, 1, -1, -1)))
    how = cv2.BORDER_REPLICATE if rng.random() < 0.75 else cv2.BORDER_CONSTANT
    return cv2.copyMakeBorder(patch[y0:y1, x0:x1], y0, PATCH_H - y1, x0, PATCH_W - x1, how, value=(114, 114, 114))


def _side(rng):
    """How much of the tile's side shows, below, above, or at an end, in patch pixels."""
    if rng.random() < 0.3:
        return (0, 0)
    depth = rng.uniform(2, 46)
    return [(0, depth), (0, -depth), (depth * 0.5, depth * 0.5), (-depth * 0.5, depth * 0.6), (depth * 0.6, 0), (-depth * 0.6, 0)][
        rng.choice(6, p=[0.5, 0.26, 0.07, 0.07, 0.05, 0.05])]


def _around(rng, side, gap):
    """Places of neighbours: left and right always close, above and below behind their sides."""
    x, y = HOME[0], HOME[1]
    slip = rng.normal(0, 2.0, 4) if rng.random() < 0.6 else rng.normal(0, 12.0, 4)
    left = (x - TILE_W - gap - max(side[0], 0), y + slip[0])
    right = (x + TILE_W + gap + max(-side[0], 0), y + slip[1])
    up = (x + slip[2], y - TILE_H - gap - abs(side[1]))
    down = (x + slip[3], y + TILE_H + gap + abs(side[1]))
    spots = [left, right]
    if rng.random() < 0.5:
        spots.reverse()
    return spots + ([up, down] if rng.random() < 0.5 else [down, up])


def _shadow(rng, patch, spots) -> None:
    dark = np.ones((PATCH_H, PATCH_W, 1), np.float32)
    dx, dy = rng.uniform(-16, 16, 2)
    deep = rng.uniform(0.35, 0.85)
    for x, y in spots:
        cv2.rectangle(dark, (int(x + dx), int(y + dy)), (int(x + dx + TILE_W), int(y + dy + TILE_H)), deep, -1)
    patch *= cv2.GaussianBlur(dark, (0, 0), rng.uniform(1, 6))[..., None]


def _edge(rng, how, patch, where) -> None:
    """The visible side: the face's material first, then the back's."""
    x, y, (sx, sy) = where
    if not (sx or sy):
        return
    split, tone = rng.uniform(0.4, 0.75), rng.uniform(0.45, 1.05)
    for t, colour in ((1.0, how.back * tone), (split, how.body * tone)):
        ax, ay = x + sx * t, y + sy * t
        xs, ys = sorted((x, ax)), sorted((y, ay))
        cv2.rectangle(patch, (int(xs[0]), int(ys[0])), (int(xs[1] + TILE_W - 1), int(ys[1] + TILE_H - 1)), tuple(float(v) for v in colour), -1)


def _paste(patch, sprite, mask, at) -> None:
    x, y = at
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + TILE_W, PATCH_W), min(y + TILE_H, PATCH_H)
    if x1 <= x0 or y1 <= y0:
        return
    m = mask[y0 - y:y1 - y, x0 - x:x1 - x]
    patch[y0:y1, x0:x1] = patch[y0:y1, x0:x1] * (1 - m) + sprite[y0 - y:y1 - y, x0 - x:x1 - x] * m
