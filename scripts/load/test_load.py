"""Tests of what is made of wrk's output."""

from __future__ import annotations

import unittest
from collections.abc import Callable

from load.service import LoadError
from load.wrk import Run, calm, parse, percentile

PRINTED = """Running 3s test @ http://127.0.0.1:1/v1/hands
answer\t200\t101500\t\treceive;dur=0.5, wait;dur=0.0, decode;dur=34.0, detect;dur=28.0, total;dur=99.0
answer\t503\t400\t1\t
  2 requests in 3.00s, 172.23KB read
summary\t2\t3000000\t1\t0\t50000\t101500
"""


class Parsing(unittest.TestCase):
    def test_answers_and_summary(self) -> None:
        run = parse(PRINTED)
        self.assertEqual((run.requests, run.refused, run.broken, run.seconds), (2, 1, 0, 3.0))
        read, refused = run.answers
        self.assertEqual((read.status, read.took, read.stages()), (200, 101.5, 62.0))
        self.assertEqual((refused.status, refused.retry_after, refused.steps), (503, "1", {}))
        self.assertAlmostEqual(run.rate(), 1 / 3)

    def test_silence_is_an_error(self) -> None:
        with self.assertRaises(LoadError):
            parse("unable to connect")


class Figures(unittest.TestCase):
    def test_percentiles_are_values_that_were_seen(self) -> None:
        hundred = list(range(100, 0, -1))
        self.assertEqual([percentile(hundred, p) for p in (1, 50, 95, 99, 100)], [1, 50, 95, 99, 100])
        self.assertEqual([percentile([7], p) for p in (1, 50, 99)], [7, 7, 7])
        self.assertEqual(percentile([1, 2, 3], 50), 2)

    def test_the_calmer_run_is_kept(self) -> None:
        def runs(*others: float) -> Callable:
            every = iter([Run(1, 1, 0, 0, 1, 1, others=share) for share in others])
            return lambda: next(every)

        self.assertEqual(calm(0.1, 2, runs(0.05, 0.01)).others, 0.05)
        self.assertEqual(calm(0.1, 2, runs(0.5, 0.01)).others, 0.01)
        self.assertEqual(calm(0.1, 2, runs(0.4, 0.5)).others, 0.4)


if __name__ == "__main__":
    unittest.main()
