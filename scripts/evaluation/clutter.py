"""Readable hands with clutter around them: how many are lost because of it.

Input: our samples, a folder. Output: pairs of pictures, one as a club's table in portrait with the
hand alone, one with things along an edge (`clutter_things`), and how the readings of both compare.
A picture is *lost with clutter* if the hand's tiles are right in the first and not in the second:
what lies outside the hand must not change it. Every picture follows from its number. Needs Pillow.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaluation import clutter_things, metrics, sources
from evaluation.geometry import bounds
from evaluation.metrics import Photo, Rate, TruthTile

# A phone's picture as messengers send it, and the width of the hand's tiles in it.
SIZE, TILE = (720, 1280), 30.0
# Pictures with clutter. The first of each hand have all kinds of things along the upper edge, as
# behind a table; the others one kind each, on any side.
COUNT, OF_ALL_KINDS, OF_ONE_KIND = 200, 3, 5
# Parts of a thing, in widths of the hand's tiles.
PARTS = (1.0, 2.0, 4.0)
# The things reach at most this far into the picture, as a share of its side.
REACH = 0.3
# What stays clear around the hand, in widths of a tile.
MARGIN = 1.5
QUALITY = 85
SIDES = ("above", "below", "left", "right")


@dataclass(frozen=True)
class Clutter:
    """Objects beside a hand: their kind, the side, and the width of each in tiles."""

    kind: str
    side: str
    part: float


@dataclass
class Pair:
    """A hand alone and among clutter; `bare` is the same object in all pairs of a hand."""

    bare: Photo
    full: Photo
    clutter: Clutter


def pairs(folder: Path, samples: Path) -> list[Pair]:
    """The pictures, drawn where they are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    photos = our_hands(samples)
    made: list[Pair] = []
    while len(made) < COUNT:
        number = len(made) // (OF_ALL_KINDS + OF_ONE_KIND)
        made += _of_hand(folder, photos[number % len(photos)], number)
    return made[:COUNT]


def our_hands(samples: Path) -> list[Photo]:
    """Our samples and scenes of forms."""
    paths = [*samples.glob("9?????.json"), *(samples.parent / "forms").glob("9?????.json")]
    return [sources.sample(path) for path in sorted(paths)]


def _of_hand(folder: Path, sample: Photo, number: int) -> list[Pair]:
    """The pictures of one hand: alone and with each clutter."""
    ground, tiles = scene(sample, random.Random(f"clutter {number}"))
    clear = clear_around(tiles)

    def strew(picture: Any, place: int, clutter: Clutter) -> None:
        _strew(picture, clutter, clear, random.Random(f"clutter {number} {place}"))

    return pictures(folder / f"{number:03}.jpg", replace(sample, tiles=tiles), ground, _clutters(number), strew)


def pictures(
    alone: Path, hand: Photo, ground: Any, clutters: Sequence[Clutter], put: Callable[[Any, int, Clutter], None]
) -> list[Pair]:
    """Saves a hand's picture as `alone`, and one with each clutter beside it, where they are not
    there yet; `put` puts the clutter with this number into a picture."""
    if not alone.exists():
        ground.save(alone, quality=QUALITY)
    # Of what else is in view not every tile is known to be visible any more.
    bare = replace(hand, path=str(alone), source="clutter", exhaustive=False)
    made = []
    for place, clutter in enumerate(clutters):
        path = alone.with_stem(f"{alone.stem}-{place}")
        if not path.exists():
            full = ground.copy()
            put(full, place, clutter)
            full.save(path, quality=QUALITY)
        made.append(Pair(bare, replace(bare, path=str(path)), clutter))
    return made


def _clutters(number: int) -> list[Clutter]:
    kinds = list(clutter_things.KINDS)
    mixed = [Clutter("all kinds", "above", part) for part in PARTS]
    single = [
        Clutter(kind, SIDES[(number + at) % len(SIDES)], PARTS[(number + at) % len(PARTS)])
        for at, kind in enumerate(kinds)
    ]
    return mixed[:OF_ALL_KINDS] + single[:OF_ONE_KIND]


def scene(sample: Photo, rng: random.Random) -> tuple[Any, list[TruthTile]]:
    """The sample in the middle of a portrait picture, its ground continued to the edges."""
    from PIL import Image, ImageFilter

    picture = Image.open(sample.path).convert("RGB")
    width = sorted(_width(tile) for tile in sample.tiles if tile.role != "ignored")
    factor = TILE / width[len(width) // 2]
    small = picture.resize([round(side * factor) for side in picture.size], Image.LANCZOS)
    ground = small.resize((6, 8), Image.BOX).resize(SIZE, Image.BICUBIC)
    left = (SIZE[0] - small.width) // 2 + rng.randint(-15, 15)
    top = (SIZE[1] - small.height) // 2 + rng.randint(-80, 160)
    mask = Image.new("L", small.size)
    mask.paste(255, (16, 16, small.width - 16, small.height - 16))
    ground.paste(small, (left, top), mask.filter(ImageFilter.GaussianBlur(7)))
    return ground, [_moved(tile, factor, (left, top)) for tile in sample.tiles]


def _corners(tile: TruthTile) -> list[list[float]]:
    if tile.polygon is None:
        raise ValueError(f"the label of {tile.code} has no outline")
    return tile.polygon


def _width(tile: TruthTile) -> float:
    """The shorter side of a tile, in pixels."""
    a, b, c, d = _corners(tile)
    return min(math.dist(a, b) + math.dist(c, d), math.dist(b, c) + math.dist(d, a)) / 2


def _moved(tile: TruthTile, factor: float, by: tuple[int, int]) -> TruthTile:
    polygon = [[x * factor + by[0], y * factor + by[1]] for x, y in _corners(tile)]
    return replace(tile, polygon=polygon, box=bounds(polygon))


def clear_around(tiles: list[TruthTile]) -> tuple[int, int, int, int]:
    """The rectangle around the hand that stays as it is."""
    boxes = [tile.box for tile in tiles if tile.role != "ignored"]
    margin = MARGIN * TILE
    left, top = (min(box[axis] for box in boxes) - margin for axis in (0, 1))
    right, bottom = (max(box[axis] + box[axis + 2] for box in boxes) + margin for axis in (0, 1))
    return int(left), int(top), int(right), int(bottom)


def _strew(picture: Any, clutter: Clutter, clear: tuple[int, int, int, int], rng: random.Random) -> None:
    """Puts things along a side, with a hole where the hand is."""
    from PIL import Image, ImageFilter

    left, top, right, bottom = strip(clutter.side)
    size = (right - left, bottom - top)
    layer = Image.new("RGBA", size)
    part = clutter.part * TILE
    for place in _places(size, 3 * part, rng):
        kind = rng.choice(list(clutter_things.KINDS)) if clutter.kind == "all kinds" else clutter.kind
        thing = clutter_things.KINDS[kind](rng, part * rng.uniform(0.8, 1.25))
        thing = thing.rotate(rng.uniform(-25, 25), Image.BICUBIC, expand=True)
        at = place[0] - thing.width // 2, place[1] - thing.height // 2
        layer.alpha_composite(thing.crop(_inside(at, thing.size, size)), (max(0, at[0]), max(0, at[1])))
    layer = layer.filter(ImageFilter.GaussianBlur(rng.uniform(0.4, 1.4)))
    layer.paste((0, 0, 0, 0), (clear[0] - left, clear[1] - top, clear[2] - left, clear[3] - top))
    picture.paste(layer, (left, top), layer)


def _places(size: tuple[int, int], pitch: float, rng: random.Random) -> list[tuple[int, int]]:
    """Places all over a strip, about so far from each other, in any order."""
    columns, rows = (max(1, round(side / pitch)) for side in size)
    places = [
        (int((column + rng.uniform(0.2, 0.8)) * size[0] / columns), int((row + rng.uniform(0.2, 0.8)) * size[1] / rows))
        for row in range(rows)
        for column in range(columns)
    ]
    rng.shuffle(places)
    return places


def _inside(at: tuple[int, int], thing: tuple[int, int], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The part of a thing at this place that is not beyond a layer's upper and left edge."""
    left, top = max(0, -at[0]), max(0, -at[1])
    return left, top, max(left + 1, min(thing[0], size[0] - at[0])), max(top + 1, min(thing[1], size[1] - at[1]))


def strip(side: str) -> tuple[int, int, int, int]:
    """The rectangle along a side of the picture."""
    width, height = SIZE
    across, down = int(REACH * width), int(REACH * height)
    return {
        "above": (0, 0, width, down),
        "below": (0, height - down, width, height),
        "left": (0, 0, across, height),
        "right": (width - across, 0, width, height),
    }[side]


@dataclass(frozen=True)
class Loss:
    """Of some of the pictures with clutter: how many show no hand to the program, and how many are
    read otherwise than without it."""

    name: str
    unseen: Rate
    lost: Rate


def lost(judged: list[tuple[Pair, metrics.PhotoResult, metrics.PhotoResult]]) -> list[Loss]:
    """All pictures, then each kind, side and size; of hands that are read right without clutter."""
    readable = [(pair.clutter, full) for pair, bare, full in judged if bare.whole]
    kinds = ("all kinds", *clutter_things.KINDS)
    rows = [_loss("all", [full for _, full in readable])]
    rows += [_loss(kind, [full for clutter, full in readable if clutter.kind == kind]) for kind in kinds]
    rows += [_loss(f"- {side}", [full for clutter, full in readable if clutter.side == side]) for side in SIDES]
    rows += [
        _loss(f"- parts of {part:g} tiles", [full for clutter, full in readable if clutter.part == part])
        for part in PARTS
    ]
    return [row for row in rows if row.lost.total]


def _loss(name: str, some: list[metrics.PhotoResult]) -> Loss:
    unseen = Rate.of(full.reading.get("status") == "no_hand" for full in some)
    return Loss(name, unseen, Rate.of(not full.whole for full in some))


def run(program: Any, folder: Path, samples: Path, say: Any = None) -> list[Any]:
    """Reads all pictures: [(pair, result without clutter, result with it)]."""
    return judge(program, pairs(folder, samples), say)


def judge(program: Any, some: list[Pair], say: Any = None) -> list[Any]:
    """Reads these pictures, each hand alone once: [(pair, result without clutter, result with
    it)]."""
    bare = list({pair.bare.path: pair.bare for pair in some}.values())
    photos = bare + [pair.full for pair in some]
    answers = program.read([photo.path for photo in photos], say)
    results = [metrics.judge(photo, reading, seconds) for photo, (reading, seconds) in zip(photos, answers)]
    alone = {result.photo.path: result for result in results[: len(bare)]}
    return [(pair, alone[pair.bare.path], full) for pair, full in zip(some, results[len(bare) :])]
