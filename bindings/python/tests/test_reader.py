"""Photos through the installed package, with the extra `photos`.

`TILESIGHT_PHOTOS` names the folder of our own sample photos.
"""

from __future__ import annotations

import copy
import io
import json
import os
import pickle
import threading
import unittest
from pathlib import Path
from typing import Any

import tilesight

PHOTOS = Path(os.environ["TILESIGHT_PHOTOS"])
DEMO = PHOTOS / "demo.jpg"
CONTEXT = json.loads((PHOTOS / "demo.context.json").read_text())


class Photos(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.reader = tilesight.Reader()

    def test_a_photo_has_a_hand_and_a_score(self) -> None:
        reading = self.reader.read(DEMO, **CONTEXT)
        self.assertIsNotNone(reading.total)
        self.assertEqual(tilesight.score(reading.notation, **CONTEXT).total, reading.total)
        self.assertEqual([award.code for award in reading.awards], [award.code for award in reading.score.awards])
        self.assertIn(reading.notation, reading._repr_html_())
        self.assertEqual(reading._repr_html_().count("<code>"), 1)

    def test_bytes_paths_and_several_photos_show_the_same_hand(self) -> None:
        reading = self.reader.read(DEMO, **CONTEXT)
        with DEMO.open("rb") as file:
            self.assertEqual(self.reader.read(file, **CONTEXT).notation, reading.notation)
        for photo in (str(DEMO), DEMO.read_bytes(), bytearray(DEMO.read_bytes()), io.BytesIO(DEMO.read_bytes())):
            self.assertEqual(self.reader.read(photo, **CONTEXT).notation, reading.notation)
        together = self.reader.read([DEMO, DEMO.read_bytes(), io.BytesIO(DEMO.read_bytes())], **CONTEXT)
        self.assertEqual(len(together.to_dict()["reading"]["photos"]), 3)

    def test_the_score_of_a_reading_is_like_that_of_a_hand(self) -> None:
        reading = self.reader.read(DEMO, **CONTEXT)
        score = tilesight.score(reading.notation, **CONTEXT)
        self.assertIsInstance(reading.score, tilesight.Score)
        self.assertEqual(reading.score.awards, score.awards)
        self.assertEqual(reading.score.payments, score.payments)
        self.assertEqual(json.loads(reading.score.to_json()), reading.score.to_dict())

    def test_a_doubt_is_answered(self) -> None:
        for photo in sorted(PHOTOS.glob("*.jpg")):
            reading = self.reader.read(photo)
            open_doubts = [doubt for doubt in reading.doubts if doubt.affects_score and doubt.alternatives]
            if open_doubts:
                break
        doubt = open_doubts[0]
        answered = reading.answer({"doubt": doubt.id, "answer": doubt.alternatives[0].answer})
        self.assertNotIn(doubt.id, [one.id for one in answered.doubts])
        self.assertEqual(answered.photo, reading.photo)
        for name in [name for name in dir(reading) if not name.startswith("_")]:
            self.assertIs(type(getattr(answered, name)), type(getattr(answered, name)), name)
        self.assertEqual(pickle.loads(pickle.dumps(answered)), answered)
        self.assertNotEqual(answered, reading)

    def test_a_reading_has_the_fields_of_its_score(self) -> None:
        reading = self.reader.read(DEMO, **CONTEXT, rulesets=["mcr-wmo", "riichi-tenhou"])
        score = reading.score
        self.assertEqual((reading.status, reading.no_score, reading.legal), ("ok", None, True))
        for name in ("total", "han", "fu", "faan", "tai", "awards", "payments"):
            self.assertEqual(getattr(reading, name), getattr(score, name), name)
        self.assertEqual([one.ruleset for one in reading.scores], ["mcr-wmo", "riichi-tenhou"])
        self.assertEqual(reading.scores[0].score.total, reading.total)
        self.assertEqual(reading.hand.notation, reading.notation)
        self.assertEqual(tilesight.score(reading.hand, **reading.context).total, reading.total)
        self.assertEqual(len(reading.photo.tiles), len(reading.to_dict()["reading"]["tiles"]))

    def test_a_reading_is_a_value(self) -> None:
        reading, same = self.reader.read(DEMO, **CONTEXT), self.reader.read(DEMO, **CONTEXT)
        self.assertEqual((reading, hash(reading)), (same, hash(same)))
        for other in (copy.copy(reading), copy.deepcopy(reading), pickle.loads(pickle.dumps(reading))):
            self.assertEqual((other, other.score, other.doubts), (reading, reading.score, reading.doubts))
            # It can be asked on without the networks.
            self.assertEqual(other.answer(), reading.answer())
        self.assertEqual(repr(reading), f"<Reading {reading.notation}: {reading.total}>")

    def test_bytes_that_are_not_a_photo_are_a_problem(self) -> None:
        for photo in (b"", b"GIF89a", b"\xff\xd8\xff\xe0" + b"\x00" * 1000, DEMO.read_bytes()[:5000]):
            with self.assertRaises(tilesight.Problem):
                self.reader.read(photo)
        with self.assertRaises(FileNotFoundError):
            self.reader.read(PHOTOS / "none.jpg")
        unchecked: Any = self.reader
        for photo in (3, [3], io.StringIO("text"), None):
            with self.assertRaisesRegex(TypeError, "path|mode"):
                unchecked.read(photo)
        with self.assertRaises(tilesight.RequestError) as caught:
            unchecked.read(DEMO, seet="E")
        self.assertEqual(caught.exception.errors[0].field, "context.seet")
        with self.assertRaises(tilesight.Problem):
            tilesight.Reader(sets=[tilesight.SetFile("no set")])

    def test_threads_share_a_reader(self) -> None:
        expected, seen = self.reader.read(DEMO, **CONTEXT).notation, []
        threads = [
            threading.Thread(target=lambda: seen.append(self.reader.read(DEMO, **CONTEXT).notation)) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(seen, [expected] * 4)


if __name__ == "__main__":
    unittest.main()
