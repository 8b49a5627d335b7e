"""Finds what got into the reading's hand and does not belong there. Standard library only.

Input: results of photos. Output: photos with such tiles, as a `Rate`, and their number.
Definitions: a *false alarm* is a tile of the reading's hand that matches no truth tile, asked where
every face in view is labelled. *Clutter* is a truth tile of discards, walls or other hands in the
reading's hand: our renders know it. In real photos of a hand whose labels are the hand and nothing
else, any tile of the reading's hand *beyond the labels* is one or the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evaluation.metrics import Rate, in_hand

if TYPE_CHECKING:
    from evaluation.metrics import PhotoResult


@dataclass
class Strays:
    """`photos` with any stray tile, of the photos asked; `tiles` in all of them."""

    photos: Rate = field(default_factory=Rate)
    tiles: int = 0

    def add(self, count: int) -> None:
        """Counts one photo."""
        self.photos.add(count > 0)
        self.tiles += count


def _hand(result: PhotoResult) -> list[int]:
    return [d for d, tile in enumerate(result.reading.get("tiles") or []) if in_hand(tile)]


def beyond_truth(result: PhotoResult) -> list[int]:
    """Tiles of the reading's hand that match no truth tile."""
    return [d for d in _hand(result) if d not in result.matched]


def clutter(result: PhotoResult) -> list[int]:
    """Tiles of the reading's hand that are clutter in truth."""
    return [d for d in _hand(result) if d in result.matched and result.photo.tiles[result.matched[d]].role == "ignored"]


def left_out(result: PhotoResult) -> list[int]:
    """Truth tiles of the hand that were found, and are not in the reading's hand."""
    hand = set(_hand(result))
    return [t for t, d in result.pairs if d not in hand and result.photo.tiles[t].role != "ignored"]


def false_alarms(results: list[PhotoResult]) -> Strays:
    """Over photos in which every face is labelled, tile-less pictures among them."""
    return _strays(results, beyond_truth, lambda r: r.photo.exhaustive)


def clutter_taken(results: list[PhotoResult]) -> Strays:
    """Over our renders that have any clutter in view."""
    return _strays(results, clutter, lambda r: any(tile.role == "ignored" for tile in r.photo.tiles))


def beyond_labels(results: list[Any]) -> Strays:
    """Over real photos whose labels are exactly the hand."""
    return _strays(results, beyond_truth, lambda r: r.photo.labels_are_hand)


def _strays(results: list[PhotoResult], stray: Callable, asked: Callable) -> Strays:
    total = Strays()
    for result in filter(asked, results):
        total.add(len(stray(result)))
    return total
