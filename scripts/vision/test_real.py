"""Checks of the loader of real photos and of the split, without shared data. Standard library only.

Run: `python3 -m unittest discover -s scripts/vision -p test_real.py -t scripts`.
"""

import json
import tempfile
import unittest
from pathlib import Path

from vision.real import FOLDERS, SPLITS, load_real

FACTS = {
    "scene": "set/table",
    "split": "train",
    "kind": "loose",
    "aspect": 0.5,
    "exhaustive": False,
    "augmented": False,
    "beyond_hand": True,
}
LATER = ("rethink-bonus", "riichi-sets")


def box(code, x):
    """The label of a tile at the top of a photo."""
    return {"class": code, "x": x, "y": 0, "w": 20, "h": 30}


class Loading(unittest.TestCase):
    """Tests of photos in a folder of their own."""

    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.shared, self.facts = Path(held.name), {}

    def add(self, stem, dataset, tiles, **facts):
        """Puts in the labels of a photo of 200 x 100."""
        folder = self.shared / "photos" / FOLDERS[dataset]
        (folder / "labels").mkdir(parents=True, exist_ok=True)
        label = {"image": f"{stem}.png", "width": 200, "height": 100, "tiles": tiles}
        (folder / "labels" / f"{stem}.json").write_text(json.dumps(label))
        self.facts[stem] = {**FACTS, "dataset": dataset, **facts}

    def load(self, split=None):
        """Loads the photos that were put in."""
        splits = self.shared / "splits.json"
        splits.write_text(json.dumps(self.facts))
        return load_real(self.shared, split, splits)

    def test_boxes_of_a_mirror_image_are_turned_back(self):
        self.add("001a", "riichi-sets", [box("1m", 10)], mirrored=True)
        self.assertEqual(self.load()[0].boxes(), [("1m", 170, 0, 20, 30)])

    def test_boxes_of_numerals_are_kept_apart(self):
        self.add("001", "rethink-bonus", [box("1m", 10), box("f2", 40)])
        photo = self.load()[0]
        self.assertEqual([code for code, *_ in photo.boxes()], ["1m"])
        self.assertEqual(photo.numerals(), [("f2", 40, 0, 20, 30)])

    def test_bonus_tiles_of_other_collections_have_whole_boxes(self):
        self.add("one", "roboflow", [box("f2", 40)])
        photo = self.load()[0]
        self.assertEqual([code for code, *_ in photo.boxes()], ["f2"])
        self.assertEqual(photo.numerals(), [])

    def test_later_sets_come_only_when_asked_for(self):
        self.add("one", "roboflow", [box("1m", 10)], split="validation")
        self.add("002", "rethink-bonus", [box("1m", 10)], split="sets")
        self.add("003", "rethink-bonus", [box("1m", 10)], split="unused")
        self.assertEqual([photo.stem for photo in self.load()], ["one"])
        self.assertEqual([photo.stem for photo in self.load("sets")], ["002"])
        self.assertEqual(self.load("train"), [])


class Split(unittest.TestCase):
    """Tests of the committed split's later collections."""

    @classmethod
    def setUpClass(cls):
        cls.later = {stem: facts for stem, facts in json.loads(SPLITS.read_text()).items() if facts["dataset"] in LATER}

    def sides(self, group):
        """The splits that each group of photos is in."""
        sides = {}
        for stem, facts in self.later.items():
            sides.setdefault(group(stem, facts), set()).add(facts["split"])
        return sides

    def test_set_is_on_one_side(self):
        for name, sides in self.sides(lambda _stem, facts: facts["scene"].split("/")[0]).items():
            self.assertLessEqual(len(sides - {"unused"}), 1, name)

    def test_copies_of_a_photo_are_on_one_side(self):
        copies = self.sides(lambda stem, facts: (facts["dataset"], stem[:3]))
        self.assertEqual([stem for stem, sides in copies.items() if len(sides) > 1], [])

    def test_held_out_photos_count_once(self):
        held = [
            stem[:3]
            for stem, facts in self.later.items()
            if facts["dataset"] == "riichi-sets" and facts["split"] == "sets"
        ]
        self.assertEqual(len(held), len(set(held)))

    def test_nothing_in_them_is_taken_for_a_whole_hand(self):
        self.assertEqual(
            [stem for stem, facts in self.later.items() if facts["exhaustive"] or not facts["beyond_hand"]], []
        )


if __name__ == "__main__":
    unittest.main()
