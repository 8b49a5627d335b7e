"""Measures how exactly tiles are outlined and how often their orientation is right. Our renders
have both to the hundredth of a pixel.

Input: results of photos whose truth has polygons. Output: `Quads`. Standard library only.
Definitions: a corner error is the mean distance of the four corners in the best cyclic order, in
units of the tile's own width (mean of the face's top and bottom edge in the picture). Sideways is
asked of found tiles of the hand, face up or down of every found tile.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evaluation.metrics import Rate, in_hand

if TYPE_CHECKING:
    from evaluation.metrics import PhotoResult, TruthTile


# What the issue asks for: corners within a tenth of a tile's width.
CLOSE = 0.10


@dataclass
class Quads:
    """Corner errors in tile widths, and the rates of what follows from a tile's outline."""

    errors: list = field(default_factory=list)
    sideways: Rate = field(default_factory=Rate)
    turned: Rate = field(default_factory=Rate)
    face_up: Rate = field(default_factory=Rate)

    @property
    def close(self) -> Rate:
        """Share of found tiles whose corner error is under a tenth of the tile's width."""
        return Rate(sum(e < CLOSE for e in self.errors), len(self.errors))

    def percentile(self, share: float) -> float | None:
        """The corner error that this share of the tiles stays below; None of nothing."""
        return sorted(self.errors)[min(len(self.errors) - 1, int(share * len(self.errors)))] if self.errors else None


def width(polygon: list[list[int]]) -> float:
    """Mean of the face's top and bottom edge; the polygon starts at the face's own top left."""
    return (math.dist(polygon[0], polygon[1]) + math.dist(polygon[2], polygon[3])) / 2


def corner_error(truth: Any, found: list[list[int]]) -> float:
    """Mean corner distance in tile widths, in the best of the four cyclic orders."""
    return (
        min(sum(math.dist(truth[k], found[(k + shift) % 4]) for k in range(4)) for shift in range(4)) / 4 / width(truth)
    )


def measure(results: list[PhotoResult]) -> Quads:
    """`Quads` over the results whose truth knows its polygons."""
    total = Quads()
    for result in results:
        seen = result.reading.get("tiles") or []
        for t, d in result.pairs:
            if result.photo.tiles[t].polygon:
                _add(total, result.photo.tiles[t], seen[d])
    return total


def _add(total: Quads, truth: TruthTile, tile: dict[str, Any]) -> None:
    if len(tile["polygon"]) == 4:
        total.errors.append(corner_error(truth.polygon, tile["polygon"]))
    total.face_up.add(bool(tile.get("face_up", True)) == truth.face_up)
    if truth.role != "ignored" and in_hand(tile):
        total.sideways.add(bool(tile.get("sideways")) == truth.sideways)
        if truth.sideways:
            total.turned.add(bool(tile.get("sideways")))
