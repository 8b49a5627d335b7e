"""Near-photographic scenes as lessons for the three networks.

Purpose: light, rounded edges and standing tiles as `cycles_scenes` renders them, beside the fast
renderer's volume.
Input: a folder of scenes (NAME.jpg, NAME.json). Output: whole scenes as `Sample`s, turned and
scaled windows of them for the detector, labelled crops for the classifier. Invariant: corners come
from the renderer's own matrices, so that they teach corners; nothing is drawn at random but by the
generator that is handed in.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from .crops import INDEX, NO_TURN, Crop
from .crops_photo import CROP_H, CROP_W, MARGIN, photograph
from .detector import widths
from .detector_real import random_frame, windowed
from .frontend import DARK, LIGHT, OPEN, leaning, turned
from .scene import SEEN_HIGH, SEEN_LOW, Sample
from .scene_post import photograph as photograph_scene

# The classifier learns a face of which at least this share is seen, and "none" from none of them: a
# covered face still is one.
READABLE = 0.8
# Corners as the refiner leaves them: 0.028 of a width off in the median, now and then as the
# detector does.
CORNER_NOISE = (0.005, 0.09)
_CORNERS = np.float32([[0, 0], [CROP_W, 0], [CROP_W, CROP_H], [0, CROP_H]])


@dataclass
class Scene:
    """A picture with its tiles in sight, their classes (`back` where the back is up) and visible
    shares."""

    sample: Sample
    codes: list
    visible: np.ndarray


def scene_files(folder: Path | None) -> list[Path]:
    """The truths of a folder's scenes, by name; none of no folder."""
    return sorted(Path(folder).glob("[0-9]*.json")) if folder else []


def load_scenes(folder: Path | None) -> list[Scene]:
    """All scenes of a folder by name; covered tiles are ignored as in rendered scenes, and those
    out of sight left out."""
    found = []
    for path in scene_files(folder):
        truth = json.loads(path.read_text())
        tiles = [tile for tile in truth["tiles"] if tile["visible"] > SEEN_LOW]
        image = cv2.cvtColor(cv2.imread(str(path.with_name(truth["image"]))), cv2.COLOR_BGR2RGB)
        visible = np.array([tile["visible"] for tile in tiles])
        sample = Sample(
            image,
            np.float32([tile["polygon"] for tile in tiles]),
            np.array([tile["face_up"] for tile in tiles]),
            visible < SEEN_HIGH,
        )
        found.append(Scene(sample, [tile["tile"] for tile in tiles], visible))
    return found


def window(rng: np.random.Generator, scene: Scene, size: int) -> Sample:
    """A turned, scaled, perhaps mirrored square window of a scene, for the detector."""
    sample = scene.sample
    centres = sample.quads.mean(1)
    matrix = random_frame(rng, centres, float(np.median(widths(sample.quads))), size)
    image = _warped(sample.image, matrix, size, tuple(rng.uniform(20, 200, 3)))
    quads = sample.quads @ matrix[:, :2].T + matrix[:, 2]
    if np.linalg.det(matrix[:, :2]) < 0:
        # A mirrored outline is clockwise again when its left and right corners change places.
        quads = quads[:, [1, 0, 3, 2]]
    seen = windowed(image, quads, size, sample.up, sample.ignore)
    if rng.random() < 0.6:
        seen.image = photograph_scene(rng, seen.image)
    return seen


def _warped(image: np.ndarray, matrix: np.ndarray, size: int, around: tuple[float, float, float]) -> np.ndarray:
    """The window's pixels; a scene that shrinks is averaged first, since the warp only looks at
    four pixels."""
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if scale < 0.7:
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        matrix = matrix @ np.diag([image.shape[1] / small.shape[1], image.shape[0] / small.shape[0], 1.0])
        image = small
    return cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=around)


def is_dark(scene: Scene) -> bool:
    """Tells whether the program would take a scene's set for a dark one."""
    flat = [
        _cut(scene.sample.image, np.float32(quad), _CORNERS, float(widths(quad[None])[0]))
        for quad in scene.sample.quads
    ]
    leans = [leaning(crop) for crop in flat]
    return leans.count(DARK) > leans.count(LIGHT)


def _to_light(rng: np.random.Generator, crop: np.ndarray, label: int) -> np.ndarray:
    """A crop of a dark set as the program brings it to light: without ink only what has the bodies'
    colour, which backs have not."""
    lean = leaning(crop)
    return turned(crop) if lean == DARK or (lean == OPEN and label != INDEX["back"] and rng.random() < 0.85) else crop


class SceneCrops:
    """Draws jittered, labelled crops of the scenes' tiles, rare classes more often, those of dark
    sets brought to light."""

    def __init__(self, scenes: list[Scene]) -> None:
        self.faces = [
            (scene.sample.image, quad, INDEX[code], dark)
            for scene, dark in zip(scenes, map(is_dark, scenes))
            for quad, code, seen in zip(scene.sample.quads, scene.codes, scene.visible)
            if seen > READABLE
        ]
        labels = np.array([label for _, _, label, _ in self.faces])
        weights = np.maximum(np.bincount(labels, minlength=len(INDEX)), 1)[labels] ** -0.7
        self.edges = np.cumsum(weights / weights.sum())

    def sample(self, rng: np.random.Generator) -> Crop:
        """Draws a crop; its turn is known but for faces that have none."""
        image, quad, label, dark = self.faces[min(int(np.searchsorted(self.edges, rng.random())), len(self.faces) - 1)]
        turn = int(rng.choice(4, p=[0.5, 0.04, 0.42, 0.04]))
        centre = quad.mean(0)
        width = float(widths(quad[None])[0])
        scale = MARGIN * np.exp(rng.normal(0, 0.03))
        corners = centre + (quad - centre) * scale + rng.normal(0, rng.uniform(*CORNER_NOISE) * width, (4, 2))
        target = np.roll(_CORNERS, -turn, axis=0)
        # Pixels of a large tile are averaged before they are cut, as the program's pyramid does.
        flat = _cut(image, np.float32(corners), np.float32(target), width)
        crop = photograph(rng, flat, width * rng.uniform(0.5, 1.0)) if rng.random() < 0.75 else flat
        crop = _to_light(rng, crop, label) if dark else crop
        return Crop(crop, label, -1 if label in NO_TURN else turn, False)


def _cut(image: np.ndarray, corners: np.ndarray, target: np.ndarray, width: float) -> np.ndarray:
    margin = width
    low, high = np.maximum(corners.min(0) - margin, 0).astype(int), (corners.max(0) + margin).astype(int)
    part = image[low[1] : high[1], low[0] : high[0]]
    corners = corners - low
    step = CROP_W / (width * MARGIN)
    if step < 0.7:
        small = cv2.resize(part, None, fx=step, fy=step, interpolation=cv2.INTER_AREA)
        corners = corners * (small.shape[1] / part.shape[1], small.shape[0] / part.shape[0])
        part = small
    matrix = cv2.getPerspectiveTransform(np.float32(corners), target)
    return cv2.warpPerspective(part, matrix, (CROP_W, CROP_H), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
