"""Scenes of tables as players leave them: what is right of them, by form, and why the others are
not. Sheets need Pillow, all else nothing.

Input: the results of evaluate_forms (`reading`, `truth`, `total`, `outcome`, `forms`). Output:
Markdown, contact sheets.
Definitions: *right tiles*: the multiset of the hand's tiles, any flower for another. *Scored
right*: the reading's total is that of the truth, whatever is asked. *Asked*: the status is not
`ok`. *Silently wrong*: another total, and nothing is asked.
"""

from __future__ import annotations

import datetime
from collections import Counter
from pathlib import Path
from typing import Any

from evaluation import causes, metrics, sources, survival
from evaluation.table import BONUS, markdown, percent

# What a scene's plan says beyond those of other forms, and the words for it.
SAID = {"set": "set", "backs": "backs", "view": "view", "other_hand": "other hands", "discards": "discards"}
HEADS = ["form", "tables", "right tiles", "exact", "scored right", "asked", "silently wrong"]


def right_tiles(result: dict[str, Any]) -> bool:
    """Tells whether the hand was read with its tiles."""
    read = metrics.hand_tiles(result["reading"].get("hand"))
    return metrics.any_bonus(read) == metrics.any_bonus(metrics.hand_tiles(result["truth"]["hand"]))


def answers(result: dict[str, Any]) -> list[bool]:
    """The answers of a line of the table, without its name and number."""
    reading, total = result["reading"], result["total"]
    scored = (reading.get("score") or {}).get("total")
    return [
        right_tiles(result),
        result["outcome"] == "exact",
        scored is not None and scored == total,
        reading.get("status") != "ok",
        result["outcome"] == "silent",
    ]


def table(results: list[dict[str, Any]]) -> str:
    """Markdown: all tables, then every form."""
    named = {"all": results}
    for result in results:
        for form in {*result["forms"], steepness(result["truth"])}:
            named.setdefault(form, []).append(result)
    lines = []
    for form in sorted(named, key=lambda form: (form != "all", form)):
        some = named[form]
        rates = [metrics.Rate(sum(column), len(some)) for column in zip(*map(answers, some))]
        cells = [percent(rate) if form == "all" else f"{rate.hits}" for rate in rates]
        lines.append([form, str(len(some)), *cells])
    return f"Measured {datetime.date.today().isoformat()}.\n\n" + markdown(HEADS, lines)


def steepness(truth: dict[str, dict[str, Any]]) -> str:
    """The group of a scene by how steeply the camera looks down."""
    rise = truth["camera"]["rise"]
    return (
        "camera: flat, below 40 degrees"
        if rise < 40
        else "camera: 40 to 65 degrees"
        if rise < 65
        else "camera: steep, above 65 degrees"
    )


def judged(results: list[dict[str, Any]], pictures: Any) -> list[metrics.PhotoResult]:
    """Judges the results tile by tile."""
    photos = [sources.sample(path.with_suffix(".json")) for path in pictures]
    return [metrics.judge(photo, result["reading"], 0.0) for photo, result in zip(photos, results)]


def details(results: list[dict[str, Any]], pictures: Any) -> str:
    """Markdown: why tables are not exact, what is left out, which tiles are named wrongly."""
    tiled = judged(results, pictures)
    return "\n\n".join([cause_table(results, tiled), left_out_table(tiled), tile_table(results, tiled)])


def cause_table(results: list[dict[str, Any]], tiled: Any) -> str:
    """Markdown: how many tables are not exact for which reason, light and dark sets apart. A flower
    for another does not count."""
    failed = [
        (result["truth"]["layout"].get("set"), t) for t, result in zip(tiled, results) if result["outcome"] != "exact"
    ]
    of_set = [(f"{kind} sets", [t for its, t in failed if its == kind]) for kind in ("light", "dark")]
    return causes.cause_table([("all", [t for _, t in failed]), *of_set])


def left_out_table(tiled: Any) -> str:
    """Markdown: of the tables whose hand is all found and named, how many miss which part of it in
    the reading."""
    lines, known = [], [result for result in tiled if _is_known(result)]
    for role, words in (
        ("concealed", "concealed tiles"),
        ("winning", "winning tile"),
        ("meld", "sets"),
        ("flower", "flowers"),
    ):
        lacking = [
            result for result in known if any(result.photo.tiles[t].role == role for t in survival.left_out(result))
        ]
        lines.append([words, str(len(lacking))])
    lines.append(["nothing", str(sum(not survival.left_out(result) for result in known))])
    return markdown(
        [f"left out, of {len(known)} tables with every playing tile of the hand found and named", "tables"], lines
    )


def _is_known(result: Any) -> bool:
    """Tells whether every playing tile of the hand that shows its face is found and named."""
    unknown = set(result.missed) | {t for t, _ in result.wrong()}
    tiles = result.photo.tiles
    return all(tiles[t].role == "ignored" or not tiles[t].face_up or tiles[t].code in BONUS for t in unknown)


def tile_table(results: list[dict[str, Any]], tiled: Any) -> str:
    """Markdown: tiles found and named, in the hand and elsewhere, by kind of set; backs by their
    colour."""
    groups = {}
    for judgement, result in zip(tiled, results):
        plan, seen = result["truth"]["layout"], judgement.reading.get("tiles") or []
        named = {t: metrics.plain(seen[d]["tile"]) for t, d in judgement.pairs}
        for t, tile in enumerate(judgement.photo.tiles):
            if tile.visible >= metrics.MIN_VISIBLE:
                groups.setdefault(_group(tile, plan), []).append((tile.code, named.get(t)))
    lines = []
    for group, pairs in sorted(groups.items()):
        found = [(code, name) for code, name in pairs if name]
        right = metrics.Rate(sum(code == name for code, name in found), len(pairs))
        as_bonus = metrics.Rate(sum(name in BONUS for _, name in found), len(pairs))
        others = Counter(name for code, name in found if code != name).most_common(3)
        lines.append(
            [
                group,
                str(len(pairs)),
                percent(metrics.Rate(len(found), len(pairs))),
                percent(right),
                percent(as_bonus) if group.startswith("bonus") else "-",
                ", ".join(f"{name} {count}" for name, count in others) or "-",
            ]
        )
    return markdown(
        ["tiles in sight", "n", "found", "found and named", "as some bonus tile", "named wrongly, mostly"], lines
    )


def _group(tile: Any, plan: dict[str, Any]) -> str:
    if tile.code == "back":
        return f"backs, {plan['backs']}"
    where = "elsewhere" if tile.role == "ignored" else "of the hand"
    return f"bonus tiles, {plan['set']} sets" if tile.code in BONUS else f"faces {where}, {plan['set']} sets"


def sheets(results: list[dict[str, Any]], pictures: Any, folder: Path) -> None:
    """Contact sheets of the failures; of what is not of the hand they mark only what got into
    it."""
    from evaluation import sheets as contact

    wrong = {result["truth"]["image"] for result in results if result["outcome"] != "exact"}
    tiled = [result for result in judged(results, pictures) if Path(result.photo.path).name in wrong]
    for result in tiled:
        tiles, seen = result.photo.tiles, result.reading.get("tiles") or []
        result.missed = [t for t in result.missed if tiles[t].role != "ignored"]
        result.pairs = [(t, d) for t, d in result.pairs if tiles[t].role != "ignored" or metrics.in_hand(seen[d])]
        result.false = [d for d in result.false if metrics.in_hand(seen[d])]
    for path in contact.photo_sheets(tiled, folder, "life"):
        print(f"wrote {path}")
