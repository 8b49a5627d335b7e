#!/usr/bin/env python3
"""Measures the real program and writes the figures into the model card. `make evaluate` calls it.

Input: target/release/tilesight, the models it loads, our samples (datasets/samples), and the shared real photos and crops
if --shared or TILESIGHT_SHARED names them.
Output: a table on the terminal, the same between the markers of models/MODEL_CARD.md, everything as JSON and
contact sheets of the failures in out/evaluation.
Invariant: a source that is not there is said loudly, in the table too; its figures are never left standing from before.
"""
import argparse
import datetime
import hashlib
import importlib.util
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from evaluation import metrics, program, sources, table  # noqa: E402 (scripts are not installed as a package)

ROOT = Path(__file__).resolve().parents[1]


def options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "tilesight", type=Path)
    parser.add_argument("--shared", default=os.environ.get("TILESIGHT_SHARED"), help="folder of the shared real photos")
    parser.add_argument("--samples", default=ROOT / "datasets" / "samples", type=Path)
    parser.add_argument("--out", default=ROOT / "out" / "evaluation", type=Path)
    parser.add_argument("--card", default=ROOT / "models" / "MODEL_CARD.md", type=Path)
    parser.add_argument("--no-card", action="store_true", help="print only; leave the model card alone")
    return parser.parse_args()


def say(text):
    """Progress, kept apart from the table."""
    print(text, file=sys.stderr, flush=True)


def read_all(opts, photos):
    """Reads photos with the program and judges each."""
    answers = program.read_photos(opts.program.resolve(), [photo.path for photo in photos], say)
    return [metrics.judge(photo, reading, seconds) for photo, (reading, seconds) in zip(photos, answers)]


def rows_of(results):
    """The groups of photos that the table shows, each summed."""
    groups = [("real photos, held out", lambda p: p.source != "our renders" and p.kind != "drawing")]
    groups += [(f"- {split}", lambda p, s=split: p.source != "our renders" and p.split == s and p.kind != "drawing")
               for split in ("test", "validation")]
    groups += [(f"- {kind}", lambda p, k=kind: p.source != "our renders" and p.kind == k)
               for kind in ("hand", "loose", "standing")]
    groups.append(("pictures from the web, held out", lambda p: p.kind == "drawing"))
    groups.append(("our renders", lambda p: p.source == "our renders"))
    rows = [(name, [r for r in results if keep(r.photo)]) for name, keep in groups]
    return [(name, metrics.summarise(some)) for name, some in rows if some]


def scenes_of(results):
    """Each held-out scene of real photos, summed."""
    real = [r for r in results if r.photo.source != "our renders" and r.photo.kind != "drawing"]
    names = sorted({(r.photo.split, r.photo.scene) for r in real})
    return [(f"{scene} ({split})", metrics.summarise([r for r in real if r.photo.scene == scene])) for split, scene in names]


def write_up(opts, results, crops):
    """The Markdown that goes into the model card."""
    parts = [f"Measured {datetime.date.today().isoformat()} with `make evaluate` on {model_names()}."]
    if not opts.shared:
        parts.append("**No shared folder was given: real photos and unseen-set crops were NOT measured.**")
    parts.append(table.photo_table(rows_of(results)))
    if crops:
        parts.append(table.crop_table([(truth, answer) for _, truth, answer in crops]))
    real = metrics.summarise([r for r in results if r.photo.source != "our renders" and r.photo.kind != "drawing"])
    if real.photos:
        parts.append(table.scene_table(scenes_of(results)))
        parts.append("Commonest confusions in held-out real photos: " + table.confusion_list(real.confusion) + ".")
    parts.append(NOTES)
    return "\n\n".join(parts)


NOTES = """Rates are given with their 95 % Wilson interval. Found: a detection's centre in the label's box, overlap at least 0.3, one to
one. Precision is counted where every face is labelled. Whole hand: the multiset of the reading's tiles equals the labels (photos of 13-18
labelled tiles that are the hand; all renders); the next column takes any flower or season for another, which is what MCR scores;
the one after asks for sets, claims, winning tile and flowers too, which only
the renders know. Silently wrong: not exact, and yet the status is `ok`. Strips squeezed beyond use are left out."""


def model_names():
    """The models by file and hash, so that figures can be told from those of other models."""
    names = []
    for path in sorted((ROOT / "models").glob("*.onnx")):
        names.append(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}")
    return ", ".join(names) or "no models"


def save_sheets(opts, results, crops):
    """Contact sheets of the failures."""
    from evaluation import sheets

    real = [r for r in results if r.photo.source != "our renders"]
    ours = [r for r in results if r.photo.source == "our renders"]
    wrong = [(path, truth, answer) for path, truth, answer in crops if metrics.plain(answer.get("tile") or "") != truth]
    paths = sheets.photo_sheets(real, opts.out, "real") + sheets.photo_sheets(ours, opts.out, "renders")
    return paths + sheets.crop_sheets(wrong, opts.out, "crops")


def save_details(opts, results, crops):
    """Every photo's outcome as JSON lines, for whoever wants to look further."""
    with (opts.out / "details.jsonl").open("w") as file:
        for r in results:
            tiles, seen = r.photo.tiles, r.reading.get("tiles") or []
            file.write(json.dumps({
                "photo": Path(r.photo.path).name, "scene": r.photo.scene, "kind": r.photo.kind, "split": r.photo.split,
                "status": r.reading.get("status"), "labels": len(tiles), "whole": r.whole, "structure": r.structure,
                "missed": [tiles[t].code for t in r.missed], "false": [seen[d]["tile"] for d in r.false],
                "wrong": [[tiles[t].code, seen[d]["tile"]] for t, d in r.wrong()],
                "truth": r.photo.hand, "hand": r.reading.get("hand"), "problem": r.reading.get("problem"),
            }) + "\n")
        for path, truth, answer in crops:
            file.write(json.dumps({"crop": Path(path).name, "truth": truth, "tile": answer.get("tile")}) + "\n")


def measure_crops(opts):
    """[(path, truth, answer)] of the unseen-set crops; empty without the shared folder."""
    if not opts.shared:
        return []
    manifest = json.loads((ROOT / "models" / "manifest.json").read_text())
    crops = sources.crops(opts.shared, opts.out / "crops", manifest["classifier"]["margin"])
    answers = program.classify_crops(opts.program.resolve(), [path for path, _ in crops], say)
    return [(path, truth, answer) for (path, truth), (answer, _) in zip(crops, answers)]


def main():
    """Measures, prints, writes."""
    opts = options()
    if importlib.util.find_spec("PIL") is None:
        sys.exit("evaluate: Pillow is missing: pip install -r scripts/requirements-evaluate.txt")
    opts.out.mkdir(parents=True, exist_ok=True)
    if not opts.shared:
        say("!! No --shared folder and no TILESIGHT_SHARED: real photos and unseen-set crops are NOT measured.")
    try:
        photos = sources.real_photos(opts.shared, opts.out / "photos") if opts.shared else []
        results = read_all(opts, photos + sources.samples(opts.samples))
        crops = measure_crops(opts)
    except program.ProgramError as error:
        sys.exit(f"evaluate: {error}")
    text = write_up(opts, results, crops)
    print(text)
    save_details(opts, results, crops)
    for path in save_sheets(opts, results, crops):
        say(f"failures: {path}")
    if not opts.no_card:
        opts.card.write_text(table.into_card(opts.card.read_text(), text))
        say(f"wrote {opts.card}")


if __name__ == "__main__":
    main()
