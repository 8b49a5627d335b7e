"""Pipeline in Python that reads the same photos with onnxruntime, OpenCV and the same networks, to
compare `tilesight batch` with.

Input: files of photos. Output: a hand's tiles and its score, or None, a photo. It is written as one
would who wants it fast: a process a core, one thread each, whole maps and all crops of a photo at
once in numpy, crops cut out of the tile's surroundings and never out of the whole photo. It sees
what the program sees (vision.frontend is the training's own code, the twin of the program's) and
merges and names tiles as the program's classifier does; it does less afterwards: no second look of
the large classifier, no mirror test, no halves put together, no weighing of hands, no doubts and no
explanations, only tiles in reading order and one call of PyMahjongGB. So the comparison favours it.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np
from MahjongGB import MahjongFanCalculator
from vision import frontend
from vision.session import session

cv2.setNumThreads(1)

SAME_TILE, NARROWEST, MAX_LENGTH, SMALL, WISHED, MAX_PIXELS = 0.55, 4.0, 0.6, 30.0, 48.0, 2 * 640 * 480
NEARLY_SQUARE = 1.25
SUITS, HONORS = {"m": "W", "p": "B", "s": "T"}, dict(zip("ESWNCFP", ("F1", "F2", "F3", "F4", "J1", "J2", "J3")))


@dataclass
class Tiles:
    """Detections of one photo: quads [N, 4, 2] in its pixels, scores [N]."""

    quads: np.ndarray
    scores: np.ndarray

    def take(self, which: np.ndarray) -> Tiles:
        """Returns the detections that `which` selects."""
        return Tiles(self.quads[which], self.scores[which])


class Pipeline:
    """Detector, refiner and classifier, and the stages between them."""

    def __init__(self, models: Path) -> None:
        manifest = json.loads((models / "manifest.json").read_text())
        self.detector, self.refiner, self.classifier = (
            session(models / manifest[name]["file"]) for name in ("detector", "refiner", "classifier")
        )
        self.spec = manifest["detector"]
        self.classes = manifest["classifier"]["classes"]
        self.temperature = manifest["classifier"]["temperature"]

    def read(self, path: str):
        """Reads one photo: (names of its tiles in reading order, total or None)."""
        picture = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
        if picture is None:
            return None
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)
        tiles = self.refine(picture, self.detect(picture))
        names = self.classify(picture, tiles)
        return hand(names, tiles)

    def detect(self, picture: np.ndarray) -> Tiles:
        """Tiles of all sizes, merged; small ones are looked at once more, closer."""
        found = []
        levels = frontend.pyramid(picture, self.spec["sizes"])
        for (level, scale), min_width in zip(levels, self.spec["min_width"]):
            found.append(
                self.look(picture, level, 1 / scale, np.zeros(2, np.float32), max(NARROWEST, min_width / scale))
            )
        merged = merge(join(found))
        return self.closer(picture, merged)

    def look(self, picture: np.ndarray, level: int, step: float, origin: tuple[int, int], narrowest: float) -> Tiles:
        """Returns the tiles that the detector finds in one view."""
        heat, quad, axis, _ = self.detector.run(["heat", "quad", "axis", "face"], {"image": frontend.cells(level)})
        heat = heat[0, 0]
        ys, xs = np.nonzero((heat >= self.spec["threshold"]) & (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))))
        stride = self.spec["stride"]
        first = np.where(axis[0, 0, ys, xs] >= 0, 0, 8)
        offsets = quad[0][first[:, None] + np.arange(8), ys[:, None], xs[:, None]].reshape(-1, 4, 2)
        centres = (np.stack([xs, ys], -1) + 0.5).astype(np.float32)
        quads = origin + (centres[:, None] + offsets) * np.float32(stride * step)
        tiles = Tiles(quads, np.minimum(heat[ys, xs], 1))
        return tiles.take(plausible(tiles, picture.shape, narrowest))

    def closer(self, picture: np.ndarray, tiles: Tiles) -> Tiles:
        """Small tiles once more, larger."""
        sure = tiles.quads[tiles.scores >= 0.4]
        if not len(sure):
            return tiles
        width = np.median(np.minimum(*sides(sure)))
        height, wide = picture.shape[:2]
        first = self.spec["sizes"][0] / max(height, wide)
        if width * first >= SMALL:
            return tiles
        low = np.clip(sure.min((0, 1)) - 1.5 * width, 0, (wide - 1, height - 1)).astype(int)
        high = np.ceil(np.clip(sure.max((0, 1)) + 1.5 * width, low + 1, (wide, height))).astype(int)
        part = picture[low[1] : high[1], low[0] : high[0]]
        scale = min(WISHED / width, 1.5, np.sqrt(MAX_PIXELS / (part.shape[0] * part.shape[1])))
        if scale <= 1.2 * first:
            return tiles
        level, scale = frontend.pyramid(part, [round(max(part.shape[:2]) * scale)])[0]
        seen = merge(self.look(picture, level, 1 / scale, low.astype(np.float32), NARROWEST))
        kept = [
            i
            for i in range(len(tiles.quads))
            if not any(overlap(tiles.quads[i], other) > SAME_TILE for other in seen.quads)
        ]
        return join([seen, tiles.take(kept)])

    def refine(self, picture: np.ndarray, tiles: Tiles) -> Tiles:
        """Better corners."""
        if not len(tiles.quads):
            return tiles
        quads = [frontend.upright(quad) for quad in tiles.quads]
        crops = frontend.planes(
            [cut(picture, quad, frontend.SURROUNDINGS, (frontend.SIDE, frontend.SIDE)) for quad in quads]
        )
        corners = self.refiner.run(["corners"], {"crops": crops})[0].reshape(-1, 1, 4, 2)
        unit = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])
        mended = [
            cv2.perspectiveTransform(found, cv2.getPerspectiveTransform(unit, np.float32(quad)))[0]
            for found, quad in zip(corners, quads)
        ]
        fine = [
            new if cv2.isContourConvex(np.float32(new)) and overlap(new, old) >= 0.5 else old
            for new, old in zip(mended, quads)
        ]
        return merge(Tiles(np.float32(fine), tiles.scores))

    def classify(self, picture: np.ndarray, tiles: Tiles) -> list[Any]:
        """The name of each tile; nearly square ones are looked at from two sides."""
        looks = []
        for i, quad in enumerate(map(frontend.upright, tiles.quads)):
            looks.append((i, quad))
            across, down = sides(quad[None])
            if down[0] < NEARLY_SQUARE * across[0]:
                looks.append((i, np.roll(quad, -1, axis=0)))
        if not looks:
            return []
        crops = frontend.planes([cut(picture, quad) for _, quad in looks])
        classes, turns, _ = self.classifier.run(["classes", "turn", "red"], {"crops": crops})
        p = softmax(classes / self.temperature)
        turns = softmax(turns)
        trust = turns[:, 0] + turns[:, 2] + 1e-3
        sums = np.zeros((len(tiles.quads), p.shape[1]))
        np.add.at(sums, [i for i, _ in looks], p * trust[:, None])
        return [self.classes[best] for best in sums.argmax(1)]


def cut(
    picture: np.ndarray,
    quad: np.ndarray,
    margin: float = frontend.MARGIN,
    size: tuple[int, int] = (frontend.CROP_H, frontend.CROP_W),
):
    """frontend.crop out of the part of the photo that the crop needs, with room for its filter."""
    centre = quad.mean(0)
    grown = centre + (quad - centre) * np.float32(margin)
    room = np.ptp(grown, 0).max() / 16 + 2
    low = np.clip(np.floor(grown.min(0) - room), 0, None).astype(int)
    high = np.ceil(grown.max(0) + room).astype(int)
    part = picture[low[1] : max(high[1], low[1] + 1), low[0] : max(high[0], low[0] + 1)]
    if not part.size:
        return np.zeros((*size, 3), np.uint8)
    return frontend.crop(part, quad - low, margin, size)


def sides(quads: np.ndarray) -> tuple[Any, Any]:
    """The mean lengths across and down of quads [N, 4, 2]."""
    across = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    down = quads[:, 2] - quads[:, 1] + quads[:, 3] - quads[:, 0]
    return np.hypot(*across.T) / 2, np.hypot(*down.T) / 2


def plausible(tiles: Tiles, shape: tuple[int, ...], narrowest: float):
    """Mask of the quads that can be tiles of a photo of this shape."""
    across, down = sides(tiles.quads)
    short, long = np.minimum(across, down), np.maximum(across, down)
    inside = np.clip(tiles.quads, 0, (shape[1], shape[0]))
    area = np.abs(area_of(inside)) / np.maximum(np.abs(area_of(tiles.quads)), 1)
    edges = np.roll(tiles.quads, -1, 1) - tiles.quads
    following = np.roll(edges, -1, 1)
    convex = ((edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]) > 0).all(1)
    return (short >= narrowest) & (long <= 3 * short) & (long <= MAX_LENGTH * max(shape[:2])) & (area > 0.4) & convex


def area_of(quads: np.ndarray):
    """Twice the signed areas of quads, halved."""
    x, y = quads[..., 0], quads[..., 1]
    return (x * np.roll(y, -1, -1) - np.roll(x, -1, -1) * y).sum(-1) / 2


def overlap(one: np.ndarray, other: np.ndarray):
    """Share of the smaller quad that lies in both."""
    if (one.max(0) < other.min(0)).any() or (other.max(0) < one.min(0)).any():
        return 0.0
    shared = cv2.intersectConvexConvex(np.float32(one), np.float32(other))[0]
    return shared / max(min(abs(area_of(one)), abs(area_of(other))), 1.0)


def merge(tiles: Tiles) -> Tiles:
    """The best of what several looks found of the same tile."""
    if not len(tiles.quads):
        return tiles
    scale = np.sqrt(np.abs(area_of(tiles.quads)))
    weight = tiles.scores**2 * scale
    order = np.argsort(scale)
    usual = scale[order][np.searchsorted(np.cumsum(weight[order]), weight.sum() / 2)]
    rank = tiles.scores * np.exp(-3 * np.log2(scale / usual) ** 2)
    kept = []
    for i in np.argsort(-rank, kind="stable"):
        if all(overlap(tiles.quads[i], tiles.quads[j]) <= SAME_TILE for j in kept):
            kept.append(i)
    return tiles.take(kept)


def join(parts: list[Tiles]) -> Tiles:
    """Several lists of tiles as one."""
    return Tiles(np.concatenate([part.quads for part in parts]), np.concatenate([part.scores for part in parts]))


def softmax(logits: np.ndarray):
    """Probabilities of rows of logits."""
    e = np.exp(logits - logits.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def tile(code: str) -> str:
    """PyMahjongGB's name of a tile."""
    return HONORS.get(code) or SUITS[code[1]] + code[0]


def hand(names: list[str], tiles: Tiles):
    """Tiles in reading order, and what they score as a concealed hand whose last tile won; None
    if they are not a winning hand."""
    order = np.lexsort(
        (
            tiles.quads[:, :, 0].mean(1),
            np.round(tiles.quads[:, :, 1].mean(1) / max(1.0, np.mean(sides(tiles.quads)[1]))),
        )
    )
    names = [names[i] for i in order if names[i] not in ("none", "back")]
    flowers = [name for name in names if name[0] in "fs" and name not in ("S",) and not name[0].isdigit()]
    playing = [name for name in names if name not in flowers]
    if len(playing) != 14:
        return names, None
    codes = [tile(name) for name in playing]
    try:
        fans = MahjongFanCalculator((), tuple(codes[:-1]), codes[-1], len(flowers), False, False, False, False, 0, 0)
    except TypeError:  # What PyMahjongGB raises for a hand that does not win.
        return names, None
    return names, sum(points for points, _ in fans)


_PIPELINE = None


def prepare(models: str | Path) -> None:
    """Loads the networks, once a process."""
    global _PIPELINE  # noqa: PLW0603 (a pool's processes have nothing else to keep them in)
    _PIPELINE = Pipeline(Path(models))


def read(path: str):
    """Reads one photo in a process that was prepared."""
    return _PIPELINE.read(path)


def main() -> None:
    """Reads the photos that are listed on standard input, with so many processes:
    `pipeline.py MODELS PROCESSES OUT`."""
    import multiprocessing
    import sys

    models, processes, out = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    paths = sys.stdin.read().splitlines()
    with out.open("w") as rows:
        if processes == 1:
            prepare(models)
            answers = map(read, paths)
            write(rows, paths, answers)
        else:
            with multiprocessing.get_context("spawn").Pool(processes, prepare, (models,)) as pool:
                write(rows, paths, pool.imap(read, paths, chunksize=4))


def write(rows: TextIO, paths: list[str], answers: Any) -> None:
    """Writes one line of JSON for each photo."""
    for path, answer in zip(paths, answers):
        names, total = answer if answer else (None, None)
        rows.write(json.dumps({"id": path, "tiles": names, "total": total}) + "\n")


if __name__ == "__main__":
    main()
