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

    def test_every_hand_of_sixteen_tiles_scores_by_its_own_rules_or_is_refused(self) -> None:
        printed = subprocess.run([os.environ["TILESIGHT_CORPUS"], "taiwan"], stdout=subprocess.PIPE, check=True)
        lines = [json.loads(line) for line in printed.stdout.splitlines()]
        rules = tilesight.Rules(*(line["profile"] for line in lines if "profile" in line))
        rows = [line for line in lines if "source" in line]
        scores = rules.score_many([row["request"] for row in rows])
        problems = scores.problems
        for at, row in enumerate(rows):
            found = problems[at].to_dict() if at in problems else scores[at].to_dict()
            self.assertEqual(found, row["answer"], row["source"])
            if row["total"] is not None:
                self.assertEqual(found["tai"], row["total"], row["source"])
        refused = [at for at, row in enumerate(rows) if row["source"].startswith("taiwan refused")]
        self.assertEqual((len(rows), len(refused)), (3121, 68))
        self.assertEqual(sorted(problems), refused)


if __name__ == "__main__":
    unittest.main()
