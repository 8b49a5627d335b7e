"""Tests of what putting a stage right is worth: hand-made cases with the answers worked out on
paper."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from evaluation import budget, metrics

PUNG = {"kind": "pung", "tiles": ["E", "E", "E"], "concealed": False, "added": False, "claimed": "E", "from": "left"}


def hand(winning: str = "C", source: str = "left") -> dict[str, Any]:
    return {
        "concealed": ["1m", "2m", "3m", "C"],
        "winning_tile": winning,
        "melds": [{**PUNG, "from": source}],
        "flowers": ["f1"],
    }


def case(groups: list[str] | tuple[str] = ("samples",), truth: Any = None, **more: bool) -> budget.Case:
    tile = metrics.TruthTile("C", (0, 0, 10, 14), polygon=[[0, 0], [10, 0], [10, 14], [0, 14]], role="winning")
    photo = metrics.Photo("a.jpg", "samples", "1", "hand", [tile], hand=truth or hand())
    return budget.Case(photo, list(groups), **more)


def reading(read: dict[str, Any], status: str = "ok") -> dict[str, Any]:
    return {"status": status, "hand": read, "tiles": [], "doubts": []}


class Exact(unittest.TestCase):
    def test_sources_count_and_names_of_flowers_do_not(self) -> None:
        self.assertTrue(budget.is_exact(case(), reading({**hand(), "flowers": ["s3"]})))
        self.assertFalse(budget.is_exact(case(), reading(hand(source="right"))))

    def test_an_unmarked_winning_tile_need_not_be_known(self) -> None:
        unknown = {**hand(), "concealed": ["1m", "2m", "3m", "C", "C"], "winning_tile": None}
        self.assertTrue(budget.is_exact(case(unmarked=True), reading(unknown)))
        self.assertFalse(budget.is_exact(case(), reading(unknown)))


class Costs(unittest.TestCase):
    def setUp(self) -> None:
        self.cases = [case(), case(), case(["samples", "standing"])]
        wrong, right = reading(hand(source="right")), reading(hand(), "needs_review")
        self.runs = {way: list(zip(self.cases, [right, wrong, wrong])) for way in budget.WAYS}
        self.runs["true names"] = list(zip(self.cases, [wrong, right, right]))
        self.runs["everything true"] = list(zip(self.cases, [right, right, wrong]))

    def test_losses_are_listed_beside_gains(self) -> None:
        self.assertEqual(budget.gain(self.runs["as read"], self.runs["true names"]), (2, 1, 3))
        line = budget.row("all", self.runs)
        self.assertEqual(line[1], "3")
        self.assertEqual(line[4], "33.3 % (+2 −1)")
        self.assertTrue(line[7].startswith("0.0 %"), line)
        self.assertTrue(line[8].startswith("33.3 %"), "all tiles are there, one is said to be another's")
        self.assertTrue(line[9].startswith("100.0 %"), "the exact one is asked about")
        self.assertTrue(line[10].startswith("66.7 %"), "two are wrong and sure")

    def test_tiles_that_are_left_out_are_told_apart_from_sets_that_are_wrong(self) -> None:
        short = reading({**hand(), "concealed": ["1m", "2m", "3m"]})
        self.runs["everything true"] = list(zip(self.cases, [short] * 3))
        line = budget.row("all", self.runs)
        self.assertTrue((line[7].startswith("100.0 %"), line[8].startswith("0.0 %")), line)

    def test_few_photos_have_no_line_of_their_own(self) -> None:
        self.assertEqual(len(budget.table(self.runs, min_hands=3).splitlines()), 4)
        self.assertIn("standing", budget.table(self.runs, min_hands=1))

    def test_photos_without_outlines_are_read_as_they_are_alone(self) -> None:
        labels = [metrics.TruthTile("C", (0, 0, 1, 1))]
        boxes = budget.Case(metrics.Photo("b.jpg", "real", "2", "hand", labels, labels_are_hand=True), ["real"])
        self.assertFalse(boxes.has_places)
        runs = {way: [] for way in budget.WAYS}
        runs["as read"] = [(boxes, reading({"concealed": ["C"], "winning_tile": None, "melds": [], "flowers": []}))]
        line = budget.row("real", runs)
        self.assertEqual((line[1], line[3], line[7], line[8]), ("1", "–", "–", "–"))
        self.assertTrue(line[2].startswith("100.0 %"))

    def test_a_request_tells_what_is_put_right_and_what_is_of_the_hand(self) -> None:
        asked = budget.request(case(), ("places", "names"))
        self.assertEqual((asked["places"], asked["names"], asked.get("grouping")), (True, True, None))
        self.assertEqual(
            asked["truth"], [{"polygon": [[0, 0], [10, 0], [10, 14], [0, 14]], "tile": "C", "of_hand": True}]
        )


if __name__ == "__main__":
    unittest.main()
