"""Speed of the installed package beside PyMahjongGB, on the hands of the MCR corpus.

    pip install out/python/*.whl PyMahjongGB
    TILESIGHT_CORPUS=target/debug/examples/corpus python bindings/python/bench.py

All calls score the same hands, one after the other, on one core but for `score_many`; the best of
five rounds counts, and the rounds take turns, so that other load on the machine affects all.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import Any, Callable

import MahjongGB

import tilesight
from tilesight.mahjonggb import MahjongFanCalculator

ROUNDS = 5
SUITS = {"m": "W", "p": "B", "s": "T"}
HONORS = {"E": "F1", "S": "F2", "W": "F3", "N": "F4", "C": "J1", "F": "J2", "P": "J3"}
SOURCES = {None: 1, "left": 1, "across": 2, "right": 3}


def tile(code: str) -> str:
    return HONORS[code] if code in HONORS else SUITS[code[1]] + code[0]


def meld(one: dict[str, Any]) -> tuple[str, str, int]:
    tiles = sorted(tile(code) for code in one["tiles"])
    if one["kind"] == "chow":
        return ("CHI", tiles[1], 1)
    if one["kind"] == "pung":
        return ("PENG", tiles[0], SOURCES[one.get("from")])
    return ("GANG", tiles[0], 0 if one["kind"] == "concealed_kong" else SOURCES[one.get("from")])


def arguments(request: dict[str, Any]) -> tuple[Any, ...]:
    """Arguments of `MahjongFanCalculator` for a request of the contract."""
    hand, context = request["hand"], request["context"]
    win = context.get("win") or "discard"
    return (
        tuple(meld(one) for one in hand.get("melds", [])),
        tuple(tile(code) for code in hand["concealed"]),
        tile(hand["winning_tile"]),
        len(hand.get("flowers", [])),
        win in ("self_drawn", "kong_replacement"),
        bool(context.get("last_of_kind")),
        win in ("kong_replacement", "robbed_kong"),
        bool(context.get("last_wall_tile")),
        "ESWN".index(context.get("seat") or "E"),
        "ESWN".index(context.get("prevalent") or "E"),
    )


def main() -> None:
    printed = subprocess.run([os.environ["TILESIGHT_CORPUS"]], stdout=subprocess.PIPE, check=True)
    rows = (json.loads(line) for line in printed.stdout.splitlines())
    requests = [row["request"] for row in rows if row["request"]["context"]["ruleset"] == "mcr-wmo"]
    parsed = [tilesight.parse(one["hand"], **{key: value for key, value in one["context"].items() if value is not None}) for one in requests]
    calls = [arguments(one) for one in parsed]
    written = [one["notation"] for one in parsed]

    def each(function: Callable[..., Any], inputs: list[Any]) -> Callable[[], None]:
        def work() -> None:
            for one in inputs:
                function(*one)

        return work

    lines = [(line,) for line in written]
    rounds: dict[str, Callable[[], Any]] = {
        "PyMahjongGB": each(MahjongGB.MahjongFanCalculator, calls),
        "tilesight.mahjonggb, same arguments": each(MahjongFanCalculator, calls),
        "tilesight.score of a line, total": each(lambda line: tilesight.score(line).total, lines),
        "tilesight.score of a line, awards": each(lambda line: tilesight.score(line).awards, lines),
        "tilesight.score_many": lambda: tilesight.score_many(written),
    }
    best = dict.fromkeys(rounds, float("inf"))
    for _ in range(ROUNDS):
        for name, work in rounds.items():
            began = time.perf_counter()
            work()
            best[name] = min(best[name], (time.perf_counter() - began) / len(requests))
    for name, seconds in best.items():
        print(f"| {name} | {seconds * 1e6:.2f} µs | {best['PyMahjongGB'] / seconds:.1f} x |")


if __name__ == "__main__":
    main()
