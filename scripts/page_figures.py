#!/usr/bin/env python3
"""Writes into docs/page.md how many taps, keys and bytes it takes. `make taps` calls it.

Input: lines of JSON that the end-to-end tests of the page wrote (`what`, `photo`, `taps`,
`screens`; for a review `keys`), and the program, which answers compactly to each of our samples.
Output: the table between the marks of docs/page.md. Invariant: a figure that was not measured in
this run is not in the table, and the table says where real photos were missing.

    scripts/page_figures.py out/figures.jsonl [--program target/debug/tilesight]
"""

from __future__ import annotations

import argparse
import datetime
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from evaluation import page

ROOT = Path(__file__).resolve().parents[1]
TILES = 14
# What is asked for, at most: taps, or keys in the median.
TARGETS = {
    "read exactly": ("taps from a photo that is read exactly to the right score, nothing set before", 3),
    "real hand, read exactly": ("the same with photos of real hands", 3),
    "one tile wrong": ("the same with one tile misread or left out", 6),
    "in doubt": ("a photo that is read exactly, with doubts that change the score", 6),
    "evening, second deal": ("an evening, second deal by photo", 3),
}
KEYS = 2
COMPACT = 4096


def rows(figures: list[dict[str, Any]], compact: list[int]) -> list[tuple[float | str, ...]]:
    """The rows of the table: what, photos, median, most, asked."""
    found = []
    for what, (words, max_taps) in TARGETS.items():
        taps = [one["taps"] for one in figures if one["what"] == what]
        if taps:
            found.append((words, len(taps), median(taps), max(taps), f"at most {max_taps}"))
    screens = [one["screens"] for one in figures if "screens" in one]
    if screens:
        found.append(
            (
                "screens of scrolling to see the total and the first question",
                len(screens),
                median(screens),
                max(screens),
                "0",
            )
        )
    keys = [one["keys"] for one in figures if one["what"] == "review"]
    if keys:
        found.append(
            ("a reviewer's keys for a photo in doubt", len(keys), median(keys), max(keys), f"{KEYS} in the median")
        )
    if compact:
        found.append(
            (
                f"bytes of a compact answer for {TILES} tiles",
                len(compact),
                median(compact),
                max(compact),
                f"at most {COMPACT}",
            )
        )
    return found


def median(numbers: list[int]) -> float:
    """The median without needless decimals."""
    middle = statistics.median(numbers)
    return int(middle) if middle == int(middle) else middle


def table(figures: list[dict[str, Any]], compact: list[Any], date: str) -> str:
    """The section as Markdown."""
    lines = [f"Measured {date} with `make taps`: Chromium, 390 by 844 points, the photos of `datasets/samples`.", ""]
    lines += ["| what | photos | median | most | asked for |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows(figures, compact)]
    if not any(one["what"].startswith("real") for one in figures):
        lines += ["", "Photos of real hands were not there: `TILESIGHT_SHARED` names their folder."]
    return "\n".join(lines)


def compact_sizes(program: Path) -> list[Any]:
    """Bytes of the compact answers to our samples with a hand of 14 tiles."""
    sizes = []
    for photo in sorted((ROOT / "datasets" / "samples").glob("*.jpg")):
        command = [program, "read", photo, "--json", "--detail", "compact"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"page_figures: {photo.name} was not read:\n{done.stderr[-800:]}")
        answer = json.loads(done.stdout)
        hand = answer["hand"]
        tiles = len(hand["concealed"]) + (hand["winning_tile"] is not None)
        if tiles + sum(len(meld["tiles"]) for meld in hand["melds"]) == TILES:
            sizes.append(len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()))
    return sizes


def main() -> None:
    """Reads the figures and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "tilesight", type=Path)
    parser.add_argument("--page", default=ROOT / "docs" / "page.md", type=Path)
    asked = parser.parse_args()
    figures = [json.loads(line) for line in asked.figures.read_text().splitlines()]
    if not figures:
        sys.exit(
            f"page_figures: {asked.figures} is empty: run the tests of the page with TILESIGHT_FIGURES={asked.figures}"
        )
    text = table(figures, compact_sizes(asked.program), datetime.date.today().isoformat())
    page.write(asked.page, "taps", text)
    print(text)


if __name__ == "__main__":
    main()
