"""The dots suit: nine arrangements of one parametric coin.

Purpose: draw 1p..9p and the red five. Input: `Style` and a canvas. Output: the canvas, painted.
Invariant: n dots has n coins (the ornate one dot has one); seven has its slanting three above a
block of four.
"""

from __future__ import annotations

import numpy as np

from .faces_canvas import HEIGHT, WIDTH, Canvas, Ink
from .faces_style import Style

# Coin centres as fractions of the printed area, and the customary ink of each (g, b, r).
_PLACES = {
    2: [(0.5, 0.26, "g"), (0.5, 0.74, "b")],
    3: [(0.2, 0.18, "b"), (0.5, 0.5, "r"), (0.8, 0.82, "g")],
    4: [(0.25, 0.24, "b"), (0.75, 0.24, "g"), (0.25, 0.76, "g"), (0.75, 0.76, "b")],
    5: [(0.2, 0.18, "b"), (0.8, 0.18, "g"), (0.5, 0.5, "r"), (0.2, 0.82, "g"), (0.8, 0.82, "b")],
    6: [
        (0.28, 0.18, "g"),
        (0.72, 0.18, "g"),
        (0.28, 0.53, "r"),
        (0.72, 0.53, "r"),
        (0.28, 0.84, "r"),
        (0.72, 0.84, "r"),
    ],
    7: [
        (0.17, 0.1, "g"),
        (0.5, 0.22, "g"),
        (0.83, 0.34, "g"),
        (0.28, 0.6, "r"),
        (0.72, 0.6, "r"),
        (0.28, 0.88, "r"),
        (0.72, 0.88, "r"),
    ],
    8: [(x, y, "b") for y in (0.12, 0.37, 0.63, 0.88) for x in (0.28, 0.72)],
    9: [(x, y, ink) for y, ink in ((0.15, "b"), (0.5, "r"), (0.85, "g")) for x in (0.17, 0.5, 0.83)],
}
_RADIUS = {2: 0.2, 3: 0.155, 4: 0.16, 5: 0.14, 6: 0.14, 7: 0.12, 8: 0.118, 9: 0.122}


def draw(canvas: Canvas, style: Style, number: int, red: bool = False) -> None:
    """Paint n dots; `red` paints the red five."""
    if number == 1:
        _one(canvas, style)
        return
    shrink = style.span(1, 0.8, 1.04) if style.chance(66) < 0.8 else style.span(1, 0.6, 0.85)
    width, height = WIDTH * 0.9 * shrink, HEIGHT * 0.9 * shrink
    top = HEIGHT / 2 - height / 2 + style.span(2, -4, 4) + (6 if style.index else 0)
    radius = _RADIUS[number] * HEIGHT * shrink * style.span(3, 0.76, 1.03)
    mirror = style.chance(4) < 0.08  # Few sets lean the three of seven (and three dots) the other way.
    # Not for three and seven alone: the carver's template is mirrored, and the other numbers look
    # the same.
    for x, y, key in _PLACES[number]:
        if number == 7 and style.chance(5) < 0.3:
            y = y * 0.96 + 0.02
        centre = (WIDTH / 2 + ((0.5 - x) if mirror else (x - 0.5)) * width, top + y * height)
        coin(canvas, style, centre, radius, _ink(style, number, key, red))


def _ink(style: Style, number: int, key: str, red: bool) -> Ink:
    if red:
        return style.inks["red"]
    scheme = style.among(6, ["hk", "hk", "hk", "riichi", "riichi", "swap", "plain"])
    if number == 8 and style.chance(7) < 0.2:
        key = "g"
    if scheme == "riichi":  # Dark coins with red ones among them, two and four in two darks.
        name = (
            "red"
            if key == "r"
            else style.among(8, ["blue", "black", "blue"])
            if key == "b"
            else style.among(9, ["blue", "green", "black"])
        )
    elif scheme == "swap":
        name = {"g": "blue", "b": "green", "r": "red"}[key]
    elif scheme == "plain" and number in (2, 3, 4):
        name = style.among(9, ["blue", "green", "black"])
    else:
        name = {"g": "green", "b": "blue", "r": "red"}[key]
    return style.inks[name]


def coin(canvas: Canvas, style: Style, centre: tuple[float, float], radius: float, ink: Ink) -> None:
    """Draw a dot in the set's design."""
    kind = style.among(
        10, ["rings", "rings", "rings", "target", "flower", "flower", "spokes", "pinwheel", "cross", "solid", "lattice"]
    )
    line = radius * style.span(11, 0.12, 0.24)
    if kind in ("rings", "target"):
        canvas.ring(centre, radius - line / 2, ink, line)
        if style.chance(12) < 0.6:
            canvas.ring(centre, radius * 0.56, ink, line * 0.9)
        canvas.disc(centre, radius * (0.28 if kind == "rings" else 0.45), ink)
        if style.chance(13) < 0.3:
            canvas.disc(centre, radius * 0.12, None)
        return
    if style.chance(14) < 0.5 or kind == "solid":
        canvas.disc(centre, radius, ink)
        _pattern(canvas, style, centre, radius * 0.82, (kind, None))
    else:
        canvas.ring(centre, radius - line / 2, ink, line)
        _pattern(canvas, style, centre, radius * 0.8 - line * 0.5, (kind, ink))


def _pattern(
    canvas: Canvas,
    style: Style,
    centre: tuple[float, float],
    radius: float,
    what: tuple[str, tuple[int, int, int] | None],
) -> None:
    kind, ink = what
    count = int(style.span(15, 4, 8.99))
    angles = np.arange(count) * 2 * np.pi / count + style.span(16, 0, 0.8)
    cx, cy = centre
    if kind == "flower":
        for a in angles:
            canvas.ellipse(
                (cx + np.cos(a) * radius * 0.58, cy + np.sin(a) * radius * 0.58), (radius * 0.36, radius * 0.2), a, ink
            )
        canvas.disc(centre, radius * 0.2, ink)
    elif kind in ("spokes", "cross"):
        steps = 4 if kind == "cross" else count
        for a in angles[:steps] if kind == "spokes" else np.arange(4) * np.pi / 2 + np.pi / 4:
            canvas.line([centre, (cx + np.cos(a) * radius, cy + np.sin(a) * radius)], ink, radius * 0.16)
        canvas.disc(centre, radius * 0.25, ink)
    elif kind == "pinwheel":
        for a in np.arange(4) * np.pi / 2 + style.span(16, 0, 0.8):
            tip = (cx + np.cos(a) * radius, cy + np.sin(a) * radius)
            side = (cx + np.cos(a + 0.8) * radius * 0.8, cy + np.sin(a + 0.8) * radius * 0.8)
            canvas.polygon([centre, tip, side], ink)
    elif kind == "lattice":
        for a in angles:
            canvas.disc((cx + np.cos(a) * radius * 0.62, cy + np.sin(a) * radius * 0.62), radius * 0.17, ink)
        canvas.ring(centre, radius * 0.3, ink, radius * 0.14)
    else:
        canvas.ring(centre, radius * 0.62, ink, radius * 0.16)
        canvas.disc(centre, radius * 0.2, ink)


def _one(canvas: Canvas, style: Style) -> None:
    """The big ornate coin: rings of petals, beads and spokes in two or three inks."""
    rng = style.rng("1p")
    cx, cy = WIDTH / 2, HEIGHT / 2 + (8 if style.index else 0) + rng.uniform(-5, 5)
    outer = rng.uniform(50, 82)
    inks = [style.inks[n] for n in rng.permutation(["green", "blue", "red"])]
    if rng.random() < 0.35:
        inks[0] = inks[1]
    if rng.random() < 0.15:
        inks = [inks[0]] * 3
    centre = (cx, cy)
    radius, layer = outer, 0
    if rng.random() < 0.45:
        canvas.disc(centre, outer, inks[0])
        canvas.disc(centre, outer * rng.uniform(0.8, 0.93), None)
    while radius > outer * 0.26:
        step = outer * rng.uniform(0.1, 0.26)
        _band(canvas, rng, centre, (radius, step, inks[layer % 2]))
        radius -= step * rng.uniform(1.05, 1.3)
        layer += 1
    core = rng.random()
    if core < 0.4:
        canvas.disc(centre, radius, inks[2])
    elif core < 0.8:
        count = rng.integers(4, 8)
        for a in np.arange(count) * 2 * np.pi / count:
            canvas.ellipse(
                (cx + np.cos(a) * radius * 0.6, cy + np.sin(a) * radius * 0.6),
                (radius * 0.45, radius * 0.28),
                a,
                inks[2],
            )
        canvas.disc(centre, radius * 0.25, inks[2] if rng.random() < 0.5 else None)
    else:
        canvas.ring(centre, radius * 0.9, inks[2], radius * 0.3)


def _band(
    canvas: Canvas,
    rng: np.random.Generator,
    centre: tuple[float, float],
    ring: tuple[float, float, tuple[int, int, int]],
) -> None:
    """Draw a concentric band of the one dot."""
    radius, step, ink = ring
    cx, cy = centre
    kind = rng.choice(["ring", "beads", "petals", "spokes", "fill"], p=[0.35, 0.18, 0.22, 0.13, 0.12])
    mid = radius - step / 2
    count = int(rng.integers(8, 25))
    angles = np.arange(count) * 2 * np.pi / count
    if kind == "ring":
        canvas.ring(centre, mid, ink, step * rng.uniform(0.25, 0.7))
    elif kind == "fill":
        canvas.disc(centre, radius, ink)
        canvas.disc(centre, radius - step, None)
    else:
        for a in angles:
            spot = (cx + np.cos(a) * mid, cy + np.sin(a) * mid)
            if kind == "beads":
                canvas.disc(spot, min(step * 0.42, mid * 2.6 / count), ink)
            elif kind == "petals":
                canvas.ellipse(spot, (step * 0.5, mid * 2.4 / count), a, ink)
            else:
                far = (cx + np.cos(a) * radius, cy + np.sin(a) * radius)
                near = (cx + np.cos(a) * (radius - step), cy + np.sin(a) * (radius - step))
                canvas.line([near, far], ink, max(1.5, mid / count))
