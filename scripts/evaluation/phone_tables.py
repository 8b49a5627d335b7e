"""Pictures of whole tables as they lie after a win: the hand, three closed rows, discards, walls.

Input: a seed and the pixels of a side. Output: a square picture with some 190 tiles in view, half
of them backs, and the tiles that it shows. The set is drawn, and the light even. Needs OpenCV and
numpy.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from vision.faces import FaceSet
    from vision.scene_layout import Item


sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# Discards of a player, in three rows of six, and pairs of tiles that are left of each wall.
RIVER_ROWS, RIVER_TILES, WALL_PAIRS = 3, 6, 15
# Distance from the middle of the table, in widths of a tile: of the rivers, the walls and the
# hands.
RIVERS, WALLS, HANDS = 3.6, 9.2, 11.4
# Pixels of the picture per width of a tile, in all: the table and what lies around it.
TABLE_TILES = 33.0
# Share of the square picture above the part that shows all tiles.
ABOVE = 0.13
# A face that is seen by less, or flatter than this cosine, can't be named.
MIN_VISIBLE, MIN_FACING = 0.62, 0.22


@dataclass
class Table:
    """The picture, and the tiles in view: code of the face or `back`, quad, whether the hand's."""

    image: object
    tiles: list


class _Recorded:
    """A face set that remembers the order in which its faces are drawn."""

    def __init__(self, faces: FaceSet) -> None:
        self.faces, self.codes, self.drawn = (
            faces,
            [code for code in faces.codes if code != "back" and code[0] != "0"],
            [],
        )

    def face(self, code: str) -> np.ndarray:
        self.drawn.append(code)
        return self.faces.face(code)


def _won(rng: np.random.Generator) -> list[str]:
    """Codes of four sets and a pair."""
    codes = []
    for _ in range(4):
        suit, number = rng.choice(list("mps")), int(rng.integers(1, 8))
        step = int(rng.random() < 0.75)
        codes += [f"{number + step * k}{suit}" for k in range(3)]
    return sorted(codes, key=lambda code: (code[1], code[0])) + [str(rng.choice(list("ESWNCFP")))] * 2


def _side(rng: np.random.Generator, dims: tuple[float, float, float], is_winner: bool) -> tuple[list[Item], int]:
    """(items, how many of them are the hand) of a player who sits at -y; the hand comes first."""
    from vision.scene_layout import move, row

    items = move(row(rng, 13, 0.0 if is_winner else 90.0, 0.02), 0, -HANDS, 0)
    if is_winner:
        items += move(row(rng, 1, 0.0, 0.0), 7.6, -HANDS, 0)
    hand = len(items)
    for line in range(RIVER_ROWS):
        items += move(row(rng, RIVER_TILES, 0.0, 0.06), 0, -RIVERS - line * (dims[1] + 0.04), 0)
    for level in range(2):
        wall = move(row(rng, WALL_PAIRS, 0.0, 0.01, back=1.0), 0.5, -WALLS, 0)
        items += [replace(item, base=level * dims[2]) for item in wall]
    return items, hand


def table(seed: int, size: int) -> Table:
    """The `Table` of a seed; the middle three quarters of its picture show all tiles."""
    import numpy as np
    from vision.faces import generate_set
    from vision.scene import Generator
    from vision.scene_camera import Camera, orientation
    from vision.scene_layout import move
    from vision.scene_tiles import cast_shadows, draw, dress, solids

    rng = np.random.default_rng((seed, 77))
    faces = _Recorded(generate_set(900200 + seed))
    dressed = dress(rng, faces, (1.0, 1.35, 0.7), count=len(faces.codes))
    items, count = _side(rng, dressed.dims, True)
    hand = range(count)
    items = move(items, 0, 0, 0)
    for player in range(1, 4):
        side, _ = _side(rng, dressed.dims, False)
        items += move(side, 0, 0, 90 * player)
    rotation = orientation(rng.uniform(58, 72), rng.normal(0, 4), 0.0)
    focal, middle = 0.82 * size, np.array([size / 2, size / 2])
    centre = np.array([0.0, -1.6, 0.0]) - rotation[2] * focal / (size / TABLE_TILES)
    camera = Camera(focal, middle, rotation, centre)
    maker = Generator([], seed)
    maker.textures = _textures(seed)
    image = maker._surface(rng, camera, size)
    light = np.array([0.3, 0.4, 1.0]) / np.linalg.norm([0.3, 0.4, 1.0])
    boxes = solids(items, dressed.dims)
    image = cast_shadows(image, boxes, camera, light, 0.4)
    shown = rng.integers(0, len(faces.drawn), len(items))
    shown[list(hand)] = [faces.drawn.index(code) for code in _won(rng)]
    ids = np.zeros((size, size), np.int16)
    quads, up, facing = draw(image, ids, boxes, dressed, shown, camera, light, rng)
    seen = np.bincount(ids.ravel(), minlength=len(items) + 1)[1:] / np.maximum(_areas(quads), 1.0)
    tiles = [
        (faces.drawn[shown[k]] if up[k] else "back", quads[k].tolist(), k in hand)
        for k in range(len(items))
        if seen[k] >= MIN_VISIBLE and facing[k] >= MIN_FACING
    ]
    return Table(image, tiles)


def picture(seed: int, size: Any):
    """A table as a picture of this size, three quarters as high as wide."""
    from PIL import Image

    wide, high = size
    top = round(ABOVE * wide)
    return Image.fromarray(table(seed, wide).image).crop((0, top, wide, top + high))


def _textures(seed: int) -> list[np.ndarray]:
    import numpy as np
    from vision.scene_textures import texture

    return [texture(np.random.default_rng((seed, 12)))]


def _areas(quads: np.ndarray) -> np.ndarray:
    import numpy as np

    x, y = quads[..., 0], quads[..., 1]
    return 0.5 * np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(1))
