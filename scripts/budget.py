#!/usr/bin/env python3
"""Tells where hands are lost: each photo is replayed with true places, true names and the true
hand's tiles (`make budget`).

Input: datasets/samples, datasets/forms, further folders of scenes in the same form, and with
TILESIGHT_SHARED the real hands and the held-out real photos. Output: what detection, names,
grouping, structure and doubts cost, per source and per form, with 95 % Wilson intervals; with
--write the table stands in docs/layout.md. Needs `cargo build --release --example replay`; Pillow
for the held-out real photos alone.

    scripts/budget.py [FOLDER...] [--models models] [--write]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import evaluate_forms
from evaluation import budget, sources
from evaluation.geometry import bounds
from evaluation.metrics import Photo, TruthTile, plain
from evaluation.program import Program

ROOT = Path(__file__).resolve().parents[1]
# What the plans of tables as players leave them say besides.
LIFELIKE = ("set", "backs", "view", "discards")
KNOWN = ("visible", "polygon", "role", "sideways", "standing", "face_up")


def scenes(folder: Path, source: str) -> list[Any]:
    """The rendered scenes of a folder."""
    cases = []
    for path in sorted(Path(folder).glob("[0-9]*.json")):
        if path.name.endswith((".context.json", ".reading.json")):
            continue
        truth = json.loads(path.read_text())
        tiles = [
            TruthTile(t["tile"], bounds(t["polygon"]), **{name: t[name] for name in KNOWN}) for t in truth["tiles"]
        ]
        photo = Photo(
            str(path.with_name(truth["image"])), source, path.stem, "hand", tiles, exhaustive=True, hand=truth["hand"]
        )
        cases.append(budget.Case(photo, [source, *forms(truth)], truth["layout"].get("winning") == "unmarked"))
    return cases


def forms(truth: dict[str, Any]) -> list[str]:
    """The forms that a scene takes, where its plan names them; older scenes name some alone."""
    plan = truth["layout"]
    lifelike = [f"{name.replace('_', ' ')}: {plan[name]}" for name in LIFELIKE if name in plan]
    try:
        return [*evaluate_forms.forms(truth), *lifelike]
    except KeyError:
        return lifelike


def real_hands(shared: str | Path) -> list[Any]:
    """Whole real hands of which the tiles are known, and not where they lie."""
    folder = Path(shared) / "photos" / "real_hands"
    truths = json.loads((folder / "truth.json").read_text()) if folder.exists() else {}
    cases = []
    for name, truth in sorted(truths.items()):
        tiles = (
            list(truth["concealed"])
            + [tile for meld in truth["melds"] for tile in meld["tiles"]]
            + list(truth["flowers"])
        )
        tiles += [truth["winning_tile"]] if truth["winning_tile"] else []
        source = "real hands, whole table" if name.endswith("_full") else "real hands"
        labels = [TruthTile(plain(tile), (0, 0, 1, 1)) for tile in tiles]
        photo = Photo(str(folder / f"{name}.jpg"), source, name, "hand", labels, closed=False, labels_are_hand=True)
        if Path(photo.path).exists():
            cases.append(budget.Case(photo, [source]))
    return cases


def held_out(shared: str | Path, work: Path) -> list[budget.Case]:
    """The held-out real photos of which the labels are exactly the hand."""
    photos = sources.real_photos(shared, work)
    return [budget.Case(photo, [f"held-out {photo.source}"]) for photo in photos if photo.labels_are_hand]


def everything(folders: Any) -> list[Any]:
    """All cases there are."""
    cases = scenes(ROOT / "datasets" / "samples", "samples") + scenes(ROOT / "datasets" / "forms", "forms")
    for folder in folders:
        cases += scenes(folder, folder.name)
    shared = os.environ.get("TILESIGHT_SHARED")
    if shared:
        cases += real_hands(shared) + held_out(shared, ROOT / "out" / "evaluation" / "photos")
    return cases


def write(text: str) -> None:
    """Puts the table between its marks in docs/layout.md."""
    path = ROOT / "docs" / "layout.md"
    start, end = "<!-- budget -->\n", "<!-- /budget -->"
    before, rest = path.read_text().split(start)
    path.write_text(f"{before}{start}{text}\n{end}{rest.split(end)[1]}")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--program", type=Path, default=ROOT / "target" / "release" / "examples" / "replay")
    parser.add_argument("--write", action="store_true", help="put the table into docs/layout.md")
    options = parser.parse_args()
    cases = everything(options.folders)
    environment = Program(options.program, options.models).environment()
    runs = budget.run(options.program, cases, lambda text: print(text, file=sys.stderr), environment)
    text = f"{datetime.date.today()}, {len(cases)} photos.\n\n{budget.table(runs)}"
    print(text)
    if options.write:
        write(text)


if __name__ == "__main__":
    main()
