"""Tests of the table of figures in a browser."""

from __future__ import annotations

import unittest

import bench_browser

FIGURES = {
    "reading": {"took": [500, 600, 700], "stages": [], "first": 900, "loading": 1000},
    "memory": {"before": 50, "peak": 401},
    "loaded": {
        "page": {"bytes": 3e6, "gzip": 0.7e6, "brotli": 0.5e6},
        "reader": {"bytes": 20e6, "gzip": 8e6, "brotli": 6e6},
    },
    "hands": {"inside": 0.34, "call": 31, "count": 8000},
    "parity": {"scenes": 39, "hands": 39, "doubts": 38, "close": 39, "apart": 0.008},
    "viewfinder": {"frames": 30, "ms": 20000, "right": 18, "wrong": 0, "samples": 22},
}


class Figures(unittest.TestCase):
    def test_missed_goals_are_named(self) -> None:
        missed = [what for what, *_, reached in bench_browser.rows(FIGURES, 0.06) if not reached]
        self.assertEqual(
            missed,
            [
                "memory of the tab while reading, 12 megapixels among them, at its peak",
                "with its doubts",
                "viewfinder, frames read a second",
            ],
        )

    def test_a_photo_is_compared_with_the_program(self) -> None:
        [_, (_, value, _, reached), *_] = bench_browser.rows(FIGURES, 0.04)
        self.assertEqual((value, reached), ("15.0 × 0.040 s", False))

    def test_the_page_is_part_of_the_first_reading(self) -> None:
        [_, _, reading, typed, *_] = bench_browser.rows(FIGURES, 0.06)
        self.assertIn("8.70 MB (brotli 6.50, as it is 23.0)", reading)
        self.assertIn("0.70 MB (brotli 0.50, as it is 3.0)", typed)

    def test_a_viewfinder_that_is_sure_of_a_wrong_hand_misses(self) -> None:
        rows = bench_browser.rows({**FIGURES, "viewfinder": {**FIGURES["viewfinder"], "wrong": 1}}, 0.06)
        self.assertEqual([row[1] for row in rows[-2:]], ["1.5", "18 of 22"])
        self.assertFalse(rows[-1][-1])


if __name__ == "__main__":
    unittest.main()
