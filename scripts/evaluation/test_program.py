"""A small program of our own stands in for tilesight: what is printed, refused and counted."""

from __future__ import annotations

import hashlib
import stat
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from vision import corrections

from evaluation import metrics, program, sources, table

FAKE = """#!{python}
import json, os, sys
for name in [a for a in sys.argv[2:] if "." in a]:
    if "broken" in name:
        print(json.dumps({{"type": "bad_image", "title": "broken image"}}))
    elif "silent" in name:
        sys.exit("no models")
    elif "--stage" in sys.argv:
        names = {{"models": "TILESIGHT_MODELS", "hash": "TILESIGHT_MODELS_SHA256"}}
        print(json.dumps([{{key: os.environ.get(name) for key, name in names.items()}}]))
    elif sys.argv[1] == "classify":
        print(json.dumps({{"tile": name[-6:-4], "turn": 0, "candidates": [{{"tile": name[-6:-4], "p": 0.9}}]}}))
    else:
        print(json.dumps({{"status": "ok", "hand": None, "tiles": [], "timings_ms": {{"detect": 20, "classify": 5}}}}))
"""


class Running(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "fake"
        path.write_text(FAKE.format(python=sys.executable))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        models = Path(folder.name) / "other-models"
        models.mkdir()
        (models / "manifest.json").write_text("{}")
        self.program = program.Program(path, models)

    def test_one_answer_for_each_photo_in_order(self) -> None:
        names = [f"{k}.jpg" for k in range(program.BATCH + 3)]
        names[4] = "broken.jpg"
        answers = self.program.read(names)
        self.assertEqual(len(answers), len(names))
        self.assertEqual(answers[4][0]["status"], "error")
        self.assertEqual(answers[5][0]["status"], "ok")
        self.assertAlmostEqual(answers[5][1], 0.025)

    def test_crops(self) -> None:
        answers = self.program.classify(["a-1m.png", "b-f2.png"])
        self.assertEqual([a["tile"] for a, _ in answers], ["1m", "f2"])

    def test_stages_and_the_models_folder(self) -> None:
        expected = hashlib.sha256(b"{}").hexdigest()
        answer = [{"models": str(self.program.models), "hash": expected}]
        with unittest.mock.patch.dict("os.environ", {"TILESIGHT_MODELS_SHA256": "of others"}):
            self.assertEqual(self.program.stage("classify", ["a.jpg", "b.jpg"]), [answer] * 2)

    def test_missing_answers_stop_the_evaluation(self) -> None:
        with self.assertRaisesRegex(program.ProgramError, "no models"):
            self.program.read(["silent.jpg", "b.jpg"])

    def test_missing_program_says_what_to_run(self) -> None:
        with self.assertRaisesRegex(program.ProgramError, "cargo build --release"):
            program.Program(Path("/nonexistent/tilesight")).read(["a.jpg"])

    def test_a_reading_may_be_wrapped(self) -> None:
        (answer,) = program.parse_lines('{"photo": "a", "reading": {"status": "no_hand", "tiles": []}}\n\n')
        self.assertEqual((answer["status"], answer["photo"]), ("no_hand", "a"))


class Tables(unittest.TestCase):
    def test_percent(self) -> None:
        self.assertEqual(table.percent(metrics.Rate()), "-")
        self.assertEqual(table.percent(metrics.Rate(8, 10)), "80.0 % (49.0-94.3) of 10")

    def test_card_keeps_what_stands_around_the_markers(self) -> None:
        card = f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n"
        self.assertEqual(table.into_card(card, "new"), f"before\n{table.BEGIN}\nnew\n{table.END}\nafter\n")
        with self.assertRaises(ValueError):
            table.into_card("no markers", "new")

    def test_crop_rates(self) -> None:
        faces, bonus, some = table.crop_rates(
            [
                ("1m", {"tile": "1m"}),
                ("5p", {"tile": "0p"}),
                ("E", {"tile": "S"}),
                ("f1", {"tile": "f2"}),
                ("s1", {"tile": "s1"}),
                ("s2", {"tile": "1s"}),
            ]
        )
        self.assertEqual([(r.hits, r.total) for r in (faces, bonus, some)], [(2, 3), (1, 3), (2, 3)])

    def test_every_row_has_every_column(self) -> None:
        lines = table.photo_table([("x", metrics.Summary())]).splitlines()
        self.assertEqual({line.count("|") for line in lines}, {lines[0].count("|")})


class Corrections(unittest.TestCase):
    CHANGE = {
        "photos": {
            "photo": {
                "renamed": {"0": "N"},
                "twice": [1],
                "elsewhere": [2],
                "added": [{"class": "f3", "x": 9, "y": 0, "w": 1, "h": 1}],
            }
        },
        "hands": {"view": {"renamed": {"6s": "4s"}}},
    }
    LABELS = [{"class": name, "x": x, "y": 0, "w": 1, "h": 1} for x, name in enumerate(["3s", "2m", "5m", "4p"])]

    def setUp(self) -> None:
        self.enterContext(unittest.mock.patch.object(corrections, "_all", lambda: self.CHANGE))

    def test_labels_are_mended(self) -> None:
        tiles, elsewhere = corrections.corrected("photo", self.LABELS)
        self.assertEqual([(tile["class"], tile["x"]) for tile in tiles], [("N", 0), ("5m", 2), ("4p", 3), ("f3", 9)])
        self.assertEqual(elsewhere, {1})

    def test_other_photos_stay_as_they_are(self) -> None:
        self.assertEqual(corrections.corrected("other", self.LABELS), (self.LABELS, set()))

    def test_a_correction_of_no_tile_is_an_error(self) -> None:
        with self.assertRaisesRegex(ValueError, "photo has no tiles"):
            corrections.corrected("photo", self.LABELS[:2])
        with self.assertRaisesRegex(ValueError, "view has no tiles"):
            corrections.corrected_hand("view", ["4s"])

    def test_tiles_of_a_hand_are_renamed(self) -> None:
        self.assertEqual(corrections.corrected_hand("view", ["6s", "6s", "3s"]), ["4s", "4s", "3s"])
        self.assertEqual(corrections.corrected_hand("other", ["6s"]), ["6s"])

    def test_clutter_is_no_part_of_the_hand(self) -> None:
        size = {
            "kind": "hand",
            "beyond_hand": False,
            "dataset": "d",
            "scene": "s",
            "split": "test",
            "exhaustive": False,
        }
        labels = [{**self.LABELS[0], "x": 2 * x} for x in range(15)]
        photo = sources._labelled("p.jpg", size, labels, (1, 1), {14})
        self.assertTrue(photo.labels_are_hand)
        self.assertFalse(photo.closed)
        result = metrics.judge(photo, {"hand": {"concealed": ["3s"] * 14}, "tiles": []}, 0)
        self.assertTrue(result.whole)


class Truths(unittest.TestCase):
    def test_stretch_is_undone(self) -> None:
        self.assertEqual(sources.true_size(640, 640, 4 / 3), (853, 640))
        self.assertEqual(sources.true_size(640, 640, 0.75), (640, 853))
        self.assertEqual(sources.true_size(202, 2560, 0.08), (202, 2560))

    def test_our_samples_are_whole_and_legal(self) -> None:
        photos = sources.samples(sources.ROOT / "datasets" / "samples")
        self.assertTrue(photos)
        for photo in photos:
            tiles = metrics.hand_tiles(photo.hand)
            kongs = sum(meld["kind"] == "kong" for meld in photo.hand["melds"])
            bonus = photo.hand["flowers"]
            self.assertEqual(sum(tiles.values()) - len(bonus), 14 + kongs, photo.path)
            self.assertLessEqual(max(tiles.values()), 4, photo.path)
            self.assertEqual(len(bonus), len(set(bonus)), photo.path)
            self.assertTrue(Path(photo.path).is_file(), photo.path)


if __name__ == "__main__":
    unittest.main()
