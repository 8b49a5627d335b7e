"""Plane geometry of boxes and polygons. Standard library only.

Boxes are (x, y, w, h), polygons lists of (x, y), in pixels with y down. Nothing here knows of
mahjong.
"""

from __future__ import annotations

from collections.abc import Sequence


def centre(polygon: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Mean of the corners."""
    return sum(p[0] for p in polygon) / len(polygon), sum(p[1] for p in polygon) / len(polygon)


def bounds(polygon: Sequence[Sequence[float]]) -> tuple[float, float, float, float]:
    """The axis-aligned box around a polygon."""
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def inside_box(point: tuple[float, float], box: tuple[float, float, float, float]) -> bool:
    """Tells whether the point lies in the box, its edges included."""
    return box[0] <= point[0] <= box[0] + box[2] and box[1] <= point[1] <= box[1] + box[3]


def iou(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """Intersection over union of two boxes; 0 for boxes without area."""
    across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    down = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if across <= 0 or down <= 0:
        return 0.0
    return across * down / (a[2] * a[3] + b[2] * b[3] - across * down)


def _turn(o: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _half_hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    half = []
    for point in points:
        while len(half) >= 2 and _turn(half[-2], half[-1], point) <= 0:
            half.pop()
        half.append(point)
    return half[:-1]


def hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Convex hull (monotone chain) of at least three points that are not all on a line."""
    ordered = sorted({(x, y) for x, y in points})
    return _half_hull(ordered) + _half_hull(ordered[::-1])


def inside_convex(point: tuple[float, float], polygon: list[tuple[float, float]]) -> bool:
    """Tells whether the point lies in a convex polygon of either orientation."""
    turns = [_turn(polygon[k], polygon[(k + 1) % len(polygon)], point) for k in range(len(polygon))]
    return all(t >= 0 for t in turns) or all(t <= 0 for t in turns)


def box_corners(box: tuple[float, float, float, float]) -> list[tuple[float, float]]:
    """The four corners of a box."""
    x, y, w, h = box
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
