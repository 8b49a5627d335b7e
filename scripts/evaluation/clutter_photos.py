"""Readable hands with photographed things beside them, as `clutter` puts drawn ones there.

Input: our samples, held-out real photos of hands, a folder with photos of anything but tiles.
Output: pairs of pictures, as `clutter` makes them. Every picture follows from its number and the
names of the photos. Needs Pillow.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation import clutter
from evaluation.clutter import Clutter, Pair
from evaluation.metrics import Photo, TruthTile

# Pictures with things of each hand, each with another photo along another side.
OF_A_HAND = 3
# Width of a thing's photo, in widths of the strip that it covers: below 1 it is repeated.
SHARES = (0.5, 1.0, 2.0)
# Photos narrower than this are icons.
NARROWEST = 200
ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


def things(folder: Path) -> list[Path]:
    """The photos of a folder that are large enough, by name."""
    from PIL import Image

    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS)
    return [path for path in paths if min(Image.open(path).size) >= NARROWEST]


def pairs(folder: Path, hands: Sequence[Photo], photos: Sequence[Path]) -> list[Pair]:
    """The pictures, made where they are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    return [pair for number, hand in enumerate(hands) for pair in _of_hand(folder, hand, number, photos)]


def _of_hand(folder: Path, hand: Photo, number: int, photos: Sequence[Path]) -> list[Pair]:
    rng = random.Random(f"photographed things {number}")
    ground, tiles = _scene(hand, rng)
    clear = clutter.clear_around(tiles)
    chosen = []
    clutters = []
    for place in range(OF_A_HAND):
        chosen.append(rng.choice(photos))
        side = clutter.SIDES[(number + place) % len(clutter.SIDES)]
        clutters.append(Clutter(chosen[place].stem, side, rng.choice(SHARES)))

    def cover(picture: Any, place: int, thing: Clutter) -> None:
        _cover(picture, chosen[place], thing.side, thing.part, clear)

    return clutter.pictures(folder / f"{number:03}.jpg", replace(hand, tiles=tiles), ground, clutters, cover)


def _scene(hand: Photo, rng: random.Random) -> tuple[Any, list[TruthTile]]:
    """The photo in the middle of a portrait picture, its ground continued to the edges. A real
    photo is cut nowhere: its outermost tiles may lie at its edge."""
    if hand.tiles[0].polygon is not None:
        return clutter.scene(hand, rng)
    from PIL import Image

    picture = Image.open(hand.path).convert("RGB")
    widths = sorted(min(tile.box[2:]) for tile in hand.tiles)
    factor = min(clutter.TILE / widths[len(widths) // 2], *(s / p for s, p in zip(clutter.SIZE, picture.size)))
    small = picture.resize([round(side * factor) for side in picture.size], Image.LANCZOS)
    ground = small.resize((6, 8), Image.BOX).resize(clutter.SIZE, Image.BICUBIC)
    left = (clutter.SIZE[0] - small.width) // 2
    top = min(clutter.SIZE[1] - small.height, (clutter.SIZE[1] - small.height) // 2 + rng.randint(0, 100))
    ground.paste(small, (left, top))
    return ground, [_moved(tile, factor, (left, top)) for tile in hand.tiles]


def _moved(tile: TruthTile, factor: float, by: tuple[int, int]) -> TruthTile:
    x, y, width, height = (side * factor for side in tile.box)
    return replace(tile, box=(x + by[0], y + by[1], width, height))


def _cover(picture: Any, thing: Path, side: str, share: float, clear: tuple[int, int, int, int]) -> None:
    """Covers a strip along a side with a photo, but for the place of the hand."""
    from PIL import Image

    left, top, right, bottom = clutter.strip(side)
    size = (right - left, bottom - top)
    photo = Image.open(thing).convert("RGB")
    factor = share * max(size[0] / photo.width, size[1] / photo.height)
    photo = photo.resize([max(1, round(side * factor)) for side in photo.size], Image.LANCZOS)
    layer = Image.new("RGBA", size)
    for y in range(0, size[1], photo.height):
        for x in range(0, size[0], photo.width):
            layer.paste(photo, (x, y))
    layer.paste((0, 0, 0, 0), (clear[0] - left, clear[1] - top, clear[2] - left, clear[3] - top))
    picture.paste(layer, (left, top), layer)
