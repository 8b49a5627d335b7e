"""Scores the hands of a tournament: a table of deals in, the same table with points out.

    python import_scores.py deals.csv --out scored.csv [--standings standings.csv] [--rules mcr-wmo]

Needs `pip install tilesight`. A row of `deals.csv` is a deal. Its columns, in any order:

    table, deal                 whatever names them
    E, S, W, N                  who sat where
    prevalent                   the wind of the round: E, S, W or N; East if it is empty
    winner                      the seat that won; empty after a draw
    feeder                      the seat that discarded the winning tile; empty if it was self-drawn
    hand                        the winner's hand, such as [EEE,2]123m456p789s5s5s

Other columns are kept. `scored.csv` has in addition `total`, `lines`, `E_points` to `N_points`, and
`problem`: what is wrong with a row, which then has no points.
"""

import argparse
import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

import tilesight

SEATS = "ESWN"
NEEDED = ["table", "deal", *SEATS, "prevalent", "winner", "feeder", "hand"]
ADDED = ["total", "lines", *(f"{seat}_points" for seat in SEATS), "problem"]
#: Where a player sits as seen from the winner, by the seats in between.
SOURCES: dict[int, Literal["left", "across", "right"]] = {1: "right", 2: "across", 3: "left"}


def context(row: dict[str, str], rules: str) -> tilesight.Context:
    """Return the win context of a row."""
    winner, feeder, prevalent = (row[name].strip() for name in ("winner", "feeder", "prevalent"))
    for wind in filter(None, (winner, feeder, prevalent)):
        if wind not in list(SEATS):
            raise ValueError(f"{wind} is no wind: E, S, W or N")
    winds = {"seat": winner, "prevalent": prevalent or "E"}
    win = cast("tilesight.Context", {"ruleset": rules, **winds, "win": "self_drawn"})
    if not feeder:
        return win
    between = (SEATS.index(feeder) - SEATS.index(winner)) % 4
    if between == 0:
        raise ValueError("the winner fed the winning tile")
    return {**win, "win": "discard", "from_": SOURCES[between]}


def scored(rows: list[dict[str, str]], rules: str) -> list[dict[str, Any]]:
    """Return the rows with what they scored."""
    results: list[dict[str, Any]] = [dict.fromkeys(ADDED, "") for _ in rows]
    hands: list[tilesight.HandToScore] = []
    places: list[int] = []
    for place, row in enumerate(rows):
        if not row["winner"].strip():
            results[place].update({"total": 0, **{f"{seat}_points": 0 for seat in SEATS}})
            continue
        try:
            hands.append({"hand": row["hand"].strip(), "context": context(row, rules)})
            places.append(place)
        except ValueError as fault:
            results[place]["problem"] = str(fault)
    # All cores score at once; a hand that can't be scored is among the answers as its problem.
    for place, score in zip(places, tilesight.score_many(hands, keep_errors=True)):
        results[place].update(points(score))
    return [{**row, **result} for row, result in zip(rows, results)]


def points(score: tilesight.Score | tilesight.Problem) -> dict[str, Any]:
    """Return the columns of a score, or of the problem that a hand has."""
    if isinstance(score, tilesight.Problem):
        return {"problem": "; ".join(fault.detail for fault in score.errors)}
    if not score.legal:
        return {"total": score.total, "problem": score.verdict}
    lines = "; ".join(f"{award.name} x {award.count}" if award.count > 1 else award.name for award in score.awards)
    paid = {f"{seat}_points": amount for seat, amount in score.payments.items()}
    return {"total": score.total, "lines": lines, **paid}


def standings(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each player's points over all deals, the best first."""
    sums: dict[str, dict[str, Any]] = {}
    for row in rows:
        for seat in SEATS:
            player = sums.setdefault(row[seat], {"player": row[seat], "points": 0, "deals": 0, "wins": 0})
            player["points"] += row[f"{seat}_points"] or 0
            player["deals"] += 1
            player["wins"] += row["winner"].strip() == seat and not row["problem"]
    return sorted(sums.values(), key=lambda player: (-player["points"], player["player"]))


def read(path: str) -> tuple[list[str], list[dict[str, str]]]:
    """Return the columns and rows of a table, as spreadsheets write them."""
    with Path(path).open(newline="", encoding="utf-8-sig") as file:
        table = csv.DictReader(file, restval="")
        columns = list(table.fieldnames or [])
        missing = [name for name in NEEDED if name not in columns]
        if missing:
            raise SystemExit(f"{path} has no column {', '.join(missing)}")
        return columns, list(table)


def write(path: str, columns: list[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a table."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, columns, extrasaction="ignore")
        table.writeheader()
        table.writerows(rows)


def main(arguments: list[str] | None = None) -> int:
    """The command line: 1 if a row has a problem."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deals")
    parser.add_argument("--out", required=True)
    parser.add_argument("--standings")
    parser.add_argument("--rules", default="mcr-wmo")
    given = parser.parse_args(arguments)
    if not any(one.id == given.rules and len(one.seats) == 4 for one in tilesight.rulesets()):
        parser.error(f"--rules {given.rules}: no rules of this name for four players; tilesight.rulesets() lists them")
    columns, rows = read(given.deals)
    rows = scored(rows, given.rules)
    write(given.out, [*columns, *(name for name in ADDED if name not in columns)], rows)
    if given.standings:
        write(given.standings, ["player", "points", "deals", "wins"], standings(rows))
    problems = [row for row in rows if row["problem"]]
    for row in problems:
        print(f"table {row['table']}, deal {row['deal']}: {row['problem']}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
