"""The one bamboo: parametric birds - sparrow, peacock, crane, parrot and cock - sometimes on a
stick or in a frame.

Purpose: draw 1s. Input: `Style` and a canvas. Output: the canvas, painted. Invariant: no digit, no
character.
"""

from __future__ import annotations

import numpy as np

from .faces_bamboo import stick
from .faces_canvas import Canvas, blade, curve
from .faces_style import Style


def draw(canvas: Canvas, style: Style) -> None:
    """Paint the set's bird, or now and then a single fat stick."""
    rng = style.rng("1s")
    if rng.random() < 0.04:
        stick(canvas, style, ((96, 50), (96, 206)), (40, style.inks["green"]))
        return
    inks = [style.inks[n] for n in rng.permutation(["green", "red", "blue" if rng.random() < 0.6 else "black"])]
    if rng.random() < 0.4:  # The body is mostly green or blue, with red for the crown and tail.
        inks = [style.inks["green"], style.inks["red"], style.inks["blue"]]
    if rng.random() < 0.1:
        inks = [inks[0]] * 3
    layer = Canvas()
    kind = rng.choice(["peacock", "sparrow", "crane", "parrot"], p=[0.35, 0.2, 0.2, 0.25])
    {"peacock": _peacock, "sparrow": _sparrow, "crane": _crane, "parrot": _parrot}[kind](layer, rng, inks)
    if rng.random() < 0.5:
        layer.px = np.ascontiguousarray(layer.px[:, ::-1])
    canvas.px = layer.px
    if rng.random() < 0.1:
        canvas.frame((10, 10, 182, 246), style.inks["black"], 3, 8)


def _head(
    c: Canvas, rng: np.random.Generator, at: tuple[float, float], size: float, inks: list[tuple[int, int, int]]
) -> None:
    """Head, beak, eye and crest, looking right."""
    x, y = at
    c.polygon(
        [
            (x + size * 0.7, y - size * 0.45),
            (x + size * rng.uniform(1.5, 2.6), y + size * rng.uniform(-0.1, 0.5)),
            (x + size * 0.6, y + size * 0.5),
        ],
        inks[1],
    )
    for _ in range(rng.integers(0, 5)):
        a = rng.uniform(-2.6, -1.0)
        tip = (x + np.cos(a) * size * rng.uniform(1.6, 2.6), y + np.sin(a) * size * rng.uniform(1.6, 2.6))
        c.line([at, tip], inks[1], size * 0.25)
        c.disc(tip, size * 0.25, inks[1])
    c.disc(at, size, inks[0])
    c.disc((x + size * 0.25, y - size * 0.2), size * 0.34, None)
    c.disc((x + size * 0.3, y - size * 0.2), size * 0.16, inks[2])


def _scales(
    c: Canvas,
    rng: np.random.Generator,
    centre: np.ndarray | tuple[float, float],
    radii: tuple[float, float],
    ink: tuple[int, int, int] | None,
) -> None:
    """Light feather marks cut into the body."""
    for _ in range(rng.integers(3, 12)):
        p = np.float32(centre) + rng.uniform(-0.6, 0.6, 2) * radii
        c.line(curve([p, p + (4, 5), p + (9, 1)], 5), ink, rng.uniform(1.2, 2.5))


def _legs(
    c: Canvas, rng: np.random.Generator, hips: list[tuple[float, float]], ground: float, ink: tuple[int, int, int]
) -> None:
    for x in hips:
        foot = (x[0] + rng.uniform(-8, 8), ground)
        c.line([x, foot], ink, rng.uniform(2.5, 5))
        for dx in (-9, 3, 10):
            c.line([foot, (foot[0] + dx, ground + 4)], ink, 2.5)


def _peacock(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Seen from the front: a fan of feathers with eyes behind a small body."""
    cx, cy = 96 + rng.uniform(-6, 6), rng.uniform(120, 160)
    count, reach = int(rng.integers(7, 19)), rng.uniform(70, 100)
    spread = rng.uniform(1.2, 2.5)
    for ring in range(int(rng.integers(1, 4))):
        r = reach * (1 - 0.28 * ring)
        for a in np.linspace(-spread, spread, count - ring * 2) - np.pi / 2:
            tip = (cx + np.cos(a) * r * 0.82, cy + np.sin(a) * r)
            c.polygon(blade((cx, cy), tip, 0, r * 2.4 / count), inks[ring % 2 if rng.random() < 0.9 else 1])
            c.disc(tip, r * 0.09, inks[(ring + 1) % 3])
            c.disc(tip, r * 0.04, None)
    body = rng.uniform(14, 24)
    c.ellipse((cx, cy + 18), (body * 1.2, body * 1.7), 0, None)
    c.ellipse((cx, cy + 18), (body, body * 1.5), 0, inks[2])
    _scales(c, rng, (cx, cy + 18), (body, body), None)
    _head(c, rng, (cx + rng.uniform(-8, 8), cy - 22), rng.uniform(8, 12), inks)
    _legs(c, rng, [(cx - 8, cy + 38), (cx + 8, cy + 38)], min(cy + 70, 240), inks[1])


def _body(
    c: Canvas,
    rng: np.random.Generator,
    spine: list[tuple[float, float]],
    girth: float,
    inks: list[tuple[int, int, int]],
) -> None:
    """A body along a curve, thick in the middle, with a wing and feather marks."""
    points = curve(spine, 10)
    t = np.linspace(0, 1, len(points))
    step = np.gradient(points, axis=0)
    normal = np.stack([-step[:, 1], step[:, 0]], 1) / np.maximum(np.hypot(*step.T)[:, None], 1e-3)
    half = (girth * np.sin(np.pi * np.clip(t, 0.06, 0.97)) ** 0.8)[:, None] * normal
    c.polygon(np.concatenate([points + half, (points - half)[::-1]]), inks[0])
    mid = points[len(points) // 2]
    if rng.random() < 0.5:  # Line drawing: the belly is left open.
        c.polygon(np.concatenate([points + half * 0.72, (points - half * 0.72)[::-1]])[4:-4], None)
        _scales(c, rng, mid, (girth, girth), inks[0])
    else:
        _scales(c, rng, mid, (girth, girth), None)


def _sparrow(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """A plump bird from the side on a twig."""
    head, tail = (
        (130 + rng.uniform(-10, 10), 70 + rng.uniform(-15, 20)),
        (40 + rng.uniform(-10, 15), 175 + rng.uniform(-20, 30)),
    )
    for _ in range(rng.integers(2, 6)):
        c.polygon(
            blade((80, 140), np.float32(tail) + rng.uniform(-14, 14, 2), rng.uniform(-0.1, 0.1), rng.uniform(8, 16)),
            inks[int(rng.integers(3))],
        )
    _body(c, rng, [head, (118, 105), (92, 140), (60, 160)], rng.uniform(22, 36), inks)
    for i in range(rng.integers(2, 6)):
        c.polygon(blade((112, 108 + 6 * i), (62 + 6 * i, 150 + 5 * i), 0.08, 14), inks[int(rng.integers(1, 3))])
    _head(c, rng, head, rng.uniform(14, 20), inks)
    _legs(c, rng, [(95, 160), (105, 152)], 205, inks[1])
    if rng.random() < 0.6:
        c.line(curve([(20, 212), (90, 206), (175, 216 + rng.uniform(-14, 8))]), inks[0], rng.uniform(3, 8))


def _crane(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Long neck, long legs, wings perhaps raised."""
    head = (140 + rng.uniform(-20, 15), 40 + rng.uniform(-10, 20))
    neck = curve([(96, 140), (110 + rng.uniform(-20, 30), 110), (120 + rng.uniform(-30, 20), 75), head])
    for i in range(rng.integers(4, 11)):
        a = rng.uniform(2.2, 4.4)
        tip = (90 + np.cos(a) * rng.uniform(55, 80), 135 + np.sin(a) * rng.uniform(50, 95))
        c.polygon(blade((100, 140), tip, rng.uniform(-0.15, 0.15), rng.uniform(9, 20)), inks[i % 3])
    _body(c, rng, [(118, 120), (95, 145), (60, 165)], rng.uniform(20, 30), inks)
    c.line(neck, inks[0], rng.uniform(7, 14))
    if rng.random() < 0.5:
        c.line(neck, None, 3)
    _head(c, rng, head, rng.uniform(9, 13), inks)
    _legs(c, rng, [(88, 165), (104, 160)], 236, inks[1])


def _parrot(c: Canvas, rng: np.random.Generator, inks: list[tuple[int, int, int]]) -> None:
    """Upright with a long tail hanging down, the common Hong Kong bird."""
    head = (88 + rng.uniform(-12, 20), 48 + rng.uniform(-12, 10))
    end = (105 + rng.uniform(-35, 40), 238)
    for i in range(rng.integers(2, 7)):
        c.polygon(
            blade(
                (94, 140),
                np.float32(end) + (rng.uniform(-22, 22), rng.uniform(-30, 4)),
                rng.uniform(-0.08, 0.08),
                rng.uniform(9, 18),
            ),
            inks[1 if i % 2 else int(rng.integers(3))],
        )
    _body(c, rng, [head, (80 + rng.uniform(-10, 14), 90), (90, 130), (104, 170)], rng.uniform(20, 32), inks)
    for i in range(rng.integers(2, 7)):
        c.polygon(
            blade((72, 85 + 6 * i), (110 + 3 * i, 150 + 8 * i), rng.uniform(-0.2, 0.2), 13),
            inks[int(rng.integers(1, 3))],
        )
    _head(c, rng, head, rng.uniform(13, 19), inks)
    _legs(c, rng, [(84, 160), (98, 165)], 190, inks[1])
    if rng.random() < 0.5:
        c.line(curve([(30, 200), (90, 192), (165, 198)]), inks[2], rng.uniform(3, 7))
