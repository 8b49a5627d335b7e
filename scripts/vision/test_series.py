"""Checks of what writing on bonus tiles says, and of the packages that its pictures come from.
Standard library only.

Run: `python3 -m unittest discover -s scripts/vision -p test_series.py`.
"""

from __future__ import annotations

import json
import random
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from vision import faces_series as series

MOTIFS = Path(__file__).resolve().parents[1] / "motifs"


def likely(parts: list[tuple[str, str]], hint: str | None = None) -> dict[str, float]:
    """The tiles that the texts leave open, with their shares."""
    return {code: round(share, 3) for code, share in zip(series.BONUS, series.shares(parts, hint)) if share}


class Sayings(unittest.TestCase):
    """Tests of the tile that a text means."""

    def test_characters_of_the_plants_and_seasons_name_one_tile(self) -> None:
        for text, code in (
            ("梅", "f1"),
            ("蘭", "f2"),
            ("兰", "f2"),
            ("菊", "f3"),
            ("竹", "f4"),
            ("春", "s1"),
            ("夏", "s2"),
            ("秋", "s3"),
            ("冬", "s4"),
        ):
            self.assertEqual(likely([("character", text)]), {code: 1.0}, text)

    def test_words_and_abbreviations_name_one_tile(self) -> None:
        for text, code in (
            ("PLUM", "f1"),
            ("Orc", "f2"),
            ("MUM", "f3"),
            ("Chrysanthemum", "f3"),
            ("BAM", "f4"),
            ("SPR", "s1"),
            ("SUM", "s2"),
            ("FALL", "s3"),
            ("WIN", "s4"),
        ):
            self.assertEqual(likely([("word", text)]), {code: 1.0}, text)

    def test_no_word_names_two_tiles(self) -> None:
        for code, words in series.WORDS.items():
            for word in words:
                self.assertEqual(series.meant("word", word), (code,), word)

    def test_other_series_and_numerals_say_the_number_only(self) -> None:
        for kind, text, number in (
            ("series", "琴", 1),
            ("series", "樵", 2),
            ("series", "书", 3),
            ("series", "讀", 4),
            ("numeral", "2", 2),
            ("numeral", "三", 3),
            ("numeral", "IV", 4),
        ):
            self.assertEqual(likely([(kind, text)]), {f"f{number}": 0.5, f"s{number}": 0.5}, text)

    def test_a_letter_and_a_number_name_one_tile(self) -> None:
        self.assertEqual(likely([("four", "F"), ("numeral", "3")]), {"f3": 1.0})
        self.assertEqual(set(likely([("four", "SEASON")])), {"s1", "s2", "s3", "s4"})

    def test_a_motif_alone_leaves_all_eight_open(self) -> None:
        self.assertEqual(set(likely([]).values()), {0.125})
        hinted = likely([], "f4")
        self.assertEqual(len(hinted), 8)
        self.assertLess(max(hinted.values()), 0.5)

    def test_a_motif_never_overrules_a_text(self) -> None:
        self.assertEqual(likely([("character", "冬")], "f4"), {"s4": 1.0})

    def test_texts_that_contradict_each_other_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            series.shares([("character", "梅"), ("numeral", "2")])

    def test_every_saying_is_of_its_tile_and_sums_to_one(self) -> None:
        rng = random.Random(5)
        seen = set()
        for _ in range(4000):
            code = series.BONUS[rng.randrange(8)]
            saying = series.say(rng, rng.choice([None, "s2"]), (code,))
            self.assertAlmostEqual(sum(saying.shares), 1.0)
            self.assertGreater(saying.shares[series.BONUS.index(code)], 0)
            seen.add(tuple(kind for kind, _ in saying.parts))
        self.assertEqual(seen, {scheme for scheme, _ in series.SCHEMES})

    def test_playing_tiles_carry_words_of_their_own(self) -> None:
        rng = random.Random(6)
        words = {series.playing_word(rng, code) for code in ("4m", "0p", "7s", "E", "P") for _ in range(60)}
        self.assertTrue({"4 CRAK", "5 DOT", "7 BAM", "EAST", "WHITE DRAGON"} <= words)


class Packages(unittest.TestCase):
    """Tests of the packages that motifs and fonts come from."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.wanted = json.loads((MOTIFS / "package.json").read_text())["dependencies"]
        cls.locked = json.loads((MOTIFS / "package-lock.json").read_text())["packages"]

    def test_every_package_is_locked_at_the_version_asked_for(self) -> None:
        for name, version in self.wanted.items():
            self.assertEqual(self.locked[f"node_modules/{name}"]["version"], version, name)

    def test_every_licence_lets_the_weights_be_shipped(self) -> None:
        allowed = set(
            re.findall(r'"([^"]+)"', re.search(r"const LICENCES = \[(.*)\]", (MOTIFS / "render.mjs").read_text())[1])
        )
        self.assertFalse([licence for licence in allowed if "SA" in licence or "NC" in licence or "GPL" in licence])
        for name in self.wanted:
            licence = self.locked[f"node_modules/{name}"]["license"]
            self.assertIn(licence, allowed | {"MPL-2.0"} if name == "@resvg/resvg-js" else allowed, name)

    def test_the_held_sets_are_among_the_packages(self) -> None:
        text = (MOTIFS.parent / "vision" / "motifs.py").read_text()
        for scope, constant in (("@iconify-json", "HELD_SETS"), ("@fontsource", "HELD_FONTS")):
            for name in re.findall(r'"([^"]+)"', re.search(constant + r" = \{(.*)\}", text)[1]):
                self.assertIn(f"{scope}/{name}", self.wanted)


if __name__ == "__main__":
    unittest.main()
