"""Tests of the table of taps."""

from __future__ import annotations

import unittest

import page_figures


class Figures(unittest.TestCase):
    def test_measured_figures_are_in_the_table(self) -> None:
        figures = [
            {"what": "read exactly", "photo": "a", "taps": 2, "screens": 0},
            {"what": "read exactly", "photo": "b", "taps": 3, "screens": 0},
            {"what": "review", "photo": "c", "keys": 1},
        ]
        found = page_figures.rows(figures, [3000, 4000])
        self.assertEqual([row[1:4] for row in found], [(2, 2.5, 3), (2, 0, 0), (1, 1, 1), (2, 3500, 4000)])

    def test_real_photos_that_are_missing_are_named(self) -> None:
        figure = {"what": "read exactly", "photo": "a", "taps": 2, "screens": 0}
        self.assertIn("TILESIGHT_SHARED", page_figures.table([figure], [], "2026-01-01"))
        real = {**figure, "what": "real hand, read exactly"}
        self.assertNotIn("TILESIGHT_SHARED", page_figures.table([figure, real], [], "2026-01-01"))


if __name__ == "__main__":
    unittest.main()
