"""The table as a plane: where its cloth and rail end, and which tiles and things lie in each
other's way.

Input: `Placed` tiles, outlines as corners; units are tile widths. Output: yes or no.
Invariant: everything lies on the cloth, wholly on the rail, or on other tiles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.cycles_layout import HEIGHT

if TYPE_CHECKING:
    from random import Random

    from vision.cycles_layout import Placed


@dataclass
class Board:
    """A square table: cloth of `size` by `size` widths, around it a rail of this width and height
    above the cloth."""

    size: float
    rail: float
    height: float

    @property
    def half(self) -> float:
        """From the middle to an edge of the cloth."""
        return self.size / 2


def make_board(rng: Random) -> Board:
    """A table for four: some 80 to 95 cm of cloth for tiles of 26 mm."""
    return Board(rng.uniform(31, 36), rng.uniform(1.9, 3.0), rng.uniform(0.15, 0.7))


def is_possible(placed: list[Placed], board: Board) -> bool:
    """Tells whether tiles could lie so: side by side, on the cloth or wholly on the rail."""
    return all(is_inside(tile, board) for tile in placed) and not any(
        overlaps(a, b) for k, a in enumerate(placed) for b in placed[:k]
    )


def is_inside(tile: Placed, board: Board) -> bool:
    """On the cloth, or on the rail if it is lifted."""
    ys = [y for _, y in corners(tile)]
    if tile.lift:
        return min(ys) > -board.rail - 0.1 and max(ys) < 0.1 and abs(tile.x) < board.half
    return min(ys) > 0.05 and max(ys) < board.size and max(abs(x) for x, _ in corners(tile)) < board.half - 0.05


def corners(tile: Placed, margin: float = 0.0) -> list[tuple[float, float]]:
    """The foot print of a tile, anticlockwise."""
    if tile.standing:
        # It leans back by 12 degrees.
        return rectangle(tile.x, tile.y, tile.facing, (0.5 + margin, 0.52 + margin))
    return rectangle(tile.x, tile.y, tile.angle, (0.5 + margin, HEIGHT / 2 + margin))


def rectangle(x: float, y: float, angle: float, half: tuple[float, float]) -> list[tuple[float, float]]:
    """The corners of a rectangle about (x, y), `half` its sides' halves."""
    turn = math.radians(angle)
    return [
        (x + u * math.cos(turn) - v * math.sin(turn), y + u * math.sin(turn) + v * math.cos(turn))
        for u, v in ((-half[0], -half[1]), (half[0], -half[1]), (half[0], half[1]), (-half[0], half[1]))
    ]


def overlaps(a: Placed, b: Placed, margin: float = 0.0) -> bool:
    """Tells whether two tiles of one level come closer than `margin`; a little disorder is
    forgiven, as rounded edges forgive it."""
    if a.level != b.level or (a.x - b.x) ** 2 + (a.y - b.y) ** 2 > (1.7 + margin) ** 2:
        return False
    return cross(corners(a, margin - 0.012), corners(b, -0.012))


def cross(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    """Tells whether two convex outlines overlap (separating axes)."""
    for outline in (one, other):
        for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1]):
            nx, ny = by - ay, ax - bx
            first = [nx * x + ny * y for x, y in one]
            second = [nx * x + ny * y for x, y in other]
            if max(first) <= min(second) or max(second) <= min(first):
                return False
    return True
