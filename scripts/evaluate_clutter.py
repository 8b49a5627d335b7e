#!/usr/bin/env python3
"""Measures how many readable hands are lost when photographed things lie beside them.

Input: target/release/tilesight, its models; --things FOLDER, photos of anything but tiles (Debian's
package opencv-doc has some, with boards, print, signs and buildings); our samples, and with the
shared folder (--shared or TILESIGHT_SHARED) the held-out photos of whole hands. Output: the hands
lost, by side, and what each of them gained and lost. `make evaluate` does the same with drawn
things.

    scripts/evaluate_clutter.py --things FOLDER [--shared FOLDER] [--program FILE]
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from evaluation import clutter, clutter_photos, metrics, sources, table
from evaluation.program import Program

ROOT = Path(__file__).resolve().parents[1]


def options() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--things", type=Path, required=True)
    parser.add_argument("--shared", type=Path, default=os.environ.get("TILESIGHT_SHARED"))
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/tilesight")
    parser.add_argument("--out", type=Path, default=ROOT / "out/clutter-photos", help="folder of the pictures")
    return parser.parse_args()


def hands(shared: Path | None, work: Path) -> list[metrics.Photo]:
    """Our samples, and the held-out photos whose labels are exactly a hand."""
    ours = clutter.our_hands(ROOT / "datasets/samples")
    if not shared:
        return ours
    return ours + [photo for photo in sources.real_photos(shared, work) if photo.labels_are_hand]


def change(bare: metrics.PhotoResult, full: metrics.PhotoResult) -> str:
    """The tiles that a hand gained and lost beside things."""
    before, after = (metrics.hand_tiles(result.reading.get("hand")) for result in (bare, full))
    gained, lost = (" ".join(sorted(tiles.elements())) or "-" for tiles in (after - before, before - after))
    return f"{Path(full.photo.path).name}: {full.reading.get('status')}, gained {gained}, lost {lost}"


def main() -> None:
    """Reads the pictures and prints the table."""
    o = options()
    photos = clutter_photos.things(o.things)
    if not photos:
        raise SystemExit(f"evaluate_clutter: {o.things} has no photos of {clutter_photos.NARROWEST} pixels and more")
    pairs = clutter_photos.pairs(o.out, hands(o.shared, o.out / "real"), photos)
    judged = clutter.judge(Program(o.program), pairs)
    print(table.clutter_table(clutter.lost(judged)))
    for pair, bare, full in judged:
        if bare.whole and not full.whole:
            print(f"{change(bare, full)} ({pair.clutter.kind}, {pair.clutter.side}, {pair.clutter.part:g})")


if __name__ == "__main__":
    main()
