"""A brush: strokes with a body, from a spine and a pressure.

Purpose: outlines that look written. Input: the points of a stroke's spine with the brush's pressure
at each. Output: SVG path data of the outline. The brush is a tilted ellipse that is drawn along the
spine while its size follows the pressure; the outline is the ellipse's farthest points to both
sides and around both ends. The tilt makes level strokes thin, upright strokes thick and every end
slanted, as in regular script. Invariant: every outline runs the same way round, so that strokes
that cross fill as one under the non-zero rule.
"""

from __future__ import annotations

import itertools
import math

Point = tuple[float, float]

# The brush at pressure 1: half its length, half its breadth, and how far it is turned clockwise.
_LENGTH, _BREADTH, _TILT = 1.0, 0.6, math.radians(32)
_COS, _SIN = math.cos(_TILT), math.sin(_TILT)


def number(value: float) -> str:
    """A coordinate in whole tenths, a six-hundredth of the tile's width: `tile.path` scales them
    back."""
    return str(round(value * 10))


def join(values: list[float]) -> str:
    """Numbers in as few characters as path data allows: a sign ends the number before."""
    out = ""
    for text in map(number, values):
        out += text if not out or text[0] == "-" else " " + text
    return out


def _support(direction: Point, pressure: float) -> Point:
    """The brush's farthest point in a direction, from its centre."""
    x, y = direction
    along, across = (x * _COS + y * _SIN) * _LENGTH, (y * _COS - x * _SIN) * _BREADTH
    size = math.hypot(along, across) or 1.0
    along, across = along / size * _LENGTH * pressure, across / size * _BREADTH * pressure
    return along * _COS - across * _SIN, along * _SIN + across * _COS


def spline(points: list[Point], per_span: int) -> list[Point]:
    """A smooth curve through points (Catmull and Rom, 1974, with centripetal knots: no loops)."""
    if len(points) == 2:
        (ax, ay), (bx, by) = points
        return [(ax + (bx - ax) * i / per_span, ay + (by - ay) * i / per_span) for i in range(per_span + 1)]
    before = (2 * points[0][0] - points[1][0], 2 * points[0][1] - points[1][1])
    after = (2 * points[-1][0] - points[-2][0], 2 * points[-1][1] - points[-2][1])
    full = [before, *points, after]
    out = [points[0]]
    for quad in zip(full, full[1:], full[2:], full[3:]):
        out += [_catmull(quad, i / per_span) for i in range(1, per_span + 1)]
    return out


def _catmull(quad: tuple[Point, Point, Point, Point], t: float) -> Point:
    knots = [0.0]
    for (ax, ay), (bx, by) in itertools.pairwise(quad):
        knots.append(knots[-1] + math.sqrt(math.hypot(bx - ax, by - ay)) + 1e-9)
    at = knots[1] + (knots[2] - knots[1]) * t
    level = list(zip(quad, range(4)))
    for width in (1, 2, 3):
        level = [
            (_between(p, q, (at - knots[i]) / (knots[i + width] - knots[i])), i)
            for (p, i), (q, _) in itertools.pairwise(level)
        ]
    return level[0][0]


def _between(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def closed(points: list[Point]) -> str:
    """Path data of a smooth closed curve through points: every joint mirrors its handles, as the
    `s` command expects."""
    count = len(points)
    x, y = (round(value, 1) for value in points[0])
    out, values = f"M{join([x, y])}", []
    for i in range(count):
        a, b, c, d = (points[(i + k) % count] for k in (-1, 0, 1, 2))
        near = (b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6)
        far = (c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6)
        for px, py in ([near] if i == 0 else []) + [far, c]:
            values += [round(px - x, 1), round(py - y, 1)]
        # What was rounded away must not add up along the curve.
        x, y = x + values[-2], y + values[-1]
    return out + "c" + join(values[:6]) + "s" + join(values[6:]) + "z"


def stroke(spine: list[Point], pressures: list[float], weight: float, steps: int = 2) -> str:
    """The outline of one stroke. `pressures` are spread evenly along the spine; `weight` is the
    brush at pressure 1."""
    line = spline(spine, max(1, round(steps * 4 / len(spine))))
    lengths = [0.0]
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        lengths.append(lengths[-1] + math.hypot(bx - ax, by - ay))
    normals, sizes = [], []
    for i in range(len(line)):
        (ax, ay), (bx, by) = line[max(0, i - 1)], line[min(len(line) - 1, i + 1)]
        size = math.hypot(bx - ax, by - ay) or 1.0
        normals.append(((by - ay) / size, (ax - bx) / size))
        sizes.append(weight * _ramp(pressures, lengths[i] / (lengths[-1] or 1.0)))
    return closed(_around(line, normals, sizes))


def _ramp(values: list[float], t: float) -> float:
    """The pressure at a part of the way."""
    at = t * (len(values) - 1)
    low = min(int(at), len(values) - 2)
    return values[low] + (values[low + 1] - values[low]) * (at - low)


def _around(line: list[Point], normals: list[Point], sizes: list[float]) -> list[Point]:
    def offset(i: int, direction: Point) -> Point:
        dx, dy = _support(direction, sizes[i])
        return line[i][0] + dx, line[i][1] + dy

    def turned(direction: Point, degrees: float) -> Point:
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return direction[0] * cos - direction[1] * sin, direction[0] * sin + direction[1] * cos

    last = len(line) - 1
    out = [offset(i, normals[i]) for i in range(last + 1)]
    out += [offset(last, turned(normals[last], angle)) for angle in _cap(sizes[last])]
    out += [offset(i, (-normals[i][0], -normals[i][1])) for i in range(last, -1, -1)]
    return out + [offset(0, turned(normals[0], angle)) for angle in (angle - 180 for angle in _cap(sizes[0]))]


def _cap(size: float) -> tuple[float, ...]:
    """At which angles an end is rounded; a fine end is a point."""
    return (60, 120) if size > 0.5 else (90,)


def leaf(base: Point, tip: Point, bend: float, width: float) -> str:
    """A leaf or feather: from base to tip, bent to its right by a part of its length, `width` wide
    in the middle."""
    points = [bow(base, tip, bend, 0.5, across) for across in (-width, width)]
    return "M" + join([*base]) + "Q" + join([*points[0], *tip]) + "Q" + join([*points[1], *base]) + "z"


def bow(base: Point, tip: Point, bend: float, along: float, across: float) -> Point:
    """A point in the frame of a bent line: at a part of its length, so far to its right, above the
    handle of its bend."""
    (ax, ay), (bx, by) = base, tip
    dx, dy = bx - ax, by - ay
    size = math.hypot(dx, dy)
    across += bend * size * 4 * along * (1 - along)
    return ax + dx * along - dy / size * across, ay + dy * along + dx / size * across


def polygon(points: list[Point]) -> str:
    """A polygon."""
    return "M" + "L".join(join([*point]) for point in points) + "z"
