"""Flowers and seasons: a number and a plant, or a number, the season's character and its sign.

Purpose: the shapes of a bonus tile. Input: a number of 1 to 4. Output: SVG elements. Invariant: a
flower has its red number on the left and no character; a season its blue number on the right and
its character: nobody takes one for the other.
"""

from __future__ import annotations

import itertools
import math

from .brush import Point, join, leaf, stroke
from .characters import glyph
from .tile import BLUE, FACE, GREEN, INK, RED, disc, line, path


def flower(number: int) -> list[str]:
    """Plum, orchid, chrysanthemum, bamboo."""
    plant = {1: _plum, 2: _orchid, 3: _chrysanthemum, 4: _bamboo}[number]()
    return [*plant, path(glyph(str(number), (6.5, 7, 11.5, 17.5), 1.9), RED)]


def season(number: int) -> list[str]:
    """Spring, summer, autumn, winter."""
    sign = {1: _sprout, 2: _sun, 3: _maple, 4: _snow}[number]
    return [
        *sign(),
        path(glyph("春夏秋冬"[number - 1], (10, 32, 40, 37), 2.3), INK),
        path(glyph(str(number), (42, 7, 11.5, 17.5), 1.9), BLUE),
    ]


def _around(centre: Point, radius: float, angle: float) -> Point:
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def _blossom(centre: Point, radius: float, turn: float) -> list[str]:
    """Five round petals with gaps, a light heart, and its stamens."""
    angles = [turn + k * math.tau / 5 for k in range(5)]
    middles = [_around(centre, radius * 0.58, a) for a in angles]
    petals = [disc(round(x, 1), round(y, 1), round(radius * 0.44, 1), RED) for x, y in middles]
    stamens = "".join("M" + join([*centre]) + "L" + join([*_around(centre, radius * 0.55, a)]) for a in angles)
    return [*petals, disc(*centre, round(radius * 0.3, 1), RED), line(stamens, FACE, 0.8)]


def _plum() -> list[str]:
    """A knotted branch with three blossoms and buds."""
    branch = [
        stroke([(54, 70), (43, 61), (36, 50), (40, 38), (33, 24)], [1.3, 1.1, 0.9, 0.8, 0.5], 2.6, 3),
        stroke([(38, 53), (24, 50), (13, 56)], [0.9, 0.7, 0.3], 2.2),
        stroke([(40, 39), (48, 30), (51, 20)], [0.8, 0.6, 0.2], 2),
    ]
    buds = [disc(12, 57, 3, RED), disc(51, 18, 2.8, RED), disc(33, 21.5, 3, RED)]
    return [
        path("".join(branch), INK),
        *buds,
        *_blossom((46, 41), 9.5, 0.3),
        *_blossom((23, 42), 9.5, 1.0),
        *_blossom((28, 63), 8.5, 0.5),
    ]


def _orchid() -> list[str]:
    """Long leaves in bows from one root, two flowers above them."""
    blades = [
        ((29, 72), (6, 52), -0.26, 4),
        ((30, 72), (24, 33), -0.12, 4.6),
        ((31, 72), (40, 38), 0.1, 4.6),
        ((32, 72), (54, 46), 0.3, 4.2),
        ((33, 72), (55, 62), 0.3, 3.4),
    ]
    stems = line("M300 710Q300 460 380 260M290 700Q270 560 170 430", GREEN, 1.4)
    return [
        path("".join(leaf(*blade) for blade in blades), GREEN),
        stems,
        *_orchid_flower((39, 20), 11, -0.5),
        *_orchid_flower((15.5, 41), 9, -2.2),
    ]


def _orchid_flower(centre: Point, size: float, turn: float) -> list[str]:
    """Three long petals, two short ones and a lip."""
    petals = "".join(
        leaf(centre, _around(centre, size * reach, turn + angle), 0, size * 0.38)
        for angle, reach in ((-1.15, 0.95), (0, 1.1), (1.15, 0.95), (2.3, 0.8), (-2.3, 0.8))
    )
    return [path(petals, BLUE), disc(*centre, round(size * 0.24, 1), RED)]


def _chrysanthemum() -> list[str]:
    """A full head of narrow petals in two rings, on a leafy stem."""
    centre = (34.5, 37)
    ring = "".join(
        leaf(_around(centre, 4, a), _around(centre, 19.5, a), 0.05, 4.3) for a in (k * math.tau / 16 for k in range(16))
    )
    inner = "".join(
        leaf(_around(centre, 1, a), _around(centre, 10.5, a), 0.05, 3.6)
        for a in ((k + 0.5) * math.tau / 10 for k in range(10))
    )
    stem = stroke([(34, 54), (32.5, 62), (34, 73)], [0.7, 0.8, 1.0], 1.8)
    leaves = [leaf((33, 69), (9, 60), 0.15, 8), leaf((33, 71), (56, 61), -0.15, 8)]
    return [
        path(stem + "".join(leaves), GREEN),
        path(ring, RED),
        disc(*centre, 10, FACE),
        path(inner, RED),
        disc(*centre, 2.4, FACE),
    ]


def _bamboo() -> list[str]:
    """Two canes with joints, and leaves that hang."""
    canes = []
    for x, lean, joints, weight in ((29, 3.0, (74, 58, 40, 22, 5), 3.6), (45, -1.5, (74, 63, 48, 34), 2.6)):
        for low, high in itertools.pairwise(joints):
            ends = [(x + lean * (74 - y) / 70, y) for y in (low - 1.4, high + 1.4)]
            canes.append(stroke(ends, [1.0, 0.8, 0.8, 1.0], weight))
    sprays = [
        ((30, 40), (9, 48)),
        ((30, 40), (12, 59)),
        ((30, 40), (21, 59)),
        ((32, 22), (53, 25)),
        ((32, 22), (50, 37)),
        ((44, 34), (56.5, 46)),
        ((44, 34), (56, 57)),
    ]
    return [path("".join(canes), GREEN), path("".join(leaf(a, b, 0.06, 4.6) for a, b in sprays), GREEN)]


def _sprout() -> list[str]:
    """Spring: two leaves out of the ground."""
    stem = stroke([(19, 28), (19, 20), (20, 14)], [1, 0.8, 0.6], 1.4)
    return [path(stem + leaf((19.5, 17), (6, 8), -0.1, 7) + leaf((19.5, 17), (34, 7), 0.1, 7), GREEN)]


def _sun() -> list[str]:
    """Summer: the sun."""
    rays = "".join(
        leaf(_around((20, 17.5), 7, a), _around((20, 17.5), 12.5, a), 0, 2.6)
        for a in (k * math.tau / 8 for k in range(8))
    )
    return [disc(20, 17.5, 6, RED), path(rays, RED)]


def _maple() -> list[str]:
    """Autumn: a maple leaf."""
    base = (20, 20)
    lobes = "".join(
        leaf(base, _around(base, reach, math.radians(angle - 90)), 0, width)
        for angle, reach, width in ((0, 14, 6), (-52, 13, 5.4), (52, 13, 5.4), (-105, 9.5, 4.4), (105, 9.5, 4.4))
    )
    return [path(lobes + stroke([(20, 19), (20.5, 24), (19, 29)], [0.9, 0.6, 0.7], 1.2), RED)]


def _snow() -> list[str]:
    """Winter: a snow crystal."""
    centre, data = (20, 17.5), ""
    for a in (k * math.tau / 6 + math.pi / 6 for k in range(6)):
        data += "M" + join([*centre]) + "L" + join([*_around(centre, 11.5, a)])
        fork = _around(centre, 6.8, a)
        for side in (-0.9, 0.9):
            data += "M" + join([*fork]) + "L" + join([*_around(fork, 4, a + side)])
    return [line(data, BLUE, 1.7)]
