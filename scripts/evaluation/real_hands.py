"""Whole hands photographed at club and tournament tables: what was read of them, by the definitions
below. Standard library only.

Input: the truth of the shared folder's `photos/real_hands`, readings of its views. Output: `Judged`
views and tables of them.
Definitions: *tiles* are exact when the hand read has the same tiles as the hand that lies there, as
multisets. *Sets* are exact when besides its sets are the same, concealed or not, and the source of
each set in which a tile lies turned. The *winning tile* is judged where the photo shows which it
is. *Exact* means all of these. *Silently wrong* means not exact, and yet nothing is asked. *Asked
about exact ones* leaves out what is no hand. A question is *answered by the photo* unless it asks
which tile won, where nothing marks one, or whether a kong was claimed of which every tile lies face
up and none across.
Invariant: a photo of a player who waits is read as one (`--won=false`): nobody would ask for the
score of such a hand.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.corrections import corrected_hand

from evaluation.metrics import Rate, hand_tiles, plain
from evaluation.table import counted, markdown

KINDS = {"pon": "pung", "chi": "chow", "kan": "kong"}
WAITING = ["--won=false"]


@dataclass
class View:
    """A photo or a part of one, and the hand that is meant."""

    name: str
    path: Path
    hand: dict
    whole_photo: bool
    tiles: int

    @property
    def is_hand(self) -> bool:
        """Whether the view shows a whole hand: one photo shows eight loose tiles."""
        return self.tiles >= 13

    @property
    def waiting(self) -> bool:
        """Whether the hand has no winning tile."""
        return self.tiles < 14 and not self.hand["winning_tile"]


@dataclass
class Judged:
    """A view, its reading, and what is right; `winning` None where the photo cannot tell which tile
    won."""

    view: View
    reading: dict
    tiles: bool
    sets: bool
    winning: bool | None

    @property
    def exact(self) -> bool:
        """Whether tiles, sets and, where the photo shows it, the winning tile are right."""
        return self.tiles and self.sets and self.winning is not False

    @property
    def asked(self):
        """The kinds of what is asked."""
        return sorted({doubt["kind"] for doubt in self.reading.get("doubts") or []})

    @property
    def silent(self) -> bool:
        """Wrong without a question."""
        return not self.exact and self.reading.get("status") == "ok"


def views(shared: Path) -> list[View]:
    """Every view of the shared folder, by name."""
    folder = Path(shared) / "photos" / "real_hands"
    facts = json.loads((folder / "truth.json").read_text())
    return [_view(name, folder / f"{name}.jpg", facts[name]) for name in sorted(facts)]


def _view(name: str, path: Path, facts: dict[str, Any]) -> View:
    melds = [{**meld, "kind": KINDS.get(meld["kind"], meld["kind"])} for meld in facts["melds"]]
    hand = {
        **{key: facts[key] for key in ("winning_tile", "flowers")},
        "melds": melds,
        "concealed": corrected_hand(name, facts["concealed"]),
    }
    return View(name, path, hand, facts["view"].startswith("full photo"), facts["tile_count"])


def judge(view: View, reading: dict[str, Any]) -> Judged:
    """Compares a reading with what lies there."""
    read = reading.get("hand") or {}
    tiles = hand_tiles(read) == hand_tiles(view.hand)
    known = plain(view.hand["winning_tile"])
    winning = plain(read.get("winning_tile") or "") == known if known else None
    return Judged(view, reading, tiles, tiles and sets_of(read) == sets_of(view.hand), winning)


def sets_of(hand: dict[str, Any]) -> list[tuple[str, list[str], bool, str]]:
    """The sets with their sources, in one order."""
    return sorted(
        (meld["kind"], sorted(map(plain, meld["tiles"])), bool(meld.get("concealed")), meld.get("from") or "")
        for meld in hand.get("melds") or []
    )


def summary(judged: list[Judged]) -> str:
    """Markdown: all views, parts of photos, whole photos."""
    groups = [
        ("all views", judged),
        ("cropped to the hand", [j for j in judged if not j.view.whole_photo]),
        ("whole photos", [j for j in judged if j.view.whole_photo]),
    ]
    heads = [
        "views",
        "tiles exact",
        "tiles, sets and sources exact",
        "winning tile exact, where it shows",
        "all exact",
        "wrong hands not asked about",
        "exact hands asked about",
    ]
    return markdown(heads, [[name, *map(counted, rates(some))] for name, some in groups])


def rates(judged: list[Judged]) -> list[Rate]:
    """The rates of `summary`, left to right."""
    exact = [j for j in judged if j.exact and j.view.is_hand]
    return [
        _rate(j.tiles for j in judged),
        _rate(j.sets for j in judged),
        _rate(j.winning for j in judged if j.winning is not None),
        _rate(j.exact for j in judged),
        _rate(j.silent for j in judged),
        _rate(j.reading.get("status") != "ok" for j in exact),
    ]


def _rate(answers: Iterator) -> Rate:
    rate = Rate()
    for answer in answers:
        rate.add(answer)
    return rate


def questions(readings: list[dict[str, Any]]) -> str:
    """`tile 3, winning_tile 1`: how many of these readings ask each kind of question; a dash of
    none."""
    kinds = Counter(kind for reading in readings for kind in {doubt["kind"] for doubt in reading.get("doubts") or []})
    return ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) or "-"


def is_shown(reading: dict[str, Any], doubt: dict[str, Any]) -> bool:
    """Tells whether the photo shows the answer to a question. Of a kong that lies open without a
    mark only the players know whether it was claimed."""
    if doubt["kind"] == "concealed_kong":
        tiles = [reading["tiles"][at] for at in doubt["tiles"]]
        return any(tile["sideways"] or not tile["face_up"] for tile in tiles)
    return doubt["kind"] != "winning_tile"


def asks_needlessly(reading: dict[str, Any]) -> bool:
    """Tells whether a right reading asks what the photo shows."""
    return reading.get("status") != "ok" and any(is_shown(reading, doubt) for doubt in reading.get("doubts") or [])


def details(judged: list[Judged]) -> str:
    """Markdown: one line for each view."""

    def mark(answer: Any):
        return "-" if answer is None else "yes" if answer else "no"

    lines = [
        [
            j.view.name.replace("_", " "),
            str(j.view.tiles),
            mark(j.tiles),
            mark(j.sets),
            mark(j.winning),
            j.reading.get("status", "error"),
            ", ".join(j.asked) or "-",
        ]
        for j in judged
    ]
    return markdown(["view", "tiles", "tiles exact", "and sets", "winning tile", "status", "asked about"], lines)
