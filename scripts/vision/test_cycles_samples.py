"""Scenes teach what is in them: corners stay on their tiles, classes on their crops. Needs OpenCV;
run from scripts/ or by discovery."""

from __future__ import annotations

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
try:
    import cv2
    import numpy as np

    from vision.cycles_samples import SceneCrops, is_dark, load_scenes, window
except ImportError as missing:
    raise unittest.SkipTest(f"training packages are missing: {missing}") from missing

# Two tiles on a dark table: a red one that counts, a green one of which too little is seen.
TILES = [
    {"tile": "C", "polygon": [[100, 100], [150, 100], [150, 167], [100, 167]], "visible": 1.0, "face_up": True},
    {"tile": "F", "polygon": [[300, 100], [350, 100], [350, 167], [300, 167]], "visible": 0.4, "face_up": True},
]
COLOURS = [(200, 30, 30), (30, 200, 30)]


def folder() -> tempfile.TemporaryDirectory:
    """A folder with one scene."""
    where = tempfile.TemporaryDirectory()
    image = np.full((300, 500, 3), 20, np.uint8)
    for tile, colour in zip(TILES, COLOURS):
        cv2.fillPoly(image, [np.int32(tile["polygon"])], colour)
    cv2.imwrite(f"{where.name}/600001.png", image[..., ::-1])
    Path(where.name, "600001.json").write_text(json.dumps({"image": "600001.png", "tiles": TILES}))
    return where


class Scenes(unittest.TestCase):
    def setUp(self) -> None:
        self.where = folder()
        self.addCleanup(self.where.cleanup)
        self.scenes = load_scenes(Path(self.where.name))

    def test_covered_tiles_are_ignored_and_not_left_out(self) -> None:
        (scene,) = self.scenes
        self.assertEqual(scene.codes, ["C", "F"])
        self.assertEqual(scene.sample.ignore.tolist(), [False, True])

    def test_a_window_keeps_corners_on_their_tiles(self) -> None:
        rng = np.random.default_rng(1)
        for _ in range(20):
            seen = window(rng, self.scenes[0], 384)
            for quad, ignored in zip(seen.quads, seen.ignore):
                edges = np.roll(quad, -1, 0) - quad
                after = np.roll(edges, -1, 0)
                self.assertTrue(
                    (edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] > 0).all(), "clockwise on screen"
                )
                x, y = quad.mean(0).astype(int)
                if not ignored:
                    red, green, _ = seen.image[y, x].astype(int)
                    self.assertGreater(red, green)

    def test_crops_show_the_faces_that_are_seen(self) -> None:
        crops = SceneCrops(self.scenes)
        self.assertEqual(len(crops.faces), 1)
        rng = np.random.default_rng(2)
        for _ in range(20):
            crop = crops.sample(rng)
            self.assertEqual(crop.image.shape, (80, 64, 3))
            self.assertEqual(crop.label, crops.faces[0][2])

    def test_crops_of_a_dark_set_come_to_light(self) -> None:
        (scene,) = self.scenes
        image = np.full_like(scene.sample.image, 90)
        cv2.fillPoly(image, [np.int32(TILES[0]["polygon"])], (25, 25, 30))
        cv2.putText(image, "8", (106, 150), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (220, 190, 60), 9)
        scene.sample.image = image
        scene.sample.quads = scene.sample.quads[:1]
        self.assertTrue(is_dark(scene))
        rng = np.random.default_rng(3)
        light = [SceneCrops([scene]).sample(rng).image[8:72, 6:58].mean() > 100 for _ in range(40)]
        self.assertGreater(sum(light), 25, "all but those too blurred to tell")


if __name__ == "__main__":
    unittest.main()
