"""Flat patches of a table with a tile in the middle and its neighbours around it.

Purpose: the first half of the crop generator: bodies, sides, backs, neighbours, seen before
perspective and light.
Input: faces as RGBA [96, 72, 4], a ground texture, a generator. Output: RGB uint8 [PATCH_H,
PATCH_W, 3].
Invariant: the middle tile's outline is exactly `HOME` (x0, y0, x1, y1) in the patch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from .faces_finish import finish

TILE_W, TILE_H = 72, 96
PATCH_W, PATCH_H = TILE_W * 3, TILE_H * 3
HOME = (TILE_W, TILE_H, TILE_W * 2, TILE_H * 2)

# Face grounds of real tiles with their frequency: mostly white and ivory, some tinted, one in six
# dark or strongly coloured.
_BODIES = [
    ((252, 252, 250), 5),
    ((250, 246, 232), 5),
    ((240, 228, 198), 2.5),
    ((232, 208, 140), 1),
    ((226, 240, 224), 1),
    ((216, 228, 242), 1),
    ((200, 192, 182), 1),
    ((236, 214, 220), 0.4),
    ((150, 200, 160), 0.3),
    ((130, 160, 210), 0.3),
]
_DARKS = [
    ((34, 34, 38), 5),
    ((16, 16, 20), 3),
    ((48, 32, 24), 1),
    ((70, 72, 78), 0.8),
    ((30, 90, 60), 2),
    ((16, 60, 40), 1),
    ((20, 120, 80), 1),
    ((46, 139, 87), 0.5),
    ((22, 30, 80), 2),
    ((24, 50, 120), 1.5),
    ((40, 76, 170), 0.8),
    ((60, 40, 110), 1.2),
    ((90, 40, 120), 0.7),
    ((110, 20, 35), 2),
    ((140, 24, 40), 1),
    ((170, 34, 40), 0.6),
    ((10, 80, 90), 0.8),
    ((110, 62, 34), 0.8),
    ((40, 140, 150), 0.5),
    ((200, 90, 130), 0.3),
    ((214, 120, 40), 0.3),
]
_DARK = 0.18
# Backs: a third saturated as most makers have them, a third of any colour, a third pale, of which
# some are the body's own material. With half of them pale, and a third more backs, eight to eleven
# framed or bare dragons of 1,244 validation tiles became backs (2026-11-26).
_BACKS = [
    (20, 130, 70),
    (30, 80, 180),
    (230, 140, 30),
    (120, 60, 160),
    (30, 30, 34),
    (190, 30, 40),
    (240, 190, 40),
    (110, 66, 40),
    (60, 160, 190),
    (230, 120, 160),
    (120, 130, 60),
]
_PALES = [
    (250, 250, 248),
    (250, 246, 232),
    (244, 238, 214),
    (240, 228, 198),
    (226, 214, 186),
    (232, 208, 150),
    (214, 186, 130),
    (206, 222, 240),
    (184, 206, 232),
    (222, 236, 246),
    (216, 236, 220),
    (190, 222, 200),
    (244, 218, 224),
    (232, 200, 208),
    (226, 216, 240),
    (226, 226, 228),
    (200, 202, 204),
    (248, 238, 190),
]
_METALS = [
    (212, 175, 55),
    (230, 196, 90),
    (184, 140, 50),
    (255, 215, 100),
    (200, 200, 206),
    (226, 228, 232),
    (170, 172, 180),
    (190, 120, 70),
    (250, 248, 240),
    (255, 255, 255),
]
_BODY_P = np.float64([w for _, w in _BODIES]) / sum(w for _, w in _BODIES)
_DARK_P = np.float64([w for _, w in _DARKS]) / sum(w for _, w in _DARKS)
_Y, _X = np.mgrid[0:TILE_H, 0:TILE_W].astype(np.float32)


@dataclass
class Make:
    """Properties that the tiles of one patch share: ground, back, corner radius, inset of the art,
    and what becomes of its inks."""

    body: np.ndarray
    back: np.ndarray
    mask: np.ndarray
    shade: np.ndarray
    inset: tuple[int, ...]
    paint: str
    metal: np.ndarray
    design: float

    @property
    def dark(self) -> bool:
        """Whether the ink is lighter than the ground."""
        return self.paint in ("metal", "bright", "turned", "faint")

    @property
    def drained(self) -> bool:
        """Whether all inks are one, or each has another hue, so that a red five is not red."""
        return self.paint in ("metal", "mono", "faint")


def make(rng: np.random.Generator, light_only: bool = False, dark_only: bool = False) -> Make:
    """A random make of tile."""
    dark = dark_only or (not light_only and rng.random() < _DARK)
    while True:
        body = np.float32(
            _DARKS[rng.choice(len(_DARKS), p=_DARK_P)][0] if dark else _BODIES[rng.choice(len(_BODIES), p=_BODY_P)][0]
        )
        body = np.clip(body * (rng.uniform(0.75, 1.3) if dark else 1.0) + rng.normal(0, 5, 3), 0, 255)
        if not light_only or body.mean() > 185:
            break
    # Between dark and light both are made: white ink on jade, and black.
    if dark and grey(body) < 105 + rng.normal(0, 12):
        paint = rng.choice(["metal", "bright", "turned", "faint"], p=[0.4, 0.3, 0.22, 0.08])
    else:
        paint = rng.choice(["own", "mono", "gilt"], p=[0.92, 0.04, 0.04])
    metal = np.float32(_METALS[rng.integers(len(_METALS))]) + rng.normal(0, 6, 3)
    if paint == "mono":
        metal = np.float32(
            [(20, 20, 24), (28, 40, 90), (120, 24, 30), (150, 110, 40), (120, 120, 124), (60, 44, 34)][rng.integers(6)]
        ) + rng.normal(0, 8, 3)
    radius = int(rng.integers(2, 16))
    mask = np.zeros((TILE_H, TILE_W), np.uint8)
    cv2.rectangle(mask, (radius, 0), (TILE_W - 1 - radius, TILE_H - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (TILE_W - 1, TILE_H - 1 - radius), 255, -1)
    for x in (radius, TILE_W - 1 - radius):
        for y in (radius, TILE_H - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    rim = cv2.blur(np.pad(mask, 1), (5, 5))[1:-1, 1:-1].astype(np.float32) / 255
    shade = 1 + (rim - 1) * rng.uniform(-1.2 if dark else -0.25, 0.7)
    x, y = rng.uniform(0.0, 0.13) * TILE_W, rng.uniform(0.0, 0.13) * TILE_H
    dx, dy = rng.normal(0, 1.2, 2)
    inset = tuple(int(round(max(0, v))) for v in (x + dx, y + dy, x - dx, y - dy))
    return Make(
        body,
        _back_colour(rng, body),
        mask.astype(np.float32)[..., None] / 255,
        shade[..., None] * _material(rng),
        inset,
        str(paint),
        np.clip(metal, 0, 255),
        rng.random(),
    )


def grey(colour: np.ndarray) -> float:
    """A colour's lightness to the eye, 0..255."""
    return float(np.dot(colour, (0.299, 0.587, 0.114)))


def _back_colour(rng: np.random.Generator, body: np.ndarray) -> np.ndarray:
    kind = rng.random()
    if kind < 0.34:
        back = np.float32(_BACKS[rng.integers(len(_BACKS))]) * rng.uniform(0.7, 1.15) + rng.normal(0, 14, 3)
    elif kind < 0.64:
        hsv = np.uint8([[[rng.integers(180), rng.integers(60, 256), rng.integers(40, 245)]]])
        back = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0] + rng.normal(0, 4, 3)
    elif kind < 0.92:
        back = np.float32(_PALES[rng.integers(len(_PALES))]) * rng.uniform(0.88, 1.0) + rng.normal(0, 5, 3)
    else:  # One material all through, a little lighter or darker.
        back = body * rng.uniform(0.9, 1.05) + rng.normal(0, 3, 3)
    return np.clip(np.float32(back), 5, 253)


def _material(rng: np.random.Generator) -> np.ndarray:
    """The material of the body, as a field of factors: plastic, bone, bamboo, marble, stained or
    worn."""
    kind = rng.random()
    if kind < 0.5:
        return np.float32([[[1.0]]])
    if kind < 0.7:
        field = cv2.resize(rng.normal(0, 0.03, (12, 9)).astype(np.float32), (TILE_W, TILE_H))
    elif kind < 0.8:  # Grain of bone or bamboo.
        line = rng.normal(0, rng.uniform(0.02, 0.09), (1, int(rng.integers(14, 60)))).astype(np.float32)
        field = cv2.resize(
            np.repeat(line, 4, 0) + rng.normal(0, 0.01, (4, line.shape[1])).astype(np.float32),
            (TILE_W, TILE_H),
            interpolation=cv2.INTER_CUBIC,
        )
        if rng.random() < 0.3:
            field = cv2.resize(field.T, (TILE_W, TILE_H))
    elif kind < 0.9:  # Marble, pearl, or clear plastic with what lies below.
        field = cv2.resize(
            rng.normal(0, rng.uniform(0.03, 0.13), (int(rng.integers(3, 8)), int(rng.integers(3, 6)))).astype(
                np.float32
            ),
            (TILE_W, TILE_H),
            interpolation=cv2.INTER_CUBIC,
        )
    else:  # Dirt in brown patches, most of it near the edges.
        field = -np.clip(
            cv2.resize(
                rng.normal(-0.04, 0.1, (9, 7)).astype(np.float32), (TILE_W, TILE_H), interpolation=cv2.INTER_CUBIC
            ),
            0,
            1,
        )
        return (1 + field[..., None] * np.float32([0.8, 1.1, 1.6]) * rng.uniform(0.6, 1.8)).astype(np.float32)
    return (1 + field)[..., None]


def _ink(rng: np.random.Generator, how: Make, ink: np.ndarray) -> np.ndarray:
    """The art's inks as this make prints them."""
    if how.paint == "own":
        return ink
    high, low = ink.max(2, keepdims=True), ink.min(2, keepdims=True)
    if how.paint in ("metal", "mono"):
        return how.metal * (0.78 + 0.3 * (high + low) / 510)
    if how.paint == "turned":
        return np.clip(ink + 255 - high - low, 0, 255)
    if how.paint == "faint":
        return 255 - ink * 0.55
    coloured = np.clip((high - low - 30) / 50, 0, 1)
    if how.paint == "gilt":  # Customary colours, but what is black is gold or silver.
        return ink * coloured + how.metal * 0.85 * (1 - coloured)
    bright = np.clip(ink * (rng.uniform(190, 255) / np.maximum(high, 40)) + rng.uniform(0, 50), 0, 255)
    return bright * coloured + how.metal * (1 - coloured)


def face_sprite(rng: np.random.Generator, how: Make, face: np.ndarray, painted: bool = True) -> np.ndarray:
    """A tile's top with its face as float RGB [96, 72, 3]; neighbours are not worth a finish of
    their own."""
    top = how.body * how.shade
    x0, y0, x1, y1 = how.inset
    art = finish(face, rng) if painted else face
    art = cv2.resize(art, (TILE_W - x0 - x1, TILE_H - y0 - y1), interpolation=cv2.INTER_AREA).astype(np.float32)
    alpha = art[..., 3:] / 255
    part = top[y0 : TILE_H - y1, x0 : TILE_W - x1]
    top[y0 : TILE_H - y1, x0 : TILE_W - x1] = part * (1 - alpha) + _ink(rng, how, art[..., :3]) * alpha
    return np.float32(top)


def back_sprite(rng: np.random.Generator, how: Make, ground: np.ndarray | None = None) -> np.ndarray:
    """A tile's back: plain, bordered, bevelled, patterned, of two colours, or of a photographed
    material (`ground`)."""
    top = np.float32(np.broadcast_to(how.back, (TILE_H, TILE_W, 3)) * (1 + (how.shade - 1) * 1.3))
    kind = how.design  # All backs of a make have one design.
    if kind < 0.4:
        return top
    other = np.float32(
        [how.body, how.back * rng.uniform(0.6, 1.4), how.metal, _back_colour(rng, how.body)][
            rng.choice(4, p=[0.3, 0.4, 0.15, 0.15])
        ]
    )
    if kind < 0.5:
        m = int(rng.integers(3, 14))
        cv2.rectangle(top, (m, m), (TILE_W - m, TILE_H - m), tuple(float(v) for v in other), int(rng.integers(1, 4)))
    elif kind < 0.57:
        period, a = rng.uniform(4, 16), rng.uniform(0, 3.14)
        wave = np.sin((_X * np.cos(a) + _Y * np.sin(a)) * 6.28 / period) * np.sin(
            (_Y * np.cos(a) - _X * np.sin(a)) * 6.28 / period
        )
        top = top * (1 + rng.uniform(0.05, 0.3) * wave[..., None])
    elif kind < 0.7:  # A lighter border: the ivory of the sides shows around the back.
        m = int(rng.integers(2, 8))
        inner = np.zeros((TILE_H, TILE_W, 1), np.float32)
        inner[m : TILE_H - m, m : TILE_W - m] = 1
        inner = cv2.GaussianBlur(inner, (0, 0), rng.uniform(0.4, 2.5))[..., None]
        top = top * inner + how.body * 0.92 * (1 - inner)
    elif kind < 0.76 and ground is not None:  # Wood, marble, cloth: its own colours or the back's.
        photo = cv2.resize(ground, (TILE_W, TILE_H), interpolation=cv2.INTER_AREA).astype(np.float32)
        if rng.random() < 0.5:
            photo = how.back * photo / max(20.0, float(photo.mean()))
        top = top * 0.2 + photo * 0.8 * how.shade
    else:
        cover = np.zeros((TILE_H, TILE_W), np.uint8)
        _pattern(rng, cover, (kind - 0.76) / 0.24)
        cover = cover.astype(np.float32)[..., None] / 255 * rng.uniform(0.25, 1.0)
        top = top * (1 - cover) + other * cover
    return np.float32(top)


def _pattern(rng: np.random.Generator, cover: np.ndarray, kind: float) -> None:
    """Draws the print of a back into a mask: bands, halves, a lattice, dots, blossoms or a
    rosette."""
    w, h = TILE_W, TILE_H
    if kind < 0.25:  # Two colours: halves, bands or a diagonal.
        a, at = rng.choice([0, np.pi / 2, rng.uniform(0, 3.14)]), rng.uniform(-14, 14)
        d = (_X - w / 2) * np.cos(a) + (_Y - h / 2) * np.sin(a) - at
        cover[(d > 0) if rng.random() < 0.5 else (np.abs(d) < rng.uniform(6, 24))] = 255
    elif kind < 0.5:  # A lattice, square or slanting, and a border around it.
        step, lean = int(rng.integers(6, 20)), rng.choice([0, h])
        for x in range(-h, w + h, step):
            cv2.line(cover, (x, 0), (int(x + lean), h), 255, 1, cv2.LINE_AA)
            if lean:
                cv2.line(cover, (x, 0), (int(x - lean), h), 255, 1, cv2.LINE_AA)
            else:
                cv2.line(cover, (0, x), (w, x), 255, 1, cv2.LINE_AA)
        if rng.random() < 0.5:
            m = int(rng.integers(4, 12))
            edge = cover[m : h - m, m : w - m].copy()
            cover[:] = 0
            cover[m : h - m, m : w - m] = edge
            cv2.rectangle(cover, (m, m), (w - m, h - m), 255, 1)
    elif kind < 0.7:  # Dots or small blossoms all over.
        step, size = rng.uniform(8, 20), rng.uniform(1, 4)
        for i, y in enumerate(np.arange(step / 2, h, step)):
            for x in np.arange(step / 2 * (1 + i % 2), w, step):
                cv2.circle(cover, (int(x), int(y)), int(size), 255, -1 if size < 3 else 1, cv2.LINE_AA)
    else:  # A rosette or crest in the middle.
        count, reach = int(rng.integers(3, 13)), rng.uniform(10, 32)
        for a in np.arange(count) * 2 * np.pi / count:
            at = (int(w / 2 + np.cos(a) * reach * 0.6), int(h / 2 + np.sin(a) * reach * 0.6))
            cv2.ellipse(
                cover,
                at,
                (int(reach * 0.45), max(2, int(reach * rng.uniform(0.1, 0.3)))),
                float(np.degrees(a)),
                0,
                360,
                255,
                -1 if rng.random() < 0.7 else 1,
                cv2.LINE_AA,
            )
        if rng.random() < 0.4:
            cv2.ellipse(cover, (w // 2, h // 2), (int(reach * 1.1), int(reach * 1.1)), 0, 0, 360, 255, 1, cv2.LINE_AA)


def lay(rng: np.random.Generator, how: Make, ground: np.ndarray, sprites: list) -> np.ndarray:
    """Lay sprites (each with whether it is a back) on the ground: the first in the middle, the
    others as neighbours; sides in one direction."""
    patch = cv2.resize(ground, (PATCH_W, PATCH_H), interpolation=cv2.INTER_AREA).astype(np.float32)
    side = _side(rng)
    gap = rng.choice([0, rng.uniform(0, 3), rng.uniform(2, 14)], p=[0.35, 0.4, 0.25])
    spots = [(HOME[0], HOME[1])]
    if len(sprites) > 1:
        spots += _around(rng, side, gap)[: len(sprites) - 1]
    order = list(zip(spots, sprites))[::-1]
    if rng.random() < 0.5:
        _shadow(rng, patch, spots)
    split, tone = rng.uniform(0.25, 0.75), rng.uniform(0.45, 1.05)
    for (x, y), (_, down) in order:
        # What lies on its face shows the back's material first and the face's below.
        layers = (how.body, how.back) if down else (how.back, how.body)
        _edge(patch, (x, y, side), ((1.0, layers[0] * tone), (1 - split if down else split, layers[1] * tone)))
    for (x, y), (sprite, _) in order:
        _paste(patch, sprite, how.mask, (int(round(x)), int(round(y))))
    return _framed(rng, np.clip(patch, 0, 255).astype(np.uint8))


def _framed(rng: np.random.Generator, patch: np.ndarray) -> np.ndarray:
    """Now and then the photo ends at the tile, and what lies beyond repeats its border or is
    empty."""
    if rng.random() > 0.07:
        return patch
    x0, y0, x1, y1 = (int(v + d) for v, d in zip(HOME, rng.uniform(-7, 3, 4) * (1, 1, -1, -1)))
    how = cv2.BORDER_REPLICATE if rng.random() < 0.75 else cv2.BORDER_CONSTANT
    return cv2.copyMakeBorder(patch[y0:y1, x0:x1], y0, PATCH_H - y1, x0, PATCH_W - x1, how, value=(114, 114, 114))


def _side(rng: np.random.Generator) -> tuple[float, float]:
    """Offset (x, y) by which the tile's side shows, below, above, or at an end, in patch pixels."""
    if rng.random() < 0.3:
        return (0, 0)
    depth = rng.uniform(2, 46)
    return [
        (0, depth),
        (0, -depth),
        (depth * 0.5, depth * 0.5),
        (-depth * 0.5, depth * 0.6),
        (depth * 0.6, 0),
        (-depth * 0.6, 0),
    ][rng.choice(6, p=[0.5, 0.26, 0.07, 0.07, 0.05, 0.05])]


def _around(rng: np.random.Generator, side: tuple[float, float], gap: float) -> list[tuple[float, float]]:
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


def _shadow(rng: np.random.Generator, patch: np.ndarray, spots: Sequence[tuple[float, float]]) -> None:
    dark = np.ones((PATCH_H, PATCH_W, 1), np.float32)
    dx, dy = rng.uniform(-16, 16, 2)
    deep = rng.uniform(0.35, 0.85)
    for x, y in spots:
        cv2.rectangle(dark, (int(x + dx), int(y + dy)), (int(x + dx + TILE_W), int(y + dy + TILE_H)), deep, -1)
    patch *= cv2.GaussianBlur(dark, (0, 0), rng.uniform(1, 6))[..., None]


def _edge(
    patch: np.ndarray,
    where: tuple[float, float, tuple[float, float]],
    layers: tuple[tuple[float, np.ndarray], tuple[float, np.ndarray]],
) -> None:
    """The visible side of two materials, the lower one first."""
    x, y, (sx, sy) = where
    if not (sx or sy):
        return
    for t, colour in layers:
        ax, ay = x + sx * t, y + sy * t
        xs, ys = sorted((x, ax)), sorted((y, ay))
        cv2.rectangle(
            patch,
            (int(xs[0]), int(ys[0])),
            (int(xs[1] + TILE_W - 1), int(ys[1] + TILE_H - 1)),
            tuple(float(v) for v in colour),
            -1,
        )


def _paste(patch: np.ndarray, sprite: np.ndarray, mask: np.ndarray, at: tuple[int, int]) -> None:
    x, y = at
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + TILE_W, PATCH_W), min(y + TILE_H, PATCH_H)
    if x1 <= x0 or y1 <= y0:
        return
    m = mask[y0 - y : y1 - y, x0 - x : x1 - x]
    patch[y0:y1, x0:x1] = patch[y0:y1, x0:x1] * (1 - m) + sprite[y0 - y : y1 - y, x0 - x : x1 - x] * m
