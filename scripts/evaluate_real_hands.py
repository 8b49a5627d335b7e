#!/usr/bin/env python3
"""Measures the program on real hands: club and tournament tables, and the held-out photos of whole
hands. `make real-hands` calls it.

Input: target/release/tilesight, its models, the shared folder (--shared or TILESIGHT_SHARED).
Output: tables on the terminal: hands with the right tiles, sets, sources and winning tile, wrong
ones about which nothing is asked, and what is asked about right ones; with --write also in
docs/layout.md. The definitions are those of `evaluation.real_hands` and `evaluation.metrics`.
Invariant: these photos are only ever measured; none of them enters the repository or a training.

    scripts/evaluate_real_hands.py --shared FOLDER [--models models] [--write] [--say] [--sheets FOLDER]
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
from evaluation import causes, metrics, page, real_hands, sources, table
from evaluation.program import Program
from evaluation.report import model_names

ROOT = Path(__file__).resolve().parents[1]


def club_tables(program: Program, shared: Path) -> list[Any]:
    """The views of photos/real_hands, judged."""
    views, judged = real_hands.views(shared), {}
    for waiting in (False, True):
        some = [view for view in views if view.waiting == waiting]
        answers = program.read([view.path for view in some], flags=real_hands.WAITING if waiting else [])
        judged |= {view.name: real_hands.judge(view, reading) for view, (reading, _) in zip(some, answers)}
    return [judged[view.name] for view in views]


def held_out(program: Program, shared: Path, work: Path) -> list[metrics.PhotoResult]:
    """The held-out photos whose labels are exactly a hand, judged by `metrics`."""
    photos = [photo for photo in sources.real_photos(shared, work) if photo.kind == "hand" and photo.labels_are_hand]
    answers = program.read([photo.path for photo in photos])
    return [metrics.judge(photo, reading, seconds) for photo, (reading, seconds) in zip(photos, answers)]


def fully_visible(photo: Any) -> bool:
    """Tells whether no label touches the picture's edge."""
    from PIL import Image

    width, height = Image.open(photo.path).size
    return all(
        x > 1 and y > 1 and x + w < width - 1 and y + h < height - 1
        for x, y, w, h in (tile.box for tile in photo.tiles)
    )


def held_out_table(results: Any) -> str:
    """Markdown: validation, test, both. What is asked is counted where the whole hand is in
    view."""
    groups = [("held out, all", results)] + [
        (f"- {split}", [r for r in results if r.photo.split == split]) for split in ("validation", "test")
    ]
    lines = []
    for name, some in groups:
        total, exact = metrics.summarise(some), [r.reading for r in some if r.whole and fully_visible(r.photo)]
        asked = [reading for reading in exact if reading.get("status") != "ok"]
        more = [reading for reading in asked if {doubt["kind"] for doubt in reading["doubts"]} - {"winning_tile"}]
        # Whether the tiles that are there win is right of an exact reading.
        wins = [reading for reading in exact if reading.get("score")]
        needless = [reading for reading in wins if real_hands.asks_needlessly(reading)]
        lines.append(
            [
                name,
                str(total.photos),
                *map(table.percent, (total.whole, total.whole_but_kind, total.silent)),
                *(table.percent(metrics.Rate(len(part), len(exact))) for part in (asked, more)),
                table.percent(metrics.Rate(len(needless), len(wins))),
                real_hands.questions(exact),
            ]
        )
    return table.markdown(
        [
            "photos of whole hands",
            "photos",
            "tiles exact",
            "tiles exact, any flower for another",
            "silently wrong",
            "exact in full view: asked about",
            "exact in full view: asked about more than the winning tile",
            "the same of winning hands: asked about what the photo shows",
            "readings by kind of question",
        ],
        lines,
    )


def text(judged: Any, results: Any, models: Any) -> str:
    """The whole report as Markdown."""
    exact = [j.reading for j in judged if j.exact and j.view.is_hand]
    return "\n\n".join(
        [
            f"Measured {datetime.date.today().isoformat()} on {model_names(models)}.",
            real_hands.summary(judged),
            f"Asked about the exact ones, by kind: {real_hands.questions(exact)}.",
            "<details><summary>Every view</summary>\n\n" + real_hands.details(judged) + "\n\n</details>",
            held_out_table(results),
            causes.cause_table([("held-out photos", results)]),
        ]
    )


def draw(program: Program, judged: Any, results: Any, folder: Path) -> None:
    """Draws what was read instead: a picture of each club view, sheets of the held-out photos."""
    from evaluation import sheets

    sheets.photo_sheets(results, folder, "held-out")
    for j in judged:
        if not j.exact:
            program.overlay(j.view.path, folder / f"{j.view.name}.png", real_hands.WAITING if j.view.waiting else [])


def say(judged: Any) -> None:
    """The readings that are not exact, with their differences."""
    for j in judged:
        if not j.exact:
            print(
                j.view.name,
                j.reading.get("status"),
                j.asked,
                "\n   read",
                json.dumps((j.reading.get("hand") or {}).get("notation")),
                "\n   is  ",
                json.dumps(j.view.hand),
            )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", default=os.environ.get("TILESIGHT_SHARED"), help="folder of the shared real photos")
    parser.add_argument("--models", type=Path, default=ROOT / "models")
    parser.add_argument("--program", type=Path, default=ROOT / "target" / "release" / "tilesight")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "evaluation")
    parser.add_argument("--say", action="store_true", help="tell what was read instead")
    parser.add_argument("--sheets", type=Path, help="draw what was read instead into this folder")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/layout.md")
    options = parser.parse_args()
    if not options.shared:
        sys.exit("real-hands: the shared photos are needed: TILESIGHT_SHARED=FOLDER or --shared FOLDER")
    program = Program(options.program, options.models)
    judged = club_tables(program, options.shared)
    results = held_out(program, options.shared, options.out / "photos")
    if options.say:
        say(judged)
    if options.sheets:
        draw(program, judged, results, options.sheets)
    tables = text(judged, results, options.models)
    print(tables)
    if options.write:
        page.write(ROOT / "docs" / "layout.md", "real hands", tables)


if __name__ == "__main__":
    main()
