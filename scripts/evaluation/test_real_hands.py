"""Tests of what counts as right of a hand photographed at a real table. Standard library only."""

from __future__ import annotations

import unittest
from pathlib import Path
from typing import Any

from evaluation import life, page, real_hands

PON = {"kind": "pon", "tiles": ["W", "W", "W"], "concealed": False, "claimed": "W", "from": "left"}


def view(
    winning: str | None = "5p", melds: list[dict[str, Any]] | tuple[Any, ...] = (), tiles: int = 14
) -> real_hands.View:
    facts = {
        "concealed": ["0p", "1s"],
        "winning_tile": winning,
        "flowers": [],
        "melds": list(melds),
        "view": "full photo",
        "tile_count": tiles,
    }
    return real_hands._view("a", Path("a.jpg"), facts)


def reading(
    winning: str | None = "5p",
    melds: list[dict[str, Any]] | tuple[Any, ...] = (),
    status: str = "ok",
    doubts: list[str] | tuple[Any, ...] = (),
) -> dict[str, Any]:
    hand = {"concealed": ["1s", "5p"], "winning_tile": winning, "flowers": [], "melds": list(melds)}
    return {"hand": hand, "status": status, "doubts": [{"kind": kind} for kind in doubts]}


def pung(source: str) -> dict[str, Any]:
    return {
        "kind": "pung",
        "tiles": ["W", "W", "W"],
        "concealed": False,
        "added": False,
        "claimed": "W",
        "from": source,
    }


class Judged(unittest.TestCase):
    def test_a_red_five_is_a_five(self) -> None:
        self.assertTrue(real_hands.judge(view(), reading()).exact)

    def test_the_source_of_a_turned_set_counts(self) -> None:
        self.assertTrue(real_hands.judge(view(melds=[PON]), reading(melds=[pung("left")])).sets)
        wrong = real_hands.judge(view(melds=[PON]), reading(melds=[pung("across")]))
        self.assertEqual((wrong.tiles, wrong.sets, wrong.silent), (True, False, True))

    def test_a_winning_tile_that_the_photo_does_not_show_is_not_judged(self) -> None:
        self.assertIsNone(real_hands.judge(view(winning=None), reading(winning=None)).winning)
        self.assertFalse(real_hands.judge(view(), reading(winning="1s")).exact)

    def test_thirteen_tiles_wait_and_eight_are_no_hand(self) -> None:
        self.assertTrue(view(winning=None, tiles=13).waiting)
        self.assertFalse(view(winning=None, tiles=14).waiting)
        self.assertFalse(view(winning=None, tiles=8).is_hand)

    def test_a_question_about_a_wrong_hand_is_not_silent(self) -> None:
        asked = real_hands.judge(
            view(), reading(winning="1s", status="needs_review", doubts=["winning_tile", "winning_tile"])
        )
        self.assertFalse(asked.silent)
        self.assertEqual(real_hands.questions([asked.reading]), "winning_tile 1")

    def test_only_what_the_photo_shows_is_asked_needlessly(self) -> None:
        def asking(
            kind: str, sideways: bool = False, face_up: bool = True, status: str = "needs_review"
        ) -> dict[str, Any]:
            tiles = [{"sideways": False, "face_up": True}, {"sideways": sideways, "face_up": face_up}]
            return {"status": status, "tiles": tiles, "doubts": [{"kind": kind, "tiles": [0, 1]}]}

        for needless in (
            asking("flower"),
            asking("concealed_kong", sideways=True),
            asking("concealed_kong", face_up=False),
        ):
            self.assertTrue(real_hands.asks_needlessly(needless), needless)
        for needed in (asking("winning_tile"), asking("concealed_kong"), asking("flower", status="ok")):
            self.assertFalse(real_hands.asks_needlessly(needed), needed)

    def test_the_summary_tells_parts_of_photos_from_whole_ones(self) -> None:
        lines = real_hands.summary([real_hands.judge(view(), reading())]).splitlines()
        self.assertIn("| whole photos | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 | 0 of 1 | 0 of 1 |", lines)
        self.assertIn("| cropped to the hand | - | - | - | - | - | - |", lines)


class Life(unittest.TestCase):
    def test_a_table_is_counted_in_each_of_its_forms(self) -> None:
        truth = {
            "hand": {"concealed": ["1s"], "winning_tile": "1s", "flowers": ["f1"], "melds": []},
            "camera": {"rise": 30},
        }
        read = {
            "hand": {"concealed": ["1s"], "winning_tile": "1s", "flowers": ["s2"], "melds": []},
            "status": "ok",
            "score": {"total": 8},
        }
        lines = life.table(
            [{"reading": read, "truth": truth, "total": 8, "outcome": "exact", "forms": ["set: dark"]}]
        ).splitlines()
        self.assertIn("| set: dark | 1 | 1 | 1 | 1 | 0 | 0 |", lines)
        self.assertIn("| camera: flat, below 40 degrees | 1 | 1 | 1 | 1 | 0 | 0 |", lines)


class Page(unittest.TestCase):
    def test_only_what_stands_between_the_marks_changes(self) -> None:
        before = "a\n<!-- x -->\nold\n<!-- /x -->\nb\n<!-- y -->\n<!-- /y -->\n"
        self.assertEqual(page.replaced(before, "x", "new"), before.replace("old", "new"))
        self.assertEqual(page.replaced(before, "y", "new"), before.replace("<!-- y -->\n", "<!-- y -->\nnew\n"))

    def test_a_page_without_marks_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            page.replaced("nothing", "x", "new")


if __name__ == "__main__":
    unittest.main()
