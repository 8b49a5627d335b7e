"""Tiles in groups of difficulty: size, attitude, crowd, family of sets. Standard library only.

Input: results of photos. Output: [(group, found, named)] with rates over the demanded tiles. Sizes
are pixels of the photo as it was given: the narrower side of the tile as labelled, which for the
loose boxes of turned tiles in real photos is too large. A family is the set, a scene is the set on
a table: the scene's name up to its slash.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluation import quads
from evaluation.metrics import Rate

if TYPE_CHECKING:
    from evaluation.metrics import PhotoResult, TruthTile


SIZES = [
    ("under 24 px wide", 0, 24),
    ("24 to 48 px", 24, 48),
    ("48 to 160 px", 48, 160),
    ("over 160 px", 160, float("inf")),
]
CROWDS = [("1 to 12 tiles in the photo", 1, 13), ("13 to 18", 13, 19), ("19 to 40", 19, 41), ("over 40", 41, 10**6)]
# A face is about 0.74 wide to 1 high; a box as wide as this was turned in the picture (or is seen
# at a very flat angle).
LYING = 1.1


def tile_width(tile: TruthTile) -> float:
    """Width of a tile in pixels: of the face where its outline is known, else the narrower side of
    its box."""
    return quads.width(tile.polygon) if tile.polygon else min(tile.box[2:])


def families(results: list[PhotoResult]) -> list[tuple[str, list[PhotoResult]]]:
    """[(family, results)] of set families, by name."""
    groups = {}
    for result in results:
        groups.setdefault(result.photo.scene.split("/")[0], []).append(result)
    return sorted(groups.items())


def groups() -> list[tuple[str, Callable]]:
    """[(name, test of a truth tile and its photo's number of tiles)], in the order of the table."""
    found: list[tuple[str, Callable]] = [
        (name, lambda tile, _, a=low, b=high: a <= tile_width(tile) < b) for name, low, high in SIZES
    ]
    found.append(("box upright", lambda tile, _: tile.box[2] < LYING * tile.box[3]))
    found.append(("box lying", lambda tile, _: tile.box[2] >= LYING * tile.box[3]))
    found.append(("sideways in its row", lambda tile, _: bool(tile.sideways)))
    found.append(("partly covered", lambda tile, _: tile.visible < 0.98))
    found.append(("face down", lambda tile, _: tile.face_up is False))
    found.append(("clutter", lambda tile, _: tile.role == "ignored" and tile.face_up))
    found.append(("of the hand", lambda tile, _: tile.role not in (None, "ignored")))
    found += [(name, lambda _, count, a=low, b=high: a <= count < b) for name, low, high in CROWDS]
    return found


def rates(results: list[PhotoResult], test: Callable) -> tuple[Rate, Rate]:
    """(found, named) over the demanded tiles that pass the test."""
    found, named = Rate(), Rate()
    for result in results:
        wrong, seen = {t for t, _ in result.wrong()}, {t for t, _ in result.pairs}
        demanded = sorted(seen | set(result.missed))
        for t in demanded:
            if test(result.photo.tiles[t], len(demanded)):
                found.add(t in seen)
                named.add(t in seen and t not in wrong)
    return found, named
