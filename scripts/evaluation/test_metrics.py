"""Hand-made cases of matching and counting, with the answers worked out on paper."""

from __future__ import annotations

import sys
import unittest
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from evaluation import geometry, metrics


def square(x: int, y: int, w: int = 10, h: int = 14) -> list[list[int]]:
    """Corners of a box as a program prints them."""
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


def seen(tile: str, x: int, y: int, p: float = 0.9, **more: bool) -> dict[str, Any]:
    """A detected tile."""
    return {
        "tile": tile,
        "polygon": square(x, y),
        "face_up": True,
        "score": p,
        "candidates": [{"tile": tile, "p": p}],
        **more,
    }


def row(codes: list[str], **more: Any) -> metrics.Photo:
    """A photo of a row of tiles, twelve pixels apart."""
    tiles = [metrics.TruthTile(code, (12 * k, 0, 10, 14)) for k, code in enumerate(codes)]
    return metrics.Photo("a.jpg", "test", "scene", "hand", tiles, **more)


class Geometry(unittest.TestCase):
    def test_iou(self) -> None:
        self.assertEqual(geometry.iou((0, 0, 10, 10), (20, 0, 10, 10)), 0)
        self.assertAlmostEqual(geometry.iou((0, 0, 10, 10), (5, 0, 10, 10)), 50 / 150)
        self.assertEqual(geometry.iou((0, 0, 4, 4), (0, 0, 4, 4)), 1)

    def test_hull_and_inside(self) -> None:
        outline = geometry.hull([(0, 0), (10, 0), (10, 10), (0, 10), (5, 5), (5, 0)])
        self.assertEqual(len(outline), 4)
        self.assertTrue(geometry.inside_convex((5, 5), outline))
        self.assertTrue(geometry.inside_convex((5, 5), outline[::-1]))
        self.assertFalse(geometry.inside_convex((11, 5), outline))


class Matching(unittest.TestCase):
    def test_pairs_are_one_to_one_and_best_first(self):
        found = metrics.match(row(["1m", "2m"]).tiles, [square(1, 0), square(0, 0), square(12, 1)])
        self.assertEqual(found, [(0, 1), (1, 2)])

    def test_centre_outside_is_not_found(self):
        self.assertEqual(metrics.match(row(["1m"]).tiles, [square(6, 0)]), [])

    def test_small_overlap_is_not_found(self) -> None:
        tiny = [[4, 6], [6, 6], [6, 8], [4, 8]]
        self.assertEqual(metrics.match(row(["1m"]).tiles, [tiny]), [])

    def test_tile_is_found_by_its_numeral(self):
        numeral = metrics.TruthTile("f1", (1, 1, 4, 3), numeral=True)
        self.assertEqual(metrics.match([numeral], [square(20, 0), square(0, 0)]), [(0, 1)])

    def test_detection_of_the_numeral_alone_is_no_tile(self):
        numeral = metrics.TruthTile("f1", (1, 1, 4, 3), numeral=True)
        self.assertEqual(metrics.match([numeral], [square(1, 1, 4, 3)]), [])


class Judging(unittest.TestCase):
    def test_found_named_missed(self) -> None:
        photo = row(["1m", "2m", "3m"])
        reading = {"status": "ok", "tiles": [seen("1m", 0, 0), seen("9m", 12, 0)]}
        result = metrics.judge(photo, reading, 0.1)
        self.assertEqual(result.pairs, [(0, 0), (1, 1)])
        self.assertEqual(result.missed, [2])
        self.assertEqual(result.wrong(), [(1, 1)])
        total = metrics.summarise([result])
        self.assertEqual((total.found.hits, total.found.total), (2, 3))
        self.assertEqual((total.named.hits, total.named.total), (1, 3))
        self.assertEqual((total.accuracy.hits, total.accuracy.total), (1, 2))
        self.assertEqual(total.confusion, Counter({("2m", "9m"): 1}))

    def test_discards_count_against_precision_only_where_all_is_labelled(self) -> None:
        reading = {"tiles": [seen("1m", 0, 0), seen("2m", 12, 0), seen("5p", 200, 200)]}
        loose = metrics.judge(row(["1m", "2m"]), reading, 0)
        self.assertEqual((loose.false, loose.in_region), ([], 2))
        strict = metrics.judge(row(["1m", "2m"], exhaustive=True), reading, 0)
        self.assertEqual((strict.false, strict.in_region), ([2], 3))

    def test_alarm_inside_the_hull_is_false_but_a_back_in_a_real_photo_is_not(self) -> None:
        photo = row(["1m", "2m", "3m", "4m"])
        photo.tiles.pop(2)
        inside = metrics.judge(photo, {"tiles": [seen("7p", 24, 0)]}, 0)
        self.assertEqual(inside.false, [0])
        back = metrics.judge(photo, {"tiles": [seen("back", 24, 0, face_up=False)]}, 0)
        self.assertEqual(back.false, [])
        rejected = metrics.judge(photo, {"tiles": [seen("none", 24, 0)]}, 0)
        self.assertEqual(rejected.false, [])
        photo.closed = False
        self.assertEqual(metrics.judge(photo, {"tiles": [seen("7p", 24, 0)]}, 0).false, [])

    def test_hidden_tiles_are_neither_demanded_nor_false(self) -> None:
        photo = row(["1m", "2m"], exhaustive=True)
        photo.tiles[1].visible = 0.3
        result = metrics.judge(photo, {"tiles": [seen("1m", 0, 0), seen("3m", 12, 0)]}, 0)
        self.assertEqual((result.missed, result.wrong(), result.false), ([], [], []))

    def test_refused_photo_misses_everything(self) -> None:
        photo = row(["1m"] * 14, labels_are_hand=True)
        total = metrics.summarise([metrics.judge(photo, {"status": "error", "tiles": [], "hand": None}, 0)])
        self.assertEqual((total.unread, total.found.hits, total.found.total, total.whole.hits), (1, 0, 14, 0))


class Hands(unittest.TestCase):
    HAND = {
        "concealed": ["2m", "3m"],
        "winning_tile": "4m",
        "flowers": ["f1"],
        "melds": [
            {
                "kind": "chow",
                "tiles": ["7p", "6p", "8p"],
                "concealed": False,
                "added": False,
                "claimed": "7p",
                "from": "left",
            }
        ],
    }

    def reading(self, **changes: Any) -> dict[str, Any]:
        """The right hand with changes."""
        return {"status": "ok", "tiles": [], "hand": {**self.HAND, **changes}}

    def test_labels_are_compared_as_a_multiset(self) -> None:
        photo = row(["4m", "2m", "3m", "6p", "7p", "8p", "f1"], labels_are_hand=True)
        self.assertTrue(metrics.judge(photo, self.reading(), 0).whole)
        self.assertFalse(metrics.judge(photo, self.reading(flowers=[]), 0).whole)

    def test_which_flower_is_counted_apart(self) -> None:
        photo = row(["4m", "2m", "3m", "6p", "7p", "8p", "f1"], labels_are_hand=True)
        other = metrics.judge(photo, self.reading(flowers=["s3"]), 0)
        self.assertEqual((other.whole, other.whole_but_kind), (False, True))
        self.assertFalse(metrics.judge(photo, self.reading(flowers=["s3", "f2"]), 0).whole_but_kind)

    def test_structure_needs_sets_claims_and_winning_tile(self) -> None:
        photo = row(["2m"], hand=self.HAND)
        meld = self.HAND["melds"][0]
        same = metrics.judge(photo, self.reading(melds=[{**meld, "tiles": ["6p", "7p", "8p"]}]), 0)
        self.assertTrue(same.whole and same.structure)
        for change in ({"from": "right"}, {"claimed": None}, {"concealed": True}):
            other = metrics.judge(photo, self.reading(melds=[{**meld, **change}]), 0)
            self.assertTrue(other.whole)
            self.assertFalse(other.structure)
        swapped = metrics.judge(photo, self.reading(concealed=["2m", "4m"], winning_tile="3m"), 0)
        self.assertTrue(swapped.whole)
        self.assertFalse(swapped.structure)

    def test_silently_wrong_needs_status_ok(self) -> None:
        photo = row(["2m"], hand=self.HAND)
        wrong = self.reading(winning_tile="9m")
        doubtful = {**wrong, "status": "needs_review"}
        total = metrics.summarise([metrics.judge(photo, r, 0) for r in (wrong, doubtful, self.reading())])
        self.assertEqual((total.silent.hits, total.silent.total), (1, 3))

    def test_another_flower_scores_the_same(self) -> None:
        photo = row(["2m"], hand={**self.HAND, "flowers": ["f1"]})
        readings = [self.reading(flowers=flowers) for flowers in (["s2"], ["f1"], [])]
        total = metrics.summarise([metrics.judge(photo, reading, 0) for reading in readings])
        self.assertEqual((total.silent.hits, total.structure.hits), (1, 1))

    def test_red_fives_are_fives(self) -> None:
        self.assertEqual(metrics.hand_tiles({"concealed": ["0p"], "winning_tile": None})["5p"], 1)


class Figures(unittest.TestCase):
    def test_wilson(self) -> None:
        low, high = metrics.Rate(8, 10).interval()
        self.assertAlmostEqual(low, 0.4902, places=3)
        self.assertAlmostEqual(high, 0.9433, places=3)
        self.assertIsNone(metrics.Rate().interval())
        self.assertEqual(metrics.Rate(5, 5).interval()[1], 1.0)

    def test_confidence_is_of_the_chosen_name(self) -> None:
        tile = {"tile": "2p", "score": 0.1, "candidates": [{"tile": "3p", "p": 0.6}, {"tile": "2p", "p": 0.3}]}
        self.assertEqual(metrics.confidence(tile), 0.3)
        self.assertEqual(metrics.confidence({"tile": "2p", "score": 0.7}), 0.7)


if __name__ == "__main__":
    unittest.main()
