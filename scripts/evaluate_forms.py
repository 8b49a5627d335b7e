#!/usr/bin/env python3
"""Measures the program end to end on near-photographic scenes in which hands lie in every form.

Input: scenes of cycles_scenes from seed 910001 on (`make forms` renders and measures them), or with
--life tables as players leave them, from seed 920001 on (`make life`). Output: a table in Markdown
of how many hands are exact (sets, sources, winning tile; which flower a flower is does not count),
asked about, or wrong without a question, for every form; the wrong ones by name; with --write the
table goes into docs/layout.md. Each scene is read a second time as a selfie camera would mirror it
(which needs Pillow; all else is the standard library).
Invariant: the truth is scored by the same program with the same win context as the reading.

    scripts/evaluate_forms.py out/forms [--models models] [--write]
    scripts/evaluate_forms.py out/life --life [--sheets out/life-sheets] [--write]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from evaluation import geometry, life, page
from evaluation.metrics import Rate, hand_structure
from evaluation.program import Program

ROOT = Path(__file__).resolve().parents[1]
# The rule set of most scenes.
USUAL = "mcr-wmo"
OUTCOMES = ["exact", "pointed", "asked", "harmless", "silent"]
HEAD = [
    "hands",
    "exact",
    "not exact, asked about a set, a flower or a tile",
    "not exact, something else asked",
    "wrong hand, same score",
    "silently wrong",
]


def scenes(folder: Path) -> Iterator[tuple[Path, Any]]:
    """(picture, truth) of every scene of a folder."""
    for path in sorted(folder.glob("[0-9]*.json")):
        truth = json.loads(path.read_text())
        yield path.with_name(truth["image"]), truth


def totals(program: Any, hands: Any) -> list[Any]:
    """Scores hands, each by its rule set, with the program. None of the hands is without a
    total."""
    lines = "\n".join(json.dumps({"hand": hand, "context": {"ruleset": ruleset}}) for hand, ruleset in hands)
    done = subprocess.run(
        [str(program.path), "score", "--jsonl"], input=lines, capture_output=True, text=True, check=False
    )
    scores = [json.loads(line) for line in done.stdout.splitlines()]
    refused = [score["error"]["detail"] for score in scores if "error" in score]
    if refused or not scores:
        sys.exit(f"evaluate_forms: {len(refused)} true hands have no score: {refused[:1]} {done.stderr}")
    return [score["total"] for score in scores]


def ruleset_of(truth: dict[str, Any]) -> str:
    """The rule set that a scene's hand is read by."""
    return truth["context"]["ruleset"]


def readings_of(program: Any, found: list[tuple[Path, Any]]) -> list[Any]:
    """Reads every scene by its rule set."""
    readings: dict[str, Any] = {}
    for ruleset in sorted({ruleset_of(truth) for _, truth in found}):
        pictures = [str(picture) for picture, truth in found if ruleset_of(truth) == ruleset]
        readings |= zip(pictures, program.read(pictures, flags=["--ruleset", ruleset]))
    return [readings[str(picture)] for picture, _ in found]


def shown(truth: dict[str, Any]):
    """The structure that the table shows: nothing marks the winning tile where the plan says so,
    and flowers only count."""
    concealed, winning, melds, flowers = hand_structure(truth["hand"])
    if truth["layout"]["winning"] == "unmarked":
        concealed, winning = sorted([*concealed, winning]), None
    return concealed, winning, melds, len(flowers)


def read_structure(reading: dict[str, Any]):
    """The structure of a reading, in the form of `shown`."""
    concealed, winning, melds, flowers = hand_structure(reading.get("hand") or {})
    return concealed, winning, melds, len(flowers)


def outcome(reading: dict[str, Any], truth: dict[str, Any], total: int) -> str:
    """Judges a reading as one of OUTCOMES."""
    if read_structure(reading) == shown(truth):
        return "exact"
    if reading["status"] != "ok":
        kinds = {doubt["kind"] for doubt in reading["doubts"]}
        hidden = any(tile["hidden"] and tile["role"] == "meld" for tile in truth["tiles"])
        # The question points at something; whether the truth is among its answers is not looked
        # into here.
        is_pointed = bool(kinds & {"concealed_kong", "exposed_set", "added_kong", "flower", "tile"}) or (
            hidden and "hidden_kong" in kinds
        )
        return "pointed" if is_pointed else "asked"
    return "harmless" if (reading.get("score") or {}).get("total") == total else "silent"


def forms(truth: dict[str, Any]) -> Iterator[str]:
    """The names of the forms that a scene takes."""
    plan, melds = truth["layout"], truth["hand"]["melds"]
    yield f"winning tile: {plan['winning']}"
    yield "standing" if plan["standing"] else f"rows: {plan['rows']}"
    if melds:
        yield f"sets: {plan['melds']}"
        yield "a tile of each set turned" if plan["turned"] else "nothing turned"
    # Tables as players leave them say more about themselves.
    for key, words in life.SAID.items():
        if key in plan:
            yield f"{words}: {plan[key]}"
    if any(meld["concealed"] for meld in melds):
        yield f"concealed kong: {plan['concealed_kong']}"
    if any(meld["added"] for meld in melds):
        yield f"added kong: {plan['added_kong']}"
    if truth["hand"]["flowers"]:
        yield "flowers"
        if "flowers" in plan:
            yield f"flowers: {plan['flowers']}"
    if ruleset_of(truth) != USUAL:
        yield "sixteen tiles"
    if any(tile["role"] == "ignored" for tile in truth["tiles"]):
        yield "discards or a wall"


def takes_clutter(reading: dict[str, list[dict[str, Any]]], truth: dict[str, Any]) -> bool | None:
    """Tells whether a tile of a discard or wall is read as part of the hand; None where there is no
    clutter."""
    clutter = [tile["polygon"] for tile in truth["tiles"] if tile["role"] == "ignored" and tile["visible"] > 0.5]
    if not clutter:
        return None
    taken = [geometry.centre(tile["polygon"]) for tile in reading.get("tiles", []) if tile["role"] != "ignored"]
    return any(geometry.inside_box(point, geometry.bounds(polygon)) for point in taken for polygon in clutter)


def clutter_line(results: list[dict[str, Any]]) -> str:
    """Sentence that counts the scenes with clutter in which some of it is read as part of the
    hand."""
    answers = [
        answer
        for answer in (takes_clutter(result["reading"], result["truth"]) for result in results)
        if answer is not None
    ]
    rate = Rate(sum(answers), len(answers))
    low, high = rate.interval()
    return (
        f"Of {rate.total} scenes with discards or a wall {rate.hits} have a tile of those in the hand: "
        f"{100 * rate.value:.1f} % ({100 * low:.1f}-{100 * high:.1f})."
    )


def mirrored_line(program: Any, results: list[dict[str, Any]], pictures: list[Path]) -> str:
    """Reads the scenes mirrored, and counts those that are recognised as mirrored, those that are
    then read exactly, and the unmirrored ones that are taken for mirrored."""
    from PIL import Image, ImageOps

    with tempfile.TemporaryDirectory() as folder:
        turned = [str(Path(folder, picture.name)) for picture in pictures]
        for picture, path in zip(pictures, turned):
            ImageOps.mirror(ImageOps.exif_transpose(Image.open(picture)).convert("RGB")).save(path, quality=95)
        truths = [result["truth"] for result in results]
        found = [(Path(path), truth) for path, truth in zip(turned, truths)]
        readings = [reading for reading, _ in readings_of(program, found)]
    known = [at for at, reading in enumerate(readings) if reading.get("mirrored")]
    exact = sum(read_structure(readings[at]) == shown(results[at]["truth"]) for at in known)
    straight = sum(result["outcome"] == "exact" for result in (results[at] for at in known))
    alarms = sum(bool(result["reading"].get("mirrored")) for result in results)
    return (
        f"Mirrored as by a selfie camera, {len(known)} of {len(results)} scenes are recognised as such; of "
        f"these {exact} are then "
        f"read exactly, unmirrored {straight}. Of the {len(results)} unmirrored scenes {alarms} are taken for mirrored."
    )


def table(results: list[dict[str, Any]]) -> str:
    """Markdown: all hands, then every form."""
    named = {"all": results}
    for result in results:
        for form in result["forms"]:
            named.setdefault(form, []).append(result)
    lines = ["| form | " + " | ".join(HEAD) + " |", "|---" * (len(HEAD) + 1) + "|"]
    for form in sorted(named, key=lambda form: (form != "all", form)):
        some = named[form]
        rates = [Rate(sum(result["outcome"] == name for result in some), len(some)) for name in OUTCOMES]
        cells = [f"{100 * rate.value:.1f} %" for rate in rates]
        if form == "all":
            low, high = rates[0].interval()
            cells[0] += f" ({100 * low:.1f}-{100 * high:.1f})"
        lines.append(f"| {form} | {len(some)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--program", type=Path, default=ROOT / "target" / "release" / "tilesight")
    parser.add_argument(
        "--life", action="store_true", help="tables as players leave them: more is said of those that are not exact"
    )
    parser.add_argument("--sheets", type=Path, help="put contact sheets of the failures here (needs Pillow)")
    parser.add_argument("--write", action="store_true", help="put the table into docs/layout.md")
    options = parser.parse_args()
    program = Program(options.program, options.models)
    found = list(scenes(options.folder))
    pictures = [picture for picture, _ in found]
    readings = readings_of(program, found)
    truths = totals(program, [(truth["hand"], ruleset_of(truth)) for _, truth in found])
    results = []
    for (picture, truth), (reading, _), total in zip(found, readings, truths):
        result = {
            "picture": picture.name,
            "outcome": outcome(reading, truth, total),
            "forms": list(forms(truth)),
            "reading": reading,
            "truth": truth,
            "total": total,
        }
        results.append(result)
        if result["outcome"] != "exact":
            say(result)
    if options.life:
        text = "\n\n".join([life.table(results), clutter_line(results), life.details(results, pictures)])
    else:
        text = "\n\n".join([table(results), clutter_line(results), mirrored_line(program, results, pictures)])
    print(text)
    if options.sheets:
        life.sheets(results, pictures, options.sheets)
    if options.write:
        path = ROOT / "docs" / "layout.md"
        page.write(path, "life" if options.life else "forms", text)
        print(f"{path}: {len(results)} scenes", file=sys.stderr)


def say(result: dict[str, Any]) -> None:
    """Prints what was read and what is true of a hand that is not exact."""
    reading, truth = result["reading"], result["truth"]
    print(result["picture"], result["outcome"], reading["status"], "|", "; ".join(result["forms"]))
    print(
        "   read",
        (reading.get("hand") or {}).get("notation"),
        "p",
        reading.get("probability"),
        [d["kind"] for d in reading["doubts"]],
    )
    hand = truth["hand"]
    melds = [
        "".join(m["tiles"]) + (m["from"] or "") + ("c" if m["concealed"] else "") + ("a" if m["added"] else "")
        for m in hand["melds"]
    ]
    print(
        "   is  ",
        " ".join(melds),
        "|",
        " ".join(hand["concealed"]),
        "+",
        hand["winning_tile"],
        "|",
        " ".join(hand["flowers"]),
    )


if __name__ == "__main__":
    main()
