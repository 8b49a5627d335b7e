"""The rendered hands are legal and lie as the contract says. Standard library only; run from
scripts/ or by discovery."""

from __future__ import annotations

import random
import sys
import unittest
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from vision import cycles_forms, cycles_hands, cycles_layout


def scenes(count: int = 400) -> Iterator[tuple[cycles_hands.Hand, list[cycles_layout.Placed], dict[str, Any]]]:
    """(hand, placed tiles, plan) of many seeds, every recipe among them."""
    recipes = list(cycles_hands.RECIPES)
    for seed in range(count):
        rng = random.Random(seed)
        hand = cycles_hands.make_hand(rng, recipes[seed % len(recipes)])
        placed, plan = cycles_layout.lay_out(hand, rng)
        yield hand, placed, plan


class Hands(unittest.TestCase):
    def test_tiles_are_counted_as_a_set_has_them(self) -> None:
        for hand, _, _ in scenes():
            kongs = sum(meld.kind == "kong" for meld in hand.melds)
            self.assertEqual(len(hand.tiles()), 14 + kongs)
            self.assertLessEqual(max(Counter(hand.tiles()).values()), 4)
            self.assertEqual(len(hand.flowers), len(set(hand.flowers)))

    def test_hands_of_sixteen_tiles_have_a_set_more(self) -> None:
        for seed in range(200):
            hand = cycles_hands.make_hand_of_sixteen(random.Random(seed))
            kongs = sum(meld.kind == "kong" for meld in hand.melds)
            self.assertEqual(len(hand.tiles()), 17 + kongs)
            self.assertTrue(hand.is_of_sixteen())
            self.assertEqual(hand.context["ruleset"], "tw-common")

    def test_chows_come_from_the_left(self) -> None:
        for hand, _, _ in scenes():
            for meld in hand.melds:
                if meld.kind == "chow" and meld.source:
                    self.assertEqual((meld.source, meld.tiles[0]), ("left", meld.claimed))

    def test_a_discard_has_a_giver_and_a_draw_has_none(self) -> None:
        for hand, _, _ in scenes(60):
            self.assertEqual(hand.context["win"] == "discard", hand.context["from"] is not None)


class Forms(unittest.TestCase):
    def scenes(
        self, count: int = 300
    ) -> Iterator[tuple[cycles_hands.Hand, list[cycles_layout.Placed], dict[str, Any]]]:
        for seed in range(count):
            rng = random.Random(seed)
            make = cycles_hands.make_hand_of_sixteen if seed % 3 == 0 else cycles_hands.make_hand
            hand = make(rng, kongs=0.45)
            placed, plan = cycles_forms.lay_out(hand, rng)
            yield hand, placed, plan

    def test_every_tile_lies_on_the_table_once(self) -> None:
        for hand, placed, plan in self.scenes():
            self.assertEqual(Counter(p.tile for p in placed), Counter(hand.tiles() + hand.flowers))
            marked = [p.tile for p in placed if p.role == "winning"]
            self.assertEqual(marked, [] if plan["winning"] == "unmarked" else [hand.winning])

    def test_only_a_tile_on_top_overlaps_another(self) -> None:
        for _, placed, _ in self.scenes(150):
            for k, a in enumerate(placed):
                for b in placed[:k]:
                    if a.level == b.level:
                        self.assertGreater(max(abs(a.x - b.x), abs(a.y - b.y)), 0.88, (a, b))

    def test_backs_are_those_of_concealed_kongs(self) -> None:
        hidden = {"outer": 2, "inner": 2, "down": 4, "up": 0}
        for hand, placed, plan in self.scenes():
            backs = sum(not p.face_up for p in placed)
            self.assertEqual(backs, hidden[plan["concealed_kong"]] * sum(meld.concealed for meld in hand.melds))


class Layout(unittest.TestCase):
    def test_every_tile_of_the_hand_lies_on_the_table_once(self) -> None:
        for hand, placed, _ in scenes():
            self.assertEqual(Counter(p.tile for p in placed), Counter(hand.tiles() + hand.flowers))
            self.assertEqual([p.tile for p in placed if p.role == "winning"], [hand.winning])

    def test_the_sideways_tile_says_who_discarded(self) -> None:
        for hand, placed, _ in scenes():
            groups = [
                [p for p in placed if p.role == "meld" and p.group == g]
                for g in sorted({p.group for p in placed if p.role == "meld"})
            ]
            self.assertEqual(len(groups), len(hand.melds))
            for meld, tiles in zip(hand.melds, groups):
                row = sorted((p for p in tiles), key=lambda p: (round(p.x, 1), p.y))
                turned = [k for k, p in enumerate(row) if p.sideways]
                self.check_turned(meld, turned, len(row))

    def check_turned(self, meld: cycles_hands.Meld, turned: list[int], count: int) -> None:
        """The place of the sideways tile, left to right; the added fourth tile shares its place."""
        if meld.source is None:
            self.assertEqual(turned, [])
            return
        last = count - 1
        wanted = {"left": {0}, "right": {last}, "across": set(range(1, last))}[meld.source]
        if meld.added:
            self.assertEqual(len(turned), 2)
            wanted = {"left": {0, 1}, "right": {2, 3}, "across": {1, 2}}[meld.source]
        self.assertTrue(turned and set(turned) <= wanted, (meld, turned))

    def test_concealed_kongs_hide_two_tiles(self) -> None:
        seen = 0
        for hand, placed, _ in scenes():
            concealed = sum(meld.concealed for meld in hand.melds)
            seen += concealed
            self.assertEqual(sum(not p.face_up for p in placed), 2 * concealed)
        self.assertGreater(seen, 10)

    def test_tiles_do_not_overlap(self) -> None:
        for _, placed, _ in scenes(150):
            for k, a in enumerate(placed):
                for b in placed[:k]:
                    self.assertGreater(max(abs(a.x - b.x), abs(a.y - b.y)), 0.93, (a, b))


if __name__ == "__main__":
    unittest.main()
