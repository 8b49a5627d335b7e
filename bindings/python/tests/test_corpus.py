"""Test data of every rule set through the installed package: expected totals, and whole answers.

`TILESIGHT_CORPUS` names the program that prints the data with the answers of this version.
"""

from __future__ import annotations

import json
import os
import subprocess
import unittest
from collections import Counter

import tilesight

#: hands of each rule set, at least
ROWS = {"mcr-wmo": 8637, "mcr-mil": 8637, "mmm": 24, "classical-dmjl": 1021}


class Corpus(unittest.TestCase):
    def test_every_hand_scores_as_it_should(self) -> None:
        printed = subprocess.run([os.environ["TILESIGHT_CORPUS"]], stdout=subprocess.PIPE, check=True)
        rows = [json.loads(line) for line in printed.stdout.splitlines()]
        scores = tilesight.score_many([row["request"] for row in rows])
        counted = Counter()
        for row, score in zip(rows, scores):
            counted[score.ruleset] += 1
            total = score.to_dict()["value"] if score.ruleset == "mmm" else score.total
            self.assertEqual(total, row["total"], row["source"])
            self.assertEqual(score.to_dict(), row["answer"], row["source"])
        for ruleset, number in ROWS.items():
            self.assertGreaterEqual(counted[ruleset], number)


if __name__ == "__main__":
    unittest.main()
