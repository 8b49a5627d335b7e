"""Tables as players leave them: possible, complete, and with the distances of real tables. Standard
library only."""

from __future__ import annotations

import random
import sys
import unittest
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from vision import cycles_ground, cycles_hands, cycles_life, cycles_props, cycles_tables
from vision.cycles_neighbours import neighbours

if TYPE_CHECKING:
    pass


def tables(count: int = 120) -> Iterator[tuple[Any, ...]]:
    """(hand, its tiles, plan, board, generator) of many seeds."""
    for seed in range(count):
        rng = random.Random(seed)
        make = cycles_hands.make_hand_of_sixteen if seed % 4 == 0 else cycles_hands.make_hand
        hand = make(rng, melds=rng.choice([0, 1, 2, 3, 4]), kongs=0.4)
        board = cycles_ground.make_board(rng)
        placed, plan = cycles_life.lay_out(hand, rng, board)
        yield hand, placed, plan, board, rng


class Hand(unittest.TestCase):
    def test_every_tile_lies_on_the_table_once(self) -> None:
        for hand, placed, plan, _, _ in tables():
            self.assertEqual(Counter(p.tile for p in placed), Counter(hand.tiles() + hand.flowers))
            marked = [p.tile for p in placed if p.role == "winning"]
            self.assertEqual(marked, [] if plan["winning"] == "unmarked" else [hand.winning])

    def test_tiles_lie_side_by_side_on_the_cloth_or_the_rail(self) -> None:
        for _, placed, plan, board, _ in tables():
            self.assertTrue(cycles_ground.is_possible(placed, board), plan)

    def test_sets_in_the_corner_lie_far_from_the_row(self) -> None:
        gaps = []
        for hand, placed, plan, _, _ in tables(250):
            if hand.melds and plan["melds"] in ("corner", "corner_side", "rail"):
                row_end = max(p.x for p in placed if p.role == "concealed")
                gaps.append(min(p.x for p in placed if p.role == "meld") - row_end - 1)
        self.assertGreater(len(gaps), 60)
        self.assertGreater(min(gaps), 2.5)
        self.assertGreater(sum(5 <= gap <= 12.5 for gap in gaps), 0.9 * len(gaps))

    def test_every_form_occurs(self) -> None:
        seen = Counter(
            f"{key}: {plan[key]}"
            for hand, _, plan, _, _ in tables(250)
            if hand.melds
            for key in ("rows", "winning", "melds")
        )
        wanted = {f"rows: {row}" for row in cycles_life.ROWS} | {f"winning: {way}" for way in cycles_life.WINNING}
        self.assertLessEqual(wanted | {f"melds: {way}" for way in cycles_life.MELDS}, set(seen))

    def test_rectangles_that_touch_at_an_angle_do_not_overlap(self) -> None:
        flat = cycles_ground.rectangle(0, 0, 0, (0.5, 0.67))
        self.assertTrue(cycles_ground.cross(flat, cycles_ground.rectangle(0.9, 0, 30, (0.5, 0.67))))
        self.assertFalse(cycles_ground.cross(flat, cycles_ground.rectangle(1.6, 0, 30, (0.5, 0.67))))


class Neighbours(unittest.TestCase):
    def test_a_table_holds_one_set_of_tiles(self) -> None:
        for hand, placed, _, board, rng in tables(50):
            others, _ = neighbours(hand, placed, board, rng)
            counted = Counter(p.tile for p in placed + others)
            self.assertLessEqual(max(counted.values()), 4)
            self.assertEqual({p.role for p in others} | {"ignored"}, {"ignored"})

    def test_objects_lie_on_the_table_and_off_the_hand(self) -> None:
        for hand, placed, _, board, rng in tables(50):
            others, _ = neighbours(hand, placed, board, rng)
            for tile in others:
                self.assertFalse(any(cycles_ground.overlaps(tile, own, 0.3) for own in placed))
                below = [p for p in others if p.level == 0 and abs(p.x - tile.x) + abs(p.y - tile.y) < 0.4]
                self.assertTrue(tile.level == 0 or below)

    def test_standing_neighbours_show_their_backs(self) -> None:
        for hand, placed, _, board, rng in tables(30):
            for tile in neighbours(hand, placed, board, rng)[0]:
                self.assertFalse(tile.standing and tile.face_up)

    def test_things_stand_where_no_tile_is(self) -> None:
        for hand, placed, _, board, rng in tables(30):
            tiles = placed + neighbours(hand, placed, board, rng)[0]
            for thing in cycles_props.props(board, tiles, rng):
                outline = cycles_ground.rectangle(
                    thing["x"], thing["y"], thing["angle"], (thing["w"] / 2, thing["d"] / 2)
                )
                self.assertFalse(
                    any(cycles_ground.cross(outline, cycles_ground.corners(tile)) for tile in tiles), thing["name"]
                )


class Tables(unittest.TestCase):
    def test_a_table_depends_on_its_seed_alone(self) -> None:
        self.assertEqual(cycles_tables.describe(920_001)[1], cycles_tables.describe(920_001)[1])

    def test_dark_sets_and_pale_backs_are_common(self) -> None:
        plans = [cycles_tables.describe(seed)[1]["plan"] for seed in range(920_001, 920_081)]
        self.assertTrue(0.35 < sum(plan["set"] == "dark" for plan in plans) / len(plans) < 0.65)
        self.assertTrue(0.25 < sum(plan["backs"] == "pale" for plan in plans) / len(plans) < 0.65)

    def test_training_and_measuring_share_no_seed(self) -> None:
        self.assertFalse(set(cycles_tables.TRAINING) & set(cycles_tables.MEASURED))
        self.assertLess(max(cycles_tables.TRAINING), 900_000)


if __name__ == "__main__":
    unittest.main()
