"""Tests of what counts as whole, exact and said of hands of sixteen tiles. Standard library
only."""

from __future__ import annotations

import sys
import unittest
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import evaluate_sixteen as sixteen

HAND = {
    "concealed": ["1m", "2m", "0p"],
    "winning_tile": "C",
    "melds": [{"kind": "kong", "tiles": ["E"] * 4}],
    "flowers": ["f1"],
}


def reading(hand: dict[str, Any], status: str = "ok", game: str | None = None) -> dict[str, Any]:
    return {"hand": hand, "status": status, "doubts": [{"kind": "tile_count", "game": game}] if game else []}


def case(by_sixteen: dict[str, Any], by_usual: dict[str, Any], exact: bool | None = None) -> sixteen.Case:
    return sixteen.Case(sixteen.tiles_of(HAND), by_sixteen, by_usual, exact)


class Sixteen(unittest.TestCase):
    def test_flowers_and_red_fives_do_not_count_as_tiles(self) -> None:
        self.assertEqual(sixteen.tiles_of(HAND), Counter(["1m", "2m", "5p", "C", "E", "E", "E", "E"]))
        waiting = {**HAND, "winning_tile": None}
        self.assertEqual(sum(sixteen.tiles_of(waiting).values()), 7)
        self.assertEqual(sixteen.tiles_of({}), Counter())

    def test_a_row_counts_whole_exact_silent_and_said_hands(self) -> None:
        other = {**HAND, "concealed": ["1m", "2m"]}
        cases = [
            case(reading(HAND), reading(other, "needs_review", "taiwan"), True),
            case(reading(other), reading(other), False),
            case(reading(other, "needs_review"), reading(HAND, "needs_review", "taiwan"), False),
        ]
        name, count, *rates = sixteen.row("renders", cases)
        self.assertEqual((name, count), ("renders", "3"))
        self.assertEqual([rate.split(" ")[0] for rate in rates], ["33.3", "33.3", "33.3", "33.3", "66.7"])
        self.assertEqual(sixteen.row("photos", [case(reading(HAND), reading(HAND))])[3], "-")

    def test_kinds_follow_the_sets_and_the_plan(self) -> None:
        scene = {"hand": {**HAND, "melds": HAND["melds"]}, "layout": {"flowers": "beside"}}
        found = case(reading(HAND), reading(HAND), True)
        found.scene = scene
        kinds = [kind for kind, is_of in sixteen.KINDS if is_of(found)]
        self.assertEqual(kinds, ["one set apart", "with a kong", "flowers beside"])


if __name__ == "__main__":
    unittest.main()
