"""Names the failures: why a hand was not read exactly. Standard library only.

Input: results of photos whose hand is known. Output: for each failed photo its causes, and their
counts.
Invariant: every failed photo has at least one cause; one photo may have several, so the counts add
up to more than the photos.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from evaluation import survival
from evaluation.metrics import in_hand, plain

if TYPE_CHECKING:
    from evaluation.metrics import PhotoResult


# In the order in which they are printed.
CAUSES = (
    "refused",
    "no hand",
    "tile not found",
    "face named wrongly",
    "flower or season named wrongly",
    "false alarm in the hand",
    "clutter in the hand",
    "tile of the hand left out",
    "sets, claims or winning tile",
    "changed by joint reading or other",
)
BONUS = "fs"


def causes(result: PhotoResult) -> list[str]:
    """The reasons why a photo's hand is wrong; empty where it is right or unknown."""
    exact = result.whole if result.structure is None else result.structure
    if exact is not False:
        return []
    if result.reading.get("status") == "error":
        return ["refused"]
    found = _found(result)
    return [cause for cause in CAUSES if cause in found] or ["changed by joint reading or other"]


def _found(result: PhotoResult) -> set[str]:
    if not result.reading.get("hand"):
        return {"no hand"}
    tiles, seen = result.photo.tiles, result.reading["tiles"]
    of_hand = [(t, d) for t, d in result.wrong() if tiles[t].role != "ignored" and in_hand(seen[d])]
    kinds = {
        "flower or season named wrongly"
        if _bonus(tiles[t].code) and _bonus(plain(seen[d]["tile"]))
        else "face named wrongly"
        for t, d in of_hand
        if tiles[t].face_up is not False
    }
    if any(tiles[t].role != "ignored" for t in result.missed):
        kinds.add("tile not found")
    if survival.beyond_truth(result):
        kinds.add("false alarm in the hand")
    if survival.clutter(result):
        kinds.add("clutter in the hand")
    if survival.left_out(result):
        kinds.add("tile of the hand left out")
    if result.whole and result.structure is False:
        kinds.add("sets, claims or winning tile")
    return kinds


def _bonus(code: str) -> bool:
    return code[0] in BONUS and len(code) == 2


def counts(results: list[PhotoResult]) -> tuple[int, Counter[Any]]:
    """(failed photos, Counter of causes)."""
    named = [some for some in map(causes, results) if some]
    return len(named), Counter(cause for some in named for cause in some)


def cause_table(groups: list[tuple[str, list[PhotoResult]]]) -> str:
    """Markdown of [(name, results)]: photos with each cause."""
    counted = [(name, *counts(results)) for name, results in groups]
    lines = [
        "| why hands are not exact (a photo may have several reasons) | "
        + " | ".join(name for name, _, _ in counted)
        + " |",
        "|---" * (len(counted) + 1) + "|",
        "| photos not exact | " + " | ".join(str(failed) for _, failed, _ in counted) + " |",
    ]
    for cause in CAUSES:
        if any(found[cause] for _, _, found in counted):
            lines.append(f"| {cause} | " + " | ".join(str(found[cause]) for _, _, found in counted) + " |")
    return "\n".join(lines)
