"""Checks of the detector's geometry and of the scenes it learns from; run with
`python3 -m unittest vision.test_detector`.

Input: none but the project's own drawn faces. Invariant: no training, no network access, some
seconds.
"""

from __future__ import annotations

import unittest
from collections.abc import Sequence

import cv2
import numpy as np

from .detector import STRIDE, orderings, peaks, suppress, targets
from .faces import generate_set
from .scene import Generator, Sample, turned
from .scene_camera import random_camera

SIZE = 384
# Two numbers, such as a place or a size.
Pair = Sequence[float] | np.ndarray


def _rectangle(middle: Pair, size: Pair, degrees: float) -> np.ndarray:
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * size
    return corners @ np.array([[c, s], [-s, c]]) + middle


def _row(degrees: int, width: float) -> np.ndarray:
    """Eight touching tiles in a row at some angle."""
    step = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]) * width
    return np.stack(
        [_rectangle(np.array([SIZE, SIZE]) / 2 + step * (k - 3.5), (width, width * 1.35), degrees) for k in range(8)]
    )


def _decode(maps: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The quads that maps with the targets' own values lead to."""
    return peaks(maps[0], maps[3:19], maps[19], maps[20], 0.2)


class Geometry(unittest.TestCase):
    def test_targets_decode_to_the_tiles_they_were_made_of(self) -> None:
        for degrees in range(0, 360, 15):
            for width in (18.0, 30.0, 44.0):
                quads = _row(degrees, width)
                inside = ((quads.mean(1) > 8) & (quads.mean(1) < SIZE - 8)).all(1)
                quads = quads[inside]
                maps = targets(Sample(None, quads, np.ones(len(quads), bool), np.zeros(len(quads), bool)), SIZE)
                found, scores, _ = _decode(maps)
                found = found[suppress(found, scores)]
                self.assertEqual(len(found), len(quads), f"{degrees} degrees, width {width}")
                for quad in quads:
                    turned = np.stack([np.roll(quad, -k, 0) for k in range(4)])
                    error = np.abs(found[:, None] - turned[None]).max((2, 3)).min()
                    self.assertLess(error, 0.01, f"{degrees} degrees, width {width}")

    def test_both_orderings_start_where_the_contract_says(self) -> None:
        for degrees in range(0, 360, 7):
            quad = _rectangle((100, 90), (30, 41), degrees)
            both, axis = orderings(quad[None])
            self.assertEqual(both[0, 0].sum(1).argmin(), 0)
            self.assertEqual(both[0, 1, :, 1].argmin(), 0)
            self.assertAlmostEqual(axis[0], np.cos(4 * np.radians(degrees)), places=5)
            for order in both[0]:
                self.assertGreater(cv2.contourArea(np.float32(order), True) * 1.0, 0, "clockwise on screen")

    def test_suppression_keeps_neighbours_and_drops_doubles(self) -> None:
        row = _row(20, 30.0)
        doubled = np.concatenate([row, row + 2.0, _rectangle(row[3].mean(0), (9, 12), 20)[None]])
        scores = np.concatenate([np.full(8, 0.9), np.full(8, 0.5), [0.3]])
        self.assertEqual(sorted(suppress(doubled, scores)), list(range(8)))

    def test_ignored_tiles_are_outside_the_loss(self) -> None:
        quads = _row(0, 30.0)
        ignore = np.arange(8) == 3
        maps = targets(Sample(None, quads, np.ones(8, bool), ignore), SIZE)
        j, i = (quads[3].mean(0) / STRIDE).astype(int)
        self.assertEqual(maps[1, i, j], 0.0)
        self.assertEqual(maps[2, i, j], 0.0)


class Scenes(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.sets = [generate_set(77)]

    def test_a_sample_depends_on_seed_and_number_only(self) -> None:
        straight = Generator(self.sets, 5, pool=2)
        for k in range(15):
            last = straight.sample(k)
        again = Generator(self.sets, 5, pool=2).sample(14)
        self.assertTrue(np.array_equal(last.image, again.image))
        self.assertTrue(np.array_equal(last.quads, again.quads))
        other = Generator(self.sets, 6, pool=2).sample(14)
        self.assertFalse(np.array_equal(last.image, other.image))

    def test_turned_scenes_keep_quads_on_their_tiles(self) -> None:
        base = np.zeros((SIZE, SIZE, 3), np.uint8)
        quad = np.float32(_rectangle((120, 260), (40, 56), 20))[None]
        cv2.fillConvexPoly(base, np.int32(np.round(quad[0])), (255, 255, 255))
        for turns in range(4):
            for mirrored in (False, True):
                sample = turned(Sample(base, quad, np.ones(1, bool), np.zeros(1, bool)), turns, mirrored)
                drawn = np.zeros((SIZE, SIZE), np.uint8)
                cv2.fillConvexPoly(drawn, np.int32(np.round(sample.quads[0])), 255)
                self.assertGreater(cv2.contourArea(sample.quads[0], True), 0)
                self.assertLess((drawn != sample.image[..., 0]).mean(), 0.002)

    def test_quads_are_clockwise_and_lie_on_the_picture(self) -> None:
        generator = Generator(self.sets, 9, pool=2)
        tiles = 0
        for k in range(24):
            sample = generator.sample(k)
            for quad in sample.quads[~sample.ignore]:
                self.assertGreater(cv2.contourArea(np.float32(quad), True), 0)
                self.assertTrue((quad.mean(0) > 0).all() and (quad.mean(0) < SIZE).all())
                tiles += 1
        self.assertGreater(tiles, 60)

    def test_the_anchor_is_seen_in_the_middle_at_the_wished_size(self) -> None:
        rng = np.random.default_rng(3)
        for _ in range(50):
            anchor = rng.normal(0, 3, 3) * (1, 1, 0)
            camera = random_camera(rng, SIZE, anchor, 40.0)
            pixel, depth = camera.project(anchor)
            self.assertLess(np.abs(pixel - SIZE / 2).max(), 1e-6)
            self.assertAlmostEqual(camera.focal / depth, 40.0, places=6)
            ground = camera.ground() @ np.array([anchor[0], anchor[1], 1.0])
            self.assertLess(np.abs(ground[:2] / ground[2] - pixel).max(), 1e-6)


if __name__ == "__main__":
    unittest.main()
