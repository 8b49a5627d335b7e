"""The tile set: what is committed is what the generator draws, and every file keeps the set's
rules."""

from __future__ import annotations

import re
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from tile_art import brush, characters, tile
from tile_art.tile_set import pictures

FOLDER = Path(__file__).resolve().parents[2] / "assets/tiles"
CODES = (
    [f"{n}{suit}" for suit in "mps" for n in range(10)]
    + list("ESWNCFP")
    + [f"{four}{n}" for four in "fs" for n in range(1, 5)]
    + ["back"]
)
ELEMENTS = {"svg", "g", "rect", "circle", "path"}


class CommittedFiles(unittest.TestCase):
    """assets/tiles as it stands in the repository."""

    def test_every_code_has_its_file_and_no_other_file_is_there(self) -> None:
        self.assertEqual(sorted(file.name for file in FOLDER.iterdir()), sorted(f"{code}.svg" for code in CODES))

    def test_files_are_what_the_generator_draws(self) -> None:
        for code, text in pictures().items():
            with self.subTest(code):
                committed = (FOLDER / f"{code}.svg").read_text(encoding="utf-8")
                self.assertTrue(committed == text, f"{code}.svg differs: run `make tiles`")

    def test_files_are_small(self) -> None:
        sizes = {file.name: file.stat().st_size for file in FOLDER.iterdir()}
        self.assertLess(max(sizes.values()), 4096, max(sizes, key=lambda name: sizes[name]))
        self.assertLess(sum(sizes.values()), 100_000)


class Pictures(unittest.TestCase):
    """Rules of the set."""

    def test_pictures_are_plain_shapes_in_the_set_s_colours(self) -> None:
        for code, text in pictures().items():
            with self.subTest(code):
                root = xml.fromstring(text)
                self.assertEqual(root.get("viewBox"), "0 0 60 80")
                names = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()}
                self.assertLessEqual(names, ELEMENTS)
                colours = {
                    value for element in root.iter() for key in ("fill", "stroke") if (value := element.get(key))
                }
                self.assertLessEqual(colours, {*tile.PALETTE, "none"})

    def test_shapes_stay_on_the_tile(self) -> None:
        for code, text in pictures().items():
            for element in xml.fromstring(text).iter("{http://www.w3.org/2000/svg}circle"):
                x, y, r = (float(element.attrib[key]) for key in ("cx", "cy", "r"))
                with self.subTest(code):
                    self.assertTrue(x - r >= 1.5 and x + r <= 58.5 and y - r >= 1.5 and y + r <= 76, (x, y, r))

    def test_inks_are_legible_on_the_tile(self) -> None:
        """WCAG 2.2 asks text for a contrast of 4.5; by lightness alone, whatever colours an eye
        tells apart."""
        for ink in (tile.RED, tile.GREEN, tile.BLUE, tile.INK):
            self.assertGreater(_contrast(ink, tile.FACE), 4.5, ink)

    def test_as_many_dots_and_sticks_as_the_number_says(self) -> None:
        drawn = pictures()
        for number in range(2, 10):
            self.assertEqual(drawn[f"{number}p"].count("<circle") / 2, number)
            slits = re.search(r'stroke-width="12"[^>]* d="([^"]*)"', drawn[f"{number}s"])
            self.assertEqual(slits.group(1).count("M") / 2, number)


class Strokes(unittest.TestCase):
    """The brush."""

    def test_skeletons_lie_on_their_grid(self) -> None:
        for char in characters.SKELETONS:
            for kind, points in characters.strokes(char):
                self.assertIn(kind, characters.PRESSURE)
                self.assertGreaterEqual(len(points), 2, char)
                self.assertTrue(all(0 <= value <= 100 for point in points for value in point), char)

    def test_outlines_run_the_same_way_round(self) -> None:
        """Else strokes that cross would cut holes into each other."""
        for char in characters.SKELETONS:
            for kind, points in characters.strokes(char):
                data = brush.stroke(points, characters.PRESSURE[kind], 4)
                self.assertGreater(_area(data), 0, (char, kind, points))

    def test_numbers_are_written_tightly(self) -> None:
        self.assertEqual(brush.join([1, -2.04, 0, 0.26, -0.01]), "10-20 0 3 0")


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _area(data: str) -> float:
    """The signed area of a path of one `M`, one `c` and one `s`, by the points that it runs
    through."""
    values = [int(text) for text in re.findall(r"-?\d+", data)]
    steps = [values[6:8]] + [values[i + 2 : i + 4] for i in range(8, len(values), 4)]
    points, (x, y) = [], values[:2]
    for dx, dy in steps:
        x, y = x + dx, y + dy
        points.append((x, y))
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1])) / 2


if __name__ == "__main__":
    unittest.main()
