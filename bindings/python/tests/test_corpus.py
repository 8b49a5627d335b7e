"""Test data of every rule set through the installed package: expected totals, and whole answers.

`TILESIGHT_CORPUS` names the program that prints the data with the answers of this version.
"""

from __future__ import annotations

import json
import os
import subprocess
import unittest
from collections import Counter
from typing import Any

import tilesight

#: hands of each rule set, at least
ROWS = {"mcr-wmo": 8637, "mcr-mil": 8637, "mmm": 24, "classical-dmjl": 1021}
#: hands of sixteen tiles under rules of their own: every tenth, and all
SIXTEEN = (353, 3053)


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
        counted: Counter[str] = Counter()
        # The rule sets of all rows are too many for one `Rules`.
        for part in "12":
            program = [os.environ["TILESIGHT_CORPUS"], "taiwan", part]
            printed = subprocess.run(program, stdout=subprocess.PIPE, check=True)
            lines = [json.loads(line) for line in printed.stdout.splitlines()]
            rules = tilesight.Rules(*(line["profile"] for line in lines if "profile" in line))
            rows = [line for line in lines if "source" in line]
            won = [row for row in rows if "total" in row["answer"]]
            refused = [row for row in rows if "total" not in row["answer"]]
            scores = rules.score_many([row["request"] for row in won])
            for row, score in zip(won, scores):
                self.assertEqual(score.to_dict(), row["answer"], row["source"])
                self.assertIn(row["total"], (None, score.tai), row["source"])
            for row in refused:
                self.assertEqual(refusal(rules, **row["request"]).to_dict(), row["answer"], row["source"])
            counted += Counter(scored=len(won), refused=len(refused))
        self.assertIn(counted["scored"], SIXTEEN)
        self.assertEqual(counted["refused"], 68)


def refusal(rules: tilesight.Rules, hand: dict[str, Any], context: dict[str, Any]) -> tilesight.Problem:
    """The problem of a hand that must be refused."""
    try:
        rules.score(hand, **{"from_" if name == "from" else name: value for name, value in context.items()})
    except tilesight.Problem as problem:
        return problem
    raise AssertionError(f"{hand} was scored in {context}")


if __name__ == "__main__":
    unittest.main()
