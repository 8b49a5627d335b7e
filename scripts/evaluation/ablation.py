"""Measures what layout and joint reading bring: the same photos are read by the classifier's best
names alone. Standard library only.

Input: photos, and what `tilesight read --stage mirror` and `--stage layout` print of them. Output:
results in the same form as those of the whole program, so that everything that judges a reading
judges these too. All stages of a photo come from one trace in the program: only what is left out
here differs from a reading.
Definitions: *names only* takes every face that the classifier names as the hand; *names and layout*
takes the tiles of the likeliest layout under the classifier's best names. A face-down tile of a set
shows what the set's other tiles show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from evaluation import metrics

NO_FACE = ("back", "none")


def best(faces: dict[str, float]) -> tuple[str, float]:
    """The likeliest name and its probability."""
    return max(faces.items(), key=lambda item: item[1]) if faces else ("none", 0.0)


def names_only(seen: list[dict[str, Any]]) -> dict[str, Any]:
    """A reading in the contract's form from the tiles alone: every face is of the hand."""
    tiles = [_tile(tile) for tile in seen]
    faces = [tile["tile"] for tile in tiles if tile["tile"] not in NO_FACE]
    return {"status": "stage", "tiles": tiles, "hand": _hand(faces) if faces else None}


def names_and_layout(seen: list[dict[str, Any]], layout: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """A reading like that of `names_only`, with the hand of the likeliest layout."""
    tiles = [_tile(tile) for tile in seen]
    if not layout.get("plans"):
        return {"status": "stage", "tiles": tiles, "hand": None}
    plan = max(layout["plans"], key=lambda plan: plan["weight"])
    loose = plan["concealed"] + plan["flowers"] + ([] if plan["winning"] is None else [plan["winning"]])
    faces = [tiles[k]["tile"] for k in loose]
    for meld in plan["melds"]:
        faces += _turned_up([tiles[k]["tile"] for k in meld["tiles"]])
    return {"status": "stage", "tiles": tiles, "hand": _hand(faces)}


def _tile(seen: dict[str, Any]) -> dict[str, Any]:
    name, p = best(seen["faces"])
    return {
        "tile": name,
        "polygon": seen["quad"],
        "face_up": name != "back",
        "score": seen["score"],
        "candidates": [{"tile": name, "p": p}],
    }


def _turned_up(faces: list[str]) -> list[str]:
    shown = Counter(face for face in faces if face not in NO_FACE).most_common(1)
    return [shown[0][0] if shown and face == "back" else face for face in faces]


def _hand(faces: list[str]) -> dict[str, list[str] | None]:
    return {"concealed": faces, "winning_tile": None, "melds": [], "flowers": []}


def run(
    program: Any, photos: Any, say: Callable[[str], None] | None = None
) -> list[tuple[str, list[metrics.PhotoResult]]]:
    """[(name, results)] of the two shortened programs over these photos."""
    paths = [photo.path for photo in photos]
    seen = [sight["tiles"] for sight in program.stage("mirror", paths, say)]
    layouts = program.stage("layout", paths, say)
    bare = [metrics.judge(photo, names_only(tiles), 0) for photo, tiles in zip(photos, seen)]
    laid = [
        metrics.judge(photo, names_and_layout(tiles, layout), 0) for photo, tiles, layout in zip(photos, seen, layouts)
    ]
    return [("best names, every face", bare), ("best names, likeliest layout", laid)]


def table(rows: Any, keep_groups: Any) -> str:
    """Markdown: rows [(name, results)], columns for each (group, keep): named and whole hands."""
    from evaluation.table import markdown, percent

    heads = ["what is left"] + [f"{group}: {what}" for group, _ in keep_groups for what in ("named", "whole hand")]
    lines = []
    for name, results in rows:
        cells = [name]
        for _, keep in keep_groups:
            total = metrics.summarise([r for r in results if keep(r.photo)])
            cells += [percent(total.named), percent(total.whole)]
        lines.append(cells)
    return markdown(heads, lines)
