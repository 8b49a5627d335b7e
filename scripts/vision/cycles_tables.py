"""The whole description of a table as its players leave it: hand, neighbours, things, looks, light
and camera.

Input: a seed. Output: a `Hand` and what `cycles_blender` renders, as plain data. A part of the sets
is dark with gold or coloured ink, and backs are pale as often as coloured: photos of real tables
show both, and the program reads neither well (2026-11-22).
Invariant: a scene depends on its seed alone; the hand lies wholly in the picture.
"""

from __future__ import annotations

import random
from typing import Any

from vision import cycles_ground, cycles_hands, cycles_life, cycles_looks, cycles_neighbours, cycles_props

# Seeds of these scenes: to train on, and to measure with. Faces are drawn from the seed itself.
TRAINING, MEASURED = range(660_001, 680_000), range(920_001, 930_000)
# Of these, hands of sixteen tiles.
SIXTEEN = range(926_001, 927_001)
# Linear colours. Dark bodies: black, green, navy, wine, brown.
DARK = [(0.011, 0.011, 0.013), (0.01, 0.055, 0.03), (0.008, 0.015, 0.06), (0.06, 0.006, 0.012), (0.03, 0.014, 0.008)]
INKS = ["gold", "bright", "bright", "bright_gold", "cream"]
# Pale backs: cream, white, pale blue, pale green, pale grey.
PALE = [(0.75, 0.65, 0.42), (0.82, 0.82, 0.8), (0.42, 0.6, 0.75), (0.45, 0.68, 0.5), (0.55, 0.55, 0.53)]
FLOORS = [(0.25, 0.16, 0.09), (0.12, 0.12, 0.13), (0.4, 0.38, 0.34), (0.1, 0.06, 0.05), (0.05, 0.09, 0.16)]
# Height of a table over the floor: 75 cm.
LEG = 28
VIEWS = {"hand": (1120, 840), "part": (1280, 960), "table": (1440, 1080)}


def is_table(seed: int) -> bool:
    """Tells whether a seed is one of these scenes."""
    return seed in TRAINING or seed in MEASURED


def describe(seed: int) -> tuple[cycles_hands.Hand, dict[str, Any]]:
    """The hand and the scene."""
    rng = random.Random(seed)
    make = cycles_hands.make_hand_of_sixteen if seed in SIXTEEN else cycles_hands.make_hand
    hand = make(rng, melds=rng.choice([0, 1, 2, 2, 3, 3, 4]), kongs=0.4)
    board = cycles_ground.make_board(rng)
    placed, plan = cycles_life.lay_out(hand, rng, board)
    others, kinds = cycles_neighbours.neighbours(hand, placed, board, rng)
    things = cycles_props.props(board, placed + others, rng)
    look = _look(rng)
    camera = _camera(rng, plan, board)
    plan |= kinds | {
        "set": "dark" if look["ink"] else "light",
        "backs": "pale" if look["pale"] else "coloured",
        "view": camera["view"],
    }
    size = VIEWS[camera["view"]]
    return hand, {
        "seed": seed,
        "tiles": [vars(tile) for tile in placed + others],
        "plan": plan,
        "clutter": things,
        "look": look,
        "table": _table(rng, board),
        "light": _light(rng, board),
        "camera": camera,
        "size": list(reversed(size)) if camera["roll"] in (90, 270) else list(size),
    }


def _look(rng: random.Random) -> dict[str, Any]:
    look = cycles_looks.look(rng)
    dark, look["pale"] = rng.random() < 0.5, rng.random() < 0.5
    if look["pale"]:
        look["back"] = rng.choice(PALE)
    look["ink"] = rng.choice(INKS) if dark else None
    if dark:
        look["body"] = [channel * rng.uniform(0.8, 1.5) for channel in rng.choice(DARK)]
        if rng.random() < 0.3:
            # One plastic all through.
            look["back"], look["pale"] = look["body"], False
    return look


def _table(rng: random.Random, board: cycles_ground.Board) -> dict[str, Any]:
    table = cycles_looks.surface(rng, rng.choice(["felt", "felt", "felt", "weave", "plain", "wood"]))
    table["board"] = {
        "size": board.size,
        "rail": board.rail,
        "height": board.height,
        "surface": cycles_looks.surface(rng, rng.choice(["wood", "plain", "plain"])),
    }
    floor = cycles_looks.surface(rng, rng.choice(["wood", "plain", "weave"]))
    floor["light"] = list(rng.choice(FLOORS))
    floor["dark"] = [channel * 0.7 for channel in floor["light"]]
    table["floor"] = {**floor, "z": -LEG}
    return table


def _light(rng: random.Random, board: cycles_ground.Board) -> dict[str, Any]:
    light = cycles_looks.light(rng)
    if light.get("lamp"):
        height = rng.uniform(14, 34)
        light["lamp"]["place"] = [rng.uniform(-14, 14), rng.uniform(-6, board.size + 4), height]
        light["lamp"]["power"] *= (height / 16) ** 2
        light["lamp"]["aim"] = [0, rng.uniform(2, board.half), 0]
        light["lamp"]["size"] *= rng.uniform(1, 2)
    return light


def _camera(rng: random.Random, plan: dict[str, Any], board: cycles_ground.Board) -> dict[str, Any]:
    """A photo of the hand, of a part of the table with it, or of the whole table."""
    view = rng.choice(["hand", "hand", "part", "part", "table"])
    rise = (
        rng.uniform(26, 50)
        if plan["standing"]
        else rng.choice([rng.uniform(26, 42), rng.uniform(40, 65), rng.uniform(60, 88), 90])
    )
    if view == "table":
        rise = max(rise, rng.uniform(35, 60))
    half, edge = board.half, board.rail
    frame = []
    if view == "part":
        # Some of the table beyond the hand: to its middle, or as far as the walls.
        frame = [[rng.uniform(-half, half), y, 0] for y in (rng.uniform(-edge, 2), rng.uniform(8, half + 6))]
    elif view == "table":
        spare = rng.uniform(0, 1)
        frame = [
            [x, y, 0]
            for x in (-half - edge * spare, half + edge * spare)
            for y in (-edge * spare, board.size + edge * spare)
        ]
    return {
        "view": view,
        "rise": rise,
        "around": rng.gauss(0, 14) if view != "table" else rng.gauss(0, 22),
        "roll": rng.choice([0] * 8 + [180, 90, 270, rng.uniform(-25, 25), rng.uniform(-25, 25)]),
        "field": rng.uniform(42, 72),
        "fill": rng.uniform(0.82, 0.96),
        "frame": frame,
        "aperture": rng.choice([None, None, None, rng.uniform(1.5, 4)]),
    }
