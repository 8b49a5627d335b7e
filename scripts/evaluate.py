#!/usr/bin/env python3
"""Measures the real program and writes the figures into the model card. `make evaluate` calls it.

Input: target/release/tilesight, the models it loads, our samples (datasets/samples), and the shared
real photos and crops if --shared or TILESIGHT_SHARED names them.
Output: tables on the terminal, the same between the markers of models/MODEL_CARD.md, and in
out/evaluation everything as JSON, reliability.png, confusion.png and contact sheets of the
failures. The targets with their verdicts come first in the card and last on the terminal.
Invariant: a source that is not there is said loudly, in the table too; its figures are never left
standing from before.

Models side by side, for instance with and without real photos in the training:
    scripts/evaluate.py --compare models out/models-without-real
reads the same photos with each folder (it needs manifest.json and the networks, as models/ does)
and prints one table of the main figures with a column for each folder, and how many hands each wins
and loses against the first. The card is left alone.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from evaluation import causes, compare, measure, metrics, program, report, table, targets

ROOT = Path(__file__).resolve().parents[1]


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "tilesight", type=Path)
    parser.add_argument("--models", default=os.environ.get("TILESIGHT_MODELS") or ROOT / "models", type=Path)
    parser.add_argument(
        "--compare", nargs="+", type=Path, metavar="FOLDER", help="folders of models to measure side by side"
    )
    parser.add_argument("--shared", default=os.environ.get("TILESIGHT_SHARED"), help="folder of the shared real photos")
    parser.add_argument("--samples", default=ROOT / "datasets" / "samples", type=Path)
    parser.add_argument("--out", default=ROOT / "out" / "evaluation", type=Path)
    parser.add_argument("--card", default=ROOT / "models" / "MODEL_CARD.md", type=Path)
    parser.add_argument("--no-card", action="store_true", help="print only; leave the model card alone")
    return parser.parse_args()


def say(text: str) -> None:
    """Progress, kept apart from the tables."""
    print(text, file=sys.stderr, flush=True)


def save_pictures(measured: Any, out: Path) -> list[Any]:
    """Contact sheets of the failures and diagrams of the figures."""
    from evaluation import diagrams, sheets

    wrong = [crop for crop in measured.crops if metrics.plain(crop[2].get("tile") or "") != crop[1]]
    groups = [("real", measured.real), ("web", measured.web), ("renders", measured.ours), ("blank", measured.blank)]
    paths = [path for name, results in groups for path in sheets.photo_sheets(results, out, name)]
    paths += sheets.crop_sheets(wrong, out, "crops")
    series = report.calibration_series(measured)
    panels = [
        ("tiles", [(n, p) for n, p in series if not n.startswith("hands")]),
        ("hands", [(n, p) for n, p in series if n.startswith("hands")]),
    ]
    paths.append(diagrams.reliability(panels, out / "reliability.png"))
    if measured.real:
        paths.append(diagrams.confusion(diagrams.confusion_counts(measured.real), out / "confusion.png"))
    return paths


def save_details(measured: Any, out: Path) -> None:
    """Every photo's outcome as JSON lines, to look into later."""
    with (out / "details.jsonl").open("w") as file:
        for result in measured.results + measured.blank:
            file.write(json.dumps(detail(result)) + "\n")
        for path, truth, answer in measured.crops:
            file.write(json.dumps({"crop": Path(path).name, "truth": truth, "tile": answer.get("tile")}) + "\n")


def detail(result: Any) -> dict[str, Any]:
    """Outcome of one photo: what was read, beside the truth."""
    tiles, seen = result.photo.tiles, result.reading.get("tiles") or []
    return {
        "photo": Path(result.photo.path).name,
        "scene": result.photo.scene,
        "kind": result.photo.kind,
        "split": result.photo.split,
        "status": result.reading.get("status"),
        "probability": result.reading.get("probability"),
        "labels": len(tiles),
        "whole": result.whole,
        "structure": result.structure,
        "causes": causes.causes(result),
        "missed": [tiles[t].code for t in result.missed],
        "false": [seen[d]["tile"] for d in result.false],
        "wrong": [[tiles[t].code, seen[d]["tile"]] for t, d in result.wrong()],
        "truth": result.photo.hand,
        "hand": result.reading.get("hand"),
        "problem": result.reading.get("problem"),
    }


def evaluate(opts: argparse.Namespace, settings: Any) -> None:
    """Measures one folder of models, prints, writes."""
    measured = measure.everything(settings, opts.models.resolve(), measure.photos(settings))
    text = report.write(measured, opts.shared)
    print(text)
    save_details(measured, opts.out)
    for path in save_pictures(measured, opts.out):
        say(f"wrote {path}")
    if not opts.no_card:
        opts.card.write_text(table.into_card(opts.card.read_text(), text))
        say(f"wrote {opts.card}")
    print("\nThe targets once more:\n\n" + targets.markdown(targets.rows(measured)))


def compare_folders(opts: argparse.Namespace, settings: Any) -> None:
    """Measures several folders of models over the same photos and prints them side by side."""
    photos = measure.photos(settings)
    every = []
    for folder in opts.compare:
        say(f"== {folder}")
        every.append(measure.everything(settings, folder.resolve(), photos, with_ablation=False))
    print(compare.comparison(every))


def main() -> None:
    """Measures, prints, writes."""
    opts = options()
    if importlib.util.find_spec("PIL") is None:
        sys.exit("evaluate: Pillow is missing: pip install -r scripts/requirements-evaluate.txt")
    opts.out.mkdir(parents=True, exist_ok=True)
    if not opts.shared:
        say("!! No --shared folder and no TILESIGHT_SHARED: real photos and unseen-set crops are NOT measured.")
    settings = measure.Settings(opts.program.resolve(), opts.shared, opts.samples, opts.out, say)
    try:
        (compare_folders if opts.compare else evaluate)(opts, settings)
    except program.ProgramError as error:
        sys.exit(f"evaluate: {error}")


if __name__ == "__main__":
    main()
