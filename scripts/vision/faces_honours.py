"""White dragons: blank, framed in many ways, or lettered.

Purpose: draw P. Input: `Style` and a canvas. Output: the canvas, painted. Invariant: nothing looks
like another face.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .faces_canvas import HEIGHT, WIDTH, Canvas, blade
from .faces_characters import _box
from .faces_glyphs import has, latin
from .faces_style import Style


def draw(canvas: Canvas, style: Style) -> None:
    """Paint the set's white dragon; a fifth of the sets leave it blank."""
    rng = style.rng("P")
    kind = rng.choice(["blank", "frame", "letter", "character"], p=[0.2, 0.56, 0.18, 0.06])
    ink = style.inks[rng.choice(["blue", "green", "black", "red"], p=[0.5, 0.17, 0.25, 0.08])]
    if kind == "blank":
        return
    if kind == "frame" or rng.random() < 0.75:
        _frame(canvas, rng, ink)
    if kind == "letter":
        other = style.inks[rng.choice(["red", "blue", "black", "green"])]
        mask = latin(style.latin, rng.choice(["B", "P", "P", "白板"] if has(style.latin, "板") else ["B", "P"]), 4)
        size = rng.uniform(34, 80)
        _box(canvas, mask, (WIDTH / 2, HEIGHT / 2, size * 0.8, size), other)
    if kind == "character" and has(style.honour_brush.font, "白"):
        _box(canvas, style.honour_brush.glyph("白"), (WIDTH / 2, HEIGHT / 2, WIDTH * 0.4, HEIGHT * 0.45), ink)


def _frame(canvas: Canvas, rng: np.random.Generator, ink: tuple[int, int, int]) -> None:
    mx, my = rng.uniform(12, 44), rng.uniform(12, 48)
    rect = (mx, my, WIDTH - mx, HEIGHT - my)
    width, radius = rng.uniform(3, 15), rng.choice([0, 0, 8, 20, 34])
    if _net(canvas, rng, rect, ink):
        return
    kind = rng.choice(
        ["single", "double", "triple", "dashes", "blocks", "notched", "filled"],
        p=[0.2, 0.22, 0.08, 0.14, 0.14, 0.14, 0.08],
    )
    if kind in ("dashes", "blocks"):
        _broken(canvas, rng, rect, (kind, ink, width))
        return
    canvas.frame(rect, ink, width, radius)
    for i in range({"double": 1, "triple": 2}.get(kind, 0)):
        gap = (i + 1) * rng.uniform(9, 17) + width * 0.5
        canvas.frame(
            (rect[0] + gap, rect[1] + gap, rect[2] - gap, rect[3] - gap),
            ink,
            width * rng.uniform(0.3, 1.0),
            radius * 0.7,
        )
    if kind == "filled":
        canvas.box(rect, ink, radius)
        canvas.box((rect[0] + width + 6, rect[1] + width + 6, rect[2] - width - 6, rect[3] - width - 6), None, radius)
        _broken(canvas, rng, (rect[0] + 6, rect[1] + 6, rect[2] - 6, rect[3] - 6), ("dashes", None, 2.5))
    if kind == "notched" or rng.random() < 0.25:
        _corners(canvas, rng, rect, ink)


def _net(
    canvas: Canvas, rng: np.random.Generator, rect: tuple[float, float, float, float], ink: tuple[int, int, int]
) -> bool:
    """A third of the frames are nets: a hatched or latticed band between two lines, or a net over
    all that they hold."""
    kind, (x0, y0, x1, y1) = rng.random(), rect
    if kind > 0.34:
        return False
    band = rng.uniform(14, 34) if kind < 0.22 else 0.0
    step, width, both = rng.uniform(7, 24), rng.uniform(1.2, 4.5), rng.random() < 0.6
    slants = [(1, 1)] + ([(1, -1)] if both else [])
    if rng.random() < 0.35:
        slants = [(1, 0)] + ([(0, 1)] if both else [])
    high, wide = y1 - y0, x1 - x0
    layer = Canvas()
    for sx, sy in slants:
        for at in np.arange(-high, wide + high, step * (1.4 if sx and sy else 1.0)):
            if sx and sy:
                layer.line([(x0 + at, y0 if sy > 0 else y1), (x0 + at + high, y1 if sy > 0 else y0)], ink, width)
            elif sx and 0 < at < wide:
                layer.line([(x0 + at, y0), (x0 + at, y1)], ink, width)
            elif sy and 0 < at < high:
                layer.line([(x0, y0 + at), (x1, y0 + at)], ink, width)
    big = layer.px
    k = big.shape[1] / WIDTH
    keep = np.zeros(big.shape[:2], bool)
    keep[int(y0 * k) : int(y1 * k), int(x0 * k) : int(x1 * k)] = True
    if band:
        keep[int((y0 + band) * k) : int((y1 - band) * k), int((x0 + band) * k) : int((x1 - band) * k)] = False
    big[~keep] = 0
    canvas.px = np.where(big[..., 3:] > 0, big, canvas.px)
    canvas.frame(rect, ink, rng.uniform(2, 9))
    if band:
        canvas.frame((x0 + band, y0 + band, x1 - band, y1 - band), ink, rng.uniform(2, 6))
    elif rng.random() < 0.4:
        cx, cy, r = WIDTH / 2, HEIGHT / 2, rng.uniform(14, 40)
        canvas.polygon([(cx, cy - r), (cx + r, cy), (cx, cy + r), (cx - r, cy)], None if rng.random() < 0.6 else ink)
    return True


def _broken(
    canvas: Canvas,
    rng: np.random.Generator,
    rect: tuple[float, float, float, float],
    paint: Any,
) -> None:
    """A frame of dashes, or of small blocks between two lines like a Greek key."""
    kind, ink, width = paint
    x0, y0, x1, y1 = rect
    count = int(rng.integers(3, 8))
    for (ax, ay), (bx, by) in (((x0, y0), (x1, y0)), ((x1, y0), (x1, y1)), ((x1, y1), (x0, y1)), ((x0, y1), (x0, y0))):
        for t in (np.arange(count) + 0.5) / count:
            d = 0.34 / count
            canvas.line(
                [
                    (ax + (bx - ax) * (t - d), ay + (by - ay) * (t - d)),
                    (ax + (bx - ax) * (t + d), ay + (by - ay) * (t + d)),
                ],
                ink,
                width,
            )
    if kind == "blocks":
        for grow in (-1, 1):
            g = grow * (width * 0.5 + 5)
            canvas.frame((x0 - g, y0 - g, x1 + g, y1 + g), ink, 3)


def _corners(
    canvas: Canvas, rng: np.random.Generator, rect: tuple[float, float, float, float], ink: tuple[int, int, int]
) -> None:
    """Ornaments in the frame's corners."""
    x0, y0, x1, y1 = rect
    size, form = rng.uniform(14, 34), rng.integers(3)
    for x, sx in ((x0, 1), (x1, -1)):
        for y, sy in ((y0, 1), (y1, -1)):
            if form == 0:
                canvas.polygon([(x, y), (x + sx * size, y), (x, y + sy * size)], ink)
            elif form == 1:
                canvas.line([(x + sx * size, y), (x + sx * size, y + sy * size), (x, y + sy * size)], ink, 4)
            else:
                canvas.polygon(blade((x, y), (x + sx * size * 1.4, y + sy * size * 1.4), 0.15, size * 0.6), ink)
