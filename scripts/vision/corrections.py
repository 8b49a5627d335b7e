"""Corrections of the labels of the shared photos, where the pictures show something else.

Purpose: one place that corrects labels, for training and for measuring. Input: a photo's stem and
the `tiles` of its label file; the name of a view of a club's table and its concealed tiles.
Output: the corrected tiles, and the numbers of those that do not belong to the hand. Standard
library only.
Invariant: a correction that does not fit its label file is an error, never skipped: it would
correct the wrong tile.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[2] / "datasets" / "label-corrections.json"


@cache
def _all() -> dict[str, Any]:
    return json.loads(FILE.read_text())


def corrected(stem: str, tiles: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], set[int]]:
    """([{class, x, y, w, h}], {numbers in it of tiles that lie elsewhere than in the hand})."""
    change = _all()["photos"].get(stem, {})
    twice, elsewhere = set(change.get("twice", ())), set(change.get("elsewhere", ()))
    renamed = {int(number): name for number, name in change.get("renamed", {}).items()}
    strangers = (twice | elsewhere | set(renamed)) - set(range(len(tiles)))
    if strangers:
        raise ValueError(f"{FILE.name}: {stem} has no tiles {sorted(strangers)}")
    kept, outside = [], set()
    for number, tile in enumerate(tiles):
        if number in twice:
            continue
        if number in elsewhere:
            outside.add(len(kept))
        kept.append({**tile, "class": renamed.get(number, tile["class"])})
    return kept + change.get("added", []), outside


def corrected_hand(view: str, concealed: list[str]) -> list[str]:
    """The concealed tiles of a view."""
    renamed = _all()["hands"].get(view, {}).get("renamed", {})
    if strangers := set(renamed) - set(concealed):
        raise ValueError(f"{FILE.name}: {view} has no tiles {sorted(strangers)}")
    return [renamed.get(tile, tile) for tile in concealed]
