"""Checks of the refiner's training crops; run with `python3 -m unittest vision.test_refiner`
(PYTHONPATH=scripts).

Input: none but a drawn table. Invariant: no training, no network access, some seconds.
"""

from __future__ import annotations

import unittest

import numpy as np
import torch

from . import frontend
from .refiner import SQUARE, Refiner
from .refiner_crops import OUTSIDE, from_frame, in_frame, is_convex, pairs, upright_pair, wrong
from .scene import Sample
from .train_refiner import tensor, varied

QUAD = np.float32([[100, 80], [140, 86], [136, 142], [96, 138]])


def _scene() -> Sample:
    """A white tile, its outline QUAD, on a dark table."""
    import cv2

    image = np.full((220, 240, 3), 30, np.uint8)
    cv2.fillConvexPoly(image, np.int32(QUAD), (240, 240, 240))
    return Sample(image, QUAD[None], np.ones(1, bool), np.zeros(1, bool))


class Frames(unittest.TestCase):
    def test_places_come_back(self) -> None:
        given = wrong(np.random.default_rng(1), QUAD)
        np.testing.assert_allclose(from_frame(given, in_frame(given, QUAD)), QUAD, atol=1e-3)
        np.testing.assert_allclose(in_frame(given, given), SQUARE, atol=1e-5)

    def test_wrong_quads_are_mostly_tiles_still(self) -> None:
        rng = np.random.default_rng(2)
        quads = [wrong(rng, QUAD) for _ in range(300)]
        self.assertGreater(np.mean([is_convex(quad) for quad in quads]), 0.98)
        off = [np.linalg.norm(quad - QUAD, axis=1).max() / 40 for quad in quads]
        self.assertTrue(0.08 < np.median(off) < 0.25, np.median(off))

    def test_both_quads_are_turned_together(self) -> None:
        lying = np.roll(QUAD, 1, axis=0)
        given, truth = upright_pair(lying, lying + 1)
        np.testing.assert_array_equal(truth, given + 1)
        np.testing.assert_array_equal(given, frontend.upright(lying))


class Crops(unittest.TestCase):
    def test_the_corners_are_where_the_crop_shows_them(self) -> None:
        rng, found = np.random.default_rng(3), []
        for _ in range(40):
            found += pairs(rng, _scene())
        self.assertGreater(len(found), 30)
        crops, corners = varied(rng, *map(np.stack, zip(*found)))
        for crop, quad in zip(crops, corners):
            self.assertTrue((quad > -OUTSIDE - 1e-6).all() and (quad < 1 + OUTSIDE + 1e-6).all())
            centre = quad.mean(0)
            for share, is_tile in ((0.8, True), (1.25, False)):
                for corner in centre + (quad - centre) * share:
                    x, y = np.clip((corner - 0.5) / frontend.SURROUNDINGS + 0.5, 0, 0.999) * frontend.SIDE
                    self.assertEqual(crop[int(y), int(x)].mean() > 110, is_tile)

    def test_an_untaught_network_leaves_the_corners(self) -> None:
        with torch.no_grad():
            answer = Refiner().eval()(tensor(np.zeros((2, frontend.SIDE, frontend.SIDE, 3))))
        np.testing.assert_allclose(answer.numpy().reshape(2, 4, 2), np.stack([SQUARE] * 2))


if __name__ == "__main__":
    unittest.main()
