"""Calibration, outlines, strays, causes, targets: hand-made cases with the answers worked out on
paper."""

from __future__ import annotations

import os
import sys
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from evaluation import (
    ablation,
    calibration,
    causes,
    clutter,
    compare,
    difficulty,
    measure,
    metrics,
    quads,
    report,
    speed,
    survival,
    targets,
)

HAND = {"concealed": ["1m", "2m"], "winning_tile": "3m", "melds": [], "flowers": []}


def square(x: int, y: int = 0, w: int = 10, h: int = 14) -> list[list[int]]:
    """Corners of an upright tile from its top left."""
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


def tile(code: str, x: int, role: str = "concealed", **more: Any) -> dict[str, Any]:
    """A tile of the reading."""
    return {
        "tile": code,
        "polygon": square(x),
        "face_up": True,
        "sideways": False,
        "score": 0.9,
        "role": role,
        "candidates": [{"tile": code, "p": 0.9}],
        **more,
    }


def truth(code: str, x: int, role: str = "concealed", **more: Any) -> metrics.TruthTile:
    """A rendered truth tile."""
    facts = {"polygon": square(x), "role": role, "sideways": False, "standing": False, "face_up": True, **more}
    return metrics.TruthTile(code, (x, 0, 10, 14), **facts)


def rendered(
    read_tiles: list[dict[str, Any]],
    hand: dict[str, Any] | None = HAND,
    status: str = "needs_review",
    probability: float = 0.5,
) -> metrics.PhotoResult:
    """The hand 1m 2m 3m with a discard of 9s, and what was read of it."""
    tiles = [truth("1m", 0), truth("2m", 12), truth("3m", 30, "winning"), truth("9s", 100, "ignored")]
    photo = metrics.Photo("a.jpg", measure.OURS, "set/table", "hand", tiles, exhaustive=True, hand=HAND)
    reading = {"status": status, "tiles": read_tiles, "hand": hand, "probability": probability}
    return metrics.judge(photo, reading, 0.1)


RIGHT = [tile("1m", 0), tile("2m", 12), tile("3m", 30, "winning"), tile("9s", 100, "ignored")]


class Calibration(unittest.TestCase):
    def test_error(self) -> None:
        self.assertIsNone(calibration.error([]))
        self.assertAlmostEqual(calibration.error([(0.95, True)] * 19 + [(0.95, False)]), 0.0)
        self.assertAlmostEqual(calibration.error([(0.95, False)] * 4), 0.95)

    def test_certainty_falls_into_the_last_bin(self) -> None:
        self.assertEqual(calibration.bins([(1.0, True), (0.05, False)])[9], (1, 1.0, 1.0))

    def test_hands_without_a_claim_are_left_out(self) -> None:
        self.assertEqual(calibration.hand_pairs([rendered(RIGHT), rendered(RIGHT, hand=None)]), [(0.5, True)])

    def test_table_leaves_out_empty_series(self) -> None:
        lines = calibration.bin_table([("a", [(0.95, True)]), ("b", [])]).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("95 > 100 (1)", lines[2])


class Quads(unittest.TestCase):
    def test_order_of_corners_does_not_matter_but_distance_does(self) -> None:
        turned = square(1)[2:] + square(1)[:2]
        self.assertAlmostEqual(quads.corner_error(square(0), turned), 0.1)

    def test_sideways_is_asked_of_the_hand_only(self) -> None:
        seen = [dict(RIGHT[0], sideways=True), *RIGHT[1:3], dict(RIGHT[3], sideways=True)]
        found = quads.measure([rendered(seen)])
        self.assertEqual((found.sideways.hits, found.sideways.total), (2, 3))
        self.assertEqual((found.face_up.total, found.close.hits, found.percentile(0.5)), (4, 4, 0.0))


class Strays(unittest.TestCase):
    def test_false_alarm_and_clutter(self) -> None:
        seen = RIGHT[:3] + [tile("9s", 100), tile("5p", 200)]
        result = rendered(seen)
        self.assertEqual((survival.beyond_truth(result), survival.clutter(result)), ([4], [3]))
        self.assertEqual(survival.false_alarms([result, rendered(RIGHT)]).photos, metrics.Rate(1, 2))
        self.assertEqual(survival.clutter_taken([result]).tiles, 1)

    def test_ignored_alarms_do_not_survive(self) -> None:
        self.assertEqual(survival.beyond_truth(rendered(RIGHT + [tile("5p", 200, "ignored")])), [])

    def test_left_out(self) -> None:
        self.assertEqual(survival.left_out(rendered([tile("1m", 0, "ignored")] + RIGHT[1:])), [0])


class Causes(unittest.TestCase):
    def test_right_hands_have_none(self) -> None:
        self.assertEqual(causes.causes(rendered(RIGHT)), [])

    def test_each_is_named(self) -> None:
        wrong = {**HAND, "winning_tile": "4m"}
        for seen, expected in (
            (RIGHT[:2] + RIGHT[3:], "tile not found"),
            (RIGHT[:2] + [tile("4m", 30, "winning")], "face named wrongly"),
            (RIGHT[:3] + [tile("9s", 100)], "clutter in the hand"),
            (RIGHT + [tile("5p", 200)], "false alarm in the hand"),
            (RIGHT, "changed by joint reading or other"),
        ):
            self.assertEqual(causes.causes(rendered(seen, wrong)), [expected])
        self.assertEqual(causes.causes(rendered(RIGHT, None)), ["no hand"])
        self.assertEqual(causes.causes(rendered([], None, "error")), ["refused"])

    def test_structure_alone(self) -> None:
        other = {**HAND, "concealed": ["1m", "3m"], "winning_tile": "2m"}
        self.assertEqual(causes.causes(rendered(RIGHT, other)), ["sets, claims or winning tile"])


class Difficulty(unittest.TestCase):
    def test_groups_count_demanded_tiles(self) -> None:
        result = rendered(RIGHT[:2])
        tests = dict(difficulty.groups())
        self.assertEqual(difficulty.rates([result], tests["of the hand"]), (metrics.Rate(2, 3), metrics.Rate(2, 3)))
        self.assertEqual(difficulty.rates([result], tests["under 24 px wide"])[0], metrics.Rate(2, 4))
        self.assertEqual(difficulty.rates([result], tests["over 160 px"])[0], metrics.Rate(0, 0))

    def test_family_is_the_scene_before_the_slash(self) -> None:
        self.assertEqual([name for name, _ in difficulty.families([rendered(RIGHT)])], ["set"])


class Ablation(unittest.TestCase):
    SEEN = [
        {"faces": {"1m": 0.6, "2m": 0.4}, "quad": square(0), "score": 1},
        {"faces": {"back": 1.0}, "quad": square(12), "score": 1},
        {"faces": {"none": 0.9}, "quad": square(24), "score": 1},
    ]

    def test_names_only_takes_every_face(self) -> None:
        self.assertEqual(ablation.names_only(self.SEEN)["hand"]["concealed"], ["1m"])

    def test_layout_says_what_is_the_hand_and_turns_backs_up(self) -> None:
        plan = {"concealed": [], "flowers": [], "winning": None, "melds": [{"tiles": [0, 1]}], "weight": 1}
        self.assertEqual(ablation.names_and_layout(self.SEEN, {"plans": [plan]})["hand"]["concealed"], ["1m", "1m"])
        self.assertIsNone(ablation.names_and_layout(self.SEEN, {"plans": []})["hand"])


class Speed(unittest.TestCase):
    def test_fastest_run_of_each_photo(self) -> None:
        runs = [{"timings_ms": {"total": ms}} for ms in (5, 9, 4, 7, 6, 8)]
        self.assertEqual([t["total"] for t in speed.fastest(runs, 2)], [4, 7])

    def test_one_core_is_given_back(self) -> None:
        before = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
        with speed.one_core():
            pass
        self.assertEqual(os.sched_getaffinity(0) if before else None, before)


class Clutter(unittest.TestCase):
    def test_only_hands_that_are_read_alone_can_be_lost(self) -> None:
        wrong, none = rendered(RIGHT, {**HAND, "winning_tile": "4m"}), rendered([], None, "no_hand")
        cases = [
            ("chairs", rendered(RIGHT), rendered(RIGHT)),
            ("chairs", rendered(RIGHT), none),
            ("pages", rendered(RIGHT), wrong),
            ("pages", wrong, none),
        ]
        judged = [
            (clutter.Pair(bare.photo, full.photo, clutter.Clutter(kind, "above", 2.0)), bare, full)
            for kind, bare, full in cases
        ]
        rows = {row.name: row for row in clutter.lost(judged)}
        self.assertEqual((rows["all"].unseen.hits, rows["all"].lost.hits, rows["all"].lost.total), (1, 2, 3))
        self.assertEqual((rows["pages"].lost.hits, rows["pages"].lost.total), (1, 1))
        self.assertNotIn("cloth", rows)

    def test_a_hole_is_left_where_the_hand_is(self) -> None:
        tiles = [metrics.TruthTile("1m", (100, 200, 30, 40))]
        left, top, right, bottom = clutter.clear_around(tiles)
        self.assertTrue(left < 100 < 130 < right and top < 200 < 240 < bottom)
        parts = [clutter.strip(side) for side in clutter.SIDES]
        self.assertTrue(all(a < c and b < d for a, b, c, d in parts), parts)


class Targets(unittest.TestCase):
    def test_verdicts(self) -> None:
        self.assertEqual(targets.min_rate("a", 0.9, metrics.Rate(9, 10)).verdict, targets.YES)
        self.assertEqual(targets.min_rate("a", 0.9, metrics.Rate(8, 10)).verdict, targets.NO)
        self.assertEqual(targets.min_rate("a", 0.9, metrics.Rate()).verdict, targets.OPEN)
        self.assertEqual(targets.max_rate("a", 0.005, metrics.Rate(0, 40)).verdict, targets.OPEN)
        self.assertEqual(targets.max_rate("a", 0.005, metrics.Rate(0, 200)).verdict, targets.YES)
        self.assertEqual(targets.max_rate("a", 0.005, metrics.Rate(1, 40)).verdict, targets.NO)
        self.assertEqual(targets.max_value("a", 130, None, "{:.0f}").verdict, targets.OPEN)

    def test_report_without_real_photos_says_so(self) -> None:
        measured = measure.Measured(Path("nowhere"), results=[rendered(RIGHT)], megabytes=5.0)
        text = report.write(measured, None)
        self.assertIn("NOT measured", text)
        self.assertLess(text.index("verdict"), text.index("class accuracy"))

    def test_comparison_counts_what_was_won_and_lost(self) -> None:
        wrong = rendered(RIGHT, {**HAND, "winning_tile": "4m"})
        one = measure.Measured(Path("a/models"), results=[rendered(RIGHT), wrong], megabytes=5.0)
        two = measure.Measured(Path("b/models"), results=[wrong, rendered(RIGHT)], megabytes=5.0)
        text = compare.comparison([one, two])
        self.assertIn("| a/models | b/models |", text)
        self.assertIn("| - | 1 / 1 |", text)


if __name__ == "__main__":
    unittest.main()
