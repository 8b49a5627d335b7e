"""Does a probability mean what it says? Expected calibration error and the bins behind it. Standard
library only.

Input: pairs (probability claimed, whether it was right). Output: bins, errors, a Markdown table.
Tiles: the probability of the chosen name, over found tiles. Hands: the reading's probability
against "every tile is right" (real photos know no more: what is claimed is `tiles_probability`) or
"tiles, sets and winning tile are right" (our renders: `probability`). A reading without a hand
claims nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.metrics import confidence, plain

if TYPE_CHECKING:
    from evaluation.metrics import PhotoResult


BINS = 10


def tile_pairs(results: list[PhotoResult]) -> list[tuple[float, bool]]:
    """(confidence, right) of every found tile."""
    pairs = []
    for result in results:
        seen, wrong = result.reading.get("tiles") or [], set(result.wrong())
        pairs += [(confidence(seen[d]), (t, d) not in wrong) for t, d in result.pairs]
    return pairs


def hand_pairs(results: list[PhotoResult]) -> list[tuple[float, bool]]:
    """(probability, right) of every hand whose truth is known."""
    pairs = []
    for result in results:
        asked, right = (
            ("tiles_probability", result.whole) if result.structure is None else ("probability", result.structure)
        )
        claimed = result.reading.get(asked)
        if right is not None and claimed is not None and result.reading.get("hand"):
            pairs.append((float(claimed), bool(right)))
    return pairs


def crop_pairs(crops: list[Any]) -> list[Any]:
    """(confidence, right) of [(path, truth, answer)]."""
    return [
        (confidence(answer), plain(answer.get("tile") or "") == truth)
        for _, truth, answer in crops
        if answer.get("candidates")
    ]


def bins(pairs: list[tuple[float, bool]], count: int = BINS) -> list[tuple[int, Any, Any]]:
    """[(cases, mean claimed, share right)] over equal bins; (0, None, None) where a bin is
    empty."""
    boxes = [[] for _ in range(count)]
    for p, right in pairs:
        boxes[min(count - 1, int(p * count))].append((p, right))
    return [
        (len(box), sum(p for p, _ in box) / len(box), sum(r for _, r in box) / len(box)) if box else (0, None, None)
        for box in boxes
    ]


def error(pairs: list[tuple[float, bool]], count: int = BINS) -> Any:
    """Expected calibration error: the mean gap between claimed and right, over equal bins weighted
    by size, as a float; None of nothing."""
    if not pairs:
        return None
    return sum(n * abs(claimed - right) for n, claimed, right in bins(pairs, count) if n) / len(pairs)


def bin_table(series: list[tuple[str, list[tuple[float, bool]]]]) -> str:
    """Markdown of [(name, pairs)]: in each bin `claimed > right (cases)`, in percent."""
    heads = [f"{100 * k // BINS}-{100 * (k + 1) // BINS}" for k in range(BINS)]
    lines = ["| claimed > right (cases), % | error | " + " | ".join(heads) + " |", "|---" * (BINS + 2) + "|"]
    for name, pairs in series:
        if pairs:
            cells = [f"{100 * claimed:.0f} > {100 * right:.0f} ({n})" if n else "" for n, claimed, right in bins(pairs)]
            lines.append(f"| {name} | {100 * error(pairs):.1f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
