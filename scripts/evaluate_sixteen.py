#!/usr/bin/env python3
"""Measures the program on hands of sixteen tiles and the winning one: renders, and real photos of
such hands in play. `make sixteen` calls it.

Input: target/release/tilesight, its models; folders of rendered scenes (out/forms, out/life and
datasets/games, whatever of them is there); the shared folder (--shared or TILESIGHT_SHARED).
Output: a table on the terminal; with --write also in the model card.
Definitions: *whole* is a hand with all its tiles and no others, flowers left out; *exact* has the
right sets, sources and winning tile too, and as many flowers, which only the renders know. *Said*
is a question by the usual rules that the hand is of a game with sixteen tiles. Real photos are
those whose labels have sixteen or seventeen tiles without the bonus tiles: most of them wait, so
they are read as hands that have not won. *Silently wrong* is a hand that is not whole although the
status is `ok`.
Invariant: photos that the models were trained on have a row of their own.

    scripts/evaluate_sixteen.py [--scenes FOLDER ...] [--shared FOLDER] [--write]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import evaluate_forms
from evaluation import page, sources, table
from evaluation.metrics import Rate, plain
from evaluation.program import Program
from evaluation.report import model_names

ROOT = Path(__file__).resolve().parents[1]
SIXTEEN, USUAL = "tw-common", "mcr-wmo"
# The collection that shows hands of sixteen tiles.
COLLECTION = "rethink-bonus"
SIZES = (16, 17)
BONUS = table.BONUS
HEADS = ["hands", "n", f"whole, `{SIXTEEN}`", "exact", "silently wrong", f"whole, `{USUAL}`", "said"]


@dataclass
class Case:
    """A hand, and its readings by the rules of the game and by the usual ones."""

    truth: Counter
    by_sixteen: dict[str, Any]
    by_usual: dict[str, Any]
    # Whether sets, sources and winning tile are right; None where nobody knows.
    exact: bool | None = None
    scene: dict[str, Any] | None = None

    def is_whole(self, reading: dict[str, Any]) -> bool:
        """Tells whether a reading has all tiles of the hand and no others."""
        return tiles_of(reading.get("hand") or {}) == self.truth


def tiles_of(hand: dict[str, Any]) -> Counter:
    """The tiles of a hand without its flowers."""
    melds = [tile for meld in hand.get("melds") or [] for tile in meld["tiles"]]
    winning = [hand["winning_tile"]] if hand.get("winning_tile") else []
    return Counter(map(plain, [*(hand.get("concealed") or []), *winning, *melds]))


def is_said(reading: dict[str, Any]) -> bool:
    """Tells whether a question says that the hand is of the game with sixteen tiles."""
    return any(doubt.get("game") == "taiwan" for doubt in reading.get("doubts") or [])


def rendered(program: Program, folder: Path) -> list[Case]:
    """The scenes of a folder that show hands of sixteen tiles and the winning one."""
    truths = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json")) if path.name != "hands.json"]
    found = [truth for truth in truths if truth.get("context", {}).get("ruleset") == SIXTEEN]
    pictures = [str(folder / truth["image"]) for truth in found]
    readings = [program.read(pictures, flags=["--ruleset", ruleset]) for ruleset in (SIXTEEN, USUAL)]
    return [
        Case(
            tiles_of(truth["hand"]),
            by_sixteen,
            by_usual,
            evaluate_forms.read_structure(by_sixteen) == evaluate_forms.shown(truth),
            truth,
        )
        for truth, (by_sixteen, _), (by_usual, _) in zip(found, *readings)
    ]


def photographed(program: Program, shared: Path, work: Path, split: str) -> list[Case]:
    """The real photos of a split whose labels are hands of sixteen or seventeen tiles."""
    found = []
    for photo in sources.real_photos(shared, work, (split,)):
        labels = Counter(tile.code for tile in photo.tiles if tile.role != "ignored" and tile.code not in BONUS)
        if photo.source == COLLECTION and sum(labels.values()) in SIZES:
            found.append((photo.path, labels))
    photos = [path for path, _ in found]
    by_sixteen = program.read(photos, flags=["--ruleset", SIXTEEN, "--won=false"])
    by_usual = program.read(photos, flags=["--ruleset", USUAL])
    return [Case(truth, one, other) for (_, truth), (one, _), (other, _) in zip(found, by_sixteen, by_usual)]


def row(name: str, cases: Sequence[Case]) -> list[str]:
    """A row of the table."""
    known = [case.exact for case in cases if case.exact is not None]
    whole = [case.is_whole(case.by_sixteen) for case in cases]
    silent = [case.by_sixteen.get("status") == "ok" and not is_whole for case, is_whole in zip(cases, whole)]
    return [
        name,
        str(len(cases)),
        table.percent(Rate(sum(whole), len(whole))),
        table.percent(Rate(sum(known), len(known))),
        table.percent(Rate(sum(silent), len(silent))),
        table.percent(Rate(sum(case.is_whole(case.by_usual) for case in cases), len(cases))),
        table.percent(Rate(sum(is_said(case.by_usual) for case in cases), len(cases))),
    ]


def melds_of(case: Case) -> list[dict[str, Any]]:
    """The sets apart of a rendered hand."""
    return (case.scene or {})["hand"]["melds"]


def place_of_flowers(case: Case) -> str | None:
    """The place of the flowers of a rendered hand, if it has some and the plan says so."""
    scene = case.scene or {}
    return scene["layout"].get("flowers") if scene["hand"]["flowers"] else None


KINDS: list[tuple[str, Callable[[Case], bool]]] = [
    ("nothing claimed", lambda case: not melds_of(case)),
    ("one set apart", lambda case: len(melds_of(case)) == 1),
    ("two or three sets apart", lambda case: len(melds_of(case)) in (2, 3)),
    ("four or five sets apart", lambda case: len(melds_of(case)) > 3),
    ("with a kong", lambda case: any(meld["kind"] == "kong" for meld in melds_of(case))),
    ("flowers above", lambda case: place_of_flowers(case) == "above"),
    ("flowers beside", lambda case: place_of_flowers(case) == "beside"),
]


def text(rows: list[list[str]], models: Path) -> str:
    """The table with its head."""
    day = datetime.date.today().isoformat()
    return f"Measured {day} with `make sixteen` on {model_names(models)}.\n\n{table.markdown(HEADS, rows)}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=os.environ.get("TILESIGHT_SHARED"), help="shared real photos")
    parser.add_argument("--models", type=Path, default=ROOT / "models")
    parser.add_argument("--program", type=Path, default=ROOT / "target" / "release" / "tilesight")
    parser.add_argument("--out", type=Path, default=ROOT / "out")
    parser.add_argument("--write", action="store_true", help="put the table into the model card")
    options = parser.parse_args()
    program = Program(options.program, options.models)
    rows = []
    for name, folder in (
        ("rendered, every form", options.out / "forms"),
        ("rendered, as players leave them", options.out / "life"),
        ("rendered, the two of `datasets/games`", ROOT / "datasets" / "games"),
    ):
        cases = rendered(program, folder) if folder.is_dir() else []
        rows += [row(name, cases)] if cases else []
        if folder.name == "forms":
            rows += [row(f"- {kind}", some) for kind, is_of in KINDS if (some := [c for c in cases if is_of(c)])]
    if options.shared:
        for name, split in (("real, held out", "sets"), ("real, of sets in the training", "train")):
            rows.append(row(name, photographed(program, Path(options.shared), options.out / "sixteen", split)))
    else:
        print("sixteen: without TILESIGHT_SHARED no real photos are measured", file=sys.stderr)
    tables = text(rows, options.models)
    print(tables)
    if options.write:
        page.write(ROOT / "models" / "MODEL_CARD.md", "sixteen tiles", tables)


if __name__ == "__main__":
    main()
