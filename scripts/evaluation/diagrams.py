"""Pictures of the figures: reliability diagram and confusion matrix. Needs Pillow.

Input: pairs of calibration, counts of confusions. Output: PNG files.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from evaluation import calibration
from evaluation.metrics import plain

FACES = (
    [f"{n}{suit}" for suit in "mps" for n in range(1, 10)]
    + list("ESWNCFP")
    + [f"{kind}{n}" for kind in "fs" for n in range(1, 5)]
)
SAID = FACES + ["back", "none", "missed"]
TRUE = FACES + ["false"]
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")
PANEL, EDGE = 420, 60


def font(size: int):
    """Pillow's own face, so that nothing has to be installed."""
    return ImageFont.load_default(size=size)


def reliability(panels: list[tuple[str, list[Any]]], path: Path) -> Path:
    """Draws a panel for each (title, [(name, pairs)]): claimed against right, the diagonal is
    perfect; below, how many cases."""
    picture = Image.new("RGB", ((PANEL + EDGE) * len(panels) + EDGE, PANEL + 4 * EDGE), "white")
    draw = ImageDraw.Draw(picture)
    for k, (title, series) in enumerate(panels):
        _panel(draw, EDGE + k * (PANEL + EDGE), title, [(name, pairs) for name, pairs in series if pairs])
    picture.save(path)
    return path


def _panel(draw: ImageDraw.ImageDraw, left: int, title: str, series: list[Any]) -> None:
    top, bottom = EDGE, EDGE + PANEL
    draw.text((left, 18), title, fill="black", font=font(20))
    for k in range(11):
        at = k * PANEL // 10
        draw.line([left, bottom - at, left + PANEL, bottom - at], fill="#dddddd")
        draw.line([left + at, top, left + at, bottom], fill="#dddddd")
        if k % 2 == 0:
            draw.text((left - 30, bottom - at - 7), str(10 * k), fill="black", font=font(13))
            draw.text((left + at - 8, bottom + 4), str(10 * k), fill="black", font=font(13))
    draw.line([left, bottom, left + PANEL, top], fill="grey")
    draw.text((left + PANEL // 3, bottom + 22), "claimed, %  (up: right, %)", fill="black", font=font(13))
    for k, (name, pairs) in enumerate(series):
        _curve(draw, (left, bottom), pairs, COLOURS[k])
        words = f"{name}: error {100 * calibration.error(pairs):.1f} %, {len(pairs)} cases"
        draw.text((left, bottom + 46 + 20 * k), words, fill=COLOURS[k], font=font(14))


def _curve(draw: ImageDraw.ImageDraw, origin: tuple[int, int], pairs: list[tuple[float, bool]], colour: str) -> None:
    """Dots as large as their share of the cases."""
    points = []
    for n, claimed, right in calibration.bins(pairs):
        if n:
            x, y, r = origin[0] + claimed * PANEL, origin[1] - right * PANEL, 3 + 9 * (n / len(pairs)) ** 0.5
            points.append((x, y))
            draw.ellipse([x - r, y - r, x + r, y + r], outline=colour, width=2)
            draw.text((x + r + 1, y + 2), str(n), fill=colour, font=font(11))
    draw.line(points, fill=colour, width=2)


def confusion_counts(results: Any) -> Counter[Any]:
    """Counter of (truth, said) over all tiles; `missed` and `false` where one side is missing."""
    counts = Counter()
    for result in results:
        tiles, seen = result.photo.tiles, result.reading.get("tiles") or []
        counts.update((tiles[t].code, plain(seen[d]["tile"])) for t, d in result.pairs)
        counts.update((tiles[t].code, "missed") for t in result.missed)
        counts.update(("false", plain(seen[d]["tile"])) for d in result.false)
    return counts


def confusion(counts: Counter[tuple[str, str]], path: Path, cell: int = 24) -> Path:
    """Truth down, reading across; what is right stands in green, what is wrong in red, in the share
    of its row."""
    left, top = 52, 74
    picture = Image.new("RGB", (left + cell * len(SAID) + 12, top + cell * len(TRUE) + 12), "white")
    draw = ImageDraw.Draw(picture)
    draw.text(
        (8, 6), "confusions in held-out real photos: truth down, read as across, counts", fill="black", font=font(18)
    )
    for y, truth in enumerate(TRUE):
        draw.text((8, top + y * cell + 5), truth, fill="black", font=font(12))
        whole = sum(counts[truth, said] for said in SAID) or 1
        for x, said in enumerate(SAID):
            box = [left + x * cell, top + y * cell, left + (x + 1) * cell, top + (y + 1) * cell]
            _cell(draw, box, counts[truth, said], counts[truth, said] / whole, truth == said)
    for x, said in enumerate(SAID):
        draw.text((left + x * cell + 1, top - 20 - 14 * (x % 2)), said, fill="black", font=font(11))
    picture.save(path)
    return path


def _cell(draw: ImageDraw.ImageDraw, box: Any, count: int, share: float, right: bool) -> None:
    strength = int(255 * (1 - min(1.0, share if right else 0.25 + 3 * share)))
    fill = (
        "white"
        if not count
        else (strength, 255 - (255 - strength) // 4, strength)
        if right
        else (255, strength, strength)
    )
    draw.rectangle(box, fill=fill, outline="#eeeeee")
    if count:
        draw.text((box[0] + 2, box[1] + 6), str(count), fill="black", font=font(11))
