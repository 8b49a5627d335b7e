"""Speed of the installed package beside PyMahjongGB, on the hands of the MCR corpus.

    pip install out/python/*.whl PyMahjongGB
    TILESIGHT_CORPUS=target/debug/examples/corpus python bindings/python/bench.py

All calls score the same hands, one after the other, on one core but for `score_many`. Each piece of
the hands is scored in turns, again and again, and its best time counts: a piece is shorter than the
time that the system gives a program at once, so other load on the machine hardly matters.
`score_many` needs all cores at the same time, so its time counts on an idle machine alone; on a
busy one, the processor time of its threads says more.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from typing import Any

import MahjongGB
import tilesight
from tilesight.mahjonggb import MahjongFanCalculator

ROUNDS = 20
#: hands of a piece: less than a millisecond for one core, and enough for several threads
PIECE, PIECE_OF_MANY = 200, 2000
#: corpora in the one call of `score_many` that is not cut into pieces
REPEATS = 10
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
    parsed = [
        tilesight.parse(one["hand"], **{key: value for key, value in one["context"].items() if value is not None})
        for one in requests
    ]
    calls = [arguments(one.to_dict()) for one in parsed]
    written = [one.notation for one in parsed]

    def each(function: Callable[..., Any], inputs: list[Any]) -> Callable[[slice], None]:
        def work(piece: slice) -> None:
            for one in inputs[piece]:
                function(*one)

        return work

    lines = [(line,) for line in written]
    contenders: dict[str, tuple[int, Callable[[slice], Any]]] = {
        "PyMahjongGB": (PIECE, each(MahjongGB.MahjongFanCalculator, calls)),
        "tilesight.mahjonggb, same arguments": (PIECE, each(MahjongFanCalculator, calls)),
        "tilesight.score of a line": (PIECE, each(tilesight.score, lines)),
        "tilesight.score of a line, awards": (PIECE, each(lambda line: tilesight.score(line).awards, lines)),
        "tilesight.score_many": (PIECE_OF_MANY, lambda piece: tilesight.score_many(written[piece])),
    }
    best: dict[tuple[str, int], tuple[float, float]] = {}
    for _ in range(ROUNDS):
        for at in range(0, len(requests), PIECE):
            for name, (size, work) in contenders.items():
                if at % size == 0:
                    began, used = time.perf_counter(), time.process_time()
                    work(slice(at, at + size))
                    took = time.perf_counter() - began, time.process_time() - used
                    before = best.get((name, at), took)
                    best[name, at] = min(before[0], took[0]), min(before[1], took[1])

    def a_hand(name: str, measure: int) -> float:
        pieces = (took[measure] for (other, _), took in best.items() if other == name)
        return sum(pieces) / len(requests)

    for name in contenders:
        seconds, used = a_hand(name, 0), a_hand(name, 1)
        ratio = a_hand("PyMahjongGB", 0) / seconds
        print(f"| {name} | {seconds * 1e6:.2f} µs | {ratio:.1f} x | {used * 1e6:.2f} µs |")
    many = written * REPEATS
    whole = []
    for _ in range(ROUNDS):
        began, used = time.perf_counter(), time.process_time()
        tilesight.score_many(many)
        whole.append((time.perf_counter() - began, time.process_time() - used))
    seconds, used = (min(measure) / len(many) for measure in zip(*whole))
    ratio = a_hand("PyMahjongGB", 0) / seconds
    print(
        f"| tilesight.score_many, {len(many):,} hands | {seconds * 1e6:.2f} µs | {ratio:.1f} x | {used * 1e6:.2f} µs |"
    )


if __name__ == "__main__":
    main()
