"""Rendered training scenes for the tile detector, fast enough to render while training.

Purpose: photos of mahjong tables with exact labels, some dozens a second on one core.
Input: face sets, a seed, a sample number. Output: `Sample`s: an RGB crop and the tiles in it.
Invariant: a sample depends only on the seed and its number, so training can be resumed and
repeated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np

from . import scene_clutter as clutter
from .scene_camera import random_camera
from .scene_layout import arrange
from .scene_post import photograph
from .scene_textures import backdrop, texture
from .scene_tiles import cast_shadows, draw, dress, solids

if TYPE_CHECKING:
    from .faces import FaceSet
    from .scene_camera import Camera
    from .scene_layout import Item
    from .scene_tiles import Dressed, Solids


# A face seen by more than this share is a positive, by less than SEEN_LOW background; between them
# it is ignored.
SEEN_HIGH, SEEN_LOW = 0.62, 0.12
# Faces seen flatter than this cosine cannot be read; they are ignored.
FACING_LOW = 0.22
# One set of materials and textures serves this many samples: dressing a set costs as much as two
# samples.
SAMPLES_PER_POOL_STEP = 12
POOL, TEXTURES, SHEETS = 20, 40, 24


@dataclass
class Sample:
    """An RGB uint8 image [S, S, 3]; quads [T, 4, 2] in pixels, face up [T], which are to be ignored
    [T], and where they are known the codes of the faces [T], whose tops the quads begin with."""

    image: np.ndarray
    quads: np.ndarray
    up: np.ndarray
    ignore: np.ndarray
    codes: np.ndarray = field(default_factory=lambda: np.zeros(0, str))


def turned(sample: Sample, turns: int, mirrored: bool) -> Sample:
    """The sample after `turns` quarter turns, and mirrored before them if so wished; quads stay
    clockwise."""
    image, quads, last = sample.image, sample.quads, sample.image.shape[0]
    if mirrored:
        image = image[:, ::-1]
        quads = np.stack([last - quads[..., 0], quads[..., 1]], axis=-1)[:, ::-1]
    for _ in range(turns % 4):
        image = np.rot90(image)
        quads = np.stack([quads[..., 1], last - quads[..., 0]], axis=-1)
    return Sample(np.ascontiguousarray(image), np.ascontiguousarray(quads), sample.up, sample.ignore)


class Generator:
    """Renders samples; keeps pools of dressed sets, surfaces and flat things that it renews little
    by little."""

    def __init__(self, sets: list[FaceSet], seed: int, pool: int = POOL) -> None:
        self.sets, self.seed, self.pool_size = sets, seed, pool
        self.era, self.pool = None, []

    def _dress(self, number: int) -> Dressed:
        rng = np.random.default_rng((self.seed, 11, number))
        dims = (1.0, rng.uniform(1.24, 1.42), rng.uniform(0.5, 0.95))
        return dress(rng, self.sets[rng.integers(0, len(self.sets))], dims)

    def _renew(self, index: int) -> None:
        """Brings the pools to the state that belongs to sample `index`."""
        era = index // SAMPLES_PER_POOL_STEP
        if era == self.era:
            return
        if self.era is None or era != self.era + 1:
            self.pool = [self._dress(k) for k in range(era, era + self.pool_size)]
            self.textures = [texture(np.random.default_rng((self.seed, 12, k))) for k in range(era, era + TEXTURES)]
            self.sheets = [clutter.sheet(np.random.default_rng((self.seed, 13, k))) for k in range(era, era + SHEETS)]
        else:
            self.pool = self.pool[1:] + [self._dress(era + self.pool_size - 1)]
            self.textures = self.textures[1:] + [texture(np.random.default_rng((self.seed, 12, era + TEXTURES - 1)))]
            self.sheets = self.sheets[1:] + [clutter.sheet(np.random.default_rng((self.seed, 13, era + SHEETS - 1)))]
        self.era = era

    def sample(self, index: int, size: int = 384) -> Sample:
        """The sample of that number."""
        self._renew(index)
        rng = np.random.default_rng((self.seed, 10, index))
        dressed = self.pool[rng.integers(0, len(self.pool))]
        items, main, turn = arrange(rng, dressed.dims)
        if rng.random() < 0.05:
            items, main = [], 0
        anchor = _anchor(rng, items, main)
        span = rng.uniform(110, 300) if rng.random() < 0.1 else np.exp(rng.uniform(np.log(13), np.log(115)))
        if main and sum(i.back for i in items[:main]) * 2 > main:
            # A back that fills the crop is a plain patch: it would teach that plain patches are
            # backs.
            span = min(span, rng.uniform(13, 80))
        standing = main > 0 and np.median([i.tilt for i in items[:main]]) > 40
        camera = random_camera(rng, size, anchor, span, standing)
        image = self._ground(rng, camera, size)
        clutter.ground_things(rng, image, camera, self.sheets, busy=main == 0)
        sample = self._tiles(rng, image, camera, dressed, items, main, turn)
        sample.image = photograph(rng, sample.image)
        return sample

    def _ground(self, rng: np.random.Generator, camera: Camera, size: int) -> np.ndarray:
        """The table, and perhaps its edge with the floor or a board beyond."""
        image = self._surface(rng, camera, size)
        if rng.random() < 0.35:
            angle, distance = rng.uniform(0, 6.283), rng.uniform(0.5, 9)
            outward = np.array([np.cos(angle), np.sin(angle)])
            along = np.array([-outward[1], outward[0]])
            near = np.stack(
                [outward * distance + s * along for s in (-40, 40)]
                + [outward * (distance + rng.uniform(1, 60)) + s * along for s in (40, -40)]
            )
            pixels, depth = camera.project(np.concatenate([near, np.zeros((4, 1))], axis=1))
            if depth.min() > 0.5:
                mask = np.zeros((size, size), np.uint8)
                cv2.fillPoly(mask, [np.clip(pixels, -20000, 20000).astype(np.int32)], 255)
                beyond = backdrop(rng, size) if rng.random() < 0.25 else self._surface(rng, camera, size)
                cv2.copyTo(beyond, mask, image)
        sinks = camera.sinks(size)
        # The table ends before the horizon, where its texture would only flicker.
        beyond = sinks < rng.uniform(0.04, 0.12)
        if beyond.any():
            cv2.copyTo(backdrop(rng, size), beyond.astype(np.uint8), image)
        return image

    def _surface(self, rng: np.random.Generator, camera: Camera, size: int) -> np.ndarray:
        plane = self.textures[rng.integers(0, len(self.textures))]
        per_unit = np.exp(rng.uniform(np.log(12), np.log(80)))
        turn = rng.uniform(0, 6.283)
        c, s = np.cos(turn) / per_unit, np.sin(turn) / per_unit
        to_world = np.array([[c, -s, rng.uniform(-3, 3)], [s, c, rng.uniform(-3, 3)], [0, 0, 1]])
        return cv2.warpPerspective(
            plane, camera.ground() @ to_world, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )

    def _tiles(
        self,
        rng: np.random.Generator,
        image: np.ndarray,
        camera: Camera,
        dressed: Dressed,
        items: list[Item],
        main: int,
        turn: float,
    ) -> Sample:
        size = image.shape[0]
        ids = np.zeros((size, size), np.int16)
        light = rng.normal(0, 0.45, 3)
        light[2] = 1.0
        light /= np.linalg.norm(light)
        board = clutter.rack(rng, dressed.dims, turn, self.textures) if main and rng.random() < 0.3 else None
        if main > 3 and rng.random() < 0.12:
            clutter.tray(rng, image, camera, items[:main], dressed.dims)
        if board and not board[3]:
            clutter.slab(image, None, camera, *board[:3])
        quads, up, facing = np.zeros((0, 4, 2)), np.zeros(0, bool), np.zeros(0)
        faces = np.zeros(0, int)
        if items:
            boxes = _in_view(solids(items, dressed.dims), camera, size)
            image = cast_shadows(image, boxes, camera, light, rng.uniform(0.1, 0.75) * (rng.random() < 0.9))
            faces = rng.integers(0, len(dressed.faces), len(boxes.centres))
            quads, up, facing = draw(image, ids, boxes, dressed, faces, camera, light, rng)
        if board and board[3]:
            clutter.slab(image, ids, camera, *board[:3])
        span = camera.focal / np.linalg.norm(camera.centre)
        if rng.random() < 0.1:
            clutter.fingers(rng, image, ids, span * rng.uniform(0.5, 0.8))
        if rng.random() < 0.1:
            clutter.cover(rng, image, ids, self.sheets)
        sample, keep = _label(image, ids, quads, up, facing)
        sample.codes = np.array(dressed.codes)[faces][keep]
        return sample


def _anchor(rng: np.random.Generator, items: list[Item], main: int) -> np.ndarray:
    """The point looked at: near a tile of the main group, at times anywhere."""
    if not main or rng.random() < 0.04:
        return np.append(rng.uniform(-8, 8, 2), 0.0)
    item = items[rng.integers(0, main)] if rng.random() < 0.7 else items[main // 2]
    return np.array([item.x + rng.normal(0, 0.8), item.y + rng.normal(0, 0.8), 0.0])


def _in_view(boxes: Solids, camera: Camera, size: int) -> Solids:
    """Only the tiles that may be seen."""
    pixels, depth = camera.project(boxes.centres)
    reach = 2.0 * camera.focal / np.maximum(depth, 1e-3)
    inside = ((pixels > -reach[:, None]) & (pixels < size + reach[:, None])).all(axis=1)
    return boxes.pick(inside & (depth > 2.0))


def _label(
    image: np.ndarray, ids: np.ndarray, quads: np.ndarray, up: np.ndarray, facing: np.ndarray
) -> tuple[Sample, np.ndarray]:
    """Positives, ignored tiles, and none for what is hardly seen or has its centre outside; and
    which tiles are left."""
    size = image.shape[0]
    x, y = quads[..., 0], quads[..., 1]
    area = 0.5 * np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(1))
    count = np.bincount(ids.ravel(), minlength=len(quads) + 1)[1:]
    seen = count / np.maximum(area, 1.0)
    middle = quads.mean(axis=1)
    inside = ((middle > 1) & (middle < size - 1)).all(axis=1)
    keep = seen > SEEN_LOW
    ignore = ~inside | (seen < SEEN_HIGH) | (facing < FACING_LOW) | (area < 60)
    return Sample(image, quads[keep].astype(np.float32), up[keep], ignore[keep]), keep
