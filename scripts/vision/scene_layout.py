"""Layouts of tiles that lie and stand: hands, grids, sets, walls, piles, discards, loose tiles.

Purpose: place tiles on a table as photos of mahjong show them.
Input: a random generator and the tile's dimensions (width 1, height, thickness).
Output: lists of `Item`; lengths in tile widths, the table is z = 0, +y leads away from the player.
Invariant: items of one group do not pass through each other, but for touching edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Item:
    """A tile: place of its footprint's middle, height of its lowest point, and attitude in degrees.

    `yaw` turns about the vertical; `tilt` raises the far edge (0 lies face up, 90 stands facing
    -y); `spin` turns the face in its own plane; `back` shows the back where the face would be.
    """

    x: float
    y: float
    yaw: float = 0.0
    tilt: float = 0.0
    spin: float = 0.0
    back: bool = False
    base: float = 0.0


def _spin(rng: np.random.Generator, upside_down: float = 0.15) -> float:
    return 180.0 if rng.random() < upside_down else 0.0


def move(items: list[Item], x: float, y: float, yaw: float) -> list[Item]:
    """The group turned by `yaw` degrees about its origin and then shifted."""
    c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    return [replace(i, x=c * i.x - s * i.y + x, y=s * i.x + c * i.y + y, yaw=i.yaw + yaw) for i in items]


def row(rng: np.random.Generator, count: int, tilt: float, looseness: float, back: float = 0.0) -> list[Item]:
    """`count` tiles side by side along x; `looseness` 0 touches, 1 leaves gaps and crooked
    tiles."""
    items, x = [], 0.0
    upside_down = rng.choice([0.0, 0.1, 0.5, 1.0], p=[0.4, 0.3, 0.2, 0.1])
    bow = rng.normal(0, 0.002) if rng.random() < 0.3 else 0.0
    for k in range(count):
        x += abs(rng.normal(0, 0.02 + 0.25 * looseness)) + 0.006
        bend = (k - count / 2) ** 2 * bow
        yaw = rng.normal(0, 0.4 + 5 * looseness)
        y = rng.normal(0, 0.012 + 0.08 * looseness) + bend
        items.append(Item(x, y, yaw, tilt, _spin(rng, upside_down), rng.random() < back))
        x += 1.0
    return [replace(i, x=i.x - x / 2 + 0.5) for i in items]


def _tilt(rng: np.random.Generator) -> float:
    """Lying, standing, or leaning on a rack."""
    return float(rng.choice([0.0, 90.0, rng.uniform(45, 88)], p=[0.5, 0.37, 0.13]))


def meld(rng: np.random.Generator, dims: tuple[float, float, float]) -> tuple[list[Item], float]:
    """An exposed set or kong, with a tile turned sideways, an added tile or hidden ones; starts at
    x = 0."""
    count = 3 if rng.random() < 0.7 else 4
    sideways = rng.integers(0, count) if rng.random() < 0.6 else -1
    hidden = rng.choice(["none", "outer", "inner", "all"], p=[0.55, 0.2, 0.15, 0.1]) if count == 4 else "none"
    items, x, height = [], 0.0, dims[1]
    for k in range(count):
        back = hidden == "all" or (hidden == "outer" and k in (0, 3)) or (hidden == "inner" and k in (1, 2))
        turned = k == sideways and hidden == "none"
        wide = height if turned else 1.0
        y = (1 - height) / 2 if turned else 0.0
        spin = (90.0 if rng.random() < 0.7 else 270.0) if turned else _spin(rng, 0.2)
        items.append(Item(x + wide / 2, y + rng.normal(0, 0.02), rng.normal(0, 1), 0.0, spin, back))
        if turned and rng.random() < 0.2:
            items.append(Item(x + wide / 2, y + 1.02, rng.normal(0, 1), 0.0, spin, False))
        x += wide + abs(rng.normal(0, 0.02)) + 0.006
    if count == 3 and rng.random() < 0.1:
        items.append(Item(items[1].x, items[1].y, rng.normal(0, 4), 0.0, 0.0, False, dims[2]))
    return items, x


def melds(rng: np.random.Generator, dims: tuple[float, float, float], count: int) -> list[Item]:
    """Sets one after the other along x, or stacked in rows, or each at its own angle."""
    items, x, y = [], 0.0, 0.0
    stacked, scattered = rng.random() < 0.3, rng.random() < 0.2
    for _ in range(count):
        group, width = meld(rng, dims)
        items += move(group, x, y, rng.uniform(-30, 30) if scattered else rng.normal(0, 1))
        if stacked:
            y += dims[1] + abs(rng.normal(0.03, 0.05)) + (0.8 if scattered else 0)
        else:
            x += width + rng.uniform(0.1, 1.0) + (0.8 if scattered else 0)
    return items


def hand(rng: np.random.Generator, dims: tuple[float, float, float]) -> list[Item]:
    """A whole hand: a long row, perhaps a second row, a tile apart, exposed sets, flowers."""
    tilt = _tilt(rng)
    exposed = int(rng.choice([0, 1, 2, 3, 4], p=[0.5, 0.2, 0.15, 0.1, 0.05]))
    count = max(2, 14 - 3 * exposed + int(rng.integers(-1, 4)))
    loose = float(rng.choice([0.0, 0.15, 0.6], p=[0.75, 0.2, 0.05]))
    items = row(rng, count, tilt, loose)
    end = count / 2 + 0.5
    if rng.random() < 0.3:
        turned = rng.random() < 0.3
        place = Item(end + rng.uniform(0.1, 1.2), rng.normal(0, 0.1), rng.normal(0, 3), tilt, 90.0 * turned)
        if rng.random() < 0.3:
            place = replace(place, x=rng.uniform(-end, end), y=dims[1] + rng.uniform(0.05, 0.6), tilt=0.0)
        items.append(place)
        end += 2.5
    if exposed:
        right = rng.random() < 0.5
        group = melds(rng, dims, exposed)
        where = (
            (end + rng.uniform(0, 1), 0.0)
            if right
            else (rng.uniform(-7, 2), rng.choice([-1, 1]) * (dims[1] + rng.uniform(0.1, 1.2)))
        )
        items += move(group, where[0], where[1], rng.normal(0, 1.5))
    elif rng.random() < 0.3:
        second = row(rng, int(rng.integers(3, 16)), 0.0 if rng.random() < 0.7 else tilt, loose)
        depth = dims[1] if tilt < 30 else dims[2] + 0.3
        items += move(second, rng.uniform(-4, 4), depth + abs(rng.normal(0.0, 0.3)) + 0.01, rng.normal(0, 0.5))
    if rng.random() < 0.15:
        items += move(
            row(rng, int(rng.integers(1, 9)), 0.0, 0.1), rng.uniform(-4, 4), -dims[1] - rng.uniform(0.3, 1.5), 0
        )
    return items


def grid(rng: np.random.Generator, dims: tuple[float, float, float]) -> list[Item]:
    """Rows upon rows, as tiles lie in their box or when a set is shown."""
    rows, columns = rng.integers(2, 7), rng.integers(2, 11)
    gap = abs(rng.normal(0, 0.03)) if rng.random() < 0.8 else rng.uniform(0.1, 0.8)
    sideways = rng.random() < 0.15
    missing = rng.choice([0.0, 0.1])
    items = []
    for r in range(rows):
        for c in range(columns):
            if rng.random() < missing:
                continue
            x, y = c * (1 + gap), r * (dims[1] + gap)
            if sideways:
                x, y = c * (dims[1] + gap), r * (1 + gap)
            spin = (90.0 if sideways else 0.0) + _spin(rng, 0.2)
            items.append(
                Item(
                    x + rng.normal(0, 0.01), y + rng.normal(0, 0.01), rng.normal(0, 0.7), 0.0, spin, rng.random() < 0.03
                )
            )
    return move(items, -columns / 2, -rows / 2, 0)


def _free(items: list[Item], x: float, y: float, base: float, reach: float) -> bool:
    return all(abs(i.base - base) > 0.01 or (i.x - x) ** 2 + (i.y - y) ** 2 > reach**2 for i in items)


def pile(rng: np.random.Generator, dims: tuple[float, float, float]) -> list[Item]:
    """Tiles thrown together: any angle, some tilted against others, some on top, faces and
    backs."""
    count, radius = int(rng.integers(4, 60)), rng.uniform(2, 6)
    back, items = rng.choice([0.05, 0.3, 0.6, 0.95]), []
    for _ in range(count):
        x, y = rng.normal(0, radius / 2, 2)
        level = int(rng.random() < 0.25)
        if not _free(items, x, y, level * dims[2], 0.9 + 0.45 * (rng.random() < 0.7)):
            continue
        tilt = rng.choice([0.0, 90.0, rng.uniform(0, 40)], p=[0.82, 0.1, 0.08]) if level == 0 else 0.0
        items.append(
            Item(
                x,
                y,
                rng.uniform(0, 360),
                tilt,
                float(rng.choice([0, 90, 180, 270])),
                rng.random() < back,
                level * dims[2],
            )
        )
    return items


def wall(rng: np.random.Generator, dims: tuple[float, float, float]) -> list[Item]:
    """A wall: two tiles high, backs up; sometimes a single line."""
    count, levels = int(rng.integers(3, 19)), 2 if rng.random() < 0.8 else 1
    items = []
    for level in range(levels):
        for item in row(rng, count, 0.0, 0.02, back=1.0 if rng.random() < 0.95 else 0.0):
            items.append(replace(item, base=level * dims[2]))
    return items


def discards(rng: np.random.Generator, dims: tuple[float, float, float]) -> list[Item]:
    """A river of six to a row, loosely laid, perhaps with a turned tile."""
    items = []
    for r in range(rng.integers(1, 5)):
        line = row(rng, int(rng.integers(2, 7)), 0.0, rng.choice([0.05, 0.3, 0.8]))
        items += move(line, 0, -r * (dims[1] + abs(rng.normal(0, 0.08)) + 0.01), 0)
    if items and rng.random() < 0.4:
        k = rng.integers(0, len(items))
        items[k] = replace(items[k], spin=90.0, x=items[k].x + 0.2)
    return items


def loose(rng: np.random.Generator, dims: tuple[float, float, float]) -> list[Item]:
    """Loose tiles, one to a dozen by themselves, lying or standing."""
    items, spread = [], rng.uniform(1.5, 5)
    standing = rng.choice([0.05, 0.3, 0.95], p=[0.6, 0.15, 0.25])
    facing = rng.uniform(0, 360) if rng.random() < 0.5 else rng.normal(0, 15)
    for _ in range(rng.integers(1, 13)):
        x, y = rng.uniform(-spread, spread, 2)
        if _free(items, x, y, 0.0, 1.8):
            tilt = 90.0 if rng.random() < standing else float(rng.choice([0.0, rng.uniform(3, 80)], p=[0.95, 0.05]))
            yaw = facing + rng.normal(0, 12) if tilt > 80 else rng.uniform(0, 360)
            items.append(Item(x, y, yaw, tilt, float(rng.choice([0, 0, 90, 180])), rng.random() < 0.12))
    return items


def others(rng: np.random.Generator, dims: tuple[float, float, float]) -> list[Item]:
    """The standing row of another player, seen from behind or from its side."""
    return row(rng, int(rng.integers(4, 15)), 90.0, 0.03, back=float(rng.random() < 0.7))


_MAIN = [(hand, 0.46), (grid, 0.14), (loose, 0.09), (pile, 0.11), (wall, 0.07), (discards, 0.07), (others, 0.06)]
_EXTRA = [(pile, 0.35), (wall, 0.25), (discards, 0.2), (others, 0.1), (loose, 0.1)]


def _pick(rng: np.random.Generator, table: list[tuple[Callable, float]]) -> Callable:
    return table[rng.choice(len(table), p=[share for _, share in table])][0]


def _without_collisions(items: list[Item], placed: list[Item]) -> list[Item]:
    if not placed:
        return items
    taken = np.array([(i.x, i.y) for i in placed])
    return [i for i in items if ((taken - (i.x, i.y)) ** 2).sum(1).min() > 2.1]


def arrange(rng: np.random.Generator, dims: tuple[float, float, float]) -> tuple[list[Item], int, float]:
    """A table's tiles, the main group first: (items, number of the main group's items, its turn in
    degrees)."""
    turn = rng.normal(0, 6) if rng.random() < 0.6 else rng.uniform(0, 360)
    if rng.random() < 0.1:
        items = melds(rng, dims, int(rng.integers(1, 5)))
    else:
        items = _pick(rng, _MAIN)(rng, dims)
    items = move(items, 0, 0, turn)
    main = len(items)
    for _ in range(rng.choice([0, 1, 2, 3], p=[0.4, 0.3, 0.2, 0.1])):
        angle, distance = rng.uniform(0, 6.283), rng.uniform(3, 14)
        extra = move(
            _pick(rng, _EXTRA)(rng, dims), distance * np.cos(angle), distance * np.sin(angle), rng.uniform(0, 360)
        )
        items += _without_collisions(extra, items)
    return items, main, turn
