"""Tests of what counts as exact, asked about and silently wrong in scenes of every form. Standard
library only."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import evaluate_forms as forms

PUNG = {"kind": "pung", "tiles": ["E", "E", "E"], "concealed": False, "added": False, "claimed": "E", "from": "left"}


def hand(
    melds: list[dict[str, Any]] | tuple[dict[str, Any]] = (PUNG,),
    winning: str = "C",
    flowers: list[str] | tuple[str] = ("f1",),
) -> dict[str, Any]:
    return {
        "concealed": ["1m", "2m", "3m", "C"],
        "winning_tile": winning,
        "melds": list(melds),
        "flowers": list(flowers),
    }


def truth(winning: str = "gap", tiles: list[dict[str, Any]] | tuple[Any, ...] = ()) -> dict[str, Any]:
    return {"hand": hand(), "layout": {"winning": winning}, "tiles": list(tiles)}


def reading(
    read: dict[str, Any], status: str = "ok", doubts: list[str] | tuple[Any, ...] = (), total: int = 10
) -> dict[str, Any]:
    return {"hand": read, "status": status, "doubts": [{"kind": kind} for kind in doubts], "score": {"total": total}}


class Outcome(unittest.TestCase):
    def test_which_flower_a_flower_is_does_not_count(self) -> None:
        self.assertEqual(forms.outcome(reading(hand(flowers=["s3"])), truth(), 10), "exact")
        self.assertEqual(forms.outcome(reading(hand(flowers=[]), total=9), truth(), 10), "silent")

    def test_a_winning_tile_that_nothing_marks_is_not_to_be_known(self) -> None:
        unknown = {**hand(), "concealed": ["1m", "2m", "3m", "C", "C"], "winning_tile": None}
        self.assertEqual(forms.outcome(reading(unknown), truth("unmarked"), 10), "exact")
        self.assertEqual(forms.outcome(reading(unknown), truth("gap"), 9), "silent")

    def test_wrong_sets_are_silent_harmless_or_asked_about(self) -> None:
        across = hand([{**PUNG, "from": "across"}])
        self.assertEqual(forms.outcome(reading(across), truth(), 10), "harmless")
        self.assertEqual(forms.outcome(reading(across), truth(), 12), "silent")
        self.assertEqual(forms.outcome(reading(across, "needs_review", ["tile"]), truth(), 12), "pointed")
        self.assertEqual(forms.outcome(reading(across, "needs_review", ["tile_count"]), truth(), 12), "asked")

    def test_clutter_in_the_hand_is_seen_by_its_place(self) -> None:
        square = [[0, 0], [10, 0], [10, 10], [0, 10]]
        scene = truth(tiles=[{"role": "ignored", "polygon": square, "visible": 1.0}])
        taken = {"tiles": [{"role": "concealed", "polygon": square}]}
        self.assertTrue(forms.takes_clutter(taken, scene))
        self.assertFalse(forms.takes_clutter({"tiles": [{"role": "ignored", "polygon": square}]}, scene))
        self.assertIsNone(forms.takes_clutter(taken, truth()))


if __name__ == "__main__":
    unittest.main()
