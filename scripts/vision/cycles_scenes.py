"""Near-photographic scenes of complete winning hands, rendered in Blender Cycles with this
project's own tile art.

Purpose: sample photos with exact truth (datasets/samples), more of the same to validate on, and
scenes to train on.
Input: scene seeds from 900001 up (training draws its faces from lower seeds, so these sets are new
to the models), or from 600001 to 699999 for training (no other training draws its faces from these;
from 650001 to 660000 the concealed tiles stand). Scenes from 910001 up, and of those for training
from 680001 up, lie in every form that hands have on tables (`cycles_forms`). Scenes from 920001 up,
and of those for training from 660001 to 679999, are whole tables as players leave them
(`cycles_tables`). Hands from 916001 to 917000, and on whole tables from 926001 to 927000, have
sixteen tiles and the winning one. Output for each seed: SEED.jpg and SEED.json (polygons, classes,
groups, the hand and the context in the contract's form).
Invariant: a scene depends on its seed alone, and one that is already there is left alone: an
interrupted run goes on.

    scripts/vision/cycles_scenes.py --out datasets/samples
    scripts/vision/cycles_scenes.py --demo --out datasets/samples
    scripts/vision/cycles_scenes.py --seeds 600001-600150,650001-650150 --out out/cycles
    scripts/vision/cycles_scenes.py --hands datasets/games/hands.json --out datasets/games
"""

from __future__ import annotations

import argparse
import colorsys
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageFilter

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))
from vision import (  # noqa: E402 (the script's own folder is not a package root)
    cycles_faces,
    cycles_forms,
    cycles_given,
    cycles_hands,
    cycles_layout,
    cycles_looks,
    cycles_tables,
)

BLENDER = Path(__file__).resolve().with_name("cycles_blender.py")
ROOT = SCRIPTS.parent
FIRST_SEED = 900000
TRAINING = range(600_001, 700_000)
# Of these the second half stand: many real photos show the tiles as the player sees them, and a
# tenth of scenes teaches little.
STANDING = range(650_001, 660_001)
# Scenes that lie in every form: to train on, and to validate on.
FORMS = frozenset([*range(680_001, 700_000), *range(910_001, 920_000)])
# Of these, hands of sixteen tiles.
SIXTEEN = range(916_001, 917_001)
# The committed samples: the first fifteen seeds, and six more for their kongs (claimed, added,
# concealed) and a standing row.
SAMPLES = f"{FIRST_SEED + 1}-900015,900045,900048,900052,900083,900151,900272"
LONG, SHORT = 1280, 960
# The samples' size in bytes is limited, since they are in the repository; tables show tiles of 20
# pixels, which a few bytes would spoil.
MAX_BYTES, MAX_TABLE_BYTES = 250 * 1024, 900 * 1024


def describe(
    seed: int, demo: bool = False, given: np.ndarray | None = None
) -> tuple[cycles_hands.Hand, dict[str, Any]]:
    """The whole scene as plain data: hand, tiles on the table, looks, light, camera. `given`: an
    entry of `cycles_given`."""
    if cycles_tables.is_table(seed):
        return cycles_tables.describe(seed)
    rng = random.Random(seed)
    if given:
        hand = cycles_given.hand_of(given)
        placed, plan = cycles_given.lay_out(hand, given, rng)
        others, clutter, table = [], [], _table(rng, placed)
    elif demo:
        hand = cycles_hands.make_hand(rng, "pure_straight", melds=0)
        hand.flowers = []
        placed, plan = cycles_layout.lay_out(hand, rng, winning_style="gap")
        for tile in placed:
            tile.standing = False
            tile.angle -= 180 if tile.angle > 90 else 0
        others, clutter = [], []
        table = {**cycles_looks.surface(rng, "felt"), "light": [0.03, 0.17, 0.06], "dark": [0.022, 0.13, 0.045]}
    else:
        make = cycles_hands.make_hand_of_sixteen if seed in SIXTEEN else cycles_hands.make_hand
        hand = make(rng, kongs=0.45 if seed in FORMS else 0.25)
        if seed in FORMS:
            placed, plan = cycles_forms.lay_out(hand, rng)
        else:
            placed, plan = cycles_layout.lay_out(hand, rng, standing=1.0 if seed in STANDING else 0.1)
        others = cycles_layout.discards(hand, placed, rng)
        clutter = _clutter(rng, placed + others)
        table = _table(rng, placed)
    camera = _camera(rng, demo, plan)
    upright = camera["roll"] in (90, 270)
    return hand, {
        "seed": seed,
        "tiles": [vars(tile) for tile in placed + others],
        "plan": plan,
        "clutter": clutter,
        "look": cycles_looks.look(rng),
        "table": table,
        "light": cycles_looks.light(rng),
        "camera": camera,
        "size": [SHORT, LONG] if upright else [LONG, SHORT],
    }


def _table(rng: random.Random, placed: list[cycles_layout.Placed]) -> dict[str, Any]:
    kind = rng.choice(["felt", "felt", "felt", "wood", "weave", "plain"])
    table = cycles_looks.surface(rng, kind)
    if rng.random() < 0.4:
        table["rim"] = dict(
            cycles_looks.surface(rng, rng.choice(["wood", "plain"])),
            y=min(tile.y for tile in placed) - rng.uniform(0.9, 2.2),
        )
    return table


def _camera(rng: random.Random, demo: bool, plan: dict[str, Any]) -> dict[str, float | None]:
    if demo:
        return {"rise": 62, "around": 4, "roll": 0, "field": 55, "fill": 0.9}
    # Standing tiles are read from low down; lying ones from anywhere between 35 degrees and
    # straight above.
    rise = rng.uniform(30, 50) if plan["standing"] else rng.choice([rng.uniform(35, 60), rng.uniform(60, 90), 90])
    roll = rng.choice([0, 0, 0, 0, 0, 180, 90, 270, rng.uniform(-40, 40)])
    return {
        "rise": rise,
        "around": rng.uniform(-22, 22),
        "roll": roll,
        "field": rng.uniform(42, 68),
        "fill": rng.uniform(0.8, 0.94),
        "aperture": rng.choice([None, None, rng.uniform(1.2, 3)]),
    }


def _clutter(rng: random.Random, placed: list[cycles_layout.Placed]) -> list[dict[str, Any]]:
    """Simple things beyond the hand, where no tile lies."""
    far = max(tile.y for tile in placed if tile.role != "ignored")
    things = []
    for _ in range(rng.randint(0, 4)):
        name, shape, w, d, h = rng.choice(
            [
                ("die", "box", 0.6, 0.6, 0.6),
                ("chip", "cylinder", 1.5, 1.5, 0.16),
                ("cup", "cylinder", 3, 3, 3.4),
                ("phone", "box", 2.9, 6, 0.35),
                ("stick", "box", 0.3, 3.4, 0.15),
            ]
        )
        colour = list(colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.1, 0.9), rng.uniform(0.05, 0.8)))
        x, y = rng.uniform(-2, 16), far + rng.uniform(3, 9)
        room = max(w, d) * 0.71 + 0.9
        if all((tile.x - x) ** 2 + (tile.y - y) ** 2 > room**2 for tile in placed):
            things.append(
                {
                    "name": f"{name}{len(things)}",
                    "shape": shape,
                    "w": w,
                    "d": d,
                    "h": h,
                    "colour": colour,
                    "x": x,
                    "y": y,
                    "angle": rng.uniform(0, 90),
                }
            )
    return things


def develop(png: Path, jpeg: Path, rng: random.Random, largest: int = MAX_BYTES) -> None:
    """Develops a picture as a phone does: a little blur, sensor noise, JPEG of at most `largest`
    bytes."""
    picture = Image.open(png).convert("RGB").filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.7)))
    pixels = np.asarray(picture).astype(np.float32)
    noise = np.random.default_rng(rng.randrange(2**32)).normal(0, rng.uniform(0.8, 3.0), pixels.shape)
    picture = Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8))
    for quality in range(91, 40, -4):
        picture.save(jpeg, quality=quality)
        if jpeg.stat().st_size <= largest:
            return


def write_truth(path: Path, name: str, hand: cycles_hands.Hand, spec: dict[str, Any], seen: Any) -> None:
    """The scene's truth: the hand as the contract writes it, and what the camera sees of each
    tile."""
    tiles = []
    for placed, sight in zip(spec["tiles"], seen):
        shown = placed["face_up"]
        tiles.append(
            {
                "tile": placed["tile"] if shown else "back",
                "hidden": None if shown else placed["tile"],
                "polygon": sight["polygon"],
                "visible": sight["visible"],
                "face_up": shown,
                "sideways": placed["sideways"],
                "standing": placed["standing"],
                "role": placed["role"],
                "group": placed["group"],
            }
        )
    truth = {
        "image": name,
        "size": spec["size"],
        "seed": spec["seed"],
        "recipe": hand.recipe,
        "hand": hand.contract(),
        "context": hand.context,
        "layout": spec["plan"],
        "camera": spec["camera"],
        "tiles": tiles,
    }
    head = [f'  "{key}": {json.dumps(value)},' for key, value in truth.items() if key != "tiles"]
    lines = ",\n".join("    " + json.dumps(tile) for tile in tiles)
    path.write_text("{\n" + "\n".join(head) + '\n  "tiles": [\n' + lines + "\n  ]\n}\n")


def make_scene(seed: int, name: str, options: argparse.Namespace, given: np.ndarray | None = None) -> None:
    """Describes, renders, develops and writes one scene, unless it is there."""
    jpeg, truth = options.out / f"{name}.jpg", options.out / f"{name}.json"
    if jpeg.exists() and truth.exists():
        return
    hand, spec = describe(seed, demo=name == "demo", given=given)
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        cycles_faces.write_faces(seed, work, spec["look"].get("ink"), "board" in spec["table"])
        spec |= {
            "faces": str(work),
            "png": str(work / "scene.png"),
            "truth": str(work / "seen.json"),
            "samples": options.samples,
        }
        (work / "spec.json").write_text(json.dumps(spec))
        subprocess.run([options.python, BLENDER, work / "spec.json"], check=True, stdout=subprocess.DEVNULL)
        develop(
            work / "scene.png",
            jpeg,
            random.Random(seed + 1),
            MAX_TABLE_BYTES if cycles_tables.is_table(seed) else MAX_BYTES,
        )
        write_truth(truth, jpeg.name, hand, spec, json.loads((work / "seen.json").read_text()))
    if name == "demo":
        (options.out / "demo.context.json").write_text(json.dumps(hand.context, indent=2) + "\n")
    print(f"{jpeg} {hand.recipe} {len(hand.melds)} melds", flush=True)


def main() -> None:
    """Command line: a range of seeds, or the demo scene."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default=SAMPLES, help="such as 900001-900003,900007")
    parser.add_argument("--demo", action="store_true", help="the plain scene that `make demo` reads")
    parser.add_argument("--hands", type=Path, help="hands to render instead, see cycles_given")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "cycles")
    parser.add_argument("--samples", type=int, default=6, help="light paths per pixel, before denoising")
    parser.add_argument(
        "--python", default=str(ROOT / ".venv-blender" / "bin" / "python"), help="a Python that has bpy"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.demo:
        make_scene(FIRST_SEED, "demo", options)
        return
    if options.hands:
        for entry in cycles_given.read(options.hands):
            make_scene(entry["seed"], entry["name"], options, given=entry)
        return
    seeds = _seeds(options.seeds)
    if any(seed <= FIRST_SEED and seed not in TRAINING for seed in seeds):
        parser.error(
            f"seeds start at {FIRST_SEED + 1}, those of scenes to train on run from {TRAINING[0]} to {TRAINING[-1]}"
        )
    for seed in seeds:
        make_scene(seed, str(seed), options)


def _seeds(text: str) -> list[Any]:
    """`900001-900003,900007` as a list."""
    seeds = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        seeds += range(int(first), int(last or first) + 1)
    return seeds


if __name__ == "__main__":
    main()
