"""The bamboo suit: two to nine sticks; the one bamboo is a bird (`faces_birds`).

Purpose: draw 2s..9s and the red five. Input: `Style` and a canvas. Output: the canvas, painted.
Invariant: n bamboo has n sticks; eight is built of slanting pairs (M over W or W over M), five and
nine and seven carry their customary red ones unless the set is plain.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .faces_canvas import HEIGHT, WIDTH, Canvas, Ink
from .faces_style import Style

# Sticks as (x, y, ink) in fractions of the printed area; the key gives the number of rows and so
# the length.
_PLACES = {
    2: (2, [(0.5, 0, "b"), (0.5, 1, "g")]),
    3: (2, [(0.5, 0, "b"), (0.24, 1, "g"), (0.76, 1, "g")]),
    4: (2, [(0.24, 0, "b"), (0.76, 0, "g"), (0.24, 1, "g"), (0.76, 1, "b")]),
    5: (2, [(0.14, 0, "g"), (0.86, 0, "b"), (0.14, 1, "b"), (0.86, 1, "g"), (0.5, 0.5, "r")]),
    6: (2, [(x, y, "g" if y == 0 else "b") for y in (0, 1) for x in (0.15, 0.5, 0.85)]),
    7: (3, [(0.5, 0, "r")] + [(x, y, "b" if x == 0.5 else "g") for y in (1, 2) for x in (0.15, 0.5, 0.85)]),
    9: (3, [(x, y, "r" if x == 0.5 else "g" if x < 0.5 else "b") for y in (0, 1, 2) for x in (0.15, 0.5, 0.85)]),
}


def draw(canvas: Canvas, style: Style, number: int, red: bool = False) -> None:
    """Paint n bamboo (2..9); `red` paints the red five."""
    shrink, narrow, low = style.span(20, 0.8, 1.02), 1.0, 1.0
    # A third of the sets draw them small in the tile's middle, closer together or shorter than
    # most.
    if style.chance(60) < 0.34:
        shrink, narrow, low = style.span(20, 0.62, 0.95), style.span(61, 0.62, 1.05), style.span(62, 0.62, 1.0)
    width, height = WIDTH * style.span(21, 0.62, 0.82) * shrink * narrow, HEIGHT * 0.88 * shrink * low
    top = HEIGHT / 2 - height / 2 + style.span(22, -4, 4) + (6 if style.index else 0)
    left = WIDTH / 2 - width / 2
    if number == 8:
        _eight(canvas, style, (left, top, width, height))
        return
    rows, sticks = _PLACES[number]
    if number == 6 and style.chance(63) < 0.08:  # Two columns of three short ones.
        rows, sticks = 3, [(x, y, "g" if x < 0.5 else "b") for y in (0, 1, 2) for x in (0.24, 0.76)]
    length = height / rows * style.span(23, 0.8, 0.98)
    thick = WIDTH * style.span(24, 0.1, 0.17) * (0.85 if rows == 3 else 1.0) * min(1.0, narrow * 1.05)
    if style.chance(64) < 0.2:
        thick *= style.span(65, 0.45, 0.9)
    for x, row, key in sticks:
        cy = top + height * (row + 0.5) / rows
        cx = left + x * width
        size = length * (1.0 if not (number == 5 and key == "r") else style.span(25, 0.85, 1.1))
        stick(canvas, style, ((cx, cy - size / 2), (cx, cy + size / 2)), (thick, _ink(style, number, key, red)))


def _ink(style: Style, number: int, key: str, red: bool) -> Ink:
    if red:
        return style.inks["red"]
    if key == "r":
        if number in (7, 9, 5) and style.chance(26) < 0.9:
            return style.inks["red" if style.chance(27) < 0.92 else "blue"]
        return style.inks["green"]
    second = style.among(28, ["green", "green", "green", "green", "blue", "black"])
    return style.inks[second if key == "b" else style.among(29, ["green"] * 7 + ["black", "blue"])]


def stick(
    canvas: Canvas,
    style: Style,
    ends: tuple[tuple[float, float], tuple[float, float]],
    paint: tuple[float, tuple[int, int, int]],
) -> None:
    """Draw a stick between two points, with the set's joints."""
    (a, b), (thick, ink) = np.float32(ends), paint
    axis = b - a
    length = float(np.hypot(*axis))
    unit = axis / max(length, 1e-3)
    normal = np.float32([-unit[1], unit[0]])
    kind = style.among(
        30,
        ["bone", "bone", "capsules", "capsules", "outline", "chain", "beam", "slat", "hollow", "rod", "bell", "leafy"],
    )
    joints = 2 if style.chance(31) < 0.75 else 3

    def at(t: float, s: float) -> np.ndarray:
        return a + unit * length * t + normal * thick * s

    if kind == "bone":
        _bone(canvas, style, at, (joints, thick, ink))
    elif kind in ("capsules", "hollow"):
        for i in range(joints):
            t0, t1 = (i + 0.03) / joints, (i + 0.97) / joints
            canvas.line([at(t0 + 0.5 * thick / length, 0), at(t1 - 0.5 * thick / length, 0)], ink, thick * 0.86)
            if kind == "hollow" or style.chance(32) < 0.5:
                canvas.line(
                    [at(t0 + 0.62 * thick / length, 0), at(t1 - 0.62 * thick / length, 0)],
                    None,
                    thick * style.span(33, 0.14, 0.4),
                )
    elif kind == "outline":
        canvas.line([at(0.02, -0.4), at(0.98, -0.4), at(0.98, 0.4), at(0.02, 0.4)], ink, thick * 0.2, True)
        for i in range(1, joints):
            canvas.line([at(i / joints, -0.45), at(i / joints, 0.45)], ink, thick * 0.24)
    elif kind == "rod":
        canvas.line([at(0.04, 0), at(0.96, 0)], ink, thick * style.span(33, 0.35, 0.8))
        for i in range(joints + 1):
            t = 0.06 + 0.88 * i / joints
            canvas.line([at(t, -0.42), at(t, 0.42)], ink, thick * style.span(34, 0.15, 0.4))
    elif kind == "bell":
        canvas.line([at(0.1, 0), at(0.9, 0)], ink, thick * style.span(33, 0.2, 0.5))
        for t in np.linspace(0.1, 0.9, joints + 1):
            canvas.disc(at(t, 0), min(thick * 0.5, length * 0.1), ink)
    elif kind == "leafy":
        canvas.line([at(0.03, 0), at(0.97, 0)], ink, thick * 0.34)
        for i in range(joints):
            for side in (-1, 1):
                canvas.polygon(
                    [
                        at((i + 0.95) / joints, 0),
                        at((i + 0.45) / joints, side * 0.5),
                        at((i + 0.2) / joints, side * 0.2),
                    ],
                    ink,
                )
    elif kind == "chain":
        count = joints + 1
        for i in range(count):
            centre, half = at((i + 0.5) / count, 0), length / count * 0.5
            angle = float(np.arctan2(unit[1], unit[0]))
            canvas.ellipse(centre, (half, thick * 0.5), angle, ink)
            if style.chance(32) < 0.6:
                canvas.ellipse(centre, (half * 0.55, thick * 0.2), angle, None)
    else:
        canvas.polygon([at(0.01, -0.45), at(0.99, -0.45), at(0.99, 0.45), at(0.01, 0.45)], ink)
        gap = thick * 0.16 if kind == "slat" else thick * 0.1
        for i in range(1, joints):
            canvas.line([at(i / joints, -0.6), at(i / joints, 0.6)], None, gap)
        if kind == "beam":
            canvas.line([at(0.08, 0), at(0.92, 0)], None, thick * style.span(33, 0.12, 0.36))


def _bone(canvas: Canvas, style: Style, at: Callable, paint: tuple[int, float, tuple[int, int, int]]) -> None:
    """Waisted segments with thick knots, the commonest stick."""
    joints, thick, ink = paint
    waist = style.span(34, 0.2, 0.36)
    knot = style.span(35, 0.04, 0.08)
    outline = []
    for side in (-1, 1):
        edge = []
        for i in range(joints):
            t0, t1 = i / joints, (i + 1) / joints
            edge += [
                at(t0 + 0.01, 0.5 * side),
                at(t0 + knot, 0.5 * side),
                at(t0 + knot * 2.2, waist * side),
                at(t1 - knot * 2.2, waist * side),
                at(t1 - knot, 0.5 * side),
                at(t1 - 0.01, 0.5 * side),
            ]
        outline += edge if side < 0 else edge[::-1]
    canvas.polygon(outline, ink)
    if style.chance(36) < 0.6:
        for i in range(joints):
            canvas.line(
                [at((i + 0.24) / joints, 0), at((i + 0.76) / joints, 0)], None, thick * style.span(37, 0.1, 0.28)
            )
    if style.chance(38) < 0.4:
        for i in range(joints + 1):
            t = min(max(i / joints, 0.03), 0.97)
            canvas.line([at(t, -0.3), at(t, 0.3)], None, max(1.2, thick * 0.08))


def _eight(canvas: Canvas, style: Style, area: tuple[float, float, float, float]) -> None:
    """Four uprights at the sides and four slanting sticks: M over W, W over M, or a lozenge."""
    left, top, width, height = area
    thick = WIDTH * style.span(24, 0.1, 0.17) * 0.8
    inset, gap = thick * 0.5, height * 0.03
    green, blue = _ink(style, 8, "g", False), _ink(style, 8, "b", False)
    form = style.among(39, ["MW", "MW", "WM", "WM", "lozenge"])
    mid = height / 2
    for half in (0, 1):
        y0, y1 = top + half * mid + (gap if half else 0), top + (half + 1) * mid - (0 if half else gap)
        for side in (-1, 1):
            x_out = left + width / 2 + side * (width / 2 - inset * 0.4)
            x_in = left + width / 2 + side * inset * 0.8
            x_near = x_out - side * thick * 1.15
            ink = green if (half == 0) == (style.chance(40) < 0.7) else blue
            if form == "lozenge":
                stick(
                    canvas,
                    style,
                    ((x_out, y0), (x_out, y1)) if False else ((x_in, y0 if half == 0 else y1), (x_out, (y0 + y1) / 2)),
                    (thick, ink),
                )
                stick(canvas, style, ((x_in, (y0 + y1) / 2), (x_in, y1 if half == 0 else y0)), (thick, ink))
                continue
            stick(canvas, style, ((x_out, y0), (x_out, y1)), (thick, ink))
            # In an M the inner strokes meet below the top corners; half 0 of "MW" is an M, half 1 a
            # W.
            peak_at_outer_top = (form == "MW") == (half == 0)
            if peak_at_outer_top:
                ends = ((x_near, y0), (x_in, y0 + (y1 - y0) * 0.86))
            else:
                ends = ((x_in, y0 + (y1 - y0) * 0.14), (x_near, y1))
            stick(canvas, style, ends, (thick * 0.95, ink))
