"""Characters, dots and bamboo: the 27 numbered tiles, and the three red fives.

Purpose: the shapes of one numbered face. Input: a number of 1 to 9, and whether it is the red five.
Output: SVG elements.
Invariant: the number of dots or sticks is the tile's number, except for the bird of the one of
bamboo.
"""

from __future__ import annotations

import math

from .bird import bird
from .brush import Point, closed, join, polygon
from .characters import glyph
from .tile import BLUE, FACE, GREEN, INK, RED, disc, line, path, ring

NUMERALS = "一二三四五六七八九"


def characters(number: int, red: bool = False) -> list[str]:
    """A numeral above the character for ten thousand."""
    box = {1: (13, 15, 34, 22), 2: (13, 9, 34, 24), 3: (13, 7, 34, 27)}.get(number, (13, 7.5, 34, 26))
    weight = {1: 3.3, 2: 3.1, 3: 2.6}.get(number, 2.5)
    shapes = [
        path(glyph(NUMERALS[number - 1], box, weight), RED if red else INK),
        path(glyph("萬", (12.5, 41, 35, 29), 1.75), RED),
    ]
    return shapes + ([lozenge()] if red else [])


def lozenge() -> str:
    """The mark of a red five, for eyes that do not tell red from green or black."""
    return path(polygon([(53.4, 4.2), (56.2, 7.8), (53.4, 11.4), (50.6, 7.8)]), RED)


# Where the dots lie, and their inks: columns at 15, 30, 45 and so on, in the order of reading.
_DOTS = {
    2: (12.5, [(30, 21, GREEN), (30, 56, BLUE)]),
    3: (9.6, [(14, 15, BLUE), (30, 38.5, RED), (46, 62, GREEN)]),
    4: (10.5, [(17, 20, BLUE), (43, 20, GREEN), (17, 57, GREEN), (43, 57, BLUE)]),
    5: (8.8, [(16, 19.5, BLUE), (44, 19.5, GREEN), (30, 38.5, RED), (16, 57.5, GREEN), (44, 57.5, BLUE)]),
    6: (9.2, [(18, 15, GREEN), (42, 15, GREEN), (18, 40, RED), (42, 40, RED), (18, 62.5, RED), (42, 62.5, RED)]),
    7: (
        7.6,
        [
            (13.5, 12, GREEN),
            (30, 19.5, GREEN),
            (46.5, 27, GREEN),
            (19, 45, RED),
            (41, 45, RED),
            (19, 64, RED),
            (41, 64, RED),
        ],
    ),
    8: (8, [(x, y, BLUE) for y in (12, 29.5, 47, 64.5) for x in (19, 41)]),
    9: (7.7, [(x, y, ink) for y, ink in ((15, BLUE), (38.5, RED), (62, GREEN)) for x in (12, 30, 48)]),
}


def dots(number: int, red: bool = False) -> list[str]:
    """Coins: a disc, a light ring in it, and a heart."""
    if number == 1:
        return _rosette()
    radius, places = _DOTS[number]
    shapes = []
    for x, y, ink in places:
        ink = RED if red else ink
        shapes += [disc(x, y, radius, ink), ring(x, y, radius * 0.58, FACE, radius * 0.17)]
    return shapes + ([lozenge()] if red else [])


def _rosette() -> list[str]:
    """The one of dots: a wheel of twelve petals within two rims."""
    x, y = 30, 38.5
    shapes = [disc(x, y, 22.5, GREEN), ring(x, y, 19.4, FACE, 1.5)]
    petals = "".join(_petal(x, y, 8.2, 17.2, 3.4, k * math.tau / 12) for k in range(12))
    return shapes + [path(petals, FACE), disc(x, y, 8.2, RED), ring(x, y, 5, FACE, 1.4)]


def _petal(x: float, y: float, inner: float, outer: float, width: float, angle: float) -> str:
    """A drop that points outwards."""
    cos, sin = math.cos(angle), math.sin(angle)

    def at(along: float, across: float) -> tuple[float, float]:
        return x + along * cos - across * sin, y + along * sin + across * cos

    reach = outer - inner
    return closed(
        [at(inner, 0), at(inner + reach * 0.55, width / 2), at(outer, 0), at(inner + reach * 0.55, -width / 2)]
    )


def stick(centre: Point, size: tuple[float, float], angle: float = 0.0) -> tuple[str, str]:
    """A stick of bamboo: two joints that narrow in the middle, a node between them; and the light
    slits in the joints."""
    (x, y), (half, end), cos, sin = centre, (size[0] / 2, size[1] / 2), math.cos(angle), math.sin(angle)
    waist = end * 0.6

    def at(*points: tuple[float, float]) -> str:
        return join([value for px, py in points for value in (x + px * cos - py * sin, y + px * sin + py * cos)])

    outline, slits = "", ""
    for side in (-1, 1):
        inner, middle, outer = side * 2, side * half * 0.52, side * half
        near, rim = end * 0.86, side * 1.1
        outline += (
            "M"
            + at((-end, outer - rim))
            + "Q"
            + at((-waist, middle), (-near, inner))
            + "L"
            + at((near, inner))
            + "Q"
            + at((waist, middle), (end, outer - rim))
            + "Q"
            + at((end, outer), (end * 0.6, outer))
            + "L"
            + at((-end * 0.6, outer))
            + "Q"
            + at((-end, outer), (-end, outer - rim))
            + "z"
        )
        slits += "M" + at((0, side * half * 0.36)) + "L" + at((0, side * half * 0.76))
    node = (
        "M"
        + at((-end, 0))
        + "Q"
        + at((-end, -1.1), (0, -1.1), (end, -1.1), (end, 0), (end, 1.1), (0, 1.1), (-end, 1.1), (-end, 0))
        + "z"
    )
    return outline + node, slits


_LEAN = math.radians(19)
# Length and breadth of the sticks, and where they stand.
_STICKS = {
    2: (30, 10, [(30, 21, GREEN), (30, 56, BLUE)]),
    3: (30, 10, [(30, 21, BLUE), (18, 56, GREEN), (42, 56, GREEN)]),
    4: (30, 10, [(18, 21, BLUE), (42, 21, GREEN), (18, 56, GREEN), (42, 56, BLUE)]),
    5: (26, 9, [(15.5, 21, GREEN), (44.5, 21, BLUE), (30, 38.5, RED), (15.5, 56, BLUE), (44.5, 56, GREEN)]),
    6: (30, 9, [(x, y, ink) for y, ink in ((21, GREEN), (56, BLUE)) for x in (14, 30, 46)]),
    7: (20.5, 8.6, [(30, 14, RED)] + [(x, y, BLUE if x == 30 else GREEN) for y in (38.5, 63) for x in (14, 30, 46)]),
    9: (20.5, 8.6, [(x, y, ink) for x, ink in ((14, GREEN), (30, RED), (46, BLUE)) for y in (14, 38.5, 63)]),
}


def bamboo(number: int, red: bool = False) -> list[str]:
    """Sticks in rows; the eight leans its inner sticks together, above like an M and below like a
    W."""
    if number == 1:
        return bird()
    if number == 8:
        sticks = [
            (ink, stick((x, y), (30, 7.4), lean))
            for y, ink, side in ((21, GREEN, 1), (56, BLUE, -1))
            for x, lean in ((8, 0), (21.4, side * _LEAN), (38.6, -side * _LEAN), (52, 0))
        ]
    else:
        length, breadth, places = _STICKS[number]
        sticks = [(RED if red else ink, stick((x, y), (length, breadth))) for x, y, ink in places]
    shapes = [
        path("".join(shape for own, (shape, _) in sticks if own == ink), ink)
        for ink in dict.fromkeys(ink for ink, _ in sticks)
    ]
    shapes.append(line("".join(slit for _, (_, slit) in sticks), FACE, 1.2))
    return shapes + ([lozenge()] if red else [])
