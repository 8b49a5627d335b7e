"""Measures what each stage costs: every photo is replayed with true places, true names or the true
hand's tiles. Standard library only.

Input: photos with their truth. Output: for each way of putting things right the results, and a
table of what detection, names, grouping, structure and doubts cost. Definitions: a hand is *exact*
when its sets, sources and winning tile are right (which flower a flower is does not count; where
nothing shows the winning tile, it is not asked for); where the truth knows no sets, when its tiles
are. What a stage costs is the share of hands that become exact when it alone is put right. With
true places, names and tiles of the hand *left out* is the share of which tiles are still missing,
*structure* that of which all tiles are there, and sets, sources or the winning tile are wrong.
*Doubts* is the share of the exact hands that are asked about.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation import metrics
from evaluation.metrics import Rate

# What is put right, by the name of the way: (places, names, grouping).
WAYS = {
    "as read": (),
    "true places": ("places",),
    "true names": ("names",),
    "true places and names": ("places", "names"),
    "the hand's tiles alone": ("grouping",),
    "everything true": ("places", "names", "grouping"),
}
# Less of a tile than this no detector could find.
MIN_VISIBLE = 0.5


@dataclass
class Case:
    """A photo, its truth, and what it counts under: its source, then the forms it takes.
    `unmarked`: nothing shows the winning tile."""

    photo: metrics.Photo
    groups: list
    unmarked: bool = False

    @property
    def has_places(self) -> bool:
        """Whether the outlines are those of the tiles, and not boxes around them."""
        return all(tile.polygon for tile in self.photo.tiles) and bool(self.photo.tiles)


def request(case: Case, right: tuple[str, str]) -> dict[str, Any]:
    """A line for examples/replay.rs."""
    truth = [
        {"polygon": tile.polygon, "tile": tile.code, "of_hand": tile.role != "ignored"}
        for tile in case.photo.tiles
        if tile.polygon and tile.visible >= MIN_VISIBLE
    ]
    return {"photo": case.photo.path, "truth": truth, **dict.fromkeys(right, True)}


def replay(
    program: Path, cases: list[Case], right: tuple[str, str], environment: dict[str, str] | None = None
) -> list[Any | dict[str, Any]]:
    """The readings of these cases with these things put right."""
    lines = "\n".join(json.dumps(request(case, right)) for case in cases)
    done = subprocess.run([str(program)], input=lines, capture_output=True, text=True, check=False, env=environment)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(cases):
        raise RuntimeError(f"{program} answered {len(answers)} of {len(cases)} photos: {done.stderr.strip()[-400:]}")
    return [answer.get("reading") or {"status": "error", "tiles": [], "hand": None, "doubts": []} for answer in answers]


def is_exact(case: Case, reading: dict[str, Any]) -> bool | None:
    """Tells whether the hand is right; None where the truth does not say."""
    hand = case.photo.hand
    if hand is None:
        return metrics.judge(case.photo, reading, 0).whole_but_kind
    return _structure(reading.get("hand") or {}, False) == _structure(hand, case.unmarked)


def _structure(hand: dict[str, Any], unmarked: bool):
    concealed, winning, melds, flowers = metrics.hand_structure(hand)
    if unmarked and winning:
        concealed, winning = sorted([*concealed, winning]), None
    return concealed, winning, melds, len(flowers)


def has_tiles(case: Case, reading: dict[str, Any]) -> bool:
    """Tells whether the hand has the right tiles, in whatever sets they are."""
    truth = metrics.hand_tiles(case.photo.hand) if case.photo.hand else Counter()
    return metrics.any_bonus(metrics.hand_tiles(reading.get("hand"))) == metrics.any_bonus(truth)


def is_asked(reading: dict[str, Any]) -> bool:
    """Tells whether a person has to look at the reading."""
    return reading.get("status") != "ok"


def run(
    program: Path,
    cases: list[Case],
    say: Callable[[str], None] = lambda text: None,
    environment: dict[str, str] | None = None,
) -> dict[Any, Any]:
    """{way: [(case, reading)]}; ways that need outlines leave out photos that have none."""
    runs = {}
    for way, right in WAYS.items():
        some = [case for case in cases if case.has_places or not right]
        runs[way] = list(zip(some, replay(program, some, right, environment)))
        say(f"{way}: {len(some)} photos")
    return runs


def judged(pairs: list[tuple[Case, dict[str, Any]]]) -> list[tuple[bool, dict[str, Any]]]:
    """[(whether it is exact, reading)] of the hands that the truth knows."""
    known = [(is_exact(case, reading), reading) for case, reading in pairs]
    return [(right, reading) for right, reading in known if right is not None]


def exact(pairs: list[tuple[Case, dict[str, Any]]]) -> Rate:
    """The rate of exact hands."""
    return Rate.of(right for right, _ in judged(pairs))


def asked(pairs: list[tuple[Case, dict[str, Any]]]) -> Rate:
    """The rate of exact hands that are asked about."""
    return Rate.of(is_asked(reading) for right, reading in judged(pairs) if right)


def silent(pairs: list[tuple[Case, dict[str, Any]]]) -> Rate:
    """The rate of hands that are wrong without a question."""
    return Rate.of(not right and not is_asked(reading) for right, reading in judged(pairs))


def gain(before: list[tuple[Case, dict[str, Any]]], after: list[tuple[Case, dict[str, Any]]]) -> tuple[int, int, int]:
    """Counts the hands that become exact, those that were exact and are not any more, and all of
    them, from [(case, reading)] before and after."""
    gained, lost, count = 0, 0, 0
    old = {id(case): is_exact(case, reading) for case, reading in before}
    for case, reading in after:
        was, now = old[id(case)], is_exact(case, reading)
        if was is not None:
            count += 1
            gained += bool(now and not was)
            lost += bool(was and not now)
    return gained, lost, count


HEAD = [
    "group",
    "hands",
    "exact",
    "gain from true outlines",
    "gain from true names",
    "gain from both",
    "gain from the hand's tiles alone",
    "all true: tiles missing",
    "all true: structure wrong",
    "exact hands asked about",
    "wrong hands not asked about",
]


def row(name: str, runs: dict[str, Any]) -> list[str]:
    """The table's row for a group of photos."""
    read = runs["as read"]
    costs = [
        _cost(gain(read, runs[way]))
        for way in ("true places", "true names", "true places and names", "the hand's tiles alone")
    ]
    left = [(is_exact(case, reading), has_tiles(case, reading)) for case, reading in runs["everything true"]]
    left_out = Rate(sum(not known and not whole for known, whole in left), len(left))
    structure = Rate(sum(not known and whole for known, whole in left), len(left))
    return [
        name,
        str(exact(read).total),
        _share(exact(read)),
        *costs,
        _share(left_out),
        _share(structure),
        _share(asked(read)),
        _share(silent(read)),
    ]


def _cost(counted: tuple[int, int, int]) -> str:
    gained, lost, count = counted
    if not count:
        return "–"
    mark = f" (+{gained} −{lost})" if lost else f" (+{gained})"
    return f"{100 * (gained - lost) / count:.1f} %{mark}".replace("-", "−")


def _share(rate: Rate) -> str:
    if not rate.total:
        return "–"
    low, high = rate.interval()
    return f"{100 * rate.value:.1f} % ({100 * low:.0f}–{100 * high:.0f})"


def table(runs: dict[str, Any], min_hands: int = 5) -> str:
    """Markdown: all photos, every source, every form that so many hands take."""
    cases = [case for case, _ in runs["as read"]]
    sources = {case.groups[0]: None for case in cases}
    names = [*sources, *sorted({form for case in cases for form in case.groups[1:]})]
    lines = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
    for name in ["all", *names]:
        some = {way: [(c, r) for c, r in pairs if name == "all" or name in c.groups] for way, pairs in runs.items()}
        if exact(some["as read"]).total >= (1 if name == "all" else min_hands):
            lines.append("| " + " | ".join(row(name, some)) + " |")
    return "\n".join(lines)
