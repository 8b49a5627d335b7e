"""Times PyPI's PyMahjongGB on the rows that `cargo bench --bench mcr` scores, for comparison.

    pip install PyMahjongGB
    python3 scripts/bench_mcr.py [--rounds N]

Input: tests/data/mcr/corpus.jsonl.gz. Output: mean and worst time of a hand in microseconds, the
call from Python included (arguments are built beforehand), and how many totals agree with the
corpus, as a check that both score the same hands. Its rules are those of the `mil` profile.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from pathlib import Path

from MahjongGB import MahjongFanCalculator

CORPUS = Path(__file__).parent.parent / "tests/data/mcr/corpus.jsonl.gz"
SUITS = {"m": "W", "p": "B", "s": "T"}
HONORS = {"E": "F1", "S": "F2", "W": "F3", "N": "F4", "C": "J1", "F": "J2", "P": "J3"}
MELDS = {"chow": "CHI", "pung": "PENG", "kong": "GANG"}
WINDS = "ESWN"


def tile(code: str) -> str:
    """The library's name of a tile: suit before number, winds F1-F4, dragons J1-J3."""
    return HONORS.get(code) or SUITS[code[1]] + code[0]


def arguments(row):
    """The positional arguments of the library for a row."""
    packs = tuple((MELDS[m["type"]], tile(m["tile"]), m["offer"]) for m in row["melds"])
    flags = (row["self_drawn"], row["last_tile"], row["kong"], row["wall_last"])
    winds = (WINDS.index(row["seat"]), WINDS.index(row["prevalent"]))
    hand = tuple(tile(code) for code in row["concealed"])
    return packs, hand, tile(row["win"]), row["flowers"], *flags, *winds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20, help="the best of so many counts")
    rounds = parser.parse_args().rounds
    with gzip.open(CORPUS, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    cases = [arguments(row) for row in rows]
    best = [float("inf")] * len(cases)
    for _ in range(rounds):
        for at, case in enumerate(cases):
            start = time.perf_counter_ns()
            MahjongFanCalculator(*case)
            best[at] = min(best[at], (time.perf_counter_ns() - start) / 1000)
    agree = sum(
        sum(points for points, _ in MahjongFanCalculator(*case)) == row["mil"]["total"]
        for case, row in zip(cases, rows)
    )
    print(f"PyMahjongGB: mean {sum(best) / len(best):.2f} µs, worst {max(best):.1f} µs a hand")
    print(f"{agree} of {len(rows)} totals agree with the mil profile of the corpus")


if __name__ == "__main__":
    main()
